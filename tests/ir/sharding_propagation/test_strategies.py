"""One step of propagation: the examples of Shardy's documentation, and others."""

from __future__ import annotations

from xdsl_xla.dialects.sdy.sharding_rules import OpShardingRule
from xdsl_xla.ir.sharding_propagation.parts import Part, Parts
from xdsl_xla.ir.sharding_propagation.projection import TensorSharding
from xdsl_xla.ir.sharding_propagation.strategies import (
    AGGRESSIVE,
    BASIC,
    Direction,
    Shardings,
    Strategy,
    propagated,
)

A, B, C = (Part(name, 1, 2) for name in "abc")
DOT = OpShardingRule((8, 16, 4), (((0,), (2,)), ((2,), (1,))), (((0,), (1,)),))
ADD = OpShardingRule((8, 16), (((0,), (1,)), ((0,), (1,))), (((0,), (1,)),))


def tensor(*dims: Parts, closed: bool = False, replicated: Parts = ()) -> TensorSharding:
    return TensorSharding(dims, (closed,) * len(dims), replicated)


def dims(shardings: Shardings) -> list[tuple[Parts, ...] | None]:
    return [None if sharding is None else sharding.dims for sharding in shardings]


def step(
    rule: OpShardingRule,
    *shardings: TensorSharding | None,
    strategy: Strategy = AGGRESSIVE,
    direction: Direction = Direction.BOTH,
) -> list[tuple[Parts, ...] | None]:
    directions = [direction] * len(rule.sizes)
    return dims(propagated(rule, shardings, directions, strategy, rule is ADD))


def test_without_conflict_both_do_the_same() -> None:
    for strategy in (BASIC, AGGRESSIVE):
        found = step(DOT, tensor((A,), ()), tensor((), (B,)), None, strategy=strategy)
        assert found == [((A,), ()), ((), (B,)), ((A,), (B,))]


def test_the_larger_tensor_wins_a_conflict() -> None:
    operands = tensor((A,), ()), tensor((), (A,))
    assert step(DOT, *operands, None, strategy=BASIC)[2] is None
    assert step(DOT, *operands, None)[2] == ((), (A,))


def test_a_tensor_that_cannot_follow_stops_basic_propagation_only() -> None:
    shardings = tensor((A, B), ()), None, tensor((), (), closed=True)
    assert step(ADD, *shardings, strategy=BASIC) == [((A, B), ()), None, ((), ())]
    assert step(DOT, None, tensor((A,), ()), tensor((), (), closed=True))[0] == ((), (A,))


def test_operands_of_elementwise_ops_are_not_split_beyond_the_result() -> None:
    assert step(ADD, tensor((A,), ()), None, tensor((), (), closed=True))[1] is None


def test_axes_to_be_replicated_are_not_used() -> None:
    found = step(ADD, tensor((A, B), ()), None, tensor((), (), replicated=(B,)))
    assert found == [((A, B), ()), ((A,), ()), ((A,), ())]


def test_directions() -> None:
    forward = step(ADD, tensor((A,), ()), None, tensor((), (B,)), direction=Direction.FORWARD)
    assert forward == [((A,), ()), ((A,), ()), ((A,), (B,))]
    backward = step(ADD, tensor((A,), ()), None, tensor((), (B,)), direction=Direction.BACKWARD)
    assert backward == [((A,), (B,)), ((), (B,)), ((), (B,))]
    assert step(ADD, tensor((A,), ()), None, None, direction=Direction.NONE)[1:] == [None, None]


def test_factors_that_are_not_minor_most_are_split_evenly() -> None:
    split = OpShardingRule((3, 4), (((0, 1),),), (((0,), (1,)),))
    assert step(split, None, tensor((A,), ()))[0] is None
    even = OpShardingRule((2, 4), (((0, 1),),), (((0,), (1,)),))
    assert step(even, None, tensor((A,), (B,)))[0] == ((A, B),)


def test_what_does_not_change_is_the_same_object() -> None:
    known = tensor((A,), ())
    result = propagated(ADD, (known, known, known), [Direction.BOTH] * 2, AGGRESSIVE, True)
    assert all(sharding is known for sharding in result)


def test_more_axes_extend_what_is_there() -> None:
    assert step(ADD, tensor((A, B), (C,)), tensor((A,), ()), None)[1:] == [((A, B), (C,)), ((A, B), (C,))]
