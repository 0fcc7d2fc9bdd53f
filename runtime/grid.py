"""A grid of compiled programs, replicas by partitions, side by side in this process.

Each program runs on a thread of its own and meets the others in its collectives, sends and receives, which the runtime
carries out as the reference says (`reference/processes.py`): one program at a time runs until it has to wait, so
results do not depend on timing, and programs that wait for each other are an error that says who waits for what. The
parallel loops of each program use all threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeGuard

from ..errors import ArgumentError
from ..reference.environment import Environment
from ..reference.processes import Process
from ..tracebacks import short_tracebacks
from .devices.device_grid import DeviceGrid
from .executable import Executable
from .options import refuse

Rows = Sequence[Sequence[Sequence[Any]]]
"""The arguments of each program, by replica and partition."""


@short_tracebacks
def run_grid(
    programs: Executable | Sequence[Sequence[Executable]], arguments: Rows, environment: Environment | None = None
) -> list[list[tuple[Any, ...]]]:
    """The results of program `programs[i][j]` on `arguments[i][j]` as partition j of replica i.

    One executable stands for a grid of it. Each must be compiled for this grid: `compile(..., replicas=, partitions=)`.
    All share the host (queues, channels) and the seed of `environment`. Raises the first error of a program,
    `InvalidProgramError` if programs wait for each other, and `ArgumentError` for a grid they are not compiled for.
    """
    _check(programs, arguments, environment)
    surroundings = environment or Environment()
    grid = DeviceGrid(len(arguments), len(arguments[0]) if arguments else 0)
    rows = [[programs] * grid.partitions] * grid.replicas if isinstance(programs, Executable) else programs
    if [len(row) for row in rows] != [len(row) for row in arguments]:
        raise ArgumentError("the rows of programs and of arguments differ in number or length")

    def task(program: Executable, values: Sequence[Any]) -> Callable[[Process], Any]:
        size = program.grid
        if size != (grid.replicas, grid.partitions):
            raise ArgumentError(
                f"'@{program.signature.entry}' is compiled for {size[0]} replicas and {size[1]} partitions, "
                f"not for {grid.replicas} and {grid.partitions}"
            )
        return lambda process: program.with_environment(surroundings.of_process(process))(*values)

    tasks = {(i, j): task(program, arguments[i][j]) for i, row in enumerate(rows) for j, program in enumerate(row)}
    results = grid.run(tasks)
    return [[results[i, j] for j in range(grid.partitions)] for i in range(grid.replicas)]


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
