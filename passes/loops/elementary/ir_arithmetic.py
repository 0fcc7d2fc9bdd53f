"""Elementary functions as IR: each operation becomes one op in front of an anchor.

Scalars compare with `arith.cmpf` and choose with `arith.select`. xDSL's `arith` has no comparison
of vectors, so there a `Mask` is an integer vector of zeros and ones, made and used by bit
operations (Warren, "Hacker's Delight", section 2-12).

Constants stand at the top of the function, each once.
"""

from __future__ import annotations

import struct
from typing import Any, cast

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    f32,
    f64,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.editing import insert_before, new_op
from ....dialects.shared_attributes import i64_attribute
from .arithmetic import DOUBLE, SINGLE, Arithmetic, Format

_FAST_MATH: dict[str, Attribute] = {"fastmath": arith.FastMathFlagsAttr("none")}
_OVERFLOW: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}


def _compare(predicate: int) -> dict[str, Attribute]:
    return {**_FAST_MATH, "predicate": i64_attribute(predicate)}


_FLOAT_OPS: dict[str, type[Operation]] = {
    "add": arith.AddfOp,
    "subtract": arith.SubfOp,
    "multiply": arith.MulfOp,
    "divide": arith.DivfOp,
    "negate": arith.NegfOp,
    "absolute": math.AbsFOp,
    "sqrt": math.SqrtOp,
    "floor": math.FloorOp,
    "round_even": math.RoundEvenOp,
    "copy_sign": math.CopySignOp,
    "fused_multiply_add": math.FmaOp,
}

_INTEGER_OPS: dict[str, tuple[type[Operation], dict[str, Attribute]]] = {
    "integer_add": (arith.AddiOp, _OVERFLOW),
    "integer_subtract": (arith.SubiOp, _OVERFLOW),
    "integer_multiply": (arith.MuliOp, _OVERFLOW),
    "and": (arith.AndIOp, {}),
    "or": (arith.OrIOp, {}),
    "xor": (arith.XOrIOp, {}),
    "shift_left": (arith.ShLIOp, _OVERFLOW),
    "shift_right": (arith.ShRSIOp, {}),
    "logical_shift_right": (arith.ShRUIOp, {}),
}

_CONVERSIONS: dict[str, type[Operation]] = {
    "bits_to_float": arith.BitcastOp,
    "extend": arith.ExtFOp,
    "truncate": arith.TruncFOp,
}

_FLOAT_PREDICATES = {
    "equal": _compare(1),
    "greater": _compare(2),
    "greater_equal": _compare(3),
    "less": _compare(4),
    "less_equal": _compare(5),
    "unordered": _compare(14),
}
_INTEGER_EQUAL: dict[str, Attribute] = {"predicate": i64_attribute(0)}

_MASK_OPS: dict[str, type[Operation]] = {"mask_and": arith.AndIOp, "mask_or": arith.OrIOp}


class Insertion:
    """Where ops go: in front of `anchor`, constants to the top of `entry`."""

    def __init__(self, entry: Block) -> None:
        self.entry = entry
        self.anchor: Operation
        self._constants: dict[tuple[Attribute, bytes | int], SSAValue] = {}

    def insert(
        self,
        op_type: type[Operation],
        operands: tuple[SSAValue, ...],
        result_type: Attribute,
        properties: dict[str, Attribute],
    ) -> SSAValue:
        anchor = self.anchor
        op = new_op(
            op_type, operands=operands, result_types=[result_type], properties=properties, location=anchor.location
        )
        insert_before(op, anchor)
        return op.results[0]

    def _constant(self, key: tuple[Attribute, bytes | int], value: FloatAttr | IntegerAttr) -> SSAValue:
        result_type = key[0]
        attribute: Attribute = value
        if isinstance(result_type, VectorType):
            vector_type = cast("VectorType[Any]", result_type)
            attribute = DenseIntOrFPElementsAttr.from_list(vector_type, [value.value.data])
        op = new_op(arith.ConstantOp, result_types=[key[0]], properties={"value": attribute})
        first = self.entry.first_op
        assert first is not None
        insert_before(op, first)
        self._constants[key] = op.results[0]
        return op.results[0]

    def float_constant(self, type: Attribute, element: Any, value: float) -> SSAValue:
        code = "f" if element == f32 else "d"
        data = struct.pack(code, value)
        key = (type, data)
        found = self._constants.get(key)
        if found is None:
            found = self._constant(key, FloatAttr(struct.unpack(code, data)[0], element))
        return found

    def integer_constant(self, type: Attribute, element: IntegerType, value: int) -> SSAValue:
        key = (type, value)
        found = self._constants.get(key)
        if found is None:
            found = self._constant(key, IntegerAttr(value, element))
        return found


