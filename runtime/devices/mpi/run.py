"""A compiled program on the devices of a job of MPI, called in each of its processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from ....errors import ArgumentError
from ....reference.environment import Environment
from ....reference.processes import ProcessId
from ....tracebacks import short_tracebacks
from ...arguments import check_timeout
from ...executable import Executable
from ..local import TIMEOUT
from .job import JobGrid, run_devices
from .transport import MpiTransport


@lru_cache(8)
def transport_of(devices: int, partitions: int, timeout: float) -> MpiTransport:
    """The transport of a grid of so many devices, made once: blocks of devices in the order of ranks."""
    transport = MpiTransport(timeout)
    transport.place(blocks(devices, transport.size), partitions)
    return transport


def blocks(devices: int, processes: int) -> list[int]:
    """How many devices each process has: the first ones one more where they cannot all have as many."""
    each, more = divmod(devices, processes)
    return [each + (rank < more) for rank in range(processes)]


@short_tracebacks
def run_on_mpi(
    program: Executable | Sequence[Executable],
    arguments: Sequence[Sequence[Any]],
    environment: Environment | None = None,
    collective_timeout: float = TIMEOUT,
) -> list[tuple[Any, ...]]:
    """The results of `program` on the devices of this process; every process of the job calls this.

    program: compiled for a grid, `compile(..., replicas=, partitions=)`; or one program for each device here
    arguments: of each device here; `local_devices(program)` says which these are
    environment: the host of this process and the seed
    collective_timeout: how many seconds a device waits for others in an op

    Raises the first error of a program here; `DeviceFailedError` where one of another process has failed,
    `InvalidProgramError` where devices meet with different ops, `ProgramTimeoutError` where some do not come. After an
    error the processes of the job cannot go on together.
    """
    check_timeout(collective_timeout)
    programs = [program] * len(arguments) if isinstance(program, Executable) else list(program)
    if not programs or len({each.grid for each in programs}) != 1:
        raise ArgumentError("expected a program for each device of this process, compiled for one grid")
    replicas, partitions = programs[0].grid
    transport = transport_of(replicas * partitions, partitions, collective_timeout)
    local = list(transport.devices)
    if not len(arguments) == len(programs) == len(local):
        raise ArgumentError(
            f"process {transport.rank} of {transport.size} has devices {local} of {transport.count}, got arguments of "
            f"{len(arguments)} and {len(programs)} programs"
        )
    grid, surroundings = JobGrid(replicas, partitions, transport), environment or Environment()

    def task(place: ProcessId, program: Executable, values: Sequence[Any]) -> Callable[[], Any]:
        return lambda: program.with_environment(surroundings.of_process(grid.process(*place)))(*values)

    places = [grid.processes[number] for number in local]
    tasks = {row[0]: task(*row) for row in zip(places, programs, arguments, strict=True)}
    results = run_devices(grid, tasks, {"grid": f"{replicas} replicas, {partitions} partitions"})
    return [results[place] for place in places]


def local_devices(program: Executable, collective_timeout: float = TIMEOUT) -> list[int]:
    """The numbers of the devices of `program` that this process has: replica times partitions plus partition."""
    replicas, partitions = program.grid
    return list(transport_of(replicas * partitions, partitions, collective_timeout).devices)
