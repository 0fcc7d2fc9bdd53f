"""Decisions that weigh one cost against another, each with its reason. No IR here: numbers in, choice out."""

PARALLEL_REGION_BYTES = 64 * 1024
"""Memory traffic below which a memory-bound loop stays on one thread: at some 10 GB/s and core this
takes about 6 microseconds, what opening a parallel region costs."""

PARALLEL_REGION_FLOPS = 400_000
"""Arithmetic below which a compute-bound loop stays on one thread (same reasoning, at 60 GFLOP/s)."""

ROW_SCRATCH_BYTES = 64 * 1024
"""Most stack a fused kernel may use for the rows it keeps in cache."""


def worth_a_parallel_region(bytes_moved: int, operations: int, threads: int) -> bool:
    """Whether a loop that moves `bytes_moved` bytes and does `operations` scalar operations should run on `threads`."""
    return threads > 1 and (bytes_moved >= PARALLEL_REGION_BYTES or operations >= PARALLEL_REGION_FLOPS)
