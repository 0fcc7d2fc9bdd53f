"""Decisions that weigh one cost against another, each with its reason. No IR here: numbers in, choice out."""

from collections.abc import Sequence
from math import prod

PARALLEL_REGION_BYTES = 1024 * 1024
"""Memory traffic below which a memory-bound loop stays on one thread: at some 20 GB/s and core this takes about 50
microseconds; waking a sleeping thread and waiting for it costs 10 to 20."""

PARALLEL_REGION_FLOPS = 3_000_000
"""Arithmetic below which a compute-bound loop stays on one thread (same reasoning, at 60 GFLOP/s)."""

ROW_SCRATCH_BYTES = 64 * 1024
"""Most stack a fused kernel may use for the rows it keeps in cache."""


def worth_a_parallel_region(bytes_moved: int, operations: int, threads: int) -> bool:
    """Whether a loop that moves `bytes_moved` bytes and does `operations` scalar operations should run on `threads`."""
    return threads > 1 and (bytes_moved >= PARALLEL_REGION_BYTES or operations >= PARALLEL_REGION_FLOPS)


FULLY_UNROLLED_TRIPS = 16
FULLY_UNROLLED_OPERATIONS = 400
"""Most iterations of a loop that LLVM unrolls as a whole, and most ops that this may give, address arithmetic included.
A vector holds up to 16 elements: shorter loops are run by its remainder code, which is scalar."""


def worth_full_unrolling(trip_count: int, operations: int) -> bool:
    """Whether a loop with so many ops in its body, and no loop, should be replaced by `trip_count` copies of it."""
    return trip_count <= FULLY_UNROLLED_TRIPS and trip_count * operations <= FULLY_UNROLLED_OPERATIONS


BRIEF_STEPS = 1500
"""The most ops of a run of a function that LLVM does not optimise at all: unoptimised it takes some tenths of a
microsecond more at most, and measured, nothing (a Fourier transform of 16 numbers, 1.6 microseconds either way)."""


def is_brief(steps: int) -> bool:
    """Whether a function that takes so many steps is not worth optimising."""
    return steps <= BRIEF_STEPS


_COSTS = {
    "linalg.yield": 0,
    "linalg.index": 0,
    "arith.constant": 0,
    "affine.apply": 0,
    "arith.index_cast": 0,
    "arith.extui": 0,
    "arith.extsi": 0,
    "arith.trunci": 0,
    "arith.bitcast": 0,
    "arith.divf": 8,
    "arith.divsi": 20,
    "arith.divui": 20,
    "arith.remsi": 20,
    "arith.remui": 20,
    "tensor.extract": 4,
    "math.absf": 1,
    "math.fma": 1,
    "math.copysign": 1,
    "math.floor": 1,
    "math.ceil": 1,
    "math.roundeven": 1,
    "math.sqrt": 8,
    "math.rsqrt": 12,
    "complex.abs": 12,
    "complex.add": 2,
    "complex.conj": 1,
    "complex.constant": 0,
    "complex.create": 0,
    "complex.div": 20,
    "complex.eq": 2,
    "complex.im": 0,
    "complex.mul": 6,
    "complex.neg": 2,
    "complex.neq": 2,
    "complex.re": 0,
    "complex.sub": 2,
    "scf.if": 20,
    "scf.index_switch": 20,
    "scf.while": 200,
}


def scalar_cost(op_name: str) -> int:
    """About how many simple vector instructions one scalar op of a loop body costs: transcendentals some 20, those of
    complex numbers some 60. Control flow counts for what it holds, and for not being vectorised."""
    cost = _COSTS.get(op_name)
    if cost is not None:
        return cost
    if op_name.startswith("complex."):
        return 60
    return 20 if op_name.startswith("math.") else 1


RECOMPUTED_OPERATIONS = 6
"""A value of at most this many simple instructions is cheaper to compute again than to store and load."""


FUSED_DEPTH = 64
"""Ops in a chain that become one. A longer chain gains little from saving one more trip to memory, and LLVM's time
grows faster than the size of a loop body.
"""


