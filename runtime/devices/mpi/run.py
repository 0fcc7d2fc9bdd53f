"""A compiled program on the devices of a job of MPI, called in each of its processes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ....errors import ArgumentError
from ....reference.environment import Environment
from ....reference.processes import ProcessId
from ....tracebacks import short_tracebacks
from ...arguments import check_timeout
from ...executable import Executable
from ...grid import is_list
from ...options import refuse
from ..delays import NONE as NO_DELAYS
from ..local import TIMEOUT
from .job import JobGrid, run_devices
from .transport import MpiTransport


@lru_cache(8)
def transport_of(devices: int, partitions: int, timeout: float, ranks: tuple[int, ...] | None) -> MpiTransport:
    """The transport of a grid of so many devices, made once: in processes of these ranks, or else in blocks."""
    transport = MpiTransport(timeout)
    if ranks is not None and (len(ranks) != devices or not all(rank in range(transport.size) for rank in ranks)):
        refuse("ranks", f"for each of {devices} devices a rank below {transport.size}", ranks)
    transport.place(blocks(devices, transport.size) if ranks is None else ranks, partitions)
    return transport


def blocks(devices: int, processes: int) -> list[int]:
    """The rank of the process of each device: the first ones have one more where they cannot all have as many."""
    each, more = divmod(devices, processes)
    return [rank for rank in range(processes) for _ in range(each + (rank < more))]


@short_tracebacks
def run_on_mpi(
    program: Executable | Sequence[Executable],
    arguments: Sequence[Sequence[Any]],
    environment: Environment | None = None,
    collective_timeout: float = TIMEOUT,
    ranks: tuple[int, ...] | None = None,
) -> list[tuple[Any, ...]]:
    """The results of `program` on the devices of this process; every process of the job calls this.

    program: compiled for a grid, `compile(..., replicas=, partitions=)`; or one program for each device here
    arguments: of each device here; `local_devices(program)` says which these are
    environment: the host of this process and the seed
    collective_timeout: how many seconds a device waits for others in an op
    ranks: of the process of each device; by default the processes have blocks of devices in the order of their ranks

    Raises the first error of a program here; `DeviceFailedError` where one of another process has failed,
    `InvalidProgramError` where devices meet with different ops, `ProgramTimeoutError` where some do not come. After an
    error the processes of the job cannot go on together.
    """
    if environment is None and ranks is None and isinstance(program, Executable):
        alone = _alone.get(program)
        if alone is not None and alone.transport.timeout == collective_timeout and len(arguments) == 1:
            return [alone(arguments[0])]
    check_timeout(collective_timeout)
    programs = _programs(program, arguments)
    if not programs or len({each.grid for each in programs}) != 1:
        raise ArgumentError("expected a program for each device of this process, compiled for one grid")
    replicas, partitions = programs[0].grid
    ranks = None if ranks is None else tuple(ranks)
    transport = transport_of(replicas * partitions, partitions, collective_timeout, ranks)
    local = list(transport.devices)
    if not len(arguments) == len(programs) == len(local):
        raise ArgumentError(
            f"process {transport.rank} of {transport.size} has devices {local} of {transport.count}, got arguments of "
            f"{len(arguments)} and {len(programs)} programs"
        )
    with transport.reporting():
        is_kept = environment is None and isinstance(program, Executable) and program.acts_on_devices_only
        kept = _loaded.setdefault(programs[0], {}) if is_kept else {}
        if transport not in kept:
            kept[transport] = _load(transport, programs, environment or Environment())
        grid, here = kept[transport]
    tasks = {place: _task(each, values) for (place, each), values in zip(here.items(), arguments, strict=True)}
    agreed = None if transport.has_met else {"grid": f"{replicas} replicas, {partitions} partitions"}
    results = run_devices(grid, tasks, agreed)
    if is_kept and ranks is None and len(local) == 1 and transport.delays is NO_DELAYS:
        _alone[programs[0]] = _Alone(transport, here[grid.processes[local[0]]])
    return [results[place] for place in here]


def _programs(program: object, arguments: object) -> list[Executable]:
    """That of each device here. Raises `ArgumentError` for what is none, and for what are no arguments."""
    if not is_list(arguments) or not all(map(is_list, arguments)):
        refuse("arguments", "a list of the arguments of each device of this process", arguments)
    if isinstance(program, Executable):
        return [program] * len(arguments)
    if not is_list(program) or not all(isinstance(each, Executable) for each in program):
        expected = "an executable (of one on whole arrays its `local`), or one for each device of this process"
        refuse("program", expected, program)
    return list(program)


class _Alone:
    """A program on the only device of this process, ready to be called again."""

    def __init__(self, transport: MpiTransport, program: Executable) -> None:
        self.transport, self._program = transport, program
        (self._device,) = transport.devices

    def __call__(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        if self.transport.failure_reported:
            self.transport.refuse()
        try:
            return self._program(*arguments)
        except BaseException as error:
            self.transport.fail(self._device, error)
            raise


_alone: WeakKeyDictionary[Executable, _Alone] = WeakKeyDictionary()


class _Loaded(NamedTuple):
    """The programs of this process in their places in a grid."""

    grid: JobGrid
    programs: dict[ProcessId, Executable]


_loaded: WeakKeyDictionary[Executable, dict[MpiTransport, _Loaded]] = WeakKeyDictionary()
"""Those of one program for all devices, whose surroundings hold nothing."""


def _load(transport: MpiTransport, programs: Sequence[Executable], environment: Environment) -> _Loaded:
    grid = JobGrid(*programs[0].grid, transport)
    places = [grid.processes[number] for number in transport.devices]
    return _Loaded(
        grid,
        {
            place: program.with_environment(environment.of_process(grid.process(*place)))
            for place, program in zip(places, programs, strict=True)
        },
    )


def _task(program: Executable, values: Sequence[Any]) -> Callable[[], Any]:
    return lambda: program(*values)


def local_devices(program: Executable, collective_timeout: float = TIMEOUT) -> list[int]:
    """The numbers of the devices of `program` that this process has: replica times partitions plus partition."""
    replicas, partitions = program.grid
    return list(transport_of(replicas * partitions, partitions, collective_timeout, None).devices)
