"""The numbers behind tiled contractions."""

from __future__ import annotations

from math import prod

import pytest
from xdsl_xla.decisions import blocks
from xdsl_xla.decisions.contractions import Contractions, Matrix
from xdsl_xla.decisions.divisors import largest_divisor
from xdsl_xla.decisions.register_tiles import RegisterTile, RegisterTiles
from xdsl_xla.decisions.sums import Sums


@pytest.mark.parametrize("registers", [16, 32])
@pytest.mark.parametrize("lanes", [2, 4, 8, 16])
@pytest.mark.parametrize("rows", [[1], [5], [64], [1023], [7, 8], [3, 3, 64]])
@pytest.mark.parametrize("columns", [2, 10, 48, 64, 1021])
def test_tile_fits(rows: list[int], columns: int, lanes: int, registers: int) -> None:
    tile = RegisterTiles().choose_register_tile(rows, columns, 1 << 30, lanes, registers)
    assert tile is not None
    assert tile.rows <= rows[tile.row_dim] and tile.columns <= columns
    # The accumulators, a vector of each column and a broadcast element.
    assert tile.rows * tile.vectors + tile.vectors + 1 <= registers


@pytest.mark.parametrize(("rows", "columns"), [([64], 64), ([56, 8], 96), ([120], 48)])
def test_exact_tile_divides(rows: list[int], columns: int) -> None:
    tile = RegisterTiles().choose_register_tile(rows, columns, 1 << 30, 16, 32, exact=True)
    assert tile is not None
    assert rows[tile.row_dim] % tile.rows == 0 and columns % tile.columns == 0


def test_no_exact_tile_of_primes() -> None:
    assert RegisterTiles().choose_register_tile([61], 127, 1 << 30, 16, 32, exact=True) is None


def test_small_products_get_small_tiles() -> None:
    tile = RegisterTiles().choose_register_tile([64], 64, 1 << 16, 16, 32)
    assert tile is not None and tile.rows * tile.vectors <= 4


@pytest.mark.parametrize("sizes", [[256], [8192], [8191], [8, 32, 32], [64, 64, 64], [3, 192]])
def test_reduction_blocks_cover(sizes: list[int]) -> None:
    row_bytes, l2_bytes = 256, 1 << 20
    outer, chunk = blocks.block_reduction(sizes, row_bytes, l2_bytes)
    assert 0 <= outer < len(sizes) and sizes[outer] % chunk == 0
    if prod(sizes) * row_bytes <= l2_bytes // 2:
        assert (outer, chunk) == (0, sizes[0])


def test_reduction_stays_in_cache() -> None:
    outer, chunk = blocks.block_reduction([8, 32, 32], 256, 1 << 20)
    assert chunk * prod([8, 32, 32][outer + 1 :]) * 256 <= 1 << 18


@pytest.mark.parametrize(("number", "limit", "divisor"), [(12, 5, 4), (13, 5, 1), (12, 100, 12), (12, 0, 1)])
def test_largest_divisor(number: int, limit: int, divisor: int) -> None:
    assert largest_divisor(number, limit) == divisor


@pytest.mark.parametrize(
    ("counts", "threads", "prefix"),
    [([8, 56], 2, 1), ([1, 1, 3, 4], 4, 4), ([3, 5], 8, 2), ([64, 5], 3, 1), ([1, 1], 4, 0)],
)
def test_parallel_prefix(counts: list[int], threads: int, prefix: int) -> None:
    assert blocks.parallel_prefix(counts, threads) == prefix


@pytest.mark.parametrize(
    ("pieces", "per_block", "outer", "threads", "size"),
    [
        (16, 16, 1, 4, 4),
        (16, 8, 3, 4, 4),
        (7, 7, 1, 2, 4),
        (12, 4, 1, 2, 3),
        (171, 60, 1, 2, 43),
        (3, 3, 1, 2, 1),
        (32, 32, 1, 2, 16),
    ],
)
def test_pieces_for_threads(pieces: int, per_block: int, outer: int, threads: int, size: int) -> None:
    assert blocks.pieces_for_threads(pieces, per_block, outer, threads) == size


def test_exact_blocks_divide() -> None:
    assert blocks.pieces_for_threads(7, 7, 1, 2, exact=True) == 1
    assert blocks.pieces_per_block(21, 1, 8, exact=True) == 7


@pytest.mark.parametrize(("pieces", "limit", "size"), [(43, 16, 11), (16, 4, 4), (167, 12, 12), (3, 10, 3), (5, 0, 1)])
def test_blocks_hold_little_more(pieces: int, limit: int, size: int) -> None:
    assert blocks.pieces_per_block(pieces, 1, limit) == size


@pytest.mark.parametrize(
    ("sizes", "limit", "cut"),
    [
        ([8192], 512, (0, 512)),
        ([3, 192], 512, (0, 1)),
        ([3, 3, 64], 512, (0, 1)),
        ([3, 1000], 512, (1, 500)),
        ([1018], 128, (0, 2)),
        ([1346], 512, (0, 673)),
    ],
)
def test_chains(sizes: list[int], limit: int, cut: tuple[int, int]) -> None:
    assert blocks.cut_chain(sizes, limit) == cut