def worth_computing_in_readers(operations: int, full_inputs: int, readers: int, recomputation: float) -> bool:
    """Whether a value is computed inside each of its readers instead of being stored.

    `operations`: what one element costs; `full_inputs`: inputs as large as the value; `readers`: places that read
    it; `recomputation`: how often the most eager reader would compute each element.
    Pure data movement always moves into its readers. With one reader nothing is computed twice. With several, or where
    a reader broadcasts the value, it has to be cheap and must not multiply the memory traffic.
    """
    if operations == 0:
        return full_inputs <= 1 or readers == 1
    if readers == 1 and recomputation <= 1.0:
        return True
    if recomputation > 1.0:
        return operations <= 2 and full_inputs <= 1
    return operations <= RECOMPUTED_OPERATIONS and full_inputs <= 1


SELECTED_PARTS = 4
"""Most parts of a concatenation that its readers select: each is a copy of the loops that read it."""


def worth_selecting_parts(tensors: int, in_last_dimension: bool, readers: int) -> bool:
    """Whether the readers of a concatenation or padding select the part to read, instead of reading it from memory.

    `tensors`: how many different ones are parts. With several readers, loops over rows may be around all of them: where
    parts are rows of different tensors, every row would be read of each.
    """
    return tensors <= 1 or in_last_dimension or readers == 1


CUT_REMAINDERS = 2
"""How often a remainder may start again in a loop that is cut there."""

MOST_PIECES, SELECTED_OPERATIONS = 8, 12
"""Most pieces that a nest of loops is cut into beside those of the innermost loop, and what selecting may
cost instead: the conditions are computed outside of the innermost loop."""


def worth_cutting_outside(loads: int, operations: int, pieces: int) -> bool:
    """Whether a loop around the innermost one is cut where the body changes: uncut, that has so many more `loads` and
    `operations`. `pieces`: into how many the nest would then be cut.
    """
    return pieces <= MOST_PIECES and (loads > 0 or operations > SELECTED_OPERATIONS)


KERNEL_OPERATIONS = 1500
"""The work per element, counted by `scalar_cost`, up to which ops share a kernel: LLVM's time grows faster than the
size of a function.
"""

KERNEL_MEMBERS = 64
"""Most ops that share a kernel. Each reads or writes a tensor of its own: so many streams are more than a CPU fetches
ahead, and joining more of them saves little of their traffic.
"""

INLINED_OPERATIONS, INLINED_ONCE_OPERATIONS = 16, 256
"""Most ops of a kernel without loops that becomes part of the program: if called several times, and if called once. A
call costs a nanosecond or two and keeps scalars in memory; LLVM's time grows faster than the size of a function."""

SCALAR_BYTES = 16
"""The largest value of the program that lives outside the arena, where LLVM can keep it in a register: one element."""

PLACE_CHANGING_BYTES = 512
"""Size from which on a value that a loop carries gets another buffer instead of being copied: a few vectors are copied
in the time that a pointer from memory takes, and where the buffer is fixed LLVM may keep them in registers."""


def worth_changing_places(size: int) -> bool:
    """Whether loops carry pointers to buffers of `size` bytes instead of copying what is in them."""
    return size >= PLACE_CHANGING_BYTES


ROW_BYTES = 48 * 1024
"""What a fused row kernel may keep per row before its rows fall out of the first-level cache's reach."""


def worth_sharing_rows(rows: int, row_bytes: int, same_rows: bool) -> bool:
    """Whether an op should join a kernel that works row by row.

    `rows`: how many rows there would be; `row_bytes`: what all members write per row; `same_rows`: whether the
    kernel keeps the rows it had. Fewer and larger rows are accepted only while they stay in cache and there are
    enough of them to share among threads.
    """
    if rows < 2:
        return False
    return row_bytes <= ROW_BYTES and (same_rows or rows >= 8)


