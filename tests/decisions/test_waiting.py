"""Threads that wait: how the times compare."""

from __future__ import annotations

from xdsl_xla.decisions.waiting import Waiting


def test_shorter_on_shared_cores() -> None:
    numbers = Waiting()
    assert numbers.shared_spin < numbers.wake < numbers.overdue < numbers.gap < numbers.shared
