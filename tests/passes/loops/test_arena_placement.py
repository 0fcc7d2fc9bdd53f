"""Buffers that are alive together lie apart, each where a search through all of them would put it."""

from __future__ import annotations

import random

import pytest
from xdsl_xla.passes.loops.arena_placement import ALIGNMENT, LiveRange, place, round_up


def searched(ranges: list[LiveRange]) -> list[int]:
    """The offset of each range, found among all that are alive with it."""
    offsets: dict[LiveRange, int] = {}
    for current in sorted(ranges, key=lambda live: (-live.size, live.start)):
        alive = [live for live in offsets if live.start <= current.end and current.start <= live.end]
        gaps: list[tuple[int, int]] = []
        position = 0
        for other in sorted(alive, key=lambda live: offsets[live]):
            if offsets[other] - position >= current.size:
                gaps.append((offsets[other] - position, position))
            position = max(position, offsets[other] + round_up(other.size, ALIGNMENT))
        offsets[current] = min(gaps)[1] if gaps else position
    return [offsets[live] for live in ranges]


def check(ranges: list[LiveRange]) -> None:
    total = place(ranges)
    assert [live.offset for live in ranges] == searched(ranges)
    assert total == max((live.offset + round_up(live.size, ALIGNMENT) for live in ranges), default=0)
    for number, one in enumerate(ranges):
        for other in ranges[:number]:
            if one.start <= other.end and other.start <= one.end:
                assert one.offset >= other.offset + other.size or other.offset >= one.offset + one.size


@pytest.mark.parametrize("seed", range(40))
def test_ranges_drawn_at_random(seed: int) -> None:
    generator = random.Random(seed)
    count, longest = generator.randint(0, 120), generator.choice([1, 5, 200])
    ranges: list[LiveRange] = []
    for _ in range(count):
        start = generator.randrange(200)
        size = generator.choice([1, 64, 100, 4096, 5000])
        ranges.append(LiveRange(size, start, start + generator.randrange(longest)))
    check(ranges)


def test_what_a_chain_hands_on_takes_two_places() -> None:
    ranges = [LiveRange(96, n, n + 1) for n in range(100)]
    check(ranges)
    assert max(live.offset for live in ranges) == 128


def test_what_a_gradient_keeps() -> None:
    count = 60
    kept = [LiveRange(256, n, 2 * count - n) for n in range(count)]
    check([*kept, *(LiveRange(100, n, n) for n in range(2 * count))])
    assert {live.offset for live in kept} == {256 * n for n in range(count)}
