"""Shapes of the same elements: where their dimensions end, and what lies along which."""

from __future__ import annotations

import pytest
from xdsl_xla.passes.stablehlo.shape_cuts import cuts_of, dims_in, shape_with, spans_of


def test_cuts_leave_out_dimensions_of_size_one() -> None:
    assert cuts_of((8, 1, 64, 49)) == [1, 49, 3136, 25088]
    assert cuts_of((1,)) == [1]
    assert cuts_of(()) == [1]


@pytest.mark.parametrize(
    ("dims", "spans"),
    [
        ((), []),
        ((1,), [(49, 3136)]),
        ((0, 1), [(49, 25088)]),
        ((0, 2), [(3136, 25088), (1, 49)]),
        ((0, 1, 2), [(1, 25088)]),
    ],
)
def test_spans_of_neighbours_are_one(dims: tuple[int, ...], spans: list[tuple[int, int]]) -> None:
    assert spans_of((8, 64, 49), dims) == spans


def test_dimensions_of_size_one_are_in_no_span() -> None:
    assert spans_of((8, 1, 49), (1,)) == []
    assert spans_of((8, 1, 49), (0, 2)) == [(1, 392)]
    assert dims_in((8, 1, 49), [(1, 392)]) == [0, 2]


def test_dimensions_of_a_finer_shape_lie_in_spans_of_a_coarser_one() -> None:
    spans = spans_of((8, 64, 49), (1,))
    assert dims_in((8, 8, 8, 7, 7), spans) == [1, 2]
    assert dims_in((512, 49), spans) == []


def test_a_shape_has_its_cuts() -> None:
    assert shape_with({1, 49, 392, 25088}) == (64, 8, 49)
    assert shape_with({1}) == ()


def test_overlapping_dimensions_have_no_shape() -> None:
    assert shape_with({1, 4, 6, 24}) is None
