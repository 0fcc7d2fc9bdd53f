"""Which kernels are one but for numbers, leave a loop or become part of the program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kernels:
    """Numbers of kernels."""

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

    hoisted_points: int = 256
    """How many points of an op make a smaller result worth it too, such as the sum of what a loop does not change: some
    20 ns in each iteration. Lower: more buffers that live as long as the loop."""

    def worth_hoisting(self, bytes_read: int, bytes_written: int, points: int) -> bool:
        """Whether what does not change in a loop should be computed once and kept, an op of so many `points`.

        What is larger than its operands, as what repeats them, costs more to read again than to compute.
        """
        if bytes_written < self.hoisted_bytes:
            return points >= self.hoisted_points
        return bytes_written <= bytes_read
