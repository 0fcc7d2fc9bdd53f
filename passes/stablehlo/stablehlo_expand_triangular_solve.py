"""`stablehlo-expand-triangular-solve`: triangular systems become loops over blocks of rows.

The rows of a block of unknowns are found one after the other, each by a division and an update of the rows that are
left; what the blocks found before contribute comes from one matrix product per block. All forms are brought to
`a x = b` first: `x a = b` by transposing both sides, transposed and conjugated coefficients by transposing and
conjugating `a`. An upper triangle is walked from the last block to the first. The triangle that the op does not read
may hold anything.

Needs: static shapes. Leaves: no `triangular_solve`. 16-bit floats are computed in f32. A zero on the diagonal gives
infinities and NaN, as the division does.

    %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, ...}>
        : (tensor<4x256x256xf32>, tensor<4x256x8xf32>) -> tensor<4x256x8xf32>

becomes

    %0:2 = stablehlo.while(%i = %zero, %x = %zeros) : tensor<i32>, tensor<4x256x8xf32>
      cond { %i < 8 } do {
        %rows = stablehlo.dynamic_slice %a, %0, %start, %0, sizes = [4, 32, 256]
        %known = stablehlo.select %left_of_start, %rows, %0
        %product = stablehlo.dot_general %known, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1]
        %rest = stablehlo.subtract %rows_of_b, %product
        %solved:2 = stablehlo.while(%k = %zero, %r = %rest) ...     // 32 rows, one by one
        %next = stablehlo.dynamic_update_slice %x, %solved#1, %0, %start, %0
      }

The blocks are those of XLA's TriangularSolveExpander, which inverts the diagonal blocks instead.
"""

from __future__ import annotations

from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import i32

from ...cost_model import FACTORIZATION_BLOCK
from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import Transpose
from ...dialects.stablehlo.shapes import shape_of
from .expansion import ExpansionPass
from .tensor_builder import Tensor, TensorBuilder, swap_last


def triangular_solve(op: stablehlo.TriangularSolveOp, builder: TensorBuilder) -> Tensor:
    a, b = builder.wrap(op.a, op.b)
    if 0 in b.shape:
        return b
    element_type, shape = b.element_type, shape_of(op.result)
    is_left, form = bool(op.left_side.value.data), op.transpose_a.data
    a, b = (x.widened().reshape((prod(shape[:-2]), *x.shape[-2:])) for x in (a, b))
    if form == Transpose.ADJOINT:
        a = a.conjugate()
    # A system with the unknown on the left is the one of all transposes.
    is_transposed = (form == Transpose.NO_TRANSPOSE) != is_left
    if is_transposed:
        a = swap_last(a)
    is_lower = bool(op.lower.value.data) != is_transposed
    x = solve(a, b if is_left else swap_last(b), is_lower, bool(op.unit_diagonal.value.data), builder)
    return (x if is_left else swap_last(x)).reshape(shape).convert(element_type)


def solve(a: Tensor, b: Tensor, is_lower: bool, has_unit_diagonal: bool, builder: TensorBuilder) -> Tensor:
    """x with a x = b, for batches of matrices; of `a`, the other triangle is not read."""
    rows = b.shape[1]
    block = min(rows, FACTORIZATION_BLOCK)
    count = -(-rows // block)
    if count == 1:
        return solve_block(a, b, is_lower, has_unit_diagonal, builder)
    padding = count * block - rows
    a, b = a.pad({1: padding, 2: padding}), b.pad({1: padding})

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
        if padding and not has_unit_diagonal:
            diagonal = _with_ones(diagonal, start, rows, builder)
        solved = solve_block(diagonal, rest, is_lower, has_unit_diagonal, builder)
        return [x.updated(solved, {1: start})]

    (x,) = builder.loop(count, [b.number(0)], body)
    return x.slice({1: (0, rows)})


def _with_ones(diagonal: Tensor, start: Tensor, size: int, builder: TensorBuilder) -> Tensor:
    """A block of the diagonal with ones on the rows behind those of the matrix, which has `size`."""
    row, column = (builder.iota(i32, diagonal.shape, dim) for dim in (1, 2))
    is_behind = (row + start.broadcast(row.shape, ())).greater(size - 1)
    return (is_behind & row.equals(column)).select(diagonal.number(1), diagonal)


def solve_block(a: Tensor, b: Tensor, is_lower: bool, has_unit_diagonal: bool, builder: TensorBuilder) -> Tensor:
    """As `solve`, row by row."""
    size = b.shape[1]

    def body(step: Tensor, state: list[Tensor]) -> list[Tensor]:
        (x,) = state
        index = step if is_lower else size - 1 - step
        row = x.dynamic_slice({1: index}, {1: 1})
        column = a.dynamic_slice({2: index}, {2: 1})
        if not has_unit_diagonal:
            pivot = column.dynamic_slice({1: index}, {1: 1})
            row = row / pivot.broadcast(row.shape, (0, 1, 2))
        number = builder.iota(i32, x.shape, 1)
        here = index.broadcast(x.shape, ())
        whole = row.broadcast(x.shape, (0, 1, 2))
        is_left = number.greater(here) if is_lower else number.less(here)
        updated = is_left.select(x - column.broadcast(x.shape, (0, 1, 2)) * whole, x)
        return [number.equals(here).select(whole, updated)]

    return builder.loop(size, [b], body)[0]


class StablehloExpandTriangularSolvePass(ExpansionPass):
    """Replace triangular solves. See the module's documentation."""

    name = "stablehlo-expand-triangular-solve"

    EXPANDED: ClassVar = {stablehlo.TriangularSolveOp: triangular_solve}
