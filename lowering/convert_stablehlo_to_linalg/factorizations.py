"""`cholesky` and `triangular_solve`: loops over rows.

Both subtract from a row what the rows found before contribute, four of them in one pass over the row, and divide what
is left. The row is kept in a scratch of its own, so that the innermost loops are over contiguous elements and what they
write overlaps nothing that they read. For the upper factor u of a:

    for k:
      for i in k .. n: row[i] = a[k][i]
      for p in 0 .. k: for i in k .. n: row[i] -= conj(u[p][k]) * u[p][i]
      for i in k .. n: u[k][i] = row[i] / sqrt(row[k])

and for x with a x = b, `a` lower (of an upper triangle, rows are found from the last to the first):

    for i:
      for j: row[j] = b[i][j]
      for p in 0 .. i: for j: row[j] -= a[i][p] * x[p][j]
      for j: x[i][j] = row[j] / a[i][i]

Systems with the unknown on the right, transposed coefficients and lower factors are the same with indices exchanged.
These are the row-wise forms of Golub and Van Loan, "Matrix Computations", sections 3.1 and 4.2. Nothing here is blocked
for caches: large matrices are what `stablehlo-expand-cholesky` and `stablehlo-expand-triangular-solve` cut up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan
from typing import Any

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import Transpose
from .arithmetic import compare_float, complex_of, parts_of, select
from .attributes import INDEX, element_of, has_parts, part_type, shape_of
from .builder import Index, Lowered, Lowering

State = Sequence[SSAValue]


class _Arithmetic:
    """Real or complex scalars of one type."""

    def __init__(self, ctx: Lowering, type: Any):
        self.ctx, self.type = ctx, type
        self.is_complex = has_parts(type)
        self.part = part_type(type) if self.is_complex else type

    def divide(self, x: SSAValue, y: SSAValue) -> SSAValue:
        return self.ctx.scalar(complex.DivOp if self.is_complex else arith.DivfOp, (x, y), self.type)

    def coefficient(self, x: SSAValue, conjugated: bool) -> SSAValue:
        """What `subtract_multiple` takes for a factor `x`."""
        if not self.is_complex:
            return self.ctx.scalar(arith.NegfOp, (x,), self.type)
        return self.conjugate(x) if conjugated else x

    def subtract_multiple(self, rest: SSAValue, coefficient: SSAValue, x: SSAValue) -> SSAValue:
        """`rest - factor * x`."""
        ctx = self.ctx
        if not self.is_complex:
            return ctx.scalar(math.FmaOp, (coefficient, x, rest), self.type)
        return ctx.scalar(complex.SubOp, (rest, ctx.scalar(complex.MulOp, (coefficient, x), self.type)), self.type)

    def conjugate(self, x: SSAValue) -> SSAValue:
        if not self.is_complex:
            return x
        real, imaginary = parts_of(self.ctx, x)
        return complex_of(real, -imaginary)

    def real(self, x: SSAValue) -> SSAValue:
        return self.ctx.scalar(complex.ReOp, (x,), self.part) if self.is_complex else x

    def from_real(self, x: SSAValue) -> SSAValue:
        if not self.is_complex:
            return x
        return self.ctx.scalar(complex.CreateOp, (x, self.ctx.constant(self.part, 0.0)), self.type)


class _Rows:
    """Loops of one op over a batch of matrices."""

    def __init__(self, ctx: Lowering, result: Any, matrix: SSAValue, swapped: bool):
        self.ctx = ctx
        self.shape = shape_of(result)
        self.swapped = swapped
        """Whether rows and columns of the result change places."""
        self.batch = len(self.shape) - 2
        self.type = element_of(matrix)
        self.arithmetic = _Arithmetic(ctx, self.type)
        rows, columns = self.shape[-2:]
        self.row_count, self.row_length = (columns, rows) if swapped else (rows, columns)

    def run(self, matrix: Callable[[Sequence[Index], State], State]) -> SSAValue:
        """The result of `matrix`, which gets a place in the batch, and the result and a row to fill."""
        ctx = self.ctx
        result = ctx.empty(TensorType(self.type, self.shape))
        row = ctx.empty(TensorType(self.type, (self.row_length,)))
        bounds = [(0, size) for size in self.shape[:-2]] or [(0, 1)]
        return ctx.kernel_loops(bounds, (result, row), lambda at, state: matrix(at[: self.batch], state))[0]

    def at(self, place: Sequence[Index], row: Index, column: Index) -> Sequence[Index]:
        """The indices of an element of the result."""
        return (*place, column, row) if self.swapped else (*place, row, column)

    def load(self, bounds: tuple[Index, Index], row: SSAValue, element: Callable[[SSAValue], SSAValue]) -> SSAValue:
        """`row` with what `element` says."""
        return self.ctx.loop(*bounds, (row,), lambda i, s: (self.ctx.insert(element(i), s[0], (i,)),))[0]

    def subtract(
        self,
        place: Sequence[Index],
        known: tuple[Index, Index],
        bounds: tuple[Index, Index],
        state: State,
        factor: Callable[[Index, SSAValue], SSAValue],
        conjugated: bool = False,
    ) -> SSAValue:
        """The row less the multiples by `factor` of the rows `known` of the result."""
        ctx, arithmetic = self.ctx, self.arithmetic
        result, row = state

        def step(first: Index, count: int, row: SSAValue) -> SSAValue:
            rows = [ctx.add(first, offset) for offset in range(count)]
            factors = [arithmetic.coefficient(factor(p, result), conjugated) for p in rows]

            def element(i: SSAValue, state: State) -> State:
                value = ctx.extract(state[0], (i,))
                for p, coefficient in zip(rows, factors, strict=True):
                    value = arithmetic.subtract_multiple(value, coefficient, ctx.extract(result, self.at(place, p, i)))
                return (ctx.insert(value, state[0], (i,)),)

            return ctx.loop(*bounds, (row,), element)[0]

        begin, end = known
        count = ctx.model.factorizations.rows_at_once
        groups = ctx.scalar(arith.DivUIOp, (ctx.as_index(ctx.subtract(end, begin)), ctx.index(count)), INDEX)
        (row,) = ctx.loop(0, groups, (row,), lambda g, s: (step(ctx.add(begin, ctx.multiply(g, count)), count, s[0]),))
        rest = ctx.add(begin, ctx.multiply(groups, count))
        return ctx.loop(rest, end, (row,), lambda p, s: (step(p, 1, s[0]),))[0]


def lower_cholesky(ctx: Lowering, op: stablehlo.CholeskyOp) -> Sequence[Lowered]:
    """The triangle that the factor does not fill is zero; where a pivot is not positive, the other one is NaN."""
    a = ctx.tensor(op.a)
    if 0 in shape_of(a):
        return (a,)
    rows = _Rows(ctx, op.result, a, swapped=bool(op.lower.value.data))
    arithmetic, size, zero = rows.arithmetic, rows.row_count, ctx.constant(rows.type, 0.0)
    part_nan = ctx.constant(arithmetic.part, nan)

    def matrix(place: Sequence[Index], state: State) -> State:
        def fill(value: SSAValue, k: Index, bounds: tuple[Index, Index], result: SSAValue) -> SSAValue:
            return ctx.loop(*bounds, (result,), lambda i, s: (ctx.insert(value, s[0], rows.at(place, k, i)),))[0]

        def find_row(k: SSAValue, state: State) -> State:
            succeeded, result, row = state
            # What is left of the diagonal is computed for nothing, and overwritten.
            right = (ctx.scalar(arith.AndIOp, (k, ctx.index(-ctx.model.factorizations.aligned_elements)), INDEX), size)
            row = rows.load(right, row, lambda i: ctx.extract(a, rows.at(place, k, i)))
            row = rows.subtract(
                place,
                (0, k),
                right,
                (result, row),
                lambda p, result: ctx.extract(result, rows.at(place, p, k)),
                conjugated=True,
            )
            pivot = arithmetic.real(ctx.extract(row, (k,)))
            is_positive = compare_float(ctx, "ogt", pivot, ctx.constant(arithmetic.part, 0.0))
            root = ctx.scalar(math.SqrtOp, (select(ctx, is_positive, pivot, part_nan),), arithmetic.part)
            diagonal = arithmetic.from_real(root)

            def divide(i: SSAValue, state: State) -> State:
                quotient = arithmetic.divide(ctx.extract(row, (i,)), diagonal)
                return (ctx.insert(quotient, state[0], rows.at(place, k, i)),)

            (result,) = ctx.loop(*right, (result,), divide)
            result = fill(zero, k, (0, right[0]), result)
            result = fill(zero, k, (right[0], k), result)
            result = ctx.insert(diagonal, result, rows.at(place, k, k))
            return (ctx.scalar(arith.AndIOp, (succeeded, is_positive), i1), result, row)

        succeeded, result, row = ctx.loop(0, size, (ctx.constant(i1, 1), *state), find_row)
        failed_rows = select(ctx, succeeded, ctx.index(0), ctx.index(size))
        (result,) = ctx.loop(
            0,
            failed_rows,
            (result,),
            lambda k, s: (fill(arithmetic.from_real(part_nan), k, (k, size), s[0]),),
        )
        return (result, row)

    return (rows.run(matrix),)


def lower_triangular_solve(ctx: Lowering, op: stablehlo.TriangularSolveOp) -> Sequence[Lowered]:
    """The other triangle of `a` is not read, and neither is its diagonal if it is one of ones."""
    a, b = ctx.tensor(op.a), ctx.tensor(op.b)
    if 0 in shape_of(b):
        return (b,)
    is_left, form = bool(op.left_side.value.data), op.transpose_a.data
    rows = _Rows(ctx, op.result, b, swapped=not is_left)
    arithmetic, count, length = rows.arithmetic, rows.row_count, rows.row_length
    # x a = b is the system of the transposes.
    is_transposed = (form == Transpose.NO_TRANSPOSE) != is_left
    is_lower = bool(op.lower.value.data) != is_transposed

    def matrix(place: Sequence[Index], state: State) -> State:
        def coefficient(i: Index, p: Index) -> SSAValue:
            value = ctx.extract(a, (*place, p, i) if is_transposed else (*place, i, p))
            return arithmetic.conjugate(value) if form == Transpose.ADJOINT else value

        def find_row(step: SSAValue, state: State) -> State:
            result, row = state
            i = step if is_lower else ctx.as_index(ctx.subtract(count - 1, step))
            known = (0, i) if is_lower else (ctx.add(i, 1), count)
            whole = (0, length)
            row = rows.load(whole, row, lambda j: ctx.extract(b, rows.at(place, i, j)))
            row = rows.subtract(place, known, whole, (result, row), lambda p, _: coefficient(i, p))
            diagonal = None if op.unit_diagonal.value.data else coefficient(i, i)

            def divide(j: SSAValue, state: State) -> State:
                value = ctx.extract(row, (j,))
                if diagonal is not None:
                    value = arithmetic.divide(value, diagonal)
                return (ctx.insert(value, state[0], rows.at(place, i, j)),)

            return (*ctx.loop(0, length, (result,), divide), row)

        return ctx.loop(0, count, state, find_row)

    return (rows.run(matrix),)


FACTORIZATIONS: dict[type[Operation], Any] = {
    stablehlo.CholeskyOp: lower_cholesky,
    stablehlo.TriangularSolveOp: lower_triangular_solve,
}
"""Op type to lowering."""
