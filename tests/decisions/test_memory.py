"""Sizes from which on buffers change places, borders are filled alone, and edges have loops of their own."""

from __future__ import annotations

import pytest
from xdsl_xla.decisions.memory import Memory

MEMORY = Memory()


def test_buffers_that_change_places() -> None:
    assert [MEMORY.worth_changing_places(size) for size in (0, 511, 512, 1 << 20)] == [False, False, True, True]


@pytest.mark.parametrize(
    ("elements", "overwritten", "element_bytes", "borders"),
    [(16384, 8192, 4, True), (16384, 8191, 4, False), (16383, 16383, 4, False), (8192, 8192, 8, True)],
)
def test_borders_of_what_is_overwritten(elements: int, overwritten: int, element_bytes: int, borders: bool) -> None:
    assert MEMORY.worth_filling_borders(elements, overwritten, element_bytes) is borders


def test_edges_of_large_matrices() -> None:
    assert MEMORY.worth_padding_edges((256, 128), 4) and not MEMORY.worth_padding_edges((256, 127), 4)
    assert not MEMORY.worth_padding_edges((0, 1 << 20), 4)
