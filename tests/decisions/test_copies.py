"""Copies of rows: where vectors, memcpy and prefetches take turns."""

from __future__ import annotations

import pytest
from xdsl_xla.decisions.copies import Copies

COPIES = Copies()


@pytest.mark.parametrize(
    ("element_bytes", "most", "side"),
    [(4, 16, 8), (4, 7, 4), (4, 3, 0), (1, 64, 16), (8, 0, 0), (2, 8, 8), (8, 64, 8)],
)
def test_the_side_of_a_transposed_block(element_bytes: int, most: int, side: int) -> None:
    assert COPIES.transposed_side(element_bytes, most) == side


@pytest.mark.parametrize(
    ("element_bytes", "most", "side"),
    [(4, 16, 16), (4, 8, 8), (1, 64, 32), (2, 32, 32), (2, 16, 16), (8, 64, 8)],
)
def test_blocks_of_whole_lines(element_bytes: int, most: int, side: int) -> None:
    assert COPIES.transposed_side(element_bytes, most, lines=True) == side


@pytest.mark.parametrize(
    ("row_bytes", "size", "writes", "worth"),
    [
        (2047, 1 << 25, False, False),
        (2048, 1 << 25, False, True),
        (2048, 1 << 20, False, False),
        (2048, 1 << 23, True, False),
        (8192, 1 << 23, True, True),
        (2048, 1 << 24, True, True),
        (131073, 1 << 25, False, False),
    ],
)
def test_rows_that_are_asked_for_while_others_are_computed(
    row_bytes: int, size: int, writes: bool, worth: bool
) -> None:
    assert COPIES.worth_fetching_next_row(row_bytes, size, writes, 1 << 20, 1 << 25) is worth


def test_results_past_the_caches() -> None:
    assert COPIES.worth_streaming(1 << 24, 1 << 25)
    assert not COPIES.worth_streaming((1 << 24) - 1, 1 << 25)


@pytest.mark.parametrize(
    ("elements", "element_bytes", "inline"),
    [(127, 4, False), (128, 4, True), (512, 4, True), (513, 4, False), (256, 1, False), (257, 1, True)],
)
def test_rows_that_a_loop_of_vectors_gathers(elements: int, element_bytes: int, inline: bool) -> None:
    assert COPIES.worth_inline_copies(elements, element_bytes) is inline


@pytest.mark.parametrize(
    ("row_bytes", "touched", "rows"),
    [(512, 1 << 25, 4), (64, 1 << 25, 32), (4096, 1 << 25, 1), (63, 1 << 25, 0), (512, 1 << 20, 0)],
)
def test_how_far_ahead_rows_are_asked_for(row_bytes: int, touched: int, rows: int) -> None:
    assert COPIES.prefetch_distance(row_bytes, touched, 1 << 20) == rows


@pytest.mark.parametrize(("row_bytes", "lines"), [(64, 1), (1024, 16), (1025, 8), (4096, 8), (100, 3)])
def test_how_much_of_a_row_is_asked_for(row_bytes: int, lines: int) -> None:
    assert COPIES.prefetched_lines(row_bytes) == lines


def test_rows_of_vectors() -> None:
    assert [COPIES.worth_copying_by_vectors(elements, 4) for elements in (3, 4, 131072, 131073)] == [0, 1, 1, 0]
