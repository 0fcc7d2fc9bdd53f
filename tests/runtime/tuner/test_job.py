"""What is kept of the candidates for one kernel."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from xdsl_xla.dialects.schedule.syntax import text_of
from xdsl_xla.dialects.schedule.tree import Tree
from xdsl_xla.errors import InternalError, UnsupportedError
from xdsl_xla.lowering.neighbours import Named
from xdsl_xla.runtime.tuner.job import Job, Run
from xdsl_xla.runtime.tuner.stopwatch import Runnable

from .programs import EXP, kernel, known_times
from .test_neighbours import read

FIRST = read("for m = 0 to 384 { compute exp at (m floordiv 16, m mod 16) }")
TILES = "for i = 0 to 24 by {0} {{ for t = 0 to {0} {{ for j = 0 to 16 {{ compute exp at (i + t, j) }} }} }}"
BY = {size: read(TILES.format(size)) for size in (2, 3, 4, 6, 8)}
RIGHT = [np.float32([1, 2])]


def size_of(text: str) -> int:
    return next((size for size in BY if f"by {size} " in text), 1)


def job(times: dict[int, float]) -> Job:
    """Candidates are tiles of 2 to 8 rows; by 3 other values come out, by 4 and 6 the compiler gives up."""

    def build(tree: Tree) -> Run:
        size = size_of(text_of(tree))
        if size == 4:
            raise UnsupportedError("no")
        if size == 6:
            raise InternalError("oh")
        return lambda: [np.float32([1, 3])] if size == 3 else RIGHT

    def near(_: Tree) -> Sequence[Named]:
        return [(f"split i by {size}", tree) for size, tree in BY.items()]

    _, found = kernel(EXP)
    watch = known_times(lambda label: times[size_of(label)])
    return Job(found, watch, build, Runnable(lambda: RIGHT, text_of(FIRST)), RIGHT, near)


def test_a_better_one_is_kept() -> None:
    work = job({1: 1.0, 2: 0.9, 8: 0.5, 3: 0.1, 4: 0.1, 6: 0.1})
    search = work.search(random.Random(0))
    search.run(lambda: True)
    assert search.best.tree == BY[8] and search.best.cost == 0.5
    assert work.best.label == text_of(BY[8])
    reasons = {size_of(label): reason for label, reason in work.refused.items()}
    assert reasons == {3: "other values", 4: "no", 6: "oh"}
    assert work.seconds == 1.0


def test_what_is_better_by_less_than_the_margin_is_not() -> None:
    work = job({1: 1.0, 2: 0.98, 3: 1.0, 8: 0.975})
    search = work.search(random.Random(0))
    search.run(lambda: True)
    assert search.best is search.start and work.best is work.first
