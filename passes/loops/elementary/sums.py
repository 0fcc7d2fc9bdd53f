"""Sums and products as a rounded value and its exact error.

Knuth, "The Art of Computer Programming", volume 2, section 4.2.2; Dekker, "A floating-point
technique for extending the available precision", 1971.
"""

from __future__ import annotations

import math

from .arithmetic import Float


def two_sum(a: Float, b: Float) -> tuple[Float, Float]:
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def fast_two_sum(a: Float, b: Float) -> tuple[Float, Float]:
    """The same where `a` is 0 or has at least the exponent of `b`."""
    total = a + b
    return total, b - (total - a)


def _split(x: Float) -> tuple[Float, Float]:
    """Two numbers of half the significand each whose sum is `x` (Veltkamp)."""
    shifted = x * (math.ldexp(1.0, (x.arithmetic.format.fraction_bits + 2) // 2) + 1.0)
    high = shifted - (shifted - x)
    return high, x - high


def exact_product(a: Float, b: Float) -> tuple[Float, Float]:
    product = a * b
    if a.arithmetic.fused:
        return product, a.fused_multiply_add(b, -product)
    (a_high, a_low), (b_high, b_low) = _split(a), _split(b)
    error = a_high * b_high - product
    error = error + a_high * b_low
    error = error + a_low * b_high
    return product, error + a_low * b_low
