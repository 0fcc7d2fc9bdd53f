"""Counters of passes: what `xla-opt --mlir-pass-statistics` prints of each.

    from ..ir.statistics import count

    count("num-loops", "Number of loops that were unrolled")

Where nobody asks for them nothing is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

Collector = Callable[[str, str, int], None]
"""Takes the name of a counter, what it counts, and by how much it grows."""

_collector: ContextVar[Collector | None] = ContextVar("_collector", default=None)


def count(name: str, description: str, amount: int = 1) -> None:
    """Add `amount` to a counter of the pass that runs."""
    collector = _collector.get()
    if collector is not None:
        collector(name, description, amount)


@contextmanager
def collected_by(collector: Collector) -> Generator[None]:
    """With `collector` for the counters of passes on this thread."""
    token = _collector.set(collector)
    try:
        yield
    finally:
        _collector.reset(token)
