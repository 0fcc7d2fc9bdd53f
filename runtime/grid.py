"""A grid of compiled programs, replicas by partitions, side by side in this process.

Each program runs on a thread of its own, all at once, and meets the others in its collectives, sends and receives
(`devices/`). The cores are shared out: each program runs its parallel loops on its part of them. Programs that wait for
each other in vain are an error that says who waits for what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeGuard
from weakref import WeakKeyDictionary

from ..errors import ArgumentError
from ..reference.environment import Environment
from ..reference.processes import Process, ProcessId
from ..tracebacks import short_tracebacks
from .arguments import check_timeout
from .devices.delays import Delays, current_delays
from .devices.device_grid import DeviceGrid
from .devices.local import TIMEOUT
from .executable import Executable
from .options import refuse
from .threads import default_threads

Rows = Sequence[Sequence[Sequence[Any]]]
"""The arguments of each program, by replica and partition."""


class _Loaded(NamedTuple):
    """Programs in their places in a grid, between runs."""

    grid: DeviceGrid
    programs: dict[ProcessId, tuple[Process, Executable]]


_loaded: WeakKeyDictionary[Executable, dict[tuple[float, Delays], _Loaded]] = WeakKeyDictionary()
"""Grids of one program that nobody uses right now, by timeout and random pauses."""


@short_tracebacks
def run_grid(
    programs: Executable | Sequence[Sequence[Executable]],
    arguments: Rows,
    environment: Environment | None = None,
    *,
    collective_timeout: float = TIMEOUT,
) -> list[list[tuple[Any, ...]]]:
    """The results of program `programs[i][j]` on `arguments[i][j]` as partition j of replica i.

    One executable stands for a grid of it. Each must be compiled for this grid: `compile(..., replicas=, partitions=)`.
    All share the host (queues, channels) and the seed of `environment`. Raises the first error of a program,
    `InvalidProgramError` if programs wait for each other in vain or meet with different ideas of a collective,
    `ProgramTimeoutError` if one has waited for others for `collective_timeout` seconds, and `ArgumentError` for a grid
    they are not compiled for. After an error, and after Ctrl-C, none of the programs runs any more.
    """
    _check(programs, arguments, environment)
    check_timeout(collective_timeout)
    places = _places(programs, arguments)
    size = len(places), len(places[0]) if places else 0
    named = [programs] if isinstance(programs, Executable) else (program for row in places for program in row)
    _check_grid(named, size)
    kept = (
        programs if environment is None and isinstance(programs, Executable) and programs.acts_on_devices_only else None
    )
    idle = dict[tuple[float, Delays], _Loaded]() if kept is None else _loaded.setdefault(kept, {})
    manner = collective_timeout, current_delays()
    loaded = idle.pop(manner, None)
    if loaded is None:
        loaded = _load(places, size, environment or Environment(), collective_timeout)
    tasks = {
        id: (process, _task(program, arguments[id[0]][id[1]])) for id, (process, program) in loaded.programs.items()
    }
    results = loaded.grid.run_bound(tasks)
    idle[manner] = loaded
    return [[results[i, j] for j in range(size[1])] for i in range(size[0])]


def _places(programs: Executable | Sequence[Sequence[Executable]], arguments: Rows) -> Sequence[Sequence[Executable]]:
    """The program of each place. Raises `ArgumentError` unless there are arguments for each."""
    counts = [len(row) for row in arguments]
    if not isinstance(programs, Executable):
        if [len(row) for row in programs] != counts:
            raise ArgumentError("the rows of programs and of arguments differ in number or length")
        return programs
    if len(set(counts)) > 1:
        raise ArgumentError("the rows of arguments differ in length")
    return [[programs] * count for count in counts]


def _check_grid(programs: Iterable[Executable], size: tuple[int, int]) -> None:
    """Raises `ArgumentError` unless each program is compiled for a grid of `size`."""
    for program in programs:
        if program.grid != size:
            raise ArgumentError(
                f"'@{program.signature.entry}' is compiled for {program.grid[0]} replicas and {program.grid[1]}"
                f" partitions, not for {size[0]} and {size[1]}"
            )


def _task(program: Executable, values: Sequence[Any]) -> Callable[[Process], Any]:
    return lambda _: program(*values)


def _load(
    rows: Sequence[Sequence[Executable]], size: tuple[int, int], environment: Environment, timeout: float
) -> _Loaded:
    """Programs in the surroundings of their places."""
    grid = DeviceGrid(*size, timeout)
    share = max(1, default_threads() // (size[0] * size[1]))
    programs: dict[ProcessId, tuple[Process, Executable]] = {}
    for i, row in enumerate(rows):
        for j, program in enumerate(row):
            process = grid.bound((i, j))
            programs[i, j] = process, program.with_environment(environment.of_process(process), threads=share)
    return _Loaded(grid, programs)


def _check(programs: object, arguments: object, environment: object) -> None:
    """Raises `ArgumentError` unless programs and arguments are rows by replica and partition."""
    if not isinstance(programs, Executable) and not (
        is_list(programs) and all(is_list(row) and all(isinstance(p, Executable) for p in row) for row in programs)
    ):
        refuse("programs", "an executable, or a list by replica of lists by partition of executables", programs)
    if not is_list(arguments) or not all(is_list(row) and all(map(is_list, row)) for row in arguments):
        refuse("arguments", "a list by replica of lists by partition of lists of arrays", arguments)
    if not isinstance(environment, Environment | None):
        refuse("environment", "an Environment or None", environment)


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether it is a sequence, and no text."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
