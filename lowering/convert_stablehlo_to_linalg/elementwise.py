"""Elementwise ops: the table from StableHLO op to scalar operation, and the generic around it.

The column is chosen by the element type of the first operand that holds data; an empty field is an
op the specification does not define for that kind of element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import IntegerType, f32, f64, i1
from xdsl.ir import Operation, SSAValue

from ...dialects import stablehlo
from ...dialects.stablehlo import ComparisonDirection, ComparisonType
from ...dialects.xrt_names import CONTRACT
from . import complex_numbers
from .arithmetic import Number, compare_float, compare_int, select, width
from .attributes import (
    AnyTensor,
    element_of,
    identity,
    is_complex,
    is_float,
    is_integer,
    is_narrow_float,
    is_number,
    is_unsigned,
    projection,
    signless,
    unsupported,
)
from .builder import Lowered, Lowering
from .reduce_precision import reduce_precision
from .scalars import (
    CONTRACTIBLE,
    Scalars,
    complement,
    float_remainder,
    float_sign,
    integer_power,
    is_finite,
    logistic,
    negate_integer,
    operand_itself,
    shift_left,
    shift_right_arithmetic,
    shift_right_logical,
    signed_divide,
    signed_remainder,
    signed_sign,
    unsigned_divide,
    unsigned_remainder,
    unsigned_sign,
)

Rule: TypeAlias = Callable[[Lowering, Any, Scalars], SSAValue]
"""Emits the scalar form of an op on lowered scalars of its operands."""


def one(op_type: type[Operation]) -> Rule:
    """The rule that is one op whose result has the type of its operands."""

    def emit(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
        return ctx.scalar(op_type, args, args[0].type)

    return emit


def contractible(op_type: type[Operation]) -> Rule:
    """`one` with the flag of what may be rounded once, where the op is marked so."""
    plain = one(op_type)

    def emit(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
        if CONTRACT in op.attributes:
            return ctx.scalar(op_type, args, args[0].type, {"fastmath": CONTRACTIBLE})
        return plain(ctx, op, args)

    return emit


def in_f32(rule: Rule) -> Rule:
    """The rule computed in f32 for 16-bit floats."""

    def emit(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
        type = args[0].type
        if width(args[0]) != 16:
            return rule(ctx, op, args)
        result = rule(ctx, op, [ctx.scalar(arith.ExtFOp, (arg,), f32) for arg in args])
        return ctx.scalar(arith.TruncFOp, (result,), type)

    return emit


def elementary(op_type: type[Operation]) -> Rule:
    """A function of `math`, computed in f32 for 16-bit floats."""
    return in_f32(one(op_type))


def through_f32(rule: Rule) -> Rule:
    """The rule for floats of a byte and less: operands extended to f32, a float rounded once.

    Functions of two operands are computed in f64: their values come close to ties, or lie between the ranges.
    """

    def emit(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
        wide = [ctx.scalar(arith.ExtFOp, (arg,), f32) if is_narrow_float(arg.type) else arg for arg in args]
        if isinstance(op, stablehlo.Atan2Op | stablehlo.PowOp):
            wide = [ctx.scalar(arith.ExtFOp, (arg,), f64) for arg in wide]
        result = rule(ctx, op, wide)
        target = element_of(op.results[0])
        return ctx.scalar(arith.TruncFOp, (result,), target) if is_narrow_float(target) else result

    return emit


class Row(NamedTuple):
    """The scalar operation for each kind of element type."""

    float: Rule | None = None
    signed: Rule | None = None
    unsigned: Rule | None = None
    boolean: Rule | None = None
    complex: Rule | None = None


def _floats(rule: Rule, complex: Rule | None = None) -> Row:
    return Row(float=rule, complex=complex)


def _function(of_floats: type[Operation], of_complex: type[Operation]) -> Row:
    return Row(float=elementary(of_floats), complex=one(of_complex))


def _integers(rule: Rule) -> Row:
    return Row(signed=rule, unsigned=rule)


def _bits(rule: Rule) -> Row:
    return Row(signed=rule, unsigned=rule, boolean=rule)


def _every(rule: Rule) -> Row:
    return Row(rule, rule, rule, rule, rule)


def _compare(ctx: Lowering, op: Any, args: Scalars) -> SSAValue:
    direction: ComparisonDirection = op.comparison_direction.data
    type = element_of(op.operands[0])
    lhs, rhs = args
    if is_complex(type):
        return complex_numbers.compare(ctx, op, args)
    if is_integer(type):
        return compare_int(ctx, _INTEGER_PREDICATES[direction][is_unsigned(type)], lhs, rhs)
    if op.compare_type is not None and op.compare_type.data == ComparisonType.TOTALORDER:
        lhs, rhs = _total_order(ctx, lhs), _total_order(ctx, rhs)
        return compare_int(ctx, _INTEGER_PREDICATES[direction][0], lhs, rhs)
    if op.compare_type is not None and op.compare_type.data == ComparisonType.WEAKORDER:
        return _compare_weakly(ctx, direction, lhs, rhs)
    return compare_float(ctx, _FLOAT_PREDICATES[direction], lhs, rhs)


def _compare_weakly(ctx: Lowering, direction: ComparisonDirection, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    """The order of IEEE 754 where it is one, and all NaNs equal and greatest."""

    def less(x: SSAValue, y: SSAValue) -> SSAValue:
        return ctx.scalar(arith.AndIOp, (compare_float(ctx, "ult", x, y), compare_float(ctx, "ord", x, x)), i1)

    match direction:
        case ComparisonDirection.LT:
            return less(lhs, rhs)
        case ComparisonDirection.GT:
            return less(rhs, lhs)
        case ComparisonDirection.GE:
            return _not(ctx, less(lhs, rhs))
        case ComparisonDirection.LE:
            return _not(ctx, less(rhs, lhs))
        case ComparisonDirection.EQ:
            return _not(ctx, _compare_weakly(ctx, ComparisonDirection.NE, lhs, rhs))
        case ComparisonDirection.NE:
            return ctx.scalar(arith.OrIOp, (less(lhs, rhs), less(rhs, lhs)), i1)


def _not(ctx: Lowering, value: SSAValue) -> SSAValue:
    return ctx.scalar(arith.XOrIOp, (value, ctx.constant(i1, -1)), i1)


_INTEGER_PREDICATES = {
    ComparisonDirection.EQ: ("eq", "eq"),
    ComparisonDirection.NE: ("ne", "ne"),
    ComparisonDirection.GE: ("sge", "uge"),
    ComparisonDirection.GT: ("sgt", "ugt"),
    ComparisonDirection.LE: ("sle", "ule"),
    ComparisonDirection.LT: ("slt", "ult"),
}
_FLOAT_PREDICATES = {
    ComparisonDirection.EQ: "oeq",
    ComparisonDirection.NE: "une",
    ComparisonDirection.GE: "oge",
    ComparisonDirection.GT: "ogt",
    ComparisonDirection.LE: "ole",
    ComparisonDirection.LT: "olt",
}


def _total_order(ctx: Lowering, value: SSAValue) -> SSAValue:
    """The integer whose signed order is the total order of floats: negative numbers have their
    magnitude flipped.
    """
    bits = width(value)
    image = Number(ctx, value).bitcast(IntegerType(bits))
    sign = image.apply(arith.ShRSIOp, bits - 1)
    return (image ^ (sign >> 1)).value


def _select(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    return select(ctx, *args)


def _clamp(maximum: type[Operation], minimum: type[Operation]) -> Rule:
    def emit(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
        low, value, high = args
        raised = ctx.scalar(maximum, (value, low), value.type)
        return ctx.scalar(minimum, (raised, high), value.type)

    return emit


def _imaginary_part(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    return ctx.constant(args[0].type, 0.0)


_ADD = Row(contractible(arith.AddfOp), one(arith.AddiOp), one(arith.AddiOp), one(arith.OrIOp), one(complex.AddOp))
_MUL = Row(contractible(arith.MulfOp), one(arith.MuliOp), one(arith.MuliOp), one(arith.AndIOp), one(complex.MulOp))
_MIN = Row(
    one(arith.MinimumfOp),
    one(arith.MinSIOp),
    one(arith.MinUIOp),
    one(arith.AndIOp),
    complex_numbers.minimum,
)
_MAX = Row(
    one(arith.MaximumfOp),
    one(arith.MaxSIOp),
    one(arith.MaxUIOp),
    one(arith.OrIOp),
    complex_numbers.maximum,
)
_CLAMP = Row(
    _clamp(arith.MaximumfOp, arith.MinimumfOp),
    _clamp(arith.MaxSIOp, arith.MinSIOp),
    _clamp(arith.MaxUIOp, arith.MinUIOp),
    _clamp(arith.OrIOp, arith.AndIOp),
    complex_numbers.clamp,
)

SCALAR_RULES: dict[type[Operation], Row] = {
    # op: float, signed, unsigned, boolean, complex
    stablehlo.AbsOp: Row(one(math.AbsFOp), one(math.AbsIOp), complex=complex_numbers.absolute_value),
    stablehlo.AddOp: _ADD,
    stablehlo.AndOp: _bits(one(arith.AndIOp)),
    stablehlo.Atan2Op: _function(math.Atan2Op, complex.Atan2Op),
    stablehlo.CbrtOp: _floats(elementary(math.CbrtOp), complex_numbers.cube_root),
    stablehlo.CeilOp: _floats(one(math.CeilOp)),
    stablehlo.ClampOp: _CLAMP,
    stablehlo.ClzOp: _integers(one(math.CountLeadingZerosOp)),
    stablehlo.CompareOp: _every(_compare),
    stablehlo.ComplexOp: _floats(complex_numbers.from_parts),
    stablehlo.ConvertOp: _every(complex_numbers.convert),
    stablehlo.CosineOp: _function(math.CosOp, complex.CosOp),
    stablehlo.DivOp: Row(one(arith.DivfOp), signed_divide, unsigned_divide, complex=one(complex.DivOp)),
    stablehlo.ExpOp: _function(math.ExpOp, complex.ExpOp),
    stablehlo.Expm1Op: _function(math.ExpM1Op, complex.Expm1Op),
    stablehlo.FloorOp: _floats(one(math.FloorOp)),
    stablehlo.ImagOp: _floats(_imaginary_part, complex_numbers.imaginary_part),
    stablehlo.IsFiniteOp: _floats(is_finite),
    stablehlo.Log1pOp: _function(math.Log1pOp, complex.Log1pOp),
    stablehlo.LogisticOp: _floats(in_f32(logistic), complex_numbers.logistic),
    stablehlo.LogOp: _function(math.LogOp, complex.LogOp),
    stablehlo.MaxOp: _MAX,
    stablehlo.MinOp: _MIN,
    stablehlo.MulOp: _MUL,
    stablehlo.NegOp: Row(one(arith.NegfOp), negate_integer, negate_integer, complex=one(complex.NegOp)),
    stablehlo.NotOp: _bits(complement),
    stablehlo.OrOp: _bits(one(arith.OrIOp)),
    stablehlo.PopulationCountOp: _integers(one(math.CtPopOp)),
    stablehlo.PowOp: Row(elementary(math.PowFOp), integer_power, integer_power, complex=one(complex.PowOp)),
    stablehlo.RealOp: _floats(operand_itself, complex_numbers.real_part),
    stablehlo.ReducePrecisionOp: _floats(reduce_precision),
    stablehlo.RemOp: Row(float_remainder, signed_remainder, unsigned_remainder),
    stablehlo.RoundNearestEvenOp: _floats(one(math.RoundEvenOp)),
    stablehlo.RoundOp: _floats(one(math.RoundOp)),
    stablehlo.RsqrtOp: _function(math.RsqrtOp, complex.RsqrtOp),
    stablehlo.SelectOp: _every(_select),
    stablehlo.ShiftLeftOp: _integers(shift_left),
    stablehlo.ShiftRightArithmeticOp: _integers(shift_right_arithmetic),
    stablehlo.ShiftRightLogicalOp: _integers(shift_right_logical),
    stablehlo.SignOp: Row(float_sign, signed_sign, unsigned_sign, complex=one(complex.SignOp)),
    stablehlo.SineOp: _function(math.SinOp, complex.SinOp),
    stablehlo.SqrtOp: _function(math.SqrtOp, complex.SqrtOp),
    stablehlo.SubtractOp: Row(one(arith.SubfOp), one(arith.SubiOp), one(arith.SubiOp), complex=one(complex.SubOp)),
    stablehlo.TanhOp: _function(math.TanhOp, complex.TanhOp),
    stablehlo.TanOp: _function(math.TanOp, complex.TanOp),
    stablehlo.XorOp: _bits(one(arith.XOrIOp)),
}


def scalar_rule(op: Operation) -> Rule:
    """The rule for `op`, by the kind of its elements; an `UnsupportedError` if there is none."""
    row = SCALAR_RULES[type(op)]
    element = element_of(op.operands[_DATA_OPERAND.get(type(op), 0)])
    if is_integer(element):
        if element.width.data == 1:
            rule = row.boolean
        else:
            rule = row.unsigned if is_unsigned(element) else row.signed
    elif is_complex(element):
        rule = row.complex
    else:
        rule = row.float if is_float(element) else None
        if rule is not None and is_narrow_float(element) and type(op) not in _NARROW:
            rule = through_f32(rule)
    if rule is None:
        raise unsupported(op, f"no scalar operation for elements of type {element}")
    return rule


_DATA_OPERAND: dict[type[Operation], int] = {stablehlo.SelectOp: 1, stablehlo.ClampOp: 1}
"""The operand whose element type chooses the column, where it is not the first."""


_NARROW = (stablehlo.ConvertOp, stablehlo.ReducePrecisionOp, stablehlo.SelectOp)
"""The ops that take floats of a byte and less as they are."""


def lower_elementwise(ctx: Lowering, op: Operation) -> Sequence[Lowered]:
    """A generic of identity maps; operands of rank 0 among others of higher rank are read at every
    point.
    """
    rule = scalar_rule(op)
    type: Any = signless(op.results[0].type)
    return (apply(ctx, op.operands, type, lambda args: rule(ctx, op, args)),)


def apply(
    ctx: Lowering,
    operands: Sequence[SSAValue],
    type: AnyTensor,
    body: Callable[[Scalars], SSAValue],
) -> SSAValue:
    """`body` at every point of `type`, on the elements of StableHLO values."""
    rank = len(type.shape.data)
    same, everywhere = identity(rank), projection(rank, ())
    inputs = [
        (
            ctx.lowered(operand),
            same if len(_type(operand).shape.data) == rank else everywhere,
        )
        for operand in operands
    ]
    return ctx.elementwise(inputs, type, body)


def _type(value: SSAValue) -> AnyTensor:
    type: Any = value.type
    return type


def _unchanged(ctx: Lowering, op: Operation) -> Sequence[Lowered]:
    return [ctx.lowered(operand) for operand in op.operands]


def lower_convert(ctx: Lowering, op: Operation) -> Sequence[Lowered]:
    """`convert`; between types of one signless form, and of a real to its real part, nothing
    happens.
    """
    element = element_of(op.operands[0])
    if signless(element) == signless(element_of(op.results[0])) and is_number(element):
        return _unchanged(ctx, op)
    return lower_elementwise(ctx, op)


ELEMENTWISE = {op: lower_elementwise for op in SCALAR_RULES} | {
    stablehlo.ConvertOp: lower_convert,
    stablehlo.RealOp: lower_convert,
}
"""Op type to lowering for the elementwise ops."""
