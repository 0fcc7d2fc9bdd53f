"""`mpiexec -n 4 xla-run --transport mpi PROGRAM`: each process runs its share of the devices of the program.

`{device}` in a file name of `--input`, `--output` and `--expect` becomes the number of the device, replica times
partitions plus partition. Without `--input` the arguments are random, others on each device. The first process prints
the results of all. With `--devices` the program is one on whole arrays, and so are files and what is printed.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr
from typing import TYPE_CHECKING, cast

import numpy as np

from ..reference.environment import Environment
from ..runtime.devices.local import TIMEOUT
from ..runtime.devices.mpi.ending import leave_soon
from ..runtime.devices.mpi.job import JobGrid, run_devices
from ..runtime.devices.mpi.run import blocks
from ..runtime.devices.mpi.transport import MpiTransport
from ..runtime.executable import Executable
from ..runtime.signature import tensors_of
from .job_arrays import ArraysOfDevices, Check, JobArrays, WholeArrays
from .reporting import guarded

DEFAULT_RUNS = 20
"""Of `--benchmark` without a number."""

if TYPE_CHECKING:
    from ..runtime.sharding.executable import ShardedExecutable
    from .loaded_program import Program


def run_in_job(args: argparse.Namespace, load: Callable[[], Program], check: Check) -> int:
    """Run a program with the other processes of the job and end this process, if the job has failed; the exit code.

    `load` compiles it. Errors are reported on stderr by the process that they are of.
    """
    transports: list[MpiTransport] = []

    def run() -> int:
        transport = MpiTransport(args.collective_timeout or TIMEOUT)
        transports.append(transport)
        with transport.reporting():
            program = load()
            assert program.executable is not None
            replicas, partitions = program.executable.grid
            transport.place(blocks(replicas * partitions, transport.size), partitions)
            grid = JobGrid(replicas, partitions, transport)
            if args.devices is None:
                arrays: JobArrays = ArraysOfDevices(args, grid, program.signature, check)
            else:
                arrays = WholeArrays(args, grid, cast("ShardedExecutable", program.run), check)
            return _run(args, grid, program.executable, arrays)

    said = io.StringIO()
    with redirect_stderr(said):
        status = guarded(run, debug=args.debug)
    sys.stdout.flush()
    os.write(2, said.getvalue().encode())  # at once: other processes write there too
    if transports:
        transports[0].leave(status)
    elif status:
        leave_soon(status)  # MPI may be waiting for processes that do not come
    return status


def _run(args: argparse.Namespace, grid: JobGrid, executable: Executable, arrays: JobArrays) -> int:
    inputs = arrays.inputs()
    host = Environment(seed=args.seed)

    def task(device: int) -> Callable[[], list[np.ndarray]]:
        program = executable.with_environment(host.of_process(grid.process(*grid.processes[device])))
        arguments = executable.signature.arguments(inputs[device])
        return lambda: list(tensors_of(program(*arguments)))

    tasks = {grid.processes[device]: task(device) for device in inputs}
    agreed = {"program": _digest(args), "grid": f"{grid.replicas} replicas, {grid.partitions} partitions"}
    results = run_devices(grid, tasks, agreed)
    seconds = list[float]()
    for _ in range(0 if args.benchmark is None else args.benchmark or DEFAULT_RUNS):
        start = time.perf_counter()
        run_devices(grid, tasks, None)
        seconds.append(time.perf_counter() - start)
    status = arrays.finish({grid.number(id): outputs for id, outputs in results.items()})
    if seconds and grid.transport.rank == 0:
        times = f"median {statistics.median(seconds) * 1e3:.4g} ms, min {min(seconds) * 1e3:.4g} ms"
        print(f"{times} ({len(seconds)} runs on {len(grid.processes)} devices in {grid.transport.size} processes)")
    return status


def _digest(args: argparse.Namespace) -> str:
    """What tells the program of this command line from others."""
    options = args.entry, args.pipeline, args.seed, args.devices
    with open(args.file, "rb") as file:
        return f"{args.file} {hashlib.sha256(file.read() + repr(options).encode()).hexdigest()[:16]}"