REDUCED_ONCE_BYTES, READ_ONCE_BYTES = 1024, 512 * 1024
"""Size of a tensor from which on reductions that read all of it, with no link between them, are one pass; and the same
if one of them writes as much as it reads. Measured for two, four reductions: of 4 KB 0.9 of the time, of 1 MB 0.7, of
16 MB 0.6, 0.35; one kernel also takes less time to compile. For an elementwise op and a reduction of 1 MB 0.65,
for two, four elementwise ops of 256 KB 1.07, 1.23, of 1 MB 1.0, 0.6: more streams are slower until memory is."""

NEAR_OPS = 32
"""How many ops of the program may stand between elementwise ops that become one pass: the result of the second is in
memory for so much longer."""


def worth_reading_once(size: int, reductions_only: bool, distance: int) -> bool:
    """Whether ops with no link between them, `distance` ops apart, share a kernel as they read a tensor of `size`
    bytes.
    """
    if reductions_only:
        return size >= REDUCED_ONCE_BYTES
    return size >= READ_ONCE_BYTES and distance <= NEAR_OPS


# Loop nests (`convert-linalg-to-affine`)

FUSED_REDUCTIONS = 8
"""Most reductions that one loop computes: as many vectors as half of 16 registers hold."""


CACHE_LINE_BYTES = 64
"""The unit of memory traffic: a larger stride uses one element of every line it touches."""

INLINE_COPY_ELEMENTS, INLINE_COPY_BYTES = 128, 2048
"""Shortest and longest row of a gather that a loop of vectors copies instead of memcpy: more rows are on their way from
memory at the same time. Measured for rows of 512 bytes: three quarters of the time; the loops over rows of 16 elements
are four times slower than memcpy."""


def worth_inline_copies(elements: int, element_bytes: int) -> bool:
    """Whether rows of `elements` elements are copied by a loop of vectors."""
    return elements >= INLINE_COPY_ELEMENTS and 256 < elements * element_bytes <= INLINE_COPY_BYTES


PREFETCHED_AHEAD_BYTES, PREFETCHED_AHEAD_ROWS = 2048, 32
"""How far ahead of a loop over rows in computed places rows are asked for, in bytes and at most in rows. The hardware
finds neighbours, not rows: of 16384 rows of 512 bytes from a table of 25 MB to be copied it takes 1.1 ms with a loop of
vectors, 0.81 with memcpy, 0.56 if the rows read are asked for 2 to 4 KB ahead, 0.43 if those written are as well."""

PREFETCHED_ROW_BYTES, LONG_ROW_HEAD_BYTES = 1024, 512
"""The rows that are asked for as a whole, and how much of longer ones: the hardware finds the rest. Measured for rows
of 4 KB: 0.43 instead of 0.59 ms, for all of the row 0.53."""

SHORT_LOOP = 4
"""A loop of fewer iterations than so many times the distance looks ahead into the next run of it."""


