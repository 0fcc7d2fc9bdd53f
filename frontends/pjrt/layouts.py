"""Layouts of arrays: all are dense, their dimensions in memory in any order, which is row-major by default."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from .c_api import STRUCTS, MemoryLayout
from .calls import Code, PjrtError, implements
from .objects import for_ever, give, new

_TILED = 0

Order = tuple[int, ...]
"""The dimensions of an array from major to minor."""

ORDERS: dict[int, Order] = {}
"""The order that each layout has, by its address, but for the row-major ones."""


@cache
def layout_of(rank: int, order: Order | None = None) -> int:
    """The address of the layout of arrays with so many dimensions, major to minor in `order`; by default row-major."""
    layout = new("Layout")
    text = "{" + ",".join(map(str, reversed(range(rank) if order is None else order))) + "}"
    give(layout, "Layouts_MemoryLayout_Serialize", *for_ever.text(text), None, NO_DELETER.address)
    address = for_ever.hold(layout)
    if order is not None:
        ORDERS[address] = order
    return address


class _Deleter:
    """The function that frees what lives for ever: it does nothing. Known when there is machine code."""

    address = 0


NO_DELETER = _Deleter


@cache
def memory_layout(rank: int, order: Order | None = None) -> Any:
    """The same as `Buffer_GetMemoryLayout` gives it."""
    layout: Any = MemoryLayout()
    layout.struct_size = ctypes.sizeof(MemoryLayout)
    layout.type = _TILED
    layout.tiled.struct_size = ctypes.sizeof(STRUCTS["Tiled"])
    layout.tiled.minor_to_major, layout.tiled.minor_to_major_size = for_ever.vector(
        ctypes.c_int64, reversed(range(rank) if order is None else order)
    )
    return layout


def order_at(address: int | None) -> Order | None:
    """The order of dimensions, major to minor, that a client asks for; None is row-major."""
    if not address:
        return None
    layout: Any = MemoryLayout.from_address(address)
    if layout.type != _TILED:
        raise PjrtError(Code.UNIMPLEMENTED, "layouts with strides")
    if layout.tiled.num_tiles:
        raise PjrtError(Code.UNIMPLEMENTED, "layouts with tiles")
    size = layout.tiled.minor_to_major_size
    minor_to_major = (ctypes.c_int64 * size).from_address(layout.tiled.minor_to_major) if size else ()
    order = tuple(reversed(minor_to_major))
    return None if order == tuple(range(size)) else order


@implements("Layouts_Client_GetDefaultLayout", "Layouts_Topology_GetDefaultLayout")
def default_layout(arguments: Any) -> None:
    """The layout that arrays have where a client does not say."""
    arguments.layout = layout_of(arguments.num_dims)
