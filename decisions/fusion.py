"""Which values are computed in their readers instead of being stored."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fusion:
    """Numbers of elementwise fusion."""

    recomputed_operations: int = 6
    """A value of at most this many simple instructions is cheaper to compute again than to store and load."""

    fused_depth: int = 64
    """Ops in a chain that become one. A longer chain gains little from saving one more trip to memory, and LLVM's time
    grows faster than the size of a loop body.
    """

    selected_parts: int = 4
    """Most parts of a concatenation that its readers select: each is a copy of the loops that read it."""

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
