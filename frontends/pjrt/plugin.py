"""The table of functions that clients take as a plugin."""

from __future__ import annotations

import ctypes
import gc
from functools import cache
from typing import Any

from ...runtime.function_addresses import function_address
from . import analysis, buffers, client, executables, execution, layouts, profiler, serialization
from .c_api import (
    API_VERSION,
    EXTENSION_LAYOUTS,
    EXTENSION_SHARDINGS,
    FUNCTIONS,
    Api,
    LayoutsExtension,
    ShardingsExtension,
)
from .calls import Code, entry, error_object
from .forgetting import forget_dead
from .machine import machine
from .objects import STATIC, for_ever, live
from .stubs import IN_PYTHON, Stubs

del analysis, buffers, client, execution, executables, serialization  # imported for what they implement

CAPSULE = b"pjrt_c_api"

_ENTRY = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)


def _immortal(object: Any) -> Any:
    """An object that is there even when Python ends: threads of a client may still call."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(object))
    return object


@cache
def api() -> Any:
    """The table, made once."""
    stubs = _immortal(Stubs())
    layouts.NO_DELETER.address = stubs.address("Plugin_Initialize")
    entries = _immortal([_ENTRY(entry(name, stubs.interrupt)) for name in IN_PYTHON])
    last = error_object(Code.UNAVAILABLE, "Python has ended")
    live[last][0].count = STATIC
    stubs.connect([function_address(each) for each in entries], last)
    forget_dead.connect(stubs.dead, stubs.take_dead)
    machine.connect(stubs.address_in_code)
    gc.callbacks.append(_after_collection)
    table: Any = _immortal(Api())
    table.struct_size = ctypes.sizeof(table)
    table.version.struct_size = ctypes.sizeof(table.version)
    table.version.major_version, table.version.minor_version = API_VERSION
    for name in FUNCTIONS:
        setattr(table, name, stubs.address(name))
    table.extension_start = _extensions(stubs)
    _immortal(live)
    _immortal(for_ever)
    return table


def _after_collection(phase: str, _: object) -> None:
    """What a collection has given back is forgotten with it."""
    if phase == "stop":
        forget_dead()


def _extensions(stubs: Stubs) -> int:
    """The address of the first extension."""
    made: Any = profiler.extension(_immortal)
    address = ctypes.addressof(made)
    for kind, number in ((ShardingsExtension, EXTENSION_SHARDINGS), (LayoutsExtension, EXTENSION_LAYOUTS)):
        extension: Any = _immortal(kind())
        extension.base.struct_size, extension.base.type = ctypes.sizeof(extension), number
        extension.base.next = address
        for name, *_ in kind._fields_[1:]:
            setattr(extension, name, stubs.address(name))
        address = ctypes.addressof(extension)
    return address


def capsule() -> Any:
    """The table as clients in Python take it (`load_pjrt_plugin_with_c_api`)."""
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(ctypes.addressof(api()), CAPSULE, None)
