"""One mesh whose axes are what the shardings of a program divide devices by.

The number of a device is written with digits of mixed radix: a tile along a dimension is numbered by some of them.
Where the digits of all shardings fit into one such numbering, its digits are the axes of a mesh. A sharding that does
not fit has a mesh of its own, with the devices in its order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ....dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding, in_mesh_order, merged
from .text import HloSharding, MaximalSharding, TileSharding, UniformSharding

AXIS = "axis_{}"

Numbers = np.ndarray[Any, np.dtype[np.int64]]


class Digit(NamedTuple):
    """Part of a device number: `size` values, `stride` apart."""

    size: int
    stride: int


def digits_of(devices: Numbers) -> list[list[Digit]] | None:
    """The digits, major to minor, that number the devices along each dimension; None if they are not so numbered."""
    dimensions: list[list[Digit]] = []
    expected = np.zeros(devices.shape, np.int64)
    for dim in range(devices.ndim):
        index = [0] * devices.ndim
        line = np.array([devices[(*index[:dim], place, *index[dim + 1 :])] for place in range(devices.shape[dim])])
        digits = _digits_of_line(line)
        if digits is None:
            return None
        dimensions.append(digits)
        expected += line.reshape([-1 if each == dim else 1 for each in range(devices.ndim)])
    return dimensions if np.array_equal(expected, devices) else None


def _digits_of_line(line: Numbers) -> list[Digit] | None:
    """The digits of numbers that begin with 0."""
    size = len(line)
    if size == 1:
        return [] if line[0] == 0 else None
    stride = int(line[1])
    if stride <= 0 or line[0] != 0:
        return None
    run = 1
    while run < size and line[run] == run * stride:
        run += 1
    if size % run:
        return None
    outer = _digits_of_line(line[::run])
    repeated = (line[::run, None] + np.arange(run) * stride).reshape(-1)
    if outer is None or not np.array_equal(repeated, line):
        return None
    return [*outer, Digit(run, stride)]


class Axes:
    """The mesh for all shardings of a program of so many devices."""

    def __init__(self, shardings: Iterable[HloSharding], devices: int) -> None:
        self.devices = devices
        cuts = [1, devices]
        """The strides at which axes begin, ascending: each divides the next."""
        for sharding in shardings:
            if isinstance(sharding, TileSharding) and (digits := digits_of(sharding.devices)) is not None:
                wanted = {*cuts, *(cut for line in digits for digit in line for cut in _cuts(digit))}
                if all(larger % smaller == 0 for smaller, larger in pairwise(sorted(wanted))):
                    cuts = sorted(wanted)
        self._cuts = cuts
        sizes = [larger // smaller for smaller, larger in pairwise(cuts)]
        self.mesh = Mesh(tuple((AXIS.format(number), size) for number, size in enumerate(reversed(sizes))))
        self.mesh_name: str | None = None
        """The symbol of the mesh, once it is declared."""
        self._by_stride = dict(zip(cuts, (name for name, _ in reversed(self.mesh.axes)), strict=False))

    def _axes(self, digits: Iterable[Digit]) -> tuple[AxisRef, ...]:
        """The axes that digits are, major to minor."""
        axes: list[AxisRef] = []
        for digit in digits:
            low, high = _cuts(digit)
            axes += [AxisRef(self._by_stride[cut]) for cut in reversed(self._cuts) if low <= cut < high]
        return tuple(axes)

    def _fits(self, digits: Sequence[Sequence[Digit]]) -> bool:
        return all(cut in self._cuts for line in digits for digit in line for cut in _cuts(digit))

    @property
    def names(self) -> tuple[str, ...]:
        """Of all axes."""
        return tuple(name for name, _ in self.mesh.axes)

    def manual_axes(self, sharding: HloSharding) -> tuple[str, ...]:
        """The axes over which the program is local where this sharding stands."""
        if isinstance(sharding, UniformSharding):
            return self.names if sharding.kind == "manual" else ()
        if not isinstance(sharding, TileSharding):
            return ()
        digits = digits_of(sharding.devices)
        if digits is None or not self._fits(digits):
            return ()
        manual = self._grouped(sharding, digits, "manual")
        return tuple(axis.name for axis in in_mesh_order(manual, self.mesh))

    def _grouped(self, sharding: TileSharding, digits: Sequence[Sequence[Digit]], kind: str) -> tuple[AxisRef, ...]:
        grouped = zip(sharding.groups, digits[sharding.rank :], strict=True)
        return tuple(axis for group, line in grouped if group == kind for axis in self._axes(line))

    def sharding(self, sharding: HloSharding, rank: int, open_dimensions: Sequence[int] = ()) -> Sharding:
        """The sharding of a tensor of `rank`; propagation may divide `open_dimensions` further."""
        if isinstance(sharding, MaximalSharding):
            return Sharding(Mesh((), (sharding.device,)), ())
        if not isinstance(sharding, TileSharding):
            is_open = sharding.kind == "unknown"
            unreduced = tuple(map(AxisRef, self.names)) if sharding.kind == "unreduced" else ()
            dimensions = tuple(DimensionSharding((), not (is_open or dim in open_dimensions)) for dim in range(rank))
            return Sharding(self.mesh, dimensions, unreduced=unreduced, mesh_name=self.mesh_name)
        digits = digits_of(sharding.devices)
        if digits is None or not self._fits(digits):
            return _on_own_mesh(sharding, open_dimensions)
        dimensions = tuple(
            DimensionSharding(merged(self._axes(line), self.mesh), dim not in open_dimensions)
            for dim, line in enumerate(digits[: sharding.rank])
        )
        unreduced = in_mesh_order(self._grouped(sharding, digits, "unreduced"), self.mesh)
        return Sharding(self.mesh, dimensions, unreduced=unreduced, mesh_name=self.mesh_name)


def _cuts(digit: Digit) -> tuple[int, int]:
    return digit.stride, digit.stride * digit.size


def _on_own_mesh(sharding: TileSharding, open_dimensions: Sequence[int]) -> Sharding:
    """With an axis for each dimension of the array of devices."""
    shape = sharding.devices.shape
    mesh = Mesh(
        tuple((AXIS.format(dim), size) for dim, size in enumerate(shape) if size > 1),
        tuple(map(int, sharding.devices.flat)),
    )
    axes = [(AxisRef(AXIS.format(dim)),) if size > 1 else () for dim, size in enumerate(shape)]
    dimensions = tuple(DimensionSharding(axes[dim], dim not in open_dimensions) for dim in range(sharding.rank))
    unreduced = tuple(
        axis for group, line in zip(sharding.groups, axes[sharding.rank :], strict=True) if group == "unreduced"
        for axis in line
    )  # fmt: skip
    return Sharding(mesh, dimensions, unreduced=unreduced)
