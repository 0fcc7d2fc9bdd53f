"""How loops are cut, copied and put side by side."""

from __future__ import annotations

import pytest
from xdsl_xla.decisions.loops import Loops

LOOPS = Loops()


@pytest.mark.parametrize(("extent", "work", "windows"), [(56, 10, 2), (9, 10, 3), (11, 10, 2), (56, 101, 1), (1, 1, 1)])
def test_overlapping_windows_are_computed_together(extent: int, work: int, windows: int) -> None:
    assert LOOPS.windows_together(extent, work) == windows


def test_narrow_groups_are_joined() -> None:
    many = LOOPS.joined_group_elements
    assert LOOPS.worth_joining_groups(4, 3, many, 16)
    assert not LOOPS.worth_joining_groups(1, 3, many, 16)
    assert not LOOPS.worth_joining_groups(4, 16, many, 16)  # a group fills a vector
    assert not LOOPS.worth_joining_groups(4, 3, many - 1, 16)


def test_small_per_group() -> None:
    assert LOOPS.is_small_per_group(10, 10 * LOOPS.repeats_per_element)
    assert not LOOPS.is_small_per_group(10, 10 * LOOPS.repeats_per_element - 1)


@pytest.mark.parametrize(
    ("points", "work", "minor", "copies"),
    [(16, 4, False, True), (17, 1, False, False), (2, 1, True, True), (3, 1, True, False)],
)
def test_short_reductions_are_copies(points: int, work: int, minor: bool, copies: bool) -> None:
    assert LOOPS.worth_unrolling_points(points, work, minor) is copies


@pytest.mark.parametrize(
    ("points", "work", "along_rows", "copies"),
    [(49, 2, False, True), (49, 2, True, False), (25, 2, True, True), (49, 5, False, False)],
)
def test_small_windows_are_copies(points: int, work: int, along_rows: bool, copies: bool) -> None:
    assert LOOPS.worth_unrolling_windows(points, work, along_rows) is copies


@pytest.mark.parametrize(
    ("loads", "operations", "pieces", "cut"), [(1, 0, 8, True), (1, 0, 9, False), (0, 12, 2, False), (0, 13, 2, True)]
)
def test_loops_are_cut_where_their_body_changes(loads: int, operations: int, pieces: int, cut: bool) -> None:
    assert LOOPS.worth_cutting_outside(loads, operations, pieces) is cut


@pytest.mark.parametrize(
    ("rows", "work", "stores", "taken"),
    [(64, 1, False, 16), (56, 2, False, 8), (7, 2, False, 7), (11, 2, False, 11), (9, 1, True, 1)],
)
def test_rows_of_a_trip(rows: int, work: int, stores: bool, taken: int) -> None:
    assert LOOPS.rows_per_trip_of(rows, work, stores) == taken


def test_rows_of_a_trip_that_rounds_nothing() -> None:
    assert LOOPS.rows_per_trip_of(64, 1, False, exact=True) == 4
    assert LOOPS.rows_per_trip_of(64, 1, True, exact=True) == 1
    assert LOOPS.rows_per_trip_of(64, 20, False, exact=True) == 2


def test_distant_elements_cost_more() -> None:
    costs = [LOOPS.access_cost(stride, 4, 16, 1, 0) for stride in (0, 1, -1, 2, 8, 1000)]
    assert costs == sorted(costs) and costs[0] == 0 and costs[1] == 1 / 16
    assert LOOPS.access_cost(None, 4, 16, 1, 0) == LOOPS.access_cost(1000, 4, 16, 1, 0)


@pytest.mark.parametrize(
    ("stride", "work", "rows", "cost"),
    [(8, 25, 0, 1.0), (8, 26, 0, 2.0), (8, 25, 1, 1.0), (9, 1, 0, 1.0), (9, 1, 1, 2.0), (16, 1, 0, 2.0)],
)
def test_gathered_elements_cost_more(stride: int, work: int, rows: int, cost: float) -> None:
    assert LOOPS.access_cost(stride, 4, 16, work, rows) == cost


def test_loops_over_large_tensors_are_copies() -> None:
    large = LOOPS.unrolled_loop_bytes
    assert LOOPS.worth_unrolling(5, 45, large)
    assert not LOOPS.worth_unrolling(5, 45, large - 1)
    assert not LOOPS.worth_unrolling(50, 45, large)


def test_tiles_of_transposes() -> None:
    assert LOOPS.transposed_tile(2 << 20, 1 << 20) == LOOPS.transpose_tile
    assert LOOPS.transposed_tile((2 << 20) + 1, 1 << 20) == LOOPS.large_transpose_tile


@pytest.mark.parametrize(
    ("times", "rows", "elements", "chunks", "together"),
    [
        (1, 4096, 10, 1, 32),
        (1, 4096, 64, 1, 16),
        (1, 4096, 511, 1, 2),
        (1, 4096, 512, 1, 1),
        (1, 63, 10, 1, 1),
        (2, 50, 10, 1, 25),
        (1, 100, 10, 8, 10),
        (1, 9000, 8, 1, 32),
        (1, 9000, 9, 1, 30),
        (1, 100, 8, 8, 10),
    ],
)
def test_short_rows_are_taken_together(times: int, rows: int, elements: int, chunks: int, together: int) -> None:
    assert LOOPS.rows_together(times, rows, 4 * elements, elements, 16, chunks) == together


@pytest.mark.parametrize(
    ("around", "rows", "row_bytes", "joins"),
    [(3, 12288, 20, True), (3, 12288, 68, False), (1, 4096, 20, False), (32, 12288, 20, False), (4, 60, 20, False)],
)
def test_short_rows_are_joined_across_dimensions(around: int, rows: int, row_bytes: int, joins: bool) -> None:
    assert LOOPS.worth_joining_rows(around, rows, row_bytes) == joins


def test_slices_of_short_rows_are_one_row() -> None:
    assert LOOPS.worth_joining_slices(63) and not LOOPS.worth_joining_slices(64)


@pytest.mark.parametrize(
    ("length", "work", "flat"), [(12, 16, True), (12, 15, False), (32, 40, False), (127, 40, True), (129, 40, False)]
)
def test_costly_short_rows_are_one(length: int, work: int, flat: bool) -> None:
    assert LOOPS.worth_flat_rows(length, work, 16) is flat


def test_flat_rows_leave_none_over() -> None:
    assert LOOPS.rows_together(1, 1000, 28, 7, 16, 1) == 32
    assert LOOPS.rows_together(1, 1000, 28, 7, 16, 1, flat=True) == 25


def test_costly_rows_are_not_cut() -> None:
    assert LOOPS.worth_whole_rows(32, 16, 16)
    assert not LOOPS.worth_whole_rows(32, 15, 16)
    assert not LOOPS.worth_whole_rows(129, 16, 16)
