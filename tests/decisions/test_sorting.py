"""Which way of sorting is chosen for a line."""

from __future__ import annotations

import pytest
from xdsl_xla.decisions.sorting import Sorting


@pytest.mark.parametrize(
    ("size", "count", "chosen"),
    [(2, 2, True), (16, 16, True), (17, 17, False), (16, 3, True), (16, 1, False)],  # one pass finds the first
)
def test_a_network_is_for_short_lines(size: int, count: int, chosen: bool) -> None:
    assert Sorting().worth_a_network(size, count) is chosen


@pytest.mark.parametrize(("count", "size", "chosen"), [(1, 100, True), (4, 300, True), (300, 300, False)])
def test_few_elements_of_many_are_selected(count: int, size: int, chosen: bool) -> None:
    assert Sorting().worth_selecting(count, size, digits=4) is chosen
