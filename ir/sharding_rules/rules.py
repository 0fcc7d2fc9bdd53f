"""The rule of an op: the one that the program gives, or the one of its kind."""

from __future__ import annotations

from importlib import import_module

from xdsl.ir import Operation

from ...dialects.sdy.rule_attributes import OpShardingRuleAttr
from ...dialects.sdy.values import SHARDING_RULE
from .builder import MAKERS, RuleBuilder
from .rule import ShardingRule

FAMILIES = (
    "broadcasting collectives contraction convolution custom_calls data_movement elementwise indexing "
    "linear_algebra normalization random reduction reshapes slicing windows"
).split()

for family in FAMILIES:  # which register their rules
    import_module(f".{family}", __package__)


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
    if maker is None:
        return None
    builder = RuleBuilder(op)
    return None if maker(op, builder) is False else builder.rule()
