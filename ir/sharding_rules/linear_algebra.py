"""Factorisations, triangular systems and Fourier transforms: independent for each place of the batch."""

from __future__ import annotations

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import Transpose
from ...dialects.stablehlo.shapes import shape_of
from .builder import RuleBuilder, sharding_rule, whole_if
from .rule import FactorKind


@sharding_rule(stablehlo.CholeskyOp)
def cholesky(op: stablehlo.CholeskyOp, rule: RuleBuilder) -> None:
    shape = shape_of(op.a)
    rule.pointwise(shape, lambda dim: whole_if(dim >= len(shape) - 2))


@sharding_rule(stablehlo.TriangularSolveOp)
def triangular_solve(op: stablehlo.TriangularSolveOp, rule: RuleBuilder) -> None:
    """`op(a) x = b` or `x op(a) = b`: rows, columns and the contracted dimension are gathered."""
    a, b = shape_of(op.a), shape_of(op.b)
    row, column = len(a) - 2, len(a) - 1
    rule.pointwise(a[:-2])
    is_transposed = op.transpose_a.data in (Transpose.TRANSPOSE, Transpose.ADJOINT)
    is_left = bool(op.left_side.value.data)
    free, contracting = (row, column) if is_left != is_transposed else (column, row)
    along, across = (row, column) if is_left else (column, row)
    of_a = (a[free], [free, along], [None])
    of_b = (b[across], [None, across], [across])
    of_both = (a[contracting], [contracting, None], [along])
    for size, operands, results in (of_a, of_b, of_both) if is_left else (of_b, of_a, of_both):
        rule.add(size, operands, results, FactorKind.NEED_REPLICATION)


@sharding_rule(stablehlo.FftOp)
def fft(op: stablehlo.FftOp, rule: RuleBuilder) -> None:
    """Transformed dimensions are gathered; where the last changes its size its sharding is not propagated."""
    operand, result = shape_of(op.operand), shape_of(op.result)
    first = len(operand) - len(op.fft_length.get_values())
    for dim, size in enumerate(operand):
        rule.add(size, [dim], [dim], whole_if(dim >= first), is_blocked=dim >= first and size != result[dim])
