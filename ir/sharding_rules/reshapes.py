"""The factors of a reshape: dimensions that are split, merged, or both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd, prod
from typing import NamedTuple

from ...dialects import stablehlo
from ...dialects.stablehlo.shapes import shape_of
from .builder import Dim, RuleBuilder, sharding_rule


class ReshapeFactor(NamedTuple):
    """A factor of a dimension of the operand, of the result, or of both."""

    size: int
    operand: Dim
    result: Dim


@sharding_rule(stablehlo.ReshapeOp, stablehlo.DynamicReshapeOp)
def reshape(op: stablehlo.ReshapeOp | stablehlo.DynamicReshapeOp, rule: RuleBuilder) -> bool:
    """None for a tensor without elements: there is nothing to split."""
    operand, result = shape_of(op.operand), shape_of(op.result)
    if not prod(operand):
        return False
    others = [None] * (len(op.operands) - 1)
    for factor in reshape_factors(operand, result):
        rule.add(factor.size, [factor.operand, *others], [factor.result])
    return True


def reshape_factors(operand: Sequence[int], result: Sequence[int]) -> Iterator[ReshapeFactor]:
    """The common factors of both shapes, major to minor, the largest that lie at the same place in both.

    Where the next sizes have nothing in common (2x3 to 3x2), both go on by themselves until the products of what they
    have taken are equal again. Dimensions of size 1 have a factor of their own.
    """
    sides = _Side(operand), _Side(result)
    while True:
        for side in sides:
            if (dim := side.skip_one()) is not None:
                yield _factor(side is sides[0], 1, dim)
                break
        else:
            if sides[0].is_done and sides[1].is_done:
                return
            yield from _next_factors(*sides)


class _Side:
    """How far one of the shapes is taken apart."""

    def __init__(self, shape: Sequence[int]):
        self.shape = shape
        self.dim = 0
        self.rest = shape[0] if shape else 1
        """Of the size of dimension `dim`."""
        self.taken = 1
        """The product of all factors so far."""

    @property
    def is_done(self) -> bool:
        return self.dim == len(self.shape)

    def skip_one(self) -> int | None:
        """Steps over a whole dimension of size 1."""
        if self.is_done or self.shape[self.dim] != 1:
            return None
        self._step()
        return self.dim - 1

    def take(self, size: int) -> int:
        """The dimension that a factor of this size is of."""
        dim = self.dim
        self.taken *= size
        self.rest //= size
        if self.rest == 1:
            self._step()
        return dim

    def _step(self) -> None:
        self.dim += 1
        self.rest = 1 if self.is_done else self.shape[self.dim]


def _factor(is_operand: bool, size: int, dim: int) -> ReshapeFactor:
    return ReshapeFactor(size, dim, None) if is_operand else ReshapeFactor(size, None, dim)


def _next_factors(operand: _Side, result: _Side) -> Iterator[ReshapeFactor]:
    common = gcd(operand.rest, result.rest)
    if operand.taken == result.taken:
        if common > 1:
            yield ReshapeFactor(common, operand.take(common), result.take(common))
            return
        for side in (operand, result):
            rest = side.rest
            yield _factor(side is operand, rest, side.take(rest))
        return
    behind, ahead = (operand, result) if operand.taken < result.taken else (result, operand)
    size = _size_that_converges(behind, ahead, common)
    yield _factor(behind is operand, size, behind.take(size))


def _size_that_converges(behind: _Side, ahead: _Side, common: int) -> int:
    missing, remainder = divmod(ahead.taken, behind.taken)
    if not remainder and behind.rest % missing == 0:
        return missing
    return behind.rest // common if behind.rest > common else behind.rest
