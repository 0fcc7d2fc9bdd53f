"""Making the rule of an op, factor by factor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.stablehlo.shapes import Shape, shape_of
from .rule import Combination, Factor, FactorKind, ShardingRule, TensorFactors

Dim = int | None
"""A dimension of a tensor, or None for a tensor without the factor."""


def shape_or_empty(value: SSAValue[Attribute]) -> Shape:
    """The shape of a tensor; of a token or tuple, none."""
    return shape_of(value) if isinstance(value.type, TensorType) else ()


def whole_if(is_whole: bool) -> FactorKind:
    """The kind of a dimension of which each device needs all where that holds."""
    return FactorKind.NEED_REPLICATION if is_whole else FactorKind.PASS_THROUGH


class RuleBuilder:
    """The rule of `op`, without factors at first."""

    def __init__(self, op: Operation):
        self._operands: list[list[list[int]]] = [[[] for _ in shape_or_empty(value)] for value in op.operands]
        self._results: list[list[list[int]]] = [[[] for _ in shape_or_empty(value)] for value in op.results]
        self._factors: list[Factor] = []

    def add(
        self,
        size: int,
        operands: Sequence[Dim],
        results: Sequence[Dim],
        kind: FactorKind = FactorKind.PASS_THROUGH,
        *,
        is_blocked: bool = False,
        combination: Combination | None = None,
    ) -> None:
        """A factor of one dimension of each operand and result, behind those that the dimension has already."""
        index = self._new(size, kind, is_blocked, combination)
        tensors = [*self._operands, *self._results]
        for tensor, dim in zip(tensors, (*operands, *results), strict=True):
            if dim is not None and (size > 1 or not tensor[dim]):
                tensor[dim].append(index)

    def add_sum(self, size: int, operands: Sequence[Dim]) -> None:
        """A factor of the operands of an op with one result, in which it is summed over."""
        self.add(size, operands, [None], FactorKind.REDUCTION, combination=Combination.SUM)

    def add_everywhere(
        self,
        dim: int,
        size: int,
        kind: FactorKind = FactorKind.PASS_THROUGH,
        *,
        is_blocked: bool = False,
        of_operands: bool = True,
        of_results: bool = True,
    ) -> None:
        """A factor of dimension `dim` of all tensors of rank 1 or more."""
        index = self._new(size, kind, is_blocked, None)
        tensors = (self._operands if of_operands else []) + (self._results if of_results else [])
        for tensor in filter(None, tensors):
            tensor[dim].append(index)

    def pointwise(
        self,
        shape: Iterable[int],
        kind_of: Callable[[int], FactorKind] = lambda _: FactorKind.PASS_THROUGH,
        is_blocked: Callable[[int], bool] = lambda _: False,
    ) -> None:
        """A factor for each dimension of `shape`, the same in all tensors."""
        for dim, size in enumerate(shape):
            self.add_everywhere(dim, size, kind_of(dim), is_blocked=is_blocked(dim))

    def with_whole(self, shape: Iterable[int], is_whole: Callable[[int], bool]) -> None:
        """The same, where devices need some dimensions whole, along which shardings are not propagated."""
        self.pointwise(shape, lambda dim: whole_if(is_whole(dim)), is_whole)

    def rule(self) -> ShardingRule:
        """The rule: dimensions without a factor get one of size 1, which cannot be split."""
        factors = list(self._factors)

        def closed(tensors: Sequence[Sequence[Sequence[int]]]) -> tuple[TensorFactors, ...]:
            return tuple(tuple(tuple(dim) or _appended(factors) for dim in tensor) for tensor in tensors)

        operands, results = closed(self._operands), closed(self._results)
        return ShardingRule(tuple(factors), operands, results)

    def _new(self, size: int, kind: FactorKind, is_blocked: bool, combination: Combination | None) -> int:
        self._factors.append(Factor(size, kind, is_blocked, combination))
        return len(self._factors) - 1


def _appended(factors: list[Factor]) -> tuple[int]:
    factors.append(Factor(1))
    return (len(factors) - 1,)


Maker = Callable[[Any, RuleBuilder], bool | None]
"""Adds the factors of an op of a known class to its rule; False where the op, as it is, has none."""

MAKERS: dict[type[Operation], Maker] = {}


def sharding_rule(*op_types: type[Operation]) -> Callable[[Maker], Maker]:
    """Registers a function for ops of these classes."""

    def register(maker: Maker) -> Maker:
        for op_type in op_types:
            if op_type in MAKERS:
                raise ValueError(f"{op_type.name} has a sharding rule already")
            MAKERS[op_type] = maker
        return maker

    return register
