"""How a tensor is spread over a mesh of devices, as plain data: what propagation and partitioning compute with.

The attributes of the dialect are made from these and read into them. Words and rules are Shardy's
(openxla/shardy, docs/sharding_representation.md).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import prod
from typing import Literal, NamedTuple

Reduction = Literal["sum", "max", "min"]
"""How values that are unreduced over an axis are still to be combined."""


class AxisRef(NamedTuple):
    """An axis of a mesh, or a part: of one of size 8, `("x", 2, 4)` is `"x":(2)4`, the inner 4 of 2 times 4."""

    name: str
    pre_size: int | None = None
    size: int | None = None
    """Both None for the whole axis."""


class Mesh(NamedTuple):
    """Axes with their sizes; devices are numbered row-major over them, or as `device_ids` says."""

    axes: tuple[tuple[str, int], ...]
    device_ids: tuple[int, ...] | None = None

    @property
    def size(self) -> int:
        """The number of devices."""
        return prod(size for _, size in self.axes)

    def axis_size(self, axis: AxisRef) -> int:
        """The number of parts that the axis makes."""
        return dict(self.axes)[axis.name] if axis.size is None else axis.size

    @property
    def is_maximal(self) -> bool:
        """Whether it is one device, which has the whole tensor."""
        return not self.axes and self.device_ids is not None


def merged(axes: Iterable[AxisRef], mesh: Mesh) -> tuple[AxisRef, ...]:
    """The same axes, major to minor, with neighbours that are consecutive parts of one axis made one."""
    parts: list[tuple[str, int, int]] = []
    for axis in axes:
        pre_size = axis.pre_size or 1
        size = mesh.axis_size(axis)
        if parts and parts[-1][0] == axis.name and parts[-1][1] * parts[-1][2] == pre_size:
            _, pre_size, before = parts.pop()
            size *= before
        parts.append((axis.name, pre_size, size))
    return tuple(
        AxisRef(name) if size == mesh.axis_size(AxisRef(name)) else AxisRef(name, pre_size, size)
        for name, pre_size, size in parts
    )


def in_mesh_order(axes: Iterable[AxisRef], mesh: Mesh) -> tuple[AxisRef, ...]:
    """The same axes as a set: in the order of the mesh, merged."""
    places = {name: place for place, (name, _) in enumerate(mesh.axes)}
    return merged(sorted(axes, key=lambda axis: (places[axis.name], axis.pre_size or 1)), mesh)


class DimensionSharding(NamedTuple):
    """The axes that split a dimension, major to minor; an open one may be split further by propagation."""

    axes: tuple[AxisRef, ...] = ()
    is_closed: bool = True
    priority: int | None = None
    """0 first; None is 0."""


class Sharding(NamedTuple):
    """The sharding of a tensor: an entry for each dimension; it is replicated over axes that no dimension names."""

    mesh: Mesh
    dimensions: tuple[DimensionSharding, ...]
    replicated: tuple[AxisRef, ...] = ()
    """The axes that propagation must not use."""
    unreduced: tuple[AxisRef, ...] = ()
    """The axes over which the values of the devices are still to be combined."""
    mesh_name: str | None = None
    """The symbol of the mesh; None for one written in place."""
    reduction: Reduction = "sum"
    """How they are to be combined over `unreduced`."""

    def parts(self, dimension: int) -> int:
        """Into how many parts `dimension` is split: one on a mesh of one device, where none is named."""
        if self.mesh.is_maximal:
            return 1
        return prod(map(self.mesh.axis_size, self.dimensions[dimension].axes))

    def inside(self, manual_axes: Collection[str]) -> Sharding:
        """The sharding of the same tensor as seen where the program is local over `manual_axes`."""

        def free(axes: tuple[AxisRef, ...]) -> tuple[AxisRef, ...]:
            return tuple(axis for axis in axes if axis.name not in manual_axes)

        dimensions = tuple(dimension._replace(axes=free(dimension.axes)) for dimension in self.dimensions)
        return self._replace(dimensions=dimensions, replicated=free(self.replicated), unreduced=free(self.unreduced))


def open_sharding(mesh: Mesh, rank: int, mesh_name: str | None = None) -> Sharding:
    """What no sharding means: replicated, and open to propagation."""
    return Sharding(mesh, (DimensionSharding((), False),) * rank, mesh_name=mesh_name)
