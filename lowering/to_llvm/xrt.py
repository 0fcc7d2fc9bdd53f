"""`xrt` to `llvm`: parallel loops on the OpenMP runtime the context offers, and calls of registered targets.

A call site stores the context and the captures in a frame on its stack and calls `@xrt.fork`, which
all parallel loops share, with whether they are `long`. A loop has one function of its own, its task: it runs one of
`parts` parts.

```
task(frame, part, parts, thread):  body(captures..., part*n/parts, (part+1)*n/parts, thread)
```

`lowering/llvm_to_text/support_functions.py` holds `@xrt.fork`, which runs the parts on the threads, and what else
generated code calls of its own; it is declared in modules that call it.

The frame starts with the context. A call target is a function pointer in a table of the context; what it gets is
described in `context_layout`. The idea of outlined bodies that fetch captures from a struct is
that of GCC's and Clang's OpenMP lowering.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...decisions.target import CACHE_LINE_BYTES
from ...dialects import xrt
from ...dialects.routines import array_number, count_of_copied
from ...dialects.shared_attributes import i32_array
from ...dialects.stablehlo.tuples import is_result_table
from ...dialects.tile_functions import tile_function
from ...dialects.xrt_names import BATCH, EXCHANGES, FETCH, FORK, PARAMETERS, ROUTINE, SAFEPOINT_CALL, SPACES, SPEND
from . import context_layout as slots
from .arith import Handler
from .builder import ANYWHERE, NO_SIGNED_WRAP, ONE_OPERAND, PREDICATES, FunctionLowering
from .func import function
from .module_tables import CallTarget
from .types import POINTER, VOID, storage

if TYPE_CHECKING:
    from .convert_to_llvm import ModuleLowering

FRAME_ALIGNMENT = 64

_NO_TYPES = FunctionType.from_lists([], [])

_KEEP_IN_ALL_CACHES, _DATA = 3, 1
"""LLVM's locality of what is prefetched, and its kind of cache."""


def parallel(op: xrt.ParallelOp, f: FunctionLowering) -> None:
    assert f.context is not None
    fields = [f.context, *op.operands]
    frame_type = llvm.LLVMStructType.from_type_list([field.type for field in fields])
    frame = f.alloca(frame_type, 1, FRAME_ALIGNMENT)
    for index, field in enumerate(fields):
        f.store(field, f.field_pointer(frame, frame_type, index), storage(field.type).alignment)
    task = f.module.task(op.callee.string_value(), op.trip_count.value.data, frame_type)
    f.call_support(FORK, (frame, f.address_of_symbol(task), f.integer(int(op.long is not None))))


def thread_id(op: xrt.ThreadIdOp, f: FunctionLowering) -> None:
    if f.thread is None and f.name in f.module.called_in_parallel:
        raise f.unsupported(op, "called by a parallel loop, but not told its thread")
    f.replace(op, f.integer(0) if f.thread is None else f.thread)


def call_target(op: xrt.CallTargetOp, f: FunctionLowering) -> None:
    if op.target.data.startswith(ROUTINE):
        _call_routine(op, f, _target(CallTarget(op.target.data, _NO_TYPES, DictionaryAttr({})), f))
        return
    function = _target(CallTarget(op.target.data, op.signature, op.options), f)
    if op.target.data in EXCHANGES:
        closure, results, inputs = function, _pointer_array(f, op.outputs), list(op.inputs)
        if op.callee is not None:
            assert f.context is not None
            inputs += [f.address_of_symbol(op.callee.string_value()), f.context]
        f.call(None, (f.load_slot(closure, 0), closure, results, _pointer_array(f, inputs)))
        return
    is_table = is_result_table(op.signature.outputs.data) or not op.outputs
    out = _pointer_array(f, op.outputs) if is_table else op.outputs[0]
    inputs = _pointer_array(f, op.inputs)
    own = f.module.denormals.enter_callers(f)
    f.call(None, (function, out, inputs))
    f.module.denormals.leave(f, own)


