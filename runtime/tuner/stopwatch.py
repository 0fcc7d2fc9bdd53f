"""Which of two ways to compute the same is faster, on a machine that others use too."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class Runnable(NamedTuple):
    """What is measured."""

    run: Callable[[], Sequence[Any]]
    label: str = ""
    """What it is: the schedule of a kernel, say."""


class Comparison(NamedTuple):
    """What `old` and `new` take, in seconds."""

    old: float
    new: float
    least: float
    """The time of the new one by that of the old one: the smaller one of two estimates."""
    most: float
    """And the larger one."""

    def confirmed_by(self, other: Comparison) -> Comparison:
        """Both together: no estimate is left out."""
        least, most = min(self.least, other.least), max(self.most, other.most)
        return Comparison(min(self.old, other.old), min(self.new, other.new), least, most)


@dataclass(frozen=True)
class Stopwatch:
    """Runs two programs in turn, so that what the machine does otherwise meets both. Two estimates of how they compare
    have to agree: the quotient of the least times, and the median of the quotients of neighbours.
    """

    clock: Callable[[], float] = time.perf_counter
    margin: float = 0.03
    """By how much a schedule has to be faster to be kept."""
    noise: float = 0.01
    """By how much a program may seem slower that is not."""
    rounds: int = 7
    sample_seconds: float = 0.0005
    """What is over sooner runs several times between two looks at the clock."""
    longest: float = 2.0
    """In seconds: how long one comparison takes, but for two runs of each."""
    hopeless: float = 1.5
    """What takes so many times as long is not measured any further."""

    def seconds(self, program: Runnable) -> float:
        """The least time of a few runs."""
        return min(self._time(program, 1) for _ in range(3))

    def compare(self, old: Runnable, new: Runnable) -> Comparison:
        """Both have run before."""
        times = [(self._time(old, 1), self._time(new, 1))]
        repeats = max(1, int(self.sample_seconds / max(times[0][0], 1e-7)))
        if repeats > 1:
            times = [(self._time(old, repeats), self._time(new, repeats))]
        end = self.clock() + self.longest
        while len(times) < self.rounds and self.clock() < end:
            if len(times) == 2 and min(new for _, new in times) > self.hopeless * min(old for old, _ in times):
                break
            if len(times) % 2:
                new_time, old_time = self._time(new, repeats), self._time(old, repeats)
            else:
                old_time, new_time = self._time(old, repeats), self._time(new, repeats)
            times.append((old_time, new_time))
        least_old, least_new = min(old for old, _ in times), min(new for _, new in times)
        estimates = least_new / least_old, statistics.median(new / old for old, new in times)
        return Comparison(least_old, least_new, min(estimates), max(estimates))

    def faster(self, old: Runnable, new: Runnable) -> tuple[bool, Comparison]:
        """Whether the new one is faster by the margin, which a second comparison has to confirm."""
        found = self.compare(old, new)
        if found.most <= 1 - self.margin:
            found = found.confirmed_by(self.compare(old, new))
        return found.most <= 1 - self.margin, found

    def not_slower(self, old: Runnable, new: Runnable) -> tuple[bool, Comparison]:
        """Whether the new one is no slower, as far as can be seen; what seems slower is looked at again."""
        found = self.compare(old, new)
        if found.least > 1 + self.noise:
            found = found.confirmed_by(self.compare(old, new))
        return found.least <= 1 + self.noise, found

    def _time(self, program: Runnable, repeats: int) -> float:
        start = self.clock()
        for _ in range(repeats):
            program.run()
        return max(self.clock() - start, 1e-9) / repeats
