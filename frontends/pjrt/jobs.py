"""Programs on devices of all processes of `jax.distributed`, which are a job of MPI: `mpiexec -n 2 python train.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...runtime.devices.local import TIMEOUT
from ...runtime.devices.mpi.run import run_on_mpi, transport_of
from ...runtime.executable import Executable
from .calls import Code, PjrtError
from .client import client


def run_in_job(program: Executable, arguments: Sequence[Sequence[Any]], ranks: tuple[int, ...]) -> list[Sequence[Any]]:
    """The results of the devices of this process; `ranks` are the processes of all. Every process calls this.

    Raises `PjrtError` where the numbers of processes are not their ranks, and what `run_on_mpi` raises.
    """
    replicas, partitions = program.grid
    transport, job = transport_of(replicas * partitions, partitions, TIMEOUT, ranks), client().job
    if (transport.rank, transport.size) != job:
        problem = (
            f"process {job.process} of {job.processes} of jax.distributed is process {transport.rank} of "
            f"{transport.size} of MPI: start it by mpiexec, and give its rank to jax.distributed.initialize"
        )
        raise PjrtError(Code.INVALID_ARGUMENT, problem)
    return list(run_on_mpi(program, arguments, ranks=ranks))
