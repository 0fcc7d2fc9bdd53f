"""Cholesky factors by `potrf` of LAPACK, triangular systems by `trsm` of BLAS.

Routines read matrices by columns: what they see of one that lies by rows is its transpose. So nothing is transposed: a
lower triangle is an upper one to them, and a system with the unknown on the left has it on the right. Of a Hermitian
matrix the transpose is the conjugate, whose upper factor is the transpose of the lower factor of the matrix itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan, prod
from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, IndexType, IntegerAttr, StringAttr, TensorType, i32, i64
from xdsl.ir import Attribute

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import ComparisonDirection, Transpose
from ...dialects.stablehlo.lapack_calls import ELEMENT_TYPES
from ...dialects.xrt_names import BATCH, PARAMETERS, ROUTINE, SPACES
from ...ir.tensor_builder import Tensor, TensorBuilder

LETTERS = {Transpose.NO_TRANSPOSE: "N", Transpose.TRANSPOSE: "T", Transpose.ADJOINT: "C"}
FORMS = {letter: form for form, letter in LETTERS.items()}


class Array(NamedTuple):
    """A parameter that is this one of the results of the call, or of what is only read, after them."""

    number: int


def call_routine(
    builder: TensorBuilder,
    name: str,
    parameters: Sequence[str | int | Array],
    begins: Sequence[Tensor],
    arrays: Sequence[TensorType[Attribute]],
    batch: Sequence[int],
    spaces: Sequence[TensorType[Attribute]] = (),
) -> list[Tensor]:
    """What a routine leaves in its `arrays`, the first of which begin as `begins`, and in its space. What else `begins`
    holds is read.
    """
    encoded = [
        StringAttr(each)
        if isinstance(each, str)
        else IntegerAttr(each.number, IndexType())
        if isinstance(each, Array)
        else IntegerAttr(each, i32)
        for each in parameters
    ]
    properties: dict[str, Attribute] = {
        "call_target_name": StringAttr(ROUTINE + name),
        "has_side_effect": IntegerAttr(0, 1),
        "api_version": IntegerAttr(1, i32),
    }
    attributes: dict[str, Attribute] = {
        PARAMETERS: ArrayAttr(encoded),
        BATCH: IntegerAttr(prod(batch), i64),
        SPACES: IntegerAttr(len(spaces), i64),
    }
    return builder.emit(stablehlo.CustomCallOp, begins, (*arrays, *spaces), properties, attributes=attributes)


def letter_of(element_type: Attribute) -> str:
    """What the names of routines for such elements begin with."""
    return next(letter for letter, type in ELEMENT_TYPES.items() if type == element_type)


def _calls_library(matrices: Tensor, rows: int, generated_rows: int) -> bool:
    """Whether there is a library, and it is called for matrices of so many rows."""
    from ...reference.lapack_addresses import is_there

    return rows > generated_rows and 0 not in matrices.shape and is_there()


def _factor_of_library(a: Tensor, is_lower: bool) -> list[Tensor] | None:
    """What `potrf` leaves, and its statuses; None where it is not called."""
    batch, size = a.shape[:-2], a.shape[-1]
    if not _calls_library(a, size, a.builder.model.factorizations.generated_factor_rows):
        return None
    parameters, types = ("U" if is_lower else "L", size, Array(0), size, Array(1)), (a.type, TensorType(i32, batch))
    return call_routine(a.builder, f"{letter_of(a.element_type)}potrf", parameters, (a,), types, batch)


def _generated_factor(a: Tensor, is_lower: bool) -> Tensor:
    if is_lower and a.shape[-1] > a.builder.model.factorizations.strided_rows:
        return a.swapped().cholesky(False).swapped()
    return a.cholesky(is_lower)


def factored(a: Tensor, is_lower: bool) -> list[Tensor]:
    """The Cholesky factors of a batch in their triangles, what was there in the others, and statuses: not 0 where a
    matrix is not positive definite.
    """
    if (found := _factor_of_library(a, is_lower)) is not None:
        return found
    if 0 in a.shape:
        return [a, a.builder.splat(i32, a.shape[:-2], 0)]
    factor = _generated_factor(a, is_lower)
    # Where it fails, the whole triangle is NaN.
    return [_in_triangle(a, is_lower).select(factor, a), _is_nan(_diagonal_element(factor, 0)).convert(i32)]


def factor(a: Tensor, is_lower: bool) -> Tensor:
    """The factors, with zeros in the other triangle; NaN in the whole triangle of one that there is not."""
    if (found := _factor_of_library(a, is_lower)) is None:
        return _generated_factor(a, is_lower)
    result, status = found
    failed = status.differs(0) | _is_nan(_diagonal_element(result, a.shape[-1] - 1))
    result = failed.broadcast(a.shape, range(a.rank - 2)).select(result.number(nan), result)
    return _in_triangle(a, is_lower).select(result, 0)


def _in_triangle(a: Tensor, is_lower: bool) -> Tensor:
    row, column = (a.builder.iota(i32, a.shape, dim) for dim in (a.rank - 2, a.rank - 1))
    return row.compare(ComparisonDirection.GE if is_lower else ComparisonDirection.LE, column)


def _diagonal_element(a: Tensor, place: int) -> Tensor:
    """Its real part, of each matrix."""
    at = (place, place + 1)
    return a.slice({a.rank - 2: at, a.rank - 1: at}).real().reshape(a.shape[:-2])


def _is_nan(x: Tensor) -> Tensor:
    return x.differs(x)


class System(NamedTuple):
    """Of a x = b, or x a = b unless `is_left`: how the coefficients are read."""

    form: Transpose
    is_left: bool
    is_lower: bool
    has_unit_diagonal: bool

    def solve(self, a: Tensor, b: Tensor) -> Tensor:
        """x, for batches of triangles a."""
        size, numbers = a.shape[-1], a.builder.model.factorizations
        if not _calls_library(b, size, numbers.generated_system_rows):
            return self._generated(a, b) if self.is_left or size <= numbers.strided_rows else self._swapped(a, b)
        batch, (rows, columns) = b.shape[:-2], b.shape[-2:]
        side, triangle = "R" if self.is_left else "L", "U" if self.is_lower else "L"
        letters = side, triangle, LETTERS[self.form], "U" if self.has_unit_diagonal else "N"
        parameters = *letters, columns, rows, Array(1), Array(2), size, Array(0), columns
        arrays = b, a.builder.splat(a.element_type, (prod(batch),), 1), a
        return call_routine(a.builder, f"{letter_of(a.element_type)}trsm", parameters, arrays, [b.type], batch)[0]

    def _generated(self, a: Tensor, b: Tensor) -> Tensor:
        form, is_left, is_lower, has_unit_diagonal = self
        return a.solve(b, form, is_left=is_left, is_lower=is_lower, has_unit_diagonal=has_unit_diagonal)

    def _swapped(self, a: Tensor, b: Tensor) -> Tensor:
        """x a = b as the system of the transposes."""
        a = a.conjugate() if self.form is Transpose.ADJOINT else a
        form = Transpose.TRANSPOSE if self.form is Transpose.NO_TRANSPOSE else Transpose.NO_TRANSPOSE
        return self._replace(form=form, is_left=True)._generated(a, b.swapped()).swapped()
