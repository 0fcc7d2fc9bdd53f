"""Division.

Both operands are scaled by powers of two, so that no square overflows, and the sums of products are those of Kahan
with one rounding error each (C.-P. Jeannerod, N. Louvet and J.-M. Muller, "Further Analysis of Kahan's Algorithm for
the Accurate Computation of 2x2 Determinants", 2013). What comes out as NaN for infinite or zero operands is repaired as
in Annex G, G.5.1, of the C standard.
"""

from __future__ import annotations

from ..elementary.arithmetic import Float, Mask
from .number import INFINITY, Complex, is_finite, is_infinite, larger, power_of_two, scale_of, sum_of_products


def divide(lhs: Complex, rhs: Complex) -> Complex:
    a, b, c, d = lhs.re, lhs.im, rhs.re, rhs.im
    if lhs.wide:
        norm = c * c + d * d
        re, im = (a * c + b * d) / norm, (b * c - a * d) / norm
    else:
        left, right = (scale_of(larger(abs(z.re), abs(z.im))) for z in (lhs, rhs))
        a, b = a * left.down, b * left.down
        c, d = c * right.down, d * right.down
        norm = c * c + d * d
        first, second = _split_power(left.exponent - right.exponent)
        re = sum_of_products(a, c, b, d) / norm * first * second
        im = sum_of_products(b, c, -a, d) / norm * first * second
    lost = re.is_nan() & im.is_nan()
    return _repaired(lhs, rhs, lhs.with_parts(re, im), lost)


def _split_power(exponent: Float) -> tuple[Float, Float]:
    """Two factors with the product 2 to the `exponent`, which may be out of range by itself."""
    half = (exponent * 0.5).floor()
    return power_of_two(half), power_of_two(exponent - half)


def _repaired(lhs: Complex, rhs: Complex, quotient: Complex, lost: Mask) -> Complex:
    a, b, c, d = lhs.re, lhs.im, rhs.re, rhs.im
    infinity = a.arithmetic.constant(INFINITY)
    by_zero = c.equals(0.0) & d.equals(0.0) & ~(a.is_nan() & b.is_nan())
    large = lhs.is_infinite() & is_finite(c) & is_finite(d)
    small = rhs.is_infinite() & is_finite(a) & is_finite(b)
    signed = infinity.copy_sign(c)
    p, q, r, s = _box(a), _box(b), _box(c), _box(d)
    cases = [
        (small, (a * r + b * s) * 0.0, (b * r - a * s) * 0.0),
        (large, (p * c + q * d) * INFINITY, (q * c - p * d) * INFINITY),
        (by_zero, signed * a, signed * b),
    ]
    re, im = quotient.re, quotient.im
    for case, x, y in cases:
        chosen = lost & case
        re, im = chosen.select(x, re), chosen.select(y, im)
    return quotient.with_parts(re, im)


def _box(part: Float) -> Float:
    """Infinity as 1, all else as 0, with the sign kept."""
    return is_infinite(part).select(part.arithmetic.constant(1.0), 0.0).copy_sign(part)
