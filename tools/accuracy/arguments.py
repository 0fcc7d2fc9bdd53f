"""Where functions are measured: all exponents evenly, and more densely where they are hard.

Numbers of 16 bits are all tried, and pairs of them at random. For wider ones the samples are: bit patterns evenly over
all finite numbers, so that each exponent has as many as any other; an even spread over the function's intervals; points
at all distances from those where it has a zero, a pole or an end of its domain; and the neighbours of each argument at
which the exact result becomes or ceases to be finite, normal, zero or negative, which are found by bisection.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .exact import precision
from .formats import Array, Format
from .multiprecision import gmpy2, mpfr
from .real_functions import Function

EDGES = (0.0, 1.0, 2.0, 0.5, 3.0, 2.5, math.inf, 1e-40, 1e30, 16777215.0, 2.0**60, 1e-310, 1e300, 65504.0)
"""Pairs of these and their negatives, and NaN, are tried of every function of two arguments."""

NEIGHBOURS = 12
"""How many numbers on each side of a boundary are tried."""

MOST_BOUNDARIES = 60

TURNING_NUMBERS = (16367173 * 2.0**72, 6381956970095103 * 2.0**797, 1e22, 1e38, 1e300)
"""Numbers that are very close to a multiple of a quarter turn in single or double precision, and large ones."""


def special_values(format: Format) -> list[float]:
    """Zeros, ones, infinities, NaN and the ends of the range."""
    least, largest = (float(pattern(format, np.array([bits]))[0]) for bits in (1, finite_patterns(format) - 1))
    values = [0.0, 1.0, math.inf, least, math.ldexp(1.0, format.least_exponent), largest]
    return [*values, *(-value for value in values), math.nan]


def finite_patterns(format: Format) -> int:
    """How many numbers that are not negative are finite."""
    return (2 * format.greatest_exponent + 1) << (format.precision - 1)


def pattern(format: Format, index: Array) -> Array:
    """The numbers with these positions in the order of numbers; zero has position 0."""
    magnitude = np.abs(index).astype(format.bits).view(format.dtype)
    return np.where(index < 0, -magnitude, magnitude).astype(format.dtype)


def position(format: Format, values: Array) -> Array:
    """The inverse of `pattern`, of finite numbers."""
    magnitude = np.abs(values).astype(format.dtype).view(format.bits).astype(np.int64)
    return np.where(np.signbit(values), -magnitude, magnitude)


def everywhere(format: Format, count: int, random: np.random.Generator) -> Array:
    """`count` finite numbers, as many of each exponent and sign."""
    end = finite_patterns(format) - 1
    width = 2.0 * end / count
    start = np.arange(count) * width - end
    index = (start + random.uniform(0, width, count)).astype(np.int64)
    return pattern(format, np.clip(index, -end, end))


def near(format: Format, points: Sequence[float], count: int, random: np.random.Generator) -> Array:
    """Numbers at all distances from one unit in the last place to 1 on both sides of each point."""
    centre = np.repeat(np.asarray(points, np.float64), count // max(1, len(points)))
    least = -format.precision - 4.0 if 0.0 not in points else format.least_exponent
    distance = np.exp2(random.uniform(least, 0, centre.shape)) * random.choice([-1.0, 1.0], centre.shape)
    return format.of(centre + distance)


def neighbours(format: Format, values: Array, count: int = NEIGHBOURS) -> Array:
    """Finite `values` and `count` numbers on each side of them."""
    index = position(format, values)[:, None] + np.arange(-count, count + 1)[None, :]
    end = finite_patterns(format) - 1
    return pattern(format, np.clip(index, -end, end).reshape(-1))


def boundaries(function: Callable[..., Any], format: Format, samples: Array) -> Array:
    """Numbers next to which the exact result changes its kind, between neighbours among `samples`."""
    index = np.unique(position(format, samples))
    with precision():

        def kind(at: int) -> tuple[bool, ...]:
            return _kind(function(mpfr(float(pattern(format, np.array([at]))[0]))), format)

        kinds = [kind(int(at)) for at in index]
        changes = [i for i in range(len(index) - 1) if kinds[i] != kinds[i + 1]]
        step = -(-len(changes) // MOST_BOUNDARIES) or 1
        found: list[int] = []
        for change in changes[::step]:
            low, high = int(index[change]), int(index[change + 1])
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if kind(middle) == kinds[change] else (low, middle)
            found.append(low)
    return pattern(format, np.array(found, np.int64))


def _kind(value: Any, format: Format) -> tuple[bool, ...]:
    if gmpy2.is_nan(value):
        return (True,)
    magnitude = abs(value)
    ends = (
        math.ldexp(1.0, format.least_exponent - format.precision),
        math.ldexp(1.0, format.least_exponent),
    )
    overflows = gmpy2.is_infinite(value) or gmpy2.get_exp(value) > format.greatest_exponent + 1 if magnitude else False
    return (False, gmpy2.is_signed(value), *(bool(magnitude < end) for end in ends), bool(overflows))


def unary(function: Function, format: Format, count: int, random: np.random.Generator) -> Array:
    """About `count` arguments for a function of one number; all of them where the format has few."""
    if format.is_exhaustible:
        everything = np.arange(1 << (8 * format.bits.itemsize), dtype=np.uint32).astype(format.bits).view(format.dtype)
        return _within(function, everything)
    parts = [everywhere(format, count // 2, random)]
    for low, high in function.intervals:
        parts.append(format.of(random.uniform(low, high, count // (4 * len(function.intervals)))))
    if function.points:
        parts.append(near(format, function.points, count // 4, random))
        parts.append(neighbours(format, format.of(function.points)))
    if function.periodic:
        parts.append(_near_quarter_turns(format, count // 8, random))
    coarse = [everywhere(format, 500, random), *(format.of(np.linspace(*i, 100)) for i in function.intervals)]
    ends = boundaries(function.exact, format, np.concatenate(coarse))
    parts.append(neighbours(format, ends))
    parts.append(_between(format, ends, count // 8, random))
    return _within(function, np.concatenate(parts))


def _within(function: Function, values: Array) -> Array:
    """Those in the domain, and NaN."""
    low, high = function.domain
    with np.errstate(invalid="ignore"):
        wide = values.astype(np.float64)
        return values[~((wide < low) | (wide > high))]


def _between(format: Format, ends: Array, count: int, random: np.random.Generator) -> Array:
    """Numbers between each two neighbours of `ends`, spread evenly."""
    low, high = (part.astype(np.float64) for part in (ends[:-1], ends[1:]))
    each = count // max(1, len(low))
    return format.of((low + random.random((each, len(low))) * (high - low)).reshape(-1))


def _near_quarter_turns(format: Format, count: int, random: np.random.Generator) -> Array:
    """Numbers next to multiples of a quarter turn, of all sizes."""
    with precision(1400), np.errstate(over="ignore"):
        half_pi = gmpy2.const_pi() / 2
        sizes = random.uniform(0, format.greatest_exponent, count // 2)
        sizes[::2] = random.uniform(0, format.precision, len(sizes[::2]))
        turns = [gmpy2.rint(half_pi * 0 + mpfr(2) ** float(size)) for size in sizes]
        values = format.of([min(float(turn * half_pi), 1.7e308) for turn in turns])
    values = np.concatenate([values, format.of(TURNING_NUMBERS)])
    values = values[np.isfinite(values)]
    return neighbours(format, np.concatenate([values, -values]), 1)


# -- pairs -------------------------------------------------------------------------------------------------------


Pairs = tuple[Array, Array]


def edge_pairs(function: Function, format: Format) -> Pairs:
    """Every pair of edge values, only of whole ones for functions of an order."""
    values = EDGES if function.pairs != "orders" else (0.0, 1.0, 2.0, 3.0, math.inf)
    edges = format.of([*values, *(-edge for edge in values), math.nan])
    left, right = np.meshgrid(edges, edges)
    return left.ravel(), right.ravel()


def _ratios(format: Format, count: int, random: np.random.Generator) -> Pairs:
    """Pairs of all ratios."""
    x = everywhere(format, count, random)
    ratio = np.exp2(random.uniform(-format.precision - 6.0, format.precision + 6.0, count))
    ratio[::2] = random.uniform(-3, 3, len(ratio[::2]))
    with np.errstate(all="ignore"):
        return random.permutation(x), format.of(random.permutation(x).astype(np.float64) * ratio)


def _powers(format: Format, count: int, random: np.random.Generator) -> Pairs:
    """Bases of all sizes and near one, exponents that lead to results of all sizes; whole and half exponents."""
    limit = format.greatest_exponent + format.precision + 2.0
    quarter = count // 4
    near_one = 1 + random.uniform(-1, 1, quarter) * np.exp2(-random.uniform(0, format.precision, quarter))
    anywhere = np.abs(everywhere(format, quarter, random).astype(np.float64))
    moderate = random.uniform(0, 4, quarter)
    bases: list[Array] = []
    exponents: list[Array] = []
    for base in (near_one, anywhere, moderate):
        x = format.of(base)
        with np.errstate(all="ignore"):
            y = random.uniform(-limit, limit, quarter) / np.log2(x.astype(np.float64))
        bases.append(x)
        exponents.append(format.of(np.nan_to_num(y, posinf=1.0, neginf=1.0)))
    whole = random.integers(-40, 40, quarter) / random.choice([1.0, 2.0], quarter)
    bases.append(format.of(random.uniform(-9, 9, quarter)))
    exponents.append(format.of(whole))
    small = random.integers(-12, 13, (2, 400))
    return (
        np.concatenate([*bases, format.of(small[0])]),
        np.concatenate([*exponents, format.of(small[1])]),
    )


def _neighbours(format: Format, count: int, random: np.random.Generator) -> Pairs:
    x = everywhere(format, count, random)
    steps = position(format, x) + random.integers(-2, 3, count)
    end = finite_patterns(format) - 1
    return x, pattern(format, np.clip(steps, -end, end))


def _orders(format: Format, count: int, random: np.random.Generator) -> Pairs:
    """First arguments from 0 to 12, mostly whole, and positive second ones."""
    order = random.uniform(0, 12, count)
    order[::2] = np.rint(order[::2])
    return format.of(order), format.of(np.exp2(random.uniform(-6, 10, count)))


PAIRS: dict[str, Callable[[Format, int, np.random.Generator], Pairs]] = {
    "neighbours": _neighbours,
    "orders": _orders,
    "powers": _powers,
    "ratios": _ratios,
}


def binary(function: Function, format: Format, count: int, random: np.random.Generator) -> Pairs:
    """About `count` pairs of arguments."""
    plain = everywhere(format, count // 2, random)
    pairs = [PAIRS[function.pairs](format, count // 2, random), edge_pairs(function, format)]
    if function.pairs != "orders":
        pairs.append((plain, random.permutation(plain)))
    left, right = zip(*pairs, strict=True)
    return np.concatenate(left), np.concatenate(right)


def draw(function: Function, format: Format, count: int, seed: int) -> list[Array]:
    """The arguments of `function`, one array for each operand."""
    random = np.random.default_rng(seed)
    count = max(64, int(count * function.share))
    if function.arity == 2:
        return list(binary(function, format, count, random))
    return [unary(function, format, count, random)]


def special(function: Function, format: Format) -> list[Array]:
    """Arguments whose results are zeros, infinities, NaN or other numbers of the format."""
    rows = list(function.special)
    if function.arity == 1:
        rows += [(value,) for value in special_values(format)]
        columns: list[Array] = [format.of(list(column)) for column in zip(*rows, strict=True)]
        return columns
    left, right = edge_pairs(function, format)
    if not rows:
        return [left, right]
    added = [format.of(list(column)) for column in zip(*rows, strict=True)]
    return [np.concatenate(pair) for pair in zip((left, right), added, strict=True)]
