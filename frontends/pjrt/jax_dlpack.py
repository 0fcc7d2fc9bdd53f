"""DLPack in both directions for arrays of this platform: by private names of JAX 0.10.

jaxlib gives DLPack's tensors of platforms that it knows. Here NumPy gives them, and floats that it has no code for get
theirs, as jaxlib has them. jaxlib copies a tensor for platforms that it knows, too; here the array is copied.
"""

from __future__ import annotations

import ctypes
import functools
from importlib import import_module
from typing import Any

import numpy as np

CODES = {
    "bfloat16": 4,
    "float8_e3m4": 7,
    "float8_e4m3": 8,
    "float8_e4m3b11fnuz": 9,
    "float8_e4m3fn": 10,
    "float8_e4m3fnuz": 11,
    "float8_e5m2": 12,
    "float8_e5m2fnuz": 13,
    "float8_e8m0fnu": 14,
}
"""`DLDataTypeCode` of floats that NumPy does not have."""

CODE_OFFSET = 20
"""Of `DLTensor.dtype.code`: behind a pointer, a device of two words and the rank."""


def share_arrays(platform: str) -> None:
    """Have arrays of `platform` give their memory to other libraries, and take theirs."""
    array: Any = import_module("jax._src.array").ArrayImpl
    to_dlpack, dlpack_device = array.__dlpack__, array.__dlpack_device__

    def is_of_platform(self: Any) -> bool:
        return {device.platform for device in self.devices()} == {platform}

    @functools.wraps(to_dlpack)
    def give(self: Any, **options: Any) -> Any:
        if not is_of_platform(self):
            return to_dlpack(self, **options)
        options.pop("stream", None)
        view = np.asarray(self)
        return _tensor(view.copy() if options.pop("copy", None) else _writeable(view), options)

    @functools.wraps(dlpack_device)
    def device(self: Any) -> Any:
        return np.empty(0).__dlpack_device__() if is_of_platform(self) else dlpack_device(self)

    array.__dlpack__, array.__dlpack_device__ = give, device
    _take_copies()


def _tensor(view: np.ndarray, options: dict[str, Any]) -> Any:
    """A capsule of a `DLManagedTensor` of `view`."""
    code = CODES.get(view.dtype.name)
    if code is None:
        return view.__dlpack__(**options)
    capsule = view.view(f"u{view.itemsize}").__dlpack__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    ctypes.c_uint8.from_address(pointer(capsule, b"dltensor") + CODE_OFFSET).value = code
    return capsule


def _writeable(view: np.ndarray) -> np.ndarray:
    """The same memory as one that may be written, as DLPack of old has it: its readers know that they must not."""
    if view.flags.writeable or not view.size:
        return view
    memory: Any = (ctypes.c_char * view.nbytes).from_address(view.ctypes.data)
    memory.owner = view
    return np.ndarray(view.shape, view.dtype, memory, strides=view.strides)


def _take_copies() -> None:
    """Have `jax.dlpack.from_dlpack(copy=True)` take the memory, and copy the array."""
    modules: list[Any] = [import_module(name) for name in ("jax._src.dlpack", "jax.dlpack")]
    take = modules[0].from_dlpack

    @functools.wraps(take)
    def take_here(external_array: Any, device: Any = None, copy: bool | None = None) -> Any:
        if not copy:
            return take(external_array, device, copy)
        return import_module("jax.numpy").array(take(external_array, device), copy=True)

    for module in modules:
        module.from_dlpack = take_here
