"""Elementary functions as IR: each operation becomes one op in front of an anchor, on scalars or on vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import IntegerType, f32, f64, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects.editing import erase, insert_before, new_op
from ....dialects.shared_attributes import i64_attribute, vector_type
from ..emission import Emission
from .arithmetic import DOUBLE, SINGLE, Arithmetic, Float, Format, Integer, Mask, Value

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
    """Arithmetic on values of a format, or on vectors of `shape` of them. `branches`: whether there may be branches: a
    number on its own waits for each op, and takes the shorter way where there is one.
    """

    def __init__(
        self,
        emission: Emission,
        format: Format,
        fused: bool,
        shape: Sequence[int] = (),
        flushes: bool = False,
        branches: bool = False,
    ) -> None:
        self.emission = emission
        self.format = format
        self.fused = fused
        self.flushes = flushes
        self.shape = shape
        self.branches = branches
        elements = {Float: f32 if format is SINGLE else f64, Integer: IntegerType(format.bits), Mask: i1}
        self.types: dict[type, Attribute] = {
            kind: vector_type(element, *shape) if shape else element for kind, element in elements.items()
        }

    def double(self) -> IRArithmetic:
        return IRArithmetic(self.emission, DOUBLE, self.fused, self.shape, self.flushes, self.branches)

    def number(self, kind: type, value: float) -> SSAValue:
        return self.emission.number(value, self.types[kind])

    def either(
        self, condition: Mask, short: Callable[[], tuple[Value, ...]], general: Callable[[], tuple[Value, ...]]
    ) -> tuple[Value, ...]:
        if not self.branches:
            return general()
        (first, _), (second, values) = self._region(short), self._region(general)
        types = [cast(IRArithmetic, value.arithmetic).types[value.__class__] for value in values]
        op = new_op(
            scf.IfOp, [condition.handle], types, regions=[first, second], location=self.emission.anchor.location
        )
        insert_before(op, self.emission.anchor)
        return tuple(
            value.__class__(value.arithmetic, result) for value, result in zip(values, op.results, strict=True)
        )

    def _region(self, values: Callable[[], tuple[Value, ...]]) -> tuple[Region, tuple[Value, ...]]:
        """A region that yields some values, and these."""
        outside = self.emission.anchor
        end = new_op(scf.YieldOp, location=outside.location)
        block = Block([end])
        self.emission.anchor = end
        found = values()
        self.emission.anchor = outside
        block.add_op(new_op(scf.YieldOp, [value.handle for value in found], location=outside.location))
        erase(end)
        return Region(block), found

    def apply(self, kind: type, operation: str, *operands: SSAValue) -> SSAValue:
        if (outside := _OUTSIDE.get(operation)) is not None:
            value, bound = operands
            return self.apply(kind, "arith.select", self.apply(Mask, outside, value, bound), bound, value)
        op_class, properties = _OPS[operation]
        return self.emission.insert(op_class, operands, self.types[kind], properties)
