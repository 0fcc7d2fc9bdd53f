"""Sums with the errors of their additions: exact, whatever the magnitudes; infinities and zeros stay what they are."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import numpy as np
import pytest
from xdsl_xla.ir.compensated_sums import two_sum, with_error


def test_sum_and_error_are_exact() -> None:
    rng = np.random.default_rng(0)
    scales = 2.0 ** rng.integers(-300, 300, (500, 2))
    for a, b in [*(rng.uniform(-1, 1, (500, 2)) * scales).tolist(), (1.0, -1.0), (1e16, 1.0), (1.0, 1e16)]:
        total, error = two_sum(a, b, operator.add, operator.sub)
        assert total == a + b and Fraction(total) + Fraction(error) == Fraction(a) + Fraction(b)


def test_a_chain_that_cancels() -> None:
    total, lost = 0.0, 0.0
    for term in (1e16, 1.0, -1e16, 1e-3):
        total, error = two_sum(total, term, operator.add, operator.sub)
        lost += error
    assert total == 1e-3 and total + lost == 1.001


@pytest.mark.parametrize(
    ("total", "error", "wanted"),
    [(1e16, 1.5, 1e16 + 2), (-0.0, 0.0, -0.0), (-0.0, -0.0, -0.0), (math.inf, math.nan, math.inf), (2.0, 0.0, 2.0)],
)
def test_errors_that_are_none_are_not_added(total: float, error: float, wanted: float) -> None:
    got = with_error(total, error, operator.add, lambda x: float(x < 0 or x > 0), lambda c, a, b: a if c else b)
    assert got == wanted and math.copysign(1, got) == math.copysign(1, wanted)
