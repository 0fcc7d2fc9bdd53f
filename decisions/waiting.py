"""How long threads of a team spin before they sleep, in nanoseconds.

A thread that spins as long as it takes to wake one never loses more than twice what the best choice would have cost
(Karlin, Manasse, McGeoch and Owicki, "Competitive randomized algorithms for nonuniform problems", 1990). On a core that
others want it takes from them, among which may be whom it waits for.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Waiting:
    """Numbers of threads that wait. Contracts: the runtime is compiled once for all programs of a process."""

    wake: int = 50_000
    """What it costs to wake a thread whose core is idle: the call, and the time until it runs. 7 to 30 microseconds in
    virtual machines with few cores, up to 100 where an idle core sleeps deeply."""

    polls: int = 16
    """Looks between two at the clock, which costs 20 nanoseconds; a pause between looks 25 to 45."""

    gap: int = 200_000
    """The time between two looks at the clock from which on something else has run on the core: an interrupt takes some
    microseconds, the shortest slice of Linux some hundred."""

    shared: int = 50_000_000
    """For so long after that the cores are taken to be shared: some slices."""

    shared_spin: int = 3_000
    """How long a thread spins on shared cores. A switch to another thread and back takes about that."""

    overdue: int = 100_000
    """After so long a caller that waits for the end of a part asks whether the thread has a core at all, and sleeps:
    more than a part of a small loop takes, less than a slice. Until then it spins on shared cores too: a caller that
    sleeps gives its core away, and finds it taken."""
