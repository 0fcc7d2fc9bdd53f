"""Scalar operations on complex numbers: ops of the `complex` dialect, one for one where it has them.

What they mean at infinities and how accurate they are is up to `complex-expand-arithmetic`. Equality is that of both
parts, minimum and maximum go by real part, then imaginary part, as the specification's lexicographic order.
"""

from __future__ import annotations

import math as python_math
from typing import Any

from xdsl.dialects import complex, math
from xdsl.dialects.builtin import ComplexType, f64, i1
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.stablehlo import ComparisonDirection
from .arithmetic import Number, complex_of, parts_of, select
from .attributes import element_of, is_complex, part_type, unsupported
from .builder import Lowering
from .scalars import Scalars, convert_scalar


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
    real, imaginary = parts_of(ctx, args[0])
    part = real.type
    x, y = real.resized(f64), imaginary.resized(f64)
    size = x.apply(math.AbsFOp)
    exponent = -size
    exponential, less_one = exponent.apply(math.ExpOp), exponent.apply(math.ExpM1Op)
    # At an infinite real part the angle does not matter.
    infinity = x.constant(python_math.inf)
    wild = y.apply(math.AbsFOp).compare("uge", infinity) & size.compare("oeq", infinity)
    half = wild.select(0.0, y) * 0.5
    sine, cosine = half.apply(math.SinOp), half.apply(math.CosOp)
    square = cosine * cosine
    factor = exponential / (less_one * less_one + exponential * square * 4.0)
    imaginary = factor * (sine * cosine * 2.0)
    near_pole = less_one + square * 2.0
    elsewhere = exponential + (x.constant(1.0) + sine * sine * -2.0)
    left = factor * square.compare("olt", 0.25).select(near_pole, elsewhere)
    right = x.constant(1.0) - left
    real = x.compare("olt", 0.0).select(left, right)
    return complex_of(real.resized(part), imaginary.resized(part))


def cube_root(ctx: Lowering, op: Operation, args: Scalars) -> SSAValue:
    """The principal root: a third of the argument; on the positive real axis a real number."""
    x, y = parts_of(ctx, args[0])
    radius = _modulus_root(ctx, op, x, y)
    third = y.apply(math.Atan2Op, x) / 3.0
    real, imaginary = radius * third.apply(math.CosOp), radius * third.apply(math.SinOp)
    zero = x.constant(0.0)
    positive = y.compare("oeq", zero) & x.compare("oge", zero)
    return complex_of(real, positive.select(y, imaginary))


def _modulus_root(ctx: Lowering, op: Operation, x: Number, y: Number) -> Number:
    """The cube root of `|x + iy|`: twice that of an eighth of it where the modulus may overflow."""
    one = x.constant(1.0)
    width, height = x.apply(math.AbsFOp), y.apply(math.AbsFOp)
    large = width.compare("ogt", one) | height.compare("ogt", one)
    factor = large.select(0.125, one)
    modulus = Number(ctx, absolute_value(ctx, op, (complex_of(x * factor, y * factor),)))
    return modulus.apply(math.CbrtOp) * large.select(2.0, one)


def compare(ctx: Lowering, op: Any, args: Scalars) -> SSAValue:
    """`complex.eq` and `complex.neq`; complex numbers have no other order."""
    direction: ComparisonDirection = op.comparison_direction.data
    if direction not in (ComparisonDirection.EQ, ComparisonDirection.NE):
        raise unsupported(op, f"complex numbers are compared by EQ and NE only, not {direction.value}")
    return ctx.scalar(complex.EqualOp if direction == ComparisonDirection.EQ else complex.NotEqualOp, args, i1)


def _not_less(ctx: Lowering, op: Operation, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
    (a, b), (c, d) = parts_of(ctx, lhs), parts_of(ctx, rhs)
    return (a.compare("ogt", c) | (a.compare("oeq", c) & b.compare("oge", d))).value


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
