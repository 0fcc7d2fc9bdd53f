"""`stablehlo-expand-triangular-solve`: large triangular systems become loops over blocks of rows.

What the blocks found before contribute to a block of unknowns comes from one matrix product; the block itself is a
system with a block of the diagonal, which stays an op. Large systems are brought to `a x = b` first: `x a = b` by
transposing both sides, transposed and conjugated coefficients by transposing and conjugating `a`. An upper triangle is
walked from the last block to the first. The triangle that the op does not read may hold anything.

Needs: static shapes. Leaves: `triangular_solve` of at most `FACTORIZATION_SIZE` rows, with the unknown on the left
except where they are small. 16-bit floats are computed in f32. A zero on the diagonal gives infinities and NaN, as the
division does.

    %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, ...}>
        : (tensor<4x512x512xf32>, tensor<4x512x8xf32>) -> tensor<4x512x8xf32>

becomes

    %0:2 = stablehlo.while(%i = %zero, %x = %zeros) : tensor<i32>, tensor<4x512x8xf32>
      cond { %i < 4 } do {
        %rows = stablehlo.dynamic_slice %a, %0, %start, %0, sizes = [4, 128, 512]
        %known = stablehlo.select %left_of_start, %rows, %0
        %product = stablehlo.dot_general %known, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1]
        %rest = stablehlo.subtract %rows_of_b, %product
        %solved = "stablehlo.triangular_solve"(%diagonal, %rest) <{left_side = true, lower = true, ...}>
        %next = stablehlo.dynamic_update_slice %x, %solved, %0, %start, %0
      }

The blocks are those of XLA's TriangularSolveExpander, which inverts the diagonal blocks instead.
"""

from __future__ import annotations

from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import i32

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import Transpose
from ...ir.expansion import ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder
from .stablehlo_expand_cholesky import with_ones_behind


def triangular_solve(op: stablehlo.TriangularSolveOp, builder: TensorBuilder) -> Tensor | None:
    a, b = builder.wrap(op.a, op.b)
    if 0 in b.shape:
        return b
    element_type, shape, is_left = b.element_type, b.shape, bool(op.left_side.value.data)
    rows, model = shape[-2 if is_left else -1], builder.model.factorizations
    is_large = rows > model.factorization_size
    is_swapped = not is_left and (is_large or rows > model.strided_factorization_size)
    if b.widened() is b and not is_swapped and not is_large:
        return None
    form, is_lower, has_unit_diagonal = (
        op.transpose_a.data,
        bool(op.lower.value.data),
        bool(op.unit_diagonal.value.data),
    )
    batch = prod(shape[:-2])
    a, b = (x.reshape((batch, *x.shape[-2:])) if is_large else x for x in (a.widened(), b.widened()))
    if is_swapped or is_large:
        if form == Transpose.ADJOINT:
            a = a.conjugate()
        # x a = b is the system of the transposes.
        form = Transpose.TRANSPOSE if (form == Transpose.NO_TRANSPOSE) != is_left else Transpose.NO_TRANSPOSE
    if is_large and form == Transpose.TRANSPOSE:
        a, is_lower = a.swapped(), not is_lower
    b = b.swapped() if is_swapped else b
    if is_large:
        x = solve(a, b, is_lower, has_unit_diagonal, builder)
    else:
        is_left = is_left or is_swapped
        x = a.solve(b, form, is_left=is_left, is_lower=is_lower, has_unit_diagonal=has_unit_diagonal)
    return (x.swapped() if is_swapped else x).reshape(shape).convert(element_type)


def solve(a: Tensor, b: Tensor, is_lower: bool, has_unit_diagonal: bool, builder: TensorBuilder) -> Tensor:
    """x with a x = b, for batches of matrices; of `a`, the other triangle is not read."""
    rows, block = b.shape[1], builder.model.factorizations.factorization_block
    count = -(-rows // block)
    a, b = with_ones_behind(a, count * block, builder), b.pad({1: count * block - rows})

    def body(index: Tensor, state: list[Tensor]) -> list[Tensor]:
        (x,) = state
        start = (index if is_lower else count - 1 - index) * block
        coefficients = a.dynamic_slice({1: start}, {1: block})
        columns = builder.iota(i32, coefficients.shape, 2)
        if is_lower:
            is_known = columns.less(start.broadcast(columns.shape, ()))
        else:
            is_known = columns.greater((start + (block - 1)).broadcast(columns.shape, ()))
        product = is_known.select(coefficients, 0).dot(x, ([0], [0]), ([2], [1]))
        rest = b.dynamic_slice({1: start}, {1: block}) - product
        diagonal = coefficients.dynamic_slice({2: start}, {2: block})
        solved = diagonal.solve(rest, is_lower=is_lower, has_unit_diagonal=has_unit_diagonal)
        return [x.updated(solved, {1: start})]

    (x,) = builder.loop(count, [b.number(0)], body)
    return x.slice({1: (0, rows)})


class StablehloExpandTriangularSolvePass(ExpansionPass):
    """Replace triangular solves. See the module's documentation."""

    name = "stablehlo-expand-triangular-solve"

    EXPANDED: ClassVar = {stablehlo.TriangularSolveOp: triangular_solve}
