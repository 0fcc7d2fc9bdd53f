"""Times of collectives, against sums by hand."""

from __future__ import annotations

import pytest
from xdsl_xla.errors import ArgumentError
from xdsl_xla.tools.simulation.collectives import Shape, collective_time
from xdsl_xla.tools.simulation.machine import Link, Machine


def machine(within: Link, between: Link | None = None) -> Machine:
    return Machine("test", 8, 1.0, 1.0, 1.0, 1.0, within, between)


def seconds(kind: str, bytes: float, shape: Shape, *links: Link) -> float:
    return collective_time(kind, bytes, shape, machine(*links)).seconds


RING = Link(1.0, 10.0, ("ring",))
DOUBLING = Link(1.0, 10.0, ("doubling",))
DIRECT = Link(1.0, 10.0, ("direct",))


@pytest.mark.parametrize(
    ("kind", "link", "expected"),
    [
        ("all_gather", RING, 7 + 700 / 10),
        ("all_gather", DOUBLING, 3 + 700 / 10),
        ("all_gather", DIRECT, 1 + 700 / 10),
        ("reduce_scatter", RING, 7 + 700 / 10),
        ("all_reduce", RING, 14 + 1400 / 10),
        ("all_reduce", DOUBLING, 6 + 1400 / 10),
        ("all_reduce", DIRECT, 2 + 1400 / 10),
        ("all_to_all", RING, 7 + 700 / 10),
        ("all_to_all", DOUBLING, 3 + 3 * 400 / 10),
        ("broadcast", RING, 10 + 1400 / 10),
        ("broadcast", DOUBLING, 3 + 3 * 800 / 10),
        ("permute", RING, 1 + 800 / 10),
    ],
)
def test_algorithms_on_eight_devices(kind: str, link: Link, expected: float) -> None:
    assert seconds(kind, 800, Shape(8), link) == pytest.approx(expected)


def test_small_values_are_reduced_in_fewer_steps() -> None:
    assert seconds("all_reduce", 8, Shape(8), DOUBLING) == pytest.approx(3 + 3 * 8 / 10)
    assert seconds("all_reduce", 0.8, Shape(8), DIRECT) == pytest.approx(1 + 7 * 0.8 / 10)


def test_two_levels_divide_what_hosts_exchange() -> None:
    between = Link(5.0, 1.0, ("ring",))
    # within: 3 steps, 600 of 800 bytes, twice; between: 200 bytes in 2 steps of 100 bytes
    expected = 2 * (3 + 600 / 10) + (2 * 5 + 200 / 1)
    assert seconds("all_reduce", 800, Shape(8, 2), RING, between) == pytest.approx(expected)
    assert seconds("all_gather", 800, Shape(8, 2), RING, between) == pytest.approx(3 + 60 + 5 + 100)


def test_one_level_is_taken_where_it_is_faster() -> None:
    slow = Link(1000.0, 10.0, ("ring",))
    fast = Link(1.0, 10.0, ("ring",))
    assert seconds("all_reduce", 800, Shape(8, 2), slow, fast) == pytest.approx(14 + 140)
    assert seconds("all_reduce", 800, Shape(3, 2, even=False), RING, fast) == pytest.approx(4 + 1600 * 2 / 3 / 10)


def test_a_group_of_one_exchanges_nothing() -> None:
    assert seconds("all_reduce", 800, Shape(1), RING) == 0


def test_hosts_need_a_link() -> None:
    with pytest.raises(ArgumentError, match=r"devices of 2 hosts; give \[between_hosts\]"):
        seconds("all_reduce", 800, Shape(8, 2), RING)
