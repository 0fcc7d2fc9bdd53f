"""Scalar operations on complex numbers that are not one op of the `complex` dialect.

What these ops mean at infinities and how accurate they are is up to `complex-expand-arithmetic`.
"""

from __future__ import annotations

import math as python_math

from xdsl.dialects import complex, math
from xdsl.dialects.builtin import f64

from .arithmetic import Number, complex_of


def logistic(z: Number) -> Number:
    """`1 / (1 + exp(-z))`, on the parts and in double precision.

    For `z = a + iy`, `a <= 0`, `E = exp(a)`, it is `E (E + cos(y) + i sin(y)) / |1 + exp(z)|**2`; with `expm1(a)`, sine
    and cosine of `y / 2` none of these sums cancels where the result is large, near the poles. For other `z` it is 1
    less the value at `-z`.
    """
    real, imaginary = z.parts()
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


def cube_root(z: Number) -> Number:
    """The principal root: a third of the argument; on the positive real axis a real number."""
    x, y = z.parts()
    radius = _modulus_root(x, y)
    third = y.apply(math.Atan2Op, x) / 3.0
    real, imaginary = radius * third.apply(math.CosOp), radius * third.apply(math.SinOp)
    zero = x.constant(0.0)
    positive = y.compare("oeq", zero) & x.compare("oge", zero)
    return complex_of(real, positive.select(y, imaginary))


def _modulus_root(x: Number, y: Number) -> Number:
    """The cube root of `|x + iy|`: twice that of an eighth of it where the modulus may overflow."""
    one = x.constant(1.0)
    width, height = x.apply(math.AbsFOp), y.apply(math.AbsFOp)
    large = width.compare("ogt", one) | height.compare("ogt", one)
    factor = large.select(0.125, one)
    modulus = complex_of(x * factor, y * factor).apply(complex.AbsOp, to=x.type)
    return modulus.apply(math.CbrtOp) * large.select(2.0, one)
