"""LU factorisations with partial pivoting, as StableHLO: what `stablehlo-expand-lapack` makes of `getrf`.

Column by column, the largest element on or below the diagonal comes to the diagonal by an exchange of rows, and
multiples of its row are subtracted from those below (a right-looking factorisation). In matrices of more than
`LU_BLOCK` columns the subtraction reaches to the end of a block of columns only; what is right of the block then
follows from a triangular solve and one matrix product. Golub and Van Loan, "Matrix Computations", sections 3.2.11 and
3.4; as in LAPACK the size of a complex number is the sum of the magnitudes of its parts.
"""

from __future__ import annotations

from math import inf, prod

from xdsl.dialects.builtin import IntegerAttr, i1, i32

from ...decisions.cost_model import LU_BLOCK
from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import ComparisonDirection, Transpose, TransposeAttr
from ...dialects.stablehlo.shapes import is_complex
from .tensor_builder import Tensor, TensorBuilder

_UNIT_LOWER = {
    "left_side": IntegerAttr(1, i1),
    "lower": IntegerAttr(1, i1),
    "unit_diagonal": IntegerAttr(1, i1),
    "transpose_a": TransposeAttr(Transpose.NO_TRANSPOSE),
}


def lu_factors(a: Tensor, builder: TensorBuilder) -> list[Tensor]:
    """L and U of matrices `...xMxN` in one, the rows exchanged as `...xKxi32`, K = min(M, N), and the state `...xi32`.

    Row k was exchanged with row `pivots[k] - 1`; the state is the first step, from 1, whose pivot is zero, else 0.
    """
    batch, (rows, columns) = a.shape[:-2], a.shape[-2:]
    steps = min(rows, columns)
    if 0 in a.shape:
        return [a, builder.splat(i32, (*batch, steps), 0), builder.splat(i32, batch, 0)]
    width = steps if steps <= LU_BLOCK else LU_BLOCK
    whole_blocks = -(-steps // width) * width
    padding = {1: max(whole_blocks - rows, 0), 2: -columns % width if steps > width else 0}
    matrices = a.reshape((prod(batch), rows, columns)).pad(padding)
    pivots, states = builder.splat(i32, (prod(batch), steps), 0), builder.splat(i32, (prod(batch),), 0)

    def factor(index: Tensor, state: list[Tensor]) -> list[Tensor]:
        """One matrix of the batch in place of it."""
        matrices, pivots, states = state
        matrix = matrices.dynamic_slice({0: index}, {0: 1}).reshape(matrices.shape[1:])
        matrix, exchanged, failed = _Elimination(builder, steps, width).run(matrix)
        return [
            matrices.updated(matrix.reshape((1, *matrix.shape)), {0: index}),
            pivots.updated(exchanged.reshape((1, steps)), {0: index}),
            states.updated(failed.reshape((1,)), {0: index}),
        ]

    matrices, pivots, states = builder.loop(prod(batch), [matrices, pivots, states], factor)
    factors = matrices.slice({1: (0, rows), 2: (0, columns)}).reshape(a.shape)
    return [factors, pivots.reshape((*batch, steps)), states.reshape(batch)]


class _Elimination:
    """The steps of one factorisation, `width` of them at a time; they carry the matrix, the pivots and the state."""

    def __init__(self, builder: TensorBuilder, steps: int, width: int) -> None:
        self.builder = builder
        self.steps, self.width = steps, width

    def run(self, matrix: Tensor) -> list[Tensor]:
        initial = [matrix, self.builder.splat(i32, (self.steps,), 0), self.builder.splat(i32, (), 0)]
        if self.width == self.steps:
            return self.builder.loop(self.steps, initial, lambda k, state: self.eliminate(k, k, state))
        return self.builder.loop(-(-self.steps // self.width), initial, self.block)

    def block(self, index: Tensor, state: list[Tensor]) -> list[Tensor]:
        """The factors of `width` columns, and what is right of them less what their rows contribute."""
        builder, width = self.builder, self.width
        matrix, pivots, failed = state
        start = index * width
        count = (start * -1 + self.steps).minimum(width)
        panel = matrix.dynamic_slice({1: start}, {1: width})
        panel, pivots, failed = builder.loop(
            count, [panel, pivots, failed], lambda k, state: self.eliminate(k, start + k, state)
        )

        def exchange(k: Tensor, state: list[Tensor]) -> list[Tensor]:
            pivot_row = pivots.dynamic_slice({0: start + k}, {0: 1}).reshape(()) + -1
            return [_exchanged(state[0], start + k, pivot_row)]

        (matrix,) = builder.loop(count, [matrix], exchange)
        rows = matrix.dynamic_slice({0: start}, {0: width})
        diagonal = panel.dynamic_slice({0: start}, {0: width})
        (solved,) = builder.emit(stablehlo.TriangularSolveOp, (diagonal, rows), (rows.type,), _UNIT_LOWER)
        behind = start + width

        def update(offset: Tensor, state: list[Tensor]) -> list[Tensor]:
            """The block of columns that is `offset` behind the first one on the right."""
            at = behind + offset * width
            block = state[0].dynamic_slice({1: at}, {1: width})
            rest = block - panel.dot(solved.dynamic_slice({1: at}, {1: width}), ((), ()), ([1], [0]))
            rest = self._from(behind, block, 0).select(rest, block)
            return [state[0].updated(rest, {1: at})]

        (matrix,) = builder.loop(index * -1 + (matrix.shape[1] // width - 1), [matrix], update)
        right = self._from(behind, rows, 1).select(solved, rows)
        return [matrix.updated(right, {0: start}).updated(panel, {1: start}), pivots, failed]

    def eliminate(self, column: Tensor, row: Tensor, state: list[Tensor]) -> list[Tensor]:
        """The step that finds `row` and `column` of the factors of a panel."""
        panel, pivots, failed = state
        pivot_row = self._pivot_row(panel, column, row)
        panel = _exchanged(panel, row, pivot_row)
        upper = panel.dynamic_slice({0: row}, {0: 1}).reshape(panel.shape[1:])
        pivot = upper.dynamic_slice({0: column}, {0: 1}).reshape(())
        is_zero = pivot.equals(0)
        divisor = is_zero.select(pivot.number(1), pivot)
        multiples = _column(panel, column) / divisor.broadcast(panel.shape[:1], ())
        multiples = multiples.broadcast(panel.shape, (0,))
        rest = panel - multiples * upper.broadcast(panel.shape, (1,))
        is_multiple = self._index(panel, 1).equals(column.broadcast(panel.shape, ()))
        changed = is_multiple.select(multiples, self._from(column, panel, 1).select(rest, panel))
        is_below = self._from(row + 1, panel, 0) & is_zero.equals(False).broadcast(panel.shape, ())
        panel = is_below.select(changed, panel)
        is_first = is_zero & failed.equals(0)
        return [panel, pivots.updated((pivot_row + 1).reshape((1,)), {0: row}), is_first.select(row + 1, failed)]

    def _pivot_row(self, panel: Tensor, column: Tensor, row: Tensor) -> Tensor:
        """The first row from `row` on with the largest element in `column`; `row` if there are NaNs."""
        elements = _column(panel, column)
        size = elements.real().apply(stablehlo.AbsOp)
        if is_complex(elements.element_type):
            size = size + elements.imaginary().apply(stablehlo.AbsOp)
        size = self._from(row, size, 0).select(size, -1.0)
        largest = size.reduce(stablehlo.MaxOp, -inf, [0])
        rows, beyond = self._index(size, 0), panel.shape[0]
        is_largest = size.equals(largest.broadcast(size.shape, ()))
        first = is_largest.select(rows, beyond).reduce(stablehlo.MinOp, beyond, [0])
        return first.equals(beyond).select(row, first)

    def _index(self, tensor: Tensor, dim: int) -> Tensor:
        return self.builder.iota(i32, tensor.shape, dim)

    def _from(self, start: Tensor, tensor: Tensor, dim: int) -> Tensor:
        """Whether the index of each element of `tensor` along `dim` is at least `start`."""
        return self._index(tensor, dim).compare(ComparisonDirection.GE, start.broadcast(tensor.shape, ()))


def _column(matrix: Tensor, column: Tensor) -> Tensor:
    return matrix.dynamic_slice({1: column}, {1: 1}).reshape(matrix.shape[:1])


def _exchanged(matrix: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """`matrix` with two rows exchanged."""
    one, other = (matrix.dynamic_slice({0: row}, {0: 1}) for row in (first, second))
    return matrix.updated(one, {0: second}).updated(other, {0: first})