def test_sums_of_products_of_bytes_are_exact_in_f32() -> None:
    assert Sums().chain_limit([1 << 20], 14) * 128 * 128 == 1 << 22
    assert Sums().chain_limit([1 << 20], 16) * 255 * 255 <= 1 << 22


@pytest.mark.parametrize(
    ("pieces", "steps", "threads", "splits"), [(13, 512, 3, 2), (16, 512, 4, 1), (1, 1024, 4, 4), (5, 1, 4, 1)]
)
def test_packing_splits(pieces: int, steps: int, threads: int, splits: int) -> None:
    assert blocks.packing_splits(pieces, steps, threads) == splits


@pytest.mark.parametrize("columns", [20, 40, 60, 100])
def test_vectors_of_a_tile_cover_it(columns: int) -> None:
    """In a tile of all columns the last vector overlaps the one before."""
    tile = RegisterTiles().choose_register_tile([100], columns, 1 << 30, 16, 32)
    assert tile is not None
    covered = {start + lane for start in tile.vector_starts for lane in range(tile.lanes)}
    assert covered == set(range(tile.columns)) and tile.columns <= columns


def test_tiles_of_transposed_columns_are_a_multiple_of_what_is_transposed() -> None:
    tiles = [
        RegisterTiles().choose_register_tile([45], 70, 1 << 30, 16, 32, transposes=value) for value in (False, True)
    ]
    assert [tile and tile.columns for tile in tiles] == [70, 48]


def test_one_tile_of_all_columns() -> None:
    tile = RegisterTiles().choose_register_tile([100], 40, 1 << 30, 16, 32)
    assert tile is not None and (tile.columns, tile.vector_starts) == (40, [0, 16, 24])


@pytest.mark.parametrize(
    ("vectors", "columns", "groups"),
    [(4, 64, [(0, 4)]), (6, 96, [(0, 4), (4, 2)]), (3, 40, [(0, 2), (2, 1)]), (4, 60, [(0, 2), (2, 1), (3, 1)])],
)
def test_neighbouring_vectors_are_one(vectors: int, columns: int, groups: list[tuple[int, int]]) -> None:
    assert RegisterTile(0, 1, vectors, 16, columns).groups == groups


def test_a_single_row_stays_plain_loops() -> None:
    assert not Contractions().worth_tiling(1, 2048, 1 << 11, 1 << 22, columns_contiguous=True)
    assert Contractions().worth_tiling(2, 2048, 1 << 11, 1 << 23, columns_contiguous=True)


def test_long_sums_of_small_products_are_left() -> None:
    assert Contractions().worth_tiling(6, 9, 256, 6 * 9 * 256, columns_contiguous=True)
    assert not Contractions().worth_tiling(6, 9, 1000, 6 * 9 * 1000, columns_contiguous=True)


def test_rows_beyond_the_second_level_cache_are_fetched_ahead() -> None:
    assert Contractions().worth_prefetching(8 << 20, 1 << 20)
    assert not Contractions().worth_prefetching(1 << 19, 1 << 20)


@pytest.mark.parametrize("threads", [2, 3, 4])
def test_threads_share_tiles_evenly(threads: int) -> None:
    """Where a few panels more or less decide, the tile is one that leaves no thread waiting."""
    rows, columns = 64, 1024
    alone = RegisterTiles().choose_register_tile([rows], columns, 1 << 25, 16, 32)
    shared = RegisterTiles().choose_register_tile([rows], columns, 1 << 25, 16, 32, threads=threads)
    assert alone is not None and shared is not None
    assert -(-columns // alone.columns) == 13
    panels, tiles = -(-columns // shared.columns), -(-rows // shared.rows)
    assert min(-(-panels // threads) * tiles, panels * -(-tiles // threads)) * threads <= 1.15 * panels * tiles


def test_long_reductions_are_cut_where_the_left_operand_is_large() -> None:
    l2_bytes = 1 << 20
    assert Contractions().worth_cutting(2048, 256, 16 << 20, l2_bytes)
    assert not Contractions().worth_cutting(1024, 256, 16 << 20, l2_bytes)
    assert not Contractions().worth_cutting(2048, 256, 8 << 20, l2_bytes)
    # A prime number of steps has no chunks.
    assert not Contractions().worth_cutting(2053, 256, 16 << 20, l2_bytes)
    assert blocks.chunk_steps(2048, 256, l2_bytes) == 512


@pytest.mark.parametrize(
    ("columns", "steps", "run", "megabytes", "narrow"),
    [
        (3, 32, 32, 1, True),
        (4, 16, 16, 1, False),  # adding up lanes takes longer than what columns leave empty
        (8, 64, 64, 1, False),
        (8, 256, 256, 1, True),
        (13, 256, 256, 1, False),
        (3, 288, 96, 1, True),  # windows of a convolution
        (3, 27, 9, 1, False),  # less than a vector is a neighbour
        (4, 128, 128, 80, False),  # from memory
        (3, 128, 128, 80, True),
    ],
)
def test_narrow_products(columns: int, steps: int, run: int, megabytes: int, narrow: bool) -> None:
    matrix = Matrix(megabytes << 20, 4, lanes=16, l1_bytes=48 << 10)
    assert Contractions().are_narrow(4096, columns, steps, run, matrix) == narrow
