"""Elementwise ops: the table from StableHLO op to scalar operation, and the generic around it.

The column is chosen by the element type of the first operand that holds data; an empty field is an
op the specification does not define for that kind of element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import arith, complex, func, math
from xdsl.dialects.builtin import Float8E8M0FNUType, IntegerType, f32, f64, i1
from xdsl.ir import Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.stablehlo import ComparisonDirection, ComparisonType
from ...dialects.stablehlo.shapes import real_type, shape_of
from ...dialects.xrt_names import CONTRACT
from .arithmetic import ADD, CONTRACTIBLE, MAXIMUM, MINIMUM, MULTIPLY, SUBTRACT, Number, Row, Rule, complex_of
from .attributes import (
    AnyTensor,
    Kind,
    accumulator,
    element_of,
    identity,
    is_float,
    is_narrow_float,
    is_number,
    is_unsigned,
    kind_of,
    leading,
    result_type,
    signless,
    unsupported,
)
from .builder import Lowered, Lowering, Scalars
from .conversions import convert, reduce_precision
from .scalars import (
    complex_logistic,
    cube_root,
    divide,
    float_remainder,
    float_sign,
    integer_power,
    is_finite,
    logistic,
    remainder,
    shift,
    shift_right_arithmetic,
    signed_sign,
)


def _floats(rule: type[Operation] | Rule, complex: type[Operation] | Rule | None = None) -> Row:
    return Row(float=rule, complex=complex)


def _integers(rule: type[Operation] | Rule) -> Row:
    return Row(signed=rule, unsigned=rule)


def _bits(rule: type[Operation] | Rule) -> Row:
    return Row(signed=rule, unsigned=rule, boolean=rule)


def _every(rule: Rule) -> Row:
    return Row(rule, rule, rule, rule, rule)


def _compare(op: Any, x: Number, y: Number) -> Number:
    direction: ComparisonDirection = op.comparison_direction.data
    order = None if op.compare_type is None else op.compare_type.data
    name, kind = direction.value.lower(), kind_of(x.type)
    is_equality = direction in (ComparisonDirection.EQ, ComparisonDirection.NE)
    if kind is Kind.COMPLEX:
        if not is_equality:
            raise unsupported(op, f"complex numbers are compared by EQ and NE only, not {direction.value}")
        return x.apply(complex.EqualOp if name == "eq" else complex.NotEqualOp, y, to=i1)
    if kind is Kind.FLOAT and order == ComparisonType.WEAKORDER:
        return _compare_weakly(direction, x, y)
    if kind is Kind.FLOAT and order != ComparisonType.TOTALORDER:
        return x.compare("une" if name == "ne" else "o" + name, y)
    if kind is Kind.FLOAT:
        x, y = _total_order(x), _total_order(y)
    sign = "" if is_equality else "u" if is_unsigned(x.type) else "s"
    return x.compare(sign + name, y)


def _compare_weakly(direction: ComparisonDirection, x: Number, y: Number) -> Number:
    """The order of IEEE 754 where it is one, and all NaNs equal and greatest."""

    def less(x: Number, y: Number) -> Number:
        return x.compare("ult", y) & x.compare("ord", x)

    if direction in (ComparisonDirection.EQ, ComparisonDirection.NE):
        result = less(x, y) | less(y, x)
    else:
        is_forward = direction in (ComparisonDirection.LT, ComparisonDirection.GE)
        result = less(x, y) if is_forward else less(y, x)
    is_negated = direction in (ComparisonDirection.EQ, ComparisonDirection.GE, ComparisonDirection.LE)
    return ~result if is_negated else result


def _total_order(x: Number) -> Number:
    """The integer whose signed order is the total order of floats: negative numbers have their
    magnitude flipped.
    """
    image = x.bitcast(IntegerType(x.bits))
    sign = image.apply(arith.ShRSIOp, x.bits - 1)
    return image ^ (sign >> 1)


def _clamp(low: Number, value: Number, high: Number) -> Number:
    return value.combine(MAXIMUM, low).combine(MINIMUM, high)


def _part(op_type: type[Operation]) -> Rule:
    """An op on complex numbers whose result is real."""

    def emit(z: Number) -> Number:
        return z.apply(op_type, to=real_type(z.type))

    return emit


def _zero(x: Number) -> Number:
    return x.constant(0.0)


def _unsigned_sign(x: Number) -> Number:
    return x.apply(arith.MinUIOp, 1)


def _itself(x: Number) -> Number:
    return x


FUNCTIONS: dict[type[Operation], Row] = {
    stablehlo.Atan2Op: _floats(math.Atan2Op, complex.Atan2Op),
    stablehlo.CbrtOp: _floats(math.CbrtOp, cube_root),
    stablehlo.CosineOp: _floats(math.CosOp, complex.CosOp),
    stablehlo.ExpOp: _floats(math.ExpOp, complex.ExpOp),
    stablehlo.Expm1Op: _floats(math.ExpM1Op, complex.Expm1Op),
    stablehlo.Log1pOp: _floats(math.Log1pOp, complex.Log1pOp),
    stablehlo.LogisticOp: _floats(logistic, complex_logistic),
    stablehlo.LogOp: _floats(math.LogOp, complex.LogOp),
    stablehlo.PowOp: Row(math.PowFOp, integer_power, integer_power, complex=complex.PowOp),
    stablehlo.RsqrtOp: _floats(math.RsqrtOp, complex.RsqrtOp),
    stablehlo.SineOp: _floats(math.SinOp, complex.SinOp),
    stablehlo.SqrtOp: _floats(math.SqrtOp, complex.SqrtOp),
    stablehlo.TanhOp: _floats(math.TanhOp, complex.TanhOp),
    stablehlo.TanOp: _floats(math.TanOp, complex.TanOp),
}
"""The functions that are computed in f32 for floats of 16 bits."""

_CONTROL_FLOW = stablehlo.WhileOp | stablehlo.IfOp | stablehlo.CaseOp


def _float_remainder(op: Operation, x: Number, y: Number) -> Number:
    return float_remainder(x, y, alone=_is_alone(op))


def _is_alone(op: Operation) -> bool:
    """Whether it is on scalars of the program, and not on those of what is done with each element of a tensor."""
    return not shape_of(op.results[0]) and isinstance(op.parent_op(), func.FuncOp | _CONTROL_FLOW)


SCALAR_RULES: dict[type[Operation], Row] = {
    # op: float, signed, unsigned, boolean, complex
    **FUNCTIONS,
    stablehlo.AbsOp: Row(math.AbsFOp, math.AbsIOp, complex=_part(complex.AbsOp)),
    stablehlo.AddOp: ADD,
    stablehlo.AndOp: _bits(arith.AndIOp),
    stablehlo.CeilOp: _floats(math.CeilOp),
    stablehlo.ClampOp: _every(_clamp),
    stablehlo.ClzOp: _integers(math.CountLeadingZerosOp),
    stablehlo.CompareOp: _every(_compare),
    stablehlo.ComplexOp: _floats(complex_of),
    stablehlo.ConvertOp: _every(convert),
    stablehlo.DivOp: Row(arith.DivfOp, divide, divide, complex=complex.DivOp),
    stablehlo.FloorOp: _floats(math.FloorOp),
    stablehlo.ImagOp: _floats(_zero, _part(complex.ImOp)),
    stablehlo.IsFiniteOp: _floats(is_finite),
    stablehlo.MaxOp: MAXIMUM,
    stablehlo.MinOp: MINIMUM,
    stablehlo.MulOp: MULTIPLY,
    stablehlo.NegOp: Row(arith.NegfOp, Number.__neg__, Number.__neg__, complex=complex.NegOp),
    stablehlo.NotOp: _bits(Number.__invert__),
    stablehlo.OrOp: _bits(arith.OrIOp),
    stablehlo.PopulationCountOp: _integers(math.CtPopOp),
    stablehlo.RealOp: _floats(_itself, _part(complex.ReOp)),
    stablehlo.ReducePrecisionOp: _floats(reduce_precision),
    stablehlo.RemOp: Row(_float_remainder, remainder, remainder),
    stablehlo.RoundNearestEvenOp: _floats(math.RoundEvenOp),
    stablehlo.RoundOp: _floats(math.RoundOp),
    stablehlo.SelectOp: _every(Number.select),
    stablehlo.ShiftLeftOp: _integers(shift(arith.ShLIOp)),
    stablehlo.ShiftRightArithmeticOp: _integers(shift_right_arithmetic),
    stablehlo.ShiftRightLogicalOp: _integers(shift(arith.ShRUIOp)),
    stablehlo.SignOp: Row(float_sign, signed_sign, _unsigned_sign, complex=complex.SignOp),
    stablehlo.SubtractOp: SUBTRACT,
    stablehlo.XorOp: _bits(arith.XOrIOp),
}

_DATA_OPERAND: dict[type[Operation], int] = {stablehlo.SelectOp: 1, stablehlo.ClampOp: 1}
"""The operand whose element type chooses the column, where it is not the first."""

_OF_OPS = frozenset[type[Operation] | Rule]({_compare, convert, reduce_precision, _float_remainder})
"""The rules that are given the op, too."""

_NARROW = (stablehlo.ConvertOp, stablehlo.ReducePrecisionOp, stablehlo.SelectOp)
"""The ops that take floats of a byte and less as they are."""


def scalar(op: Operation, args: Scalars) -> Number:
    """`op` on numbers; an `UnsupportedError` if it is not defined for their kind.

    What is computed in f32 is rounded once. Functions of two operands of a byte are computed in f64: their values come
    close to ties, or lie between the ranges; so is what is done with powers of two, the least of which is subnormal in
    f32.
    """
    op_class = op.__class__
    element = args[_DATA_OPERAND.get(op_class, 0)].type
    kind = kind_of(element)
    rule = SCALAR_RULES[op_class][kind]
    if rule is None:
        raise unsupported(op, f"no scalar operation for elements of type {element}")
    narrow = kind is Kind.FLOAT and is_narrow_float(element) and op_class not in _NARROW
    if not narrow and (op_class not in FUNCTIONS or accumulator(element) is element):
        return _applied(rule, op, args)
    wide = f64 if isinstance(element, Float8E8M0FNUType) else f32
    args = [arg.resized(wide) for arg in args]
    if narrow and op_class in (stablehlo.Atan2Op, stablehlo.PowOp):
        args = [arg.resized(f64) for arg in args]
    result = _applied(rule, op, args)
    if not is_float(result.type):
        return result
    if wide is f64:  # half the least number of f32, and what is below, is zero there
        result = result.compare("ole", 2.0**-150).select(0.0, result)
    return result.resized(element_of(op.results[0]))


def _applied(rule: type[Operation] | Rule, op: Operation, args: Scalars) -> Number:
    if not isinstance(rule, type):
        return rule(op, *args) if rule in _OF_OPS else rule(*args)
    contracts = CONTRACT in op.attributes and rule in (arith.AddfOp, arith.MulfOp)
    return args[0].apply(rule, *args[1:], properties=CONTRACTIBLE if contracts else {})


def lower_elementwise(ctx: Lowering, op: Operation) -> Sequence[Lowered]:
    """A generic of identity maps; operands of rank 0 among others of higher rank are read at every
    point.
    """
    return (apply(ctx, op.operands, result_type(op), lambda args: scalar(op, args)),)


def apply(ctx: Lowering, operands: Sequence[SSAValue], type: AnyTensor, body: Callable[[Scalars], Number]) -> SSAValue:
    """`body` at every point of `type`, on the elements of StableHLO values."""
    rank = len(type.shape.data)
    same, everywhere = identity(rank), leading(rank, 0)
    inputs = [(ctx.lowered(value), same if len(shape_of(value)) == rank else everywhere) for value in operands]
    types = [element_of(value) for value in operands]

    def typed(args: Scalars) -> Number:
        for arg, element in zip(args, types, strict=True):
            arg.type = element
        return body(args)

    return ctx.elementwise(inputs, type, typed)


def lower_convert(ctx: Lowering, op: Operation) -> Sequence[Lowered]:
    """`convert`; between types of one signless form, and of a real to its real part, nothing
    happens.
    """
    element = element_of(op.operands[0])
    if signless(element) == signless(element_of(op.results[0])) and is_number(element):
        return [ctx.lowered(op.operands[0])]
    return lower_elementwise(ctx, op)
