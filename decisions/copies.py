"""How rows are copied, and which are asked for ahead."""

from __future__ import annotations

from dataclasses import dataclass

from .target import CACHE_LINE_BYTES

SIMPLE_BYTES = 16
"""Vectors of so many bytes at most are interleaved by one instruction."""


STREAMED_BYTES = 16
"""What streamed vectors begin at a multiple of: the alignment of results. A fact of the interface."""


@dataclass(frozen=True)
class Copies:
    """Numbers of copies, fills and prefetches of rows."""

    inline_copy_elements: int = 128
    """Shortest row, in elements, of a gather that a loop of vectors copies instead of memcpy: more rows are on their
    way from memory at the same time. Measured for rows of 512 bytes: three quarters of the time; the loops over rows
    of 16 elements are four times slower than memcpy."""

    inline_copy_bytes: int = 2048
    """Longest row, in bytes, of a gather that a loop of vectors copies: of longer rows, memcpy is as fast."""

    transposed_block: int = 8
    """Side of a block that is transposed in registers at most, unless a vector of so many elements has less than
    `SIMPLE_BYTES`. One of 16 elements of 32 bits takes LLVM some 7 ms more, and is no faster in the cache."""

    largest_block: int = 32
    """Side of a block at most where its rows are whole cache lines of more than the second-level cache: those of
    halves of lines are often gone before the other half is asked for. Measured for 1024 x 1024 and 2048 x 2048 f32 with
    16 a side 0.6 of the time that 8 take, of i16 with 32 a side 0.5, of bytes with 32 0.4 to 0.75, with 64 the same;
    for 1000 x 3000 i16, whose rows do not begin at lines, 1.6."""

    smallest_block: int = 4
    """The side from which on blocks beat copying element by element."""

    prefetched_ahead_bytes: int = 2048
    """How many bytes ahead of a loop over rows in computed places rows are asked for. The hardware finds neighbours,
    not rows: of 16384 rows of 512 bytes from a table of 25 MB to be copied it takes 1.1 ms with a loop of vectors,
    0.81 with memcpy, 0.56 if the rows read are asked for 2 to 4 KB ahead, 0.43 if those written are as well."""

    prefetched_ahead_rows: int = 32
    """The same in rows, at most: of short rows, 32 are as many as a core has on their way from memory. Higher: rows
    may be gone from the first-level cache before they are read."""

    prefetched_row_bytes: int = 1024
    """The longest row, in bytes, that is asked for as a whole. Measured for rows of 4 KB: 0.43 instead of 0.59 ms
    with half a kilobyte asked for, for all of the row 0.53."""

    long_row_head_bytes: int = 512
    """How many bytes of a longer row are asked for: the hardware finds the rest. Higher: more instructions, no gain
    measured."""

    short_loop: int = 4
    """A loop of fewer iterations than so many times the distance looks ahead into the next run of it."""

    shortest_vector_copy: int = 4
    """The shortest row, in elements, that is copied by a loop of vectors. Lower: vectors of two elements, no faster
    than two copies."""

    longest_vector_copy_bytes: int = 512 * 1024
    """The longest row, in bytes, that is copied by vectors. Longer ones leave the second-level cache, and the C
    library knows how to write past it. Calling it for the shorter ones as well takes at most a fifth off a copy
    (rows of 128 KB, from and to the cache), and one call more compiles no sooner than a loop of vectors."""

    most_inline_fetches: int = 8
    """The most cache lines that are fetched by an instruction each. More are a call: where there are so many there is
    work beside them, and LLVM looks at two instructions for each line."""

    streamed_share: float = 0.5
    """The part of the third-level cache from which on a result is stored past the caches. Such a result is not there
    for who reads it next, but what it is stored over need not be read from memory first, and what is in the caches
    stays. Measured with 32 MB of cache: of 16 MB, rows are normalised in 0.6 of the time, and a sum with a transpose
    takes 0.5; `x + 1` 0.8, and 1.15 with a sum of the results behind it; of 64 MB 0.8 and 0.9."""

    shortest_fetched_row_bytes: int = 2048
    """The shortest row, in bytes, that is asked for while the one before is in the cache: the hardware looks as far."""

    shortest_far_row_bytes: int = 8192
    """The same where the kernel writes rows too, and all it touches is in the third-level cache. Measured for rows of
    4 KB to normalise, 8 MB of them 1.0 to 1.1 of the time; of 16 KB 0.87."""

    longest_fetched_row_bytes: int = 128 * 1024
    """The longest such row: an eighth of a second-level cache of a megabyte. Measured for variances of 8 MB and 32 MB
    with rows of 4 KB 0.67 of the time, for layers to normalise of 32 MB 0.85, for a softmax 0.89, of f64 0.7."""

    shortest_single_row_bytes: int = 4096
    """The shortest row, in bytes, that is asked for while a loop goes through the one before for the first and only
    time. Measured for a matrix times a vector, one row at a time instead of four: rows of 2 KB 1.3 of the time, of
    4 KB 0.88, of 8 KB 0.71 where they do not begin at cache lines and 0.96 where they do; maxima of 8 KB 0.72."""

    longest_single_row_bytes: int = 16 * 1024
    """The longest such row: a part of the first-level cache. Measured for rows of 16 KB 1.0 of the time, of 20 KB
    1.1."""

    def worth_fetching_single_row(self, row_bytes: int, size: int, l2_bytes: int, copies: bool = False) -> bool:
        """Whether a loop that goes once through each row of so many bytes of a tensor of `size` bytes, and through no
        other such tensor, asks for the next row. `copies`: it does several things with each element."""
        shortest = self.shortest_fetched_row_bytes if copies else self.shortest_single_row_bytes
        return shortest <= row_bytes <= self.longest_single_row_bytes and size > l2_bytes

    def worth_fetching_next_row(self, row_bytes: int, size: int, writes: bool, l2_bytes: int, l3_bytes: int) -> bool:
        """Whether a kernel asks for the next row of so many bytes of a tensor of `size` bytes. `writes`: whether it
        writes rows too.
        """
        shortest = self.shortest_fetched_row_bytes
        if writes and 2 * size < l3_bytes:
            shortest = self.shortest_far_row_bytes
        return shortest <= row_bytes <= self.longest_fetched_row_bytes and size > l2_bytes

    def worth_streaming(self, result_bytes: int, l3_bytes: int) -> bool:
        """Whether a result of a program of so many bytes is stored past the caches."""
        return result_bytes >= self.streamed_share * l3_bytes

    def transposed_side(self, element_bytes: int, most: int, lines: bool = False) -> int:
        """The side of the blocks that a transposing copy cuts its tiles into, at most `most`; 0: it copies element by
        element. `lines`: whether it moves more than the second-level cache holds, in rows that begin at cache lines.
        """
        block = min(self.largest_block, CACHE_LINE_BYTES // element_bytes) if lines else 0
        most = min(most, max(self.transposed_block, SIMPLE_BYTES // element_bytes, block))
        side = 1 << (most.bit_length() - 1) if most else 0
        return side if side >= self.smallest_block else 0

    def worth_inline_copies(self, elements: int, element_bytes: int) -> bool:
        """Whether rows of `elements` elements are copied by a loop of vectors."""
        return elements >= self.inline_copy_elements and 256 < elements * element_bytes <= self.inline_copy_bytes

    def prefetch_distance(self, row_bytes: int, touched_bytes: int, l2_bytes: int) -> int:
        """How many rows of `row_bytes` bytes ahead a loop asks for one; 0 if it does not.

        `touched_bytes`: the size of all it gets rows from and writes rows to. In the second-level cache they are near
        enough, and below a cache line asking costs more than the row.
        """
        if row_bytes < CACHE_LINE_BYTES or touched_bytes <= l2_bytes:
            return 0
        return min(self.prefetched_ahead_rows, max(1, self.prefetched_ahead_bytes // row_bytes))

    def prefetched_lines(self, row_bytes: int) -> int:
        """How many cache lines of a row a loop asks for; a row of odd size lies across one more."""
        head = row_bytes if row_bytes <= self.prefetched_row_bytes else self.long_row_head_bytes
        return -(-head // CACHE_LINE_BYTES) + (head % CACHE_LINE_BYTES != 0)

    def worth_copying_by_vectors(self, elements: int, element_bytes: int) -> bool:
        """Whether a row of `elements` elements is copied or filled by vectors instead of what LLVM makes of a loop."""
        return elements >= self.shortest_vector_copy and elements * element_bytes <= self.longest_vector_copy_bytes
