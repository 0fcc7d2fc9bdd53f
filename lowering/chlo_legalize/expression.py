"""Formulas that emit StableHLO: an `Expression` is a value whose operators create ops.

    u = x * x                       # stablehlo.multiply
    y = select(u < 1.0, x, u + 0.5) # compare, add, select and the constants as splats

Numbers become splat constants of the element type of the other operand; all expressions of one
formula have one shape. `%` is not an operator here, and neither is `==`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IntegerType,
    TensorType,
    UnitAttr,
    f32,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import chlo, stablehlo
from ...dialects.dense import Number, integer_type, is_unsigned, pack_element, splat_attribute
from ...dialects.editing import insert_before, new_op
from ...dialects.shared_attributes import i64_array, i64_attribute
from ...dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonDirectionAttr,
    ComparisonType,
    ComparisonTypeAttr,
)
from ...dialects.xrt_names import CONTRACT

Operand = "Expression | float | int"


_TENSOR_COMPUTATIONS = (func.FuncOp, stablehlo.WhileOp, stablehlo.IfOp, stablehlo.CaseOp, chlo.ScanOp)
"""Ops whose regions compute on whole tensors."""


class Emitter:
    """Inserts ops in front of `anchor`, each constant once."""

    def __init__(self, anchor: Operation) -> None:
        self._anchor = anchor
        self._constants: dict[tuple[Attribute, bytes], SSAValue] = {}

    def emit(
        self,
        op_type: type[Operation],
        operands: Sequence[SSAValue],
        result_type: Attribute,
        properties: Mapping[str, Attribute] = {},
    ) -> SSAValue:
        """The result of a new op."""
        op = new_op(
            op_type,
            operands=operands,
            result_types=(result_type,),
            properties=properties,
            location=self._anchor.location,
        )
        self.insert(op)
        return op.results[0]

    def insert(self, op: Operation) -> None:
        """Insert an op that has been created elsewhere."""
        assert self._anchor.parent is not None
        insert_before(op, self._anchor)

    def splat(self, type: TensorType[Attribute], number: Number) -> SSAValue:
        """The constant of type `type` all of whose elements are `number`."""
        element = pack_element(type.element_type, number)
        value = self._constants.get((type, element))
        if value is None:
            properties = {"value": splat_attribute(type, element)}
            value = self.emit(stablehlo.ConstantOp, (), type, properties)
            self._constants[type, element] = value
        return value

    def operands(self) -> list[Expression]:
        """The operands of the anchor."""
        return [Expression(self, operand) for operand in self._anchor.operands]

    def iota(self, element_type: Attribute, shape: Sequence[int], dim: int) -> Expression:
        """Each element is its index along `dim`."""
        properties = {"iota_dimension": i64_attribute(dim)}
        return Expression(self, self.emit(stablehlo.IotaOp, (), TensorType(element_type, shape), properties))

    @property
    def is_scalar(self) -> bool:
        """Whether the anchor is part of a computation on elements, such as that of a reduction."""
        return not isinstance(self._anchor.parent_op(), _TENSOR_COMPUTATIONS)


class Expression:
    """A tensor value of a formula."""

    __slots__ = ("emitter", "type", "value")

    def __init__(self, emitter: Emitter, value: SSAValue) -> None:
        self.emitter = emitter
        self.value = value
        self.type = cast(TensorType[Attribute], value.type)

    @property
    def element_type(self) -> Attribute:
        return self.type.element_type

    @property
    def is_single(self) -> bool:
        """Whether the elements are `f32`; formulas have coefficients for that and for `f64`."""
        return isinstance(self.element_type, Float32Type)

    def number(self, number: Number) -> Expression:
        """`number` in the type of this expression."""
        return Expression(self.emitter, self.emitter.splat(self.type, number))

    def _value_of(self, operand: Expression | float) -> SSAValue:
        return operand.value if isinstance(operand, Expression) else self.number(operand).value

    def _binary(self, op_type: type[Operation], lhs: Any, rhs: Any) -> Expression:
        values = (self._value_of(lhs), self._value_of(rhs))
        return Expression(self.emitter, self.emitter.emit(op_type, values, self.type))

    def apply(self, op_type: type[Operation], element_type: Attribute | None = None) -> Expression:
        """A unary op, whose result has elements of this type unless another is given."""
        type = self.type
        if element_type is not None:
            type = TensorType(element_type, type.shape, type.encoding)
        return Expression(self.emitter, self.emitter.emit(op_type, (self.value,), type))

    def __add__(self, other: Expression | float) -> Expression:
        return self._binary(stablehlo.AddOp, self, other)

    def __radd__(self, other: float) -> Expression:
        return self._binary(stablehlo.AddOp, other, self)

    def __sub__(self, other: Expression | float) -> Expression:
        return self._binary(stablehlo.SubtractOp, self, other)

    def __rsub__(self, other: float) -> Expression:
        return self._binary(stablehlo.SubtractOp, other, self)

    def __mul__(self, other: Expression | float) -> Expression:
        return self._binary(stablehlo.MulOp, self, other)

    def __rmul__(self, other: float) -> Expression:
        return self._binary(stablehlo.MulOp, other, self)

    def __truediv__(self, other: Expression | float) -> Expression:
        return self._binary(stablehlo.DivOp, self, other)

    def __rtruediv__(self, other: float) -> Expression:
        return self._binary(stablehlo.DivOp, other, self)

    def __and__(self, other: Expression | int) -> Expression:
        return self._binary(stablehlo.AndOp, self, other)

    def __or__(self, other: Expression | int) -> Expression:
        return self._binary(stablehlo.OrOp, self, other)

    def __invert__(self) -> Expression:
        return self.apply(stablehlo.NotOp)

    def __neg__(self) -> Expression:
        return self.apply(stablehlo.NegOp)

    def __abs__(self) -> Expression:
        return self.apply(stablehlo.AbsOp)

    def minimum(self, other: Expression | float) -> Expression:
        return self._binary(stablehlo.MinOp, self, other)

    def maximum(self, other: Expression | float) -> Expression:
        return self._binary(stablehlo.MaxOp, self, other)

    def shift_right(self, count: Expression | int) -> Expression:
        """Logical for unsigned integers, arithmetic for the others."""
        unsigned = _is_unsigned(self.element_type)
        op_type = stablehlo.ShiftRightLogicalOp if unsigned else stablehlo.ShiftRightArithmeticOp
        return self._binary(op_type, self, count)

    def compare(self, direction: ComparisonDirection, other: Expression | float) -> Expression:
        """Comparison as the element type suggests: of floats, signed or unsigned integers."""
        if integer_type(self.element_type) is None:
            kind = ComparisonType.FLOAT
        elif _is_unsigned(self.element_type) or self.element_type == i1:
            kind = ComparisonType.UNSIGNED
        else:
            kind = ComparisonType.SIGNED
        properties = {
            "comparison_direction": ComparisonDirectionAttr(direction),
            "compare_type": ComparisonTypeAttr(kind),
        }
        value = self.emitter.emit(
            stablehlo.CompareOp,
            (self.value, self._value_of(other)),
            TensorType(i1, self.type.shape, self.type.encoding),
            properties,
        )
        return Expression(self.emitter, value)

    def __lt__(self, other: Expression | float) -> Expression:
        return self.compare(ComparisonDirection.LT, other)

    def __le__(self, other: Expression | float) -> Expression:
        return self.compare(ComparisonDirection.LE, other)

    def __gt__(self, other: Expression | float) -> Expression:
        return self.compare(ComparisonDirection.GT, other)

    def __ge__(self, other: Expression | float) -> Expression:
        return self.compare(ComparisonDirection.GE, other)

    def equals(self, other: Expression | float) -> Expression:
        return self.compare(ComparisonDirection.EQ, other)

    def differs(self, other: Expression | float) -> Expression:
        return self.compare(ComparisonDirection.NE, other)

    def convert(self, element_type: Attribute) -> Expression:
        return self if element_type == self.element_type else self.apply(stablehlo.ConvertOp, element_type)

    def bitcast(self, element_type: Attribute) -> Expression:
        """The same bits as another element type of the same width."""
        return self.apply(stablehlo.BitcastConvertOp, element_type)

    def bits(self) -> Expression:
        """The bits of floats as signed integers."""
        return self.bitcast(IntegerType(cast(Any, self.element_type).bitwidth))

    def broadcast(self, shape: Sequence[int], dims: Sequence[int]) -> Expression:
        """Dimension i becomes dimension `dims[i]` of `shape`."""
        type = TensorType(self.element_type, shape)
        properties = {"broadcast_dimensions": i64_array(*list(dims))}
        return Expression(self.emitter, self.emitter.emit(stablehlo.BroadcastInDimOp, (self.value,), type, properties))

    def row(self, index: int) -> Expression:
        """The elements at `index` of the first dimension, without that dimension."""
        _, *shape = self.type.get_shape()
        starts, limits = [index, *(0 for _ in shape)], [index + 1, *shape]
        properties = {
            "start_indices": i64_array(*starts),
            "limit_indices": i64_array(*limits),
            "strides": i64_array(*([1] * len(limits))),
        }
        type = TensorType(self.element_type, (1, *shape))
        slice = self.emitter.emit(stablehlo.SliceOp, (self.value,), type, properties)
        type = TensorType(self.element_type, shape)
        return Expression(self.emitter, self.emitter.emit(stablehlo.ReshapeOp, (slice,), type))

    def atan2(self, x: Expression | float) -> Expression:
        return self._binary(stablehlo.Atan2Op, self, x)

    def power(self, exponent: Expression | float) -> Expression:
        return self._binary(stablehlo.PowOp, self, exponent)


def _is_unsigned(element_type: Attribute) -> bool:
    type = integer_type(element_type)
    return type is not None and is_unsigned(type)


def select(predicate: Expression, on_true: Expression | float, on_false: Expression | float) -> Expression:
    """`on_true` where `predicate` holds, else `on_false`; at least one of them is an expression."""
    typed = on_true if isinstance(on_true, Expression) else on_false
    assert isinstance(typed, Expression)
    values = [value if isinstance(value, Expression) else typed.number(value) for value in (on_true, on_false)]
    result = predicate.emitter.emit(stablehlo.SelectOp, (predicate.value, *(v.value for v in values)), typed.type)
    return Expression(predicate.emitter, result)


def polynomial(x: Expression, coefficients: Sequence[float]) -> Expression:
    """Horner's scheme; coefficients from the constant one upwards.

    Its steps may be rounded once (`xrt.contract`): their errors are bounded for either.
    """
    *lower, leading = coefficients
    result: Expression | float = leading
    while lower:
        product = x * result
        result = product + lower.pop()
        for step in (product, result):
            owner = step.value.owner
            assert isinstance(owner, Operation)
            owner.attributes[CONTRACT] = UnitAttr()
    return result if isinstance(result, Expression) else x.number(result)


def exp(x: Expression) -> Expression:
    return x.apply(stablehlo.ExpOp)


def expm1(x: Expression) -> Expression:
    return x.apply(stablehlo.Expm1Op)


def log(x: Expression) -> Expression:
    return x.apply(stablehlo.LogOp)


def log1p(x: Expression) -> Expression:
    return x.apply(stablehlo.Log1pOp)


def sqrt(x: Expression) -> Expression:
    return x.apply(stablehlo.SqrtOp)


def with_sign_of(magnitude: Expression, sign: Expression) -> Expression:
    """`magnitude`, which is not negative, with the sign of `sign`."""
    integer = IntegerType(cast(Any, magnitude.element_type).bitwidth)
    sign_bit = sign.bits() & -(1 << (integer.width.data - 1))
    return (magnitude.bits() | sign_bit).bitcast(magnitude.element_type)


def upper_half(x: Expression) -> Expression:
    """`x` with the lower half of its significand zero, so that products of two of them are exact."""
    return (x.bits() & -(1 << (12 if x.is_single else 27))).bitcast(x.element_type)


def product_error(x: Expression, y: Expression, product: Expression) -> Expression:
    """What rounding took away from `product`, which is `x * y` (T. Dekker, 1971)."""
    x_upper, y_upper = upper_half(x), upper_half(y)
    x_lower, y_lower = x - x_upper, y - y_upper
    return ((x_upper * y_upper - product) + x_upper * y_lower + x_lower * y_upper) + x_lower * y_lower


def at_least_single(x: Expression) -> Expression:
    """`x` as `f32` unless it is `f32` or `f64`."""
    return x if isinstance(x.element_type, Float32Type | Float64Type) else x.convert(f32)
