"""The complex functions that are measured: their exact values by GNU MPC, and arguments for them.

MPC rounds both parts of each result correctly and follows Annex G of the C standard (A. Enge, P. Zimmermann et al.,
"GNU MPC"); where a correction of the standard came later, it is applied here. Functions made of several that MPC has
are computed with as many bits more as can cancel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .exact import precision, split
from .formats import F32, F64, Array, Exact, Format
from .multiprecision import gmpy2, mpc
from .real_functions import Limit

Number = Any
"""A `gmpy2.mpc`."""

CANCELLATION = 500
"""Bits for differences of numbers near 1, the parts of which may be as small as 2**-400."""

EXACT_SUMS = 4400
"""Bits with which sums of products of two doubles are exact."""


class ComplexFunction(NamedTuple):
    """One function of complex numbers.

    `annex_g`: whether the results at infinities, zeros and NaN are those of the C standard, which `exact` gives.
    `around`: points near which samples lie more densely. `span`: the greatest binary logarithm of a part.
    """

    op: str
    exact: Callable[..., Number]
    annex_g: bool = True
    around: Sequence[complex] = ()
    span: float = math.inf
    arity: int = 1
    share: float = 1.0
    limits: dict[str, Limit] = {}
    real_result: bool = False


def _tanh(z: Number) -> Number:
    """At `0 + iy`, y infinite or NaN, the real part is 0 (defect report 471)."""
    x, y = z.real, z.imag
    if not (gmpy2.is_finite(x) and gmpy2.is_finite(y)):
        return mpc(x, gmpy2.nan()) if x == 0 else gmpy2.tanh(z)
    sinh, cosh = gmpy2.sinh_cosh(x)
    sine, cosine = gmpy2.sin_cos(y)
    norm = sinh * sinh + cosine * cosine
    return mpc(sinh * cosh / norm if x != 0 else x, sine * cosine / norm if y != 0 else y)


def _tan(z: Number) -> Number:
    """`-i tanh(iz)`."""
    rotated = _tanh(mpc(-z.imag, z.real))
    return mpc(rotated.imag, -rotated.real)


def _acosh(z: Number) -> Number:
    """At `0 + i NaN` the imaginary part is pi / 2 (defect report 471)."""
    result = gmpy2.acosh(z)
    return mpc(gmpy2.nan(), gmpy2.const_pi() / 2) if z.real == 0 and gmpy2.is_nan(z.imag) else result


def _expm1(z: Number) -> Number:
    x, y = z.real, z.imag
    if not (gmpy2.is_finite(x) and gmpy2.is_finite(y)) or x > 1000:
        return gmpy2.exp(z) - 1
    with precision(CANCELLATION):
        half = gmpy2.sin(y / 2)
        real = gmpy2.expm1(x) * gmpy2.cos(y) - 2 * half * half
        imag = gmpy2.exp(x) * gmpy2.sin(y) if y != 0 else y
    return mpc(real, imag)


def _exponent(x: Number) -> int:
    return gmpy2.get_exp(x) if gmpy2.is_finite(x) and x != 0 else 0


def _log1p(z: Number) -> Number:
    x, y = z.real, z.imag
    if not (gmpy2.is_finite(x) and gmpy2.is_finite(y)):
        return gmpy2.log(mpc(1 + x, y))
    with precision(EXACT_SUMS):
        excess = 2 * x + x * x + y * y
        shifted = 1 + x
    with precision(CANCELLATION):
        real = gmpy2.log1p(+excess) / 2
        imag = gmpy2.atan2(y, +shifted)
    return mpc(real, imag)


def _logistic(z: Number) -> Number:
    with precision(CANCELLATION):
        return 1 / (1 + gmpy2.exp(-z))


def _rsqrt(z: Number) -> Number:
    with precision(CANCELLATION):
        return 1 / gmpy2.sqrt(z)


def _cbrt(z: Number) -> Number:
    """A third of the argument."""
    if z.imag == 0 and z.real >= 0:
        return mpc(gmpy2.cbrt(z.real), z.imag)
    with precision(CANCELLATION):
        radius, angle = gmpy2.cbrt(abs(z)), gmpy2.phase(z) / 3
        return mpc(radius * gmpy2.cos(angle), radius * gmpy2.sin(angle))


def _power(x: Number, y: Number) -> Number:
    """`exp(y log x)`."""
    if x == 0 or y == 0:
        return mpc(1) if y == 0 else mpc(0) if y.real > 0 else mpc(gmpy2.nan(), gmpy2.nan())
    with precision(CANCELLATION + max(0, 2 * _exponent(y.real), 2 * _exponent(y.imag))):
        return gmpy2.exp(y * gmpy2.log(x))


def _divide(x: Number, y: Number) -> Number:
    return x / y


def _multiply(x: Number, y: Number) -> Number:
    """The textbook formula, also where a part is infinite."""
    with precision(EXACT_SUMS):
        a, b, c, d = x.real, x.imag, y.real, y.imag
        return mpc(a * c - b * d, a * d + b * c)


def _sign(z: Number) -> Number:
    if z == 0:
        return z
    with precision(CANCELLATION):
        return z / abs(z)


_UNITS = (1, -1, 1j, -1j)

_LOST = Limit(math.inf, "`exp(y log x)`: the relative error is the absolute one of the product, which may be large")
_LONG = Limit(5.0, "a quotient of products of rounded functions")

FUNCTIONS: dict[str, ComplexFunction] = {
    "abs": ComplexFunction("stablehlo.abs", abs, real_result=True),
    "acos": ComplexFunction("chlo.acos", gmpy2.acos, around=(*_UNITS, 0)),
    "acosh": ComplexFunction("chlo.acosh", _acosh, around=(*_UNITS, 0)),
    "asin": ComplexFunction("chlo.asin", gmpy2.asin, around=(*_UNITS, 0)),
    "asinh": ComplexFunction("chlo.asinh", gmpy2.asinh, around=(*_UNITS, 0)),
    "atan": ComplexFunction("chlo.atan", gmpy2.atan, around=(*_UNITS, 0)),
    "atanh": ComplexFunction("chlo.atanh", gmpy2.atanh, around=(*_UNITS, 0)),
    "cbrt": ComplexFunction("stablehlo.cbrt", _cbrt, annex_g=False, around=(1, -1)),
    "cosh": ComplexFunction("chlo.cosh", gmpy2.cosh, around=(0, 0.5j * math.pi), span=11),
    "cosine": ComplexFunction("stablehlo.cosine", gmpy2.cos, around=(0, 0.5 * math.pi), span=11),
    "divide": ComplexFunction("stablehlo.divide", _divide, annex_g=False, arity=2),
    "exponential": ComplexFunction("stablehlo.exponential", gmpy2.exp, around=(0, 0.5j * math.pi), span=11),
    "exponential_minus_one": ComplexFunction(
        "stablehlo.exponential_minus_one", _expm1, annex_g=False, around=(0, 2j * math.pi), span=11
    ),
    "log": ComplexFunction("stablehlo.log", gmpy2.log, around=_UNITS),
    "log_plus_one": ComplexFunction("stablehlo.log_plus_one", _log1p, annex_g=False, around=(0, -1, -2, 1j - 1)),
    "logistic": ComplexFunction(
        "stablehlo.logistic", _logistic, annex_g=False, around=(0, 1j * math.pi), span=11, limits={"complex128": _LONG}
    ),
    "multiply": ComplexFunction("stablehlo.multiply", _multiply, annex_g=False, arity=2, span=60),
    "power": ComplexFunction(
        "stablehlo.power", _power, annex_g=False, arity=2, span=5, share=0.5, limits={"complex128": _LOST}
    ),
    "rsqrt": ComplexFunction("stablehlo.rsqrt", _rsqrt, annex_g=False, around=(1, -1)),
    "sign": ComplexFunction("stablehlo.sign", _sign, annex_g=False),
    "sine": ComplexFunction("stablehlo.sine", gmpy2.sin, around=(0, math.pi), span=11),
    "sinh": ComplexFunction("chlo.sinh", gmpy2.sinh, around=(0, 1j * math.pi), span=11),
    "sqrt": ComplexFunction("stablehlo.sqrt", gmpy2.sqrt, around=(1, -1)),
    "tan": ComplexFunction("stablehlo.tan", _tan, around=(0, 0.5 * math.pi), span=11),
    "tanh": ComplexFunction("stablehlo.tanh", _tanh, around=(0, 0.5j * math.pi), span=11),
}
"""The functions by the name they have in the table."""

FORMATS: dict[str, tuple[str, Format]] = {"complex64": ("complex<f32>", F32), "complex128": ("complex<f64>", F64)}
"""Element type in a program and format of the parts."""

EDGES = (0.0, -0.0, 1.0, -1.0, 2.5, -2.5, math.inf, -math.inf, math.nan)
"""Numbers of which each pair is a special argument."""


def from_parts(real: Array, imag: Array, format: Format) -> Array:
    """Complex numbers with exactly these parts."""
    result: Any = np.empty(real.shape, np.complex64 if format is F32 else np.complex128)
    result.real, result.imag = real, imag
    return result


def special(function: ComplexFunction, format: Format) -> list[Array]:
    """Numbers with parts from `EDGES`; each pair of them for a function of two."""
    real, imag = (part.ravel() for part in np.meshgrid(EDGES, EDGES))
    values = from_parts(real, imag, format)
    if function.arity == 1:
        return [values]
    return [np.repeat(values, len(values)), np.tile(values, len(values))]


def draw(function: ComplexFunction, format: Format, count: int, seed: int) -> list[Array]:
    """About `count` arguments: parts of all sizes, of sizes near one another, near an axis, near the hard points."""
    random = np.random.default_rng(seed)
    count = max(64, int(count * function.share))
    return [_values(function, format, count, random) for _ in range(function.arity)]


def _values(function: ComplexFunction, format: Format, count: int, random: np.random.Generator) -> Array:
    high = min(function.span, format.greatest_exponent)
    third = count // 3

    def sized(low: float, high: float, size: int) -> Array:
        return np.exp2(random.uniform(low, high, size)) * random.choice([-1.0, 1.0], size)

    parts = [(sized(format.least_exponent, high, third), sized(format.least_exponent, high, third))]
    parts.append((sized(-6, min(high, 8), third), sized(-6, min(high, 8), third)))
    size = sized(-12, min(high, 8), third // 4)
    parts += [(size, sized(-60, -6, third // 4)), (sized(-60, -6, third // 4), size)]
    angle = random.uniform(-math.pi, math.pi, third // 4)
    radius = 1 + sized(-format.precision, -1, third // 4)
    parts.append((radius * np.cos(angle), radius * np.sin(angle)))
    centre: Any = np.asarray(random.choice(np.array(function.around or (1,), np.complex128), third))
    parts.append(
        (
            centre.real + sized(-format.precision - 4.0, -1, third),
            centre.imag + sized(-format.precision - 4.0, -1, third),
        )
    )
    real, imag = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = random.permutation(len(real))
    return from_parts(format.of(real)[order], format.of(imag)[order], format)


def evaluate(function: ComplexFunction, operands: Sequence[Array]) -> list[Exact]:
    """The parts of the exact results; one part where the result is real."""
    columns = [operand.astype(np.complex128).tolist() for operand in operands]
    parts: list[list[tuple[float, float]]] = [[], []]
    with precision():
        for row in zip(*columns, strict=True):
            value = function.exact(*map(mpc, row))
            components = (value,) if function.real_result else (value.real, value.imag)
            for part, component in zip(parts, components, strict=False):
                part.append(split(component))
    return [Exact(*np.array(part).T) for part in parts if part]
