"""The devices of all meshes of a module, numbered by digits: what shardings are computed in.

The number of a device is written in a mixed radix whose digits have prime sizes, so that each axis of each mesh, and
each part of an axis that a sharding names, is some of the digits. A dimension is split by a sequence of digits, major
to minor; a value is replicated over the digits that no dimension has. Two shardings are compared digit by digit,
whatever meshes they were written for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX

from ....dialects.sdy.shardings import AxisRef, Mesh, Sharding
from ....errors import UnsupportedError

Digits = tuple[int, ...]
"""Digits by their place in `Devices.sizes`, major to minor."""


class Layout(NamedTuple):
    """How a tensor is spread: the digits that split each dimension, and those over which it is a sum of parts."""

    dimensions: tuple[Digits, ...]
    partial: Digits = ()
    """In ascending order; the values of these devices are still to be combined."""

    @property
    def used(self) -> frozenset[int]:
        """All digits that the layout names."""
        return frozenset(digit for digits in (*self.dimensions, self.partial) for digit in digits)

    def whole(self) -> Layout:
        """The same with the parts combined."""
        return self._replace(partial=())

    def with_dimension(self, dim: int, digits: Digits) -> Layout:
        """The same but for one dimension."""
        return self._replace(dimensions=(*self.dimensions[:dim], digits, *self.dimensions[dim + 1 :]))


def replicated(rank: int) -> Layout:
    """Every device has all of the tensor."""
    return Layout(((),) * rank)


@dataclass(frozen=True)
class Devices:
    """The digits of device numbers, and what they are for each mesh."""

    sizes: tuple[int, ...]
    """Primes, major to minor."""

    order: tuple[int, ...]
    """The partition at each number."""

    axes: dict[tuple[Mesh, str], Digits]
    """The digits of an axis."""

    strangers: Mapping[Mesh, tuple[int, ...]] = field(default_factory=dict[Mesh, "tuple[int, ...]"])
    """Meshes with devices in an order without digits here, by number the partition that has the place for which the
    number stands: what comes from outside, or goes there, is moved between it and the partition with that number.
    """

    @property
    def count(self) -> int:
        return len(self.order)

    def parts(self, digits: Iterable[int]) -> int:
        """How many parts some digits make."""
        return prod(self.sizes[digit] for digit in digits)

    def stride(self, digit: int) -> int:
        """How far apart the numbers of devices are that differ by one in a digit."""
        return prod(self.sizes[digit + 1 :])

    def digits(self, mesh: Mesh, axis: AxisRef) -> Digits:
        """The digits of an axis, or of a part of it."""
        digits = self.axes[mesh, axis.name]
        if axis.size is None:
            return digits
        start, end = self._place(digits, axis.pre_size or 1), self._place(digits, (axis.pre_size or 1) * axis.size)
        return digits[start:end]

    def _place(self, digits: Digits, parts: int) -> int:
        """After how many of the digits there are `parts` parts."""
        return next(place for place in range(len(digits) + 1) if self.parts(digits[:place]) == parts)

    def all_digits(self, mesh: Mesh, axes: Iterable[AxisRef]) -> Digits:
        """The digits of several axes, in order."""
        return tuple(digit for axis in axes for digit in self.digits(mesh, axis))

    def layout(self, sharding: Sharding | None, rank: int) -> Layout:
        """The layout that a sharding describes; no sharding, and one on a single device, is a copy for each device."""
        if sharding is None or sharding.mesh.size == 1:
            return replicated(rank)
        if sharding.unreduced and sharding.reduction != "sum":
            raise UnsupportedError(f"parts that are to be combined by '{sharding.reduction}' in a sharding")
        dimensions = tuple(self.all_digits(sharding.mesh, dim.axes) for dim in sharding.dimensions)
        return Layout(dimensions, tuple(sorted(self.all_digits(sharding.mesh, sharding.unreduced))))

    def local_size(self, size: int, digits: Digits) -> int:
        """The elements of each device of a dimension of `size`: the last devices may have fewer that count."""
        return -(-size // self.parts(digits))

    def local_shape(self, shape: Sequence[int], layout: Layout) -> tuple[int, ...]:
        """The shape of each device's part. Raises `UnsupportedError` for one that is not known."""
        if DYNAMIC_INDEX in shape:
            raise UnsupportedError("a tensor with a dynamic dimension in a sharded program; run refine-shapes first")
        return tuple(self.local_size(size, digits) for size, digits in zip(shape, layout.dimensions, strict=True))

    def coordinates(self, digits: Digits) -> list[int]:
        """By device number, its place among the parts that `digits` make."""
        numbers, places = np.arange(self.count), np.zeros(self.count, np.int64)
        for digit in digits:
            places = places * self.sizes[digit] + numbers // self.stride(digit) % self.sizes[digit]
        return places.tolist()

    def groups(self, digits: Digits) -> list[list[int]]:
        """The partitions that differ in `digits` only, each group in the order of the parts that the digits make."""
        others = tuple(digit for digit in range(len(self.sizes)) if digit not in digits)
        groups = np.zeros((self.parts(others), self.parts(digits)), np.int64)
        groups[self.coordinates(others), self.coordinates(digits)] = self.order
        return groups.tolist()


def _primes(number: int) -> list[int]:
    found: list[int] = []
    factor = 2
    while number > 1:
        while number % factor == 0:
            found.append(factor)
            number //= factor
        factor += 1
    return found


