"""How much work programs do between two chances to be stopped, in ops of loop bodies."""

from __future__ import annotations

from dataclasses import dataclass

FIRST_WORK = 1 << 20
"""The work after which a function asks the runtime whether to go on, for the first time and later: 10 microseconds of
the fastest vector code, for a question of 50 nanoseconds. A contract: the runtime, compiled once
for all programs of a process, counts on with the same number."""


@dataclass(frozen=True)
class Safepoints:
    """Numbers of safepoints."""

    uninterrupted_work: int = 1 << 24
    """The most work, in ops of loop bodies, that a program does without a chance to be stopped: 0.2 ms if LLVM
    vectorises all of it, 20 ms of scalar code, some tenths of a second where every load waits for memory."""

    brief_work: int = 1 << 12
    """The most work, in ops of loop bodies, of a program that keeps Python's lock while it runs: a microsecond where
    LLVM vectorises it, 10 where it does not. To let go of the lock and to take it again costs 0.04 microseconds."""

    safepoint_work: int = 1 << 14
    """The least work between two chances to be stopped in a kernel, which cost two instructions each: 0.2
    microseconds of the fastest vector code."""

    strip_work: int = 1 << 18
    """The work of a strip of a long loop over small bodies: some microseconds of the fastest vector code."""

    assumed_trips: int = 256
    """How often a counting loop is taken to run whose bounds depend on data."""

    called_safepoint_work: int = 1 << 16
    """The work from which on a chance to be stopped is a call, of 2 nanoseconds, and not written out, which is five
    more instructions for LLVM to look at."""

    called_work: int = 1 << 18
    """What the call of a function outside of the program is taken for: one of Python takes some microseconds at
    least."""

    long_part_work: int = 1 << 28
    """The work of a part of a parallel loop from which on the thread that began the loop, once it has nothing left
    to do, looks every now and then whether the program is to stop, instead of waiting for the others: some
    milliseconds at least, of which it may sleep a sixty-fourth too long."""

    def strip_trips(self, work: int) -> int:
        """How many iterations of `work` ops each a strip of a long loop has."""
        return max(2, self.strip_work // max(1, work))
