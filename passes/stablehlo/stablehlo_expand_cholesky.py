"""`stablehlo-expand-cholesky`: factorisations become loops over blocks of columns.

For each block of columns, one matrix product subtracts what the columns to the left contribute; then its columns are
found one after the other, each by the root of its pivot, a division, and an update of the columns of the block to its
right (a left-looking factorisation over blocks, right-looking inside them). The upper factor is the adjoint of the
lower one of the adjoint. The triangle that the op does not read may hold anything.

Needs: static shapes. Leaves: no `cholesky`. 16-bit floats are computed in f32. The triangle that the factor does not
fill is zero; where a matrix is not positive definite, the other one is NaN.

    %0 = stablehlo.cholesky %a, lower = true : tensor<4x256x256xf32>

becomes

    %0:2 = stablehlo.while(%i = %zero, %l = %zeros) : tensor<i32>, tensor<4x256x256xf32>
      cond { %i < 8 } do {
        %rows = stablehlo.dynamic_slice %l, %0, %start, %0, sizes = [4, 32, 256]
        %product = stablehlo.dot_general %l, %rows, batching_dims = [0] x [0], contracting_dims = [2] x [2]
        %panel = stablehlo.subtract %columns_of_a, %product : tensor<4x256x32xf32>
        %factor:2 = stablehlo.while(%k = %zero, %p = %panel) ...    // 32 columns, one by one
        %next = stablehlo.dynamic_update_slice %l, %factor#1, %0, %0, %start
      }

XLA's CholeskyExpander has the same blocks, unrolled.
"""

from __future__ import annotations

from math import nan, prod
from typing import ClassVar

from xdsl.dialects.builtin import i32

from ...cost_model import FACTORIZATION_BLOCK
from ...dialects import stablehlo
from .expansion import ExpansionPass
from .tensor_builder import Tensor, TensorBuilder, swap_last


def cholesky(op: stablehlo.CholeskyOp, builder: TensorBuilder) -> Tensor:
    (a,) = builder.wrap(op.a)
    if 0 in a.shape:
        return a
    shape, size = a.shape, a.shape[-1]
    is_lower = bool(op.lower.value.data)
    matrices = a.widened().reshape((prod(shape[:-2]), size, size))
    factor = lower_factor(matrices if is_lower else swap_last(matrices.conjugate()), builder)
    factor = _nan_where_failed(factor, builder)
    if not is_lower:
        factor = swap_last(factor.conjugate())
    return factor.reshape(shape).convert(a.element_type)


def lower_factor(a: Tensor, builder: TensorBuilder) -> Tensor:
    """The factor of each matrix of a batch, zero above the diagonal; NaN on the diagonal tells failure."""
    size = a.shape[1]
    block = min(size, FACTORIZATION_BLOCK)
    count = -(-size // block)
    if count == 1:
        return factor_panel(a, builder.splat(i32, (), 0), builder)
    padding = count * block - size
    # Zeros behind the matrix: columns that are not part of the result fail, and nothing reads them.
    a = a.pad({1: padding, 2: padding})

    def body(index: Tensor, state: list[Tensor]) -> list[Tensor]:
        (factor,) = state
        start = index * block
        rows = factor.dynamic_slice({1: start}, {1: block}).conjugate()
        product = factor.dot(rows, ([0], [0]), ([2], [2]))
        panel = a.dynamic_slice({2: start}, {2: block}) - product
        return [factor.updated(factor_panel(panel, start, builder), {2: start})]

    (factor,) = builder.loop(count, [a.number(0)], body)
    return factor.slice({1: (0, size), 2: (0, size)})


def factor_panel(panel: Tensor, start: Tensor, builder: TensorBuilder) -> Tensor:
    """The columns of the factor from column `start`, `panel` being those of the matrix less what is left of them."""
    shape = panel.shape
    row = builder.iota(i32, (*shape[:2], 1), 1)
    column_number = builder.iota(i32, shape, 2)

    def body(index: Tensor, state: list[Tensor]) -> list[Tensor]:
        (panel,) = state
        pivot_row = start + index
        column = panel.dynamic_slice({2: index}, {2: 1})
        pivot = column.dynamic_slice({1: pivot_row}, {1: 1}).real()
        root = pivot.greater(0).select(pivot, nan).sqrt().as_type_of(column).broadcast(column.shape, (0, 1, 2))
        here = pivot_row.broadcast(row.shape, ())
        column = row.greater(here).select(column / root, row.equals(here).select(root, 0))
        across = column.dynamic_slice({1: start}, {1: shape[2]}).conjugate().reshape((shape[0], 1, shape[2]))
        product = column.broadcast(shape, (0, 1, 2)) * across.broadcast(shape, (0, 1, 2))
        number = index.broadcast(shape, ())
        updated = column_number.greater(number).select(panel - product, panel)
        return [column_number.equals(number).select(column.broadcast(shape, (0, 1, 2)), updated)]

    return builder.loop(shape[2], [panel], body)[0]


def _nan_where_failed(factor: Tensor, builder: TensorBuilder) -> Tensor:
    """NaN in the whole triangle of a matrix that has NaN on the diagonal."""
    row, column = (builder.iota(i32, factor.shape, dim) for dim in (1, 2))
    real = row.equals(column).select(factor.real(), 0)
    is_nan = real.compare(stablehlo.ComparisonDirection.NE, real)
    failed = is_nan.reduce(stablehlo.OrOp, 0, [1, 2]).broadcast(factor.shape, (0,))
    is_in_triangle = row.compare(stablehlo.ComparisonDirection.GE, column)
    return (failed & is_in_triangle).select(factor.number(nan), factor)


class StablehloExpandCholeskyPass(ExpansionPass):
    """Replace Cholesky factorisations. See the module's documentation."""

    name = "stablehlo-expand-cholesky"

    EXPANDED: ClassVar = {stablehlo.CholeskyOp: cholesky}
