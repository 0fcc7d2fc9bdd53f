"""What a profiled program has measured of its runs.

A program that is compiled with `profile=True` reads the counter of the CPU around each call of a kernel
(`lowering/to_llvm/profiling.py`) into the table here; `Executable.profile` runs it and makes seconds of the counts.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..decisions.profiling import COUNTER, EVENTS
from ..lowering.to_llvm import context_layout as layout
from .buffers import data_address
from .compiled_program import Site

if TYPE_CHECKING:
    import ctypes
    from collections.abc import Callable


class Measurement(NamedTuple):
    """A site with what it took in all runs together."""

    site: Site
    calls: int
    seconds: float


class Call(NamedTuple):
    """One call, in seconds since the first one that is known."""

    site: Site
    start: float
    end: float


class Profile(NamedTuple):
    """What `runs` runs of a program took."""

    runs: int
    threads: int
    seconds: float
    """In the program, all runs together."""
    sites: tuple[Measurement, ...]
    """What it calls, in the order of the program."""
    calls: tuple[Call, ...]
    """The last ones, in their order, runs of the program among them: the site without a callee."""

    @property
    def seconds_per_run(self) -> float:
        return self.seconds / self.runs

    @property
    def kernels(self) -> dict[str, Measurement]:
        """By what is called, all calls of it together; its site is the first one. The most expensive one first."""
        found: dict[str, Measurement] = {}
        for site, calls, seconds in self.sites:
            known = found.get(site.callee)
            if known is not None:
                site, calls, seconds = known.site, known.calls + calls, known.seconds + seconds
            found[site.callee] = Measurement(site, calls, seconds)
        return dict(sorted(found.items(), key=lambda item: -item[1].seconds))

    @property
    def fastest(self) -> dict[str, float]:
        """By what is called, the seconds of its fastest call among the last ones: without what other processes took."""
        found: dict[str, float] = {}
        for site, start, end in self.calls:
            found[site.callee] = min(end - start, found.get(site.callee, end - start))
        return found

    @property
    def other_seconds(self) -> float:
        """What is in no call: loops and branches of the program, and scalar arithmetic."""
        return max(0.0, self.seconds - sum(measurement.seconds for measurement in self.sites))


class ProfileTable:
    """The memory that generated code counts in."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self._sites = sites
        self._counts = layout.PROFILE_HEADER + EVENTS * layout.EVENT_WORDS
        self._words = np.zeros(self._counts + layout.SITE_WORDS * len(sites), np.int64)
        self.address = data_address(self._words)

    def clear(self) -> None:
        """Forget everything."""
        self._words[:] = 0

    def profile(self, threads: int) -> Profile:
        """What has been counted."""
        unit = seconds_per_count()
        counts = self._words[self._counts :].reshape(-1, layout.SITE_WORDS).tolist()
        measured = [
            Measurement(site, calls, count * unit) for site, (calls, count) in zip(self._sites, counts, strict=True)
        ]
        program, *others = measured
        return Profile(program.calls, threads, program.seconds, tuple(others), tuple(self._calls(unit)))

    def _calls(self, unit: float) -> list[Call]:
        number = int(self._words[0])
        events = self._words[layout.PROFILE_HEADER : self._counts].reshape(-1, layout.EVENT_WORDS)[:number]
        events = events[np.argsort(events[:, 1], kind="stable")]
        start = int(events[0, 1]) if len(events) else 0
        return [
            Call(self._sites[site], (first - start) * unit, (last - start) * unit)
            for site, first, last in events.tolist()
        ]


_CODE = f"""
declare i64 @{COUNTER}()
define i64 @count() {{
  %now = call i64 @{COUNTER}()
  ret i64 %now
}}
"""

CALIBRATION_SECONDS = 0.02
"""For how long the counter is compared with the clock: reading both takes less than a microsecond."""


@cache
def _counter() -> Callable[[], int]:
    import ctypes

    from .support_code import support_code

    code = support_code(_CODE, ("count",))
    function: ctypes._CFunctionType = ctypes.PYFUNCTYPE(ctypes.c_uint64)(code.address("count"))  # pyright: ignore[reportPrivateUsage]
    return lambda keep=code: function()


@cache
def seconds_per_count() -> float:
    """How long a count of the CPU's counter is, which counts at a constant rate."""
    count = _counter()
    count()
    first, start = count(), time.perf_counter()
    while (now := time.perf_counter()) - start < CALIBRATION_SECONDS:
        pass
    return (now - start) / max(1, count() - first)
