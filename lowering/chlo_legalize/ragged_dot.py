"""`chlo.ragged_dot` as one `dot_general` and masks.

A mask says which places of the ragged dimension belong to which group. Where that dimension is free, the product with
the matrices of all groups is formed and each row keeps that of its own group; where it is contracted, both operands are
repeated for every group with zeros outside of it. So nothing a group does not own gets into its result, be it infinite.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i64

from ...dialects import chlo
from ...dialects.stablehlo.shapes import element_type_of
from ...ir.tensor_builder import TensorBuilder
from ...ir.tensors import Tensor


def _memberships(sizes: Tensor, places: int) -> Tensor:
    """For sizes of shape `(..., groups)`, of shape `(..., places, groups)`: whether a place is in a group."""
    sizes = sizes.convert(i64)
    *prefix, groups = sizes.shape
    rank, iota = len(prefix), sizes.builder.iota
    pairs = (*prefix, groups, groups)
    earlier = iota(i64, pairs, rank) <= iota(i64, pairs, rank + 1)
    ends = earlier.select(sizes.broadcast(pairs, range(rank + 1)), 0).sum([rank])
    shape = (*prefix, places, groups)
    dims = (*range(rank), rank + 1)
    place = iota(i64, shape, rank)
    return ((ends - sizes).broadcast(shape, dims) <= place) & (place < ends.broadcast(shape, dims))


def ragged_dot(op: chlo.RaggedDotOp, builder: TensorBuilder) -> Tensor:
    numbers = op.ragged_dot_dimension_numbers
    lhs, rhs, sizes = builder.wrap(op.lhs, op.rhs, op.group_sizes)
    (ragged,) = numbers.lhs_ragged_dimensions
    if ragged in numbers.lhs_batching_dimensions:
        return _product(op, lhs, rhs, numbers.data[:4])
    return (_contracting if ragged in numbers.lhs_contracting_dimensions else _free)(op, lhs, rhs, sizes)


def _product(op: chlo.RaggedDotOp, lhs: Tensor, rhs: Tensor, dims: Sequence[Sequence[int]]) -> Tensor:
    properties = {} if op.precision_config is None else {"precision_config": op.precision_config}
    return lhs.dot(rhs, (dims[0], dims[1]), (dims[2], dims[3]), element_type_of(op.result), **properties)


def _free(op: chlo.RaggedDotOp, lhs: Tensor, rhs: Tensor, sizes: Tensor) -> Tensor:
    """The dimensions of the product: batch, those of lhs, those of rhs with the group among them."""
    numbers = op.ragged_dot_dimension_numbers
    lhs_batch, rhs_batch, lhs_contracting, rhs_contracting = numbers.data[:4]
    (ragged,), (group,) = numbers.lhs_ragged_dimensions, numbers.rhs_group_dimensions
    row, column = (
        sum(other not in used for other in range(dim))
        for dim, used in ((ragged, {*lhs_batch, *lhs_contracting}), (group, {*rhs_batch, *rhs_contracting}))
    )
    product = _product(op, lhs, rhs, numbers.data[:4])
    row, column = len(lhs_batch) + row, lhs.rank - len(lhs_contracting) + column
    mask = _memberships(sizes, lhs.shape[ragged])
    mask = mask.broadcast(product.shape, (*range(mask.rank - 2), row, column))
    return mask.select(product, 0).sum([column])


def _contracting(op: chlo.RaggedDotOp, lhs: Tensor, rhs: Tensor, sizes: Tensor) -> Tensor:
    """The groups are one more batch dimension, in front."""
    numbers = op.ragged_dot_dimension_numbers
    lhs_batch, rhs_batch, lhs_contracting, rhs_contracting = numbers.data[:4]
    (ragged,) = numbers.lhs_ragged_dimensions
    position = numbers.lhs_contracting_dimensions.index(ragged)
    mask = _memberships(sizes, lhs.shape[ragged])

    def repeated(x: Tensor, batch: Sequence[int], contracting: Sequence[int]) -> Tensor:
        shape = (mask.shape[-1], *x.shape)
        prefix = [*batch, *contracting[:position]][: mask.rank - 2]
        own = mask.broadcast(shape, [*(dim + 1 for dim in [*prefix, contracting[position]]), 0])
        return own.select(x.broadcast(shape, range(1, len(shape))), 0)

    lhs, rhs = repeated(lhs, lhs_batch, lhs_contracting), repeated(rhs, rhs_batch, rhs_contracting)
    dims = [[dim + 1 for dim in dims] for dims in numbers.data[:4]]
    return _product(op, lhs, rhs, [[0, *dims[0]], [0, *dims[1]], *dims[2:]])
