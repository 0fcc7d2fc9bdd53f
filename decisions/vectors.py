"""What becomes vector code, and how wide."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Vectors:
    """Numbers of `loops-vectorize`."""

    most_registers: int = 4
    """Most registers that a vector of a loop fills. A chain of dependent ops waits 4 cycles for each result, while
    two others could be started in each: four chains side by side fill the time of loads and of sums. Measured for
    the 190 ops of random numbers: two chains take a seventh less time than one. Higher: more registers live at once,
    and more code."""

    interleaved_operations: int = 900
    """Most instructions that the body of a loop may have when its vectors fill several registers. Measured for rows of
    Gumbel's random numbers: with four registers 0.85 of the time that two take, 1.05 of the compile time; 24 other
    programs stay as they are. Higher: longer compile time for chains that are long enough already."""

    minor_share: int = 16
    """A loop that does less than this part of the steps of a function has vectors of one register. Lower: less code
    for LLVM, and slower ends of kernels."""

    minor_operations: int = 24
    """Instructions up to which a loop of `minor_share` that fits into one vector of several registers is that vector:
    a loop is some eight more ops for every pass and for LLVM."""

    looped_body_cost: float = 0.5
    """What a loop around vectors costs, in vectors."""

    remainder_operations: int = 4
    """Ops of a loop with variable bounds that may stay one over elements beside loops over vectors: filling what is
    left of a row."""

    vector_steps_per_scalar_step: int = 4
    """How many steps of loops that become vector code there have to be for each step of a loop beside them that
    stays as it is (a gather, a chain of additions with their errors): what LLVM's vectoriser gains on gathers is less
    than half of their time."""

    def interleaved_vectors(self, operations: int, live: int, registers: int, streams_across_lines: bool) -> int:
        """How many registers each vector of a loop fills, a power of two, where `live` of them are needed at once.

        One, where they are stored across cache lines of memory: measured for rows of 2047 f32, 16 MB, three quarters
        of the time that four take.
        """
        if streams_across_lines:
            return 1
        count = self.most_registers
        while count > 1 and (count * live > registers or count * operations > self.interleaved_operations):
            count //= 2
        return count

    def is_minor(self, steps: int, all_steps: int) -> bool:
        """Whether the `steps` of a loop matter little among those of all loops of its function."""
        return steps * self.minor_share < all_steps

    def worth_one_piece(self, instructions: int) -> bool:
        """Whether a loop that does little is one wide vector of so many `instructions`, and no loop."""
        return instructions <= self.minor_operations

    def is_small_beside_vectors(self, scalar: int, vectorized: int) -> bool:
        """Whether so many steps of loops that stay as they are matter little beside those that become vector code."""
        return scalar * self.vector_steps_per_scalar_step <= vectorized
