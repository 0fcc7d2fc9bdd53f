"""How a matrix product is cut into pieces: register tile, cache blocks, packing; which ones a convolution becomes.

The pieces are those of Goto and van de Geijn ("Anatomy of High-Performance Matrix Multiplication", 2008) and
BLIS (Van Zee and van de Geijn, 2015), with one difference: the left operand is read in place by broadcasting loads and
the right one is packed only where its rows lie far apart, as in the direct convolutions of Zhang, Franchetti and Low
(2018) and Georganas et al. (2018). On an AVX-512 CPU in-place loops reached 95% of peak; packing the left
operand as well gained nothing, unless it is transposed and every step of the reduction in another page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .blocks import chunk_steps
from .divisors import largest_divisor
from .target import CACHE_LINE_BYTES


class Matrix(NamedTuple):
    """A matrix of which dot products are formed: its size, and that of its elements, of which a vector has `lanes`."""

    bytes: int
    element_bytes: int
    lanes: int
    l1_bytes: int
    """The size of the first-level cache."""


@dataclass(frozen=True)
class Contractions:
    """Numbers of blocking, packing and streaming, and of convolutions."""

    minimum_multiply_adds: int = 1 << 8
    """Below this, the sums of plain loops are in registers, too, and either code is as fast. From 512 on tiles take 0.3
    to 0.7 of the time of plain loops (products of 8 x 8 to 33 x 65, alone and in batches, f32 and f64, either operand
    transposed), and are compiled as fast."""

    long_sum: int = 256
    """Most products in the sums of a product of fewer multiply-adds than `long_sum_multiply_adds` in tiles, which have
    one chain of additions for so many: plain loops have more, which are more exact. Higher: sums of 1000 products are
    2.2 units off instead of 0.8."""

    long_sum_multiply_adds: int = 1 << 16
    """From this size on tiles are worth it for longer sums too: plain loops take microseconds longer."""

    minimum_rows: int = 2
    """A single row uses each element of the right operand once: plain loops go through its rows from end to end,
    four at a time, in half the time of tiles, which jump from row to row."""

    minimum_rows_to_pack: int = 6
    """Packing a transposed operand costs as much as using it for some four rows: with fewer, dot products straight from
    memory are as fast."""

    long_dot_product: int = 512
    """Steps of the reduction from which on dot products straight from memory are as fast with more rows: those of
    all rows are formed side by side. Measured for 8 rows: with 1024 steps by 4096 columns half the time, with 512 by
    512 two thirds, with 256 by 256 the same."""

    most_dot_product_rows: int = 8
    """The most rows for which that holds. Higher: each row of the right operand is loaded for rows that no longer
    fit into registers."""

    most_dot_product_columns: int = 12
    """The most columns for which dot products of the rows of a matrix by them fill vectors better than the columns:
    measured for 1024 x 1024 by 8 columns 0.6 of the time, by 10 0.6, by 3 0.3. Higher: each element of the matrix
    is multiplied by more than one load a cycle brings."""

    dot_product_end: float = 3.0
    """What adding up the lanes of a dot product takes, in multiply-adds of a vector. Measured for 4096 rows of 8 to 512
    f32 or f64 by 2 to 12 columns, with `narrow_step`. Higher: tiles for longer sums."""

    narrow_step: float = 0.6
    """What a step of the reduction takes a tile of columns that fill a part of a vector, in the same unit. Columns that
    are no power of two take two such tiles. Higher: dot products of shorter sums."""

    far_dot_product: float = 2.0
    """How many times as long dot products take of a matrix larger than `largest_dot_product_bytes`: memory takes longer
    than the arithmetic, and tiles fetch rows further ahead. Measured for 80 MB: 0.5 of the time of tiles by 3 columns,
    0.97 by 4, 1.4 by 8."""

    columns_per_lane: float = 0.75
    """How full vectors of columns are at most, where there are dot products instead. Measured for f64 and 8 columns,
    which fill a vector: 1.8 of the time."""

    longest_dot_product_bytes: int = 16 * 1024
    """The longest rows of which dot products with a few columns are formed: of these the next one is asked for ahead
    (`Copies.longest_single_row_bytes`), without which products of 16 MB by 8 columns take 2.7 times as long."""

    largest_dot_product_bytes: int = 8 * 1024 * 1024
    """The largest matrix of which dot products take no longer than in the cache."""

    fewest_dot_product_rows: int = 64
    """The fewest rows for which a factor of so few columns is copied by columns. Lower: the copy takes as long."""

    packed_rows: int = 16
    """From this many rows on, copying a right operand with distant rows pays for itself: with 32 rows, a product with
    2048 x 512 elements takes half the time."""

    packed_stride_bytes: int = 512
    """A panel whose rows are this far apart uses a part of the sets of the L1 cache only, and more pages: products
    of 128 and 256 rows take four fifths of the time with a copy."""

    packed_unaligned_rows: int = 32
    """From this number of rows on a right operand is copied whose rows do not begin at cache lines: most of its vectors
    would be in two lines each. Products of 200 and 300 rows take four fifths of the time."""

    distant_step_bytes: int = 512
    """From this distance on, neighbouring steps of a transposed left operand have no cache line and hardly a page in
    common with what the hardware prefetches."""

    most_fetched_lines: int = 32
    """About the most cache lines of the next block that a tile fetches for a panel. Where there are so few tiles that
    this is a part of the block, its packing takes longer than the arithmetic anyway."""

    streamed_rows: int = 32
    """Most rows of a product whose right operand is streamed. For 32 rows it takes three quarters of the time that
    packing it takes, for 64 1.15."""

    steps_at_once: int = 16
    """How many steps of the reduction are done for all columns in turn, at most. Measured for 8 x 1024 by 1024 x
    4096: with 16 steps 1.5 ms, with 32 1.8, with 64 3.0, with all of a column first 4.6 (with prefetches 2.9);
    reading the operand takes 1.1."""

    fewest_streamed_steps: int = 4
    """With fewer steps at a time a product is not streamed: its sums go through memory too often."""

    streamed_ahead_bytes: int = 768
    """How far ahead in a row a streamed operand is fetched: a tenth of the time."""

    long_step: int = 8
    """Steps from which on a loop of the reduction may be the innermost one: its start and end are a small part."""

    colliding_bytes: int = 512
    """A multiple of this is no distance for rows of a copy: they would share few sets of the L1 cache."""

    prefetched_steps: int = 8
    """How many steps ahead of a copy rows are fetched that lie far apart: what the hardware prefetches are
    neighbours."""

    transposed_steps: int = 16
    """Steps of the reduction after which a transposing copy turns to the next column: a cache line of 32-bit elements
    is read to its end while what is written stays in the L1 cache."""

    far_left_bytes: int = 12 * 1024 * 1024
    """From this size on reading a left operand, once for all panels in the L2 cache, takes longer than the
    arithmetic."""

    held_sums_bytes: int = 8 * 1024 * 1024
    """Most sums in scratch memory: a chunk of the right operand is packed once for so many."""

    short_row_bytes: int = 96
    """A row of results that is at most so long fills one and a half of the widest vectors: rows of 7 or 14 f32 waste
    half of two. Features make whole vectors, also where a transpose of the results follows: convolutions of images
    with 7 to 24 f32 a row take 0.2 to 0.8 of the time, gradients of kernels, rows of 3, 0.12 to 0.27; from 28 on
    either is as good."""

    feature_bytes: int = 64
    """The fewest bytes of features that make up for the transposition: one of the widest vectors."""

    moved_products: int = 128
    """The products for each result of a convolution from which on it pays to transpose images with their features in
    front, and the results back. Measured with windows of 3 x 3: for 64 features of 56 x 56 or 112 x 112 places and 128
    of 28 x 28 0.9 of the time, 256 of 14 x 14 0.41, 512 of 7 x 7 0.64, 16 of 64 x 64 0.92, 32 of 64 x 64 1.02."""

    moved_window: int = 64
    """Most places of a window for that. Larger ones are those of gradients of kernels, whose results are few."""

    emptier_vectors: float = 0.95
    """How full vectors of features are at least, where that is done, beside vectors of places. Measured for 20
    features of 46 x 46 places: 1.24 of the time."""

    fewest_words: int = 2
    """Words of factors from which on a loop of the reduction is done in them. Higher: fewer products take instructions
    that do several steps at once."""

    most_phases: int = 16
    """Most contractions that a convolution of a dilated input becomes: each costs some ten milliseconds to compile."""

    def worth_tiling(
        self,
        rows: int,
        columns: int,
        steps: int,
        multiply_adds: int,
        columns_contiguous: bool,
        dot_product: int = 0,
        narrow: bool = False,
    ) -> bool:
        """Whether a product of `rows` rows, a vectorised column dimension of size `columns` and sums of `steps`
        products should leave plain loops.

        `columns_contiguous`: neighbouring columns of the right operand are neighbours in memory. `dot_product`: the
        length of the dot products where the factors of both are neighbours in memory; `narrow`: whether there are so
        few columns that these are better (`are_narrow`).
        """
        if columns < 2 or multiply_adds < self.minimum_multiply_adds:
            return False
        if steps > self.long_sum and multiply_adds < self.long_sum_multiply_adds:
            return False
        if narrow or (dot_product >= self.long_dot_product and rows <= self.most_dot_product_rows):
            return False
        return rows >= (self.minimum_rows if columns_contiguous else self.minimum_rows_to_pack)

    def are_narrow(self, rows: int, columns: int, steps: int, run: int, matrix: Matrix) -> bool:
        """Whether so few `columns` of `steps` elements are better multiplied along these, for dot products with `rows`
        rows of `matrix`, of which a `run` of so many elements each are neighbours in memory.

        All columns are gone through for each row, in two parts if they are more than `most_dot_product_rows`: those
        are in the first-level cache then. Measured for 10 columns of 8 KB: 1.12 of the time, for 5 of 16 KB 0.6.
        """
        at_once = 2 if columns <= self.most_dot_product_rows else 1
        lanes, element_bytes = matrix.lanes, matrix.element_bytes
        if columns * steps * element_bytes > at_once * matrix.l1_bytes:
            return False
        if not 2 <= columns <= min(self.most_dot_product_columns, int(self.columns_per_lane * lanes)):
            return False
        if rows < self.fewest_dot_product_rows or run < lanes or run * element_bytes > self.longest_dot_product_bytes:
            return False
        time = columns * (-(-run // lanes) + self.dot_product_end) * (steps // run)
        if matrix.bytes > self.largest_dot_product_bytes:
            time *= self.far_dot_product
        panels = 1 if columns & (columns - 1) == 0 else 2
        return time < self.narrow_step * steps * panels

    def worth_packing(self, rows: int, row_bytes: int, panel_bytes: int, l1_bytes: int) -> bool:
        """Whether to copy a right operand with contiguous columns into panels.

        `row_bytes` is the distance of two rows, `panel_bytes` what one panel takes over the whole reduction.
        """
        if row_bytes % CACHE_LINE_BYTES and rows >= self.packed_unaligned_rows:
            return True
        return rows >= self.packed_rows and row_bytes >= self.packed_stride_bytes and panel_bytes > l1_bytes // 2

    def worth_packing_left(
        self, converted: bool, rows: int, vectors: int, panels: int, step_bytes: int, steps: int, l1_bytes: int
    ) -> bool:
        """Whether to copy blocks of the left operand of a product of `rows` rows and `panels` panels of `vectors`
        vectors.

        `converted`: its elements are of another type than the accumulator. `step_bytes`: the distance of two of the
        `steps` of the reduction. Steps far apart take a page and a cache line each, for every panel again: with a
        copy, products of a transposed left operand take 0.73 (2048 x 2048 f32) and 0.6 (768 x 2048 by 2048 x 512) of
        the time.
        """
        if converted:
            return rows > 1 and panels * vectors >= 4
        return panels >= 2 and step_bytes >= self.distant_step_bytes and step_bytes * steps > l1_bytes

    def worth_prefetching(self, bytes_read: int, l2_bytes: int) -> bool:
        """Whether copies of rows that lie far apart fetch them ahead, by their address, from beyond the L2 cache.

        And whether tiles fetch the rows of the next one, and what is copied for the next block. The hardware
        prefetches neighbours only, and begins anew in each page. Copies that do it take a twentieth off products of
        1000 x 1000 f32 and of 1024 x 1024 f64, tiles a tenth off 4096 x 1024 by 1024 x 8, and the next block once
        more a twentieth off products of 512 x 512 and 1024 x 1024.
        """
        return bytes_read > l2_bytes

    def streamed_steps(self, rows: int, steps: int, row_bytes: int, operand_bytes: int, l2_bytes: int) -> int:
        """How many of the `steps` of the reduction of a product of `rows` rows are done at a time; 0: it is not
        streamed.

        `row_bytes` is the distance of two rows of the right operand, of `operand_bytes` bytes.
        """
        if (
            not self.minimum_rows <= rows <= self.streamed_rows
            or operand_bytes <= l2_bytes
            or row_bytes < self.packed_stride_bytes
        ):
            return 0
        chunk = largest_divisor(steps, self.steps_at_once)
        return chunk if chunk >= self.fewest_streamed_steps else 0

    def worth_cutting(self, steps: int, step_bytes: int, left_bytes: int, l2_bytes: int) -> bool:
        """Whether to do a reduction in chunks although that takes the sums of all tiles to memory and back.

        `step_bytes`: bytes of a panel per step; `left_bytes`: those of the left operand. Products of 2048 x 2048 f32
        take 0.86 of the time, of f64 0.76: four panels of 512 steps each are in the cache instead of one.
        """
        if steps * step_bytes < l2_bytes // 2 or left_bytes < self.far_left_bytes:
            return False
        return chunk_steps(steps, step_bytes, l2_bytes) * step_bytes * 16 >= l2_bytes

    def worth_features_last(self, row: int, features: int, bytes_per_element: int) -> bool:
        """Whether a convolution whose results lie in rows of `row` places computes them with `features` as the
        contiguous dimension instead, and has them transposed."""
        return (
            row * bytes_per_element <= self.short_row_bytes
            and features > row
            and features * bytes_per_element >= self.feature_bytes
        )

    def worth_moving_features(
        self, window: int, products: int, row: int, features: int, bytes_per_element: int
    ) -> bool:
        """Whether a convolution with `window` places and so many `products` for each result works on images with their
        features innermost, which are transposed for it, and so are the results: rows of `row` places of `features`."""

        def full(size: int) -> float:
            vectors = -(-size * bytes_per_element // self.feature_bytes)
            return size * bytes_per_element / (vectors * self.feature_bytes)

        return (
            1 < window <= self.moved_window
            and products >= self.moved_products
            and features * bytes_per_element >= self.feature_bytes
            and full(features) >= self.emptier_vectors * full(row)
        )

    def worth_words(self, steps: int, group: int) -> bool:
        """Whether instructions that do `group` steps at once are used for a loop of `steps` steps of the reduction.

        What is missing in the last word is a part of the work, and both operands are copied in words.
        """
        return steps >= self.fewest_words * group

    def worth_separate_phases(self, contractions: int) -> bool:
        """Whether a convolution of a dilated input is as many `contractions`, which skip what the dilation inserts,
        instead of one with several times their work."""
        return contractions <= self.most_phases
