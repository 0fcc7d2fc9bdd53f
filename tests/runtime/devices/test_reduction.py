"""Which device reduces which pieces."""

from __future__ import annotations

import pytest
from xdsl_xla.decisions.messages import Messages
from xdsl_xla.runtime.devices.reduction import Reduction


@pytest.mark.parametrize("members", [2, 3, 8, 100])
@pytest.mark.parametrize("elements", [32769, 100_000, 1 << 22])
def test_every_byte_is_in_one_piece(members: int, elements: int) -> None:
    bytes = 4 * elements
    reduction = Reduction(tuple(range(members)), Messages().piece(bytes, members, 4), bytes, is_scattered=False)
    at = 0
    for place in range(members):
        for number in reduction.numbers(place):
            start, size = reduction.own(number)
            first, end = reduction.start(number), reduction.start(number) + reduction.piece
            assert first <= start == at < start + size <= end <= bytes
            at += size
    assert at == bytes


@pytest.mark.parametrize("members", [2, 3, 8])
def test_members_get_parts_of_pieces_alike(members: int) -> None:
    part = 1_000_004
    piece = Messages().piece(part, 1, 4)
    reduction = Reduction(tuple(range(members)), piece, members * part, is_scattered=True)
    assert reduction.end == part
    assert {reduction.numbers(place) for place in range(members)} == {range(-(-part // piece))}
    assert [reduction.shift(place) for place in range(members)] == [place * part for place in range(members)]


def test_pieces_are_as_many_as_members_or_more() -> None:
    numbers = Messages(piece_bytes=1000, piece_unit=1)
    assert numbers.piece(16_000, 2, 1) == 1000
    assert numbers.piece(16_001, 2, 1) == 889
    assert Messages().piece(300, 3, 1) == 128
    assert Messages().piece(30, 3, 1) == 30
