"""What clients hold: opaque structs, from which functions of the table copy what they give.

A struct has what its functions give, in their order, so a function that only reads needs no Python: `stubs.py` makes
machine code of `GETTERS`. The Python object behind a struct is in `live`, by its address.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .c_api import ALL_FUNCTIONS

GETTERS: dict[str, tuple[str, ...]] = {
    "Error": ("Error_Message", "Error_GetCode"),
    "Event": (),
    "Client": (
        "Client_PlatformName",
        "Client_ProcessIndex",
        "Client_PlatformVersion",
        "Client_Devices",
        "Client_AddressableDevices",
        "Client_AddressableMemories",
        "Client_TopologyDescription",
    ),
    "DeviceDescription": (
        "DeviceDescription_Id",
        "DeviceDescription_ProcessIndex",
        "DeviceDescription_Attributes",
        "DeviceDescription_Kind",
        "DeviceDescription_DebugString",
        "DeviceDescription_ToString",
    ),
    "Device": (
        "Device_GetDescription",
        "Device_IsAddressable",
        "Device_LocalHardwareId",
        "Device_AddressableMemories",
        "Device_DefaultMemory",
        "Device_GetAttributes",
    ),
    "Memory": (
        "Memory_Id",
        "Memory_Kind",
        "Memory_Kind_Id",
        "Memory_DebugString",
        "Memory_ToString",
        "Memory_AddressableByDevices",
    ),
    "Executable": (
        "Executable_Name",
        "Executable_NumReplicas",
        "Executable_NumPartitions",
        "Executable_NumOutputs",
        "Executable_SizeOfGeneratedCodeInBytes",
        "Executable_OutputMemoryKinds",
        "Executable_OutputElementTypes",
        "Executable_OutputDimensions",
        "Executable_Fingerprint",
        "Executable_GetCompiledMemoryStats",
        "Executable_ParameterMemoryKinds",
        "Executable_GetCompileOptions",
        "Layouts_Executable_GetOutputLayouts",
        "Layouts_Executable_GetParameterLayouts",
        "Shardings_Executable_ParameterShardings",
        "Shardings_Executable_OutputShardings",
    ),
    "LoadedExecutable": (
        "LoadedExecutable_AddressableDevices",
        "LoadedExecutable_IsDeleted",
        "LoadedExecutable_GetDeviceAssignment",
        "LoadedExecutable_AddressableDeviceLogicalIds",
        "LoadedExecutable_Fingerprint",
    ),
    "Buffer": (
        "Buffer_ElementType",
        "Buffer_Dimensions",
        "Buffer_UnpaddedDimensions",
        "Buffer_DynamicDimensionIndices",
        "Buffer_GetMemoryLayout",
        "Buffer_OnDeviceSizeInBytes",
        "Buffer_Device",
        "Buffer_Memory",
        "Buffer_IsDeleted",
        "Buffer_IsOnCpu",
        "Buffer_UnsafePointer",
        "Buffer_OpaqueDeviceMemoryDataPointer",
        "Layouts_Buffer_MemoryLayout",
    ),
    "TopologyDescription": (
        "TopologyDescription_PlatformName",
        "TopologyDescription_PlatformVersion",
        "TopologyDescription_GetDeviceDescriptions",
        "TopologyDescription_Attributes",
        "TopologyDescription_Fingerprint",
    ),
    "Layout": ("Layouts_MemoryLayout_Serialize",),
}
"""A kind of objects, and the functions that copy from its struct."""

OWN_FIELDS: dict[str, tuple[tuple[str, Any], ...]] = {
    "Buffer": (
        ("kind", ctypes.c_int64),
        ("owner", ctypes.c_void_p),
        ("is_constant", ctypes.c_int64),
        ("ready", ctypes.c_void_p),
    ),
    "Event": (("references", ctypes.c_int64), ("callbacks", ctypes.c_void_p)),
    "LoadedExecutable": (("plan", ctypes.c_void_p),),
    "Device": (("worker", ctypes.c_void_p),),
    "Memory": (("device", ctypes.c_void_p),),
}
"""What else a struct has, for `machine_code/`: of a buffer who owns its memory and as what (`Kind`), whether that must
not be written, and the event of its values; of an event who will ask for it, and whom it calls.
"""


class Opaque(ctypes.Structure):
    """How the struct of each kind begins: the next one of those that are to be forgotten, and a word of its state."""

    _fields_ = (("next", ctypes.c_void_p), ("count", ctypes.c_int64))


STATIC = -1
"""The count of an object that is never forgotten, and of an event that has happened for ever."""


class Copy(NamedTuple):
    """A field that a function gives: where it is in the object and in the struct of the call, and its size."""

    source: int
    target: int
    size: int


class Getter(NamedTuple):
    """A function that copies from the object whose address is at `handle` in the struct of the call."""

    handle: int
    copies: tuple[Copy, ...]


def _outputs(function: str) -> Sequence[tuple[str, Any]]:
    return [field[:2] for field in ALL_FUNCTIONS[function]._fields_[3:]]


def _object(kind: str) -> type[Opaque]:
    fields = [(f"{function}_{name}", type) for function in GETTERS[kind] for name, type in _outputs(function)]
    return type(kind, (Opaque,), {"_fields_": [*OWN_FIELDS.get(kind, ()), *fields]})


OBJECTS: dict[str, type[Opaque]] = {kind: _object(kind) for kind in GETTERS}


def _getter(kind: str, function: str) -> Getter:
    arguments, object = ALL_FUNCTIONS[function], OBJECTS[kind]
    copies = [
        Copy(getattr(object, f"{function}_{name}").offset, getattr(arguments, name).offset, ctypes.sizeof(type))
        for name, type in _outputs(function)
    ]
    return Getter(getattr(arguments, arguments._fields_[2][0]).offset, tuple(copies))


GETTER_OF: dict[str, Getter] = {
    function: _getter(kind, function) for kind, functions in GETTERS.items() for function in functions
}

live: dict[int, Any] = {}
"""What is behind each address that a client has."""


def new(kind: str) -> Any:
    """An object of a kind, all zero."""
    return OBJECTS[kind]()


def give(object: Any, function: str, *values: Any) -> None:
    """Let `function` give `values` for an object, in the order of its struct."""
    for (name, _), value in zip(_outputs(function), values, strict=True):
        setattr(object, f"{function}_{name}", value)


class Kept:
    """Memory that lives as long as this object: what structs point to."""

    def __init__(self) -> None:
        self._held: list[Any] = []

    def hold(self, object: Any) -> int:
        """The address of an object of ctypes."""
        self._held.append(object)
        return ctypes.addressof(object)

    def text(self, value: str | bytes) -> tuple[int, int]:
        """The address and the size of some text."""
        data = value.encode() if isinstance(value, str) else value
        return self.hold(ctypes.create_string_buffer(data)), len(data)

    def vector(self, type: Any, values: Iterable[Any]) -> tuple[int, int]:
        """The address and the length of some values."""
        listed = list(values)
        return self.hold((type * max(len(listed), 1))(*listed)), len(listed)

    def texts(self, values: Sequence[str | bytes]) -> tuple[int, int]:
        """The addresses of two vectors: of texts and of their sizes."""
        pairs = [self.text(value) for value in values]
        addresses, _ = self.vector(ctypes.c_void_p, [address for address, _ in pairs])
        sizes, _ = self.vector(ctypes.c_size_t, [size for _, size in pairs])
        return addresses, sizes


for_ever = Kept()
"""What lives as long as the process."""
