"""How chains of contractions run by blocks of rows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RowChains:
    """Numbers of `linalg-block-row-chains`."""

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
