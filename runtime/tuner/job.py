"""The search for a schedule of one kernel: every candidate is compiled, checked and timed by itself."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...dialects.schedule.syntax import text_of
from ...dialects.schedule.tree import Tree
from ...errors import InternalError, XlaError
from ...lowering.kernels_draw_schedules import draw, kinds_of
from ...lowering.neighbours import Named, all_neighbours
from .kernels import Kernel
from .search import Candidate, Search
from .stopwatch import Runnable, Stopwatch
from .values import Array, agree, random_values
from .workbench import KernelBench

PATIENCE = 2.0
"""A candidate may run so many times as long as the first schedule, and a second, before it is stopped."""

Run = Callable[[], Sequence[Array]]


@dataclass
class Job:
    """`first` is the kernel as it is, `wanted` what it comes to."""

    kernel: Kernel
    stopwatch: Stopwatch
    build: Callable[[Tree], Run]
    """The kernel by itself with a schedule. Raises `XlaError` or `InternalError`."""
    first: Runnable
    wanted: Sequence[Array]
    neighbours: Callable[[Tree], Iterable[Named]]
    """Where candidates come from."""
    seconds: float = 0.0
    """The time of `first`."""
    refused: dict[str, str] = field(default_factory=dict[str, str])
    """Candidates that do not count, and why."""
    best: Runnable = field(init=False)
    _known: dict[Tree, Mapping[str, Sequence[Named]]] = field(default_factory=dict[Tree, Mapping[str, Sequence[Named]]])

    def __post_init__(self) -> None:
        self.best = self.first
        self.seconds = self.seconds or self.stopwatch.seconds(self.first)

    @staticmethod
    def of(kernel: Kernel, bench: KernelBench, stopwatch: Stopwatch) -> Job:
        """Raises what compiling and running the kernel as it is raises."""
        first = bench.executable(kernel.tree)
        inputs = random_values(first.signature.inputs, seed=0)
        runnable = Runnable(lambda: first(*inputs), text_of(kernel.tree))
        wanted = [array.copy() for array in runnable.run()]
        seconds = stopwatch.seconds(runnable)

        def build(tree: Tree) -> Run:
            executable = bench.executable(tree)
            executable.share_results(first)
            executable(*inputs, timeout=PATIENCE * seconds + 1)
            return lambda: executable(*inputs)

        def near(tree: Tree) -> Iterable[Named]:
            return all_neighbours(tree, kernel.schedulable, kernel.key.threads)

        return Job(kernel, stopwatch, build, runnable, wanted, near, seconds)

    @property
    def weight(self) -> float:
        """What the kernel takes of the program's time, in seconds."""
        return self.seconds * self.kernel.calls

    def search(self, rnd: random.Random) -> Search:
        """One that has not begun."""
        return Search(Candidate(self.kernel.tree), self._draw, self._judge, rnd)

    def _draw(self, tree: Tree, rnd: random.Random) -> Named | None:
        """A neighbour."""
        if tree not in self._known:
            self._known[tree] = kinds_of(self.neighbours(tree))
        return draw(self._known[tree], self.kernel.schedulable, self.kernel.key.threads, rnd)

    def _judge(self, tree: Tree) -> tuple[float, bool] | None:
        """What is faster than the best one has its values looked at, which may take longer than all else."""
        label = text_of(tree)
        try:
            new = Runnable(self.build(tree), label)
            is_faster, found = self.stopwatch.faster(self.best, new)
            is_right = not is_faster or agree(new.run(), self.wanted, self.kernel.terms)
        except (XlaError, InternalError) as error:
            self.refused[label] = str(error)
            return None
        if not is_right:
            self.refused[label] = "other values"
            return None
        if is_faster:
            self.best = new
        return found.most, is_faster
