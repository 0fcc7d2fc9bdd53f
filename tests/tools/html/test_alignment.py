"""Two levels side by side."""

from __future__ import annotations

import random

import pytest
from xdsl_xla.tools.html.alignment import Edge, Run, align

GUESS = 3


def lines_of(runs: list[tuple[Run, int]], before: list[str], after: list[str]) -> None:
    """The runs go through all lines, and what they keep reads the same."""
    i = j = 0
    for run, length in runs:
        if run is Run.KEEP:
            assert before[i : i + length] == after[j : j + length]
        i += length * (run is not Run.INSERT)
        j += length * (run is not Run.DELETE)
    assert (i, j) == (len(before), len(after))


def test_an_op_that_becomes_another_stands_beside_it() -> None:
    before, after = ["f {", "  a", "  b", "}"], ["f {", "  a", "  c", "  d", "}"]
    edges = [[Edge(0, 0)], [Edge(1, 0)], [Edge(2, 1)], [], []]
    assert align(before, after, edges, GUESS) == [(Run.KEEP, 2), (Run.CHANGE, 1), (Run.INSERT, 1), (Run.KEEP, 1)]


def test_equal_lines_of_other_ops_are_not_kept() -> None:
    before, after = ["  zero", "  one"], ["  one", "  zero"]
    edges = [[Edge(0, 1)], [Edge(1, 1)]]
    assert (Run.KEEP, 1) not in align(before, after, edges, GUESS)


def test_what_is_guessed_is_a_change() -> None:
    assert align(["a"], ["a"], [[Edge(0, GUESS)]], GUESS) == [(Run.CHANGE, 1)]
    assert align(["a"], ["a"], [[Edge(0, 2)]], GUESS) == [(Run.KEEP, 1)]


def test_the_outermost_op_is_the_partner() -> None:
    before, after = ["  reduce"], ["  empty", "  generic", "    add", "    yield"]
    edges = [[Edge(0, 2)]] * 4
    assert align(before, after, edges, GUESS) == [(Run.INSERT, 1), (Run.CHANGE, 1), (Run.INSERT, 2)]


def test_of_ops_that_change_places_most_stay() -> None:
    before, after = list("abcde"), list("bcdea")
    edges = [[Edge(before.index(text), 0)] for text in after]
    assert align(before, after, edges, GUESS) == [(Run.DELETE, 1), (Run.KEEP, 4), (Run.INSERT, 1)]


@pytest.mark.parametrize("seed", range(40))
def test_any_two_levels(seed: int) -> None:
    random_numbers = random.Random(seed)
    before = [random_numbers.choice("abc}") for _ in range(random_numbers.randrange(30))]
    after = [random_numbers.choice("abc}") for _ in range(random_numbers.randrange(30))]
    edges = [
        [
            Edge(random_numbers.randrange(len(before)), random_numbers.randrange(4))
            for _ in range(random_numbers.randrange(3))
        ]
        if before
        else []
        for _ in after
    ]
    lines_of(align(before, after, edges, GUESS), before, after)


def test_nothing() -> None:
    assert align([], [], [], GUESS) == []
