"""Logarithms: the split of a number, and what lies near one."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from elementary_numpy import Array, NumpyArithmetic, evaluate
from xdsl_xla.passes.loops.elementary.arithmetic import DOUBLE, SINGLE, Float, Format
from xdsl_xla.passes.loops.elementary.logarithm import (
    log,
    log1p,
    log1p_fraction,
    log2,
    log10,
    normalise,
    split_exponent,
)

SUBNORMAL = 5e-324


def double(values: Array) -> Float:
    return Float(NumpyArithmetic(DOUBLE, True), values)


@pytest.mark.parametrize(("split", "least"), [(split_exponent, 1e-300), (normalise, SUBNORMAL)])
def test_a_number_is_a_power_of_two_times_one_near_one(split: Callable[..., tuple[Float, Float]], least: float) -> None:
    x = np.array([least, 0.5, math.sqrt(0.5), 1.0, math.sqrt(2), 1.5, 3.0, 1e300])
    with np.errstate(over="ignore"):
        exponent, m = split(double(x))
    np.testing.assert_array_equal(np.ldexp(m.handle, exponent.handle), x)
    assert np.all((m.handle >= 0.70710678) & (m.handle < 1.41421357))


def test_the_logarithm_of_a_fraction_in_two_parts() -> None:
    f = np.linspace(math.sqrt(0.5) - 1, math.sqrt(2) - 1, 999)
    high, rest = log1p_fraction(double(f))
    np.testing.assert_array_equal(high.handle, f)
    np.testing.assert_allclose(f + rest.handle, np.log1p(f), rtol=5e-16)


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("format", [SINGLE, DOUBLE])
@pytest.mark.parametrize(
    ("function", "known", "low", "high"),
    [
        (log, np.log, 1e-30, 1e30),
        (log2, np.log2, 1e-30, 1e30),
        (log10, np.log10, 1e-30, 1e30),
        (log1p, np.log1p, 1e-30, 1e30),
    ],
)
def test_values(
    function: Callable[..., Float],
    known: Callable[[Array], Array],
    low: float,
    high: float,
    format: Format,
    fused: bool,
) -> None:
    dtype = np.float32 if format is SINGLE else np.float64
    x = np.geomspace(low, high, 3001).astype(dtype)
    got, wanted = evaluate(function, format, fused, x)[0], known(x.astype(np.float64))
    assert np.all(np.abs(got - wanted) <= 4 * np.spacing(np.abs(wanted).astype(dtype)))


def test_what_one_and_a_little_more_is_does_not_get_lost() -> None:
    for x in (1e-300, -1e-300, 1e-17, -1e-17):
        assert evaluate(log1p, DOUBLE, True, np.array([x]))[0] == x


def test_the_smallest_number() -> None:
    assert evaluate(log, DOUBLE, True, np.array([SUBNORMAL]))[0] == pytest.approx(math.log(SUBNORMAL), rel=1e-15)
