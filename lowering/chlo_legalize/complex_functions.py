"""chlo functions of complex numbers."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import Float32Type, Float64Type, f64
from xdsl.ir import Operation

from ...dialects import chlo, stablehlo
from ...errors import UnsupportedError
from ...ir.expansion import Expansion
from ...ir.tensor_builder import TensorBuilder
from ...ir.tensors import Tensor
from . import inverse_functions
from .formulas import is_single
from .inverse_functions import Complex


def sinh(op: Operation, builder: TensorBuilder) -> Tensor:
    """The sine with real and imaginary part exchanged before and after: `sinh(x + iy) = -i sin(i (x + iy))`."""
    (z,) = builder.wrap(*op.operands)
    x, y = z.real(), z.imaginary()
    sine = y.with_imaginary(x).apply(stablehlo.SineOp)
    real, imaginary = sine.real(), sine.imaginary()
    return imaginary.with_imaginary(real)


def cosh(op: Operation, builder: TensorBuilder) -> Tensor:
    """`cosh(x + iy) = cos(i (x + iy))`."""
    (z,) = builder.wrap(*op.operands)
    x, y = z.real(), z.imaginary()
    return (-y).with_imaginary(x).apply(stablehlo.CosineOp)


def _in_double(function: Callable[[Complex], Complex]) -> Expansion:
    """`function` of parts in double precision, rounded to the type of the operand."""

    def decompose(op: Operation, builder: TensorBuilder) -> Tensor:
        (z,) = builder.wrap(*op.operands)
        x, y = z.real(), z.imaginary()
        if not isinstance(x.element_type, Float32Type | Float64Type):
            raise UnsupportedError(f"{op.name} of {z.element_type} has no decomposition", op)
        result = function(Complex(x.convert(f64), y.convert(f64), is_single(x)))
        return result.re.convert(x.element_type).with_imaginary(result.im.convert(x.element_type))

    return decompose


COMPLEX_FUNCTIONS: dict[type[Operation], Expansion] = {
    chlo.AcosOp: _in_double(inverse_functions.acos),
    chlo.AcoshOp: _in_double(inverse_functions.acosh),
    chlo.AsinAcosKernelOp: _in_double(inverse_functions.kernel),
    chlo.AsinOp: _in_double(inverse_functions.asin),
    chlo.AsinhOp: _in_double(inverse_functions.asinh),
    chlo.AtanOp: _in_double(inverse_functions.atan),
    chlo.AtanhOp: _in_double(inverse_functions.atanh),
    chlo.CoshOp: cosh,
    chlo.SinhOp: sinh,
}
"""Op to the function that emits its decomposition."""
