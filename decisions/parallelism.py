"""When loops run in parallel, and in how many parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PARTS_PER_THREAD = 4
"""Pieces of its range that a thread takes one after the other, and others may take from it: a thread that is held up
leaves three quarters of its work. A contract: the code around parallel regions is one text for all programs, which the
runtime recognises."""


@dataclass(frozen=True)
class Parallelism:
    """Numbers of parallel loops."""

    parallel_region_bytes: int = 1024 * 1024
    """Memory traffic below which a memory-bound loop stays on one thread: at some 20 GB/s and core this takes about 50
    microseconds; waking a sleeping thread and waiting for it costs 10 to 20."""

    parallel_region_flops: int = 3_000_000
    """Arithmetic, in operations, below which a compute-bound loop stays on one thread (same reasoning, at 60
    GFLOP/s). Lower: more of the small loops pay for waking threads."""

    operations_per_nanosecond: int = 60
    """What work whose time is known counts as, in operations (same reasoning)."""

    parallel_chunks_per_thread: int = 4
    """Iterations of a parallel loop per thread, at least: with fewer the last chunk leaves threads idle."""

    parallel_block_elements: int = 4096
    """Fewest elements in one iteration of a parallel loop over blocks, so that the inner loop stays long."""

    column_block_elements: int = 256
    """Narrowest block of columns one thread reduces: of every row it reads this many elements, and the
    hardware prefetches no further than the thread reads."""

    fewest_rows: int = 4
    """Rows of a block that has partial results of its own, at least: these are written, read and combined."""

    def worth_a_parallel_region(self, bytes_moved: int, operations: int, threads: int) -> bool:
        """Whether a loop that moves `bytes_moved` bytes and does `operations` scalar operations should run on
        `threads`."""
        return threads > 1 and (bytes_moved >= self.parallel_region_bytes or operations >= self.parallel_region_flops)

    def worth_threads_for(self, nanoseconds: float, threads: int) -> bool:
        """Whether a loop that takes so long on one thread should run on `threads`."""
        return self.worth_a_parallel_region(0, int(nanoseconds * self.operations_per_nanosecond), threads)

    def parallel_loops(self, extents: Sequence[int], threads: int) -> int:
        """How many of the outermost loops of `extents` to run in parallel: as few as give every thread
        enough iterations, so that the others stay plain loops."""
        trips = 1
        for count, extent in enumerate(extents, 1):
            trips *= extent
            if trips >= self.parallel_chunks_per_thread * threads:
                return count
        return len(extents)

    def parallel_block(self, extent: int, threads: int, granule: int) -> int:
        """Iterations per block when one loop of `extent` is split for `threads`: blocks of `granule` multiples,
        enough of them for every thread, the rest smaller than one granule per block."""
        blocks = min(self.parallel_chunks_per_thread * threads, extent // self.parallel_block_elements)
        if blocks < 2:
            return extent
        return max(extent // blocks // granule * granule, granule)

    def row_blocks(self, rows: int, threads: int, longest_sum: int) -> int:
        """In how many blocks a kernel runs its `rows` rows, over which it also reduces: some for each of `threads`,
        and as many as keep sums below twice `longest_sum` rows."""
        blocks = -(-rows // longest_sum) if rows >= 2 * longest_sum else 1
        if threads > 1:
            blocks = max(blocks, self.parallel_chunks_per_thread * threads)
        return min(blocks, max(1, rows // self.fewest_rows))
