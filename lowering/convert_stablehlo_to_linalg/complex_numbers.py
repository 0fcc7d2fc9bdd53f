"""Scalar operations on complex numbers: ops of the `complex` dialect, one for one where it has them.

What they mean at infinities and how accurate they are is up to `complex-expand-arithmetic`. Equality is that of both
parts, minimum and maximum go by real part, then imaginary part, as the specification's lexicographic order.
"""

from __future__ import annotations

import math as python_math
from typing import Any

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import ComplexType, f64, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.stablehlo import ComparisonDirection
from .attributes import element_of, is_complex, part_type, unsupported
from .builder import Lowering
from .scalars import Scalars, compare_float, convert_scalar, select


def real_part(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """`complex.re`."""
    (z,) = args
    return ctx.scalar(complex.ReOp, (z,), part_type(z.type))


def imaginary_part(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """`complex.im`."""
    (z,) = args
    return ctx.scalar(complex.ImOp, (z,), part_type(z.type))


def from_parts(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """`complex.create`."""
    part: Any = args[0].type
    return ctx.scalar(complex.CreateOp, args, ComplexType(part))


def absolute_value(ctx: Lowering, _: Operation, args: Scalars) -> SSAValue:
    """`complex.abs`, which is real."""
    (z,) = args
    return ctx.scalar(complex.AbsOp, (z,), part_type(z.type))


def logistic(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
    """`1 / (1 + exp(-z))`, on the parts and in double precision.

    For `z = a + iy`, `a <= 0`, `E = exp(a)`, it is `E (E + cos(y) + i sin(y)) / |1 + exp(z)|**2`; with `expm1(a)`, sine
    and cosine of `y / 2` none of these sums cancels where the result is large, near the poles. For other `z` it is 1
    less the value at `-z`.
    """
    (z,) = args
    part: Any = part_type(z.type)
    x, y = (_in_double(ctx, value) for value in (real_part(ctx, op, args), imaginary_part(ctx, op, args)))

    def binary(op_type: type[Operation], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return ctx.scalar(op_type, (lhs, rhs), f64)

    def unary(op_type: type[Operation], value: SSAValue) -> SSAValue:
        return ctx.scalar(op_type, (value,), f64)

    def scaled(value: SSAValue, factor: float) -> SSAValue:
        return binary(arith.MulfOp, value, ctx.constant(f64, factor))

    size = unary(math.AbsFOp, x)
    exponent = unary(arith.NegfOp, size)
    exponential, less_one = unary(math.ExpOp, exponent), unary(math.ExpM1Op, exponent)
    # At an infinite real part the angle does not matter.
    infinity = ctx.constant(f64, python_math.inf)
    wild = compare_float(ctx, "uge", unary(math.AbsFOp, y), infinity)
    wild = ctx.scalar(arith.AndIOp, (wild, compare_float(ctx, "oeq", size, infinity)), i1)
    half = scaled(select(ctx, wild, ctx.constant(f64, 0.0), y), 0.5)
    sine, cosine = unary(math.SinOp, half), unary(math.CosOp, half)
    square = binary(arith.MulfOp, cosine, cosine)
    norm = binary(
        arith.AddfOp,
        binary(arith.MulfOp, less_one, less_one),
        scaled(binary(arith.MulfOp, exponential, square), 4.0),
    )
    factor = binary(arith.DivfOp, exponential, norm)
    imaginary = binary(arith.MulfOp, factor, scaled(binary(arith.MulfOp, sine, cosine), 2.0))
    near_pole = binary(arith.AddfOp, less_one, scaled(square, 2.0))
    elsewhere = binary(
        arith.AddfOp,
        exponential,
        binary(arith.AddfOp, ctx.constant(f64, 1.0), scaled(binary(arith.MulfOp, sine, sine), -2.0)),
    )
    is_near = compare_float(ctx, "olt", square, ctx.constant(f64, 0.25))
    left = binary(arith.MulfOp, factor, select(ctx, is_near, near_pole, elsewhere))
    right = binary(arith.SubfOp, ctx.constant(f64, 1.0), left)
    real = select(ctx, compare_float(ctx, "olt", x, ctx.constant(f64, 0.0)), left, right)
    parts = [value if part == f64 else ctx.scalar(arith.TruncFOp, (value,), part) for value in (real, imaginary)]
    return ctx.scalar(complex.CreateOp, parts, z.type)


def _in_double(ctx: Lowering, value: SSAValue) -> SSAValue:
    return value if value.type == f64 else ctx.scalar(arith.ExtFOp, (value,), f64)


def cube_root(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
    """The principal root: a third of the argument; on the positive real axis a real number."""
    (z,) = args
    x, y = real_part(ctx, op, args), imaginary_part(ctx, op, args)
    part = x.type
    radius = _modulus_root(ctx, op, x, y, z.type)
    angle = ctx.scalar(math.Atan2Op, (y, x), part)
    third = ctx.scalar(arith.DivfOp, (angle, ctx.constant(part, 3.0)), part)
    real = ctx.scalar(arith.MulfOp, (radius, ctx.scalar(math.CosOp, (third,), part)), part)
    imaginary = ctx.scalar(arith.MulfOp, (radius, ctx.scalar(math.SinOp, (third,), part)), part)
    zero = ctx.constant(part, 0.0)
    on_axis = compare_float(ctx, "oeq", y, zero)
    not_left = compare_float(ctx, "oge", x, zero)
    positive = ctx.scalar(arith.AndIOp, (on_axis, not_left), i1)
    return ctx.scalar(complex.CreateOp, (real, select(ctx, positive, y, imaginary)), z.type)


def _modulus_root(ctx: Lowering, op: Operation, x: SSAValue, y: SSAValue, type: Attribute) -> SSAValue:
    """The cube root of `|x + iy|`: twice that of an eighth of it where the modulus may overflow."""
    part = x.type
    one = ctx.constant(part, 1.0)
    sizes = [ctx.scalar(math.AbsFOp, (value,), part) for value in (x, y)]
    large = ctx.scalar(arith.OrIOp, tuple(compare_float(ctx, "ogt", size, one) for size in sizes), i1)
    factor = select(ctx, large, ctx.constant(part, 0.125), one)
    parts = [ctx.scalar(arith.MulfOp, (value, factor), part) for value in (x, y)]
    scaled = ctx.scalar(complex.CreateOp, parts, type)
    root = ctx.scalar(math.CbrtOp, (absolute_value(ctx, op, (scaled,)),), part)
    return ctx.scalar(arith.MulfOp, (root, select(ctx, large, ctx.constant(part, 2.0), one)), part)


def compare(ctx: Lowering, op: Any, args: Scalars) -> SSAValue:
    """`complex.eq` and `complex.neq`; complex numbers have no other order."""
    direction: ComparisonDirection = op.comparison_direction.data
    if direction not in (ComparisonDirection.EQ, ComparisonDirection.NE):
        raise unsupported(op, f"complex numbers are compared by EQ and NE only, not {direction.value}")
    return ctx.scalar(complex.EqualOp if direction == ComparisonDirection.EQ else complex.NotEqualOp, args, i1)


def _not_less(ctx: Lowering, op: Operation, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    (a, b), (c, d) = ((real_part(ctx, op, (z,)), imaginary_part(ctx, op, (z,))) for z in (lhs, rhs))
    greater = compare_float(ctx, "ogt", a, c)
    level = ctx.scalar(arith.AndIOp, (compare_float(ctx, "oeq", a, c), compare_float(ctx, "oge", b, d)), i1)
    return ctx.scalar(arith.OrIOp, (greater, level), i1)


def maximum(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
    """The operand that is later in lexicographic order."""
    lhs, rhs = args
    return select(ctx, _not_less(ctx, op, lhs, rhs), lhs, rhs)


def minimum(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
    """The operand that is earlier in lexicographic order."""
    lhs, rhs = args
    return select(ctx, _not_less(ctx, op, lhs, rhs), rhs, lhs)


def clamp(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
    """`minimum(maximum(value, low), high)`."""
    low, value, high = args
    return minimum(ctx, op, (maximum(ctx, op, (value, low)), high))


def convert_number(ctx: Lowering, value: SSAValue, source: Attribute, target: Attribute) -> SSAValue | None:
    """`value` of StableHLO element type `source` as `target`, complex or not; None if a type is not known.

    From complex to real the imaginary part is dropped; a boolean is whether the real part is not zero.
    """
    if source == target and is_complex(source):
        return value
    parts = [value]
    if is_complex(source):
        parts = [ctx.scalar(op, (value,), part_type(source)) for op in (complex.ReOp, complex.ImOp)]
        source = part_type(source)
    if not is_complex(target):
        return convert_scalar(ctx, parts[0], source, target)
    part = part_type(target)
    converted = [convert_scalar(ctx, value, source, part) for value in parts]
    real, imaginary = converted if len(converted) == 2 else (converted[0], ctx.constant(part, 0.0))
    if real is None or imaginary is None:
        return None
    return ctx.scalar(complex.CreateOp, (real, imaginary), target)


def convert(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
    """`stablehlo.convert`."""
    source, target = element_of(op.operands[0]), element_of(op.results[0])
    result = convert_number(ctx, args[0], source, target)
    if result is None:
        raise unsupported(op, f"no conversion from {source} to {target}")
    return result
