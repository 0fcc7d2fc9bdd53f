"""Whether a sharding may stand on a value: the rules that need its mesh and its type.

Source: openxla/shardy, shardy/dialect/sdy/ir/verifiers.cc.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import pairwise
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType, TupleType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from .shardings import AxisRef, Mesh, Sharding


def verify_sharding(
    sharding: Sharding, type: Attribute | None, manual_axes: Collection[str] = (), *, divides: bool = False
) -> None:
    """Raises VerifyException where `sharding` may not stand on a value of `type` inside of regions that are manual on
    `manual_axes`; with `divides` also where the dimensions of the tensor are not multiples of their parts.
    """
    shape = _shape_of(type)
    if sharding.mesh.is_maximal or shape is None:
        what = "a maximal sharding" if sharding.mesh.is_maximal else f"the sharding of a value of {type}"
        if sharding.dimensions or sharding.replicated or sharding.unreduced:
            raise VerifyException(f"{what} can only have rank 0 and no replicated or unreduced axes")
        return
    if len(sharding.dimensions) != len(shape):
        raise VerifyException(f"sharding doesn't match tensor rank: {len(sharding.dimensions)} != {len(shape)}")
    verify_axes_of(sharding)
    for axes in _axis_lists(sharding):
        for axis in axes:
            if axis.name in manual_axes:
                raise VerifyException(
                    f'operates on axis "{axis.name}" which is already bound by a parent sdy.manual_computation op'
                )
    if divides:
        _verify_divides(sharding, shape)


def verify_axes_of(sharding: Sharding) -> None:
    """Raises VerifyException unless the axes are those of the mesh, each part used once, in canonical form."""
    mesh = sharding.mesh
    for axes in _axis_lists(sharding):
        verify_axis_list(axes, mesh)
    verify_order(sharding.replicated, mesh, "replicated")
    verify_order(sharding.unreduced, mesh, "unreduced")
    verify_disjoint([axis for axes in _axis_lists(sharding) for axis in axes], mesh)


def verify_axis_list(axes: Sequence[AxisRef], mesh: Mesh) -> None:
    """Raises VerifyException for axes that are not of `mesh`, or of which two neighbours are one."""
    sizes = dict(mesh.axes)
    for axis in axes:
        if axis.name not in sizes:
            raise VerifyException(f'unknown axis name: "{axis.name}"')
    for major, minor in pairwise(axes):
        if (
            major.name == minor.name
            and major.size is not None
            and major.pre_size is not None
            and major.pre_size * major.size == minor.pre_size
        ):
            raise VerifyException(f"two consecutive sub-axes can be merged: {axis_text(major)}, {axis_text(minor)}")


def verify_order(axes: Sequence[AxisRef], mesh: Mesh, what: str) -> None:
    """Raises VerifyException unless `axes` stand in the order of the mesh."""
    places = {name: place for place, (name, _) in enumerate(mesh.axes)}
    keys = [(places[axis.name], axis.pre_size or 1, axis.size or 0) for axis in axes]
    if keys != sorted(keys):
        raise VerifyException(f"{what} axes are not ordered w.r.t. mesh")


def verify_disjoint(axes: Sequence[AxisRef], mesh: Mesh) -> None:
    """Raises VerifyException where two of the axes of `mesh` overlap, or a part of one is none."""
    sizes = dict(mesh.axes)
    by_name: defaultdict[str, list[AxisRef]] = defaultdict(list)
    for axis in axes:
        if axis in by_name[axis.name]:
            raise VerifyException(f"duplicate axis ref: {axis_text(axis)}")
        by_name[axis.name].append(axis)
    for name, parts in by_name.items():
        if len(parts) > 1 and AxisRef(name) in parts:
            raise VerifyException(f'both sub-axis and full-axis are used for axis name: "{name}"')
        end, last = 1, None
        for axis in sorted(parts, key=lambda axis: (axis.pre_size or 1, axis.size or 0)):
            if axis.pre_size is None or axis.size is None:
                continue
            if sizes[name] % (axis.pre_size * axis.size):
                raise VerifyException(
                    f"sub-axis next pre-size {axis.pre_size * axis.size} doesn't divide the size of the full axis "
                    f"{sizes[name]}: {axis_text(axis)}"
                )
            if axis.size == sizes[name]:
                raise VerifyException(f"sub-axis size is equal to the full axis size: {axis_text(axis)}")
            if last is not None and end > axis.pre_size:
                raise VerifyException(f"overlapping sub-axes: {axis_text(last)}, {axis_text(axis)}")
            end, last = axis.pre_size * axis.size, axis


def axis_text(axis: AxisRef) -> str:
    """`"x":(2)4`"""
    return f'"{axis.name}"' if axis.size is None else f'"{axis.name}":({axis.pre_size}){axis.size}'


def _axis_lists(sharding: Sharding) -> list[tuple[AxisRef, ...]]:
    return [*(dimension.axes for dimension in sharding.dimensions), sharding.replicated, sharding.unreduced]


def _shape_of(type: Attribute | None) -> tuple[int, ...] | None:
    """The shape of a tensor, or of the one in a tuple of one; None for what has none."""
    if isinstance(type, TupleType):
        if len(type.types) != 1:
            raise VerifyException(f"ops can only have a sharding for a tuple of size 1: {type}")
        type = type.types.data[0]
    return type.get_shape() if isinstance(type, ShapedType) else None


def _verify_divides(sharding: Sharding, shape: Sequence[int]) -> None:
    for index, (size, dimension) in enumerate(zip(shape, sharding.dimensions, strict=True)):
        parts = prod(map(sharding.mesh.axis_size, dimension.axes))
        if size != DYNAMIC_INDEX and size % parts:
            raise VerifyException(f"dim {index} with size {size} is not divisible by its sharded size {parts}")
