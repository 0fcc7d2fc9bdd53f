"""The numbers behind tiled contractions."""

from __future__ import annotations

from math import prod

import pytest
from xdsl_xla import contraction_blocking as blocking


@pytest.mark.parametrize("registers", [16, 32])
@pytest.mark.parametrize("lanes", [2, 4, 8, 16])
@pytest.mark.parametrize("rows", [[1], [5], [64], [1023], [7, 8], [3, 3, 64]])
@pytest.mark.parametrize("columns", [2, 10, 48, 64, 1021])
def test_tile_fits(rows: list[int], columns: int, lanes: int, registers: int) -> None:
    tile = blocking.choose_register_tile(rows, columns, 1 << 30, lanes, registers)
    assert tile is not None
    assert tile.rows <= rows[tile.row_dim] and tile.columns <= columns
    # The accumulators, a vector of each column and a broadcast element.
    assert tile.rows * tile.vectors + tile.vectors + 1 <= registers


@pytest.mark.parametrize(("rows", "columns"), [([64], 64), ([56, 8], 96), ([120], 48)])
def test_exact_tile_divides(rows: list[int], columns: int) -> None:
    tile = blocking.choose_register_tile(rows, columns, 1 << 30, 16, 32, exact=True)
    assert tile is not None
    assert rows[tile.row_dim] % tile.rows == 0 and columns % tile.columns == 0


def test_no_exact_tile_of_primes() -> None:
    assert blocking.choose_register_tile([61], 127, 1 << 30, 16, 32, exact=True) is None


def test_small_products_get_small_tiles() -> None:
    tile = blocking.choose_register_tile([64], 64, 1 << 16, 16, 32)
    assert tile is not None and tile.rows * tile.vectors <= 4


@pytest.mark.parametrize("sizes", [[256], [8192], [8191], [8, 32, 32], [64, 64, 64], [3, 192]])
def test_reduction_blocks_cover(sizes: list[int]) -> None:
    row_bytes, l2_bytes = 256, 1 << 20
    outer, chunk = blocking.block_reduction(sizes, row_bytes, l2_bytes)
    assert 0 <= outer < len(sizes) and sizes[outer] % chunk == 0
    if prod(sizes) * row_bytes <= l2_bytes // 2:
        assert (outer, chunk) == (0, sizes[0])


def test_reduction_stays_in_cache() -> None:
    outer, chunk = blocking.block_reduction([8, 32, 32], 256, 1 << 20)
    assert chunk * prod([8, 32, 32][outer + 1 :]) * 256 <= 1 << 18


@pytest.mark.parametrize(("number", "limit", "divisor"), [(12, 5, 4), (13, 5, 1), (12, 100, 12), (12, 0, 1)])
def test_largest_divisor(number: int, limit: int, divisor: int) -> None:
    assert blocking.largest_divisor(number, limit) == divisor


@pytest.mark.parametrize(
    ("counts", "threads", "prefix"),
    [([8, 56], 2, 1), ([1, 1, 3, 4], 4, 4), ([3, 5], 8, 2), ([64, 5], 3, 1), ([1, 1], 4, 0)],
)
def test_parallel_prefix(counts: list[int], threads: int, prefix: int) -> None:
    assert blocking.parallel_prefix(counts, threads) == prefix


@pytest.mark.parametrize(
    ("pieces", "blocks", "outer", "threads", "count"),
    [(16, 1, 1, 4, 4), (16, 2, 3, 4, 4), (7, 1, 1, 2, 7), (12, 3, 1, 2, 6)],
)
def test_count_for_threads(pieces: int, blocks: int, outer: int, threads: int, count: int) -> None:
    assert blocking.count_for_threads(pieces, blocks, outer, threads) == count
