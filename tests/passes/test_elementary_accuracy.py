"""Elementary functions against higher precision, over the whole range, with and without fused multiply-add."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from elementary_numpy import Array, NumpyArithmetic, evaluate
from xdsl.dialects import math as math_dialect
from xdsl_xla.passes.loops.elementary import FUNCTIONS
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Float, Format

BY_NAME: dict[str, Callable[..., Float]] = {op.name.removeprefix("math."): f for op, f in FUNCTIONS.items()}

HAS_EXTENDED = np.finfo(np.longdouble).nmant > 60
"""Whether `longdouble` is precise enough to judge doubles; otherwise it adds an error of its own of up to one unit."""

MOST_ULPS = {SINGLE: 4.0, DOUBLE: 4.0 if HAS_EXTENDED else 3.0}


def _erf(x: Array) -> Array:
    """The C library's, wrong by up to one unit of a double."""
    return np.frompyfunc(lambda value: math.erf(float(value)), 1, 1)(x).astype(np.longdouble)


REFERENCES: dict[str, Callable[..., Any]] = {
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "cbrt": np.cbrt,
    "erf": _erf,
    "atan2": np.arctan2,
    "powf": np.power,
}

DENSE: dict[str, list[tuple[float, float]]] = {
    "exp": [(-104, 89), (-746, 710)],
    "exp2": [(-150, 128), (-1075, 1024)],
    "expm1": [(-40, 89), (-1, 710)],
    "sinh": [(-90, 90), (-711, 711)],
    "cosh": [(-90, 90), (-711, 711)],
    "tanh": [(-10, 10), (-20, 20)],
    "log": [(0.5, 2), (0, 1e-37)],
    "log2": [(0.5, 2), (0, 1e-37)],
    "log10": [(0.5, 2), (0, 1e-37)],
    "log1p": [(-1, 1), (0, 3)],
    "acosh": [(1, 1.001), (1, 4)],
    "atanh": [(-1, 1), (0.99, 1)],
    "sin": [(-10, 10), (-1e5, 1e5)],
    "cos": [(-10, 10), (-1e5, 1e5)],
    "tan": [(-10, 10), (-1e5, 1e5)],
    "erf": [(-6, 6)],
}
"""Where a function has its interesting part, besides [-1.5, 1.5]."""


