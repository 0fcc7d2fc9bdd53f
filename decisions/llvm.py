"""What LLVM is asked to do for a function."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class LlvmTiers:
    """Numbers of what LLVM optimises and unrolls."""

    brief_steps: int = 1500
    """The most ops of a run of a function that LLVM does not optimise at all: unoptimised it takes some tenths of a
    microsecond more at most, and measured, nothing (a Fourier transform of 16 numbers, 1.6 microseconds either way)."""

    fully_unrolled_trips: int = 16
    """Most iterations of a loop that LLVM unrolls as a whole. A vector holds up to 16 elements: shorter loops are
    run by its remainder code, which is scalar. Higher: more code, and more time in LLVM."""

    gathering_operations: int = 64
    """Most ops of a loop, address arithmetic included, that is a gather and little else, of which LLVM makes nothing
    better. Higher: loops with ten divisions behind a gather run three times as long, element by element (JAX MD's
    forces of neighbours, Zen 5). Lower: more time in LLVM."""

    fully_unrolled_operations: int = 400
    """Most ops, address arithmetic included, that unrolling a loop as a whole may give. Higher: more time in LLVM."""

    most_lines_of_loops: int = 3000
    """The longest program in `Tier.LOOPS`, in instructions and blocks: the time of that tier's passes is about the
    square of the size of a function. The loops of a program this long are around calls of kernels, or over a few
    elements."""

    most_nested_loops: int = 32
    """Loops in each other, beyond which a function is left to the code generator, and what calls the kernels to that of
    level 0: the time of LLVM's passes is about the square of their number, and its value numbering ends the process
    where there are a hundred."""

    lines_per_part: int = 80
    """Least size of the parts a tier is split into for the sake of threads, in lines of LLVM IR: some 10 ms of work. A
    part costs 2 ms."""

    lines_ahead: int = 400
    """Size at which a part goes to LLVM before the functions that come after are lowered. Lower: LLVM is busy sooner,
    with more parts."""

    first_lines_ahead: int = 60
    """The same for the first part, without which LLVM does nothing. Higher: the kernel of a small program waits for the
    functions that call it, 1 ms in 20."""

    loops_line_cost: float = 3.0
    """What LLVM takes for a line of `Tier.LOOPS`, in lines of `Tier.TILES`, which take some 0.03 ms each (Zen 5).
    Higher: more and smaller parts of such lines, fewer of others."""

    vectors_line_cost: float = 2.0
    """The same for a line of `Tier.VECTORS`."""

    def line_cost(self, tier: str) -> float:
        """What LLVM takes for a line of a tier; next to that, those of programs cost nothing."""
        costs = {"loops": self.loops_line_cost, "vectors": self.vectors_line_cost, "program": 0.0}
        return costs.get(tier, 1.0)

    def goes_ahead(self, lines: int, others: bool) -> bool:
        """Whether so many lines go to LLVM now; `others`: whether it has been given some."""
        return lines >= (self.lines_ahead if others else min(self.first_lines_ahead, self.lines_ahead))

    def is_brief(self, steps: int) -> bool:
        """Whether a function that takes so many steps is not worth optimising."""
        return steps <= self.brief_steps

    def worth_vectorizing_gathers(self, operations: int) -> bool:
        """Whether LLVM is to see a loop of so many ops that loads from places that it finds, to make vectors of it."""
        return operations > self.gathering_operations

    def worth_full_unrolling(self, trip_count: int, operations: int) -> bool:
        """Whether a loop with so many ops in its body, and no loop, should be replaced by `trip_count` copies of it."""
        return trip_count <= self.fully_unrolled_trips and trip_count * operations <= self.fully_unrolled_operations
