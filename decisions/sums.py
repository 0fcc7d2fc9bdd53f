"""How a reduction is cut into partial results, for accuracy and for speed."""

from __future__ import annotations

from dataclasses import dataclass

from .divisors import tile_size


@dataclass(frozen=True)
class Sums:
    """Numbers of reductions."""

    chunk_additions: int = 128
    """The additions after which a partial sum of its own begins, where a sum is one chain. The error of a chain
    grows with the root of its length; adding up partial sums, with their errors, takes as long as some ten
    additions."""

    sum_chunk_of_lanes_bytes: int = 8 * 1024
    """The bytes of terms after which a partial sum begins where each lane of some registers has a sum. Lower: closer
    to the exact sum, and more partial sums to add up."""

    long_sum_of_lanes_bytes: int = 32 * 1024
    """The bytes of terms from which on such sums by lanes are cut: below, the lanes are short enough chains."""

    lanes_of_a_sum: int = 64
    """What the chunks of a sum by lanes are multiples of: what is left over is added one by one, when the lanes have
    been combined, and each of these additions has an error of the size of the result's."""

    partial_vectors: int = 4
    """Vectors of partial results kept for a reduction with few results: enough to hide the latency of an addition
    (4 cycles, 1 to 2 started per cycle)."""

    short_row_vectors: int = 16
    """Most vectors of a row of partial results, whose lanes are combined only once. Measured for 64 rows of 4
    vectors: a third of the time. Higher: accumulators that no longer fit into registers."""

    short_row_runs: int = 4
    """From how many rows for one result on such a row is kept: combining the lanes takes some ten instructions, for
    maxima thirty. Lower: more results pay for combining than gain."""

    rows_side_by_side: int = 4
    """How many rows a reduction works on side by side that share an operand. Measured for 2048 x 2048 times a
    vector: 0.85 of the time, for 4 rows times a transposed matrix 0.4. Higher: more streams than the hardware
    prefetches."""

    jammed_work: int = 4
    """Most scalar operations of the body of rows reduced side by side. Higher: bodies whose arithmetic hides the
    loads anyway are copied as well."""

    jammed_vectors: int = 4
    """The fewest vectors of a row that is reduced side by side with others: shorter ones have no time to gain."""

    def sum_chunk(self, additions: int, by_lanes: bool, element_bytes: int) -> int:
        """How many of so many `additions` of floats have a partial sum of their own; 0 where all are one sum.

        `by_lanes`: neighbouring elements are in one sum, so that each lane of several registers forms a part of it.
        """
        if not by_lanes:
            return self.chunk_additions if additions >= 2 * self.chunk_additions else 0
        return (
            self.sum_chunk_of_lanes_bytes // element_bytes
            if additions * element_bytes >= self.long_sum_of_lanes_bytes
            else 0
        )

    def lanes_chunk(self, extent: int, preferred: int) -> int:
        """The size of the chunks of a sum by lanes of `extent` terms.

        A divisor near `preferred`, if one is a multiple of the lanes.
        """
        size = tile_size(extent, preferred)
        return preferred if size % self.lanes_of_a_sum else size

    def is_short_row(self, extent: int, runs: int, lanes: int) -> bool:
        """Whether a reduction of `extent` neighbours, `runs` times for each result, keeps a result per neighbour."""
        return runs >= self.short_row_runs and lanes <= extent <= self.short_row_vectors * lanes

    def worth_jamming(self, extent: int, work: int, lanes: int, element_bytes: int) -> bool:
        """Whether rows of `extent` elements of `element_bytes` bytes that share an operand are reduced side by side.
        Bytes take longer to convert than to load."""
        return element_bytes > 1 and work <= self.jammed_work and extent >= self.jammed_vectors * lanes

    def jammed_rows(self, rows: int) -> int:
        """How many of `rows` rows are reduced side by side: all of a few."""
        return rows if rows <= 2 * self.rows_side_by_side else self.rows_side_by_side
