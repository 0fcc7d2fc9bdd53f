"""Random meshes and shardings, as plain data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from random import Random

from ...dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding

AXES: list[tuple[tuple[str, int], ...]] = [
    (("a", 2),), (("a", 2),), (("a", 4),), (("a", 4),), (("a", 8),), (("a", 3),), (("a", 6),),
    (("a", 2), ("b", 2)), (("a", 2), ("b", 2)), (("a", 2), ("b", 4)), (("a", 4), ("b", 2)), (("a", 2), ("b", 3)),
    (("a", 1), ("b", 2)), (("a", 2), ("b", 2), ("c", 2)),
]  # fmt: skip
"""Axes of meshes: those that are drawn more often stand here twice."""

NAME = "mesh"

REORDERED = 0.1
"""The share of meshes whose devices are not in their natural order."""

UNEVEN = 0.35
"""The share of programs that split dimensions into parts of different sizes."""

SUB_AXES = 0.25
"""The share of programs that use parts of axes."""

PRIORITIES = 0.15
"""The share of programs that say what is to be propagated first."""


def draw_mesh(random: Random) -> Mesh:
    """A mesh of up to eight devices."""
    axes = random.choice(AXES)
    mesh = Mesh(axes)
    if random.random() >= REORDERED:
        return mesh
    return Mesh(axes, tuple(random.sample(range(mesh.size), mesh.size)))


class ShardingDrawer:
    """Draws the shardings of one program."""

    def __init__(self, random: Random, mesh: Mesh) -> None:
        self._random, self._mesh = random, mesh
        self._is_uneven = random.random() < UNEVEN
        self._has_sub_axes = random.random() < SUB_AXES
        self._has_priorities = random.random() < PRIORITIES

    def draw(self, shape: Sequence[int]) -> Sharding:
        """A sharding of a tensor of that shape; none of its dimensions is split where it is empty."""
        axes: list[list[AxisRef]] = [[] for _ in shape]
        used: set[str] = set()
        for axis in self._axes():
            if not shape or self._random.random() < 0.35:
                continue
            for dimension in self._random.sample(range(len(shape)), len(shape)):
                if self._fits(shape[dimension], [*axes[dimension], axis]):
                    axes[dimension].append(axis)
                    used.add(axis.name)
                    break
        dimensions = tuple(map(self._dimension, axes))
        unused = [name for name, _ in self._mesh.axes if name not in used]
        replicated = tuple(AxisRef(name) for name in unused if self._random.random() < 0.1)
        return Sharding(self._mesh, dimensions, replicated, mesh_name=NAME)

    def _dimension(self, axes: Sequence[AxisRef]) -> DimensionSharding:
        is_closed = self._random.random() < 0.6
        has_priority = self._has_priorities and (axes or not is_closed) and self._random.random() < 0.5
        return DimensionSharding(tuple(axes), is_closed, self._random.randrange(3) if has_priority else None)

    def _axes(self) -> list[AxisRef]:
        """All axes of the mesh in any order, some of them as two parts."""
        axes: list[AxisRef] = []
        for name, size in self._mesh.axes:
            if self._has_sub_axes and size in (4, 8) and self._random.random() < 0.7:
                first = self._random.choice([2, size // 2])
                axes += [AxisRef(name, 1, first), AxisRef(name, first, size // first)]
            else:
                axes.append(AxisRef(name))
        return self._random.sample(axes, len(axes))

    def _fits(self, size: int, axes: Sequence[AxisRef]) -> bool:
        """Whether a dimension of that size may be split along `axes`: no two parts of an axis that make a whole."""
        if any(
            left.name == right.name and left.pre_size is not None and left.pre_size * (left.size or 1) == right.pre_size
            for left, right in pairwise(axes)
        ):
            return False
        parts = math.prod(map(self._mesh.axis_size, axes))
        return size > 0 and (self._is_uneven or size % parts == 0)
