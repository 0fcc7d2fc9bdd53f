"""Factorisations, triangular systems and Fourier transforms: independent for each place of the batch."""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import Transpose
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder
from .registry import sharding_rule
from .rule import FactorKind, ShardingRule


@sharding_rule(stablehlo.CholeskyOp)
def cholesky(op: stablehlo.CholeskyOp) -> ShardingRule:
    shape = shape_of(op.a)
    builder = RuleBuilder(op)
    builder.pointwise(
        shape, lambda dim: FactorKind.PASS_THROUGH if dim < len(shape) - 2 else FactorKind.NEED_REPLICATION
    )
    return builder.rule()


@sharding_rule(stablehlo.TriangularSolveOp)
def triangular_solve(op: stablehlo.TriangularSolveOp) -> ShardingRule:
    """`op(a) x = b` or `x op(a) = b`: rows, columns and the contracted dimension are gathered."""
    a, b = shape_of(op.a), shape_of(op.b)
    row, column = len(a) - 2, len(a) - 1
    builder = RuleBuilder(op)
    builder.pointwise(a[:-2])
    is_transposed = op.transpose_a.data in (Transpose.TRANSPOSE, Transpose.ADJOINT)
    is_left = bool(op.left_side.value.data)
    free, contracting = (row, column) if is_left != is_transposed else (column, row)
    along, across = (row, column) if is_left else (column, row)
    of_a = (a[free], [free, along], [None])
    of_b = (b[across], [None, across], [across])
    of_both = (a[contracting], [contracting, None], [along])
    for size, operands, results in (of_a, of_b, of_both) if is_left else (of_b, of_a, of_both):
        builder.add(size, operands, results, FactorKind.NEED_REPLICATION)
    return builder.rule()


@sharding_rule(stablehlo.FftOp)
def fft(op: stablehlo.FftOp) -> ShardingRule:
    """Transformed dimensions are gathered; where the last changes its size its sharding is not propagated."""
    operand, result = shape_of(op.operand), shape_of(op.result)
    first = len(operand) - len(op.fft_length.get_values())
    builder = RuleBuilder(op)
    for dim, size in enumerate(operand):
        kind = FactorKind.PASS_THROUGH if dim < first else FactorKind.NEED_REPLICATION
        builder.add(size, [dim], [dim], kind, is_blocked=dim >= first and size != result[dim])
    return builder.rule()
