"""`zeta` and `polygamma` as elementwise arithmetic.

Both are sums of powers: `zeta(m + 1, q)` of `(q + k)**(-m - 1)` for `k` from 0 on, and `polygamma(m, q)` is `m!` times
that up to sign. The first power is taken out of the sum, and with it all that may overflow:

    zeta(m + 1, q) = q**-m * ratio(m, q)            polygamma(m, q) = m! / q**m * ratio(m, q)

What is left, `ratio(m, q)`, the sum of `(q / (q + k))**m / (q + k)`, lies between `1 / q` and `1 / q + 1 / m`. Its tail
is that of Euler and Maclaurin. Powers in it are `exp(-m log1p(k / q))`: where `m` times the logarithm is large, and so
its error, the exponential is small.

A number of either sign takes three such sums. They are the rows of one tensor, so that their ops are there once.

For positive `q` results are within 4 units in the last place, those of `polygamma` within 6. For negative ones, where
the functions are defined, the error is relative to the largest of the terms of a reflection, so it grows near a zero.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import i64

from ...dialects import chlo, stablehlo
from ...ir.tensors import Tensor
from .formulas import exp, floor, is_single, log1p, polynomial, product_error, select, sqrt
from .gamma_functions import LGAMMA_TAIL_DOUBLE, LGAMMA_TAIL_SINGLE, digamma

_BERNOULLI = (
    0.08333333333333333,
    -0.001388888888888889,
    3.306878306878307e-05,
    -8.267195767195768e-07,
    2.08767569878681e-08,
    -5.284190138687493e-10,
    1.3382536530684679e-11,
    -3.3896802963225827e-13,
    8.586062056277845e-15,
)
"""The Bernoulli numbers B2, B4, ... over the factorials of 2, 4, ..."""

_SUMMANDS = {True: 4, False: 8}
"""How many powers are summed in single and in double precision."""
_CORRECTIONS = {True: 4, False: 9}
"""How many Bernoulli numbers follow. The error of both is 3e-9 and 1e-17 for all m and q."""


def _ratio(m: Tensor, minus_m: Tensor, q: Tensor) -> Tensor:
    """The sum described above, for positive `m` and `q`."""
    count = _SUMMANDS[is_single(q)]
    inverse = 1.0 / q

    def power(k: int) -> Tensor:
        return exp(minus_m * log1p(inverse * k if k & (k - 1) == 0 else k / q))

    a = q + float(count)
    step = 1.0 / a
    # The power in front of the tail has vanished long before the bound on m.
    u = m.minimum(a * 100.0) * step
    last = _CORRECTIONS[is_single(q)] - 1
    tail = q.number(_BERNOULLI[last])
    for j in range(last, 0, -1):
        tail = (u + step * (2.0 * j)) * (u + step * (2.0 * j + 1.0)) * tail + _BERNOULLI[j - 1]
    rest = 1.0 / m + step * ((u + step) * tail + 0.5)
    total = power(count - 1) / (q + (count - 1.0))
    for k in range(count - 2, 0, -1):
        total = total + power(k) / (q + float(k))
    return (total + inverse) + power(count) * rest


Series = Callable[[Tensor, Tensor], Tensor]
"""A function of `m` and a positive `q`."""


def _reflected(m: Tensor, q: Tensor, series: Series) -> Tensor:
    """`series` continued to where `q` is negative and `m` a whole number.

    With `f` the distance from `q` down to a whole number: the powers from `f` on, and those from `1 - f` to `-q`, which
    are of negative numbers.
    """
    is_negative = q < 0.0
    below = floor(q)
    starts = (
        select(is_negative, q - below, q),
        select(is_negative, (below + 1.0) - q, 1.0),
        select(is_negative, 1.0 - q, 1.0),
    )
    right, left, beyond = _for_each(m, starts, series)
    left = left - beyond
    return select(is_negative, right + select(_is_even(m), -left, left), right)


_TENSOR_COMPUTATIONS = (func.FuncOp, stablehlo.WhileOp, stablehlo.IfOp, stablehlo.CaseOp, chlo.ScanOp)
"""Ops whose regions compute on whole tensors; others, such as reductions, on elements."""


def _for_each(m: Tensor, starts: Sequence[Tensor], series: Series) -> list[Tensor]:
    """`series` of each of `starts`; where tensors are computed with, of all as rows of one, as it takes many ops."""
    if not isinstance(m.builder.anchor.parent_op(), _TENSOR_COMPUTATIONS):
        return [series(m, q) for q in starts]
    shape = (len(starts), *m.shape)
    dims = range(1, len(shape))
    row = m.builder.iota(i64, shape, 0)
    *rows, stack = (q.broadcast(shape, dims) for q in starts)
    for index, q in reversed(list(enumerate(rows))):
        stack = select(row.equals(index), q, stack)
    values = series(m.broadcast(shape, dims), stack)
    return [values.at(index) for index in range(len(starts))]


def _is_whole(x: Tensor) -> Tensor:
    return x.equals(floor(x))


def _is_even(x: Tensor) -> Tensor:
    return _is_whole(x * 0.5)


def _zeta_series(m: Tensor, q: Tensor) -> Tensor:
    minus_m = -m
    return _ratio(m, minus_m, q) * q.power(minus_m)


def zeta(x: Tensor, q: Tensor) -> Tensor:
    """The Hurwitz zeta function for `x > 1`.

    Infinite at `x = 1`, and at the poles `q = 0, -1, ...` for even `x`; NaN for `x < 1`, at the poles for other `x`,
    and for negative `q` if `x` is not a whole number.
    """
    m = x - 1.0
    value = _reflected(m, q, _zeta_series)
    value = select(q.equals(math.inf), 0.0, value)
    value = select((q < 0.0) & ~_is_whole(x), math.nan, value)
    pole = select(_is_even(x) & (x < math.inf), q.number(math.inf), math.nan)
    value = select((q <= 0.0) & _is_whole(q), pole, value)
    value = select(x.equals(1.0), math.inf, value)
    return select(x.differs(x) | q.differs(q) | (x < 1.0), math.nan, value)


_INVERSE_E = {True: (0.36787945, -9.149756e-09), False: (0.36787944117144233, -1.2428753672788363e-17)}
"""1 / e in single and double precision, and the rest."""


def _factorial(m: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Of `m!` as `scale * (base + base_low)**m`, these.

    For whole `m` from 1 on: Stirling's formula with a fitted remainder, but for the first three."""
    inverse, inverse_low = _INVERSE_E[is_single(m)]
    constant = m.number(inverse)
    product = m * constant
    reciprocal = 1.0 / m
    tail = polynomial(reciprocal * reciprocal, LGAMMA_TAIL_SINGLE if is_single(m) else LGAMMA_TAIL_DOUBLE)
    scale = sqrt(m * (2.0 * math.pi)) * exp(tail * reciprocal)
    is_small = m < 4.0
    return (
        select(is_small, select(m < 2.0, 1.0, select(m < 3.0, m.number(2.0), 6.0)), scale),
        select(is_small, 1.0, product),
        select(is_small, 0.0, product_error(m, constant, product) + m * inverse_low),
    )


