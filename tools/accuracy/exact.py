"""Exact results of real functions as doubles and what those lack."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from .formats import Array, Exact
from .multiprecision import gmpy2, mpfr
from .real_functions import PRECISION


@contextmanager
def precision(bits: int = PRECISION) -> Generator[None]:
    """A context of gmpy2 in which exponents are as good as unlimited."""
    with gmpy2.context(gmpy2.get_context(), precision=bits, emax=gmpy2.get_emax_max(), emin=gmpy2.get_emin_min()):
        yield


def split(value: Any) -> tuple[float, float]:
    """The nearest double, and the rest in its units of the last place."""
    nearest = float(value)
    if not math.isfinite(nearest) or value == nearest:
        return nearest, 0.0
    return nearest, float((value - nearest) / math.ulp(nearest))


def evaluate(function: Callable[..., Any], operands: Sequence[Array]) -> Exact:
    """The exact results of `function`, of numbers of MPFR, for the elements of `operands`."""
    with np.errstate(invalid="ignore"):
        columns = [operand.astype(np.float64).tolist() for operand in operands]
    with precision():
        pairs = [split(function(*map(mpfr, row))) for row in zip(*columns, strict=True)]
    value, rest = np.array(pairs, np.float64).reshape(-1, 2).T
    return Exact(value, rest)
