"""Sums and products as a rounded value and its exact error.

Dekker, "A floating-point technique for extending the available precision", 1971.
"""

from __future__ import annotations

import math
from operator import add, sub

from ....ir import compensated_sums
from .arithmetic import Float


def two_sum(a: Float, b: Float) -> tuple[Float, Float]:
    return compensated_sums.two_sum(a, b, add, sub)


def fast_two_sum(a: Float, b: Float) -> tuple[Float, Float]:
    """`two_sum` where `a` is 0 or has at least the exponent of `b`."""
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
