"""`stablehlo-expand-cholesky`: factorisations become those of upper triangles, large ones loops over blocks of rows.

For each block of rows of the upper factor, matrix products subtract what the rows above contribute; the block on the
diagonal is factored by the op itself, and a triangular solve with it gives the rest of the rows (a left-looking
factorisation over blocks). A lower factor is the transpose of the upper one of the transpose. The triangle that the op
does not read may hold anything.

Needs: static shapes. Leaves: `cholesky` and `triangular_solve` of matrices of at most `FACTORIZATION_SIZE` rows, upper
ones except where they are small. 16-bit floats are computed in f32. The triangle that the factor does not fill is zero;
where a matrix is not positive definite, the other one is NaN.

    %0 = stablehlo.cholesky %a, lower = false : tensor<4x512x512xf32>

becomes

    %0:2 = stablehlo.while(%i = %zero, %u = %zeros) : tensor<i32>, tensor<4x512x512xf32>
      cond { %i < 4 } do {
        %rows = stablehlo.dynamic_slice %a, %0, %start, %0, sizes = [4, 128, 512]
        %rest:2 = stablehlo.while(%k = %zero, %r = %rows) ...       // less the products with the blocks of %u above
        %diagonal = stablehlo.dynamic_slice %rest#1, %0, %0, %start, sizes = [4, 128, 128]
        %factor = stablehlo.cholesky %diagonal, lower = false : tensor<4x128x128xf32>
        %solved = "stablehlo.triangular_solve"(%factor, %rest#1) <{transpose_a = ADJOINT, ...}>
        %next = stablehlo.dynamic_update_slice %u, %upper_triangle_of_solved, %0, %start, %0
      }

XLA's CholeskyExpander has the same blocks, unrolled, and treats the columns of a block one by one.
"""

from __future__ import annotations

from math import nan, prod
from typing import ClassVar

from xdsl.dialects.builtin import i32

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import Transpose
from ...ir.expansion import ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder


def cholesky(op: stablehlo.CholeskyOp, builder: TensorBuilder) -> Tensor | None:
    (a,) = builder.wrap(op.a)
    if 0 in a.shape:
        return a
    shape, size = a.shape, a.shape[-1]
    is_lower = bool(op.lower.value.data)
    is_swapped = is_lower and size > builder.model.factorizations.strided_factorization_size
    wide = a.widened()
    if size <= builder.model.factorizations.factorization_size:
        if wide is a and not is_swapped:
            return None
        factor = (wide.swapped() if is_swapped else wide).cholesky(is_lower and not is_swapped)
    else:
        matrices = wide.reshape((prod(shape[:-2]), size, size))
        factor = upper_factor(matrices.swapped() if is_swapped else matrices, builder)
        factor = _nan_where_failed(factor, builder)
    return (factor.swapped() if is_swapped else factor).reshape(shape).convert(a.element_type)


def upper_factor(a: Tensor, builder: TensorBuilder) -> Tensor:
    """The upper factor of each matrix of a batch, zero below the diagonal; NaN from the row on where it fails."""
    size, block = a.shape[1], builder.model.factorizations.factorization_block
    count = -(-size // block)
    a = with_ones_behind(a, count * block, builder)

    def body(index: Tensor, state: list[Tensor]) -> list[Tensor]:
        (factor,) = state
        start = index * block

        def subtract(above: Tensor, state: list[Tensor]) -> list[Tensor]:
            rows = factor.dynamic_slice({1: above * block}, {1: block})
            columns = rows.dynamic_slice({2: start}, {2: block}).conjugate()
            return [state[0] - columns.dot(rows, ([0], [0]), ([1], [1]))]

        (rest,) = builder.loop(index, [a.dynamic_slice({1: start}, {1: block})], subtract)
        solved = rest.dynamic_slice({2: start}, {2: block}).cholesky(False).solve(rest, Transpose.ADJOINT)
        row, column = (builder.iota(i32, solved.shape, dim) for dim in (1, 2))
        is_left = column.less(row + start.broadcast(row.shape, ()))
        return [factor.updated(is_left.select(solved.number(0), solved), {1: start})]

    (factor,) = builder.loop(count, [a.number(0)], body)
    return factor.slice({1: (0, size), 2: (0, size)})


def with_ones_behind(a: Tensor, size: int, builder: TensorBuilder) -> Tensor:
    """Square matrices enlarged to `size`, with ones on the new part of the diagonal."""
    rows = a.shape[1]
    if size == rows:
        return a
    a = a.pad({1: size - rows, 2: size - rows})
    row, column = (builder.iota(i32, a.shape, dim) for dim in (1, 2))
    return (row.greater(rows - 1) & row.equals(column)).select(a.number(1), a)


def _nan_where_failed(factor: Tensor, builder: TensorBuilder) -> Tensor:
    """NaN in the whole triangle of a matrix whose last pivot is NaN."""
    size = factor.shape[1]
    last = factor.real().slice({1: (size - 1, size), 2: (size - 1, size)})
    failed = last.compare(stablehlo.ComparisonDirection.NE, last).reshape(factor.shape[:1])
    row, column = (builder.iota(i32, factor.shape, dim) for dim in (1, 2))
    is_in_triangle = column.compare(stablehlo.ComparisonDirection.GE, row)
    return (failed.broadcast(factor.shape, (0,)) & is_in_triangle).select(factor.number(nan), factor)


class StablehloExpandCholeskyPass(ExpansionPass):
    """Replace Cholesky factorisations. See the module's documentation."""

    name = "stablehlo-expand-cholesky"

    EXPANDED: ClassVar = {stablehlo.CholeskyOp: cholesky}
