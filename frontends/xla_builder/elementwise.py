"""Operations on the elements of arrays, with the two ways XLA broadcasts the operands of binary ones.

Operands of equal rank may differ where one has a dimension of size 1, which is repeated. For operands of different rank
`broadcast_dimensions` says which dimensions of the greater one those of the smaller one are; scalars need none.

Source: XLA's Operation Semantics, "Element-wise binary arithmetic operations" and what follows; "Broadcasting".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.ir import Operation

from ...dialects import chlo, stablehlo
from ...dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from .arguments import AnyValue, Array, Value
from .bounded_sizes import of_one_size, require_static
from .core import XlaOp, builder_of, require, same_elements
from .operators import operation
from .shapes import ElementType, PrimitiveType, Shape


def expand_dimensions(op: XlaOp, dimensions: Sequence[int], sizes: Sequence[int]) -> XlaOp:
    """`op` repeated to `sizes`, its dimensions at `dimensions`; those of bounded size stay what they are."""
    shape = op.shape
    if shape.dimensions == tuple(sizes) and list(dimensions) == list(range(shape.rank)):
        return op
    for own, place in enumerate(dimensions):
        require(
            not shape.dynamic[own] or shape.dimensions[own] == sizes[place],
            "operand",
            f"dimension {own} of {shape}, of bounded size, cannot be repeated to {sizes[place]} elements",
        )
    return op.builder.emit(stablehlo.BroadcastInDimOp(op.value, list(dimensions), list(sizes)))


def _if_array(value: Any) -> XlaOp | None:
    """The operand whose element type numbers beside it take."""
    return value if isinstance(value, XlaOp) and value.shape.is_array else None


def broadcast_operands(lhs: Any, rhs: Any, broadcast_dimensions: Sequence[int] | None = None) -> tuple[XlaOp, XlaOp]:
    """Both operands in the shape they have in common."""
    builder = builder_of(lhs, rhs, argument="lhs")
    lhs = builder.wrap(lhs, rhs if isinstance(rhs, XlaOp) else None, "lhs")
    rhs = builder.wrap(rhs, lhs, "rhs")
    for name, op in (("lhs", lhs), ("rhs", rhs)):
        require(op.shape.is_array, name, f"expected an array, got {op.shape}")
    same_elements("rhs", rhs, "lhs", lhs)
    small, large = (lhs, rhs) if lhs.shape.rank < rhs.shape.rank else (rhs, lhs)
    dimensions = list(broadcast_dimensions or ())
    if small.shape.rank == large.shape.rank:
        require(
            not dimensions or dimensions == list(range(large.shape.rank)),
            "broadcast_dimensions",
            f"{dimensions} for two operands of rank {large.shape.rank}",
        )
        dimensions = list(range(large.shape.rank))
    require(
        len(dimensions) == small.shape.rank,
        "broadcast_dimensions",
        f"expected the dimensions of {large.shape} that those of {small.shape} are, got {dimensions}",
    )
    require(
        all(0 <= d < large.shape.rank for d in dimensions) and dimensions == sorted(set(dimensions)),
        "broadcast_dimensions",
        f"{dimensions} are not ascending dimensions of {large.shape}",
    )
    sizes = list(large.shape.dimensions)
    for own, place in enumerate(dimensions):
        size, other = small.shape.dimensions[own], sizes[place]
        require(size == other or 1 in (size, other), "rhs", f"{rhs.shape} and {lhs.shape} are not compatible")
        sizes[place] = size if other == 1 else other
    is_lhs_small = lhs.shape.rank < rhs.shape.rank
    small = expand_dimensions(small, dimensions, sizes)
    large = expand_dimensions(large, range(large.shape.rank), sizes)
    small, large = of_one_size([small, large])
    return (small, large) if is_lhs_small else (large, small)


Binary = Callable[..., XlaOp]
Unary = Callable[[XlaOp], XlaOp]
BinaryOp = type[stablehlo.BinaryOp] | type[stablehlo.ComplexOp] | type[chlo.BinaryOp]
UnaryOp = type[stablehlo.UnaryOp] | type[stablehlo.IsFiniteOp] | type[chlo.UnaryOp]

PLAIN: dict[type[Operation], Callable[..., XlaOp]] = {}
"""Op to the function that takes its operands and adds it."""


def _binary(name: str, cpp_name: str, op: BinaryOp, meaning: str) -> Binary:
    def function(lhs: Value, rhs: Value, broadcast_dimensions: Sequence[int] | None = None) -> XlaOp:
        lhs, rhs = broadcast_operands(lhs, rhs, broadcast_dimensions)
        return lhs.builder.emit(op(lhs.value, rhs.value))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{cpp_name}`: {meaning}\n\nOperands have one element type; they are broadcast as above."
    PLAIN[op] = made = operation(cpp_name)(function)
    return made


add = _binary("add", "Add", stablehlo.AddOp, "sum; logical or of PRED.")
sub = _binary("sub", "Sub", stablehlo.SubtractOp, "difference.")
mul = _binary("mul", "Mul", stablehlo.MulOp, "product; logical and of PRED.")
div = _binary("div", "Div", stablehlo.DivOp, "quotient; of integers truncated.")
rem = _binary("rem", "Rem", stablehlo.RemOp, "remainder, with the sign of the dividend.")
max = _binary("max", "Max", stablehlo.MaxOp, "the greater one; NaN if one is NaN.")
min = _binary("min", "Min", stablehlo.MinOp, "the smaller one; NaN if one is NaN.")
pow = _binary("pow", "Pow", stablehlo.PowOp, "lhs to the power of rhs.")
atan2 = _binary("atan2", "Atan2", stablehlo.Atan2Op, "the angle of the point (rhs, lhs).")
and_ = _binary("and_", "And", stablehlo.AndOp, "and of the bits.")
or_ = _binary("or_", "Or", stablehlo.OrOp, "or of the bits.")
xor = _binary("xor", "Xor", stablehlo.XorOp, "exclusive or of the bits.")


def _logical(name: str, cpp_name: str, op: Callable[..., Operation], meaning: str) -> Binary:
    def function(lhs: Value, rhs: Value, broadcast_dimensions: Sequence[int] | None = None) -> XlaOp:
        lhs, rhs = broadcast_operands(lhs, rhs, broadcast_dimensions)
        _check_flags("lhs", lhs)
        return lhs.builder.emit(op(lhs.value, rhs.value))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{cpp_name}` of older pages: {meaning}\n\nOperands are PRED; they are broadcast as above."
    return operation(cpp_name)(function)


def _check_flags(name: str, op: XlaOp) -> None:
    require(op.shape.element_type is PrimitiveType.PRED, name, f"expected elements pred, got {op.shape}")


logical_and = _logical("logical_and", "LogicalAnd", stablehlo.AndOp, "whether both hold.")
logical_or = _logical("logical_or", "LogicalOr", stablehlo.OrOp, "whether one of them holds.")


@operation("LogicalNot")
def logical_not(operand: Array) -> XlaOp:
    """`LogicalNot` of older pages: whether the operand, PRED, does not hold."""
    _check_flags("operand", operand)
    return operand.builder.emit(stablehlo.NotOp(operand.value))


shift_left = _binary("shift_left", "ShiftLeft", stablehlo.ShiftLeftOp, "lhs shifted by rhs bits.")
shift_right_arithmetic = _binary(
    "shift_right_arithmetic",
    "ShiftRightArithmetic",
    stablehlo.ShiftRightArithmeticOp,
    "lhs shifted by rhs bits, the sign coming in.",
)
shift_right_logical = _binary(
    "shift_right_logical",
    "ShiftRightLogical",
    stablehlo.ShiftRightLogicalOp,
    "lhs shifted by rhs bits, zeros coming in.",
)
complex = _binary("complex", "Complex", stablehlo.ComplexOp, "the complex number of a real and an imaginary part.")
next_after = _binary("next_after", "NextAfter", chlo.NextAfterOp, "the number after lhs in the direction of rhs.")


_TYPES = {
    PrimitiveType.PRED: ComparisonType.UNSIGNED,
    **{t: ComparisonType.SIGNED for t in PrimitiveType if t.is_signed_integer},
    **{t: ComparisonType.UNSIGNED for t in PrimitiveType if t.is_unsigned_integer},
}


def _comparison(name: str, cpp_name: str, direction: ComparisonDirection, total: bool) -> Binary:
    def function(lhs: Value, rhs: Value, broadcast_dimensions: Sequence[int] | None = None) -> XlaOp:
        return _compare(lhs, rhs, direction, total, broadcast_dimensions)

    order = (
        "in the total order of floats, -NaN < -Inf < ... < -0 < +0 < ... < Inf < NaN" if total else "as IEEE 754 does"
    )
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{cpp_name}`: compares {order}. Operands as for `add`; the result is PRED."
    return operation(cpp_name)(function)


def _compare(
    lhs: Any, rhs: Any, direction: ComparisonDirection, total: bool, broadcast_dimensions: Sequence[int] | None
) -> XlaOp:
    lhs, rhs = broadcast_operands(lhs, rhs, broadcast_dimensions)
    kind = _TYPES.get(lhs.shape.element_type, ComparisonType.FLOAT)
    if total and kind is ComparisonType.FLOAT and not lhs.shape.element_type.is_complex:
        kind = ComparisonType.TOTALORDER
    return lhs.builder.emit(stablehlo.CompareOp(lhs.value, rhs.value, direction, kind))


eq = _comparison("eq", "Eq", ComparisonDirection.EQ, False)
ne = _comparison("ne", "Ne", ComparisonDirection.NE, False)
ge = _comparison("ge", "Ge", ComparisonDirection.GE, False)
gt = _comparison("gt", "Gt", ComparisonDirection.GT, False)
le = _comparison("le", "Le", ComparisonDirection.LE, False)
lt = _comparison("lt", "Lt", ComparisonDirection.LT, False)
eq_total_order = _comparison("eq_total_order", "EqTotalOrder", ComparisonDirection.EQ, True)
ne_total_order = _comparison("ne_total_order", "NeTotalOrder", ComparisonDirection.NE, True)
ge_total_order = _comparison("ge_total_order", "GeTotalOrder", ComparisonDirection.GE, True)
gt_total_order = _comparison("gt_total_order", "GtTotalOrder", ComparisonDirection.GT, True)
le_total_order = _comparison("le_total_order", "LeTotalOrder", ComparisonDirection.LE, True)
lt_total_order = _comparison("lt_total_order", "LtTotalOrder", ComparisonDirection.LT, True)


@operation("Compare")
def compare(
    lhs: Value, rhs: Value, direction: ComparisonDirection, broadcast_dimensions: Sequence[int] | None = None
) -> XlaOp:
    """`Compare`: any of the six comparisons, by IEEE 754. Operands as for `add`; the result is PRED."""
    return _compare(lhs, rhs, direction, False, broadcast_dimensions)


def _unary(name: str, cpp_name: str, op: UnaryOp, meaning: str) -> Unary:
    def function(operand: Array) -> XlaOp:
        return operand.builder.emit(op(operand.value))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`{cpp_name}`: {meaning}"
    PLAIN[op] = made = operation(cpp_name)(function)
    return made


abs = _unary("abs", "Abs", stablehlo.AbsOp, "magnitude; of a complex number a real one.")
cbrt = _unary("cbrt", "Cbrt", stablehlo.CbrtOp, "cubic root.")
ceil = _unary("ceil", "Ceil", stablehlo.CeilOp, "the least integer that is not less.")
clz = _unary("clz", "Clz", stablehlo.ClzOp, "number of zeros before the first bit that is set.")
cos = _unary("cos", "Cos", stablehlo.CosineOp, "cosine.")
erf = _unary("erf", "Erf", chlo.ErfOp, "error function.")
exp = _unary("exp", "Exp", stablehlo.ExpOp, "e to its power.")
expm1 = _unary("expm1", "Expm1", stablehlo.Expm1Op, "e to its power, less 1, exact near 0.")
floor = _unary("floor", "Floor", stablehlo.FloorOp, "the greatest integer that is not greater.")
is_finite = _unary("is_finite", "IsFinite", stablehlo.IsFiniteOp, "PRED: neither infinite nor NaN.")
log = _unary("log", "Log", stablehlo.LogOp, "natural logarithm.")
log1p = _unary("log1p", "Log1p", stablehlo.Log1pOp, "natural logarithm of 1 more, exact near 0.")
logistic = _unary("logistic", "Logistic", stablehlo.LogisticOp, "1 / (1 + exp(-x)).")
neg = _unary("neg", "Neg", stablehlo.NegOp, "negative.")
not_ = _unary("not_", "Not", stablehlo.NotOp, "complement of the bits; logical not of PRED.")
population_count = _unary("population_count", "PopulationCount", stablehlo.PopulationCountOp, "number of bits set.")
round = _unary("round", "Round", stablehlo.RoundOp, "nearest integer, ties away from zero.")
round_nearest_even = _unary(
    "round_nearest_even", "RoundNearestEven", stablehlo.RoundNearestEvenOp, "nearest integer, ties to even."
)
rsqrt = _unary("rsqrt", "Rsqrt", stablehlo.RsqrtOp, "1 / sqrt(x).")
sign = _unary("sign", "Sign", stablehlo.SignOp, "-1, 0 or 1; -0, +0 and NaN are kept.")
sin = _unary("sin", "Sin", stablehlo.SineOp, "sine.")
sqrt = _unary("sqrt", "Sqrt", stablehlo.SqrtOp, "square root.")
tan = _unary("tan", "Tan", stablehlo.TanOp, "tangent.")
tanh = _unary("tanh", "Tanh", stablehlo.TanhOp, "hyperbolic tangent.")
acos = _unary("acos", "Acos", chlo.AcosOp, "inverse cosine.")
acosh = _unary("acosh", "Acosh", chlo.AcoshOp, "inverse hyperbolic cosine.")
asin = _unary("asin", "Asin", chlo.AsinOp, "inverse sine.")
asinh = _unary("asinh", "Asinh", chlo.AsinhOp, "inverse hyperbolic sine.")
atan = _unary("atan", "Atan", chlo.AtanOp, "inverse tangent.")
atanh = _unary("atanh", "Atanh", chlo.AtanhOp, "inverse hyperbolic tangent.")
bessel_i1e = _unary(
    "bessel_i1e", "BesselI1e", chlo.BesselI1eOp, "modified Bessel function of order 1, times exp(-|x|)."
)
conj = _unary("conj", "Conj", chlo.ConjOp, "complex conjugate.")
cosh = _unary("cosh", "Cosh", chlo.CoshOp, "hyperbolic cosine.")
digamma = _unary("digamma", "Digamma", chlo.DigammaOp, "derivative of the logarithm of the gamma function.")
erfc = _unary("erfc", "Erfc", chlo.ErfcOp, "1 less the error function.")
erf_inv = _unary("erf_inv", "ErfInv", chlo.ErfInvOp, "inverse of the error function.")
is_inf = _unary("is_inf", "IsInf", chlo.IsInfOp, "PRED: infinite, of either sign.")
is_neg_inf = _unary("is_neg_inf", "IsNegInf", chlo.IsNegInfOp, "PRED: negative infinity.")
is_pos_inf = _unary("is_pos_inf", "IsPosInf", chlo.IsPosInfOp, "PRED: positive infinity.")
lgamma = _unary("lgamma", "Lgamma", chlo.LgammaOp, "logarithm of the magnitude of the gamma function.")
sinh = _unary("sinh", "Sinh", chlo.SinhOp, "hyperbolic sine.")
square = _unary("square", "Square", chlo.SquareOp, "product with itself.")


@operation("Real")
def real(operand: Array) -> XlaOp:
    """`Real`: the real part of complex numbers; real ones are their own."""
    if not operand.shape.element_type.is_complex:
        return operand
    return operand.builder.emit(stablehlo.RealOp(operand.value))


@operation("Imag")
def imag(operand: Array) -> XlaOp:
    """`Imag`: the imaginary part of complex numbers; that of real ones is 0."""
    if not operand.shape.element_type.is_complex:
        zero = operand.builder.literal(0, operand.shape.element_type, "operand")
        return of_one_size([expand_dimensions(zero, (), operand.shape.dimensions), operand])[0]
    return operand.builder.emit(stablehlo.ImagOp(operand.value))


@operation("Clamp")
def clamp(min: Value, operand: Array, max: Value) -> XlaOp:
    """`Clamp`: elements below `min` become `min`, those above `max` become `max`.

    Bounds are scalars or arrays of the operand's shape, of its element type.
    """
    builder = operand.builder
    low, high = builder.wrap(min, operand, "min"), builder.wrap(max, operand, "max")
    for name, bound in (("min", low), ("max", high)):
        same_elements(name, bound, "operand", operand)
        require(
            bound.shape.rank == 0 or bound.shape.dimensions == operand.shape.dimensions,
            name,
            f"expected a scalar or {operand.shape}, got {bound.shape}",
        )
    whole = [op for op in (low, operand, high) if op.shape.rank or op is operand]
    sized = dict(zip(map(id, whole), of_one_size(whole), strict=True))
    return builder.emit(stablehlo.ClampOp(*(sized.get(id(op), op).value for op in (low, operand, high))))


@operation("Select")
def select(pred: Array, on_true: AnyValue, on_false: AnyValue) -> XlaOp:
    """`Select`: elements of `on_true` where `pred` holds, else those of `on_false`.

    `pred` is PRED, in their shape or a scalar; scalars are in every place. Tuples are chosen as a whole, by a scalar.
    """
    builder = builder_of(pred, on_true, on_false)
    on_true = builder.wrap(on_true, _if_array(on_false), "on_true")
    on_false = builder.wrap(on_false, _if_array(on_true), "on_false")
    if on_true.shape.is_array and on_false.shape.is_array:
        same_elements("on_false", on_false, "on_true", on_true)
        sizes = on_true.shape.dimensions or on_false.shape.dimensions or pred.shape.dimensions
        on_true, on_false = (op if op.shape.rank else expand_dimensions(op, (), sizes) for op in (on_true, on_false))
    require(on_true.shape.is_compatible(on_false.shape), "on_false", f"{on_false.shape}, on_true is {on_true.shape}")
    require(pred.shape.element_type is PrimitiveType.PRED, "pred", f"expected elements PRED, got {pred.shape}")
    if on_true.is_tuple:
        require(pred.shape.rank == 0, "pred", f"expected a scalar to choose between tuples, got {pred.shape}")
        chosen = [select(pred, a, b) for a, b in zip(on_true.elements, on_false.elements, strict=True)]
        return XlaOp(builder, None, chosen)
    if pred.shape.rank:
        require(pred.shape.dimensions == on_true.shape.dimensions, "pred", f"{pred.shape}, on_true is {on_true.shape}")
        pred, on_true, on_false = of_one_size([pred, on_true, on_false])
    else:
        on_true, on_false = of_one_size([on_true, on_false])
    return builder.emit(stablehlo.SelectOp(pred.value, on_true.value, on_false.value))


@operation("ConvertElementType")
def convert_element_type(operand: Array, new_element_type: ElementType) -> XlaOp:
    """`ConvertElementType`: the elements as numbers of another type."""
    result = operand.shape.with_element_type(new_element_type).type
    return operand.builder.emit(stablehlo.ConvertOp(operand.value, result))


@operation("BitcastConvertType")
def bitcast_convert_type(operand: Array, new_element_type: ElementType) -> XlaOp:
    """`BitcastConvertType`: the bits of the elements as those of another type.

    Into narrower elements with a new last dimension for the parts of each; into wider ones without the last dimension,
    which has to be that of their parts.
    """
    old, new = _bits(operand.shape.element_type), _bits(new_element_type)
    sizes, dynamic = operand.shape.dimensions, operand.shape.dynamic
    if new < old:
        require(old % new == 0, "new_element_type", f"{new} bits do not divide {old} bits")
        sizes, dynamic = (*sizes, old // new), (*dynamic, False)
    elif new > old:
        last = sizes[-1] if sizes else 0
        require(last * old == new, "new_element_type", f"{new} bits of a last dimension of {last} times {old} bits")
        require_static("operand", operand, [operand.shape.rank - 1], "taken into elements")
        sizes, dynamic = sizes[:-1], dynamic[:-1]
    result = Shape(new_element_type, sizes, dynamic)
    return operand.builder.emit(stablehlo.BitcastConvertOp(operand.value, result.type))


def _bits(element_type: PrimitiveType) -> int:
    if element_type is PrimitiveType.PRED:
        return 1
    if element_type.is_complex:
        return 64 if element_type is PrimitiveType.C64 else 128
    return int(element_type.value.lstrip("bfsu").split("e")[0])


@operation("ReducePrecision")
def reduce_precision(operand: Array, *, exponent_bits: int, mantissa_bits: int) -> XlaOp:
    """`ReducePrecision`: floats rounded to those a type with these bits has, ties to even.

    Both numbers are given by name: the documents have them in one order, C++ in the other.
    """
    require(1 <= exponent_bits < 2**31, "exponent_bits", f"expected 1 or more, got {exponent_bits}")
    require(0 <= mantissa_bits < 2**31, "mantissa_bits", f"expected 0 or more, got {mantissa_bits}")
    require(
        operand.shape.element_type.is_floating_point,
        "operand",
        f"expected elements that are floats, got {operand.shape}",
    )
    return operand.builder.emit(stablehlo.ReducePrecisionOp(operand.value, exponent_bits, mantissa_bits))
