"""`chlo.scan` as a `while` over the indices of its dimension."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import chlo, stablehlo
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
    initial = [emitter.splat(_INDEX, 0), *outputs, *op.inits]
    loop = stablehlo.WhileOp.create(
        operands=initial,
        result_types=[value.type for value in initial],
        regions=(_condition(initial, size), _body(op, initial, size)),
        location=op.location,
    )
    emitter.insert(loop)
    return list(loop.results[1:])


def _block(state: Sequence[SSAValue]) -> tuple[Block, stablehlo.ReturnOp, Emitter]:
    """A block that takes the state, its terminator, still without operands, and what emits in front of that."""
    end = stablehlo.ReturnOp.create()
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
    is_reverse = op.is_reverse is not None and bool(op.is_reverse.value.data)
    place = (size - 1) - step if is_reverse else step

    def starts(rank: int) -> list[SSAValue]:
        zero = emitter.splat(_INDEX, 0)
        return [place.value if i == dim else zero for i in range(rank)]

    old = op.body.block
    slices = [_slice(emitter, value, starts(len(shape_of(value))), dim) for value in op.inputs]
    for argument, value in zip(old.args, (*slices, *carries), strict=True):
        argument.replace_all_uses_with(value)
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
    properties: dict[str, Attribute] = {"slice_sizes": DenseArrayBase.from_list(i64, sizes)}
    slice = emitter.emit(stablehlo.DynamicSliceOp, (value, *starts), type, properties)
    del sizes[dim]
    return emitter.emit(stablehlo.ReshapeOp, (slice,), TensorType(type.element_type, sizes))


def _update(emitter: Emitter, output: SSAValue, value: SSAValue, starts: Sequence[SSAValue], dim: int) -> SSAValue:
    sizes = list(shape_of(output))
    sizes[dim] = 1
    slice = emitter.emit(stablehlo.ReshapeOp, (value,), TensorType(element_type_of(output), sizes))
    return emitter.emit(stablehlo.DynamicUpdateSliceOp, (output, slice, *starts), output.type)