def arguments(format: Format, name: str) -> Array:
    """Bit patterns from all over, numbers from where something happens."""
    generator = np.random.default_rng(1)
    dtype = np.float32 if format is SINGLE else np.float64
    if format is SINGLE:
        step = 1 << 12
        patterns = np.arange(0, 1 << 32, step) + generator.integers(0, step, (1 << 32) // step)
        everywhere = patterns.astype(np.uint32).view(np.float32)
    else:
        everywhere = generator.integers(0, 1 << 64, 100_000, dtype=np.uint64).view(np.float64)
    ranges = [generator.uniform(low, high, 50_000) for low, high in [(-1.5, 1.5), *DENSE.get(name, [])]]
    if name == "erf" and format is DOUBLE:
        everywhere = everywhere[::8]
    multiples = np.arange(1, 2000) * (math.pi / 2)
    specials = np.array([0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 5e-324, 1e-40])
    # 6381956970095103 * 2^797 comes nearest of all doubles to a multiple of pi/2 (Muller,
    # "Elementary Functions"); 16367173 * 2^72 does of all single-precision numbers.
    hardest = np.array([6381956970095103.0 * 2.0**797 if format is DOUBLE else 16367173.0 * 2.0**72])
    parts = [everywhere, *ranges, multiples, multiples * 1e6, specials, hardest]
    return np.concatenate([part.astype(dtype) for part in parts])


def ulps(result: Array, exact: Array, format: Format) -> Array:
    """Distances in units in the last place of the exact value; infinite where one of both is special."""
    rounded = exact.astype(result.dtype)
    same = (result == rounded) | (np.isnan(result) & np.isnan(rounded))
    _, exponent = np.frexp(exact)
    exponent = np.maximum(exponent - 1, 1 - format.bias) - format.fraction_bits
    distance = np.abs(result.astype(np.longdouble) - exact) / np.ldexp(np.longdouble(1), exponent)
    finite = np.isfinite(result) & np.isfinite(rounded)
    # A result that rounds down to the largest finite number where the exact one is just over it is near, too.
    overflowed = np.isinf(rounded) & (np.abs(result) == np.finfo(result.dtype).max)
    distance = np.where(finite | overflowed, distance, np.inf)
    return np.where(same & ~finite, 0, distance)


def check(name: str, format: Format, fused: bool, exact: Array, *operands: Array) -> None:
    result, _ = evaluate(BY_NAME[name], format, fused, *operands)
    with np.errstate(all="ignore"):
        distance = ulps(result, exact, format)
    worst = int(np.argmax(distance))
    where = [operand[worst] for operand in operands]
    assert distance[worst] <= MOST_ULPS[format], (
        f"{name}{where} = {result[worst]!r}, exact {exact[worst]!r}: {distance[worst]} ulps"
    )
    signs = (np.signbit(result) != np.signbit(exact)) & ~np.isnan(result)
    assert not signs.any(), f"{name} has the wrong sign at {[operand[signs][:5] for operand in operands]}"


@pytest.mark.sample(12)
@pytest.mark.parametrize("format", [SINGLE, DOUBLE], ids=["f32", "f64"])
@pytest.mark.parametrize("name", [name for name in BY_NAME if name not in ("atan2", "powf")])
def test_unary(name: str, format: Format):
    x = arguments(format, name)
    with np.errstate(all="ignore"):
        exact = REFERENCES[name](x.astype(np.longdouble))
    for fused in (True, False):
        check(name, format, fused, exact, x)


def special_pairs(dtype: Any) -> tuple[Array, Array]:
    values = [0.0, 1.0, 2.0, 0.5, 3.0, 2.5, math.inf, 1e-40, 1e30, 16777215.0, 2.0**60]
    values = np.array([*values, *(-value for value in values), math.nan]).astype(dtype)
    left, right = np.meshgrid(values, values)
    return left.ravel(), right.ravel()


def power_arguments(format: Format) -> tuple[Array, Array]:
    """Pairs with results of all sizes, and bit patterns from all over."""
    generator = np.random.default_rng(2)
    dtype = np.float32 if format is SINGLE else np.float64
    limit = 130.0 if format is SINGLE else 1030.0
    count = 60_000
    everywhere = arguments(format, "powf")[:: 8 if format is SINGLE else 2]
    pairs = [(everywhere, generator.permutation(everywhere)), special_pairs(dtype)]
    near_one = generator.uniform(-1, 1, count) * 2.0 ** -generator.integers(1, format.fraction_bits, count)
    for base in (
        np.exp2(generator.uniform(-0.95 * limit, 0.95 * limit, count)),
        1 + generator.uniform(-0.3, 0.4, count),
        1 + near_one,
    ):
        x = base.astype(dtype)
        y = generator.uniform(-1.2 * limit, 1.1 * limit, count) / np.log2(x.astype(np.float64))
        pairs.append((x, y.astype(dtype)))
        pairs.append((-x, generator.integers(-60, 60, count).astype(dtype)))
        pairs.append((x, generator.choice(np.array([2, 3, 0.5, -0.5, -1, 1.5]), count).astype(dtype)))
    return np.concatenate([x for x, _ in pairs]), np.concatenate([y for _, y in pairs])


@pytest.mark.parametrize("format", [SINGLE, DOUBLE], ids=["f32", "f64"])
@np.errstate(all="ignore")
def test_powf(format: Format):
    x, y = power_arguments(format)
    exact = np.power(x.astype(np.longdouble), y.astype(np.longdouble))
    for fused in (True, False):
        check("powf", format, fused, exact, x, y)


@pytest.mark.parametrize("format", [SINGLE, DOUBLE], ids=["f32", "f64"])
def test_atan2(format: Format):
    generator = np.random.default_rng(3)
    everywhere = arguments(format, "atan2")
    near = generator.uniform(-1, 1, (2, 100_000)).astype(everywhere.dtype)
    left, right = special_pairs(everywhere.dtype)
    y = np.concatenate([everywhere, near[0], left])
    x = np.concatenate([generator.permutation(everywhere), near[1], right])
    with np.errstate(all="ignore"):
        exact = np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble))
    for fused in (True, False):
        check("atan2", format, fused, exact, y, x)


@pytest.mark.parametrize(
    "name, most", [("exp", 22), ("tanh", 24), ("log", 40), ("rsqrt", 2), ("expm1", 26), ("sin", 60)]
)
def test_operation_counts(name: str, most: int):
    """What single precision may cost with fused multiply-add; constants apart."""
    _, count = evaluate(BY_NAME[name], SINGLE, True, np.ones(1))
    assert count <= most


@pytest.mark.parametrize("format", [SINGLE, DOUBLE], ids=["f32", "f64"])
@pytest.mark.parametrize("name", ["exp", "exp2"])
def test_vanishing_results_do_not_underflow(name: str, format: Format):
    """Masked scores of a softmax: CPUs take long over products that underflow."""
    arithmetic = NumpyArithmetic(format, fused=False)
    x = np.array([-1e9, -1e4, -1100.0, -np.inf], arithmetic.float_type)
    with np.errstate(under="raise"):
        result = BY_NAME[name](Float(arithmetic, x))
    assert np.array_equal(result.handle, np.zeros(4))


def test_every_expanded_op_is_tested():
    assert set(REFERENCES) == set(BY_NAME)
    assert math_dialect.ExpOp in FUNCTIONS
