"""Which results of kernels are stored past the caches: what schedules say of it, and what is decided.

A store to a line that is in no cache reads the line from memory first, and puts another one out of the cache. Where a
result of the program is about as large as the last cache, nothing of it would be found there anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Attribute, BlockArgument, SSAValue

from ..decisions.model import CostModel
from ..dialects.editing import walk
from ..dialects.element_sizes import element_bytes
from ..dialects.schedule import KernelAttr
from ..dialects.schedule.tree import Compute, Digit, Stream, Tree
from ..dialects.shared_attributes import i64_array
from ..dialects.xrt_attributes import number_of
from ..dialects.xrt_names import ENTRY, KERNEL, NUM_INPUTS, NUM_OUTPUTS, SCHEDULE, STREAMED
from ..ir.schedule_errors import ScheduleError, refuse
from ..ir.structured import number_of_inputs
from ..ir.views import VIEWS, buffer_of
from .linalg_to_affine.derived_ops import output_name
from .linalg_to_affine.kernel_ops import names_of, structured_ops


def outputs_of(function: func.FuncOp) -> dict[str, SSAValue]:
    """The buffers that the structured ops of a kernel write, by what schedules call them."""
    ops = cast("list[GenericOp | FillOp]", structured_ops(function) or [])
    return {
        output_name(name, at): buffer_of(output)
        for name, op in zip(names_of([*ops]), ops, strict=True)
        for at, output in enumerate(op.operands[number_of_inputs(op) :])
    }


def check_streams(tree: Tree, function: func.FuncOp) -> None:
    """Raises `ScheduleError` where a schedule streams what is no result of its kernel, or is read in it."""
    for node, loops in tree.walk():
        if isinstance(node, Stream) and loops:
            refuse(node, "it stands outside of all loops")
    _streamed(tree, function)


def _streamed(tree: Tree, function: func.FuncOp) -> list[int]:
    """The numbers of the arguments that are streamed."""
    streams = tree.streams
    if not streams:
        return []
    outputs, found = outputs_of(function), list[int]()
    read = set[SSAValue]() if tree.checked else _read_in(function)
    if not outputs:
        refuse(streams[0], "what is written line by line is not stored by vectors of whole cache lines")
    for node in streams:
        buffer = outputs.get(node.output)
        if buffer is None:
            refuse(node, f"the kernel has no '{node.output}'; it has {', '.join(outputs)}")
        if not isinstance(buffer, BlockArgument):
            refuse(node, "only what the caller gets is stored past the caches")
        if buffer in read:
            refuse(node, "the kernel reads it")
        if buffer.index in found:
            refuse(node, "it is streamed already")
        found.append(buffer.index)
    return sorted(found)


def _read_in(function: func.FuncOp) -> set[SSAValue]:
    """The buffers that ops of a kernel read, other than as what their sums start from."""
    found = set[SSAValue]()
    for op in walk(function.body):
        if type(op) not in VIEWS:
            inputs = number_of_inputs(op) if type(op) is GenericOp or type(op) is FillOp else len(op.operands)
            found.update(map(buffer_of, op.operands[:inputs]))
    return found


def decided_streams(
    tree: Tree, function: func.FuncOp, calls: Sequence[func.CallOp], model: CostModel
) -> tuple[Stream, ...]:
    """What a schedule that was decided streams: large results of the program that nobody reads, in every call. Not
    what is done from one end to the other, as a copy, nor tiles of sums: the caches take these faster.
    """
    if KERNEL not in function.attributes or not calls or tree.is_tiled:
        return ()
    numbers = [
        number
        for number, type in enumerate(function.function_type.inputs)
        if isinstance(type, MemRefType)
        and isinstance(cast("MemRefType[Attribute]", type).layout, NoneAttr)
        and all(_is_large_result(call.operands[number], model) for call in calls)
    ]
    if not numbers:
        return ()
    computed = [node for node, _ in tree.walk() if isinstance(node, Compute)]
    merged = {node.op for node in computed for index in node.at for digit in index.digits if _is_divided(digit)}
    read, names = _read_in(function), dict[SSAValue, str]()
    for name, buffer in outputs_of(function).items():
        if name.partition(".")[0] not in merged:
            names[buffer] = name
    arguments = [function.body.block.args[number] for number in numbers]
    return tuple(Stream(names[each]) for each in arguments if each in names and each not in read)


def _is_divided(digit: Digit) -> bool:
    """Whether it is a quotient or a remainder of the variable of a loop: one that was made of several."""
    return digit.divisor != 1 or digit.modulus != 0


def _is_large_result(value: SSAValue, model: CostModel) -> bool:
    """Whether `value` is a large result of the program that one op uses."""
    if not isinstance(value, BlockArgument) or not isinstance(entry := value.block.parent_op(), func.FuncOp):
        return False
    is_private = entry.sym_visibility is not None and entry.sym_visibility.data == "private"
    if ENTRY not in entry.attributes or is_private or not value.has_one_use():
        return False
    inputs, outputs = (number_of(entry, name) or 0 for name in (NUM_INPUTS, NUM_OUTPUTS))
    type = cast("MemRefType[Attribute]", value.type)
    size = prod(type.get_shape()) * element_bytes(type.element_type)
    return inputs <= value.index < inputs + outputs and model.copies.worth_streaming(size, model.target.l3_bytes)


def calls_in(functions: Sequence[func.FuncOp]) -> dict[str, list[func.CallOp]]:
    """The calls of each kernel, by its symbol."""
    calls: dict[str, list[func.CallOp]] = {}
    for function in functions:
        if KERNEL not in function.attributes:
            for op in walk(function.body):
                if isinstance(op, func.CallOp):
                    calls.setdefault(op.callee.string_value(), []).append(op)
    return calls


def take_schedule(function: func.FuncOp) -> Tree | None:
    """Takes the schedule of a kernel to obey it; what it streams is noted for `loops-stream-results`."""
    found = function.attributes.pop(SCHEDULE, None)
    if not isinstance(found, KernelAttr):
        return None
    try:
        numbers = _streamed(found.data, function)
    except ScheduleError as error:
        raise ScheduleError(f"@{function.sym_name.data}: {error.message}", location=error.location) from None
    if numbers:
        function.attributes[STREAMED] = i64_array(*numbers)
    return found.data.streaming(())
