"""How the shardings of the tensors of one op extend each other, factor by factor.

`BASIC` splits a factor further only by axes that all tensors can take. `AGGRESSIVE` gives each tensor what it can take,
and where axes fit several factors, prefers the one that comes from the largest tensor. Source: Shardy's
docs/propagation.md, and the comments of basic_factor_propagation.h and aggressive_factor_propagation.h.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntFlag
from math import gcd, prod
from typing import NamedTuple

from ...dialects.sdy.sharding_rules import OpShardingRule
from .parts import Part, agreed, begins_list, extends, truncated, without_overlap
from .projection import Factors, Projection, TensorSharding, project, unproject


class Direction(IntFlag):
    """Where an op propagates to."""

    NONE = 0
    FORWARD = 1
    """From operands to results."""
    BACKWARD = 2
    BOTH = FORWARD | BACKWARD


class Strategy(NamedTuple):
    """A way to resolve conflicts."""

    name: str
    extend: Callable[[Table, Sequence[Direction]], None]


class Table(NamedTuple):
    """The tensors of an op by factors: operands, then results."""

    rule: OpShardingRule
    tensors: Sequence[Projection]
    is_elementwise: bool

    @property
    def results(self) -> Sequence[Projection]:
        return self.tensors[len(self.rule.operands) :]


Shardings = tuple[TensorSharding | None, ...]


def propagated(
    rule: OpShardingRule,
    shardings: Shardings,
    directions: Sequence[Direction],
    strategy: Strategy,
    is_elementwise: bool,
) -> Shardings:
    """The shardings of operands and results after propagation among them; those that do not change are the same
    objects.
    """
    factors = (*rule.operands, *rule.results)
    tensors = [project(tensor, known, rule.sizes) for tensor, known in zip(factors, shardings, strict=True)]
    strategy.extend(Table(rule, tensors, is_elementwise), directions)
    result: list[TensorSharding | None] = []
    for tensor, projection, known in zip(factors, tensors, shardings, strict=True):
        new = unproject(tensor, projection, known, rule.sizes)
        result.append(known if new == known or (known is None and not new.is_split) else new)
    return tuple(result)


def _agreed_axes(table: Table, factor: int, direction: Direction) -> list[Part]:
    """The axes that the tensors have in common along a factor; those that propagation comes from may add some."""
    if not direction:
        return []
    count = len(table.rule.operands)
    operands, results = table.tensors[:count], table.tensors[count:]
    first, second = (results, operands) if direction == Direction.BACKWARD else (operands, results)
    axes: list[Part] = []
    may_extend = True
    for tensors in (first, second):
        for tensor in tensors:
            if (of_factor := tensor.factors.get(factor)) is not None:
                axes, may_extend = agreed(axes, of_factor.axes, may_extend)
        if direction != Direction.BOTH:
            may_extend = False
    return axes


def _across_factors(part: Part | None, factors: Factors, factor: int) -> Part | None:
    """What of `part` no other factor of the tensor has."""
    for other, of_other in factors.items():
        if other != factor:
            part = without_overlap(part, of_other.overflow)
            part = without_overlap(part, of_other.axes)
    return part


def _within_factor(part: Part | None, tensor: Projection, factor: int, split: int, size: int) -> Part | None:
    """What of `part` the factor of a tensor has or can take, after axes that split it into `split` parts."""
    part = without_overlap(part, tensor.forbidden)
    of_factor = tensor.factors[factor]
    if part is None or any(axis.contains(part) for axis in of_factor.axes):
        return part
    if not of_factor.is_closed and not of_factor.overflow:
        if of_factor.is_minor_most:
            return part
        common = gcd(size // split, part.size) if size % split == 0 else 1
        if common > 1:
            return Part(part.name, part.pre_size, common)
    if of_factor.axes and of_factor.axes[-1].begins(part):
        return of_factor.axes[-1]
    return None


def _extend_basic(table: Table, directions: Sequence[Direction]) -> None:
    for factor, size in enumerate(table.rule.sizes):
        axes = _agreed_axes(table, factor, directions[factor])
        if not axes:
            continue

        def kept(part: Part, split: int, factor: int = factor, size: int = size) -> Part | None:
            left: Part | None = part
            for tensor in table.tensors:
                left = _across_factors(left, tensor.factors, factor)
                if factor in tensor.factors:
                    left = _within_factor(left, tensor, factor, split, size)
            return left

        axes = truncated(axes, kept)
        for tensor in table.tensors:
            _extend_tensor(tensor, factor, axes)


def _extend_aggressive(table: Table, directions: Sequence[Direction]) -> None:
    wanted = [_agreed_axes(table, factor, directions[factor]) for factor in range(len(table.rule.sizes))]
    if not any(wanted):
        return
    order = _order_of_factors(table, wanted)
    for tensor in table.results:
        for factor in order:
            _extend_tensor(tensor, factor, _acceptable(table, tensor, factor, wanted[factor]))
    for tensor in table.tensors[: len(table.rule.operands)]:
        for factor in order:
            axes = _acceptable(table, tensor, factor, wanted[factor])
            if table.is_elementwise:
                axes = _not_beyond_results(table, factor, axes)
            _extend_tensor(tensor, factor, axes)


def _acceptable(table: Table, tensor: Projection, factor: int, axes: Sequence[Part]) -> list[Part]:
    """The axes that a tensor can take along a factor, if they are more than it has."""
    if not axes or factor not in tensor.factors:
        return []
    size = table.rule.sizes[factor]
    found = truncated(axes, lambda part, split: _within_factor(part, tensor, factor, split, size))
    if not extends(found, tensor.factors[factor].axes):
        return []
    return truncated(found, lambda part, _: _across_factors(part, tensor.factors, factor))


def _not_beyond_results(table: Table, factor: int, axes: list[Part]) -> list[Part]:
    """No operand of an elementwise op is split where its results cannot be: it would be gathered at once."""
    for result in table.results:
        of_factor = result.factors.get(factor)
        if axes and of_factor is not None and extends(axes, of_factor.axes):
            axes = of_factor.axes
    return axes


def _extend_tensor(tensor: Projection, factor: int, axes: Sequence[Part]) -> None:
    of_factor = tensor.factors.get(factor)
    if of_factor is not None and axes and extends(axes, of_factor.axes):
        of_factor.axes = list(axes)


class _Source(NamedTuple):
    """The tensor that a factor's axes come from: the largest, then the first."""

    size: int = -1
    position: int = -1


def _order_of_factors(table: Table, wanted: Sequence[Sequence[Part]]) -> list[int]:
    """Those whose axes come from larger tensors first; for elementwise ops, then those that are split most."""
    sources = [_Source()] * len(wanted)
    for position, tensor in enumerate(table.tensors):
        size = prod([table.rule.sizes[factor] for factor in tensor.factors])
        for factor, of_factor in tensor.factors.items():
            axes = wanted[factor]
            if axes and begins_list(axes, of_factor.axes) and size > sources[factor].size:
                sources[factor] = _Source(size, position)

    def key(factor: int) -> tuple[int, int, int, int]:
        source = sources[factor]
        split = prod([part.size for part in wanted[factor]]) if table.is_elementwise else 0
        return -source.size, -split, source.position, factor

    return sorted(range(len(wanted)), key=key)


BASIC = Strategy("basic", _extend_basic)
AGGRESSIVE = Strategy("aggressive", _extend_aggressive)
