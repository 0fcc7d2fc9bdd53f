"""`stablehlo-expand-lapack`: calls of LAPACK become the ops of StableHLO that say the same.

JAX writes factorisations for CPUs as custom calls. `lapack_<type>potrf_ffi` becomes `cholesky`, with the operand kept
in the triangle that the factor does not fill, as the routine leaves it there, and a status that is 1 where a matrix is
not positive definite (LAPACK gives the order of the first minor that is not). `lapack_<type>trsm_ffi` becomes
`triangular_solve`. Layouts are ignored: they say how XLA stores the operands.

Needs: static shapes. Leaves: other custom calls as they are.

    %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, ...}
        : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)

becomes

    %l = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
    %0 = stablehlo.select %row_not_less_than_column, %l, %a : tensor<4x4xi1>, tensor<4x4xf32>
    %1 = stablehlo.convert %first_element_is_nan : (tensor<i1>) -> tensor<i32>

Other routines, and `potrf` of large matrices, are called (`stablehlo_call_lapack.py`). What neither pass replaces is
done as the reference does it.

The options are those of jaxlib's `lapack_kernels`: characters, as LAPACK takes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.utils.exceptions import VerifyException

from ...dialects import stablehlo
from ...dialects.stablehlo.attributes import ComparisonDirection, Transpose
from ...dialects.stablehlo.lapack_calls import SHAPE_OPERANDS, options_of, verify_factorization
from ...errors import InvalidProgramError, UnsupportedError
from ...ir.expansion import ExpansionPass
from ...ir.tensor_builder import Tensor, TensorBuilder

FORMS = {"N": Transpose.NO_TRANSPOSE, "T": Transpose.TRANSPOSE, "C": Transpose.ADJOINT}


def _option(op: stablehlo.CustomCallOp, name: str) -> str:
    """A letter among the options of the call, empty if it is missing."""
    value = options_of(op).get(name)
    return chr(value.value.data) if isinstance(value, IntegerAttr) else ""


def potrf(op: stablehlo.CustomCallOp, builder: TensorBuilder) -> list[Tensor]:
    (a,) = builder.wrap(*op.inputs)
    is_lower = _option(op, "uplo") != "U"
    factor = a.cholesky(is_lower)
    row, column = (builder.iota(i32, a.shape, dim) for dim in (a.rank - 2, a.rank - 1))
    direction = ComparisonDirection.GE if is_lower else ComparisonDirection.LE
    in_triangle = row.compare(direction, column).select(factor, a)
    if 0 in a.shape:
        return [in_triangle, builder.splat(i32, a.shape[:-2], 0)]
    # Where it fails, the whole triangle is NaN.
    first = factor.slice({a.rank - 2: (0, 1), a.rank - 1: (0, 1)}).real().reshape(a.shape[:-2])
    return [in_triangle, first.compare(ComparisonDirection.NE, first).convert(i32)]


def trsm(op: stablehlo.CustomCallOp, builder: TensorBuilder) -> list[Tensor]:
    a, b = builder.wrap(*op.inputs)
    side, triangle, diagonal, form = (_option(op, name) for name in ("side", "uplo", "diag", "trans_x"))
    is_left, is_lower, has_unit_diagonal = side == "L", triangle == "L", diagonal == "U"
    return [a.solve(b, FORMS[form], is_left=is_left, is_lower=is_lower, has_unit_diagonal=has_unit_diagonal)]


ROUTINES: dict[str, Callable[[stablehlo.CustomCallOp, TensorBuilder], list[Tensor]]] = {
    **{f"lapack_{type}potrf_ffi": potrf for type in "sdcz"},
    **{f"lapack_{type}trsm_ffi": trsm for type in "sdcz"},
}


def custom_call(op: stablehlo.CustomCallOp, builder: TensorBuilder) -> list[Tensor] | None:
    routine = ROUTINES.get(op.call_target_name.data)
    if routine is None:
        return None
    check_form(op)
    return routine(op, builder)


def check_form(op: stablehlo.CustomCallOp) -> None:
    """Raises an error if `op`, whose shapes may have been dynamic when it was verified, has another form."""
    if SHAPE_OPERANDS in op.attributes:
        raise UnsupportedError(f"{op.name}: operands are shapes still; run stablehlo-refine-shapes first", op)
    try:
        verify_factorization(op)
    except VerifyException as error:
        raise InvalidProgramError(str(error), op) from error


class StablehloExpandLapackPass(ExpansionPass):
    """Replace calls of LAPACK. See the module's documentation."""

    name = "stablehlo-expand-lapack"

    EXPANDED: ClassVar = {stablehlo.CustomCallOp: custom_call}
