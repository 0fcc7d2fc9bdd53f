"""The rule of an op: the one that the program gives, or the one of its kind."""

from __future__ import annotations

from xdsl.ir import Operation

from ...dialects.sdy.rule_attributes import OpShardingRuleAttr
from ...dialects.sdy.values import SHARDING_RULE
from . import (
    broadcasting,
    collectives,
    contraction,
    convolution,
    custom_calls,
    data_movement,
    elementwise,
    indexing,
    linear_algebra,
    normalization,
    random,
    reduction,
    reshapes,
    slicing,
    windows,
)
from .registry import MAKERS
from .rule import ShardingRule

FAMILIES = (
    broadcasting,
    collectives,
    contraction,
    convolution,
    custom_calls,
    data_movement,
    elementwise,
    indexing,
    linear_algebra,
    normalization,
    random,
    reduction,
    reshapes,
    slicing,
    windows,
)


def rule_of(op: Operation) -> ShardingRule | None:
    """The rule of `op`, whose shapes are static: its attribute `sdy.sharding_rule`, or that of its kind."""
    given = op.attributes.get(SHARDING_RULE)
    return ShardingRule.of_plain(given.data) if isinstance(given, OpShardingRuleAttr) else rule_of_kind(op)


def rule_of_kind(op: Operation) -> ShardingRule | None:
    """What is true of all ops like `op`.

    None for ops between whose operands and results there is nothing to say: constants, terminators, tokens, tuples,
    control flow (`data_flow.py` has its edges), and calls of unknown functions.
    """
    maker = MAKERS.get(type(op))
    return None if maker is None else maker(op)
