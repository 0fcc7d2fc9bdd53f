"""chlo functions of complex numbers that StableHLO has up to a rotation of operand and result."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects.builtin import ComplexType, Float32Type, Float64Type, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import chlo, stablehlo
from ...dialects.stablehlo.shapes import element_type_of, shape_of
from .expression import Emitter


def _parts(emitter: Emitter, z: SSAValue) -> tuple[SSAValue, SSAValue]:
    part = cast("ComplexType[Float32Type | Float64Type]", element_type_of(z)).element_type
    type = TensorType(cast(Attribute, part), shape_of(z))
    return emitter.emit(stablehlo.RealOp, (z,), type), emitter.emit(stablehlo.ImagOp, (z,), type)


def sinh(op: Operation, emitter: Emitter) -> SSAValue:
    """The sine with real and imaginary part exchanged before and after: `sinh(x + iy) = -i sin(i (x + iy))`."""
    (z,) = op.operands
    x, y = _parts(emitter, z)
    sine = emitter.emit(stablehlo.SineOp, (emitter.emit(stablehlo.ComplexOp, (y, x), z.type),), z.type)
    real, imaginary = _parts(emitter, sine)
    return emitter.emit(stablehlo.ComplexOp, (imaginary, real), z.type)


def cosh(op: Operation, emitter: Emitter) -> SSAValue:
    """`cosh(x + iy) = cos(i (x + iy))`."""
    (z,) = op.operands
    x, y = _parts(emitter, z)
    negated = emitter.emit(stablehlo.NegOp, (y,), y.type)
    rotated = emitter.emit(stablehlo.ComplexOp, (negated, x), z.type)
    return emitter.emit(stablehlo.CosineOp, (rotated,), z.type)


COMPLEX_FUNCTIONS: dict[type[Operation], Callable[[Operation, Emitter], SSAValue]] = {
    chlo.CoshOp: cosh,
    chlo.SinhOp: sinh,
}
"""Op to the function that emits its decomposition."""
