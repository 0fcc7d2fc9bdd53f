"""Layouts of arrays: all are dense and row-major here, and say so."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

from .c_api import STRUCTS, MemoryLayout
from .calls import Code, PjrtError, implements
from .objects import for_ever, give, new

_TILED = 0


@cache
def layout_of(rank: int) -> int:
    """The address of the layout of arrays with so many dimensions."""
    layout = new("Layout")
    text = "{" + ",".join(map(str, reversed(range(rank)))) + "}"
    give(layout, "Layouts_MemoryLayout_Serialize", *for_ever.text(text), None, NO_DELETER.address)
    return for_ever.hold(layout)


class _Deleter:
    """The function that frees what lives for ever: it does nothing. Known when there is machine code."""

    address = 0


NO_DELETER = _Deleter


@cache
def memory_layout(rank: int) -> Any:
    """The same as `Buffer_GetMemoryLayout` gives it."""
    layout: Any = MemoryLayout()
    layout.struct_size = ctypes.sizeof(MemoryLayout)
    layout.type = _TILED
    layout.tiled.struct_size = ctypes.sizeof(STRUCTS["Tiled"])
    layout.tiled.minor_to_major, layout.tiled.minor_to_major_size = for_ever.vector(
        ctypes.c_int64, reversed(range(rank))
    )
    return layout


def minor_to_major(address: int | None) -> list[int] | None:
    """The order of dimensions, minor to major, that a client asks for; None for the usual one."""
    if not address:
        return None
    layout: Any = MemoryLayout.from_address(address)
    if layout.type != _TILED:
        raise PjrtError(Code.UNIMPLEMENTED, "layouts with strides")
    if layout.tiled.num_tiles:
        raise PjrtError(Code.UNIMPLEMENTED, "layouts with tiles")
    size = layout.tiled.minor_to_major_size
    order = list((ctypes.c_int64 * size).from_address(layout.tiled.minor_to_major)) if size else []
    return None if order == list(reversed(range(len(order)))) else order


@implements("Layouts_Client_GetDefaultLayout", "Layouts_Topology_GetDefaultLayout")
def default_layout(arguments: Any) -> None:
    """The layout that arrays have where a client does not say."""
    arguments.layout = layout_of(arguments.num_dims)
