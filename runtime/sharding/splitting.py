"""Arrays split over a mesh of devices, and joined.

A dimension of n elements in p parts has c = ceil(n / p) elements on each device: part i has those from i c below
min(n, (i + 1) c), and zeros behind them, which are no elements. Parts are counted over the axes of the sharding, major
to minor; devices stand in the mesh row-major, or as its `device_ids` say.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ...dialects.sdy.shardings import AxisRef, Mesh, Sharding
from ..options import refuse

COMBINE: dict[str, np.ufunc] = {"sum": np.add, "max": np.maximum, "min": np.minimum}


class Place(NamedTuple):
    """What a device has of a tensor."""

    parts: tuple[int, ...]
    """By dimension the number of its part."""
    term: int
    """Which term it has of what is still to be combined."""


class Splitting:
    """How a tensor of a shape is spread over `devices`; without a sharding, each has all of it."""

    def __init__(self, shape: Sequence[int], sharding: Sharding | None, devices: int) -> None:
        self.shape = tuple(shape)
        self.sharding = sharding
        self.places = _places(len(self.shape), sharding, devices)
        counts = [1] * len(self.shape) if sharding is None else [sharding.parts(dim) for dim in range(len(self.shape))]
        self.local_shape = tuple(-(-size // count) for size, count in zip(self.shape, counts, strict=True))

    def split(self, array: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
        """The part of each device; devices with the same one share it. Of what is still to be added the first has the
        elements and the others zeros. Raises `ArgumentError` for another shape.
        """
        if np.shape(array) != self.shape:
            refuse("array", f"an array of shape {self.shape}", np.shape(array))
        array = np.asarray(array)
        made = {parts: self._part(array, parts) for parts in {place.parts for place in self.places}}
        if self.sharding is None or self.sharding.reduction != "sum" or not any(place.term for place in self.places):
            return [made[place.parts] for place in self.places]
        nothing = np.zeros(self.local_shape, array.dtype)
        return [nothing if place.term else made[place.parts] for place in self.places]

    def _part(self, array: np.ndarray[Any, Any], parts: Sequence[int]) -> np.ndarray[Any, Any]:
        if self.local_shape == self.shape:
            return array
        taken = array[self._range(parts)]
        if taken.shape == self.local_shape:
            return np.ascontiguousarray(taken)
        padded = np.zeros(self.local_shape, array.dtype)
        padded[tuple(map(slice, taken.shape))] = taken
        return padded

    def _range(self, parts: Sequence[int]) -> tuple[slice, ...]:
        """Where the elements of a part are; none where there is padding only."""
        bounds = zip(parts, self.local_shape, self.shape, strict=True)
        return tuple(slice(min(part * step, size), min((part + 1) * step, size)) for part, step, size in bounds)

    def join(self, parts: Sequence[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
        """The tensor of which each device has one of `parts`; of several that have the same, the first one's counts.

        Raises `ArgumentError` for another number of parts, and for parts of other shapes.
        """
        if not isinstance(parts, list | tuple):
            refuse("parts", f"those of {len(self.places)} devices", parts)
        shapes = [np.shape(part) for part in parts]
        if len(shapes) != len(self.places) or set(shapes) != {self.local_shape}:
            expected = f"arrays of shape {self.local_shape} of {len(self.places)} devices"
            refuse("parts", expected, f"{len(shapes)} of shapes {sorted(set(shapes))}")
        parts = [np.asarray(part) for part in parts]
        if self.local_shape == self.shape and len(set(self.places)) == 1:
            return parts[0]
        whole = np.zeros(self.shape, parts[0].dtype)
        seen: set[Place] = set()
        begun: set[tuple[int, ...]] = set()
        for place, part in zip(self.places, parts, strict=True):
            if place in seen:
                continue
            seen.add(place)
            target = whole[self._range(place.parts)]
            elements = part[tuple(map(slice, target.shape))]
            if place.parts in begun:
                assert self.sharding is not None
                elements = COMBINE[self.sharding.reduction](target, elements)
            begun.add(place.parts)
            whole[self._range(place.parts)] = elements
        return whole


def _places(rank: int, sharding: Sharding | None, devices: int) -> list[Place]:
    """What each device has, in the order of their numbers."""
    if sharding is None or sharding.mesh.size == 1:
        return [Place((0,) * rank, 0)] * devices
    mesh = sharding.mesh
    places: dict[int, Place] = {}
    for position, device in enumerate(range(mesh.size) if mesh.device_ids is None else mesh.device_ids):
        coordinates = _coordinates(mesh, position)
        parts = tuple(_number(mesh, dimension.axes, coordinates) for dimension in sharding.dimensions)
        places[device] = Place(parts, _number(mesh, sharding.unreduced, coordinates))
    return [places[device] for device in range(mesh.size)]


def _coordinates(mesh: Mesh, position: int) -> dict[str, int]:
    """The place along each axis of the device at `position` of the mesh."""
    coordinates: dict[str, int] = {}
    for name, size in reversed(mesh.axes):
        position, coordinates[name] = divmod(position, size)
    return coordinates


def _number(mesh: Mesh, axes: Sequence[AxisRef], coordinates: dict[str, int]) -> int:
    """Which of the parts that `axes` make, counted major to minor."""
    number = 0
    for axis in axes:
        size = mesh.axis_size(axis)
        inner = dict(mesh.axes)[axis.name] // ((axis.pre_size or 1) * size)
        number = number * size + coordinates[axis.name] // inner % size
    return number


def devices_of(sharding: Sharding | None) -> int:
    """The number of devices of its mesh; 1 for none."""
    return 1 if sharding is None else prod(size for _, size in sharding.mesh.axes)
