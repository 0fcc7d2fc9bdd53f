"""Numbers of a distribution from random bits, in arithmetic that every engine rounds in the same way.

The functions compute with anything that has Python's operators, arrays of NumPy or tensors that emit StableHLO, and ask
an `Engine` for what has no operator. They use sums, products, quotients and square roots only, each rounded once, so
the reference and compiled code agree bit by bit.

- uniform floats: `a (1 - u) + b u` for u of 24 bits, or 53 for f64, in f32 or f64; what rounding has brought to b is a;
- uniform integers: the upper half of the product of b - a and 64 random bits, or 128 for integers of 64 bits, so no
  number is more likely than another by more than 2^-32 or 2^-64;
- normal numbers: the inverse of the distribution function by the rational approximations of M. J. Wichura, "Algorithm
  AS 241: The percentage points of the normal distribution" (Applied Statistics 37, 1988), PPND7 for f32 and PPND16 for
  f64, applied to 31 or 63 bits, and a sign from the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from typing import Any, Protocol

Numbers = Any
"""An array or a tensor."""


class Engine(Protocol):
    """What has no operator. Types are `i1`, `i64`, `ui32`, `ui64`, `f32` and `f64`."""

    def convert(self, value: Numbers, type: str) -> Numbers:
        """The same numbers in another type."""
        ...

    def bitcast(self, value: Numbers, type: str) -> Numbers:
        """The same bits in another type of that width."""
        ...

    def less(self, lhs: Numbers, rhs: Numbers) -> Numbers: ...

    def select(self, condition: Numbers, on_true: Numbers, on_false: Numbers) -> Numbers: ...

    def sqrt(self, value: Numbers) -> Numbers: ...


CENTRAL_7 = (
    (3.3871327179e00, 5.0434271938e01, 1.5929113202e02, 5.9109374720e01),
    (1.0, 1.7895169469e01, 7.8757757664e01, 6.7187563600e01),
)
NEAR_7 = (
    (1.4234372777e00, 2.7568153900e00, 1.3067284816e00, 1.7023821103e-01),
    (1.0, 7.3700164250e-01, 1.2021132975e-01),
)
CENTRAL_16 = (
    (
        3.3871328727963666080e0,
        1.3314166789178437745e2,
        1.9715909503065514427e3,
        1.3731693765509461125e4,
        4.5921953931549871457e4,
        6.7265770927008700853e4,
        3.3430575583588128105e4,
        2.5090809287301226727e3,
    ),
    (
        1.0,
        4.2313330701600911252e1,
        6.8718700749205790830e2,
        5.3941960214247511077e3,
        2.1213794301586595867e4,
        3.9307895800092710610e4,
        2.8729085735721942674e4,
        5.2264952788528545610e3,
    ),
)
NEAR_16 = (
    (
        1.42343711074968357734e0,
        4.63033784615654529590e0,
        5.76949722146069140550e0,
        3.64784832476320460504e0,
        1.27045825245236838258e0,
        2.41780725177450611770e-1,
        2.27238449892691845833e-2,
        7.74545014278341407640e-4,
    ),
    (
        1.0,
        2.05319162663775882187e0,
        1.67638483018380384940e0,
        6.89767334985100004550e-1,
        1.48103976427480074590e-1,
        1.51986665636164571966e-2,
        5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    ),
)
FAR_16 = (
    (
        6.65790464350110377720e0,
        5.46378491116411436990e0,
        1.78482653991729133580e0,
        2.96560571828504891230e-1,
        2.65321895265761230930e-2,
        1.24266094738807843860e-3,
        2.71155556874348757815e-5,
        2.01033439929228813265e-7,
    ),
    (
        1.0,
        5.99832206555887937690e-1,
        1.36929880922735805310e-1,
        1.48753612908506148525e-2,
        7.86869131145613259100e-4,
        1.84631831751005468180e-5,
        1.42151175831644588870e-7,
        2.04426310338993978564e-15,
    ),
)
"""Numerator and denominator by ascending powers."""


def uniform_float(engine: Engine, words: Numbers, a: Numbers, b: Numbers) -> Numbers:
    """In [a, b) up to a rounding to b. `words` are ui32 for bounds in f32, ui64 for bounds in f64, all of one shape."""
    type, unused, bits = ("f32", 8, 24) if _is_narrow(words) else ("f64", 11, 53)
    unit = engine.convert(words >> unused, type) * 2.0**-bits
    value = a * (1.0 - unit) + b * unit
    return engine.select(engine.less(value, a), a, value)


def uniform_integer(engine: Engine, words: Sequence[Numbers], a: Numbers, b: Numbers) -> Numbers:
    """In [a, b), a where that is empty.

    `a` and `b` are i64 or ui64 and `words` two tensors of ui64, the least significant first; or one, for bounds whose
    distance is less than 2^32.
    """
    low, high = engine.bitcast(a, "ui64"), engine.bitcast(b, "ui64")
    count = engine.select(engine.less(a, b), high - low, (low ^ low) + 1)
    if len(words) == 1:
        lower, upper = words[0] & 0xFFFFFFFF, words[0] >> 32
        offset = (upper * count + ((lower * count) >> 32)) >> 32
    else:
        product = words[1] * count
        total = product + _upper_product(words[0], count)
        carry = engine.convert(engine.less(total, product), "ui64")
        offset = _upper_product(words[1], count) + carry
    return low + offset


def _upper_product(x: Numbers, y: Numbers) -> Numbers:
    """The upper 64 bits of a product of 128."""
    x_low, x_high, y_low, y_high = x & 0xFFFFFFFF, x >> 32, y & 0xFFFFFFFF, y >> 32
    middle = x_high * y_low + ((x_low * y_low) >> 32)
    other = x_low * y_high + (middle & 0xFFFFFFFF)
    return x_high * y_high + (middle >> 32) + (other >> 32)


def normal(engine: Engine, words: Numbers, mean: Numbers, deviation: Numbers) -> Numbers:
    """`words` are ui32 for parameters in f32, ui64 for parameters in f64, all of one shape."""
    type, width = ("f32", 32) if _is_narrow(words) else ("f64", 64)
    mask = (1 << (width - 1)) - 1
    magnitude = words & mask
    probability = (engine.convert(magnitude, type) + 0.5) * 2.0**-width
    from_middle = (engine.convert(magnitude ^ mask, type) + 0.5) * 2.0**-width
    square = 0.180625 - from_middle * from_middle
    root = engine.sqrt(-_logarithm(engine, probability, width))
    if width == 32:
        central = from_middle * _rational(CENTRAL_7, square)
        tail = _rational(NEAR_7, root - 1.6)  # 2^-33 is not far
    else:
        central = from_middle * _rational(CENTRAL_16, square)
        near, far = _rational(NEAR_16, root - 1.6), _rational(FAR_16, root - 5.0)
        tail = engine.select(engine.less(root, root * 0.0 + 5.0), near, far)
    value = engine.select(engine.less(from_middle, from_middle * 0.0 + 0.425), central, tail)
    negative = engine.convert(words >> (width - 1), "i1")
    return mean + deviation * engine.select(negative, -value, value)


def _rational(coefficients: tuple[Sequence[float], Sequence[float]], x: Numbers) -> Numbers:
    numerator, denominator = (_polynomial(powers, x) for powers in coefficients)
    return numerator / denominator


def _polynomial(coefficients: Sequence[float], x: Numbers) -> Numbers:
    value = x * coefficients[-1] + coefficients[-2]
    for coefficient in reversed(coefficients[:-2]):
        value = value * x + coefficient
    return value


def _logarithm(engine: Engine, x: Numbers, width: int) -> Numbers:
    """Of positive normal numbers: by x = 2^e m with m near 1, and the series of 2 artanh((m - 1) / (m + 1))."""
    type, bits_type, mantissa, bias, terms = (
        ("f32", "ui32", 23, 127, 5) if width == 32 else ("f64", "ui64", 52, 1023, 11)
    )
    bits = engine.bitcast(x, bits_type)
    exponent = engine.convert(bits >> mantissa, type) - float(bias)
    fraction = engine.bitcast((bits & ((1 << mantissa) - 1)) | (bias << mantissa), type)
    is_large = engine.less(fraction * 0.0 + sqrt(2), fraction)
    fraction = engine.select(is_large, fraction * 0.5, fraction)
    exponent = engine.select(is_large, exponent + 1.0, exponent)
    ratio = (fraction - 1.0) / (fraction + 1.0)
    series = _polynomial([2 / (2 * k + 1) for k in range(terms)], ratio * ratio)
    return exponent * log(2) + ratio * series


def _is_narrow(words: Numbers) -> bool:
    """Whether the words have 32 bits."""
    return getattr(words, "itemsize", None) == 4 or str(getattr(words, "element_type", "")) == "ui32"
