"""`chlo.scan` as a `while` over the indices of its dimension; cumulative sums and the like as a `reduce_window`.

A scan is cumulative if it is marked as associative and its body is one op on element and carry whose result is both
output and carry: then the windows from the first element up to each one are reduced, and combined with the initial
carry. For that there is a fast way down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    TensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import chlo, stablehlo
from ...dialects.dense import Number, integer_type, is_unsigned
from ...dialects.editing import new_op, replace_uses
from ...dialects.shared_attributes import i64_array
from ...dialects.stablehlo.attributes import ComparisonDirection
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from .expression import Emitter, Expression
from .ragged_dot import zero_of

_INDEX = TensorType(i64, ())


def scan(op: Operation, emitter: Emitter) -> list[SSAValue]:
    """The state of the loop: the index, the outputs, which each step writes one slice of, and the carries."""
    assert isinstance(op, chlo.ScanOp)
    dim = op.dimension.value.data
    size = shape_of((*op.inputs, *op.outputs)[0])[dim]
    outputs = [
        emitter.splat(TensorType(element, shape_of(output)), zero_of(element))
        for output in op.outputs
        for element in (element_type_of(output),)
    ]
    if size == 0:
        return [*outputs, *op.inits]
    if (combine := _cumulative(op)) is not None:
        return _reduced(op, combine, emitter, size)
    initial = [emitter.splat(_INDEX, 0), *outputs, *op.inits]
    loop = new_op(
        stablehlo.WhileOp,
        operands=initial,
        result_types=[value.type for value in initial],
        regions=(_condition(initial, size), _body(op, initial, size)),
        location=op.location,
    )
    emitter.insert(loop)
    return list(loop.results[1:])


def _is_reverse(op: chlo.ScanOp) -> bool:
    return op.is_reverse is not None and bool(op.is_reverse.value.data)


def _block(state: Sequence[SSAValue]) -> tuple[Block, stablehlo.ReturnOp, Emitter]:
    """A block that takes the state, its terminator, still without operands, and what emits in front of that."""
    end = new_op(stablehlo.ReturnOp)
    block = Block((end,), arg_types=[value.type for value in state])
    return block, end, Emitter(end)


def _condition(state: Sequence[SSAValue], size: int) -> Region:
    block, end, emitter = _block(state)
    index = Expression(emitter, block.args[0])
    end.operands = (index.compare(ComparisonDirection.LT, size).value,)
    assert end.operands[0].type == TensorType(i1, ())
    return Region(block)


def _body(op: chlo.ScanOp, state: Sequence[SSAValue], size: int) -> Region:
    """The ops of the body of the scan, between slices of the inputs and updates of the outputs."""
    dim = op.dimension.value.data
    block, end, emitter = _block(state)
    index, *values = block.args
    count = len(op.outputs)
    outputs, carries = values[:count], values[count:]
    step = Expression(emitter, index)
    place = (size - 1) - step if _is_reverse(op) else step

    def starts(rank: int) -> list[SSAValue]:
        zero = emitter.splat(_INDEX, 0)
        return [place.value if i == dim else zero for i in range(rank)]

    old = op.body.block
    slices = [_slice(emitter, value, starts(len(shape_of(value))), dim) for value in op.inputs]
    for argument, value in zip(old.args, (*slices, *carries), strict=True):
        replace_uses(argument, value)
    *moved, terminator = old.ops
    for nested in moved:
        nested.detach()
        emitter.insert(nested)
    results = terminator.operands
    updated = [
        _update(emitter, output, result, starts(len(shape_of(output))), dim)
        for output, result in zip(outputs, results[:count], strict=True)
    ]
    end.operands = ((step + 1).value, *updated, *results[count:])
    return Region(block)


def _slice(emitter: Emitter, value: SSAValue, starts: Sequence[SSAValue], dim: int) -> SSAValue:
    """The slice of `value` at one index of `dim`, without that dimension."""
    sizes = list(shape_of(value))
    sizes[dim] = 1
    type = TensorType(element_type_of(value), sizes)
    properties: dict[str, Attribute] = {"slice_sizes": i64_array(*sizes)}
    slice = emitter.emit(stablehlo.DynamicSliceOp, (value, *starts), type, properties)
    del sizes[dim]
    return emitter.emit(stablehlo.ReshapeOp, (slice,), TensorType(type.element_type, sizes))


def _update(emitter: Emitter, output: SSAValue, value: SSAValue, starts: Sequence[SSAValue], dim: int) -> SSAValue:
    sizes = list(shape_of(output))
    sizes[dim] = 1
    slice = emitter.emit(stablehlo.ReshapeOp, (value,), TensorType(element_type_of(output), sizes))
    return emitter.emit(stablehlo.DynamicUpdateSliceOp, (output, slice, *starts), output.type)


_ORDERED: dict[type[Operation], bool] = {stablehlo.MaxOp: False, stablehlo.MinOp: True}
"""Ops whose neutral element is the least or the greatest number."""
_NEUTRAL: dict[type[Operation], int] = {
    stablehlo.AddOp: 0,
    stablehlo.AndOp: -1,
    stablehlo.MulOp: 1,
    stablehlo.OrOp: 0,
    stablehlo.XorOp: 0,
}


def _cumulative(op: chlo.ScanOp) -> type[Operation] | None:
    """The op that a cumulative scan repeats."""
    if op.is_associative is None or not op.is_associative.value.data:
        return None
    block = op.body.block
    combine, *others = block.ops
    if not len(op.inputs) == len(op.inits) == len(op.outputs) == len(others) == 1:
        return None
    if set(combine.operands) != set(block.args) or set(others[0].operands) != set(combine.results):
        return None
    return type(combine) if _neutral(type(combine), element_type_of(op.inits[0])) is not None else None


def _neutral(combine: type[Operation], element_type: Attribute) -> Number | None:
    """What `combine` leaves other numbers as they are with, if it is known."""
    is_float = isinstance(element_type, Float16Type | BFloat16Type | Float32Type | Float64Type)
    if combine in _ORDERED:
        is_greatest = _ORDERED[combine]
        if is_float:
            return math.inf if is_greatest else -math.inf
        if (integers := integer_type(element_type)) is None:
            return None
        bits = integers.width.data
        unsigned = is_unsigned(integers) or element_type == i1
        least = 0 if unsigned else -(1 << (bits - 1))
        return least + (1 << bits) - 1 if is_greatest else least
    number = _NEUTRAL.get(combine)
    if number is None or not (is_float or integer_type(element_type) is not None):
        return None
    return -0.0 if is_float and number == 0 else number


def _reduced(op: chlo.ScanOp, combine: type[Operation], emitter: Emitter, size: int) -> list[SSAValue]:
    dim = op.dimension.value.data
    (value,), (init,) = op.inputs, op.inits
    shape, element_type = shape_of(value), element_type_of(value)
    scalar, type = TensorType(element_type, ()), TensorType(element_type, shape)
    is_reverse = _is_reverse(op)
    window, padding = [1] * len(shape), [0] * (2 * len(shape))
    window[dim] = size
    padding[2 * dim + is_reverse] = size - 1
    block = Block(arg_types=(scalar, scalar))
    step = new_op(combine, operands=block.args, result_types=(scalar,))
    block.add_ops((step, new_op(stablehlo.ReturnOp, operands=step.results)))
    neutral = _neutral(combine, element_type)
    assert neutral is not None
    windows = new_op(
        stablehlo.ReduceWindowOp,
        operands=(value, emitter.splat(scalar, neutral)),
        result_types=(type,),
        properties={
            "window_dimensions": i64_array(*window),
            "padding": DenseIntOrFPElementsAttr.from_list(TensorType(i64, (len(shape), 2)), padding),
        },
        regions=(Region(block),),
        location=op.location,
    )
    emitter.insert(windows)
    others = [i for i in range(len(shape)) if i != dim]
    first = Expression(emitter, init).broadcast(shape, others)
    output = emitter.emit(combine, (first.value, windows.results[0]), type)
    starts, limits = [0] * len(shape), list(shape)
    starts[dim], limits[dim] = (0, 1) if is_reverse else (size - 1, size)
    properties: dict[str, Attribute] = {
        "start_indices": i64_array(*starts),
        "limit_indices": i64_array(*limits),
        "strides": i64_array(*([1] * len(shape))),
    }
    sizes = [limit - start for start, limit in zip(starts, limits, strict=True)]
    last = emitter.emit(stablehlo.SliceOp, (output,), TensorType(element_type, sizes), properties)
    return [output, emitter.emit(stablehlo.ReshapeOp, (last,), init.type)]
