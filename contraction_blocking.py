"""How a matrix product is cut into pieces: register tile, cache blocks, packing. Numbers in, choice out.

The pieces are those of Goto and van de Geijn ("Anatomy of High-Performance Matrix Multiplication", 2008) and
BLIS (Van Zee and van de Geijn, 2015), with one difference: the left operand is read in place by broadcasting loads and
the right one is packed only where its rows lie far apart, as in the direct convolutions of Zhang, Franchetti and Low
(2018) and Georganas et al. (2018). On an AVX-512 CPU in-place loops reached 95% of peak; packing the left
operand as well gained nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

MINIMUM_MULTIPLY_ADDS = 1 << 16
"""Below this, plain loops are at most two microseconds slower, for half the code."""

MINIMUM_ROWS_TO_PACK = 6
"""Packing a transposed operand costs as much as using it for some four rows: with fewer, dot products straight from
memory are as fast."""

PACKED_ROWS = 256
"""From this many rows on, copying a right operand with distant rows pays for itself."""

PACKED_STRIDE_BYTES = 2048
"""A panel whose rows are this far apart uses a few sets of the L1 cache only and touches a page every other row."""

LOOP_OVERHEAD = 1.0
LOAD_COST = 0.2
CODE_COST = 0.002
LATENCY_CHAINS = 8
"""The cost of one step of the reduction in units of a vector multiply-add: what its loads, its loop control and (as
a share, for compile time) its code size add. Fewer accumulators than `LATENCY_CHAINS` (latency 4, two units) wait."""


@dataclass(frozen=True)
class RegisterTile:
    """`rows` x (`vectors` x `lanes`) elements of the output in registers, with rows along row dimension `row_dim`."""

    row_dim: int
    rows: int
    vectors: int
    lanes: int

    @property
    def columns(self) -> int:
        """How many columns the tile spans."""
        return self.vectors * self.lanes


def worth_tiling(rows: int, columns: int, multiply_adds: int, columns_contiguous: bool) -> bool:
    """Whether a product of `rows` rows and a vectorised column dimension of size `columns` should leave plain loops.

    `columns_contiguous`: neighbouring columns of the right operand are neighbours in memory.
    """
    if columns < 2 or multiply_adds < MINIMUM_MULTIPLY_ADDS:
        return False
    return columns_contiguous or rows >= MINIMUM_ROWS_TO_PACK


def _accumulator_limit(multiply_adds: int, registers: int) -> int:
    """Most accumulators worth their code: a product that takes microseconds gets a small tile."""
    if multiply_adds < 1 << 17:
        return 4
    return 8 if multiply_adds < 1 << 20 else registers


def choose_register_tile(
    row_sizes: Sequence[int],
    columns: int,
    multiply_adds: int,
    lanes: int,
    registers: int,
    exact: bool = False,
) -> RegisterTile | None:
    """The tile that covers the product with the least work.

    `row_sizes` are the sizes of the row dimensions (at least one); the tile lies along one of them. Edge tiles
    overlap their neighbours, so a tile is never larger than the product and the waste is what is computed twice.
    With `exact`, tiles must divide the product; `None` if no sensible one does. `lanes` is that of a full register.
    """
    limit = _accumulator_limit(multiply_adds, registers)
    total_rows = prod(row_sizes)
    best: tuple[float, RegisterTile] | None = None
    width = lanes
    while width >= 2:
        for vectors in range(1, 9):
            span = vectors * width
            if span > columns:
                break
            if exact and columns % span:
                continue
            panels = -(-columns // span)
            for dim, size in enumerate(row_sizes):
                for rows in range(1, min(size, 16) + 1):
                    accumulators = rows * vectors
                    if accumulators > limit or accumulators + vectors + 1 > registers:
                        break
                    if exact and size % rows:
                        continue
                    tiles = panels * -(-size // rows) * (total_rows // size)
                    step = (
                        max(accumulators, LATENCY_CHAINS if limit > 4 else 4)
                        + LOAD_COST * (rows + vectors)
                        + LOOP_OVERHEAD
                    )
                    cost = tiles * step * (1 + CODE_COST * accumulators)
                    if best is None or cost < best[0] * 0.999:
                        best = cost, RegisterTile(dim, rows, vectors, width)
        width //= 2
    if best is None:
        return None
    if exact and best[1].rows * best[1].columns < 2 * lanes:
        return None
    return best[1]


def worth_packing(rows: int, row_bytes: int, panel_bytes: int, l1_bytes: int) -> bool:
    """Whether to copy a right operand with contiguous columns into panels.

    `row_bytes` is the distance of two rows, `panel_bytes` what one panel takes over the whole reduction.
    """
    return rows >= PACKED_ROWS and row_bytes >= PACKED_STRIDE_BYTES and panel_bytes > l1_bytes // 2


def largest_divisor(number: int, limit: int) -> int:
    """The largest divisor of `number` that is at most `limit` (at least 1)."""
    return next(d for d in range(max(1, min(number, limit)), 0, -1) if number % d == 0)


def block_reduction(sizes: Sequence[int], row_bytes: int, l2_bytes: int) -> tuple[int, int]:
    """How to cut a reduction over dimensions of `sizes` (outermost first) so that a panel stays in the L2 cache.

    `row_bytes`: bytes of a panel per step. Returns `(outer, chunk)`: the first `outer` dimensions are looped over
    outside the tiles, and of the next one `chunk` steps at a time (its size if it is not cut).
    """
    steps = max(1, l2_bytes // 4 // row_bytes)
    if prod(sizes) * row_bytes <= l2_bytes // 2:
        return 0, sizes[0]
    outer = 0
    while outer + 1 < len(sizes) and prod(sizes[outer:]) > steps:
        outer += 1
    rest = prod(sizes[outer + 1 :])
    chunk = largest_divisor(sizes[outer], max(1, steps // rest))
    if chunk * rest * 4 < steps:
        chunk = sizes[outer]
    return outer, chunk


def block_count(pieces: int, piece_bytes: int, cache_bytes: int) -> int:
    """Into how many equal blocks to group `pieces` so that one block takes at most `cache_bytes`."""
    return pieces // largest_divisor(pieces, cache_bytes // max(1, piece_bytes))


def divides_well(count: int, threads: int) -> bool:
    """Whether `count` equal pieces keep `threads` threads busy under static scheduling."""
    return count % threads == 0 or count >= 8 * threads


def count_for_threads(pieces: int, blocks: int, outer: int, threads: int) -> int:
    """The number of blocks (a multiple of `blocks` that divides `pieces`) so that `outer * result` suits `threads`."""
    for count in range(blocks, pieces + 1, blocks):
        if pieces % count == 0 and divides_well(outer * count, threads):
            return count
    return pieces


def parallel_prefix(counts: Sequence[int], threads: int) -> int:
    """How many of the outermost loops with trip counts `counts` to run in parallel (0: none suits)."""
    total = 1
    for index, count in enumerate(counts):
        total *= count
        if divides_well(total, threads):
            return index + 1
    return len(counts) if total > 1 else 0
