"""`chlo.ragged_dot` as one `dot_general` and masks.

A mask says which places of the ragged dimension belong to which group. Where that dimension is free, the product with
the matrices of all groups is formed and each row keeps that of its own group; where it is contracted, both operands are
repeated for every group with zeros outside of it. So nothing a group does not own gets into its result, be it infinite.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects import chlo, stablehlo
from ...dialects.dense import Number, pack_element
from ...dialects.editing import new_op
from ...dialects.shared_attributes import i64_array
from ...dialects.stablehlo.attributes import DotDimensionNumbersAttr
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from .expression import Emitter, Expression, select


def _sum(value: Expression, dim: int) -> Expression:
    """The sum along one dimension."""
    scalar = TensorType(value.element_type, ())
    block = Block(arg_types=(scalar, scalar))
    add = new_op(stablehlo.AddOp, operands=block.args, result_types=(scalar,))
    block.add_ops((add, new_op(stablehlo.ReturnOp, operands=add.results)))
    shape = list(value.type.get_shape())
    del shape[dim]
    op = new_op(
        stablehlo.ReduceOp,
        operands=(value.value, value.emitter.splat(scalar, zero_of(value.element_type))),
        result_types=(TensorType(value.element_type, shape),),
        properties={"dimensions": i64_array(dim)},
        regions=(Region(block),),
    )
    value.emitter.insert(op)
    return Expression(value.emitter, op.results[0])


def _memberships(sizes: Expression, places: int) -> Expression:
    """For sizes of shape `(..., groups)`, of shape `(..., places, groups)`: whether a place is in a group."""
    sizes = sizes.convert(i64)
    *prefix, groups = sizes.type.get_shape()
    rank, iota = len(prefix), sizes.emitter.iota
    pairs = (*prefix, groups, groups)
    earlier = iota(i64, pairs, rank) <= iota(i64, pairs, rank + 1)
    ends = _sum(select(earlier, sizes.broadcast(pairs, range(rank + 1)), 0), rank)
    shape = (*prefix, places, groups)
    dims = (*range(rank), rank + 1)
    place = iota(i64, shape, rank)
    return ((ends - sizes).broadcast(shape, dims) <= place) & (place < ends.broadcast(shape, dims))


def zero_of(element_type: Attribute) -> Number:
    """Zero as `pack_element` takes it."""
    try:
        pack_element(element_type, 0)
    except TypeError:
        return 0j
    return 0


def ragged_dot(op: Operation, emitter: Emitter) -> list[SSAValue]:
    assert isinstance(op, chlo.RaggedDotOp)
    numbers = op.ragged_dot_dimension_numbers
    (ragged,) = numbers.lhs_ragged_dimensions
    if ragged in numbers.lhs_batching_dimensions:
        return [_product(op, emitter, op.lhs, op.rhs, op.result.type, numbers.data[:4])]
    if ragged in numbers.lhs_contracting_dimensions:
        return [_contracting(op, emitter)]
    return [_free(op, emitter)]


def _product(
    op: chlo.RaggedDotOp,
    emitter: Emitter,
    lhs: SSAValue,
    rhs: SSAValue,
    type: Attribute,
    dims: Sequence[tuple[int, ...]],
) -> SSAValue:
    properties: dict[str, Attribute] = {"dot_dimension_numbers": DotDimensionNumbersAttr(tuple(dims))}
    if op.precision_config is not None:
        properties["precision_config"] = op.precision_config
    return emitter.emit(stablehlo.DotGeneralOp, (lhs, rhs), type, properties)


def _free(op: chlo.RaggedDotOp, emitter: Emitter) -> SSAValue:
    """The dimensions of the product: batch, those of lhs, those of rhs with the group among them."""
    numbers = op.ragged_dot_dimension_numbers
    (ragged,), (group,) = numbers.lhs_ragged_dimensions, numbers.rhs_group_dimensions
    lhs_shape, rhs_shape = shape_of(op.lhs), shape_of(op.rhs)
    batch = len(numbers.lhs_batching_dimensions)
    used = (*numbers.lhs_batching_dimensions, *numbers.lhs_contracting_dimensions)
    lhs_free = [dim for dim in range(len(lhs_shape)) if dim not in used]
    used = (*numbers.rhs_batching_dimensions, *numbers.rhs_contracting_dimensions)
    rhs_free = [dim for dim in range(len(rhs_shape)) if dim not in used]
    shape = [lhs_shape[dim] for dim in (*numbers.lhs_batching_dimensions, *lhs_free)]
    row, column = batch + lhs_free.index(ragged), len(shape) + rhs_free.index(group)
    shape += [rhs_shape[dim] for dim in rhs_free]
    type = TensorType(element_type_of(op.result), shape)
    product = Expression(emitter, _product(op, emitter, op.lhs, op.rhs, type, numbers.data[:4]))
    mask = _memberships(Expression(emitter, op.group_sizes), lhs_shape[ragged])
    prefix = range(len(mask.type.get_shape()) - 2)
    mask = mask.broadcast(shape, (*prefix, row, column))
    return _sum(select(mask, product, product.number(zero_of(product.element_type))), column).value


def _contracting(op: chlo.RaggedDotOp, emitter: Emitter) -> SSAValue:
    """The groups are one more batch dimension, in front."""
    numbers = op.ragged_dot_dimension_numbers
    (ragged,) = numbers.lhs_ragged_dimensions
    position = numbers.lhs_contracting_dimensions.index(ragged)
    mask = _memberships(Expression(emitter, op.group_sizes), shape_of(op.lhs)[ragged])
    groups = mask.type.get_shape()[-1]

    def repeated(value: SSAValue, batch: Sequence[int], contracting: Sequence[int]) -> SSAValue:
        shape = (groups, *shape_of(value))
        has_prefix = len(mask.type.get_shape()) > 2
        prefix = (*batch, *contracting[:position]) if has_prefix else ()
        own = mask.broadcast(shape, [*(dim + 1 for dim in (*prefix, contracting[position])), 0])
        all = Expression(emitter, value).broadcast(shape, range(1, len(shape)))
        return select(own, all, all.number(zero_of(all.element_type))).value

    lhs = repeated(op.lhs, numbers.lhs_batching_dimensions, numbers.lhs_contracting_dimensions)
    rhs = repeated(op.rhs, numbers.rhs_batching_dimensions, numbers.rhs_contracting_dimensions)
    dims = [tuple(dim + 1 for dim in dims) for dims in numbers.data[:4]]
    dims[0], dims[1] = (0, *dims[0]), (0, *dims[1])
    return _product(op, emitter, lhs, rhs, op.result.type, dims)
