"""How a reduction, or the sums of a product, are cut into partial results, for accuracy and for speed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from .divisors import largest_divisor, tile_size

EXACT_BITS = 22
"""Products of 8-bit integers are added up in f32, starting from 1.5 * 2^23: sums of at most this many bits stay between
2^23 and 2^24, where f32 holds exactly the integers and its last bits are those of the sum. A fact about f32."""


@dataclass(frozen=True)
class Sums:
    """Numbers of reductions, and of the sums of products."""

    chunk_additions: int = 128
    """The additions after which a partial sum of its own begins, where a sum is one chain. The error of a chain
    grows with the root of its length; adding up partial sums, with their errors, takes as long as some ten
    additions."""

    partial_sums_per_term: int = 8
    """Most bytes of the partial sums of windows, for each of what they are sums of. Higher: more memory, and sums of
    large windows closer to the exact ones."""

    chain_of_copies: int = 4
    """How many terms of copies of a body, or chains of these, are one chain: all but its first term are added from
    memory, and 16 in chains of 4 are as close to the exact sum as in pairs. Higher: less exact."""

    scan_chain: int = 16
    """The additions after which a running sum begins a chain of its own; the sums of chains are added up with their
    errors. Measured for 1 million f32: 0.74 of the time of one chain, 0.86 with 32. Lower: more accurate, more ends of
    chains; higher: fewer chains at once."""

    scan_copies: int = 4
    """How many of the additions of such a chain a loop makes in a trip. Measured for rows of 4096 f32 and for a million
    f32: 0.77 and 0.87 of the time that all 16 take, 0.8 of the time to compile. Higher: more code."""

    scan_chain_of_rows: int = 32
    """The same of running sums of rows, where the end of a chain is a pass over four rows. Measured for 4096 rows of
    1024 f32: 1.11 of the time of one chain, 1.22 with 16."""

    scan_nanoseconds: float = 0.5
    """What an element of a scan takes, per op of what combines it with the total, where each waits for the one before.
    Higher: shorter scans on threads."""

    scan_nanoseconds_of_rows: float = 0.1
    """The same of scans of rows, whose elements do not wait for each other."""

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

    whole_steps: int = 384
    """The products up to which a reduction over one loop stays one chain of roundings. The sums take as many
    registers as a chain, so a second chain passes twice as much through LLVM. Higher: less accurate sums, faster to
    compile."""

    chain_steps: int = 256
    """The longest chain, in products, where the reduction is one loop. The error of n products in chains of c grows
    with the root of c * c / n plus the number of chains; XLA:CPU's chains are 512 long, 256 in convolutions and
    where the left operand is transposed. Lower: more accurate sums, more ends of chains."""

    chain_steps_of_loops: int = 192
    """The same where the reduction is several loops (the pixels of a kernel), whose ends come anyway."""

    fewest_chains: int = 4
    """How many chains a long reduction has at least. Higher: shorter chains of medium reductions."""

    fewest_chain_steps: int = 32
    """The steps after which a chain may end: its end costs as much as one step with every factor loaded from memory."""

    most_chains: int = 16
    """From how many chains on their sums are added up in groups: 64 chains in one row are twice as far off as 8 rows
    of 8."""

    chains_together: int = 8
    """How many chains a group has at most; their square is the chains that two levels of groups add up."""

    fewest_chunks_with_errors: int = 5
    """From how many long chunks of a reduction on their sums are added up with the errors of the additions, in some ten
    instructions for one. Lower: more accurate, slower."""

    most_chunks_without_errors: int = 64
    """The same for short chunks, where these instructions are a larger part."""

    shortest_chain: int = 64
    """The steps from which on the sums of a tile are far away when they end, and their rows can be fetched
    meanwhile."""

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

    def scan_time(self, elements: int, operations: int, of_rows: bool) -> float:
        """What a scan of so many `elements` takes on one thread, in nanoseconds, by `operations` for each."""
        return elements * operations * (self.scan_nanoseconds_of_rows if of_rows else self.scan_nanoseconds)

    def is_short_row(self, extent: int, runs: int, lanes: int) -> bool:
        """Whether a reduction of `extent` neighbours, `runs` times for each result, keeps a result per neighbour."""
        return runs >= self.short_row_runs and lanes <= extent <= self.short_row_vectors * lanes

    def worth_jamming(self, extent: int, work: int, lanes: int, element_bytes: int) -> bool:
        """Whether rows of `extent` elements of `element_bytes` bytes that share an operand are reduced side by side.
        Bytes take longer to convert than to load."""
        return element_bytes > 1 and work <= self.jammed_work and extent >= self.jammed_vectors * lanes

    def jammed_rows(self, rows: int) -> int:
        """How many of `rows` rows are reduced side by side: all of a few, or a half or so of some more."""
        most = 2 * self.rows_side_by_side
        if rows <= most:
            return rows
        part = largest_divisor(rows, most) if rows <= 2 * most else 0
        return max(part, self.rows_side_by_side)

    def chain_limit(self, sizes: Sequence[int], product_bits: int | None) -> int:
        """The longest chain of additions of a reduction over dimensions of `sizes`.

        `product_bits` of integers that are added up as f32, `None` of floats.
        """
        if product_bits is not None:
            return 1 << EXACT_BITS - product_bits
        total = prod(sizes)
        if len(sizes) > 1:
            return max(self.fewest_chain_steps, min(self.chain_steps_of_loops, total // 2))
        if total <= self.whole_steps:
            return total
        return self.chain_steps if total <= 2 * self.chain_steps else min(self.chain_steps, total // self.fewest_chains)

    def worth_errors(self, chunks: int, steps: int) -> bool:
        """Whether the sums of `chunks` chunks of so many `steps` each are added up with the errors of the additions."""
        return (
            chunks >= self.fewest_chunks_with_errors
            if steps >= self.shortest_chain
            else chunks > self.most_chunks_without_errors
        )

    def worth_fetching_sums(self, steps: int) -> bool:
        """Whether the sums of a tile are fetched while `steps` of its products are added up; for few they are near."""
        return steps >= self.shortest_chain
