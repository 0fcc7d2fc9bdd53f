"""How a nest of loops is ordered, cut and unrolled, and which loops of a program become copies of their body."""

from __future__ import annotations

from dataclasses import dataclass

from .divisors import tile_size
from .target import CACHE_LINE_BYTES


@dataclass(frozen=True)
class Loops:
    """Numbers of loop nests that are neither contractions nor transforms, and of `stablehlo-unroll-loops`."""

    joined_group_elements: int = 4096
    """Elements of a tensor from which on groups of its channels are joined. Lower: more ops of small programs change
    for nothing. Joined, a group normalisation of 8 x 32 x 32 x 256 f32 in groups of 8 takes a quarter of the time."""

    repeats_per_element: int = 16
    """How many elements of a joined tensor there are at least for one of a value per group that is repeated in memory.
    Lower: repeated tensors that take as long to write as what reads them."""

    cut_remainders: int = 2
    """How often a remainder may start again in a loop that is cut there."""

    most_pieces: int = 8
    """Most pieces that a nest of loops is cut into beside those of the innermost loop. Higher: more code to compile."""

    selected_operations: int = 12
    """Scalar operations that selecting may cost in the innermost loop before the loop around it is cut: the
    conditions are computed outside of the innermost loop. Higher: fewer nests, slower ones."""

    fused_reductions: int = 8
    """Most reductions that one loop computes: as many vectors as half of 16 registers hold."""

    transpose_tile: int = 64
    """Side of a tile of a transposed operand, which is first copied to a buffer. Measured on 2048x2048
    f32 (a power of two, so columns collide in the cache): 4.2 ms, without the copy 12 ms. Sides below
    some 50 let LLVM unroll the loop over a row away and vectorise across rows: 16 ms and more."""

    large_transpose_tile: int = 128
    """The same of tensors of more than twice the second-level cache. Measured for 1024x1024 to 4096x2048 f32: 0.9 to
    1.0 of the time, 0.8 with a sum; for 1024x1024 i16, 2 MB, 1.25."""

    unrolled_points: int = 16
    """Most points of a reduction whose loops are replaced by copies of the body (pooling windows, small vectors)."""

    most_copies: int = 1024
    """Most copies of a body that a schedule may ask for: more take LLVM minutes."""

    windows_work: int = 200
    """Most scalar operations of copies of a body for windows side by side that overlap: what they share is loaded once.
    Measured for windows of 128 channels each by itself: of 3 x 3 four at once take 0.6 of the time, two 0.75, of 5 x 5
    four 0.6 of what two take, of 7 x 7 two 0.6 of what one takes. Higher: more copies to compile, more values than
    registers."""

    window_points: int = 49
    """`unrolled_points` of sums over windows that overlap. Measured for windows of 5 x 5 of 128 channels: a loop
    through them, with sums in memory, takes 2.5 times as long; for maxima, which take several instructions each and
    wait for each other, 0.4."""

    window_points_along_rows: int = 25
    """The same of windows along the innermost loop, whose vectors overlap too. Measured for windows of 7 x 7: a loop
    takes 0.6 to 0.75 of the time, of 5 x 5 1.2 to 1.5."""

    most_windows: int = 7
    """Most windows side by side in one direction."""

    unrolled_work: int = 64
    """Most scalar operations these copies may add up to: each operation costs compile time at every later level."""

    unrolled_run_work: int = 200
    """The same for runs of up to `interleaved_run`, whose neighbours are then vectors. Measured for a softmax of rows
    of 3, 5 and 8 f32: 0.4, 0.35 and 0.7 of the time; of 10 and 16, which LLVM gathers, 1.8 and 3."""

    short_piece_bytes: int = 16
    """Size below which the elements of a piece of a loop are copies of its body: less than the smallest vector."""

    interleaved_stride: int = 4
    """Largest stride whose accesses LLVM turns into whole vectors and shuffles; beyond it, it gathers."""

    interleaved_run: int = 8
    """Longest run of neighbours that LLVM loads or stores together for the points of a loop over runs. Sums of longer
    ones are loops through each: for rows of 10, 12 and 16 f32 they take 0.31, 0.28 and 0.22 of the time that copies in
    a loop over rows do, maxima 0.65, 0.5 and 0.43, a layer normalisation 0.35, 0.3 and 0.2."""

    short_rows: int = 64
    """From how many rows of at most `INTERLEAVED_RUN` elements on it pays to join them in one loop over rows."""

    joined_row_elements: int = 512
    """About the most elements of rows that `linalg-join-short-rows` makes one: what is repeated for them is in the
    first-level cache, and the end of a row is a small part of it."""

    fewest_joined_elements: int = 8192
    """Elements from which on rows are joined: of fewer it takes a microsecond or so to compute them."""

    joined_row_gain: float = 1.3
    """How many times fewer vectors the joined rows have to be, with one more for the ends of each row."""

    row_cost_ratio: float = 2.0
    """How much worse the inner loops of a fused row kernel may be than those of separate kernels, which pay for it by
    storing and loading what the fused kernel keeps in cache."""

    most_rows_together: int = 32
    """Most rows of a kernel that works row by row which each of its ops goes through before the next one. An op waits
    for what others have computed of its row: for rows of 10, 24, 64 and 200 f32, a softmax of 32, 32, 16 and 8 rows at
    a time takes 0.27, 0.64, 0.63 and 0.73 of the time of one."""

    rows_together_bytes: int = 6 * 1024
    """What such rows may be together, in bytes, of one tensor: several are in the first-level cache."""

    flat_work: int = 16
    """Scalar operations from which on an elementwise op has a loop of its own through several short rows. Measured with
    a softplus, a GELU, a hyperbolic tangent and an error function in front of sums and maxima of rows of 6 to 12 f32:
    0.25 to 0.6 of the time, of 20 to 127 f32 0.6 to 0.9. Lower: values that are stored and loaded
    where computing them takes no longer."""

    flat_row_vectors: int = 8
    """Most vectors of such rows. Higher: what is beyond whole vectors is a small part."""

    joined_row_bytes: int = 64
    """Most bytes of rows that are taken together across dimensions around them (a vector, or a line of the cache).
    Measured for f32, 16 rows of 64 in the dimension around: a normalisation takes 1.5 of the time when all are joined;
    8 rows of 16: 0.6 to 1."""

    longest_joined_slice: int = 64
    """Extent of the last dimension from which on slices that are gathered whole stay as they are: a few vectors.
    Measured for a GELU of 17 slices of 300 x 4 x 8 f32: joined, 0.4 of the time."""

    fewest_rows_together_in: int = 64
    """Fewest rows of a kernel that takes several together: all of fewer take a microsecond or two."""

    longest_row_together_bytes: int = 2048
    """Size in bytes of rows that are not taken together: the next one is asked for instead (`Copies`). Measured for a
    softmax of rows of 4 KB, two at a time, 0.88 of the time in the second-level cache, beyond it 1.3."""

    store_weight: int = 4
    """How many loads a store counts for when the innermost loop is chosen: tiles of transposed inputs are
    copied, those of outputs are not."""

    accumulator_weight: int = 2
    """The same for an element of a row of accumulators, which is loaded from the first-level cache and stored there,
    once per trip."""

    loop_overhead: int = 4
    """Scalar operations that starting and ending an innermost loop costs (trip test, horizontal reduction)."""

    unrolled_trips: int = 16
    """Most iterations of a loop that is replaced by copies of its body."""

    unrolled_loop_operations: int = 400
    """Most ops these copies may be, for the time that later levels take; the rounds of Threefry are some 200."""

    unrolled_loop_bytes: int = 128 * 1024
    """Least size of what such a loop carries: below, an iteration takes microseconds, and the copies cost
    milliseconds to compile."""

    def windows_together(self, extent: int, work: int) -> int:
        """How many windows that overlap, of `extent`, are computed side by side; each takes so much `work`."""
        size = next((size for size in range(2, self.most_windows + 1) if extent % size == 0), 2)
        return size if size <= extent and size * work <= self.windows_work else 1

    def rows_together(
        self, times: int, rows: int, row_bytes: int, elements: int, lanes: int, chunks: int, flat: bool = False
    ) -> int:
        """How many of `rows` rows, of so many bytes and `elements`, an op goes through before the next one, so many
        `times`; there are at least so many `chunks` then, if there are now. Where loops go over rows they are whole
        vectors: groups of 25 rows of 6 f32 take 1.5 of the time of those of 32, of 30 rows 2.4, whatever is left.
        Nothing is left where costly loops are `flat`, through a group as through one row."""
        if row_bytes >= self.longest_row_together_bytes or times * rows < self.fewest_rows_together_in:
            return 1
        most = min(self.most_rows_together, self.rows_together_bytes // max(1, row_bytes), max(1, rows // chunks))
        size = tile_size(rows, most)
        whole = most - most % lanes
        return whole if elements <= self.interleaved_run and size % lanes and whole and not flat else size

    def worth_flat_rows(self, length: int, work: int, lanes: int) -> bool:
        """Whether an elementwise op of so much `work` gains by a loop through several rows of `length` elements as one:
        what a row has beyond whole vectors is computed one by one, or not in vectors at all."""
        return work >= self.flat_work and length <= self.flat_row_vectors * lanes and length % lanes != 0

    def worth_whole_rows(self, length: int, work: int, lanes: int) -> bool:
        """Whether ops of so much `work` go through rows of `length` elements without others that are cut there: pieces
        of a row are no whole vectors. Measured for the gradient of one column of a log-softmax of rows of 10 f32: 0.4
        of the time, of 32 0.6, of 128 0.9."""
        return work >= self.flat_work and length <= self.flat_row_vectors * lanes

    def worth_joining_rows(self, around: int, rows: int, row_bytes: int) -> bool:
        """Whether rows of so many bytes, of which the dimension around them has `around`, are rows of all dimensions
        around, `rows` in all: several are then taken together. Measured for a softmax of 4096 x 3 x 5 f32: 0.1 of the
        time."""
        is_short = row_bytes <= self.joined_row_bytes and rows >= self.fewest_rows_together_in
        return 1 < around < min(rows, self.most_rows_together) and is_short

    def worth_joining_slices(self, innermost: int) -> bool:
        """Whether slices that are gathered whole, of so many elements along their last dimension, are one row."""
        return innermost < self.longest_joined_slice

    def worth_joining_groups(self, groups: int, channels: int, elements: int, lanes: int) -> bool:
        """Whether ops on `elements` elements, innermost so many `groups` of `channels`, run over both at once."""
        return groups > 1 and 1 < channels < lanes and elements >= self.joined_group_elements

    def rows_joined(self, rows: int, length: int, lanes: int) -> int:
        """How many of `rows` rows of `length` elements, for all of which the same is computed, are one row; they take
        fewer vectors then. 1 where that gains little.
        """

        def cost(count: int) -> float:
            return (-(-count * length // lanes) + 1) / (count * length)

        most = min(rows, self.joined_row_elements // length)
        if rows * length < self.fewest_joined_elements or most < 2:
            return 1
        best = min((count for count in range(1, most + 1) if rows % count == 0), key=cost)
        return best if cost(1) >= self.joined_row_gain * cost(best) else 1

    def is_small_per_group(self, repeated: int, elements: int) -> bool:
        """Whether a tensor of `repeated` elements is small beside the `elements` that are computed with it."""
        return repeated * self.repeats_per_element <= elements

    def worth_unrolling_points(self, points: int, work: int, minor: bool) -> bool:
        """Whether loops of a reduction over so many `points`, of so much `work`, are copies of the body; in a `minor`
        nest where a loop would be as much code."""
        return points <= (2 if minor else self.unrolled_points) and self.worth_unrolling_run(points, work)

    def worth_scalars(self, points: int) -> bool:
        """Whether a single sum of so many points is formed of scalars: those that have just been stored one by one are
        not there yet as a vector. Measured for the stages of a Runge-Kutta method, 7 values in a loop: 0.78 of the
        time.
        """
        return points <= self.interleaved_run

    def worth_unrolling_run(self, points: int, work: int) -> bool:
        """Whether copies of a body of so much `work` for so many `points` are not too many operations."""
        return work * points <= (self.unrolled_run_work if points <= self.interleaved_run else self.unrolled_work)

    def worth_unrolling_windows(self, points: int, work: int, along_rows: bool) -> bool:
        """The same of a sum over windows that overlap; `along_rows`: along the innermost loop too."""
        most = self.window_points_along_rows if along_rows else self.window_points
        return points <= most and work * points <= self.windows_work

    def transposed_tile(self, size: int, l2_bytes: int) -> int:
        """The side of the tiles in which a tensor of `size` bytes is transposed."""
        return self.large_transpose_tile if size > 2 * l2_bytes else self.transpose_tile

    def worth_cutting_outside(self, loads: int, operations: int, pieces: int) -> bool:
        """Whether a loop around the innermost one is cut where the body changes: uncut, that has so many more
        `loads` and `operations`. `pieces`: into how many the nest would then be cut."""
        return pieces <= self.most_pieces and (loads > 0 or operations > self.selected_operations)

    def reduction_rows_per_trip(self, work: int, stores: bool, exact: bool = False) -> int:
        """How many rows a reduction over an outer dimension adds to its row of accumulators per trip. The
        accumulators are loaded and stored once per trip, so 4 rows make that traffic half the input's; more measured
        no faster, but the rows of a trip are added in short chains, so that sums are closer to the exact ones. Costly
        bodies gain less and are copied as often, so they get fewer; one, if the loop `stores` elements too: four are
        no faster then, and take 1.6 times the time to compile. Nor are more than four if it is `exact`, as maxima are:
        sixteen of these are three times the code."""
        if stores:
            return 1
        rows = 16 if work <= 1 else 8 if work == 2 else 4 if work <= 8 else 2 if work <= 24 else 1
        return min(rows, 4) if exact else rows

    def rows_per_trip_of(self, rows: int, work: int, stores: bool, exact: bool = False) -> int:
        """`reduction_rows_per_trip` of a reduction over `rows` rows: a divisor near by if there is one. Remaining
        rows are another nest, which goes through the accumulators again and takes as long to compile. Seven rows of
        a depthwise convolution at once take 1.4 of the time: their loads leave too few registers."""
        preferred = self.reduction_rows_per_trip(work, stores, exact)
        fewest = min(preferred // 2 + 1, 5)
        divisors = [size for size in range(fewest, preferred * 3 // 2 + 1) if rows % size == 0]
        return min(divisors, key=lambda size: abs(size - preferred), default=min(preferred, rows))

    def access_cost(self, stride: int | None, element_bytes: int, lanes: int, work: int, rows: int) -> float:
        """Relative cost of one memory access per innermost iteration of so much `work`, `lanes` of which are one
        vector, in a loop inside of `rows` over rows.

        Elements of runs too long or too costly for copies side by side are gathered, in loops that LLVM makes vectors
        of. It then has to do so with all loops over these rows, and makes less of the others: for rows of 9 and 10 f32
        a log-softmax takes 1.3 to 1.5 of the time of loops through each row, but sums alone 0.75 to 0.9.
        """
        if stride == 0:
            return 0.0
        if stride is None:
            return 2.0
        distance = abs(stride)
        if distance == 1:
            return (1.0 if stride > 0 else 1.5) / lanes
        if distance <= self.interleaved_stride:
            return (distance + 1.0) / lanes
        is_long = distance > self.interleaved_run
        gathers = rows > 0 if is_long else not self.worth_unrolling_run(distance, work)
        return 2.0 if gathers or distance * element_bytes >= CACHE_LINE_BYTES else 1.0

    def worth_unrolling(self, trips: int, operations: int, carried_bytes: int) -> bool:
        """Whether a loop of elementwise ops is replaced by `trips` copies of its body of `operations` ops: nothing
        goes through memory between them. Measured for 5 iterations of 45 ops on two tensors of a million elements: a
        fifth of the time."""
        return trips * operations <= self.unrolled_loop_operations and carried_bytes >= self.unrolled_loop_bytes
