"""Counters of passes."""

from __future__ import annotations

from xdsl_xla.ir.statistics import collected_by, count


def test_counts_go_to_who_asks() -> None:
    seen: list[tuple[str, str, int]] = []
    count("lost", "Nobody listens")
    with collected_by(lambda *each: seen.append(each)):
        count("loops", "Loops")
        count("loops", "Loops", 3)
    count("lost", "Nobody listens")
    assert seen == [("loops", "Loops", 1), ("loops", "Loops", 3)]
