"""A limit on the time that the main thread computes. POSIX only."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager


class CpuTimeError(BaseException):
    """The time is up. Not an `Exception`, so that the code under the limit does not catch it."""


@contextmanager
def cpu_time_limit(seconds: float) -> Generator[None]:
    """Raises `CpuTimeError` when the block has computed for that long, also within a match of a regular expression."""

    def stop(*_: object) -> None:
        raise CpuTimeError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
