"""What a sharding rule is: the dimensions of the operands and results of an op, taken apart into factors.

A matrix product is `([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} reduction={k}`: splitting `i` splits the first dimension
of the left operand and of the result. A dimension has several factors, major to minor, where a reshape splits or merges
it. Words and notation are Shardy's (openxla/shardy, docs/propagation.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from ...dialects.sdy.rule_attributes import rule_text
from ...dialects.sdy.sharding_rules import OpShardingRule, TensorFactors


class FactorKind(Enum):
    """What a device needs of the others when a factor is split."""

    PASS_THROUGH = "pass_through"
    """Nothing: each computes its part."""
    REDUCTION = "reduction"
    """The results of all devices are combined."""
    NEED_REPLICATION = "need_replication"
    """All of it: the dimension is gathered before the op."""
    PERMUTATION = "permutation"
    """Elements from the edges of neighbours, or the parts in another order."""


class Combination(Enum):
    """How the results of the devices become one where a factor is a reduction."""

    SUM = "sum"
    """They are added."""
    BODY = "body"
    """By the computation that the op holds, all results together; initial values count once."""
    OWNER = "owner"
    """One device has the element, from its part of the operand; those of the others do not count."""


class Factor(NamedTuple):
    """A part of a dimension that can be split by itself."""

    size: int
    kind: FactorKind = FactorKind.PASS_THROUGH
    is_blocked: bool = False
    """Whether propagation stops here."""
    combination: Combination | None = None
    """For reductions."""


class ShardingRule(NamedTuple):
    """The factors of an op, and those of each dimension of its operands and results."""

    factors: tuple[Factor, ...]
    operands: tuple[TensorFactors, ...]
    results: tuple[TensorFactors, ...]
    is_custom: bool = False
    """Whether the program says the rule."""

    def tensors(self) -> Iterator[TensorFactors]:
        """Those of the operands, then of the results."""
        yield from self.operands
        yield from self.results

    def of_kind(self, kind: FactorKind) -> tuple[int, ...]:
        """The positions of the factors of this kind."""
        return tuple(index for index, factor in enumerate(self.factors) if factor.kind is kind)

    def plain(self) -> OpShardingRule:
        """The rule as the attribute `#sdy.op_sharding_rule` holds it."""
        blocked = tuple(index for index, factor in enumerate(self.factors) if factor.is_blocked)
        return OpShardingRule(
            tuple(factor.size for factor in self.factors),
            self.operands,
            self.results,
            self.of_kind(FactorKind.REDUCTION),
            self.of_kind(FactorKind.NEED_REPLICATION),
            self.of_kind(FactorKind.PERMUTATION),
            blocked,
            self.is_custom,
        )

    @staticmethod
    def of_plain(rule: OpShardingRule) -> ShardingRule:
        """The rule that a program gives: its reductions are sums."""

        def kind(factor: int) -> FactorKind:
            if factor in rule.reduction:
                return FactorKind.REDUCTION
            if factor in rule.need_replication:
                return FactorKind.NEED_REPLICATION
            return FactorKind.PERMUTATION if factor in rule.permutation else FactorKind.PASS_THROUGH

        factors = tuple(
            Factor(
                size,
                kind(index),
                index in rule.blocked_propagation,
                Combination.SUM if index in rule.reduction else None,
            )
            for index, size in enumerate(rule.sizes)
        )
        return ShardingRule(factors, rule.operands, rule.results, rule.is_custom)

    def __str__(self) -> str:
        """The rule as the attribute `#sdy.op_sharding_rule` prints it."""
        return rule_text(self.plain())
