"""Timing two compiled programs in alternation, so that both see the same machine."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .peers import Peer, Run
from .suite import Program

BLOCK_SECONDS = 0.05
"""How long one side runs before the other takes its turn: long enough to outlast a change of threads and caches."""


@dataclass(frozen=True)
class Sample:
    """One side's figures for one program, in seconds."""

    compile_seconds: float
    run_seconds: float
    """The median over all runs."""
    best_seconds: float


@dataclass(frozen=True)
class Comparison:
    """One program on both sides; ratios are ours / theirs, below 1 is faster."""

    program: str
    ours: Sample
    theirs: Sample
    worst_difference: float
    """The largest difference of an output element, relative to the largest magnitude of that output."""

    @property
    def run_ratio(self) -> float:
        return self.ours.run_seconds / self.theirs.run_seconds

    @property
    def compile_ratio(self) -> float:
        return self.ours.compile_seconds / self.theirs.compile_seconds

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "run_ratio": self.run_ratio, "compile_ratio": self.compile_ratio}


def _block(run: Run) -> list[float]:
    """The times of runs that fill one block (at least one run)."""
    run()
    times: list[float] = []
    until = time.perf_counter() + BLOCK_SECONDS
    while not times or time.perf_counter() < until:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return times


def _difference(ours: list[NDArray[Any]], theirs: list[NDArray[Any]]) -> float:
    worst = 0.0
    for a, b in zip(ours, theirs, strict=True):
        if a.size == 0:
            continue
        wide = np.complex128 if a.dtype.kind == "c" else np.float64
        a, b = a.astype(wide), b.astype(wide)
        if not np.array_equal(np.isnan(a), np.isnan(b)):
            return float("inf")
        scale = float(np.nanmax(np.abs(b))) or 1.0
        worst = max(worst, float(np.nanmax(np.abs(a - b))) / scale)
    return worst


def compare(program: Program, ours: Peer, theirs: Peer, blocks: int) -> Comparison:
    """Compiles `program` on both sides and runs them in `blocks` alternating blocks."""
    their_compile, their_run = theirs.compile(program)
    our_compile, our_run = ours.compile(program)
    difference = _difference(ours.outputs(our_run()), theirs.outputs(their_run()))
    our_times: list[float] = []
    their_times: list[float] = []
    for _ in range(blocks):
        our_times += _block(our_run)
        their_times += _block(their_run)
    return Comparison(
        program.name,
        Sample(our_compile, median(our_times), min(our_times)),
        Sample(their_compile, median(their_times), min(their_times)),
        difference,
    )