class IRArithmetic(Arithmetic):
    """Arithmetic on values of `float_type`, `f32` or `f64`."""

    def __init__(self, insertion: Insertion, format: Format, fused: bool) -> None:
        self.insertion = insertion
        self.format = format
        self.fused = fused
        self.element = f32 if format is SINGLE else f64
        self.integer_element = IntegerType(format.bits)
        self.float_type: Attribute = self.element
        self.integer_type: Attribute = self.integer_element

    def double(self) -> IRArithmetic:
        return IRArithmetic(self.insertion, DOUBLE, self.fused)

    def float_constant(self, value: float) -> SSAValue:
        return self.insertion.float_constant(self.float_type, self.element, value)

    def integer_constant(self, value: int) -> SSAValue:
        half = 1 << (self.format.bits - 1)
        signed = (value + half) % (2 * half) - half
        return self.insertion.integer_constant(self.integer_type, self.integer_element, signed)

    def _float(self, op_type: type[Operation], *operands: SSAValue) -> SSAValue:
        return self.insertion.insert(op_type, operands, self.float_type, _FAST_MATH)

    def _integer(self, operation: str, *operands: SSAValue) -> SSAValue:
        op_type, properties = _INTEGER_OPS[operation]
        return self.insertion.insert(op_type, operands, self.integer_type, properties)

    def apply(self, operation: str, *operands: SSAValue) -> SSAValue:
        op_type = _FLOAT_OPS.get(operation)
        if op_type is not None:
            return self._float(op_type, *operands)
        if operation in _INTEGER_OPS:
            return self._integer(operation, *operands)
        if operation == "float_to_bits":
            return self.insertion.insert(arith.BitcastOp, operands, self.integer_type, {})
        if operation in _CONVERSIONS:
            return self.insertion.insert(_CONVERSIONS[operation], operands, self.float_type, {})
        return self.choose(operation, *operands)

    def choose(self, operation: str, *operands: SSAValue) -> SSAValue:
        """Comparisons, masks and selections."""
        insert = self.insertion.insert
        if operation in _FLOAT_PREDICATES:
            return insert(arith.CmpfOp, operands, i1, _FLOAT_PREDICATES[operation])
        if operation in _MASK_OPS:
            return insert(_MASK_OPS[operation], operands, i1, {})
        match operation:
            case "select":
                return insert(arith.SelectOp, operands, self.float_type, {})
            case "select_integer":
                return insert(arith.SelectOp, operands, self.integer_type, {})
            case "at_least" | "at_most":
                value, bound = operands
                predicate = "less" if operation == "at_least" else "greater"
                outside = self.choose(predicate, value, bound)
                return insert(arith.SelectOp, (outside, bound, value), self.float_type, {})
            case "integer_equal":
                return insert(arith.CmpiOp, operands, i1, _INTEGER_EQUAL)
            case "mask_not":
                true = self.insertion.integer_constant(i1, i1, 1)
                return insert(arith.XOrIOp, (operands[0], true), i1, {})
            case _:
                raise ValueError(f"unknown operation {operation}")


