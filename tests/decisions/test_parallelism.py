"""When loops run in parallel, and in how many parts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from xdsl_xla.decisions.parallelism import Parallelism

PARALLELISM = Parallelism()
LARGE = PARALLELISM.parallel_region_bytes
LONG = PARALLELISM.parallel_region_flops


@pytest.mark.parametrize(
    ("bytes_moved", "operations", "threads", "worth"),
    [(LARGE, 0, 2, True), (0, LONG, 2, True), (LARGE - 1, LONG - 1, 2, False), (LARGE, LONG, 1, False)],
)
def test_large_loops_are_worth_threads(bytes_moved: int, operations: int, threads: int, worth: bool) -> None:
    assert PARALLELISM.worth_a_parallel_region(bytes_moved, operations, threads) is worth


def test_long_loops_are_worth_threads() -> None:
    limit = LONG / PARALLELISM.operations_per_nanosecond
    assert PARALLELISM.worth_threads_for(limit + 1, 2)
    assert not PARALLELISM.worth_threads_for(limit - 1, 2)
    assert not PARALLELISM.worth_threads_for(limit + 1, 1)


@pytest.mark.parametrize(
    ("extents", "threads", "loops"), [((100, 100), 2, 1), ((2, 100), 2, 2), ((2, 2, 2), 8, 3), ((7, 1, 2), 2, 3)]
)
def test_as_few_loops_as_give_each_thread_enough(extents: Sequence[int], threads: int, loops: int) -> None:
    assert PARALLELISM.parallel_loops(extents, threads) == loops


@pytest.mark.parametrize(("extent", "block"), [(8191, 8191), (8192, 4096), (1 << 20, 1 << 17), (8200, 4096)])
def test_blocks_of_a_loop(extent: int, block: int) -> None:
    assert PARALLELISM.parallel_block(extent, 2, 16) == block


@pytest.mark.parametrize(
    ("rows", "threads", "blocks"), [(100, 1, 1), (100, 2, 8), (12, 2, 3), (3, 2, 1), (1000, 1, 4), (499, 1, 1)]
)
def test_blocks_of_rows(rows: int, threads: int, blocks: int) -> None:
    assert PARALLELISM.row_blocks(rows, threads, 250) == blocks
