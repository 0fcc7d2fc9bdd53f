"""How a matrix product is cut into pieces: register tile, cache blocks, packing. Numbers in, choice out.

The pieces are those of Goto and van de Geijn ("Anatomy of High-Performance Matrix Multiplication", 2008) and
BLIS (Van Zee and van de Geijn, 2015), with one difference: the left operand is read in place by broadcasting loads and
the right one is packed only where its rows lie far apart, as in the direct convolutions of Zhang, Franchetti and Low
(2018) and Georganas et al. (2018). On an AVX-512 CPU in-place loops reached 95% of peak; packing the left
operand as well gained nothing, unless it is transposed and every step of the reduction in another page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import prod

from .cost_model import vector_groups

MINIMUM_MULTIPLY_ADDS = 1 << 16
"""Below this, plain loops are at most two microseconds slower, for half the code."""

MINIMUM_ROWS = 2
"""A single row uses each element of the right operand once: plain loops go through its rows from end to end, four at a
time, in half the time of tiles, which jump from row to row."""

MINIMUM_ROWS_TO_PACK = 6
"""Packing a transposed operand costs as much as using it for some four rows: with fewer, dot products straight from
memory are as fast."""

LONG_DOT_PRODUCT, MOST_DOT_PRODUCT_ROWS = 512, 8
"""The same up to so many rows where the dot products are this long: those of all rows are formed side by side. Measured
for 8 rows: with 1024 steps by 4096 columns half the time, with 512 by 512 two thirds, with 256 by 256 the same."""

PACKED_ROWS = 16
"""From this many rows on, copying a right operand with distant rows pays for itself: with 32 rows, a product with
2048 x 512 elements takes half the time."""

PACKED_STRIDE_BYTES = 512
"""A panel whose rows are this far apart uses a part of the sets of the L1 cache only, and more pages: products of 128
and 256 rows take four fifths of the time with a copy."""

CACHE_LINE_BYTES, PACKED_UNALIGNED_ROWS = 64, 32
"""From this number of rows on a right operand is copied whose rows do not begin at cache lines: most of its vectors
would be in two lines each. Products of 200 and 300 rows take four fifths of the time."""

LOOP_OVERHEAD = 8.0
LOAD_COST = 1.0
CODE_COST = 0.0015
OVERLAP_COST = 1.01
LATENCY_CHAINS = 8
STREAMED_VECTOR_COST = 4.2
"""The cost of one step of the reduction in units of a vector multiply-add: what its loads, its loop control and (as
a share, for compile time) its code size add, and the factor for panels that do not divide the columns. Fewer
accumulators than `LATENCY_CHAINS` (latency 4, two units) wait, and so do those of a tile that needs more than some 30
bytes a cycle of a panel in the L2 cache. Measured on an AVX-512 CPU with 1 MB of L2 cache:
tiles of 6 x 4 vectors reach 113 GFLOP/s at 1024, 8 x 3 110, 5 x 5 111, 14 x 2 108; in a convolution with 64 channels
6 x 4 reaches 95, 4 x 4 82."""

MAXIMUM_ROWS = 8
"""Most rows of a tile. Those of the left operand often are a multiple of a page apart, in the same set of the L1 cache,
which has 8 ways: 4096 rows by 8 columns take three quarters of the time that tiles of 16 rows take."""

TRANSPOSED_COLUMNS = 4
"""What the columns of a tile are a multiple of: so many at a time are transposed in registers while they are packed."""

CLEARLY_LESS = 0.995
"""The ratio of costs from which on a wider tile is chosen: it takes more of a panel from the L2 cache."""


@dataclass(frozen=True)
class RegisterTile:
    """`rows` x `columns` elements of the output in registers, with rows along row dimension `row_dim`.

    A row is `vectors` vectors of `lanes` elements, the last of which may overlap the one before.
    """

    row_dim: int
    rows: int
    vectors: int
    lanes: int
    columns: int

    @property
    def vector_starts(self) -> list[int]:
        """Where the vectors of a row start."""
        return [min(index * self.lanes, self.columns - self.lanes) for index in range(self.vectors)]

    @property
    def groups(self) -> list[tuple[int, int]]:
        """The vectors of a row in groups of neighbours that are one value: the first vector and how many."""
        whole = self.columns // self.lanes
        return [*vector_groups(whole), *((vector, 1) for vector in range(whole, self.vectors))]


def worth_tiling(rows: int, columns: int, multiply_adds: int, columns_contiguous: bool, dot_product: int = 0) -> bool:
    """Whether a product of `rows` rows and a vectorised column dimension of size `columns` should leave plain loops.

    `columns_contiguous`: neighbouring columns of the right operand are neighbours in memory. `dot_product`: the length
    of the dot products where the factors of both are neighbours in memory.
    """
    if columns < 2 or multiply_adds < MINIMUM_MULTIPLY_ADDS:
        return False
    if dot_product >= LONG_DOT_PRODUCT and rows <= MOST_DOT_PRODUCT_ROWS:
        return False
    return rows >= (MINIMUM_ROWS if columns_contiguous else MINIMUM_ROWS_TO_PACK)


def _accumulator_limit(multiply_adds: int, registers: int) -> int:
    """Most accumulators worth their code: a product that takes microseconds gets a small tile."""
    for size, accumulators in ((1 << 17, 4), (1 << 18, 8), (1 << 19, 21)):
        if multiply_adds < size:
            return accumulators
    return registers


def _shared_tiles(outer: int, panels: int, tiles: int, threads: int) -> int:
    """The tiles of `outer` products of `panels` panels and `tiles` tiles down, with those for which all but one of
    `threads` threads wait, whether they share panels or tiles."""
    if divides_well(outer * panels, threads):
        return outer * panels * tiles
    whole = -(-outer * panels // threads) * threads * tiles
    return min(whole, outer * panels * -(-tiles // threads) * threads)


def choose_register_tile(
    row_sizes: Sequence[int],
    columns: int,
    multiply_adds: int,
    lanes: int,
    registers: int,
    exact: bool = False,
    threads: int = 1,
    outer: int = 1,
) -> RegisterTile | None:
    """The tile that covers the product with the least work.

    `row_sizes` are the sizes of the row dimensions (at least one); the tile lies along one of them. Edge tiles
    overlap their neighbours, so a tile is never larger than the product and the waste is what is computed twice; in a
    tile of all columns it is a part of one vector. With `exact`, tiles must divide the product; `None` if no sensible
    one does. `lanes` is that of a full register. There are `outer` such products for `threads` threads to share.
    """
    limit = _accumulator_limit(multiply_adds, registers)
    total_rows = prod(row_sizes)
    best: tuple[float, RegisterTile] | None = None
    width = lanes
    while width >= 2:
        for vectors in range(1, 9):
            span = vectors * width
            if span > columns:
                if columns < width or span - columns >= width or columns % TRANSPOSED_COLUMNS:
                    break
                span = columns
            if exact and columns % span:
                continue
            panels = -(-columns // span)
            # No tile of this span costs less: a product has to be multiplied, and its left operand loaded, at least.
            if best is not None and panels * total_rows * (vectors + LOAD_COST) >= best[0]:
                continue
            for dim, size in enumerate(row_sizes):
                for rows in range(1, min(size, MAXIMUM_ROWS) + 1):
                    accumulators = rows * vectors
                    if accumulators > limit or accumulators + vectors + 1 > registers:
                        break
                    if exact and size % rows:
                        continue
                    tiles = _shared_tiles(outer * (total_rows // size), panels, -(-size // rows), threads) / outer
                    step = (
                        max(accumulators, LATENCY_CHAINS if limit > 4 else 4, STREAMED_VECTOR_COST * vectors)
                        + LOAD_COST * (rows + vectors)
                        + LOOP_OVERHEAD
                    )
                    cost = tiles * step * (1 + CODE_COST * accumulators)
                    if columns % span:
                        cost *= OVERLAP_COST
                    if best is None or cost < best[0] * CLEARLY_LESS:
                        best = cost, RegisterTile(dim, rows, vectors, width, span)
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
    if row_bytes % CACHE_LINE_BYTES and rows >= PACKED_UNALIGNED_ROWS:
        return True
    return rows >= PACKED_ROWS and row_bytes >= PACKED_STRIDE_BYTES and panel_bytes > l1_bytes // 2


WHOLE_STEPS, CHAIN_STEPS, CHAIN_STEPS_OF_LOOPS, FEWEST_CHAINS = 384, 256, 192, 4
"""From how many products on a sum is formed of chains of roundings, and how long these are at most: where the reduction
is one loop, and where it is several (the pixels of a kernel), whose ends come anyway. Long reductions have at least so
many chains. The error of n products in chains of c grows with the root of c * c / n plus the number of chains;
XLA:CPU's chains are 512 long, 256 in convolutions and where the left operand is transposed. The sums take as many
registers as a chain, so twice as much passes through LLVM: shorter reductions stay one chain."""

FEWEST_CHAIN_STEPS = 32
"""The steps after which a chain may end: its end costs as much as one step with every factor loaded from memory."""

MOST_CHAINS, CHAINS_TOGETHER = 16, 8
"""From how many chains on their sums are added up in groups, and how many a group has at most: 64 chains in one row are
twice as far off as 8 rows of 8."""

FEWEST_CHUNKS_WITH_ERRORS, MOST_CHUNKS_WITHOUT_ERRORS = 5, 64
"""From how many chunks of a reduction on their sums are added up with the errors of the additions, in some ten
instructions for one: where a chunk is long, and where it is short."""


def worth_errors(chunks: int, steps: int) -> bool:
    """Whether the sums of `chunks` chunks of so many `steps` each are added up with the errors of the additions."""
    return chunks >= FEWEST_CHUNKS_WITH_ERRORS if steps >= SHORTEST_CHAIN else chunks > MOST_CHUNKS_WITHOUT_ERRORS


SHORTEST_CHAIN = 64
"""The steps from which on the sums of a tile are far away when they end, and their rows can be fetched meanwhile."""

EXACT_BITS = 22
"""Products of 8-bit integers are added up in f32, starting from 1.5 * 2^23: sums of at most this many bits stay between
2^23 and 2^24, where f32 holds exactly the integers and its last bits are those of the sum."""


def chain_limit(sizes: Sequence[int], product_bits: int | None) -> int:
    """The longest chain of additions of a reduction over dimensions of `sizes`.

    `product_bits` of integers that are added up as f32, `None` of floats.
    """
    if product_bits is not None:
        return 1 << EXACT_BITS - product_bits
    total = prod(sizes)
    if len(sizes) > 1:
        return max(FEWEST_CHAIN_STEPS, min(CHAIN_STEPS_OF_LOOPS, total // 2))
    if total <= WHOLE_STEPS:
        return total
    return CHAIN_STEPS if total <= 2 * CHAIN_STEPS else min(CHAIN_STEPS, total // FEWEST_CHAINS)


def cut_chain(sizes: Sequence[int], limit: int) -> tuple[int, int]:
    """How to cut a reduction over dimensions of `sizes` (outermost first) into chains of about `limit` steps.

    Returns `(outer, chunk)`: the first `outer` dimensions are stepped through outside a chain, and of the next one
    `chunk` steps are in it (its size if it is not cut).
    """
    outer = next(i for i in range(len(sizes)) if i == len(sizes) - 1 or prod(sizes[i + 1 :]) <= limit)
    return outer, near_divisor(sizes[outer], max(1, limit // prod(sizes[outer + 1 :])))


def near_divisor(number: int, limit: int) -> int:
    """The largest divisor of `number` up to `limit`; where that is less than half of it, the next one up to twice as
    much, if there is one."""
    divisor = largest_divisor(number, limit)
    if divisor * 2 >= min(number, limit):
        return divisor
    return next((d for d in range(limit + 1, 2 * limit + 1) if number % d == 0), divisor)


def worth_packing_left(
    converted: bool, rows: int, vectors: int, panels: int, step_bytes: int, steps: int, l1_bytes: int
) -> bool:
    """Whether to copy blocks of the left operand of a product of `rows` rows and `panels` panels of `vectors` vectors.

    `converted`: its elements are of another type than the accumulator. `step_bytes`: the distance of two of the
    `steps` of the reduction. Steps far apart take a page and a cache line each, for every panel again: with a copy,
    products of a transposed left operand take 0.73 (2048 x 2048 f32) and 0.6 (768 x 2048 by 2048 x 512) of the time.
    """
    if converted:
        return rows > 1 and panels * vectors >= 4
    return panels >= 2 and step_bytes >= DISTANT_STEP_BYTES and step_bytes * steps > l1_bytes


def worth_prefetching(bytes_read: int, l2_bytes: int) -> bool:
    """Whether copies of rows that lie far apart fetch them ahead, by their address, from beyond the L2 cache.

    And whether tiles fetch the rows of the next one, and what is copied for the next block. The hardware prefetches
    neighbours only, and begins anew in each page. Copies that do it take a twentieth off products of 1000 x 1000 f32
    and of 1024 x 1024 f64, tiles a tenth off 4096 x 1024 by 1024 x 8, and the next block once more a twentieth off
    products of 512 x 512 and 1024 x 1024.
    """
    return bytes_read > l2_bytes


MOST_FETCHED_LINES = 32
"""About the most cache lines of the next block that a tile fetches for a panel, in as many instructions: a loop would
send the function to LLVM's optimiser. Where there are so few tiles that this is a part of the block, its packing takes
longer than the arithmetic anyway."""

STREAMED_ROWS, STREAMED_STEPS, FEWEST_STREAMED_STEPS = 32, 16, 4
"""Most rows of a product whose right operand is streamed, and how many steps of the reduction are done for all columns
in turn. Measured for 8 x 1024 by 1024 x 4096: with 16 steps 1.5 ms, with 32 1.8, with 64 3.0, with all of a column
first 4.6 (with prefetches 2.9); reading the operand takes 1.1. For 32 rows three quarters of the time that packing it
takes, for 64 1.15."""

STREAMED_AHEAD_BYTES = 768
"""How far ahead in a row a streamed operand is fetched: a tenth of the time."""


def streamed_steps(rows: int, steps: int, row_bytes: int, operand_bytes: int, l2_bytes: int) -> int:
    """How many of the `steps` of the reduction of a product of `rows` rows are done at a time; 0: it is not streamed.

    `row_bytes` is the distance of two rows of the right operand, of `operand_bytes` bytes.
    """
    if not MINIMUM_ROWS <= rows <= STREAMED_ROWS or operand_bytes <= l2_bytes or row_bytes < PACKED_STRIDE_BYTES:
        return 0
    chunk = largest_divisor(steps, STREAMED_STEPS)
    return chunk if chunk >= FEWEST_STREAMED_STEPS else 0


def streamed_tile(rows: int, columns: int, lanes: int, registers: int) -> RegisterTile:
    """The tile of a streamed product: as few tiles side by side as there may be, then the widest."""
    tiles = -(-rows // MAXIMUM_ROWS)
    height = -(-rows // tiles)
    vectors = min(4, columns // lanes, (registers - 1) // (height + 1))
    return RegisterTile(0, height, vectors, lanes, vectors * lanes)


DISTANT_STEP_BYTES = 512
"""From this distance on, neighbouring steps of a transposed left operand have no cache line and hardly a page in common
with what the hardware prefetches."""


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


FAR_LEFT_BYTES = 12 * 1024 * 1024
"""From this size on reading a left operand, once for all panels in the L2 cache, takes longer than the arithmetic."""


HELD_SUMS_BYTES = 8 * 1024 * 1024
"""Most sums in scratch memory: a chunk of the right operand is packed once for so many."""


def worth_fetching_sums(steps: int) -> bool:
    """Whether the sums of a tile are fetched while `steps` of its products are added up; for few they are near."""
    return steps >= SHORTEST_CHAIN


def chunk_steps(steps: int, step_bytes: int, l2_bytes: int) -> int:
    """How many of the `steps` of a reduction to do at a time, so that several panels of `step_bytes` bytes a step stay
    in the L2 cache."""
    return largest_divisor(steps, l2_bytes // 8 // step_bytes)


def worth_cutting(steps: int, step_bytes: int, left_bytes: int, l2_bytes: int) -> bool:
    """Whether to do a reduction in chunks although that takes the sums of all tiles to memory and back.

    `step_bytes`: bytes of a panel per step; `left_bytes`: those of the left operand. Products of 2048 x 2048 f32 take
    0.86 of the time, of f64 0.76: four panels of 512 steps each are in the cache instead of one.
    """
    if steps * step_bytes < l2_bytes // 2 or left_bytes < FAR_LEFT_BYTES:
        return False
    return chunk_steps(steps, step_bytes, l2_bytes) * step_bytes * 16 >= l2_bytes


def pieces_per_block(pieces: int, piece_bytes: int, cache_bytes: int, exact: bool = False) -> int:
    """How many pieces to group so that a block takes at most `cache_bytes`, and the blocks little more than `pieces`.

    With `exact` the blocks hold exactly `pieces`.
    """
    limit = max(1, min(pieces, cache_bytes // max(1, piece_bytes)))
    if exact:
        return largest_divisor(pieces, limit)
    return min(range(limit, limit // 2, -1), key=lambda size: -(-pieces // size) * size)


REGISTER_EPILOGUE = 150
"""Most vector ops that an epilogue may add to a tile, written out for each of its accumulators: some milliseconds to
compile."""


class EpilogueForm(Enum):
    """How an epilogue is applied to a tile."""

    REGISTERS = "to each accumulator"
    ROWS = "row by row to the tile stored in the L1 cache"


def epilogue_form(operations: int, accumulators: int) -> EpilogueForm:
    """How an epilogue of so many vector ops is applied to a tile of so many accumulators.

    Either is better than a pass over the results: with bias and activation, products of 64 to 1024 rows take 0.92 to
    0.98 of the time, with a residual as well 0.93 to 0.96, a convolution with 64 channels 0.78.
    """
    return EpilogueForm.REGISTERS if operations * accumulators <= REGISTER_EPILOGUE else EpilogueForm.ROWS


def divides_well(count: int, threads: int) -> bool:
    """Whether `count` equal pieces keep `threads` threads busy under static scheduling."""
    return count % threads == 0 or count >= 8 * threads


def pieces_for_threads(pieces: int, per_block: int, outer: int, threads: int, exact: bool = False) -> int:
    """The most pieces per block, at most `per_block`, so that `outer` times the number of blocks suits `threads`.

    Blocks may hold a sixth more pieces than there are, or, with `exact`, none.
    """
    for size in range(per_block, 0, -1):
        blocks = -(-pieces // size)
        surplus = blocks * size - pieces
        if divides_well(outer * blocks, threads) and (surplus == 0 if exact else surplus * 6 <= pieces):
            return size
    return 1


def packing_splits(pieces: int, steps: int, threads: int) -> int:
    """Into how many parts to cut the `steps` of a reduction, so that `threads` threads pack `pieces` panels evenly."""
    splits = (count for count in range(1, min(steps, 8 * threads) + 1) if steps % count == 0)
    return next((count for count in splits if divides_well(pieces * count, threads)), 1)


def parallel_prefix(counts: Sequence[int], threads: int) -> int:
    """How many of the outermost loops with trip counts `counts` to run in parallel (0: none suits)."""
    total = 1
    for index, count in enumerate(counts):
        total *= count
        if divides_well(total, threads):
            return index + 1
    return len(counts) if total > 1 else 0


CHAIN_BLOCK_BYTES, CHAIN_SHARED_BYTES = 512 * 1024, 2 * 1024 * 1024
"""What a block of rows may keep of the results between the contractions of a chain: half of a second-level cache of a
megabyte. And what may be read again for every block (keys and values of attention), from the third-level cache."""

FEWEST_CHAIN_ROWS, MOST_CHAIN_ROWS = 16, 128
"""Rows of a block: with fewer, reading the right operands again takes as long as multiplying by them; more gain
nothing."""


def chain_block(batch: int, rows: int, row_bytes: int, shared_bytes: int, threads: int) -> int | None:
    """How many rows at a time a chain of contractions and row-wise ops runs on; `None`: each over all of them.

    There are `batch` times `rows` rows; `row_bytes` of a row are in memory only between the ops of the chain, and
    `shared_bytes` are read for every block. Where all rows are in the second-level cache anyway, there is no gain.
    """
    if batch * rows * row_bytes <= 2 * CHAIN_BLOCK_BYTES or shared_bytes > CHAIN_SHARED_BYTES:
        return None
    most = min(MOST_CHAIN_ROWS, rows, CHAIN_BLOCK_BYTES // max(1, row_bytes))
    for size in range(most, FEWEST_CHAIN_ROWS - 1, -1):
        blocks = batch * rows // size
        if rows % size == 0 and (threads == 1 or blocks % threads == 0 or blocks >= 8 * threads):
            return size
    return None
