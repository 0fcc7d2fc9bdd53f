"""Where values lie, and what is copied to get them there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Memory:
    """Numbers of buffers and scratch memory."""

    row_scratch_bytes: int = 64 * 1024
    """Most stack a fused kernel may use for the rows it keeps in cache."""

    scalar_bytes: int = 16
    """The largest value of the program that lives outside the arena, where LLVM can keep it in a register: one
    element."""

    place_changing_bytes: int = 512
    """Size from which on a value that a loop carries gets another buffer instead of being copied: a few vectors are
    copied in the time that a pointer from memory takes, and where the buffer is fixed LLVM may keep them in
    registers."""

    accumulator_bytes: int = 16 * 1024
    """Accumulators that a reduction over outer dimensions keeps in the first-level cache, half of which they may
    fill."""

    inline_constant_bytes: int = 1024
    """The largest constant that is a part of the code: LLVM takes seconds for a megabyte. Larger ones are in a table of
    the context, a load away."""

    bordered_bytes: int = 64 * 1024
    """Size of a buffer from which only the border around what overwrites its middle is filled: below, the loops cost
    more than the second store."""

    def worth_changing_places(self, size: int) -> bool:
        """Whether loops carry pointers to buffers of `size` bytes instead of copying what is in them."""
        return size >= self.place_changing_bytes

    def worth_filling_borders(self, elements: int, overwritten: int, element_bytes: int) -> bool:
        """Whether a fill of `elements`, most of which are overwritten at once, becomes fills of the rest."""
        return elements * element_bytes >= self.bordered_bytes and overwritten * 2 >= elements

    def worth_padding_edges(self, shape: Sequence[int], bytes_per_element: int) -> bool:
        """Whether padding of a matrix product is written around it, a loop for each edge, instead of everywhere
        before: for what is too large for the first-level cache everything would be written to memory twice."""
        return prod(shape) * bytes_per_element >= 2 * self.row_scratch_bytes
