"""Which ops share a kernel or blocks of rows, and which kernels leave a loop or become part of the program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kernels:
    """Numbers of kernels, and of `linalg-block-row-chains`."""

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

    passed_constants: int = 4
    """Most constants that differ between kernels which become one: each is a register in its loops."""

    inlined_operations: int = 16
    """Most ops of a kernel without loops that becomes part of the program if it is called several times. A call costs a
    nanosecond or two and keeps scalars in memory; LLVM's time grows faster than the size of a function."""

    inlined_once_operations: int = 256
    """The same, in ops, of a kernel that is called once: nothing is copied. Higher: a larger entry function for
    LLVM."""

    hoisted_bytes: int = 1024
    """Least memory of a result that is computed in front of a loop: less is a few vectors."""

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

    def worth_hoisting(self, bytes_read: int, bytes_written: int) -> bool:
        """Whether what does not change in a loop should be computed once and kept.

        What is larger than its operands, as what repeats them, costs more to read again than to compute.
        """
        return self.hoisted_bytes <= bytes_written <= bytes_read

    def chain_block(self, batch: int, rows: int, row_bytes: int, shared_bytes: int, threads: int) -> int | None:
        """How many rows at a time a chain of contractions and row-wise ops runs on; `None`: each over all of them.

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
