"""Which of two programs is faster, by a clock that says what it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest
from xdsl_xla.runtime.tuner.stopwatch import Comparison, Runnable, Stopwatch


class Clock:
    """Programs let it go on."""

    def __init__(self) -> None:
        self.now = 0.0
        self.runs: list[str] = []

    def program(self, name: str, *seconds: float) -> Runnable:
        times: Iterator[float] = cycle(seconds)

        def run() -> list[object]:
            self.runs.append(name)
            self.now += next(times)
            return []

        return Runnable(run, name)


def watch(clock: Clock) -> Stopwatch:
    return Stopwatch(clock=lambda: clock.now)


def test_programs_take_turns() -> None:
    clock = Clock()
    found = watch(clock).compare(clock.program("old", 0.01), clock.program("new", 0.008))
    assert found == (pytest.approx(0.01), pytest.approx(0.008), pytest.approx(0.8), pytest.approx(0.8))
    assert clock.runs == ["old", "new", "new", "old"] * 3 + ["old", "new"]


def test_short_programs_run_several_times() -> None:
    clock = Clock()
    watch(clock).compare(clock.program("old", 0.0001), clock.program("new", 0.0001))
    assert clock.runs[2:14] == ["old"] * 5 + ["new"] * 5 + ["new"] * 2 or clock.runs.count("old") > 30


def test_what_is_hopeless_is_over_soon() -> None:
    clock = Clock()
    found = watch(clock).compare(clock.program("old", 0.01), clock.program("new", 0.02))
    assert found.least == pytest.approx(2) and len(clock.runs) == 4


def test_long_programs_run_seldom() -> None:
    clock = Clock()
    watch(clock).compare(clock.program("old", 1.5), clock.program("new", 1.5))
    assert clock.runs == ["old", "new"] * 1 + ["new", "old"]


@pytest.mark.parametrize(
    ("times", "faster"),
    [
        ((0.01 * 0.9,), True),
        ((0.01 * 0.98,), False),
        # one lucky run does not count, nor do seven of which a second comparison sees nothing
        ((0.005, *[0.01] * 6), False),
        ((*[0.009] * 7, *[0.01] * 7), False),
    ],
)
def test_faster(times: tuple[float, ...], faster: bool) -> None:
    clock = Clock()
    assert watch(clock).faster(clock.program("old", 0.01), clock.program("new", *times))[0] is faster


@pytest.mark.parametrize(
    ("times", "fine"),
    [((0.01,), True), ((0.01005,), True), ((0.012,), False), ((*[0.012] * 7, *[0.01] * 7), True), ((0.02, 0.01), True)],
)
def test_not_slower(times: tuple[float, ...], fine: bool) -> None:
    clock = Clock()
    assert watch(clock).not_slower(clock.program("old", 0.01), clock.program("new", *times))[0] is fine


def test_two_comparisons_together() -> None:
    both = Comparison(2, 1, 0.5, 0.6).confirmed_by(Comparison(1.9, 1.5, 0.7, 0.8))
    assert both == (1.9, 1, 0.5, 0.8)


def test_the_least_of_a_few() -> None:
    clock = Clock()
    counted: Callable[[Runnable], float] = watch(clock).seconds
    assert counted(clock.program("a", 3, 1, 2)) == pytest.approx(1)