def _call_routine(op: xrt.CallTargetOp, f: FunctionLowering, routine: SSAValue) -> None:
    """A call of a routine of a library, which takes addresses only, for each matrix of a batch: what options of `op`
    say.

    ```
    memcpy(output i, input i)                              for each input that is not only read
    for matrix = 0, 1, ... batch - 1:
      routine(&letter, &number, output j + matrix * step j, input k + matrix * step k, space, ...)
    ```
    """
    options = op.options.data
    batch, spaces = (_number(options[name]) for name in (BATCH, SPACES))
    parameters = cast("ArrayAttr[Attribute]", options[PARAMETERS]).data
    copied = count_of_copied(parameters, len(op.outputs), len(op.inputs))
    places = [*op.outputs, *op.inputs[copied:]]
    sizes = [f.layout(place).size for place in places]
    for output, input, size in zip(op.outputs, op.inputs[:copied], sizes, strict=False):
        f.intrinsic("llvm.memcpy.p0.p0.i64", (output, input, f.integer(size), f.integer(0, i1)))
    arrays = {i: array for i, p in enumerate(parameters) if (array := array_number(p)) is not None}
    in_common = range(len(op.outputs) - spaces, len(op.outputs))
    scalars = {i: _stored(p, f) for i, p in enumerate(parameters) if i not in arrays}

    def call(matrix: SSAValue | None) -> None:
        pointers = [routine]
        for i in range(len(parameters)):
            if (array := arrays.get(i)) is None:
                pointers.append(scalars[i])
            elif matrix is None or array in in_common:
                pointers.append(places[array])
            else:
                step = f.integer(sizes[array] // batch)
                offset = f.emit(llvm.MulOp, (matrix, step), i64, NO_SIGNED_WRAP)
                pointers.append(f.element_pointer(places[array], offset, i8, ANYWHERE))
        f.call(None, pointers)

    if batch == 1:
        call(None)
        return
    body, after = Block(arg_types=[i64]), Block()
    f.insert_blocks(body, after)
    f.append(llvm.BrOp, [f.integer(0)], successors=[body])
    f.start_block(body)
    (matrix,) = body.args
    call(matrix)
    following = f.emit(llvm.AddOp, (matrix, f.integer(1)), i64, NO_SIGNED_WRAP)
    is_more = f.emit(llvm.ICmpOp, (following, f.integer(batch)), i1, PREDICATES["slt"])
    f.append(llvm.CondBrOp, (is_more, following), {"operandSegmentSizes": i32_array(1, 1, 0)}, [body, after])
    f.start_block(after)


def _number(value: Attribute) -> int:
    return cast(IntegerAttr, value).value.data


def _stored(parameter: Attribute, f: FunctionLowering) -> SSAValue:
    """The address of a letter or number."""
    if isinstance(parameter, StringAttr):
        value, type, size = ord(parameter.data), i8, 1
    else:
        value, type, size = _number(parameter), i32, 4
    address = f.alloca(type, 1, size)
    f.store(f.integer(value, type), address, size)
    return address


def _target(target: CallTarget, f: FunctionLowering) -> SSAValue:
    """The pointer in the table of the context."""
    table = f.context_slot(slots.CALL_TARGETS)
    index = f.module.call_targets.setdefault(target, len(f.module.call_targets))
    return f.load_slot(table, index)


def has_failed(op: xrt.HasFailedOp, f: FunctionLowering) -> None:
    flag = f.load(f.context_slot(slots.FAILED), i64, 8)
    f.become(op, llvm.ICmpOp, PREDICATES["ne"], (flag, f.integer(0)))


def safepoint(op: xrt.SafepointOp, f: FunctionLowering) -> None:
    """Counts the work down in a variable of the function: two instructions, but where it asks the runtime, in a block
    of its own; or a call, where there is more work than that takes.
    """
    assert f.context is not None
    asks, goes_on = Block(), Block()
    counter, work = f.work_counter(), f.integer(op.work.value.data)
    if op.work.value.data >= f.module.model.safepoints.called_safepoint_work:
        f.insert_blocks(goes_on)
        (left,) = f.call_support(SPEND, (counter, work, f.context))
    else:
        f.insert_blocks(asks, goes_on)
        left = f.emit(llvm.SubOp, (f.load(counter, i64, 8), work), i64, NO_SIGNED_WRAP)
        f.store(left, counter, 8)
        _branch_if_negative(f, left, asks, goes_on)
        f.start_block(asks)
        function = f.load_slot(f.context_slot(slots.PROCESS), slots.SAFEPOINT)
        (left,) = f.call(None, (function, f.context), (i64,), {SAFEPOINT_CALL: UnitAttr()})
        f.store(left, counter, 8)
    _branch_if_negative(f, left, f.early_return(), goes_on)
    f.start_block(goes_on)


def _branch_if_negative(f: FunctionLowering, value: SSAValue, target: Block, otherwise: Block) -> None:
    condition = f.emit(llvm.ICmpOp, (value, f.integer(0)), i1, PREDICATES["slt"])
    f.append(llvm.CondBrOp, (condition,), ONE_OPERAND, [target, otherwise])


def part(op: xrt.PartOp, f: FunctionLowering) -> None:
    element = f.layout(op.source).storage.type
    f.layout(op.part)
    f.replace(op, f.element_pointer(op.source, op.offset, element))


def _pointer_array(f: FunctionLowering, pointers: Sequence[SSAValue]) -> SSAValue:
    array = f.alloca(POINTER, max(1, len(pointers)), 8)
    for index, pointer in enumerate(pointers):
        f.store(pointer, f.element_pointer(array, f.integer(index), i64), 8)
    return array


def task_function(
    module: ModuleLowering, name: str, body: str, trip_count: int, frame_type: llvm.LLVMStructType
) -> llvm.FuncOp:
    """`(frame, part, parts, thread)`: calls the loop body for one of `parts` parts."""
    block = Block(arg_types=[POINTER, i64, i64, i64])
    f = FunctionLowering(module, name, block)
    frame, part, parts, thread = block.args
    context, *captures = (
        f.load(f.field_pointer(frame, frame_type, index), field, storage(field).alignment)
        for index, field in enumerate(frame_type.types)
    )
    total = f.integer(trip_count)
    next_part = f.emit(llvm.AddOp, (part, f.integer(1)), i64, NO_SIGNED_WRAP)
    bounds: list[SSAValue] = []
    for number in (part, next_part):
        scaled = f.emit(llvm.MulOp, (number, total), i64, NO_SIGNED_WRAP)
        bounds.append(f.emit(llvm.UDivOp, (scaled, parts), i64, {}))
    operands = [*captures, *bounds, thread]
    if body in module.needs_context:
        operands.append(context)
    outer = module.denormals.enter(f)
    f.call(body, operands)
    module.denormals.leave(f, outer)
    f.append(llvm.ReturnOp)
    f.finish()
    return function(name, [POINTER, i64, i64, i64], VOID, Region(block))


SUPPORT: dict[str, tuple[list[Attribute], Attribute]] = {
    FORK: ([POINTER, POINTER, i64], VOID),
    SPEND: ([POINTER, i64, POINTER], i64),
    FETCH: ([POINTER, i64, i64, i64], VOID),
}
"""Argument types and result type of the functions of `lowering/llvm_to_text/support_functions.py`."""


def support_types(name: str) -> tuple[Sequence[Attribute], Attribute]:
    """Argument types and result type of the function that all programs share of that name."""
    tile = tile_function(name)
    if tile is None:
        return SUPPORT[name]
    return [POINTER if type == "ptr" else i64 for type in tile.parameters], VOID


def prefetch(op: xrt.PrefetchOp, f: FunctionLowering) -> None:
    """One instruction for each line, or a call for many lines; nothing for an element of a loop without vectors."""
    if op.element is not None:
        return
    start = f.pointer_to(op.buffer, op.indices, f.layout(op.buffer))
    lines, rows, apart = (
        default if number is None else number.value.data
        for number, default in ((op.lines, 1), (op.rows, 1), (op.apart, 0))
    )
    apart *= f.layout(op.buffer).storage.size
    if lines * rows > f.module.model.copies.most_inline_fetches and op.write is None:
        f.call_support(FETCH, (start, *map(f.integer, (lines, rows, apart))))
        return
    hints = [f.integer(hint, i32) for hint in (int(op.write is not None), _KEEP_IN_ALL_CACHES, _DATA)]
    for offset in [row * apart + line * CACHE_LINE_BYTES for row in range(rows) for line in range(lines)]:
        pointer = f.element_pointer(start, f.integer(offset), i8, ANYWHERE) if offset else start
        f.intrinsic("llvm.prefetch.p0", (pointer, *hints))


def tile(op: xrt.TileOp, f: FunctionLowering) -> None:
    """A call of the function for such tiles."""
    pointers = [
        f.pointer_to(buffer, [index], f.layout(buffer))
        for buffer, index in ((op.lhs, op.lhs_index), (op.rhs, op.rhs_index), (op.out, op.out_index))
    ]
    numbers = [op.lhs_row.value.data, op.out_row.value.data]
    for loop in zip(op.trips.get_values(), op.lhs_steps.get_values(), op.rhs_steps.get_values(), strict=True):
        numbers += loop
    operands = [*pointers, *map(f.integer, numbers)]
    if op.ahead is not None and op.ahead_steps is not None:
        operands.append(f.pointer_to(op.lhs, [op.ahead], f.layout(op.lhs)))
        operands += map(f.integer, op.ahead_steps.get_values())
    f.call_support(op.function(f.layout(op.out).storage.type).name, operands)


HANDLERS: dict[type[Operation], Handler] = {
    xrt.CallTargetOp: call_target,
    xrt.HasFailedOp: has_failed,
    xrt.ParallelOp: parallel,
    xrt.PartOp: part,
    xrt.PrefetchOp: prefetch,
    xrt.SafepointOp: safepoint,
    xrt.ThreadIdOp: thread_id,
    xrt.TileOp: tile,
}
