"""The way from one layout to another: which collectives, and that every way leads there."""

import random

import pytest
from xdsl_xla.decisions.communication import Communication
from xdsl_xla.passes.stablehlo.partition.devices import Devices, Layout
from xdsl_xla.passes.stablehlo.partition.routes import (
    Combine,
    Cut,
    Embed,
    Gather,
    Move,
    Permute,
    Scatter,
    Spread,
    Tensors,
    route,
)

EIGHT = Devices((2, 2, 2), tuple(range(8)), {})
MATRIX = Tensors(EIGHT, (64, 64), 4, Communication())


@pytest.mark.parametrize(
    ("source", "target", "steps"),
    [
        (Layout(((), ())), Layout(((0,), (1, 2))), {Cut}),
        (Layout(((0,), ())), Layout(((), ())), {Gather}),
        (Layout(((0,), ())), Layout(((), (0,))), {Move}),
        (Layout(((0, 1), ())), Layout(((1, 0), ())), {Permute}),
        (Layout(((0,), ())), Layout(((1,), ())), {Permute}),
        (Layout(((), ()), (0, 1)), Layout(((), ())), {Combine}),
        (Layout(((), ()), (0, 1)), Layout(((0, 1), ())), {Scatter}),
        (Layout(((), ()), (1,)), Layout(((0, 1), ())), {Cut, Scatter}),
        (Layout(((), ())), Layout(((), ()), (2,)), {Spread}),
        (Layout(((0,), ())), Layout(((), ()), (0,)), {Embed}),
        (Layout(((0, 1), ())), Layout(((0,), ()), (1,)), {Embed}),
        (Layout(((0,), (1,))), Layout(((), ()), (0, 1)), {Embed}),
        (Layout(((1, 0), ())), Layout(((), ()), (1,)), {Gather, Embed}),
    ],
)
def test_the_cheapest_steps(source: Layout, target: Layout, steps: set[type]):
    assert {type(step) for step, _ in route(MATRIX, source, target).steps} == steps


def test_uneven_parts_go_through_a_whole_dimension():
    """Five elements in four parts are 2, 2, 1 and 0; halves of halves would be 2, 1, 1 and 1."""
    tensors = Tensors(EIGHT, (5,), 4, Communication())
    steps = [step for step, _ in route(tensors, Layout(((0, 1),)), Layout(((0,),))).steps]
    assert steps == [Gather(0, (0, 1)), Cut(0, (0,))]
    even = Tensors(EIGHT, (8,), 4, Communication())
    assert [step for step, _ in route(even, Layout(((0, 1),)), Layout(((0,),))).steps] == [Gather(0, (1,))]


@pytest.mark.parametrize("most_routes", [4000, 0])
def test_every_way_ends_where_it_is_to(most_routes: int):
    """Also without a search."""
    rng = random.Random(0)
    for _ in range(300):
        tensors = Tensors(
            EIGHT, tuple(rng.choice((5, 8, 16)) for _ in range(2)), 4, Communication(most_routes=most_routes)
        )
        source, target = (_random_layout(rng, has_partial) for has_partial in (True, False))
        found = route(tensors, source, target)
        assert not found.steps or found.steps[-1][1] == target
        assert bool(found.steps) == (source != target)
        assert found.cost > 0 or source == target


def _random_layout(rng: random.Random, has_partial: bool) -> Layout:
    digits = [0, 1, 2]
    rng.shuffle(digits)
    dims: list[list[int]] = [[], []]
    partial: list[int] = []
    for digit in digits:
        rng.choice([*dims, partial] if has_partial else dims).append(digit)
    return Layout(tuple(map(tuple, dims)), tuple(sorted(partial)))


def test_latency_decides_for_fewer_steps():
    """Large tensors are not gathered where smaller exchanges do."""
    source, target = Layout(((), (1, 2, 0))), Layout(((1, 2), (0,)))
    small = route(Tensors(EIGHT, (8, 8), 4, Communication()), source, target)
    large = route(Tensors(EIGHT, (1024, 1024), 4, Communication()), source, target)
    whole = Layout(((), ()))
    assert whole in [layout for _, layout in small.steps]
    assert whole not in [layout for _, layout in large.steps]
