"""Whether outputs are what was expected, and if not, where they differ most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .tensor_io import is_integer


class Tolerance(NamedTuple):
    """Elements agree if `|got - expected| <= absolute + relative * |expected|`."""

    relative: float
    absolute: float


EXACT = Tolerance(0, 0)


class AskedTolerance(NamedTuple):
    """The parts of a tolerance that a user gives, `--rtol` and `--atol`."""

    relative: float | None = None
    absolute: float | None = None

    def over(self, tolerance: Tolerance) -> Tolerance:
        """`tolerance`, but for what is given."""
        relative = tolerance.relative if self.relative is None else self.relative
        return Tolerance(relative, tolerance.absolute if self.absolute is None else self.absolute)


NOT_ASKED = AskedTolerance()

_TOLERANCES: dict[int, Tolerance] = {
    53: Tolerance(1e-9, 1e-9),
    24: Tolerance(1e-4, 1e-5),
    11: Tolerance(4e-3, 1e-3),
    8: Tolerance(3e-2, 1e-2),
}
"""By bits of the significand. Sums of some thousand terms in another order stay within these."""

_COARSE = Tolerance(0.25, 0.125)
"""For formats of eight bits and less: two steps."""

_SIGNIFICANDS = {
    "float64": 53,
    "complex128": 53,
    "float32": 24,
    "complex64": 24,
    "float16": 11,
    "bfloat16": 8,
}


@dataclass(frozen=True)
class Mismatch:
    """The element that is furthest outside its tolerance."""

    index: tuple[int, ...]
    got: str
    expected: str
    error: str
    count: int
    size: int

    def __str__(self) -> str:
        return (
            f"[{', '.join(map(str, self.index))}]: got {self.got}, expected {self.expected}"
            f" (error {self.error}; {self.count} of {self.size} elements differ)"
        )


def default_tolerance(dtype: np.dtype) -> Tolerance:
    """What differences in rounding explain for results of type `dtype`; none for integers."""
    if dtype == np.bool_ or is_integer(dtype):
        return EXACT
    return _TOLERANCES.get(_SIGNIFICANDS.get(dtype.name, 0), _COARSE)


def compare(got: np.ndarray, expected: np.ndarray, tolerance: Tolerance) -> Mismatch | None:
    """The worst element of two arrays of one shape, or None if all agree. NaN agrees with NaN."""
    if tolerance == EXACT and (got.dtype == np.bool_ or is_integer(got.dtype)):
        excess = (got != expected).astype(np.float64)
        bad = excess > 0
    else:
        excess = _excess(_widened(got), _widened(expected), tolerance)
        bad = excess > 1
    count = int(np.count_nonzero(bad))
    if count == 0:
        return None
    index = tuple(int(i) for i in np.unravel_index(int(np.argmax(excess)), got.shape))
    error = _error(got[index], expected[index])
    return Mismatch(index, str(got[index]), str(expected[index]), error, count, got.size)


def _widened(array: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _excess(got: np.ndarray, expected: np.ndarray, tolerance: Tolerance) -> np.ndarray:
    """Error over tolerance; infinite where one is NaN or infinite and the other is something
    else.
    """
    with np.errstate(all="ignore"):
        error = np.abs(got - expected)
        allowed = tolerance.absolute + tolerance.relative * np.abs(expected)
        ratio = np.where(error == 0, 0.0, error / allowed)
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    comparable = np.isfinite(got) & np.isfinite(expected)
    return np.where(same, 0.0, np.where(comparable, ratio, np.inf))


def _error(got: np.generic, expected: np.generic) -> str:
    if is_integer(got.dtype) or got.dtype == np.bool_:
        return str(abs(int(got) - int(expected)))
    with np.errstate(invalid="ignore"):
        difference = abs(_widened(np.asarray(got)) - _widened(np.asarray(expected)))
    return f"{float(difference):.3g}"
