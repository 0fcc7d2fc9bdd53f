"""Calls of programs: the arrays of buffers in, new buffers out."""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...runtime.grid import run_grid
from ...runtime.sharding.executable import ShardedExecutable
from .buffers import Buffer, template, token_buffer
from .c_api import STRUCTS
from .calls import Code, PjrtError, implements
from .events import READY
from .executables import Program
from .forgetting import forget_dead
from .objects import live

_size_at = ctypes.c_size_t.from_address


@lru_cache(1 << 10)
def _vector_of(count: int) -> Any:
    return ctypes.c_size_t * count


def _addresses(address: int, count: int) -> Any:
    return _vector_of(count).from_address(address) if count else ()


def _arrays(program: Program, buffers: Sequence[Buffer], kept: Collection[int]) -> list[np.ndarray]:
    """The arrays of the arguments; one that the program may overwrite and somebody still uses is copied."""
    arrays: list[np.ndarray] = []
    for number, buffer in enumerate(buffers):
        array = buffer.array
        if array is None:
            raise PjrtError(Code.INVALID_ARGUMENT, f"argument {number} has been deleted or donated")
        arrays.append(array)
    for number in program.given_away.difference(kept):
        if sum(buffer is buffers[number] for buffer in buffers) > 1:
            problem = f"Attempt to donate the same buffer twice in Execute() (flattened argument {number})"
            raise PjrtError(Code.INVALID_ARGUMENT, problem)
    for number in program.overwritten:
        if number in kept or buffers[number].is_shared:
            arrays[number] = np.array(arrays[number])
    return arrays


def _give_results(program: Program, values: Sequence[Any], device: int, address: int) -> None:
    places = _addresses(address, len(program.outputs))
    for number, (value, slot) in enumerate(zip(values, program.outputs, strict=True)):
        if slot.dtype is None:
            places[number] = token_buffer(device).address
        else:
            places[number] = Buffer(value, template(slot.type, slot.shape, slot.itemsize, device), device).address


def _kept_arguments(arguments: Any) -> Collection[int]:
    """The numbers of arguments that the client goes on to use, whatever the program says."""
    options: Any = STRUCTS["ExecuteOptions"].from_address(arguments.options)
    return set(_addresses(options.non_donatable_input_indices, options.num_non_donatable_input_indices))


def _run_on_devices(program: Program, rows: Sequence[Sequence[np.ndarray]]) -> list[Sequence[Any]]:
    """The results of each device."""
    executable = program.executable
    if isinstance(executable, ShardedExecutable):
        return list(executable.run_sharded([list(row) for row in rows]))
    table = [[tuple(program.arguments(row))] for row in rows]
    return [row[0] for row in run_grid(executable, table)]


def _run_plain(program: Program, arguments: Any) -> None:
    """A program on one device that takes and gives tensors, and donates none: most calls."""
    addresses = _addresses(_size_at(arguments.argument_lists).value, arguments.num_args)
    arrays = [live[address].array for address in addresses]
    if any(array is None for array in arrays):
        _arrays(program, [live[address] for address in addresses], ())  # says which
    device = live[arguments.execute_device].number if arguments.execute_device else program.devices[0]
    results = program.executable(*arrays)
    templates = program.templates.get(device)
    if templates is None:
        templates = [template(slot.type, slot.shape, slot.itemsize, device) for slot in program.outputs]
        program.templates[device] = templates
    places = _addresses(_size_at(arguments.output_lists).value, len(results))
    for number, (value, start) in enumerate(zip(results, templates, strict=True)):
        places[number] = Buffer(value, start, device).address
    if arguments.device_complete_events:
        _size_at(arguments.device_complete_events).value = READY


@implements("LoadedExecutable_Execute")
def execute(arguments: Any) -> None:
    """Run a program. It is over when the call returns."""
    forget_dead()
    program: Program = live[arguments.executable].program
    if program.is_plain and arguments.num_devices == 1:
        _run_plain(program, arguments)
        return
    count, inputs = arguments.num_devices, arguments.num_args
    kept = _kept_arguments(arguments) if program.given_away else ()
    rows = [
        [live[address] for address in _addresses(lists, inputs)] if inputs else []
        for lists in _addresses(arguments.argument_lists, count)
    ]
    tables = [_arrays(program, row, kept) for row in rows]
    if count == 1:
        results: Sequence[Sequence[Any]] = [program.executable(*program.arguments(tables[0]))]
        devices = [live[arguments.execute_device].number] if arguments.execute_device else program.devices
    else:
        results, devices = _run_on_devices(program, tables), program.devices
    outputs = _addresses(arguments.output_lists, count)
    for number, values in enumerate(results):
        _give_results(program, values, devices[number], outputs[number])
    for row in rows:
        for argument in program.given_away.difference(kept):
            row[argument].delete()
    if arguments.device_complete_events:
        _addresses(arguments.device_complete_events, count)[:] = [READY] * count
