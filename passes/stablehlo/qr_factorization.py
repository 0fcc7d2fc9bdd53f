"""QR factorisations by Householder reflections, as StableHLO: what `stablehlo-expand-lapack` makes of `geqrf`, `orgqr`
and `ungqr`.

Step k finds `v` and `tau` such that the adjoint of `I - tau v v^H` takes the rest of column k to a multiple of the
first unit vector, and applies that to the columns on the right. In matrices of more than `QR_BLOCK` columns it reaches
to the end of a block of columns only; what is right of the block is multiplied by all its reflections at once,

    H_1 H_2 ... = I - V T V^H  with  T = (I + D S)^-1 D,

where D has the taus on its diagonal and S is what `V^H V` has above it: matrix products and a triangular solve (Golub
and Van Loan, "Matrix Computations", sections 5.1 and 5.2; C. Puglisi, "Modification of the Householder Method Based on
the Compact WY Representation", 1992). Columns are divided by their greatest element: no square overflows.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1, i32

from ...dialects import stablehlo
from ...dialects.element_sizes import element_bits
from ...dialects.stablehlo.attributes import ComparisonDirection, Transpose, TransposeAttr
from ...dialects.stablehlo.shapes import is_complex
from .tensor_builder import Tensor, TensorBuilder


def qr_factors(a: Tensor, builder: TensorBuilder) -> list[Tensor]:
    """R of matrices `...xMxN` with the reflections' vectors below it, and their factors tau, `...xK`, K = min(M, N).

    The first element of each vector is 1 and not stored.
    """
    batch, (rows, columns) = a.shape[:-2], a.shape[-2:]
    steps = min(rows, columns)
    if 0 in a.shape:
        return [a, builder.splat(a.element_type, (*batch, steps), 0)]
    reflections = _Reflections(builder, rows, columns, steps)
    matrices = a.reshape((prod(batch), rows, columns)).pad({2: reflections.columns - columns})
    taus = builder.splat(a.element_type, (prod(batch), reflections.steps), 0)

    def factor(index: Tensor, state: list[Tensor]) -> list[Tensor]:
        """One matrix of the batch in place of it."""
        found = reflections.found([_element(tensor, index) for tensor in state])
        return [
            tensor.updated(part.reshape((1, *part.shape)), {0: index})
            for tensor, part in zip(state, found, strict=True)
        ]

    matrices, taus = builder.loop(prod(batch), [matrices, taus], factor)
    return [matrices.slice({2: (0, columns)}).reshape(a.shape), taus.slice({1: (0, steps)}).reshape((*batch, steps))]


def reflections_product(a: Tensor, tau: Tensor, builder: TensorBuilder) -> Tensor:
    """The first columns, as many as `a` has, of the product of the reflections that `qr_factors` has left in `a`."""
    batch, (rows, columns), steps = a.shape[:-2], a.shape[-2:], tau.shape[-1]
    reflections = _Reflections(builder, rows, columns, steps)
    shape = (prod(batch), rows, reflections.columns)
    row, column = (builder.iota(i32, shape, dim) for dim in (1, 2))
    identity = row.equals(column).select(builder.splat(a.element_type, shape, 1), 0)
    if 0 in a.shape or steps == 0:
        return identity.slice({2: (0, columns)}).reshape(a.shape)
    vectors = a.reshape((prod(batch), rows, columns)).slice({2: (0, steps)}).pad({2: reflections.steps - steps})
    taus = tau.reshape((prod(batch), steps)).pad({1: reflections.steps - steps})

    def multiply(index: Tensor, state: list[Tensor]) -> list[Tensor]:
        product = reflections.applied(*(_element(tensor, index) for tensor in (*state, vectors, taus)))
        return [state[0].updated(product.reshape((1, *product.shape)), {0: index})]

    (products,) = builder.loop(prod(batch), [identity], multiply)
    return products.slice({2: (0, columns)}).reshape(a.shape)


class _Reflections:
    """Those of one matrix, `width` of them at a time. `steps` and `columns` include what fills the last block."""

    def __init__(self, builder: TensorBuilder, rows: int, columns: int, steps: int) -> None:
        self.builder = builder
        self.wanted, self.rows = steps, rows
        self.is_one_block = steps <= builder.model.factorizations.qr_block
        self.width = steps if self.is_one_block else builder.model.factorizations.qr_block
        self.steps, self.columns = (
            (steps, columns)
            if self.is_one_block
            else (_rounded_up(size, builder.model.factorizations.qr_block) for size in (steps, columns))
        )

    def found(self, state: Sequence[Tensor]) -> list[Tensor]:
        """R and the vectors in place of the matrix, the taus in place of zeros."""
        if self.is_one_block:
            return self.builder.loop(self.steps, state, lambda k, state: self.eliminate(k, k, state))
        return self.builder.loop(self.steps // self.width, state, self.block)

    def block(self, index: Tensor, state: list[Tensor]) -> list[Tensor]:
        """The reflections of `width` columns, applied to what is right of them."""
        matrix, taus = state
        start = index * self.width
        panel, taus = self.builder.loop(
            (start * -1 + self.wanted).minimum(self.width),
            [matrix.dynamic_slice({1: start}, {1: self.width}), taus],
            lambda k, state: self.eliminate(k, start + k, state),
        )
        some = _BlockReflection(
            self.builder, self.vectors(panel, start), taus.dynamic_slice({0: start}, {0: self.width}), True
        )
        matrix = self.multiplied(some, matrix.updated(panel, {1: start}), index + 1)
        return [matrix, taus]

    def applied(self, matrix: Tensor, vectors: Tensor, taus: Tensor) -> Tensor:
        """The product of the reflections and `matrix`, the first columns of the identity."""
        if self.is_one_block:
            start = self.builder.splat(i32, (), 0)
            return matrix - _BlockReflection(self.builder, self.vectors(vectors, start), taus, False).of(matrix)

        def multiply(index: Tensor, state: list[Tensor]) -> list[Tensor]:
            last = index * -1 + (self.steps // self.width - 1)
            start = last * self.width
            panel = vectors.dynamic_slice({1: start}, {1: self.width})
            some = _BlockReflection(
                self.builder, self.vectors(panel, start), taus.dynamic_slice({0: start}, {0: self.width}), False
            )
            return [self.multiplied(some, state[0], last)]

        (product,) = self.builder.loop(self.steps // self.width, [matrix], multiply)
        return product

    def multiplied(self, some: _BlockReflection, matrix: Tensor, first: Tensor) -> Tensor:
        """The columns of `matrix` from block `first` on multiplied by `some`; those on the left stay what they are."""

        def multiply(offset: Tensor, state: list[Tensor]) -> list[Tensor]:
            at = (first + offset) * self.width
            block = state[0].dynamic_slice({1: at}, {1: self.width})
            return [state[0].updated(block - some.of(block), {1: at})]

        (matrix,) = self.builder.loop(first * -1 + self.columns // self.width, [matrix], multiply)
        return matrix

    def vectors(self, panel: Tensor, start: Tensor) -> Tensor:
        """The vectors of a panel whose first one begins in row `start`, as columns."""
        row, column = (self.builder.iota(i32, panel.shape, dim) for dim in range(2))
        first = column + start.broadcast(column.shape, ())
        return row.greater(first).select(panel, row.equals(first).select(panel.number(1), 0))

    def eliminate(self, column: Tensor, row: Tensor, state: list[Tensor]) -> list[Tensor]:
        """The step for `column` of a panel, which is to become zero below `row`."""
        panel, taus = state
        elements = panel.dynamic_slice({1: column}, {1: 1}).reshape(panel.shape[:1])
        index = self.builder.iota(i32, elements.shape, 0)
        is_below, is_first = (
            index.compare(direction, row.broadcast(index.shape, ()))
            for direction in (ComparisonDirection.GT, ComparisonDirection.EQ)
        )
        first = elements.dynamic_slice({0: row}, {0: 1}).reshape(())
        reflection = _Reflection(first, is_below.select(elements, 0))
        vector = is_below.select(reflection.rest, is_first.select(elements.number(1), 0))
        vectors = vector.broadcast(panel.shape, (0,))
        is_rest = self._is_from(row, panel, 0)
        products = (vectors.conjugate() * is_rest.select(panel, 0)).sum([0])
        update = vectors * (reflection.tau.conjugate().broadcast(products.shape, ()) * products).broadcast(
            panel.shape, (1,)
        )
        is_changed = is_rest & self._is_from(column + 1, panel, 1) & reflection.is_needed.broadcast(panel.shape, ())
        panel = is_changed.select(panel - update, panel)
        eliminated = is_first.select(reflection.beta.broadcast(vector.shape, ()), is_below.select(vector, elements))
        is_column = self.builder.iota(i32, panel.shape, 1).equals(column.broadcast(panel.shape, ()))
        panel = is_column.select(eliminated.broadcast(panel.shape, (0,)), panel)
        return [panel, taus.updated(reflection.tau.reshape((1,)), {0: row})]

    def _is_from(self, start: Tensor, tensor: Tensor, dim: int) -> Tensor:
        """Whether the index of each element of `tensor` along `dim` is at least `start`."""
        index = self.builder.iota(i32, tensor.shape, dim)
        return index.compare(ComparisonDirection.GE, start.broadcast(tensor.shape, ()))


class _Reflection:
    """`I - tau v v^H`, whose adjoint takes the vector of `first` and `below` to `beta`, a real number, and zeros.

    `below` has zeros in place of the elements up to the first one; `rest` is `v` without its first element, 1. Not
    needed, `tau` and `rest` are zeros, and `beta` is `first`.
    """

    def __init__(self, first: Tensor, below: Tensor) -> None:
        largest_below = _size(below).reduce(stablehlo.MaxOp, 0, [0])
        is_needed = largest_below.equals(0).equals(False)
        if is_complex(first.element_type):
            is_needed = is_needed | first.imaginary().equals(0).equals(False)
        largest = _size(first).maximum(largest_below)
        scale = is_needed.select(largest, 1)
        first_scaled = _divided(first, scale)
        scaled = _divided(below, scale.broadcast(below.shape, ()))
        norm = (_square(scaled).sum([0]) + _square(first_scaled)).sqrt()
        beta = _is_negative(first.real()).select(norm, -norm)
        difference = first_scaled - beta.as_type_of(first)
        one = is_needed.select(difference, 1)
        self.is_needed = is_needed
        self.rest = scaled * (one.number(1) / one).broadcast(below.shape, ())
        self.tau = is_needed.select(_divided(-difference, beta), 0)
        self.beta = is_needed.select((beta * scale).as_type_of(first), first)


class _BlockReflection:
    """The product of several reflections, `I - V T V^H`, or its adjoint."""

    def __init__(self, builder: TensorBuilder, vectors: Tensor, taus: Tensor, is_adjoint: bool) -> None:
        self.builder = builder
        self.vectors = vectors
        self.taus = taus.conjugate() if is_adjoint else taus
        self.is_adjoint = is_adjoint
        gram = vectors.conjugate().dot(vectors, ((), ()), ([0], [0]))
        self.system = gram * self.taus.broadcast(gram.shape, (1 if is_adjoint else 0,))

    def of(self, matrix: Tensor) -> Tensor:
        """What the product subtracts from `matrix`, `V T V^H` times it."""
        products = self.vectors.conjugate().dot(matrix, ((), ()), ([0], [0]))
        taus = self.taus.broadcast(products.shape, (0,))
        # T^H = D^H (I + S^H D^H)^-1
        solved = self._solve(products) * taus if self.is_adjoint else self._solve(products * taus)
        return self.vectors.dot(solved, ((), ()), ([1], [0]))

    def _solve(self, right: Tensor) -> Tensor:
        """With the unit triangle that `system` holds."""
        properties = {
            "left_side": IntegerAttr(1, i1),
            "lower": IntegerAttr(int(self.is_adjoint), i1),
            "unit_diagonal": IntegerAttr(1, i1),
            "transpose_a": TransposeAttr(Transpose.NO_TRANSPOSE),
        }
        return self.builder.emit(stablehlo.TriangularSolveOp, (self.system, right), (right.type,), properties)[0]


def _rounded_up(size: int, block: int) -> int:
    return -(-size // block) * block


def _element(batch: Tensor, index: Tensor) -> Tensor:
    return batch.dynamic_slice({0: index}, {0: 1}).reshape(batch.shape[1:])


def _size(x: Tensor) -> Tensor:
    """The magnitude of a number, the greater one of those of the parts of a complex one."""
    size = x.real().apply(stablehlo.AbsOp)
    return size.maximum(x.imaginary().apply(stablehlo.AbsOp)) if is_complex(x.element_type) else size


def _square(x: Tensor) -> Tensor:
    """Of the magnitude."""
    square = x.real() * x.real()
    return square + x.imaginary() * x.imaginary() if is_complex(x.element_type) else square


def _divided(x: Tensor, real: Tensor) -> Tensor:
    if not is_complex(x.element_type):
        return x / real
    return (x.real() / real).with_imaginary(x.imaginary() / real)


def _is_negative(real: Tensor) -> Tensor:
    """Whether the sign is set, that of a zero included."""
    return real.bitcast(IntegerType(element_bits(real.element_type))).less(0)