class VectorIRArithmetic(IRArithmetic):
    """The same on vectors of `shape`."""

    def __init__(self, insertion: Insertion, format: Format, fused: bool, vector_type: VectorType) -> None:
        super().__init__(insertion, format, fused)
        self.vector_type = vector_type
        shape, scalable = vector_type.shape, vector_type.scalable_dims
        self.float_type = VectorType(self.element, shape, scalable)
        self.integer_type = VectorType(self.integer_element, shape, scalable)

    def double(self) -> VectorIRArithmetic:
        return VectorIRArithmetic(self.insertion, DOUBLE, self.fused, self.vector_type)

    def choose(self, operation: str, *operands: SSAValue) -> SSAValue:
        match operation:
            case "less":
                return self._ordered_less(*operands)
            case "greater":
                return self._ordered_less(*reversed(operands))
            case "less_equal":
                return self._ordered_less_equal(*operands)
            case "greater_equal":
                return self._ordered_less_equal(*reversed(operands))
            case "equal":
                left, right = operands
                equal = self._is_zero(self._integer("xor", *map(self._order, operands)))
                return self._integer("and", equal, self._not(self._unordered(left, right)))
            case "unordered":
                return self._unordered(*operands)
            case "integer_equal":
                return self._is_zero(self._integer("xor", *operands))
            case "mask_and":
                return self._integer("and", *operands)
            case "mask_or":
                return self._integer("or", *operands)
            case "mask_not":
                return self._not(operands[0])
            case "select":
                mask, true, false = operands
                bits = self._select_bits(mask, self._bits(true), self._bits(false))
                return self.insertion.insert(arith.BitcastOp, (bits,), self.float_type, {})
            case "select_integer":
                return self._select_bits(*operands)
            case "at_least":
                return self._float(arith.MaximumfOp, *operands)
            case "at_most":
                return self._float(arith.MinimumfOp, *operands)
            case _:
                raise ValueError(f"unknown operation {operation}")

    def _bits(self, value: SSAValue) -> SSAValue:
        return self.insertion.insert(arith.BitcastOp, (value,), self.integer_type, {})

    def _not(self, mask: SSAValue) -> SSAValue:
        return self._integer("xor", mask, self.integer_constant(-1))

    def _sign_mask(self, value: SSAValue) -> SSAValue:
        """All ones where `value` is negative."""
        return self._integer("shift_right", value, self.integer_constant(self.format.bits - 1))

    def _is_zero(self, value: SSAValue) -> SSAValue:
        negated = self._integer("integer_subtract", self.integer_constant(0), value)
        return self._not(self._sign_mask(self._integer("or", value, negated)))

    def _select_bits(self, mask: SSAValue, true: SSAValue, false: SSAValue) -> SSAValue:
        difference = self._integer("xor", true, false)
        return self._integer("xor", false, self._integer("and", difference, mask))

    def _order(self, value: SSAValue) -> SSAValue:
        """Integers in the order of the numbers, equal for both zeros."""
        bits = self._bits(self._float(arith.AddfOp, value, self.float_constant(0.0)))
        magnitude = self.integer_constant(~self.format.sign_bit)
        return self._integer("xor", bits, self._integer("and", self._sign_mask(bits), magnitude))

    def _unordered(self, left: SSAValue, right: SSAValue) -> SSAValue:
        is_nan = self._is_nan(left)
        return is_nan if right is left else self._integer("or", is_nan, self._is_nan(right))

    def _is_nan(self, value: SSAValue) -> SSAValue:
        format = self.format
        magnitude = self._integer("and", self._bits(value), self.integer_constant(~format.sign_bit))
        infinity = self.integer_constant((2 * format.bias + 1) << format.fraction_bits)
        return self._sign_mask(self._integer("integer_subtract", infinity, magnitude))

    def _less(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """`left < right` but for NaN."""
        a, b = self._order(left), self._order(right)
        not_b = self._not(b)
        difference = self._integer("integer_subtract", a, b)
        same_sign = self._integer("xor", a, not_b)
        below = self._integer(
            "or",
            self._integer("and", a, not_b),
            self._integer("and", same_sign, difference),
        )
        return self._sign_mask(below)

    def _ordered_less(self, left: SSAValue, right: SSAValue) -> SSAValue:
        ordered = self._not(self._unordered(left, right))
        return self._integer("and", self._less(left, right), ordered)

    def _ordered_less_equal(self, left: SSAValue, right: SSAValue) -> SSAValue:
        exceeds = self._integer("or", self._less(right, left), self._unordered(left, right))
        return self._not(exceeds)
