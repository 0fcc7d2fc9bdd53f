"""Sums of products."""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects import chlo, stablehlo
from ...dialects.stablehlo.einsum_equation import EinsumEquation
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder
from .registry import sharding_rule
from .rule import Combination, FactorKind, ShardingRule


@sharding_rule(stablehlo.DotGeneralOp)
def dot_general(op: stablehlo.DotGeneralOp) -> ShardingRule:
    dims: tuple[Sequence[int], ...] = op.dot_dimension_numbers.data
    lhs_batch, rhs_batch, lhs_contracting, rhs_contracting = dims
    lhs, rhs = shape_of(op.lhs), shape_of(op.rhs)
    builder = RuleBuilder(op)
    results = iter(range(len(lhs) + len(rhs)))
    for left, right in zip(lhs_batch, rhs_batch, strict=True):
        builder.add(lhs[left], [left, right], [next(results)])
    for dim, size in enumerate(lhs):
        if dim not in (*lhs_batch, *lhs_contracting):
            builder.add(size, [dim, None], [next(results)])
    for dim, size in enumerate(rhs):
        if dim not in (*rhs_batch, *rhs_contracting):
            builder.add(size, [None, dim], [next(results)])
    for left, right in zip(lhs_contracting, rhs_contracting, strict=True):
        add_sum(builder, lhs[left], [left, right], [None])
    return builder.rule()


@sharding_rule(stablehlo.DotOp)
def dot(op: stablehlo.DotOp) -> ShardingRule:
    lhs, rhs = shape_of(op.lhs), shape_of(op.rhs)
    builder = RuleBuilder(op)
    if len(lhs) == 2:
        builder.add(lhs[0], [0, None], [0])
    if len(rhs) == 2:
        builder.add(rhs[1], [None, 1], [len(lhs) - 1])
    add_sum(builder, rhs[0], [len(lhs) - 1, 0], [None])
    return builder.rule()


@sharding_rule(stablehlo.EinsumOp, stablehlo.UnaryEinsumOp)
def einsum(op: stablehlo.EinsumOp | stablehlo.UnaryEinsumOp) -> ShardingRule | None:
    """None for an operand that names a dimension twice, or repeats one of size 1."""
    shapes = [shape_of(operand) for operand in op.operands]
    equation = EinsumEquation.parse(op.einsum_config.data, shapes)
    sizes = equation.sizes(shapes)
    for labels, shape in zip(equation.operands, shapes, strict=True):
        if len(set(labels)) != len(labels) or tuple(sizes[label] for label in labels) != tuple(shape):
            return None
    builder = RuleBuilder(op)
    for label in dict.fromkeys([*equation.result, *(label for labels in equation.operands for label in labels)]):
        dims = [labels.index(label) if label in labels else None for labels in equation.operands]
        if label in equation.result:
            builder.add(sizes[label], dims, [equation.result.index(label)])
        else:
            add_sum(builder, sizes[label], dims, [None])
    return builder.rule()


@sharding_rule(chlo.RaggedDotOp)
def ragged_dot(op: chlo.RaggedDotOp) -> ShardingRule:
    """Batch, free and contracting dimensions as of a matrix product; the ragged dimension and the groups are whole."""
    dims = op.ragged_dot_dimension_numbers
    lhs, rhs = shape_of(op.lhs), shape_of(op.rhs)
    (ragged,) = dims.lhs_ragged_dimensions
    replicated = FactorKind.NEED_REPLICATION
    builder = RuleBuilder(op)
    results = iter(range(len(lhs) + len(rhs)))
    is_contracting = ragged in dims.lhs_contracting_dimensions
    if is_contracting:
        builder.add(shape_of(op.result)[0], [None] * 3, [next(results)], replicated)
    for left, right in zip(dims.lhs_batching_dimensions, dims.rhs_batching_dimensions, strict=True):
        kind = replicated if left == ragged else FactorKind.PASS_THROUGH
        builder.add(lhs[left], [left, right, None], [next(results)], kind)
    for dim, size in enumerate(lhs):
        if dim not in dims.lhs_batching_dimensions + dims.lhs_contracting_dimensions:
            kind = replicated if dim == ragged else FactorKind.PASS_THROUGH
            builder.add(size, [dim, None, None], [next(results)], kind)
    taken = dims.rhs_batching_dimensions + dims.rhs_contracting_dimensions + dims.rhs_group_dimensions
    for dim, size in enumerate(rhs):
        if dim not in taken:
            builder.add(size, [None, dim, None], [next(results)])
    for left, right in zip(dims.lhs_contracting_dimensions, dims.rhs_contracting_dimensions, strict=True):
        if left == ragged:
            builder.add(lhs[left], [left, right, None], [None], replicated)
        else:
            add_sum(builder, lhs[left], [left, right, None], [None])
    for dim in dims.rhs_group_dimensions:
        builder.add(rhs[dim], [None, dim, None], [None], replicated)
    for dim, size in enumerate(shape_of(op.group_sizes)):
        builder.add(size, [None, None, dim], [None], replicated)
    return builder.rule()


def add_sum(builder: RuleBuilder, size: int, operands: Sequence[int | None], results: Sequence[int | None]) -> None:
    """A factor that is summed over."""
    builder.add(size, operands, results, FactorKind.REDUCTION, combination=Combination.SUM)
