"""`sort`: a `linalg_ext.sort`. How lines are sorted is decided when all ops are known (`lowering/lines/sorts.py`).

Where little of the result is read, only that is wanted; an operand that counts the elements of a line is not read then.
Large operands are transposed to be sorted along another dimension than their last.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.ir import Attribute, Block, SSAValue

from ...dialects import linalg_ext, stablehlo
from ...dialects.editing import new_block, new_region
from ...dialects.element_sizes import element_bytes
from ...dialects.shared_attributes import i32_array, i64_attribute, tensor_type
from ...dialects.stablehlo.shapes import shape_of
from ..lines.sort_keys import sort_key
from .arithmetic import Number
from .attributes import element_of, signless
from .builder import Lowered, Lowering
from .indices import counts_along
from .regions import inline


def lower_sort(ctx: Lowering, op: stablehlo.SortOp) -> Sequence[Lowered]:
    """The sort of what is wanted. Results end with the last element that is read, if little is."""
    shape = shape_of(op.inputs[0])
    assert op.dimension is not None
    dim = op.dimension.value.data % len(shape) if shape else 0
    if not shape or shape[dim] < 2 or 0 in shape:
        return [ctx.lowered(value) for value in op.inputs]
    comparator = _comparator(ctx, op)
    read, model = _elements_read(op, dim), ctx.model.sorting
    key = sort_key(comparator)
    operands = [ctx.tensor(value) for value in op.inputs]
    if key is not None and model.worth_selecting(read, shape[dim], model.digits(key.bits)):
        counts = [number for number, value in enumerate(op.inputs) if counts_along(value, dim)]
        counts = counts[len(counts) == len(operands) :]  # what it is about is an operand
        inputs = [operand for number, operand in enumerate(operands) if number not in counts]
        types = [_resized(operand.type, dim, read) for operand in operands]
        return _sort(ctx, inputs, types, dim, comparator, counts)
    by_network = key is not None and model.worth_a_network(shape[dim], read)
    places = list(range(len(shape))) if by_network else _places_of_dims(ctx, op, shape, dim)
    order = sorted(range(len(shape)), key=places.__getitem__)
    inputs = [ctx.transposed(operand, order) for operand in operands]
    results = _sort(ctx, inputs, [value.type for value in inputs], places[dim], comparator, ())
    return [ctx.transposed(result, places) for result in results]


def _comparator(ctx: Lowering, op: stablehlo.SortOp) -> Block:
    block = new_block([signless(element_of(value)) for value in op.inputs for _ in range(2)])
    with ctx.into(block):
        types = [element_of(value) for value in op.inputs for _ in range(2)]
        arguments = [Number(ctx, argument, type) for argument, type in zip(block.args, types, strict=True)]
        (less,) = inline(ctx, op.comparator, arguments)
        ctx.emit(linalg_ext.YieldOp, (less.value,))
    return block


def _elements_read(op: stablehlo.SortOp, dim: int) -> int:
    """How many elements of each line, counted from the first, slices read of the results of `op`; all, if others do."""
    read = 0
    for result in op.results:
        for use in result.uses:
            if not isinstance(use.operation, stablehlo.SliceOp):
                return shape_of(result)[dim]
            read = max(read, use.operation.limit_indices.get_values()[dim])
    return read


def _resized(type: Attribute, dim: int, count: int) -> TensorType[Attribute]:
    shaped = cast("TensorType[Attribute]", type)
    shape = shaped.get_shape()
    return tensor_type(shaped.element_type, *shape[:dim], count, *shape[dim + 1 :])


def _places_of_dims(ctx: Lowering, op: stablehlo.SortOp, shape: Sequence[int], dim: int) -> list[int]:
    """Where each dimension of the operands is while lines are sorted: the sorted one last, if that pays."""
    sizes = [element_bytes(element_of(value)) for value in op.inputs]
    model = ctx.model.sorting
    if not any(size > 1 for size in shape[dim + 1 :]) or not all(
        model.worth_contiguous_rows(prod(shape), size) for size in sizes
    ):
        return list(range(len(shape)))
    places = [d - (d > dim) for d in range(len(shape))]
    places[dim] = len(shape) - 1
    return places


def _sort(
    ctx: Lowering,
    inputs: Sequence[SSAValue],
    types: Sequence[Attribute],
    dim: int,
    comparator: Block,
    counts: Sequence[int],
) -> Sequence[SSAValue]:
    outputs = [ctx.empty(cast("TensorType[Attribute]", type)) for type in types]
    properties: dict[str, Attribute] = {
        "dimension": i64_attribute(dim),
        "operandSegmentSizes": i32_array(len(inputs), len(outputs)),
    }
    if counts:
        properties["counts"] = DenseArrayBase.from_list(i64, list(counts))
    return ctx.emit(linalg_ext.SortOp, (*inputs, *outputs), types, properties, (new_region(comparator),))
