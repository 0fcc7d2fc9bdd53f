"""The sharding of a tensor by dimensions, and by factors of an op.

The axes of a dimension go to its factors, major to minor, until each is split into as many parts as it has elements.
An axis that is larger than what is left of a factor is taken apart. Where their sizes have nothing in common, all that
follows is overflow: kept, and in the way of any further split. Source: Shardy's docs/propagation.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod
from typing import NamedTuple

from ...dialects.sdy.sharding_rules import DimensionFactors, TensorFactors
from .parts import Part, Parts, appended


class TensorSharding(NamedTuple):
    """What is known of the sharding of a tensor."""

    dims: tuple[Parts, ...]
    are_closed: tuple[bool, ...]
    replicated: Parts = ()
    unreduced: Parts = ()

    @property
    def is_split(self) -> bool:
        """Whether any dimension has an axis."""
        return any(self.dims)


class FactorSharding:
    """The axes that split a factor of one tensor."""

    __slots__ = ("axes", "is_closed", "is_minor_most", "overflow")

    def __init__(self, axes: Sequence[Part], is_closed: bool, is_minor_most: bool, overflow: Sequence[Part] = ()):
        self.axes = list(axes)
        self.is_closed = is_closed
        self.is_minor_most = is_minor_most
        self.overflow = list(overflow)


Factors = dict[int, FactorSharding]
"""Those of one tensor."""


class Projection(NamedTuple):
    """A tensor by factors, and the axes that may not split it."""

    factors: Factors
    forbidden: Parts
    """Those over which it is to be replicated, or has still to be reduced."""


def project(tensor: TensorFactors, sharding: TensorSharding | None, sizes: Sequence[int]) -> Projection:
    """The sharding of a tensor by its factors; without a sharding, open and not split."""
    factors: Factors = {}
    for dim, of_dim in enumerate(tensor):
        axes, is_closed = ((), False) if sharding is None else (sharding.dims[dim], sharding.are_closed[dim])
        _project_dimension(factors, of_dim, axes, is_closed, sizes)
    return Projection(factors, () if sharding is None else sharding.replicated + sharding.unreduced)


def _project_dimension(
    factors: Factors, of_dim: DimensionFactors, axes: Parts, is_closed: bool, sizes: Sequence[int]
) -> None:
    rest = list(axes)
    *majors, minor_most = of_dim
    overflow: list[Part] = []
    for factor in majors:
        if overflow:
            factors[factor] = FactorSharding((), True, False)
            continue
        taken, left = _taken(rest, sizes[factor])
        if left > 1 and rest:
            overflow, rest = rest, []
        factors[factor] = FactorSharding(taken, is_closed, False, overflow)
    factors[minor_most] = FactorSharding(rest, is_closed or bool(overflow), True)


def _taken(rest: list[Part], size: int) -> tuple[list[Part], int]:
    """The axes, or parts of axes, that fit a factor of `size`, removed from `rest`; and what is left of the size."""
    taken: list[Part] = []
    while rest and (common := gcd(size, rest[0].size)) > 1:
        axis = rest[0]
        taken.append(Part(axis.name, axis.pre_size, common))
        size //= common
        if common == axis.size:
            del rest[0]
        else:
            rest[0] = Part(axis.name, axis.pre_size * common, axis.size // common)
    return taken, size


def unproject(
    tensor: TensorFactors, projection: Projection, sharding: TensorSharding | None, sizes: Sequence[int]
) -> TensorSharding:
    """The sharding of the tensor by dimensions: up to the first factor that is not split completely."""
    dims: list[Parts] = []
    for of_dim in tensor:
        axes: list[Part] = []
        for factor in of_dim:
            of_factor = projection.factors[factor]
            axes = appended(axes, of_factor.axes)
            if of_factor.overflow:
                axes = appended(axes, of_factor.overflow)
                break
            if prod([part.size for part in of_factor.axes]) < sizes[factor]:
                break
        dims.append(tuple(axes))
    if sharding is None:
        return TensorSharding(tuple(dims), (False,) * len(dims))
    return sharding._replace(dims=tuple(dims))