def prefetch_distance(row_bytes: int, touched_bytes: int, l2_bytes: int) -> int:
    """How many rows of `row_bytes` bytes ahead a loop asks for one; 0 if it does not.

    `touched_bytes`: the size of all it gets rows from and writes rows to. In the second-level cache they are near
    enough, and below a cache line asking costs more than the row.
    """
    if row_bytes < CACHE_LINE_BYTES or touched_bytes <= l2_bytes:
        return 0
    return min(PREFETCHED_AHEAD_ROWS, max(1, PREFETCHED_AHEAD_BYTES // row_bytes))


def prefetched_lines(row_bytes: int) -> int:
    """How many cache lines of a row a loop asks for; a row of odd size lies across one more."""
    head = row_bytes if row_bytes <= PREFETCHED_ROW_BYTES else LONG_ROW_HEAD_BYTES
    return -(-head // CACHE_LINE_BYTES) + (head % CACHE_LINE_BYTES != 0)


COPIED_VECTORS_PER_STEP = 4
"""How many vectors a step of a loop that copies a row moves: with one, loop control takes as long as the copy."""


def vector_groups(vectors: int) -> list[tuple[int, int]]:
    """Neighbouring vectors joined to wide ones, as the first vector and how many: a power of two.

    LLVM splits wide vectors again, into the code that single ones would have given, so the choice is one of compile
    time: every level handles a fraction of the ops.
    """
    groups: list[tuple[int, int]] = []
    first = 0
    while first < vectors:
        count = 1 << (vectors - first).bit_length() - 1
        groups.append((first, count))
        first += count
    return groups


SHORTEST_VECTOR_COPY, LONGEST_VECTOR_COPY_BYTES = 4, 512 * 1024
"""The rows that are copied by loops of vectors. Longer ones leave the second-level cache, and the C library knows how
to write past it. Calling it for the shorter ones as well takes at most a fifth off a copy (rows of 128 KB, from and to
the cache), and costs what LLVM's optimiser takes to find out: a convolution with such an input compiles in two thirds
of the time."""


def worth_copying_by_vectors(elements: int, element_bytes: int) -> bool:
    """Whether a row of `elements` elements is copied or filled by vectors instead of what LLVM makes of a loop."""
    return elements >= SHORTEST_VECTOR_COPY and elements * element_bytes <= LONGEST_VECTOR_COPY_BYTES


TRANSPOSE_TILE = 64
"""Side of a tile of a transposed operand, which is first copied to a buffer. Measured on 2048x2048
f32 (a power of two, so columns collide in the cache): 4.2 ms, without the copy 12 ms. Sides below
some 50 let LLVM unroll the loop over a row away and vectorise across rows: 16 ms and more."""

ACCUMULATOR_BYTES = 16 * 1024
"""Accumulators that a reduction over outer dimensions keeps in the first-level cache, half of which they may fill."""

BORDERED_BYTES = 64 * 1024
"""Size of a buffer from which only the border around what overwrites its middle is filled: below, the loops cost more
than the second store."""


def worth_filling_borders(elements: int, overwritten: int, element_bytes: int) -> bool:
    """Whether a fill of `elements`, most of which are overwritten at once, becomes fills of the rest."""
    return elements * element_bytes >= BORDERED_BYTES and overwritten * 2 >= elements


UNROLLED_POINTS = 16
"""Most points of a reduction whose loops are replaced by copies of the body (pooling windows, small vectors)."""

UNROLLED_WORK = 64
"""Most scalar operations these copies may add up to: each operation costs compile time at every later level."""

PARTS_PER_THREAD = 4
"""Pieces of its range that a thread takes one after the other, and others may take from it: a thread that is held up
leaves three quarters of its work."""

PARALLEL_CHUNKS_PER_THREAD = 4
"""Iterations of a parallel loop per thread, at least: with fewer the last chunk leaves threads idle."""

SUM_CHUNK, SUM_CHUNK_OF_LANES_BYTES, LONG_SUM_OF_LANES_BYTES = 128, 8 * 1024, 32 * 1024
"""The additions after which a partial sum of its own begins: where a sum is one chain, and where each lane of some
registers has one, from what size on. The error of a chain grows with the root of its length; adding up partial sums,
with their errors, takes as long as some ten additions."""


def sum_chunk(additions: int, by_lanes: bool, element_bytes: int) -> int:
    """How many of so many `additions` of floats have a partial sum of their own; 0 where all are one sum.

    `by_lanes`: neighbouring elements are in one sum, so that each lane of several registers forms a part of it.
    """
    if not by_lanes:
        return SUM_CHUNK if additions >= 2 * SUM_CHUNK else 0
    return SUM_CHUNK_OF_LANES_BYTES // element_bytes if additions * element_bytes >= LONG_SUM_OF_LANES_BYTES else 0


LANES_OF_A_SUM = 64
"""What the chunks of a sum by lanes are multiples of: what is left over is added one by one, when the lanes have been
combined, and each of these additions has an error of the size of the result's."""


def lanes_chunk(extent: int, preferred: int) -> int:
    """The size of the chunks of a sum by lanes of `extent` terms.

    A divisor near `preferred`, if one is a multiple of the lanes.
    """
    size = tile_size(extent, preferred)
    return preferred if size % LANES_OF_A_SUM else size


FEWEST_ROWS = 4
"""Rows of a block that has partial results of its own, at least: these are written, read and combined."""


def row_blocks(rows: int, threads: int) -> int:
    """In how many blocks a kernel runs its `rows` rows, over which it also reduces: some for each of `threads`, and as
    many as keep sums short."""
    blocks = -(-rows // SUM_CHUNK) if rows >= 2 * SUM_CHUNK else 1
    if threads > 1:
        blocks = max(blocks, PARALLEL_CHUNKS_PER_THREAD * threads)
    return min(blocks, max(1, rows // FEWEST_ROWS))


COLUMN_BLOCK_ELEMENTS = 256
"""Narrowest block of columns one thread reduces: of every row it reads this many elements, and the
hardware prefetches no further than the thread reads."""

PARALLEL_BLOCK_ELEMENTS = 4096
"""Fewest elements in one iteration of a parallel loop over blocks, so that the inner loop stays long."""

SHORT_PIECE_BYTES = 16
"""Size below which the elements of a piece of a loop are copies of its body: less than the smallest vector."""

INTERLEAVED_STRIDE = 4
"""Largest stride whose accesses LLVM turns into whole vectors and shuffles; beyond it, it gathers."""

INTERLEAVED_RUN = 8
"""Longest run of neighbours that LLVM loads or stores together for the points of a loop over runs."""

SHORT_ROWS = 64
"""From how many rows of at most `INTERLEAVED_RUN` elements on it pays to join them in one loop over rows."""

PARTIAL_VECTORS = 4
"""Vectors of partial results kept for a reduction with few results: enough to hide the latency of an addition
(4 cycles, 1 to 2 started per cycle)."""

SHORT_ROW_VECTORS, SHORT_ROW_RUNS = 16, 4
"""Most vectors of a row of partial results, and from how many such rows on it pays to combine its lanes only once: that
takes some ten instructions, for maxima thirty. Measured for 64 rows of 4 vectors: a third of the time."""


def is_short_row(extent: int, runs: int, lanes: int) -> bool:
    """Whether a reduction of `extent` neighbours, `runs` times for each result, keeps a result per neighbour."""
    return runs >= SHORT_ROW_RUNS and lanes <= extent <= SHORT_ROW_VECTORS * lanes


JAMMED_ROWS, JAMMED_WORK, JAMMED_VECTORS = 4, 4, 4
"""How many rows a reduction works on side by side that share an operand, the most operations of their body, and the
fewest vectors of a row. Measured for 2048 x 2048 times a vector: 0.85 of the time, for 4 rows times a transposed matrix
0.4."""


def worth_jamming(extent: int, work: int, lanes: int, element_bytes: int) -> bool:
    """Whether rows of `extent` elements of `element_bytes` bytes that share an operand are reduced side by side. Bytes
    take longer to convert than to load."""
    return element_bytes > 1 and work <= JAMMED_WORK and extent >= JAMMED_VECTORS * lanes


def jammed_rows(rows: int) -> int:
    """How many of `rows` rows are reduced side by side: all of a few."""
    return rows if rows <= 2 * JAMMED_ROWS else JAMMED_ROWS


ROW_COST_RATIO = 2.0
"""How much worse the inner loops of a fused row kernel may be than those of separate kernels, which pay for it by
storing and loading what the fused kernel keeps in cache."""

STORE_WEIGHT = 4
"""How many loads a store counts for when the innermost loop is chosen: tiles of transposed inputs are
copied, those of outputs are not."""

ACCUMULATOR_WEIGHT = 2
"""The same for an element of a row of accumulators, which is loaded from the first-level cache and stored there, once
per trip."""

LOOP_OVERHEAD = 4
"""Scalar operations that starting and ending an innermost loop costs (trip test, horizontal reduction)."""


def reduction_rows_per_trip(work: int, stores: bool) -> int:
    """How many rows a reduction over an outer dimension adds to its row of accumulators per trip. The accumulators
    are loaded and stored once per trip, so 4 rows make that traffic half the input's; more measured no faster, but the
    rows of a trip are added by pairs, so that sums are closer to the exact ones. Costly bodies gain less and are copied
    as often, so they get fewer; one, if the loop `stores` elements too: four are no faster then, and take 1.6 times the
    time to compile."""
    return 1 if stores else 16 if work <= 1 else 8 if work == 2 else 4 if work <= 8 else 2 if work <= 24 else 1


def rows_per_trip_of(rows: int, work: int, stores: bool) -> int:
    """`reduction_rows_per_trip` of a reduction over `rows` rows: a divisor near by if there is one. Remaining rows are
    another nest, which goes through the accumulators again and takes as long to compile. Seven rows of a depthwise
    convolution at once take 1.4 of the time: their loads leave too few registers."""
    preferred = reduction_rows_per_trip(work, stores)
    fewest = min(preferred // 2 + 1, 5)
    divisors = [size for size in range(fewest, preferred * 3 // 2 + 1) if rows % size == 0]
    return min(divisors, key=lambda size: abs(size - preferred), default=min(preferred, rows))


def tile_size(extent: int, preferred: int) -> int:
    """The largest divisor of `extent` between half of `preferred` and `preferred` (no remainder loop), else
    `preferred`."""
    for size in range(min(preferred, extent), preferred // 2, -1):
        if extent % size == 0:
            return size
    return preferred


def access_cost(stride: int | None, element_bytes: int, lanes: int) -> float:
    """Relative cost of one memory access per innermost iteration, `lanes` of which are one vector."""
    if stride == 0:
        return 0.0
    if stride is None:
        return 2.0
    distance = abs(stride)
    if distance == 1:
        return (1.0 if stride > 0 else 1.5) / lanes
    if distance <= INTERLEAVED_STRIDE:
        return (distance + 1.0) / lanes
    return 1.0 if distance * element_bytes < CACHE_LINE_BYTES else 2.0


def parallel_loops(extents: Sequence[int], threads: int) -> int:
    """How many of the outermost loops of `extents` to run in parallel: as few as give every thread
    enough iterations, so that the others stay plain loops."""
    trips = 1
    for count, extent in enumerate(extents, 1):
        trips *= extent
        if trips >= PARALLEL_CHUNKS_PER_THREAD * threads:
            return count
    return len(extents)


def parallel_block(extent: int, threads: int, granule: int) -> int:
    """Iterations per block when one loop of `extent` is split for `threads`: blocks of `granule` multiples, enough of
    them for every thread, the rest smaller than one granule per block."""
    blocks = min(PARALLEL_CHUNKS_PER_THREAD * threads, extent // PARALLEL_BLOCK_ELEMENTS)
    if blocks < 2:
        return extent
    return max(extent // blocks // granule * granule, granule)


FACTORIZATION_SIZE = 256
"""Rows up to which a triangular system or a Cholesky factorisation is solved row by row: a matrix of f32 then takes a
quarter of the second-level cache, from which a row reads those before it."""

FACTORIZATION_BLOCK = 128
"""Rows of a larger one between two matrix products: enough for the FMA units, and few enough that what is found row by
row stays a small part of the whole."""

HOISTED_BYTES = 1024
"""Least memory of a result that is computed in front of a loop: less is a few vectors."""


def worth_hoisting(bytes_read: int, bytes_written: int) -> bool:
    """Whether what does not change in a loop should be computed once and kept.

    What is larger than its operands, as what repeats them, costs more to read again than to compute.
    """
    return HOISTED_BYTES <= bytes_written <= bytes_read


LU_BLOCK = 32
"""Columns of an LU factorisation between two matrix products: each step passes over all rows of the block."""

QR_BLOCK = 32
"""Columns of a QR factorisation whose reflections are applied to the rest as one: each of their steps passes twice over
all rows of the block."""

NATIVE_STEPS: dict[str, dict[str, int]] = {
    "potrf": dict.fromkeys("sdcz", FACTORIZATION_SIZE),
    "getrf": {"s": 96, "d": 64, "c": 32, "z": 16},
    "geqrf": {"s": 300, "d": 200, "c": 128, "z": 32},
}
"""The columns of square matrices up to which generated code factors them faster than SciPy's LAPACK, by the letters of
element types. Twice as many columns are 1.3 to 4 times as slow as LAPACK."""

TALL_ROWS, TALL = 64, 4
"""Matrices of so many rows, and so many for each column, are factored 1.1 to 3 times as fast by LAPACK: a step here
passes over all rows of a block of columns."""


def library_is_faster(routine: str, letter: str, rows: int, columns: int) -> bool:
    """Whether a factorisation is called of LAPACK; what generated code has no form of is."""
    name = "geqrf" if routine in ("orgqr", "ungqr") else routine
    if name not in NATIVE_STEPS:
        return True
    steps = min(rows, columns)
    return steps > NATIVE_STEPS[name][letter] or rows >= max(TALL_ROWS, TALL * steps)


STRIDED_FACTORIZATION_SIZE = 16
"""Rows up to which such a matrix is walked along its columns where that is its form; a larger one is transposed. With
256 rows of f32, columns take 25 times as long: every element is in another cache line, in one of few sets."""

INTERLEAVED_VECTORS, INTERLEAVED_OPERATIONS = 4, 400
"""Most registers that a vector of a loop fills, and most instructions that this may give. A chain of dependent ops
waits 4 cycles for each result, while two others could be started in each: four chains side by side fill the time of
loads and of sums. Measured for the 190 ops of random numbers: two chains take a seventh less time than one."""

LOOPED_BODY_COST = 0.5
"""What a loop around vectors costs, in vectors."""


def interleaved_vectors(operations: int, live: int, registers: int, streams_across_lines: bool) -> int:
    """How many registers each vector of a loop fills, a power of two, where `live` of them are needed at once.

    One, where they are stored across cache lines of memory: measured for rows of 2047 f32, 16 MB, three quarters of the
    time that four take.
    """
    if streams_across_lines:
        return 1
    count = INTERLEAVED_VECTORS
    while count > 1 and (count * live > registers or count * operations > INTERLEAVED_OPERATIONS):
        count //= 2
    return count


REMAINDER_OPERATIONS = 4
"""Ops of a loop with variable bounds that may stay one over elements beside loops over vectors: filling what is left
of a row."""

VECTOR_STEPS_PER_GATHER = 4
"""How many steps of loops that become vector code there have to be for each step of a gather beside them that stays as
it is: what LLVM's vectoriser gains on gathers is less than half of their time."""


def is_small_beside_vectors(gathered: int, vectorized: int) -> bool:
    """Whether so many steps of loops that gather matter little beside those of loops that become vector code."""
    return gathered * VECTOR_STEPS_PER_GATHER <= vectorized


# Short loops (`stablehlo-unroll-loops`)

UNROLLED_TRIPS = 16
"""Most iterations of a loop that is replaced by copies of its body."""

UNROLLED_LOOP_OPERATIONS = 400
"""Most ops these copies may be, for the time that later levels take; the rounds of Threefry are some 200."""

UNROLLED_LOOP_BYTES = 128 * 1024
"""Least size of what such a loop carries: below, an iteration takes microseconds, and the copies cost milliseconds to
compile."""


def worth_unrolling(trips: int, operations: int, carried_bytes: int) -> bool:
    """Whether a loop of elementwise ops is replaced by `trips` copies of its body of `operations` ops: nothing goes
    through memory between them. Measured for 5 iterations of 45 ops on two tensors of a million elements: a fifth of
    the time."""
    return trips * operations <= UNROLLED_LOOP_OPERATIONS and carried_bytes >= UNROLLED_LOOP_BYTES


def worth_padding_edges(shape: Sequence[int], bytes_per_element: int) -> bool:
    """Whether padding of a matrix product is written around it, a loop for each edge, instead of everywhere before: for
    what is too large for the first-level cache everything would be written to memory twice.
    """
    return prod(shape) * bytes_per_element >= 2 * ROW_SCRATCH_BYTES
