"""Random arguments of every type, and whether results agree."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl_xla.runtime.element_types import EXTENSIONS, NATIVE, dtype_named
from xdsl_xla.runtime.signature import TensorSpec
from xdsl_xla.runtime.tuner.values import Array, agree, is_whole, random_values


@pytest.mark.parametrize("name", [*NATIVE, *EXTENSIONS])
def test_every_type(name: str) -> None:
    dtype = dtype_named(name)
    assert dtype is not None
    (first,) = random_values([TensorSpec("x", (50, 3), dtype)], 1)
    (again,) = random_values([TensorSpec("x", (50, 3), dtype)], 1)
    assert first.dtype == dtype and first.shape == (50, 3)
    assert first.tobytes() == again.tobytes()
    numbers = np.real(first) if dtype.kind == "c" else first.astype(np.float64)
    assert len(np.unique(numbers)) > 1 and np.isfinite(numbers).all()
    assert numbers.min() >= 0 and numbers.max() < 50
    assert is_whole(dtype) == ("i" in name) or name in ("index",)


def test_integers_are_indices() -> None:
    table, rows = random_values(
        [TensorSpec("x", (5000, 2), np.dtype(np.float32)), TensorSpec("i", (2000,), np.dtype(np.int32))], 0
    )
    assert table.shape == (5000, 2)
    assert rows.min() >= 0 and 4000 < rows.max() < 5000


ONE = np.float32([1, 2, 3, np.nan, np.inf, 0.0])


@pytest.mark.parametrize(
    ("change", "exactly", "in_any_order"),
    [
        ({}, True, True),
        ({0: np.nextafter(np.float32(1), np.float32(2))}, False, True),
        ({0: 1.01}, False, False),
        ({3: 1}, False, False),
        ({0: np.nan}, False, False),
        ({4: -np.inf}, False, False),
        ({5: -0.0}, False, True),
    ],
)
def test_floats(change: dict[int, float], exactly: bool, in_any_order: bool) -> None:
    other = ONE.copy()
    for place, value in change.items():
        other[place] = value
    assert agree([other], [ONE], 0) is exactly
    assert agree([other], [ONE], 100) is in_any_order
    assert agree([ONE, other], [ONE, ONE], 0) is exactly


def test_the_payload_of_nan_does_not_matter() -> None:
    nans = np.array([0x7FC00000, 0xFFC00001], np.uint32).view(np.float32)
    assert agree([nans], [nans[::-1].copy()], 0)


@pytest.mark.parametrize("name", ["i32", "ui4", "i1"])
def test_integers_are_the_same(name: str) -> None:
    array: Array = np.array([0, 1, 1]).astype(dtype_named(name))
    assert agree([array], [array.copy()], 10)
    assert not agree([array[::-1].copy()], [array], 10**6)


def test_complex_numbers() -> None:
    one = np.complex64([1 + 2j, 3 - 1j])
    assert agree([one * np.complex64(1 + 1e-7)], [one], 4)
    assert not agree([one.conj()], [one], 4)


def test_more_terms_more_roundings() -> None:
    """Sums of f32 in two orders, against ones with an error."""
    terms = np.random.default_rng(0).uniform(0.5, 1.5, 10**5).astype(np.float32)
    forwards, pairwise = np.cumsum(terms)[-1:], np.sum(terms, keepdims=True)
    assert forwards.tobytes() != pairwise.tobytes()
    assert agree([forwards], [pairwise], len(terms))
    assert not agree([forwards], [pairwise - 100], len(terms))
