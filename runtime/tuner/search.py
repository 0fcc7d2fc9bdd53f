"""A search through the schedules of one kernel: changes of the best ones, at random, as long as there is time.

This is the evolution strategy that TVM's schedule searches use too (Zheng et al., "Ansor", OSDI 2020), without a model
of costs: every candidate is measured.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from ...dialects.schedule.tree import Tree

ELITE = 4
"""How many schedules have children."""

CHANGES = (1, 1, 2, 2, 3, 4)
"""Of one child, one number is as likely as the other."""

TRIES = 60
"""So many children in a row that are known already: the search is over."""

ENOUGH = 32
"""Where so many schedules are not better than the first one, another search is not expected to find one that is."""


@dataclass(frozen=True)
class Candidate:
    """A schedule, and what it takes in parts of what the first one takes."""

    tree: Tree
    cost: float = 1.0
    changes: tuple[str, ...] = ()


@dataclass
class Search:
    """`draw` makes of a schedule a legal one with one change more, and names the change, or gives None; `judge` says
    how a schedule compares with the best one so far, by a quotient of times, and whether it is surely better; None for
    one that does not count.
    """

    start: Candidate
    draw: Callable[[Tree, random.Random], tuple[str, Tree] | None]
    judge: Callable[[Tree], tuple[float, bool] | None]
    rnd: random.Random
    seen: set[Tree] = field(default_factory=set[Tree])
    elite: list[Candidate] = field(default_factory=list[Candidate])
    best: Candidate = field(init=False)
    is_over: bool = False
    """Whether another search is not expected to find more."""

    def __post_init__(self) -> None:
        self.best = self.start
        self.elite.append(self.start)
        self.seen.add(self.start.tree)

    def run(self, has_time: Callable[[], bool]) -> None:
        """Until there is no more time, or nothing new."""
        while has_time():
            child = self._child(has_time)
            if child is None:
                self.is_over = self.is_over or has_time()
                return
            self.consider(child)
            self.is_over = len(self.seen) > ENOUGH

    def consider(self, child: Candidate) -> None:
        """Measures one."""
        self.seen.add(child.tree)
        verdict = self.judge(child.tree)
        if verdict is None:
            return
        quotient, is_better = verdict
        child = Candidate(child.tree, self.best.cost * quotient, child.changes)
        self.elite = sorted([*self.elite, child], key=lambda each: each.cost)[:ELITE]
        if is_better:
            self.best = child

    def _child(self, has_time: Callable[[], bool]) -> Candidate | None:
        for _ in range(TRIES):
            if not has_time():
                return None
            draw = self.rnd.random()
            parent = self.best if draw < 0.5 else self.rnd.choice(self.elite) if draw < 0.9 else self.start
            tree, changes = parent.tree, parent.changes
            for _ in range(self.rnd.choice(CHANGES)):
                drawn = self.draw(tree, self.rnd)
                if drawn is None:
                    break
                changes, tree = (*changes, drawn[0]), drawn[1]
            if tree not in self.seen:
                return Candidate(tree, changes=changes)
        return None
