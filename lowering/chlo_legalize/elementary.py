"""Inverse trigonometric, hyperbolic and bit-level functions of chlo; `ir/formulas.py` says how formulas are chosen."""

from __future__ import annotations

import math
from typing import cast

from xdsl.dialects.builtin import IntegerType, f32

from ...dialects.element_sizes import element_bits
from ...dialects.stablehlo.attributes import ComparisonDirection, ComparisonType
from ...ir.formulas import Formulas
from ...ir.tensors import Tensor
from .formulas import bits, exp, expm1, is_single, log, log1p, polynomial, select, sqrt, with_sign_of


def square(x: Tensor) -> Tensor:
    return x * x


OF_TENSORS = Formulas(exp, log, log1p, sqrt, Tensor.atan2, Tensor.minimum, select, with_sign_of, polynomial, is_single)
"""Arcus and area functions, and `erf`."""


def sinh(x: Tensor) -> Tensor:
    """`(t + t / (t + 1)) / 2` with `t = expm1(|x|)`."""
    a = abs(x)
    t, root = expm1(a), exp(a * 0.5)
    return with_sign_of(_below_overflow(a, root, (t + t / (t + 1.0)) * 0.5), x)


def cosh(x: Tensor) -> Tensor:
    """`(e + 1 / e) / 2` with `e = exp(|x|)`."""
    a = abs(x)
    e, root = exp(a), exp(a * 0.5)
    return _below_overflow(a, root, (e + 1.0 / e) * 0.5)


def _below_overflow(a: Tensor, root: Tensor, near: Tensor) -> Tensor:
    """`near`, or `root**2 / 2` with `root = exp(a / 2)` where `exp(a)` may overflow, and `1 / exp(a)` is nothing."""
    return select(a < (88.0 if is_single(a) else 709.0), near, (root * 0.5) * root)


# Predicates and bits


def _with_zero_and_infinities(x: Tensor) -> Tensor:
    """`x` in a type that has them: most floats of a byte and less have no infinities, and one has no zero."""
    return x if element_bits(x.element_type) > 8 else x.convert(f32)


def is_inf(x: Tensor) -> Tensor:
    return abs(_with_zero_and_infinities(x)).equals(math.inf)


def is_pos_inf(x: Tensor) -> Tensor:
    return _with_zero_and_infinities(x).equals(math.inf)


def is_neg_inf(x: Tensor) -> Tensor:
    return _with_zero_and_infinities(x).equals(-math.inf)


def next_after(x: Tensor, y: Tensor) -> Tensor:
    """The bits of floats of one sign are ordered as the numbers are: one more or less of them.

    From 0 the smallest subnormal number in the direction of `y`; `y` where both are equal; NaN if
    one of them is. It is about bits: comparisons of numbers would take subnormal ones for 0. Floats of
    six bits have no integers to be seen as; they are few enough for all steps to be known.
    """
    width = element_bits(x.element_type)
    if width == 6:
        return _next_in_few(x, y)
    sign = -(1 << width - 1)
    smallest = (bits(y) & sign) | 1
    if width > 8:
        x_size, y_size = bits(x) & ~sign, bits(y) & ~sign
        is_zero, is_equal = x_size.equals(0), bits(x).equals(bits(y)) | (x_size | y_size).equals(0)
        away = x.compare(ComparisonDirection.LT, y, ComparisonType.TOTALORDER).equals(bits(x) > 0)
    else:
        number = _with_zero_and_infinities(x)
        is_zero, is_equal = number.equals(0.0), x.equals(y)
        away = (x < y).equals(number > 0.0)
    neighbour = bits(x) + select(away, bits(x).number(1), -1)
    if "FNUZ" in x.element_type.name:
        neighbour = select(neighbour.equals(sign), 0, neighbour)  # these bits are no zero there
    result = select(is_zero, smallest, neighbour).bitcast(x.element_type)
    return select(x.differs(x) | y.differs(y), x + y, select(is_equal, y, result))


_STEPS = {"f6E2M3FN": (0.125, (2.0, 4.0)), "f6E3M2FN": (0.0625, (0.5, 1.0, 2.0, 4.0, 8.0, 16.0))}
"""The distance between the least numbers of a format, and where it doubles."""


def _next_in_few(x: Tensor, y: Tensor) -> Tensor:
    step, doubling = _STEPS[x.element_type.name]
    wide, target = x.convert(f32), y.convert(f32)
    up = wide < target
    # A number from which the distance doubles upwards has half of it downwards.
    size = abs(select(up, wide, -wide) + step / 4)
    distance = wide.number(step)
    for bound in doubling:
        distance = select(size > bound, step * 2.0 ** (doubling.index(bound) + 1), distance)
    moved = wide + select(up, distance, -distance)
    moved = select(moved.equals(0.0), wide * 0.0, moved).convert(x.element_type)
    return select(x.equals(y), y, moved)


def mulhi(x: Tensor, y: Tensor) -> Tensor:
    """The upper half of the product: computed in twice the width, or (64 bits) from halves.

    The product of halves follows H. Warren, "Hacker's Delight", section 8-2.
    """
    type = cast(IntegerType, x.element_type)
    width = type.width.data
    if width < 64:
        wide = IntegerType(64 if width > 16 else 32, type.signedness.data)
        product = (x.convert(wide) * y.convert(wide)).shift_right(width)
        return product.convert(type)
    mask = (1 << 32) - 1
    x_low, y_low = x & mask, y & mask
    x_high, y_high = x.shift_right(32), y.shift_right(32)
    low = x_low * y_low >> 32
    middle = x_high * y_low + low
    other = (middle & mask) + x_low * y_high
    return x_high * y_high + middle.shift_right(32) + other.shift_right(32)
