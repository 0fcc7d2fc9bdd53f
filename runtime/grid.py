"""A grid of compiled programs, replicas by partitions, side by side in this process.

Each program runs on a thread of its own, all at once, and meets the others in its collectives, sends and receives
(`devices/`). The cores are shared out: each program runs its parallel loops on its part of them. Programs that wait for
each other in vain are an error that says who waits for what.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeGuard
from weakref import WeakKeyDictionary

from ..errors import ArgumentError
from ..reference.environment import Environment
from ..reference.processes import Process, ProcessId
from ..tracebacks import short_tracebacks
from .arguments import check_timeout
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


_loaded: WeakKeyDictionary[Executable, dict[float, _Loaded]] = WeakKeyDictionary()
"""Grids of one program that nobody uses right now, by timeout."""


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
    rows = [len(row) for row in arguments]
    size = len(rows), rows[0] if rows else 0
    if isinstance(programs, Executable):
        if rows != [size[1]] * size[0]:
            raise ArgumentError("the rows of arguments differ in length")
    elif [len(row) for row in programs] != rows:
        raise ArgumentError("the rows of programs and of arguments differ in number or length")
    kept = environment is None and isinstance(programs, Executable) and programs.acts_on_devices_only
    loaded = _loaded.get(programs, {}).pop(collective_timeout, None) if kept else None
    if loaded is None:
        places = [[programs] * size[1]] * size[0] if isinstance(programs, Executable) else programs
        loaded = _load(places, size, environment or Environment(), collective_timeout)
    tasks = {
        id: (process, _task(program, arguments[id[0]][id[1]])) for id, (process, program) in loaded.programs.items()
    }
    results = loaded.grid.run_bound(tasks)
    if kept:
        _loaded.setdefault(programs, {})[collective_timeout] = loaded
    return [[results[i, j] for j in range(size[1])] for i in range(size[0])]


def _task(program: Executable, values: Sequence[Any]) -> Callable[[Process], Any]:
    return lambda _: program(*values)


def _load(
    rows: Sequence[Sequence[Executable]], size: tuple[int, int], environment: Environment, timeout: float
) -> _Loaded:
    """Programs in the surroundings of their places."""
    for program in (program for row in rows for program in row):
        if program.grid != size:
            raise ArgumentError(
                f"'@{program.signature.entry}' is compiled for {program.grid[0]} replicas and {program.grid[1]}"
                f" partitions, not for {size[0]} and {size[1]}"
            )
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
        _is_list(programs) and all(_is_list(row) and all(isinstance(p, Executable) for p in row) for row in programs)
    ):
        refuse("programs", "an executable, or a list by replica of lists by partition of executables", programs)
    if not _is_list(arguments) or not all(_is_list(row) and all(map(_is_list, row)) for row in arguments):
        refuse("arguments", "a list by replica of lists by partition of lists of arrays", arguments)
    if not isinstance(environment, Environment | None):
        refuse("environment", "an Environment or None", environment)


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
