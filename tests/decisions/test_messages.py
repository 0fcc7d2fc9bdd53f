"""Messages between processes: what travels with its header, and in which pieces the rest."""

from __future__ import annotations

from xdsl_xla.decisions.messages import Messages


def test_small_messages_bring_their_bytes() -> None:
    numbers = Messages(small_bytes=8)
    assert [numbers.is_small(size) for size in (0, 8, 9)] == [True, True, False]


def test_pieces_cover_all_bytes() -> None:
    assert Messages(largest_bytes=10).pieces(25) == [(0, 10), (10, 10), (20, 5)]
    assert Messages().pieces(0) == []
