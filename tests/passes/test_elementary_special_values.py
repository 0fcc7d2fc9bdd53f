"""Special values of IEEE 754-2019 section 9.2.1, exactly, and the ends of the ranges."""

from __future__ import annotations

import math

import numpy as np
import pytest
from elementary_numpy import evaluate
from test_elementary_accuracy import BY_NAME
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Format

INF, NAN = math.inf, math.nan

VALUES: dict[str, list[tuple[float, float]]] = {
    "exp": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (1e300, INF), (-1e300, 0.0)],
    "exp2": [(0.0, 1.0), (INF, INF), (-INF, 0.0), (10.0, 1024.0), (-3.0, 0.125)],
    "expm1": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0)],
    "log": [(1.0, 0.0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-1.0, NAN), (-INF, NAN)],
    "log2": [(1.0, 0.0), (0.0, -INF), (INF, INF), (8.0, 3.0), (2.0**-40, -40.0), (-1.0, NAN)],
    "log10": [(1.0, 0.0), (0.0, -INF), (INF, INF), (-1.0, NAN)],
    "log1p": [(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (INF, INF), (-2.0, NAN), (-INF, NAN)],
    "sinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF)],
    "cosh": [(0.0, 1.0), (INF, INF), (-INF, INF)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (50.0, 1.0)],
    "asinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF)],
    "acosh": [(1.0, 0.0), (INF, INF), (0.5, NAN), (-INF, NAN)],
    "atanh": [(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (INF, NAN)],
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (1.0, math.pi / 2), (-1.0, -math.pi / 2), (1.5, NAN), (INF, NAN)],
    "acos": [(1.0, 0.0), (-1.0, math.pi), (0.0, math.pi / 2), (1.5, NAN), (-INF, NAN)],
    "atan": [(0.0, 0.0), (-0.0, -0.0), (INF, math.pi / 2), (-INF, -math.pi / 2)],
    "rsqrt": [(4.0, 0.5), (0.0, INF), (-0.0, -INF), (INF, 0.0), (-1.0, NAN)],
    "cbrt": [(8.0, 2.0), (-27.0, -3.0), (0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF)],
    "erf": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (7.0, 1.0)],
}

POWERS: list[tuple[float, float, float]] = [
    (NAN, 0.0, 1.0),
    (2.0, -0.0, 1.0),
    (1.0, NAN, 1.0),
    (1.0, INF, 1.0),
    (-1.0, INF, 1.0),
    (-1.0, -INF, 1.0),
    (0.0, -3.0, INF),
    (-0.0, -3.0, -INF),
    (-0.0, -2.0, INF),
    (-0.0, -INF, INF),
    (-0.0, 3.0, -0.0),
    (-0.0, 2.5, 0.0),
    (INF, -1.0, 0.0),
    (-INF, 3.0, -INF),
    (-INF, 2.5, INF),
    (-INF, -3.0, -0.0),
    (0.5, INF, 0.0),
    (0.5, -INF, INF),
    (2.0, INF, INF),
    (-2.0, 3.0, -8.0),
    (-8.0, 0.5, NAN),
    (NAN, 2.0, NAN),
    (2.0, NAN, NAN),
    (-1.0, NAN, NAN),
]

ANGLES: list[tuple[float, float, float]] = [
    (0.0, 1.0, 0.0),
    (-0.0, 1.0, -0.0),
    (0.0, -1.0, math.pi),
    (-0.0, -1.0, -math.pi),
    (0.0, 0.0, 0.0),
    (0.0, -0.0, math.pi),
    (-0.0, -0.0, -math.pi),
    (1.0, 0.0, math.pi / 2),
    (-1.0, -0.0, -math.pi / 2),
    (INF, INF, math.pi / 4),
    (INF, -INF, 3 * math.pi / 4),
    (-INF, INF, -math.pi / 4),
    (1.0, INF, 0.0),
    (1.0, -INF, math.pi),
    (-INF, 1.0, -math.pi / 2),
    (NAN, 1.0, NAN),
    (1.0, NAN, NAN),
]

FORMATS = pytest.mark.parametrize("format", [SINGLE, DOUBLE], ids=["f32", "f64"])


def check(name: str, format: Format, rows: list[tuple[float, ...]]) -> None:
    dtype = np.float32 if format is SINGLE else np.float64
    with np.errstate(over="ignore"):
        *operands, expected = np.array(rows).T.astype(dtype)
    for fused in (True, False):
        result, _ = evaluate(BY_NAME[name], format, fused, *operands)
        np.testing.assert_array_equal(result, expected, err_msg=name)
        not_nan = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(result[not_nan]), np.signbit(expected[not_nan]), err_msg=name)


@FORMATS
@pytest.mark.parametrize("name", VALUES)
def test_unary(name: str, format: Format):
    check(name, format, [*VALUES[name], (NAN, NAN)])


@FORMATS
def test_powf(format: Format):
    check("powf", format, list(POWERS))


@FORMATS
def test_atan2(format: Format):
    check("atan2", format, list(ANGLES))


@FORMATS
@pytest.mark.parametrize("name", ["expm1", "log1p", "sinh", "tanh", "asinh", "atanh", "sin", "tan", "asin", "atan"])
def test_tiny_arguments_are_their_own_image(name: str, format: Format):
    dtype = np.float32 if format is SINGLE else np.float64
    tiny = np.finfo(dtype).smallest_subnormal
    x = tiny * np.array([1, 2, 3, 12345, 2**20 + 1], dtype)
    x = np.concatenate([x, -x, np.array([np.finfo(dtype).smallest_normal])])
    for fused in (True, False):
        result, _ = evaluate(BY_NAME[name], format, fused, x)
        np.testing.assert_array_equal(result, x)


def _neighbours(threshold: float, dtype: type) -> tuple[float, float]:
    """The last argument before `threshold`, the first one behind it."""
    below = dtype(threshold)
    if float(below) > threshold:
        below = np.nextafter(below, dtype(-math.inf))
    return float(below), float(np.nextafter(below, dtype(math.inf)))


@FORMATS
def test_ends_of_the_exponentials(format: Format):
    """The largest arguments with a finite and the smallest with a nonzero result."""
    dtype = np.float32 if format is SINGLE else np.float64
    # Results round to infinity from half a unit beyond the largest number on.
    bits = format.bias + 1
    overflow = math.log(2) * (bits + math.log2(1 - 2.0 ** -(format.fraction_bits + 2)))
    # They round to 0 up to half the smallest subnormal.
    underflow = -math.log(2) * (format.bias + format.fraction_bits)
    smallest = float(np.finfo(dtype).smallest_subnormal)
    for fused in (True, False):
        finite, infinite = _neighbours(overflow, dtype)
        zero, nonzero = _neighbours(underflow, dtype)
        result, _ = evaluate(BY_NAME["exp"], format, fused, np.array([finite, infinite, zero, nonzero]))
        assert np.isfinite(result[0]) and result[0] > np.finfo(dtype).max * 0.99
        assert result[1] == INF
        assert result[2] == 0.0
        assert result[3] == smallest
        powers, _ = evaluate(
            BY_NAME["exp2"], format, fused, np.array([bits - 1, bits, 1 - format.bias - format.fraction_bits])
        )
        assert list(powers) == [2.0 ** (bits - 1), INF, smallest]
