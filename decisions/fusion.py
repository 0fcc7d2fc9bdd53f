"""Which ops share a kernel: the one place that decides, as `ControlFusionFn` of MLIR's fusion is one function.

A pass that finds ops which *can* share a kernel says so as a `Candidate`, with the numbers that tell whether they
should, and asks `Fusion.fuse`. Another policy is a subclass:

    class NoRows(Fusion):
        def fuse(self, candidate):
            return not isinstance(candidate, Rows) and super().fuse(candidate)

`docs/fusion.md` has one that runs. The ops of a candidate are those of xDSL, for policies that look at them; what is
here looks at numbers alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias


class IntoReaders(NamedTuple):
    """An elementwise op that could be computed inside each of its readers, and not be stored.

    `operations`: what one element costs; `full_inputs`: inputs as large as the value; `sites`: places that read it;
    `recomputation`: how often the most eager reader would compute each element.
    """

    op: object
    readers: Sequence[object]
    operations: int
    full_inputs: int
    sites: int
    recomputation: float


class Parts(NamedTuple):
    """A concatenation or padding whose readers could select the part to read. `tensors`: how many are parts."""

    op: object
    readers: Sequence[object]
    tensors: int
    in_last_dimension: bool


class Finish(NamedTuple):
    """An elementwise op that alone reads what a contraction computes: it could work on the sums in registers."""

    op: object
    product: object


class SamePoints(NamedTuple):
    """An op that could be in the loops of a kernel: it runs over the same points, or both compute single elements."""

    op: object
    members: Sequence[object]


class Rows(NamedTuple):
    """An op that could be in a kernel that works row by row.

    `rows`: how many rows there would be; `row_bytes`: what all members write per row; `same_rows`: whether the kernel
    keeps the rows it had.
    """

    op: object
    members: Sequence[object]
    rows: int
    row_bytes: int
    same_rows: bool


class OnePass(NamedTuple):
    """An op that has no link to a kernel, but reads a tensor of `size` bytes that `reader`, a member, reads too.

    `reductions_only`: whether both are reductions; `distance`: how many ops of the program apart they are.
    """

    op: object
    reader: object
    size: int
    reductions_only: bool
    distance: int


Candidate: TypeAlias = IntoReaders | Parts | Finish | SamePoints | Rows | OnePass
"""Ops that can share a kernel."""


@dataclass(frozen=True)
class Fusion:
    """Numbers of fusion, and what follows from them."""

    recomputed_operations: int = 6
    """A value of at most this many simple instructions is cheaper to compute again than to store and load."""

    fused_depth: int = 64
    """Ops in a chain that become one. A longer chain gains little from saving one more trip to memory, and LLVM's time
    grows faster than the size of a loop body.
    """

    selected_parts: int = 4
    """Most parts of a concatenation that its readers select: each is a copy of the loops that read it."""

    kernel_operations: int = 1500
    """The work per element, counted by `scalar_cost`, up to which ops share a kernel: LLVM's time grows faster than the
    size of a function.
    """

    kernel_members: int = 64
    """Most ops that share a kernel. Each reads or writes a tensor of its own: so many streams are more than a CPU
    fetches ahead, and joining more of them saves little of their traffic."""

    row_bytes: int = 48 * 1024
    """What a fused row kernel may keep per row before its rows fall out of the first-level cache's reach."""

    reduced_once_bytes: int = 1024
    """Size of a tensor, in bytes, from which on reductions that read all of it, with no link between them, are one
    pass. Measured for two, four reductions: of 4 KB 0.9 of the time, of 1 MB 0.7, of 16 MB 0.6, 0.35; one kernel
    also takes less time to compile. For an elementwise op and a reduction of 1 MB 0.65, for two, four elementwise
    ops of 256 KB 1.07, 1.23, of 1 MB 1.0, 0.6."""

    read_once_bytes: int = 512 * 1024
    """The same in bytes where one of the ops writes as much as it reads: more streams are slower until memory is.
    Lower: fewer passes over memory, with more streams each."""

    near_ops: int = 32
    """How many ops of the program may stand between elementwise ops that become one pass: the result of the second
    is in memory for so much longer."""

    chain_block_bytes: int = 512 * 1024
    """What a block of rows may keep, in bytes, of the results between the contractions of a chain: half of a
    second-level cache of a megabyte. Higher: larger blocks, which reread the shared operands less and leave the
    cache sooner."""

    chain_shared_bytes: int = 2 * 1024 * 1024
    """What may be read again for every block, in bytes (keys and values of attention), from the third-level cache."""

    fewest_chain_rows: int = 16
    """Fewest rows of a block: with fewer, reading the right operands again takes as long as multiplying by them."""

    most_chain_rows: int = 128
    """Most rows of a block: more gain nothing."""

    def fuse(self, candidate: Candidate) -> bool:
        """Whether the ops of `candidate`, which can share a kernel, do. What is turned down may come again in another
        form, or with other ops.
        """
        match candidate:
            case IntoReaders(_, _, operations, full_inputs, sites, recomputation):
                return self.worth_computing_in_readers(operations, full_inputs, sites, recomputation)
            case Parts(_, readers, tensors, in_last_dimension):
                return self.worth_selecting_parts(tensors, in_last_dimension, len(readers))
            case Rows(_, _, rows, row_bytes, same_rows):
                return self.worth_sharing_rows(rows, row_bytes, same_rows)
            case OnePass(_, _, size, reductions_only, distance):
                return self.worth_reading_once(size, reductions_only, distance)
            case Finish() | SamePoints():
                return True

    def has_room(self, operations: int, members: int) -> bool:
        """Whether a kernel of so many `members`, which do `operations` per element together, is not too large."""
        return operations <= self.kernel_operations and members <= self.kernel_members

    def worth_computing_in_readers(self, operations: int, full_inputs: int, readers: int, recomputation: float) -> bool:
        """Whether a value is computed inside each of its readers instead of being stored.

        `operations`: what one element costs; `full_inputs`: inputs as large as the value; `readers`: places that
        read it; `recomputation`: how often the most eager reader would compute each element. Pure data movement
        always moves into its readers. With one reader nothing is computed twice. With several, or where a reader
        broadcasts the value, it has to be cheap and must not multiply the memory traffic.
        """
        if operations == 0:
            return full_inputs <= 1 or readers == 1
        if readers == 1 and recomputation <= 1.0:
            return True
        if recomputation > 1.0:
            return operations <= 2 and full_inputs <= 1
        return operations <= self.recomputed_operations and full_inputs <= 1

    def worth_selecting_parts(self, tensors: int, in_last_dimension: bool, readers: int) -> bool:
        """Whether the readers of a concatenation or padding select the part to read, instead of reading it from memory.

        `tensors`: how many different ones are parts. With several readers, loops over rows may be around all of
        them: where parts are rows of different tensors, every row would be read of each.
        """
        return tensors <= 1 or in_last_dimension or readers == 1

    def worth_sharing_rows(self, rows: int, row_bytes: int, same_rows: bool) -> bool:
        """Whether an op should join a kernel that works row by row.

        `rows`: how many rows there would be; `row_bytes`: what all members write per row; `same_rows`: whether the
        kernel keeps the rows it had. Fewer and larger rows are accepted only while they stay in cache and there are
        enough of them to share among threads.
        """
        if rows < 2:
            return False
        return row_bytes <= self.row_bytes and (same_rows or rows >= 8)

    def worth_reading_once(self, size: int, reductions_only: bool, distance: int) -> bool:
        """Whether ops with no link between them, `distance` ops apart, share a kernel as they read a tensor of `size`
        bytes.
        """
        if reductions_only:
            return size >= self.reduced_once_bytes
        return size >= self.read_once_bytes and distance <= self.near_ops

    def worth_joining_images(self, images: int, padded_bytes: int, l2_bytes: int, threads: int) -> bool:
        """Whether windows over `images` padded images, of so many bytes together, are computed image by image, on as
        many threads. Measured for windows of 3 x 3 over 8 images of 56 x 56 or 112 x 112 places: 0.75 and 0.67 of the
        time. All that fits into the second-level cache is near enough.
        """
        shared = threads == 1 or images % threads == 0 or images >= 8 * threads
        return images > 1 and 2 * padded_bytes > l2_bytes and shared

    def chain_block(self, batch: int, rows: int, row_bytes: int, shared_bytes: int, threads: int) -> int | None:
        """How many rows at a time, a divisor of `rows`, a chain of contractions and row-wise ops runs on; `None`: each
        over all of them.

        There are `batch` times `rows` rows; `row_bytes` of a row are in memory only between the ops of the chain, and
        `shared_bytes` are read for every block. Where all rows are in the second-level cache anyway, there is no gain.
        """
        if batch * rows * row_bytes <= 2 * self.chain_block_bytes or shared_bytes > self.chain_shared_bytes:
            return None
        most = min(self.most_chain_rows, rows, self.chain_block_bytes // max(1, row_bytes))
        for size in range(most, self.fewest_chain_rows - 1, -1):
            blocks = batch * rows // size
            if rows % size == 0 and (threads == 1 or blocks % threads == 0 or blocks >= 8 * threads):
                return size
        return None
