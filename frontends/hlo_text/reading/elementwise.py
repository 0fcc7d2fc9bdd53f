"""Instructions that compute each element from the elements at the same place."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects import chlo, stablehlo
from ....dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonDirectionAttr,
    ComparisonType,
    ComparisonTypeAttr,
)
from ....dialects.stablehlo.element_types import ElementKind, element_kind
from .site import HANDLERS, Handler, HloValue, Site, pack

UNARY: dict[str, type[Operation]] = {
    "abs": stablehlo.AbsOp,
    "acos": chlo.AcosOp,
    "acosh": chlo.AcoshOp,
    "asin": chlo.AsinOp,
    "asinh": chlo.AsinhOp,
    "atan": chlo.AtanOp,
    "atanh": chlo.AtanhOp,
    "cbrt": stablehlo.CbrtOp,
    "ceil": stablehlo.CeilOp,
    "convert": stablehlo.ConvertOp,
    "cosh": chlo.CoshOp,
    "cosine": stablehlo.CosineOp,
    "count-leading-zeros": stablehlo.ClzOp,
    "erf": chlo.ErfOp,
    "exponential": stablehlo.ExpOp,
    "exponential-minus-one": stablehlo.Expm1Op,
    "floor": stablehlo.FloorOp,
    "imag": stablehlo.ImagOp,
    "is-finite": stablehlo.IsFiniteOp,
    "log": stablehlo.LogOp,
    "log-plus-one": stablehlo.Log1pOp,
    "logistic": stablehlo.LogisticOp,
    "negate": stablehlo.NegOp,
    "not": stablehlo.NotOp,
    "popcnt": stablehlo.PopulationCountOp,
    "real": stablehlo.RealOp,
    "round-nearest-afz": stablehlo.RoundOp,
    "round-nearest-even": stablehlo.RoundNearestEvenOp,
    "rsqrt": stablehlo.RsqrtOp,
    "sign": stablehlo.SignOp,
    "sine": stablehlo.SineOp,
    "sinh": chlo.SinhOp,
    "sqrt": stablehlo.SqrtOp,
    "tan": stablehlo.TanOp,
    "tanh": stablehlo.TanhOp,
}
"""Opcodes with one operand and no attributes."""

BINARY: dict[str, type[Operation]] = {
    "add": stablehlo.AddOp,
    "and": stablehlo.AndOp,
    "atan2": stablehlo.Atan2Op,
    "complex": stablehlo.ComplexOp,
    "divide": stablehlo.DivOp,
    "maximum": stablehlo.MaxOp,
    "minimum": stablehlo.MinOp,
    "mulhi": chlo.MulhiOp,
    "multiply": stablehlo.MulOp,
    "or": stablehlo.OrOp,
    "power": stablehlo.PowOp,
    "remainder": stablehlo.RemOp,
    "shift-left": stablehlo.ShiftLeftOp,
    "shift-right-arithmetic": stablehlo.ShiftRightArithmeticOp,
    "shift-right-logical": stablehlo.ShiftRightLogicalOp,
    "subtract": stablehlo.SubtractOp,
    "xor": stablehlo.XorOp,
}
"""Opcodes with two operands and no attributes."""

TERNARY: dict[str, type[Operation]] = {"clamp": stablehlo.ClampOp}
"""Opcodes with three operands and no attributes."""


def plain(op_type: type[Operation], arity: int) -> Handler:
    """The handler of an opcode that is `op_type` without further ado."""
    return lambda site: site.emit(op_type, site.tensors(arity))


def _copy(site: Site) -> HloValue:
    """Layouts are no part of a value, so a copy is the value itself."""
    (value,) = site.values(1)
    site.assume(site.operand_shape(0))
    if site.types() != site.types(site.operand_shape(0)):
        site.error("operand and result differ in type")
    return value


def _select(site: Site) -> HloValue:
    """Of two tuples it is that of their elements."""
    predicate, *cases = site.values(3)
    if not isinstance(predicate, SSAValue):
        site.error("operand 0 is a tuple")
    if all(isinstance(case, SSAValue) for case in cases):
        return site.emit(stablehlo.SelectOp, site.tensors(3))
    site.assume(site.operand_shape(1))
    columns = [site.leaves(case, site.operand_shape(index)) for index, case in enumerate(cases, 1)]
    if not all([leaf.type for leaf in column] == site.types() for column in columns):
        site.error("the operands and the result differ in shape")
    chosen = [site.new(stablehlo.SelectOp(predicate, *pair)) for pair in zip(*columns, strict=True)]
    return pack(site.shape, iter(chosen))


def _compare(site: Site) -> HloValue:
    direction = site.member(ComparisonDirection, site.word("direction"))
    order = site.member(ComparisonType, site.word("type")) if site.has("type") else _comparison_type(site)
    properties: dict[str, Attribute] = {
        "comparison_direction": ComparisonDirectionAttr(direction),
        "compare_type": ComparisonTypeAttr(order),
    }
    return site.emit(stablehlo.CompareOp, site.tensors(2), properties)


def _comparison_type(site: Site) -> ComparisonType:
    """The order that the element type has by itself."""
    kind = element_kind(site.array_shape(0).element_type)
    if kind in ElementKind.FLOAT | ElementKind.COMPLEX:
        return ComparisonType.FLOAT
    return ComparisonType.SIGNED if kind is ElementKind.SIGNED else ComparisonType.UNSIGNED


def _reduce_precision(site: Site) -> HloValue:
    bits = {name: site.integer(name) for name in ("exponent_bits", "mantissa_bits")}
    for name, count in bits.items():
        if not 0 <= count < 64:
            site.error(f"{name}={count}: no float has so many bits")
    properties = {name: IntegerAttr(count, i32) for name, count in bits.items()}
    return site.emit(stablehlo.ReducePrecisionOp, site.tensors(1), properties)


def _stochastic_convert(site: Site) -> HloValue:
    site.unsupported("has no counterpart in StableHLO")


for arity, table in enumerate((UNARY, BINARY, TERNARY), 1):
    HANDLERS.update({opcode: plain(op_type, arity) for opcode, op_type in table.items()})
HANDLERS.update(
    {
        "compare": _compare,
        "copy": _copy,
        "domain": _copy,
        "reduce-precision": _reduce_precision,
        "select": _select,
        "stochastic-convert": _stochastic_convert,
        "tuple-select": _select,
    }
)
