"""Complex numbers in the arithmetic of `elementary`, and the real functions their functions are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from ..elementary import arithmetic
from ..elementary.arithmetic import Float, Mask, binary, unary

INFINITY = math.inf


@dataclass(frozen=True, slots=True)
class Complex:
    """Real and imaginary part. `wide`: they are in double precision and were single, so that no square of a part can
    overflow or lose bits to underflow.
    """

    re: Float
    im: Float
    wide: bool

    def with_parts(self, re: Float, im: Float) -> Complex:
        return Complex(re, im, self.wide)

    def __add__(self, other: Complex) -> Complex:
        return self.with_parts(self.re + other.re, self.im + other.im)

    def __sub__(self, other: Complex) -> Complex:
        return self.with_parts(self.re - other.re, self.im - other.im)

    def __mul__(self, other: Complex) -> Complex:
        """The textbook formula, also where a part is infinite."""
        return self.with_parts(
            self.re * other.re - self.im * other.im,
            self.re * other.im + self.im * other.re,
        )

    def times_i(self) -> Complex:
        return self.with_parts(-self.im, self.re)

    def divided_by_i(self) -> Complex:
        return self.with_parts(self.im, -self.re)

    def is_infinite(self) -> Mask:
        return is_infinite(self.re) | is_infinite(self.im)


exp = unary("math.exp")
expm1 = unary("math.expm1")
log = unary("math.log")
log1p = unary("math.log1p")
sin = unary("math.sin")
cos = unary("math.cos")
tan = unary("math.tan")
sinh = unary("math.sinh")
cosh = unary("math.cosh")
atan2 = binary("math.atan2")


def is_infinite(x: Float) -> Mask:
    return abs(x).equals(INFINITY)


def is_finite(x: Float) -> Mask:
    return abs(x) < INFINITY


def larger(x: Float, y: Float) -> Float:
    """The larger of two numbers, of one number and NaN the number."""
    return ((x >= y) | y.is_nan()).select(x, y)


def smaller(x: Float, y: Float) -> Float:
    """The other one of `larger`."""
    return ((x >= y) | y.is_nan()).select(y, x)


def sum_of_products(a: Float, b: Float, c: Float, d: Float) -> Float:
    """`a * b + c * d`, with fused multiply-add off by little more than its last rounding (Kahan)."""
    if not a.arithmetic.fused:
        return a * b + c * d
    product = c * d
    error = c.multiply_add(d, -product)
    return a.multiply_add(b, product) + error.is_nan().select(0.0, error)


class Scale(NamedTuple):
    """A power of two by which a number comes near one: `down` multiplies, `up` takes back, `exponent` is its
    logarithm.
    """

    down: Float
    up: Float
    exponent: Float


def scale_of(magnitude: Float, even: bool = False) -> Scale:
    """The scale of a number; zero, infinity and the ends of the range have that of a number nearby."""
    format = magnitude.arithmetic.format
    field = ((1 << (format.bits - 1 - format.fraction_bits)) - 1) << format.fraction_bits
    mask = field & ~(1 << format.fraction_bits) if even else field
    bits = magnitude.at_most(2.0 ** (format.bias - 2)).at_least(2.0 ** (2 - format.bias)).bits() & mask
    if even:
        # The bias is odd: an even exponent has an odd field.
        bits = bits | (1 << format.fraction_bits)
    down = ((2 * format.bias << format.fraction_bits) - bits).as_float()
    exponent = ((bits >> format.fraction_bits) - format.bias).to_float()
    return Scale(down, bits.as_float(), exponent)


def power_of_two(exponent: Float) -> Float:
    """2 to the `exponent`, a whole number between those of the smallest and largest normal."""
    magic = exponent.arithmetic.constant(exponent.arithmetic.format.magic)
    return arithmetic.power_of_two((exponent + magic).bits() - magic.bits())
