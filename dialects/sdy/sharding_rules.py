"""How the dimensions of the operands and results of an op belong together, as plain data.

A factor is a loop of the op: for a matrix product `([i, k], [k, j])->([i, j])` they are i, j and k. What is known of
the sharding of one dimension says something about each dimension of the same factor. A dimension that a reshape splits
or merges has several factors, major to minor.

Source: openxla/shardy, shardy/dialect/sdy/ir/attrs.td (OpShardingRule).
"""

from __future__ import annotations

from typing import NamedTuple

DimensionFactors = tuple[int, ...]
"""The factors of a dimension, major to minor; none for a dimension that belongs to no other."""

TensorFactors = tuple[DimensionFactors, ...]
"""An entry for each dimension of a tensor."""


class OpShardingRule(NamedTuple):
    """The factors of an op. One that is of no kind below passes through: it can be split like any elementwise one."""

    sizes: tuple[int, ...]
    operands: tuple[TensorFactors, ...]
    results: tuple[TensorFactors, ...]
    reduction: tuple[int, ...] = ()
    """Factors of operands only: where one is split, results are to be reduced."""
    need_replication: tuple[int, ...] = ()
    """Factors that must not be split, such as the sorted dimension of a sort."""
    permutation: tuple[int, ...] = ()
    """Factors that can be split if neighbours exchange elements, such as the padded dimension of a pad."""
    blocked_propagation: tuple[int, ...] = ()
    """Factors, of any kind, over which nothing is to be concluded."""
    is_custom: bool = False
    """Whether the author of the program wrote it."""
