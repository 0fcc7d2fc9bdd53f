"""Timing several sides in alternation, so that all see the same machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

Run = Callable[[], Any]
Clock = Callable[[], float]

BLOCK_SECONDS = 0.05
"""How long one side runs before the next takes its turn: long enough to outlast a change of threads and caches."""

SETTLE_SECONDS = 0.04
"""The pause between two turns. Threads of OpenBLAS and others that wait for work spin for some 30 ms, on a CPU that the
next side is to use."""

BUDGET_SECONDS = 6.0
"""After this time no further round begins: programs of seconds need fewer runs than those of microseconds."""

LEAST_ROUNDS = 2


@dataclass(frozen=True)
class Timing:
    """Seconds of one run of one side; `turns` are the medians of its turns."""

    median: float
    best: float
    runs: int
    turns: tuple[float, ...]

    @staticmethod
    def of(turns: Sequence[Sequence[float]]) -> Timing:
        """From the seconds of the runs of each turn."""
        seconds = [run for turn in turns for run in turn]
        return Timing(median(seconds), min(seconds), len(seconds), tuple(median(turn) for turn in turns))

    def ratio_to(self, other: Timing) -> float:
        """How many times as long as `other` this side takes: the median over turns that followed each other.

        A machine that others use is slower for seconds at a time; neighbours are slowed down alike.
        """
        return median(own / others for own, others in zip(self.turns, other.turns, strict=True))


def alternate(
    sides: Sequence[Run],
    blocks: int,
    *,
    block_seconds: float = BLOCK_SECONDS,
    budget_seconds: float = BUDGET_SECONDS,
    clock: Clock = time.perf_counter,
) -> list[Timing]:
    """The times of runs of each side, by `clock`: in turn, each runs for a block of `block_seconds`, `blocks` times."""
    times: list[list[list[float]]] = [[] for _ in sides]
    start = time.perf_counter()
    for number in range(blocks):
        if number >= LEAST_ROUNDS and time.perf_counter() - start > budget_seconds:
            break
        for run, turns in zip(sides, times, strict=True):
            time.sleep(SETTLE_SECONDS)
            turns.append(_block(run, block_seconds, clock))
    return [Timing.of(turns) for turns in times]


def _block(run: Run, block_seconds: float, clock: Clock) -> list[float]:
    """The times of runs that fill one block (at least one run), after one that warms up."""
    times: list[float] = []
    run()
    until = time.perf_counter() + block_seconds
    while not times or time.perf_counter() < until:
        start = clock()
        run()
        times.append(clock() - start)
    return times


def batched(run: Run, count: int) -> Run:
    """`count` runs as one: for what is too short to be timed by itself."""

    def batch() -> None:
        for _ in range(count):
            run()

    return batch
