"""Shardings by dimensions and by factors."""

from __future__ import annotations

import pytest
from xdsl_xla.ir.sharding_propagation.parts import Part, Parts
from xdsl_xla.ir.sharding_propagation.projection import TensorSharding, project, unproject

X, Y = Part("x", 1, 4), Part("y", 1, 2)
MERGED = ((0, 1),)
"""One dimension of two factors."""


def sharding(*axes: Part, is_closed: bool = False) -> TensorSharding:
    return TensorSharding((axes,), (is_closed,))


@pytest.mark.parametrize(
    ("sizes", "axes", "major", "minor"),
    [
        ((4, 8), (X, Y), [X], [Y]),
        ((8, 4), (X, Y), [X, Y], []),
        ((2, 8), (X, Y), [Part("x", 1, 2)], [Part("x", 2, 2), Y]),
        ((2, 8), (Y,), [Y], []),
    ],
)
def test_axes_go_to_the_major_factor_first(
    sizes: tuple[int, int], axes: Parts, major: list[Part], minor: list[Part]
) -> None:
    factors = project(MERGED, sharding(*axes), sizes).factors
    assert (factors[0].axes, factors[1].axes) == (major, minor)
    assert not factors[0].overflow and not factors[0].is_minor_most and factors[1].is_minor_most


def test_what_does_not_fit_is_overflow() -> None:
    factors = project(MERGED, sharding(X, Y), (3, 8)).factors
    assert (factors[0].axes, factors[0].overflow, factors[1].axes) == ([], [X, Y], [])
    assert factors[1].is_closed


@pytest.mark.parametrize("sizes", [(4, 8), (8, 4), (2, 8), (3, 8), (6, 2)])
def test_projections_lead_back(sizes: tuple[int, int]) -> None:
    for axes in ((), (X,), (Y,), (X, Y), (Y, X)):
        known = sharding(*axes)
        assert unproject(MERGED, project(MERGED, known, sizes), known, sizes) == known


def test_a_factor_behind_one_that_is_not_split_completely_is_not_split() -> None:
    projection = project(MERGED, None, (8, 4))
    projection.factors[0].axes = [Y]
    projection.factors[1].axes = [X]
    assert unproject(MERGED, projection, None, (8, 4)) == sharding(Y)


def test_nothing_known_is_open() -> None:
    factors = project(MERGED, None, (8, 4)).factors
    assert not factors[0].is_closed and not factors[1].is_closed
    closed = project(MERGED, sharding(is_closed=True), (8, 4)).factors
    assert closed[0].is_closed and closed[1].is_closed


def test_axes_that_must_not_split() -> None:
    known = TensorSharding(((),), (False,), (X,), (Y,))
    assert project(((0,),), known, (8,)).forbidden == (X, Y)
    assert not known.is_split and sharding(X).is_split