def _quotient_power(base: Tensor, base_low: Tensor, q: Tensor, m: Tensor) -> Tensor:
    """`(base / q)**m`; the rounding errors of base and quotient, which `m` multiplies, correct it to first order."""
    quotient = base / q
    product = quotient * q
    error = (base - product) - product_error(quotient, q, product)
    correction = m * ((error + base_low) / base)
    return quotient.power(m) * (select(abs(correction) < 0.5, correction, 0.0) + 1.0)


def _polygamma_series(m: Tensor, q: Tensor) -> Tensor:
    scale, base, base_low = _factorial(m)
    return (_ratio(m, -m, q) * scale) * _quotient_power(base, base_low, q, m)


def polygamma(n: Tensor, x: Tensor) -> Tensor:
    """The `n`-th derivative of digamma, `digamma` itself for `n = 0`; NaN unless `n` is 0, 1, 2, ...

    Infinite at the poles `x = 0, -1, ...` for odd `n`, NaN for even `n`.
    """
    m = n.maximum(1.0)
    value = _reflected(m, x, _polygamma_series)
    value = select(x.equals(math.inf), 0.0, value)
    value = select((x <= 0.0) & _is_whole(x), math.inf, value)
    value = select(_is_even(n), -value, value)
    value = select(_is_even(n) & (x <= 0.0) & _is_whole(x), math.nan, value)
    value = select(n.equals(0.0), digamma(x), value)
    is_order = (n >= 0.0) & (n < math.inf) & _is_whole(n)
    return select(is_order & x.equals(x), value, math.nan)
