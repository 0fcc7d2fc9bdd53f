"""Operations that compute each element of the result from the element at the same place of one operand."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.traits import Pure

from .attributes import (
    ResultAccuracyAttr,
)
from .element_types import (
    BooleanOrIntegerTensor,
    BooleanTensor,
    ElementKind,
    FloatOrComplexTensor,
    FloatTensor,
    IntegerTensor,
    NumberTensor,
    PlainFloatOrComplexTensor,
    PlainTensor,
    SignedFloatOrComplexTensor,
    Tensor,
)
from .interfaces import FoldableOp
from .property_types import I32Property
from .shapes import (
    compatible_element_types,
    compatible_shapes,
    compatible_types,
    element_type_of,
    is_complex,
    is_tensor,
    real_type,
    shape_of,
    violation,
    with_element_type,
)
from .syntax import (
    Field,
    FunctionalTypes,
    SameTypes,
)
from .traits import Elementwise, Idempotent, Involution

K = ElementKind


Value = SSAValue | Operation


class UnaryOp(SameTypes, FoldableOp, ABC):
    """One operand; the result has its shape and, unless an op says otherwise, its type."""

    operand = operand_def(Tensor)
    result = result_def(Tensor)

    traits = traits_def(Pure(), Elementwise())

    def __init__(self, operand: Value, result_type: Attribute | None = None):
        operand = SSAValue.get(operand)
        super().__init__(operands=[operand], result_types=[result_type or self.infer_result_type(operand.type)])

    @classmethod
    def infer_result_type(cls, operand_type: Attribute) -> Attribute:
        return operand_type

    def verify_(self) -> None:
        expected = self.infer_result_type(self.operands[0].type)
        if not compatible_types(expected, self.results[0].type):
            violation(self, "C1", f"expected result type {expected}, got {self.results[0].type}")


class AccurateUnaryOp(UnaryOp, ABC):
    """A unary operation that may be asked for an accuracy."""

    result_accuracy = opt_prop_def(
        ResultAccuracyAttr,
        default_value=ResultAccuracyAttr.of(),
    )


class FloatOrComplexUnaryOp(AccurateUnaryOp, ABC):
    operand = operand_def(FloatOrComplexTensor)


class FloatUnaryOp(UnaryOp, ABC):
    operand = operand_def(FloatTensor)


class IntegerUnaryOp(UnaryOp, ABC):
    operand = operand_def(IntegerTensor)


class RealPartUnaryOp(UnaryOp, ABC):
    """A unary operation that gives the real type of a complex operand."""

    @classmethod
    def infer_result_type(cls, operand_type: Attribute) -> Attribute:
        if is_tensor(operand_type) and is_complex(operand_type.element_type):
            return with_element_type(operand_type, real_type(operand_type.element_type))
        return operand_type

    def verify_(self) -> None:
        operand, result = self.operands[0], self.results[0]
        if not compatible_shapes(shape_of(operand), shape_of(result)):
            violation(self, "C1", f"operand and result differ in shape: {operand.type} and {result.type}")
        expected = real_type(element_type_of(operand))
        if not compatible_element_types(expected, element_type_of(result)):
            violation(self, "C2", f"expected result elements {expected}, got {result.type}")


@irdl_op_definition
class AbsOp(RealPartUnaryOp):
    """The absolute value; of a complex number its modulus, a real number. The least integer stays as it is.

    `operand`: any shape; signed integer, float, complex or quantised elements. `result`: its shape; the real type of
    complex elements, else the same type up to scale and zero point. Specification: `abs`.
    """

    name = "stablehlo.abs"
    operand = operand_def(SignedFloatOrComplexTensor)

    traits = traits_def(Idempotent())


@irdl_op_definition
class CbrtOp(FloatOrComplexUnaryOp):
    """The cube root, negative of a negative number; the principal one of a complex number.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `cbrt`.
    """

    name = "stablehlo.cbrt"


@irdl_op_definition
class CeilOp(FloatUnaryOp):
    """Rounds towards positive infinity.

    `operand`, `result`: one type; any shape; float or quantised elements. Specification: `ceil`.
    """

    name = "stablehlo.ceil"

    traits = traits_def(Idempotent())


@irdl_op_definition
class ClzOp(IntegerUnaryOp):
    """The number of zero bits above the highest one, the width of the type for 0.

    `operand`, `result`: one type; any shape; integer elements. Specification: `count_leading_zeros`.
    """

    name = "stablehlo.count_leading_zeros"


@irdl_op_definition
class CosineOp(FloatOrComplexUnaryOp):
    """The cosine of an angle in radians.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `cosine`.
    """

    name = "stablehlo.cosine"


@irdl_op_definition
class ExpOp(FloatOrComplexUnaryOp):
    """`e` to the power of the operand.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `exponential`.
    """

    name = "stablehlo.exponential"


@irdl_op_definition
class Expm1Op(FloatOrComplexUnaryOp):
    """`e` to the power of the operand, minus 1, accurate near 0.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `exponential_minus_one`.
    """

    name = "stablehlo.exponential_minus_one"


@irdl_op_definition
class FloorOp(FloatUnaryOp):
    """Rounds towards negative infinity.

    `operand`, `result`: one type; any shape; float or quantised elements. Specification: `floor`.
    """

    name = "stablehlo.floor"

    traits = traits_def(Idempotent())


@irdl_op_definition
class ImagOp(RealPartUnaryOp):
    """The imaginary part; zero of a real number.

    `operand`: any shape; float or complex elements. `result`: its shape, real elements. Specification: `imag`.
    """

    name = "stablehlo.imag"
    operand = operand_def(PlainFloatOrComplexTensor)


@irdl_op_definition
class LogOp(FloatOrComplexUnaryOp):
    """The natural logarithm, NaN of a negative number; the principal one of a complex number.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `log`.
    """

    name = "stablehlo.log"


@irdl_op_definition
class Log1pOp(FloatOrComplexUnaryOp):
    """The natural logarithm of the operand plus 1, accurate near 0.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `log_plus_one`.
    """

    name = "stablehlo.log_plus_one"


@irdl_op_definition
class LogisticOp(FloatOrComplexUnaryOp):
    """`1 / (1 + exp(-x))`.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `logistic`.
    """

    name = "stablehlo.logistic"


@irdl_op_definition
class NegOp(UnaryOp):
    """The operand with the other sign; integers wrap around, also unsigned ones.

    `operand`, `result`: one type; any shape; integer, float, complex or quantised elements. Specification: `negate`.
    """

    name = "stablehlo.negate"
    operand = operand_def(NumberTensor)

    traits = traits_def(Involution())


@irdl_op_definition
class NotOp(UnaryOp):
    """The logical not of i1, every bit inverted of integers.

    `operand`, `result`: one type; any shape; i1 or integer elements. Specification: `not`.
    """

    name = "stablehlo.not"
    operand = operand_def(BooleanOrIntegerTensor)

    traits = traits_def(Involution())


@irdl_op_definition
class PopulationCountOp(IntegerUnaryOp):
    """The number of bits that are one.

    `operand`, `result`: one type; any shape; integer elements. Specification: `popcnt`.
    """

    name = "stablehlo.popcnt"


@irdl_op_definition
class RealOp(RealPartUnaryOp):
    """The real part; a real number is its own.

    `operand`: any shape; float or complex elements. `result`: its shape, real elements. Specification: `real`.
    """

    name = "stablehlo.real"
    operand = operand_def(PlainFloatOrComplexTensor)


@irdl_op_definition
class RoundOp(FloatUnaryOp):
    """Rounds to the nearest integer, ties away from zero.

    `operand`, `result`: one type; any shape; float or quantised elements. Specification: `round_nearest_afz`.
    """

    name = "stablehlo.round_nearest_afz"

    traits = traits_def(Idempotent())


@irdl_op_definition
class RoundNearestEvenOp(FloatUnaryOp):
    """Rounds to the nearest integer, ties to the even one.

    `operand`, `result`: one type; any shape; float or quantised elements. Specification: `round_nearest_even`.
    """

    name = "stablehlo.round_nearest_even"

    traits = traits_def(Idempotent())


@irdl_op_definition
class RsqrtOp(FloatOrComplexUnaryOp):
    """The reciprocal of the square root; of a zero infinity with its sign.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `rsqrt`.
    """

    name = "stablehlo.rsqrt"


@irdl_op_definition
class SignOp(UnaryOp):
    """-1, 0 or 1; zeros and NaNs stay as they are. Of a complex number `z / abs(z)`.

    `operand`, `result`: one type; any shape; signed integer, float, complex or quantised elements. Specification:
    `sign`.
    """

    name = "stablehlo.sign"
    operand = operand_def(SignedFloatOrComplexTensor)

    traits = traits_def(Idempotent())


@irdl_op_definition
class SineOp(FloatOrComplexUnaryOp):
    """The sine of an angle in radians.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `sine`.
    """

    name = "stablehlo.sine"


@irdl_op_definition
class SqrtOp(FloatOrComplexUnaryOp):
    """The square root, NaN of a negative number; the principal one of a complex number.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `sqrt`.
    """

    name = "stablehlo.sqrt"


@irdl_op_definition
class TanOp(FloatOrComplexUnaryOp):
    """The tangent of an angle in radians.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `tan`.
    """

    name = "stablehlo.tan"


@irdl_op_definition
class TanhOp(FloatOrComplexUnaryOp):
    """The hyperbolic tangent.

    `operand`, `result`: one type; any shape; float, complex or quantised elements. `result_accuracy` says how far the
    result may be off. Specification: `tanh`.
    """

    name = "stablehlo.tanh"


@irdl_op_definition
class ConvertOp(UnaryOp):
    """Converts between any two element types that are not quantised: to a float rounded to nearest, to an integer
    towards zero, to i1 by `!= 0`; a complex number loses its imaginary part. What does not fit: docs/semantics.md.

    `operand`, `result`: one shape, any elements. The builder takes a tensor type or an element type for the result.
    Specification: `convert`.
    """

    name = "stablehlo.convert"
    operand = operand_def(PlainTensor)
    result = result_def(PlainTensor)

    def __init__(self, operand: Value, result_type: Attribute):
        operand = SSAValue.get(operand)
        if not is_tensor(result_type):
            result_type = with_element_type(operand.type, result_type)
        super().__init__(operand, result_type)

    def verify_(self) -> None:
        operand, result = shape_of(self.operands[0]), shape_of(self.results[0])
        if not compatible_shapes(operand, result):
            violation(self, "C1", f"operand and result differ in shape: {operand} and {result}")


@irdl_op_definition
class IsFiniteOp(FunctionalTypes, FoldableOp):
    """Whether an element is neither infinite nor NaN.

    `x`: any shape; float or quantised elements. `y`: its shape, elements i1. Specification: `is_finite`.
    """

    name = "stablehlo.is_finite"

    x = operand_def(FloatTensor)
    y = result_def(BooleanTensor)

    traits = traits_def(Pure(), Elementwise())

    def __init__(self, x: Value, result_type: Attribute | None = None):
        x = SSAValue.get(x)
        super().__init__(operands=[x], result_types=[result_type or with_element_type(x.type, i1)])

    def verify_(self) -> None:
        operand, result = shape_of(self.operands[0]), shape_of(self.results[0])
        if not compatible_shapes(operand, result):
            violation(self, "C1", f"operand and result differ in shape: {operand} and {result}")


class BitFormat(Field):
    """`format = e5m10`: the bits of exponent and mantissa in one word."""

    def parse_value(self, parser: Parser, properties: dict[str, Attribute]) -> None:
        word = parser.parse_identifier()
        match = re.fullmatch(r"e(\d+)m(\d+)", word)
        if match is None:
            parser.raise_error(f"expected exponent and mantissa bits as e#m#, got {word}")
        for prop, bits in zip(self.props, match.groups(), strict=True):
            properties[prop] = IntegerAttr(int(bits), i32)

    def value_text(self, properties: Mapping[str, Attribute]) -> str:
        exponent, mantissa = (properties[prop] for prop in self.props)
        assert isinstance(exponent, IntegerAttr) and isinstance(mantissa, IntegerAttr)
        return f"e{exponent.value.data}m{mantissa.value.data}"


@irdl_op_definition
class ReducePrecisionOp(SameTypes, FoldableOp):
    """Rounds to a format of `exponent_bits` and `mantissa_bits` and back: ties to even, overflow to infinity, NaN kept.

    `operand`, `output`: one type; any shape; float or quantised elements. At least 1 exponent bit and 0 mantissa bits.
    Specification: `reduce_precision`.
    """

    name = "stablehlo.reduce_precision"

    operand = operand_def(FloatTensor)
    output = result_def(FloatTensor)
    exponent_bits = prop_def(I32Property)
    mantissa_bits = prop_def(I32Property)

    traits = traits_def(Pure(), Elementwise())

    FIELDS: ClassVar = (BitFormat("format", "exponent_bits", "mantissa_bits"),)

    def __init__(self, operand: Value, exponent_bits: int, mantissa_bits: int):
        operand = SSAValue.get(operand)
        super().__init__(
            operands=[operand],
            result_types=[operand.type],
            properties={
                "exponent_bits": IntegerAttr(exponent_bits, i32),
                "mantissa_bits": IntegerAttr(mantissa_bits, i32),
            },
        )

    def verify_(self) -> None:
        operand, output = self.operand.type, self.output.type
        if not compatible_types(operand, output):
            violation(self, "C1", f"expected result type {operand}, got {output}")
        if self.exponent_bits.value.data < 1:
            violation(self, "C2", f"exponent_bits must be at least 1, got {self.exponent_bits.value.data}")
        if self.mantissa_bits.value.data < 0:
            violation(
                self,
                "C3",
                f"mantissa_bits must not be negative, got {self.mantissa_bits.value.data}",
            )
