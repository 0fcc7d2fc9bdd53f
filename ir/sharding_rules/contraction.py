"""Sums of products."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...dialects import chlo, stablehlo
from ...dialects.stablehlo.einsum_equation import EinsumEquation
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder, sharding_rule, whole_if
from .rule import FactorKind


@sharding_rule(stablehlo.DotGeneralOp, stablehlo.DotOp)
def dot(op: stablehlo.DotGeneralOp | stablehlo.DotOp, rule: RuleBuilder) -> None:
    last = len(shape_of(op.lhs)) - 1
    dims = op.dot_dimension_numbers.data if isinstance(op, stablehlo.DotGeneralOp) else ((), (), (last,), (0,))
    _add_product(op, dims, iter(range(last + 1 + len(shape_of(op.rhs)))), rule)


def _add_product(
    op: stablehlo.DotGeneralOp | stablehlo.DotOp | chlo.RaggedDotOp,
    dims: Sequence[Sequence[int]],
    results: Iterator[int],
    rule: RuleBuilder,
    ragged: int | None = None,
    groups: Sequence[int] = (),
) -> None:
    """Batch, free and contracting dimensions; `results` numbers those of the result. The `ragged` dimension of the left
    operand is whole, and the `groups` of the right one are left out.
    """
    lhs_batch, rhs_batch, lhs_contracting, rhs_contracting = dims
    lhs, rhs, others = shape_of(op.lhs), shape_of(op.rhs), [None] * (len(op.operands) - 2)
    for left, right in zip(lhs_batch, rhs_batch, strict=True):
        rule.add(lhs[left], [left, right, *others], [next(results)], whole_if(left == ragged))
    for dim, size in enumerate(lhs):
        if dim not in (*lhs_batch, *lhs_contracting):
            rule.add(size, [dim, None, *others], [next(results)], whole_if(dim == ragged))
    for dim, size in enumerate(rhs):
        if dim not in (*rhs_batch, *rhs_contracting, *groups):
            rule.add(size, [None, dim, *others], [next(results)])
    for left, right in zip(lhs_contracting, rhs_contracting, strict=True):
        if left == ragged:
            rule.add(lhs[left], [left, right, *others], [None], FactorKind.NEED_REPLICATION)
        else:
            rule.add_sum(lhs[left], [left, right, *others])


@sharding_rule(stablehlo.EinsumOp, stablehlo.UnaryEinsumOp)
def einsum(op: stablehlo.EinsumOp | stablehlo.UnaryEinsumOp, rule: RuleBuilder) -> bool:
    """None for an operand that names a dimension twice, or repeats one of size 1."""
    shapes = [shape_of(operand) for operand in op.operands]
    equation = EinsumEquation.parse(op.einsum_config.data, shapes)
    sizes = equation.sizes(shapes)
    for labels, shape in zip(equation.operands, shapes, strict=True):
        if len(set(labels)) != len(labels) or tuple(sizes[label] for label in labels) != tuple(shape):
            return False
    for label in dict.fromkeys([*equation.result, *(label for labels in equation.operands for label in labels)]):
        dims = [labels.index(label) if label in labels else None for labels in equation.operands]
        if label in equation.result:
            rule.add(sizes[label], dims, [equation.result.index(label)])
        else:
            rule.add_sum(sizes[label], dims)
    return True


@sharding_rule(chlo.RaggedDotOp)
def ragged_dot(op: chlo.RaggedDotOp, rule: RuleBuilder) -> None:
    """As a matrix product; the ragged dimension and the groups are whole."""
    dims = op.ragged_dot_dimension_numbers
    (ragged,) = dims.lhs_ragged_dimensions
    replicated = FactorKind.NEED_REPLICATION
    results = iter(range(len(shape_of(op.lhs)) + len(shape_of(op.rhs))))
    if ragged in dims.lhs_contracting_dimensions:
        rule.add(shape_of(op.result)[0], [None] * 3, [next(results)], replicated)
    _add_product(op, dims.data[:4], results, rule, ragged, dims.rhs_group_dimensions)
    for dim in dims.rhs_group_dimensions:
        rule.add(shape_of(op.rhs)[dim], [None, dim, None], [None], replicated)
    for dim, size in enumerate(shape_of(op.group_sizes)):
        rule.add(size, [None, None, dim], [None], replicated)
