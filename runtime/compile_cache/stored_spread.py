"""How a stored program is spread over devices: as JSON, and back. What is read is not trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ...dialects.sdy.shardings import AxisRef, DimensionSharding, Mesh, Sharding
from ..sharding.spread import Spread
from ..signature import Signature, TensorSpec
from .stored_header import DamagedError, items, number, of_type, text

REDUCTIONS = ("sum", "max", "min")


def sharding_as_json(sharding: Sharding | None) -> list[Any] | None:
    """Lists of lists of names and numbers: named tuples are lists of their fields."""
    return None if sharding is None else list(sharding)


def spread_of(signature: Signature, devices: int, inputs: object, outputs: object) -> Spread:
    """The arguments and results of `signature` spread by shardings that JSON said. Raises `DamagedError`."""
    sides = (signature.inputs, inputs), (signature.outputs, outputs)
    found = [items(value, lambda each: each) for _, value in sides]
    if devices < 1 or any(len(side[0]) != len(values) for side, values in zip(sides, found, strict=True)):
        raise DamagedError
    given, returned = (
        tuple(_sharding(value, spec, devices) for value, spec in zip(values, side[0], strict=True))
        for side, values in zip(sides, found, strict=True)
    )
    return Spread(devices, signature, given, returned)


def _sharding(value: object, spec: TensorSpec, devices: int) -> Sharding | None:
    if value is None:
        return None
    mesh, dimensions, replicated, unreduced, name, reduction = _fields(value, 6)
    found = _mesh(mesh)

    def axes(value: object) -> tuple[AxisRef, ...]:
        return items(value, lambda axis: _axis(axis, found))

    dims = items(dimensions, lambda dim: _dimension(dim, axes))
    if found.size not in (1, devices) or len(dims) != len(spec.shape) or reduction not in REDUCTIONS:
        raise DamagedError
    return Sharding(found, dims, axes(replicated), axes(unreduced), None if name is None else text(name), reduction)


def _mesh(value: object) -> Mesh:
    axes, ids = _fields(value, 2)
    pairs = items(axes, lambda axis: _fields(axis, 2))
    numbers = None if ids is None else items(ids, number)
    mesh = Mesh(tuple((text(name), number(size)) for name, size in pairs), numbers)
    if numbers is not None and sorted(numbers) != list(range(mesh.size)):
        raise DamagedError
    return mesh


def _dimension(value: object, axes: Any) -> DimensionSharding:
    own, is_closed, priority = _fields(value, 3)
    return DimensionSharding(axes(own), of_type(is_closed, bool), None if priority is None else number(priority))


def _axis(value: object, mesh: Mesh) -> AxisRef:
    name, before, size = _fields(value, 3)
    whole = dict(mesh.axes).get(text(name))
    if whole is None or (before is None) != (size is None):
        raise DamagedError
    if before is None:
        return AxisRef(text(name))
    axis = AxisRef(text(name), number(before), number(size))
    if not axis.pre_size or not axis.size or whole % (axis.pre_size * axis.size):
        raise DamagedError
    return axis


def _fields(value: object, count: int) -> Sequence[object]:
    fields = cast("list[object]", of_type(value, list))
    if len(fields) != count:
        raise DamagedError
    return fields
