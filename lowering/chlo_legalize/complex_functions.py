"""chlo functions of complex numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects.builtin import ComplexType, Float32Type, Float64Type, f64
from xdsl.ir import Operation, SSAValue

from ...dialects import chlo, stablehlo
from ...errors import UnsupportedError
from . import inverse_functions
from .expression import Emitter, Expression
from .inverse_functions import Complex


def _parts(z: Expression) -> tuple[Expression, Expression]:
    part = cast("ComplexType[Float32Type | Float64Type]", z.element_type).element_type
    return z.apply(stablehlo.RealOp, part), z.apply(stablehlo.ImagOp, part)


def _from_parts(emitter: Emitter, x: Expression, y: Expression, like: Expression) -> Expression:
    return Expression(emitter, emitter.emit(stablehlo.ComplexOp, (x.value, y.value), like.type))


def sinh(op: Operation, emitter: Emitter) -> SSAValue:
    """The sine with real and imaginary part exchanged before and after: `sinh(x + iy) = -i sin(i (x + iy))`."""
    (z,) = emitter.operands()
    x, y = _parts(z)
    real, imaginary = _parts(_from_parts(emitter, y, x, z).apply(stablehlo.SineOp))
    return _from_parts(emitter, imaginary, real, z).value


def cosh(op: Operation, emitter: Emitter) -> SSAValue:
    """`cosh(x + iy) = cos(i (x + iy))`."""
    (z,) = emitter.operands()
    x, y = _parts(z)
    return _from_parts(emitter, -y, x, z).apply(stablehlo.CosineOp).value


def _in_double(function: Callable[[Complex], Complex]) -> Callable[[Operation, Emitter], SSAValue]:
    """`function` of parts in double precision, rounded to the type of the operand."""

    def decompose(op: Operation, emitter: Emitter) -> SSAValue:
        (z,) = emitter.operands()
        x, y = _parts(z)
        if not isinstance(x.element_type, Float32Type | Float64Type):
            raise UnsupportedError(f"{op.name} of {z.element_type} has no decomposition", op)
        result = function(Complex(x.convert(f64), y.convert(f64), x.is_single))
        re, im = result.re.convert(x.element_type), result.im.convert(x.element_type)
        return _from_parts(emitter, re, im, z).value

    return decompose


COMPLEX_FUNCTIONS: dict[type[Operation], Callable[[Operation, Emitter], SSAValue]] = {
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
