"""Elementary functions as IR: each operation becomes one op in front of an anchor, on scalars or on vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerType, f32, f64, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.shared_attributes import i64_attribute, vector_type
from ..emission import Emission
from .arithmetic import DOUBLE, SINGLE, Arithmetic, Float, Format, Integer, Mask

_OPS: dict[str, tuple[type[Operation], Mapping[str, Attribute]]] = {
    **{op_class.name: (op_class, {}) for op_class in (*arith.Arith.operations, *math.Math.operations)},
    **{
        f"arith.cmpf {predicate}": (
            arith.CmpfOp,
            {"fastmath": arith.FastMathFlagsAttr("none"), "predicate": i64_attribute(number)},
        )
        for number, predicate in enumerate(arith.CMPF_COMPARISON_OPERATIONS)
    },
    "arith.cmpi eq": (arith.CmpiOp, {"predicate": i64_attribute(0)}),
}
_OUTSIDE = {"at_least": "arith.cmpf olt", "at_most": "arith.cmpf ogt"}
"""How numbers compare to a bound that take its value."""


class IRArithmetic(Arithmetic):
    """Arithmetic on values of a format, or on vectors of `shape` of them."""

    def __init__(
        self, emission: Emission, format: Format, fused: bool, shape: Sequence[int] = (), flushes: bool = False
    ) -> None:
        self.emission = emission
        self.format = format
        self.fused = fused
        self.flushes = flushes
        self.shape = shape
        elements = {Float: f32 if format is SINGLE else f64, Integer: IntegerType(format.bits), Mask: i1}
        self.types: dict[type, Attribute] = {
            kind: vector_type(element, *shape) if shape else element for kind, element in elements.items()
        }

    def double(self) -> IRArithmetic:
        return IRArithmetic(self.emission, DOUBLE, self.fused, self.shape, self.flushes)

    def number(self, kind: type, value: float) -> SSAValue:
        return self.emission.number(value, self.types[kind])

    def apply(self, kind: type, operation: str, *operands: SSAValue) -> SSAValue:
        if (outside := _OUTSIDE.get(operation)) is not None:
            value, bound = operands
            return self.apply(kind, "arith.select", self.apply(Mask, outside, value, bound), bound, value)
        op_class, properties = _OPS[operation]
        return self.emission.insert(op_class, operands, self.types[kind], properties)
