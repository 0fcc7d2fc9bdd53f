"""Elementary functions as IR: each operation becomes one op in front of an anchor, on scalars or on vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerType, f32, f64, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.shared_attributes import i64_attribute, vector_type
from ..emission import Emission
from .arithmetic import DOUBLE, SINGLE, Arithmetic, Format

_STRICT: Mapping[str, Attribute] = {"fastmath": arith.FastMathFlagsAttr("none")}
_WRAPS: Mapping[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}
_NONE: Mapping[str, Attribute] = {}

_FLOAT, _INTEGER, _MASK = range(3)
"""What an operation gives: the places of their types in `IRArithmetic.types`."""

_Op = tuple[type[Operation], int, Mapping[str, Attribute]]


def _compare(predicate: str) -> _Op:
    number = i64_attribute(arith.CMPF_COMPARISON_OPERATIONS.index(predicate))
    return arith.CmpfOp, _MASK, {**_STRICT, "predicate": number}


_OPS: dict[str, _Op] = {
    "add": (arith.AddfOp, _FLOAT, _STRICT),
    "subtract": (arith.SubfOp, _FLOAT, _STRICT),
    "multiply": (arith.MulfOp, _FLOAT, _STRICT),
    "divide": (arith.DivfOp, _FLOAT, _STRICT),
    "negate": (arith.NegfOp, _FLOAT, _STRICT),
    "absolute": (math.AbsFOp, _FLOAT, _STRICT),
    "sqrt": (math.SqrtOp, _FLOAT, _STRICT),
    "floor": (math.FloorOp, _FLOAT, _STRICT),
    "round_even": (math.RoundEvenOp, _FLOAT, _STRICT),
    "copy_sign": (math.CopySignOp, _FLOAT, _STRICT),
    "fused_multiply_add": (math.FmaOp, _FLOAT, _STRICT),
    "bits_to_float": (arith.BitcastOp, _FLOAT, _NONE),
    "extend": (arith.ExtFOp, _FLOAT, _NONE),
    "truncate": (arith.TruncFOp, _FLOAT, _NONE),
    "select": (arith.SelectOp, _FLOAT, _NONE),
    "float_to_bits": (arith.BitcastOp, _INTEGER, _NONE),
    "integer_add": (arith.AddiOp, _INTEGER, _WRAPS),
    "integer_subtract": (arith.SubiOp, _INTEGER, _WRAPS),
    "integer_multiply": (arith.MuliOp, _INTEGER, _WRAPS),
    "and": (arith.AndIOp, _INTEGER, _NONE),
    "or": (arith.OrIOp, _INTEGER, _NONE),
    "xor": (arith.XOrIOp, _INTEGER, _NONE),
    "shift_left": (arith.ShLIOp, _INTEGER, _WRAPS),
    "shift_right": (arith.ShRSIOp, _INTEGER, _NONE),
    "logical_shift_right": (arith.ShRUIOp, _INTEGER, _NONE),
    "select_integer": (arith.SelectOp, _INTEGER, _NONE),
    "equal": _compare("oeq"),
    "greater": _compare("ogt"),
    "greater_equal": _compare("oge"),
    "less": _compare("olt"),
    "less_equal": _compare("ole"),
    "unordered": _compare("uno"),
    "integer_equal": (arith.CmpiOp, _MASK, {"predicate": i64_attribute(0)}),
    "mask_and": (arith.AndIOp, _MASK, _NONE),
    "mask_or": (arith.OrIOp, _MASK, _NONE),
    "mask_not": (arith.XOrIOp, _MASK, _NONE),
    # Functions of complex numbers are made of these, which `math-expand-elementary` expands.
    "atan2": (math.Atan2Op, _FLOAT, _STRICT),
    "cos": (math.CosOp, _FLOAT, _STRICT),
    "cosh": (math.CoshOp, _FLOAT, _STRICT),
    "exp": (math.ExpOp, _FLOAT, _STRICT),
    "expm1": (math.ExpM1Op, _FLOAT, _STRICT),
    "log": (math.LogOp, _FLOAT, _STRICT),
    "log1p": (math.Log1pOp, _FLOAT, _STRICT),
    "sin": (math.SinOp, _FLOAT, _STRICT),
    "sinh": (math.SinhOp, _FLOAT, _STRICT),
    "tan": (math.TanOp, _FLOAT, _STRICT),
}
_OUTSIDE = {"at_least": "less", "at_most": "greater"}
"""How numbers compare to a bound that take its value."""


class IRArithmetic(Arithmetic):
    """Arithmetic on values of a format, or on vectors of `shape` of them."""

    def __init__(self, emission: Emission, format: Format, fused: bool, shape: Sequence[int] = ()) -> None:
        self.emission = emission
        self.format = format
        self.fused = fused
        self.shape = shape
        elements: tuple[Attribute, ...] = (f32 if format is SINGLE else f64, IntegerType(format.bits), i1)
        self.types = tuple(vector_type(element, *shape) for element in elements) if shape else elements

    def double(self) -> IRArithmetic:
        return IRArithmetic(self.emission, DOUBLE, self.fused, self.shape)

    def float_constant(self, value: float) -> SSAValue:
        return self.emission.number(value, self.types[_FLOAT])

    def integer_constant(self, value: int) -> SSAValue:
        return self.emission.number(value, self.types[_INTEGER])

    def apply(self, operation: str, *operands: SSAValue) -> SSAValue:
        if (outside := _OUTSIDE.get(operation)) is not None:
            value, bound = operands
            return self.apply("select", self.apply(outside, value, bound), bound, value)
        op_class, kind, properties = _OPS[operation]
        if operation == "mask_not":
            operands = (*operands, self.emission.number(1, self.types[_MASK]))
        return self.emission.insert(op_class, operands, self.types[kind], properties)
