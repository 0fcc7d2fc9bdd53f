"""What it costs to move a tensor between devices, against what it costs to compute with it."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2


@dataclass(frozen=True)
class Communication:
    """Numbers that the partitioner chooses by. Costs are in bytes that a device receives."""

    step_bytes: int = 32 * 1024
    """What a collective costs besides its bytes: some ten microseconds, in which memory moves as much. A larger number
    makes routes of fewer steps, and leaves small tensors replicated."""

    copy_share: float = 0.125
    """A byte that is copied on one device, in bytes between devices: it is read from a cache nobody else writes to.
    A larger number gathers where it would have sliced and gathered again."""

    flop_bytes: float = 0.01
    """A multiplication and an addition of a contraction, in bytes: what a core computes while a byte arrives, at a
    hundred such operations a byte. A larger number splits work at the price of more communication."""

    transform_products: int = 10
    """Multiplications and additions of a contraction that take as long as one of a Fourier transform: lines of a
    million f32 and more were transformed at 7 to 15 of them in a nanosecond, matrices multiplied at 126. A larger
    number transforms more lines in parts, and changes the dimension that is split more often."""

    comparison_products: int = 80
    """Multiplications and additions that take as long as to compare two elements and to move one: a million f32 were
    sorted in 5.4 ms, in which 17 MB arrive. A larger number splits the lines of sorts at the price of more
    communication."""

    search_bytes: int = 4096
    """A step of a search in sorted parts of lines: a microsecond. Measured: a million f32 on 8 devices of 2 cores were
    sorted in 10.6 ms in parts, in 38 ms as a whole; 10,000 in 1.3 ms both ways. A larger number gathers more."""

    search_candidates: int = 128
    """Comparisons that a step of such a search makes at once: about as many as take no longer than to go on to the next
    step. A larger number makes fewer, wider steps."""

    most_search_ways: int = 4
    """Into so many ranges a step divides a range, at most. A larger number makes fewer, wider steps."""

    most_routes: int = 4000
    """Layouts that are looked at on the way from one to another, before a tensor is gathered and sliced instead."""

    combined_bytes: int = 16 * 1024 * 1024
    """Most bytes of operands of collectives that become one. Waiting once instead of twice saves less than
    `step_bytes`; what is larger begins earlier by itself. A larger number makes fewer, later collectives."""

    def search_ways(self, parts: int, lines: int) -> int:
        """Into how many ranges a step of a search in sorted parts of lines divides each."""
        return max(2, min(self.most_search_ways, self.search_candidates // (2 * lines * parts * parts)))

    def sorting(self, length: int) -> float:
        """Multiplications and additions for an element of a sorted line of `length`."""
        return self.comparison_products * log2(max(length, 2))

    def step(self, moved: float) -> float:
        """A collective after which every device has received so many bytes."""
        return self.step_bytes + moved

    def copy(self, copied: float) -> float:
        """A copy of so many bytes on each device."""
        return 1 + self.copy_share * copied

    def work(self, products: float) -> float:
        """So many multiplications and additions on each device."""
        return self.flop_bytes * products
