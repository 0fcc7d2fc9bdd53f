"""Who has which part of the arena when: buffers against the order of the program.

Read off what `memref-assign-arena` leaves: views of the entry's last argument at constant offsets.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple, cast

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects import xrt
from ...dialects.editing import walk
from ...dialects.element_sizes import element_bytes
from ...dialects.xrt_names import ENTRY
from ...ir import structured
from ...passes.loops.memref_assign_arena import live_range

_STEPS = (func.CallOp, xrt.CallTargetOp, memref.CopyOp)


class Step(NamedTuple):
    """A call of the program, or a copy."""

    label: str
    line: int


class Buffer(NamedTuple):
    """A part of the arena."""

    name: str
    type: str
    offset: int
    bytes: int
    first: int
    """The number of the first step that it is held for."""
    last: int
    line: int


class MemoryPlan(NamedTuple):
    """The arena of a program; sizes are bytes."""

    arena_bytes: int
    steps: list[Step]
    buffers: list[Buffer]
    inputs: list[tuple[str, int]]
    """Arguments and results of the entry, with the memory that callers give for them."""


def memory_plan(module: ModuleOp, line_of: Mapping[Operation, int], names: Mapping[SSAValue, str]) -> MemoryPlan | None:
    """The plan of the entry of `module`; None where there is no entry or it needs no arena."""
    entry = next((op for op in module.ops if isinstance(op, func.FuncOp) and ENTRY in op.attributes), None)
    if entry is None or not entry.body.blocks or not (arguments := entry.body.blocks[0].args):
        return None
    arena = arguments[-1]
    if arena.name_hint != "arena" or not isinstance(arena.type, MemRefType):
        return None
    ops = list(walk(entry))
    numbers = {op: number for number, op in enumerate(ops)}
    steps = [op for op in ops if isinstance(op, _STEPS)]
    steps_before = [0] * (len(ops) + 1)
    """By number of an op how many steps there are in front of it."""
    for number, op in enumerate(ops):
        steps_before[number + 1] = steps_before[number] + isinstance(op, _STEPS)
    buffers: list[Buffer] = []
    for op in ops:
        if not isinstance(op, memref.ViewOp) or op.source is not arena or (offset := _constant(op.byte_shift)) is None:
            continue
        live = live_range(op.results[0], numbers[op], numbers)
        first = steps_before[live.start]
        last = max(first, steps_before[live.end + 1] - 1)
        name, type = names.get(op.results[0], "?"), op.results[0].type
        buffers.append(Buffer(f"%{name}", str(type), offset, live.size, first, last, line_of[op]))
    inputs = [(f"%{names.get(argument, '?')}", _bytes(argument)) for argument in arguments[:-1]]
    return MemoryPlan(_bytes(arena), [Step(_label(op), line_of[op]) for op in steps], buffers, inputs)


def _label(op: Operation) -> str:
    if isinstance(op, func.CallOp):
        return op.callee.string_value()
    return op.target.data if isinstance(op, xrt.CallTargetOp) else op.name


def _bytes(value: SSAValue) -> int:
    if not isinstance(value.type, MemRefType):
        return 0
    return prod(structured.shape_of(value)) * element_bytes(structured.element_type(value))


def _constant(value: SSAValue) -> int | None:
    owner = value.owner
    if not isinstance(owner, arith.ConstantOp) or not isinstance(owner.value, IntegerAttr):
        return None
    return cast("IntegerAttr[Any]", owner.value).value.data