def _segments(size: int, cuts: Iterable[int], name: str) -> list[int]:
    """The prime sizes of an axis, such that each cut is a product of the first of them."""
    sizes: list[int] = []
    for cut in sorted({*cuts, size}):
        done = prod(sizes)
        if cut % done:
            raise UnsupportedError(f"axis '{name}' of size {size} is divided at {done} and at {cut}")
        sizes += _primes(cut // done)
    return sizes


def _weights(mesh: Mesh, sizes: Sequence[int], numbers: Sequence[int]) -> list[int] | None:
    """By how much the number of a device grows with each digit of its place in the mesh; None if that varies."""
    table = np.array(numbers).reshape(sizes)
    weights = [int(table[tuple(int(i == j) for j in range(len(sizes)))]) for i in range(len(sizes))]
    sums = sum(weight * indices for weight, indices in zip(weights, np.indices(sizes), strict=True))
    return weights if np.array_equal(table, sums) else None


def devices_of(shardings: Iterable[Sharding], count: int) -> Devices:
    """The digits in which all of `shardings` can be said, for `count` devices.

    Meshes whose devices are in orders that have no digits in common with the first ones become strangers. Raises
    `UnsupportedError` for meshes of other sizes, and for axes that are divided at sizes that do not divide each other.
    """
    cuts: dict[Mesh, dict[str, set[int]]] = {}
    for sharding in shardings:
        if sharding.mesh.size == 1:
            continue
        if sharding.mesh.size != count:
            raise UnsupportedError(f"a mesh of {sharding.mesh.size} devices in a program for {count}")
        axes = cuts.setdefault(sharding.mesh, {name: set() for name, _ in sharding.mesh.axes})
        for axis in _axes_of(sharding):
            if axis.size is not None:
                pre = axis.pre_size or 1
                axes[axis.name] |= {pre, pre * axis.size}
    if (devices := _devices_in_some_order(cuts, count)) is not None:
        return devices
    known: dict[Mesh, dict[str, set[int]]] = {}
    found: Devices | None = None
    for mesh, axes in cuts.items():
        following = _devices_in_some_order({**known, mesh: axes}, count)
        if following is not None:
            known[mesh], found = axes, following
    assert found is not None
    return _with_strangers(found, {mesh: axes for mesh, axes in cuts.items() if mesh not in known})


def _devices_in_some_order(cuts: dict[Mesh, dict[str, set[int]]], count: int) -> Devices | None:
    """The digits of numbers in an order in which every mesh has some."""
    orders = sorted({mesh.device_ids for mesh in cuts if mesh.device_ids is not None})
    tried = (_devices_in_order(cuts, order) for order in (tuple(range(count)), *orders))
    return next((devices for devices in tried if devices is not None), None)


def _with_strangers(devices: Devices, cuts: dict[Mesh, dict[str, set[int]]]) -> Devices:
    """With the axes of other meshes as digits of their sizes, in order where that can be."""
    axes, strangers = dict(devices.axes), dict[Mesh, tuple[int, ...]]()
    for mesh, parts in cuts.items():
        segments = [(name, size) for name, total in mesh.axes for size in _segments(total, parts[name], name)]
        left = list(range(len(devices.sizes)))
        digits: list[int] = []
        for _, size in segments:
            digits.append(next(digit for digit in left if devices.sizes[digit] == size))
            left.remove(digits[-1])
        for name, _ in mesh.axes:
            axes[mesh, name] = tuple(digit for digit, (of, _) in zip(digits, segments, strict=True) if of == name)
        partitions = np.arange(mesh.size) if mesh.device_ids is None else np.array(mesh.device_ids)
        strangers[mesh] = tuple(partitions[devices.coordinates(tuple(digits))].tolist())
    return replace(devices, axes=axes, strangers=strangers)


def _axes_of(sharding: Sharding) -> Iterable[AxisRef]:
    yield from (axis for dim in sharding.dimensions for axis in dim.axes)
    yield from sharding.replicated
    yield from sharding.unreduced


def _devices_in_order(cuts: dict[Mesh, dict[str, set[int]]], order: tuple[int, ...]) -> Devices | None:
    """The digits of numbers in the given order of devices; None if a mesh does not fit."""
    number = {device: place for place, device in enumerate(order)}
    found: dict[tuple[Mesh, str], list[tuple[int, int]]] = {}
    for mesh, axes in cuts.items():
        segments = [(name, size) for name, total in mesh.axes for size in _segments(total, axes[name], name)]
        ids = range(mesh.size) if mesh.device_ids is None else mesh.device_ids
        weights = _weights(mesh, [size for _, size in segments], [number[device] for device in ids])
        if weights is None:
            return None
        for name, _ in mesh.axes:
            found[mesh, name] = []
        for (name, size), weight in zip(segments, weights, strict=True):
            found[mesh, name].append((weight, size))
    bounds = sorted({1, len(order)} | {w for ws in found.values() for w, s in ws for w in (w, w * s)}, reverse=True)
    strides: dict[int, int] = {}
    sizes: list[int] = []
    for upper, lower in pairwise(bounds):
        if upper % lower:
            return None
        for size in _primes(upper // lower):
            upper //= size
            strides[upper] = len(sizes)
            sizes.append(size)
    if any(sizes[strides[weight]] != size for weights in found.values() for weight, size in weights):
        return None
    axes = {key: tuple(strides[weight] for weight, _ in weights) for key, weights in found.items()}
    return Devices(tuple(sizes), order, axes)
