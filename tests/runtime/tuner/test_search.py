"""The search, through trees that stand for numbers."""

from __future__ import annotations

import random

import pytest
from xdsl_xla.dialects.schedule.tree import Compute, Tree
from xdsl_xla.runtime.tuner.search import ENOUGH, Candidate, Search


def number(tree: Tree) -> int:
    return len(tree.nodes)


def tree(number: int) -> Tree:
    return Tree((Compute("op", ()),) * number)


def one_more_or_less(tree_: Tree, rnd: random.Random) -> tuple[str, Tree] | None:
    change = rnd.choice([-1, 1])
    return None if not 0 <= number(tree_) + change <= 20 else (f"{change:+}", tree(number(tree_) + change))


def search(seed: int, start: int = 10) -> tuple[Search, list[int]]:
    """For 3; the cost is the distance. 2 does not count."""
    judged: list[int] = []
    best = [start]

    def judge(candidate: Tree) -> tuple[float, bool] | None:
        value = number(candidate)
        judged.append(value)
        if value == 2:
            return None
        quotient = (abs(value - 3) + 1) / (abs(best[0] - 3) + 1)
        if quotient < 0.97:
            best[0] = value
        return quotient, quotient < 0.97

    return Search(Candidate(tree(start)), one_more_or_less, judge, random.Random(seed)), judged


@pytest.mark.parametrize("seed", range(5))
def test_it_finds_the_best(seed: int) -> None:
    found, judged = search(seed)
    found.run(lambda: True)
    assert number(found.best.tree) == 3
    assert found.best.cost == pytest.approx(1 / 8)
    assert sum(map(int, found.best.changes)) == -7
    assert len(judged) == len(set(judged)), "nothing is measured twice"


def test_a_seed_says_what_happens() -> None:
    runs = [search(1), search(1), search(2)]
    for found, _ in runs:
        found.run(lambda: True)
    assert runs[0][1] == runs[1][1] != runs[2][1]


def test_time() -> None:
    found, judged = search(0)
    found.run(lambda: len(judged) < 3)
    assert len(judged) == 3 and not found.is_over


def test_it_is_over_when_there_is_nothing_new() -> None:
    found, judged = search(0)
    found.run(lambda: True)
    assert found.is_over and len(judged) <= 20 < ENOUGH


def test_it_is_over_after_enough() -> None:
    def anything(_: Tree, rnd: random.Random) -> tuple[str, Tree]:
        return "any", tree(rnd.randrange(1000))

    found = Search(Candidate(tree(0)), anything, lambda _: (1.0, False), random.Random(0))
    found.run(lambda: len(found.seen) < ENOUGH)
    assert not found.is_over
    found.run(lambda: len(found.seen) < ENOUGH + 2)
    assert found.is_over


def test_what_does_not_count() -> None:
    found, judged = search(0)
    found.run(lambda: True)
    assert 2 in judged
    assert all(number(each.tree) != 2 for each in found.elite)
    assert [each.cost for each in found.elite] == sorted(each.cost for each in found.elite)
