"""Calls of programs that machine code leaves to Python: on several devices, with what they call, with tokens, and where
arguments that are given away are in use.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...runtime.executable import Executable
from ...runtime.run_state import conclude
from .buffers import acquire, array_in_order, buffer_of, dropping_array_of, order_of, token_buffer
from .c_api import STRUCTS
from .calls import Code, PjrtError, implements
from .events import READY
from .executables import Program
from .forgetting import forget_dead
from .machine import machine
from .machine_code.layout import USE
from .objects import live
from .run_log import log, now
from .stubs import STOPPED


@lru_cache(1 << 10)
def _vector_of(count: int) -> Any:
    return ctypes.c_size_t * count


def _addresses(address: int, count: int) -> Any:
    return _vector_of(count).from_address(address) if count else ()


class _Arguments:
    """The buffers of one device, which are in use until they are dropped."""

    def __init__(self, buffers: Sequence[int]) -> None:
        self.buffers = buffers
        self._used: list[int] = []

    def arrays(self, program: Program, kept: Collection[int]) -> list[np.ndarray]:
        """One that the program may overwrite and somebody else uses is copied."""
        for number, buffer in enumerate(self.buffers):
            acquire(buffer, f"argument {number} has been deleted or donated")
            self._used.append(buffer)
        orders = [slot.order for slot in program.whole_inputs]
        arrays = [array_in_order(buffer, order) for buffer, order in zip(self.buffers, orders, strict=True)]
        for number in program.given_away.difference(kept):
            if list(self.buffers).count(self.buffers[number]) > 1:
                problem = f"Attempt to donate the same buffer twice in Execute() (flattened argument {number})"
                raise PjrtError(Code.INVALID_ARGUMENT, problem)
        for number in program.overwritten:
            buffer = self.buffers[number]
            if number in kept or order_of(buffer) != orders[number] or not machine.donate(buffer):
                arrays[number] = np.array(arrays[number])
            else:
                self._used.remove(buffer)
                arrays[number] = dropping_array_of(buffer)
        return arrays

    def drop(self) -> None:
        """Let go of all."""
        while self._used:
            machine.drop(self._used.pop(), USE)


def _give_results(program: Program, values: Sequence[Any], device: int, address: int) -> None:
    places = _addresses(address, len(program.outputs))
    for number, (value, slot) in enumerate(zip(values, program.outputs, strict=True)):
        is_token = slot.dtype is None
        places[number] = token_buffer(device) if is_token else buffer_of(value, device, slot.kind, slot.order)


def _kept_arguments(arguments: Any) -> Collection[int]:
    """The numbers of arguments that the client goes on to use, whatever the program says."""
    options: Any = STRUCTS["ExecuteOptions"].from_address(arguments.options)
    return set(_addresses(options.non_donatable_input_indices, options.num_non_donatable_input_indices))


def _run_on_devices(program: Program, rows: Sequence[Sequence[np.ndarray]]) -> list[Sequence[Any]]:
    """The results of each device of this process."""
    executable = program.executable
    if program.ranks is not None:
        from .jobs import run_in_job

        return run_in_job(program.local, [program.arguments(row) for row in rows], program.ranks)
    if not isinstance(executable, Executable):
        return list(executable.run_sharded([list(program.arguments(row)) for row in rows]))
    from ...runtime.grid import run_grid

    table = [[tuple(program.arguments(row))] for row in rows]
    return [row[0] for row in run_grid(executable, table)]


@implements("LoadedExecutable_Execute")
def execute(arguments: Any) -> None:
    """Run a program. It is over when the call returns. One that other processes run is none of ours."""
    forget_dead()
    if not arguments.num_devices:
        return
    program: Program = live[arguments.executable].program
    count, inputs = arguments.num_devices, arguments.num_args
    kept = _kept_arguments(arguments) if program.given_away else ()
    lists = _addresses(arguments.argument_lists, count) if inputs else [0] * count
    rows = [_Arguments(list(_addresses(each, inputs))) for each in lists]
    try:
        tables = [row.arrays(program, kept) for row in rows]
        _run(program, tables, arguments)
        for row in rows:
            for number in program.given_away.difference(kept):
                machine.delete(row.buffers[number])
    finally:
        for row in rows:
            row.drop()
    if arguments.device_complete_events:
        _addresses(arguments.device_complete_events, count)[:] = [READY] * count


def _run(program: Program, tables: list[list[np.ndarray]], arguments: Any) -> None:
    devices, start = program.devices, now()
    if len(tables) == 1 and program.ranks is None:
        results: Sequence[Sequence[Any]] = [program.executable(*program.arguments(tables[0]))]
        if arguments.execute_device:
            devices = [live[arguments.execute_device].number]
    else:
        results = _run_on_devices(program, tables)
    log.note(program.source, devices, start)
    outputs = _addresses(arguments.output_lists, len(tables))
    for number, values in enumerate(results):
        _give_results(program, values, devices[number], outputs[number])


@implements(STOPPED)
def stopped(run: Any) -> None:
    """Raise what has stopped a program."""
    conclude(run.words)
