"""How well a program determines its outputs: what rounding alone may make of them.

A difference of two engines is a defect of one of them only if it is more than what the program itself does to an error
in the last place of its intermediate values. `rounding_spread` runs the reference several times with random roundings
(`observed_runs.py`); `input_spread` runs anything with inputs that are off by a few units in the last place, for
programs that the reference cannot run. An element is *ill-conditioned* in so far as its values in those runs lie apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import ml_dtypes
import numpy as np

from ..errors import XlaError
from .comparison import Mismatch, Tolerance, compare
from .tensor_io import is_integer

Arrays = Sequence[np.ndarray]

RUNS = 8
"""How many perturbed runs a judgement takes."""

FACTOR = 8.0
"""A difference of so many times the largest deviation seen is still explained: engines may round the same way
everywhere, which random roundings do not.
"""

INPUT_ULPS = 2.0
"""How far off the inputs of `input_spread` are, at most."""


class Spread(NamedTuple):
    """What perturbed runs have made of one output."""

    deviation: np.ndarray
    """The largest distance from the unperturbed value, of finite elements; of integers and booleans, whether they
    changed.
    """
    not_finite: np.ndarray
    """Where some run gave NaN or an infinity, or another one."""

    def explains(self, got: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """For each element whether the program determines it no better than `got` and `wanted` differ."""
        if _is_whole(wanted.dtype):
            return (got == wanted) | (self.deviation > 0)
        with np.errstate(all="ignore"):
            near = np.abs(_wide(got) - _wide(wanted)) <= FACTOR * self.deviation
        finite = np.isfinite(_wide(got)) & np.isfinite(_wide(wanted))
        return np.where(finite, near, self.not_finite)


def _is_whole(dtype: np.dtype[Any]) -> bool:
    return dtype == np.bool_ or is_integer(dtype)


def _wide(array: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def rounding_spread(run: Callable[[np.random.Generator], Arrays], plain: Arrays, seed: int = 0) -> list[Spread] | None:
    """The spread of each output, where `run` gives the outputs with random roundings; None where it fails.

    `plain` are the outputs without.
    """
    return _spread(lambda number: run(np.random.default_rng([seed, number])), plain)


def input_spread(run: Callable[[Arrays], Arrays | None], inputs: Arrays, plain: Arrays) -> list[Spread] | None:
    """The spread of each output, where `run` gives the outputs for other inputs; None where it fails."""
    return _spread(lambda number: run([_moved(array, number) for array in inputs]), plain)


def _moved(array: np.ndarray, seed: int) -> np.ndarray:
    if _is_whole(array.dtype) or not array.size:
        return array
    noise = np.random.default_rng(seed)
    info: Any = cast(Any, ml_dtypes).finfo(array.dtype)
    factor = 1 + noise.uniform(-INPUT_ULPS, INPUT_ULPS, array.shape) * float(info.eps)
    with np.errstate(all="ignore"):
        return (array * factor if array.dtype.kind in "fc" else _wide(array) * factor).astype(array.dtype)


def _spread(run: Callable[[int], Arrays | None], plain: Arrays) -> list[Spread] | None:
    spreads = [Spread(np.zeros(a.shape), np.zeros(a.shape, bool)) for a in plain]
    for number in range(RUNS):
        try:
            outputs = run(number)
        except XlaError:
            return None
        if outputs is None or [a.shape for a in outputs] != [a.shape for a in plain]:
            return None
        spreads = [_wider(spread, a, b) for spread, a, b in zip(spreads, outputs, plain, strict=True)]
    return spreads


def _wider(spread: Spread, got: np.ndarray, plain: np.ndarray) -> Spread:
    if _is_whole(plain.dtype):
        return Spread(np.maximum(spread.deviation, got != plain), spread.not_finite)
    a, b = _wide(got), _wide(plain)
    with np.errstate(all="ignore"):
        distance = np.abs(a - b)
    finite = np.isfinite(a) & np.isfinite(b)
    differs = ~finite & ~((a == b) | (np.isnan(a) & np.isnan(b)))
    return Spread(np.maximum(spread.deviation, np.where(finite, distance, 0.0)), spread.not_finite | differs)


def mismatch_beyond(
    got: np.ndarray, wanted: np.ndarray, tolerance: Tolerance, spread: Spread | None
) -> Mismatch | None:
    """The worst element of those that neither the tolerance nor the spread explains."""
    mismatch = compare(got, wanted, tolerance)
    if mismatch is None or spread is None:
        return mismatch
    return compare(np.where(spread.explains(got, wanted), wanted, got), wanted, tolerance)
