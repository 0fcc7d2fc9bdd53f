"""The groups of devices of a collective, read where a cursor stands.

- `{{0,1},{2,3}}`: a list of lists;
- `[2,2]<=[4]`, `[2,2]<=[2,2]T(1,0)`: an iota, reshaped and transposed;
- `mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0)) {'x','y':(1)2}`: devices that differ only along axes of a mesh, or along
  parts of axes, are a group; in it they are numbered by these axes, major to minor.
"""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .attribute_values import Index, integer_lists, integers, listed
from .cursor import Cursor

MAX_DEVICES = 1 << 20
"""More than this in one list of devices are a mistake."""

MESH = "mesh["


class _AxisRef(NamedTuple):
    """An axis, or its part of `size` steps of which `pre_size` parts come before."""

    axis: str
    pre_size: int
    size: int


def device_groups(cursor: Cursor) -> list[Index]:
    """The groups, in any of the three forms."""
    if cursor.at("{"):
        return integer_lists(cursor)
    if cursor.at(MESH):
        return _groups_of_mesh(cursor)
    start = cursor.pos
    sizes = integers(cursor, "[", "]")
    cursor.expect("<=")
    devices = _iota(cursor)
    if len(sizes) != 2 or min(sizes) < 0 or prod(sizes) != devices.size:
        cursor.error("the groups do not fit the devices", start)
    return _rows(devices.reshape(sizes))


def _iota(cursor: Cursor) -> NDArray[np.int64]:
    """`[4]`, `[2,2]T(1,0)`"""
    cursor.skip()
    start = cursor.pos
    sizes = integers(cursor, "[", "]")
    order = tuple(range(len(sizes)))
    if cursor.text.startswith("T", cursor.pos):  # a blank would be the end of the list
        cursor.expect("T")
        order = integers(cursor, "(", ")")
    if min(sizes, default=0) < 0 or prod(sizes) > MAX_DEVICES:
        cursor.error("a list of devices that is negative or too long", start)
    if sorted(order) != list(range(len(sizes))):
        cursor.error("the order of a transposition names each dimension once", start)
    return np.arange(prod(sizes)).reshape(sizes).transpose(order)


def _groups_of_mesh(cursor: Cursor) -> list[Index]:
    start = cursor.pos
    sizes = _axis_sizes(cursor)
    devices = _device_ids(cursor, prod(sizes.values())) if cursor.accept(",") else np.arange(prod(sizes.values()))
    refs = listed(cursor, lambda cursor: _axis_ref(cursor, sizes))
    shape: list[int] = []
    places: dict[_AxisRef, list[int]] = {}
    for axis, size in sizes.items():
        own = [ref for ref in refs if ref.axis == axis]
        borders = sorted({1, size, *(ref.pre_size for ref in own), *(ref.pre_size * ref.size for ref in own)})
        if any(high % low for low, high in pairwise(borders)):
            cursor.error(f"the parts of axis '{axis}' do not fit into one another", start)
        for low, high in pairwise(borders):
            for ref in own:
                if ref.pre_size <= low and high <= ref.pre_size * ref.size:
                    places.setdefault(ref, []).append(len(shape))
            shape.append(high // low)
    grouped = [place for ref in refs for place in places.get(ref, [])]
    if len(set(grouped)) != len(grouped):
        cursor.error("groups name (a part of) an axis twice", start)
    rest = [place for place in range(len(shape)) if place not in grouped]
    moved = devices.reshape(shape).transpose(rest + grouped)
    return _rows(moved.reshape(-1, prod(ref.size for ref in refs)))


def _axis_sizes(cursor: Cursor) -> dict[str, int]:
    """`mesh['x'=2,'y'=4]`"""
    start = cursor.pos
    sizes: dict[str, int] = {}
    cursor.expect(MESH)
    while not cursor.accept("]"):
        if sizes:
            cursor.expect(",")
        name = _axis_name(cursor)
        cursor.expect("=")
        if name in sizes:
            cursor.error(f"a mesh with two axes '{name}'", start)
        sizes[name] = cursor.integer("the size of an axis")
    if min(sizes.values(), default=1) < 1 or prod(sizes.values()) > MAX_DEVICES:
        cursor.error("a mesh of no or too many devices", start)
    return sizes


def _device_ids(cursor: Cursor, count: int) -> NDArray[np.int64]:
    """`device_ids=(3,2,1,0)`, `device_ids=([2,2]T(1,0))`"""
    start = cursor.pos
    cursor.expect("device_ids=")
    if cursor.at("(["):
        cursor.expect("(")
        devices = _iota(cursor).reshape(-1)
        cursor.expect(")")
    else:
        devices = np.array(integers(cursor, "(", ")"))
    if sorted(devices.tolist()) != list(range(count)):
        cursor.error(f"the devices of a mesh are {count}, each once", start)
    return devices


def _axis_name(cursor: Cursor) -> str:
    cursor.skip()
    return cursor.string("the name of an axis") if cursor.at("'") or cursor.at('"') else cursor.word("an axis")


def _axis_ref(cursor: Cursor, sizes: dict[str, int]) -> _AxisRef:
    """`'x'`, `'x':(2)4`"""
    cursor.skip()
    start = cursor.pos
    name = _axis_name(cursor)
    if name not in sizes:
        cursor.error(f"the mesh has no axis '{name}'", start)
    if not cursor.accept(":"):
        return _AxisRef(name, 1, sizes[name])
    cursor.expect("(")
    pre_size = cursor.integer("the size of what comes before a part of an axis")
    cursor.expect(")")
    size = cursor.integer("the size of a part of an axis")
    if pre_size < 1 or size < 1 or sizes[name] % (pre_size * size):
        cursor.error(f"axis '{name}' of size {sizes[name]} has no such part", start)
    return _AxisRef(name, pre_size, size)


def _rows(groups: NDArray[np.int64]) -> list[Index]:
    return [tuple(row) for row in groups.tolist()]
