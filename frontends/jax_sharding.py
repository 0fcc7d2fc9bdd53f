"""Programs of JAX on several devices: arrays that are split already stay where they are, results are split as the
program leaves them.

JAX's devices stand for those of the program, in the order in which JAX has assigned them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import jax as _jax
import numpy as np

from ..dialects.sdy.shardings import AxisRef, Mesh, Sharding
from ..runtime.sharding.executable import ShardedExecutable
from ..runtime.sharding.splitting import Splitting

jax: Any = _jax

_put: Any = jax._src.lib.xla_client.batched_device_put


class ShardedProgram:
    """A compiled program for several devices of JAX."""

    def __init__(self, executable: ShardedExecutable, devices: Sequence[Any]) -> None:
        self.executable = executable
        self._devices = list(devices)
        splittings = (*executable.input_splittings, *executable.output_splittings)
        spread = (splitting.sharding for splitting in splittings if splitting.sharding is not None)
        mesh = next((sharding.mesh for sharding in spread if sharding.mesh.size == len(self._devices)), None)
        whole = named_sharding(None if mesh is None else Sharding(mesh, ()), devices)
        self._inputs = [_Place(splitting, devices, whole) for splitting in executable.input_splittings]
        self._outputs = [_Place(splitting, devices, whole) for splitting in executable.output_splittings]

    def __call__(self, leaves: Sequence[Any], arrays: Callable[[int], np.ndarray], avals: Sequence[Any]) -> list[Any]:
        """The results on `leaves`; `arrays(i)` is leaf i as the program takes it, as a whole. `avals` are the abstract
        values of the results, None for one that JAX's own function is to make.
        """
        columns = [
            place.parts_of(leaf) or place.splitting.split(arrays(number))
            for number, (leaf, place) in enumerate(zip(leaves, self._inputs, strict=True))
        ]
        rows = self.executable.run_sharded([list(row) for row in zip(*columns, strict=True)] or self._no_arguments())
        return [
            place.array_of([row[index] for row in rows], aval)
            for index, (place, aval) in enumerate(zip(self._outputs, avals, strict=True))
        ]

    def _no_arguments(self) -> list[list[Any]]:
        return [[] for _ in self._devices]


class _Place:
    """Where JAX has the parts of an argument or a result."""

    def __init__(self, splitting: Splitting, devices: Sequence[Any], whole: Any) -> None:
        self.splitting = splitting
        self.devices = list(devices)
        self.whole = whole
        """The sharding of an array that each device has all of."""
        self.sharding = whole if splitting.sharding is None else named_sharding(splitting.sharding, devices)
        spread = splitting.sharding
        self.is_even = spread is None or all(
            size == part * spread.parts(dim)
            for dim, (size, part) in enumerate(zip(splitting.shape, splitting.local_shape, strict=True))
        )

    def parts_of(self, value: Any) -> list[np.ndarray] | None:
        """The parts of an array that is split in this way already; None for all others."""
        if not self.is_even or not isinstance(value, jax.Array):
            return None
        if jax.dtypes.issubdtype(value.dtype, jax.dtypes.extended):  # keys of random numbers
            return None
        if not value.sharding.is_equivalent_to(self.sharding, value.ndim):
            return None
        parts = {shard.device: shard.data for shard in value.addressable_shards}
        return [np.asarray(parts[device]) for device in self.devices]

    def array_of(self, parts: Sequence[np.ndarray], aval: Any) -> Any:
        """The array of JAX that has these parts; one that JAX cannot have in uneven parts is whole on each device."""
        sharding = self.sharding
        spread = self.splitting.sharding
        if not self.is_even or (spread is not None and spread.unreduced):
            sharding = self.whole
            parts = [self.splitting.join(parts)] * len(self.devices)
        order = list(sharding.mesh.devices.flat)
        by_device = dict(zip(self.devices, parts, strict=True))
        ordered = [by_device[device] for device in order]
        if aval is not None:
            return _put(aval, sharding, ordered, order, True)
        placed = [jax.device_put(part, device) for part, device in zip(ordered, order, strict=True)]
        return jax.make_array_from_single_device_arrays(self.splitting.shape, sharding, placed)


def named_sharding(sharding: Sharding | None, devices: Sequence[Any]) -> Any:
    """`sharding` as one of JAX. An axis of which it names parts is several axes of the mesh there."""
    if sharding is None or sharding.mesh.size == 1:
        mesh = jax.sharding.Mesh(np.array(devices, object), ("devices",))
        return jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
    refined = _refined(sharding)
    order = range(len(devices)) if sharding.mesh.device_ids is None else sharding.mesh.device_ids
    places = np.array([devices[number] for number in order], object)
    axes = [axis for parts in refined.values() for axis in parts]
    mesh = jax.sharding.Mesh(places.reshape([size for _, _, size in axes]), tuple(name for name, _, _ in axes))
    spec = [
        tuple(name for axis in dimension.axes for name in _names(axis, refined, sharding.mesh)) or None
        for dimension in sharding.dimensions
    ]
    while spec and spec[-1] is None:
        spec.pop()
    entries = [each[0] if each is not None and len(each) == 1 else each for each in spec]
    return jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*entries))


_Parts = dict[str, list[tuple[str, int, int]]]
"""By axis its parts, major to minor: name, size of what is left of it, size."""


def _refined(sharding: Sharding) -> _Parts:
    refined: _Parts = {}
    used = [axis for dimension in sharding.dimensions for axis in dimension.axes]
    for name, size in sharding.mesh.axes:
        cuts = {1, size}
        for axis in used:
            if axis.name == name and axis.size is not None and axis.pre_size is not None:
                cuts |= {axis.pre_size, axis.pre_size * axis.size}
        bounds = sorted(cuts) if size > 1 else [1, 1]
        parts = list(pairwise(bounds))
        names = [name] if len(parts) == 1 else [f"{name}_{number}" for number in range(len(parts))]
        refined[name] = [(each, low, high // low) for each, (low, high) in zip(names, parts, strict=True)]
    return refined


def _names(axis: AxisRef, refined: _Parts, mesh: Mesh) -> list[str]:
    """The axes of the finer mesh that `axis` is."""
    low = axis.pre_size or 1
    high = low * mesh.axis_size(axis)
    return [name for name, start, _ in refined[axis.name] if low <= start < high or low == high == start]
