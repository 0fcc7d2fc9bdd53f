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
for caches: of large matrices `stablehlo-call-lapack` makes calls of a library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import i1

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import Transpose
from ...dialects.stablehlo.shapes import is_complex, real_type
from .arithmetic import Index, Number, complex_of, materialized
from .builder import Lowered, Lowering
from .loops import Array, Variable, kernel_loops, loop


def _conjugate(x: Number) -> Number:
    if not is_complex(x.type):
        return x
    real, imaginary = x.parts()
    return complex_of(real, -imaginary)


class _Rows:
    """What one op finds by rows, of one matrix of a batch at a time: the result, and the row that is being computed."""

    def __init__(self, ctx: Lowering, matrix: Array, swapped: bool):
        self.ctx = ctx
        self.swapped = swapped
        """Whether rows and columns of the result change places."""
        *self.batch, rows, columns = matrix.shape
        self.count, self.length = (columns, rows) if swapped else (rows, columns)
        self.result = Array.new(ctx, matrix.element, matrix.shape)
        self.row = Array.new(ctx, matrix.element, (self.length,))
        self.place: Sequence[Index] = ()
        """Of the matrix in the batch."""

    def run(self, find: Callable[[], None]) -> Sequence[Lowered]:
        """The result, after `find` has been emitted for every matrix."""
        with kernel_loops(self.batch or [1], self.result, self.row) as place:
            self.place = place[: len(self.batch)]
            find()
        return (self.result.value,)

    def at(self, row: Index, column: Index) -> Sequence[Index]:
        """The indices of an element of the result."""
        return (*self.place, column, row) if self.swapped else (*self.place, row, column)

    def fill(self, value: Number, k: Index, begin: Index, end: Index) -> None:
        """Elements `begin` to `end` of row `k` of the result become `value`."""
        with loop(begin, end, self.result) as i:
            self.result[self.at(k, i)] = value

    def load(self, source: Array, k: Index, begin: Index) -> None:
        """The row becomes row `k` of `source`, from `begin` on."""
        with loop(begin, self.length, self.row) as i:
            self.row[i] = source[self.at(k, i)]

    def subtract(self, known: tuple[Index, Index], begin: Index, factor: Callable[[Index], Number]) -> None:
        """From the row, from `begin` on, multiples by `factor` of the rows `known` of the result."""
        first, end = known
        count = self.ctx.model.factorizations.rows_at_once
        known_rows = materialized(self.ctx, end - first)
        groups = known_rows.apply(arith.DivUIOp, count)
        with loop(0, groups, self.row) as group:
            self._subtract(first + group * count, count, begin, factor)
        with loop(first + groups * count, end, self.row) as p:
            self._subtract(p, 1, begin, factor)

    def _subtract(self, first: Index, count: int, begin: Index, factor: Callable[[Index], Number]) -> None:
        rows = [first + offset for offset in range(count)]
        factors = [factor(p) for p in rows]
        with loop(begin, self.length, self.row) as i:
            value = self.row[i]
            for p, coefficient in zip(rows, factors, strict=True):
                x = self.result[self.at(p, i)]
                if is_complex(x.type):
                    value = value - coefficient * x
                else:
                    value = coefficient.apply(math.FmaOp, x, value)
            self.row[i] = value

    def divide(self, k: Index, begin: Index, diagonal: Number | None) -> None:
        """Row `k` of the result becomes the row by `diagonal`, from `begin` on."""
        with loop(begin, self.length, self.result) as i:
            value = self.row[i]
            self.result[self.at(k, i)] = value if diagonal is None else value / diagonal


def _factor(x: Number, conjugated: bool) -> Number:
    """What a row is multiplied by before it is added (real) or subtracted (complex)."""
    if not is_complex(x.type):
        return -x
    return _conjugate(x) if conjugated else x


def lower_cholesky(ctx: Lowering, op: stablehlo.CholeskyOp) -> Sequence[Lowered]:
    """The triangle that the factor does not fill is zero; where a pivot is not positive, the other one is NaN."""
    a = ctx.array(op.a)
    if 0 in a.shape:
        return (a.value,)
    rows = _Rows(ctx, a, swapped=bool(op.lower.value.data))
    result, size = rows.result, rows.count
    has_parts = is_complex(a.element)
    part = real_type(a.element)
    zero = Number(ctx, ctx.constant(a.element, 0.0))
    part_nan = Number(ctx, ctx.constant(part, nan))

    def of_real(x: Number) -> Number:
        return complex_of(x, 0.0) if has_parts else x

    def find() -> None:
        succeeded = Variable(Number(ctx, ctx.constant(i1, 1)))
        with loop(0, size, succeeded, result, rows.row) as k:
            # What is left of the diagonal is computed for nothing, and overwritten.
            begin = k & -ctx.model.factorizations.aligned_elements
            rows.load(a, k, begin)
            rows.subtract((0, k), begin, lambda p: _factor(result[rows.at(p, k)], conjugated=True))
            pivot = rows.row[k]
            pivot = pivot.apply(complex.ReOp, to=part) if has_parts else pivot
            is_positive = pivot.compare("ogt", 0.0)
            diagonal = of_real(is_positive.select(pivot, part_nan).apply(math.SqrtOp))
            rows.divide(k, begin, diagonal)
            rows.fill(zero, k, 0, begin)
            rows.fill(zero, k, begin, k)
            result[rows.at(k, k)] = diagonal
            succeeded.now &= is_positive
        failed_rows = succeeded.now.select(*(materialized(ctx, count) for count in (0, size)))
        with loop(0, failed_rows, result) as k:
            rows.fill(of_real(part_nan), k, k, size)

    return rows.run(find)


def lower_triangular_solve(ctx: Lowering, op: stablehlo.TriangularSolveOp) -> Sequence[Lowered]:
    """The other triangle of `a` is not read, and neither is its diagonal if it is one of ones."""
    a, b = ctx.array(op.a), ctx.array(op.b)
    if 0 in b.shape:
        return (b.value,)
    is_left, form = bool(op.left_side.value.data), op.transpose_a.data
    rows = _Rows(ctx, b, swapped=not is_left)
    # x a = b is the system of the transposes.
    is_transposed = (form == Transpose.NO_TRANSPOSE) != is_left
    is_lower = bool(op.lower.value.data) != is_transposed

    def coefficient(i: Index, p: Index) -> Number:
        value = a[(*rows.place, p, i) if is_transposed else (*rows.place, i, p)]
        return _conjugate(value) if form == Transpose.ADJOINT else value

    def find() -> None:
        with loop(0, rows.count, rows.result, rows.row) as step:
            i = step if is_lower else rows.count - 1 - step
            known = (0, i) if is_lower else (i + 1, rows.count)
            rows.load(b, i, 0)
            rows.subtract(known, 0, lambda p: _factor(coefficient(i, p), conjugated=False))
            rows.divide(i, 0, None if op.unit_diagonal.value.data else coefficient(i, i))

    return rows.run(find)
