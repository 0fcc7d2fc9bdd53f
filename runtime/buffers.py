"""Memory for arenas, constants and outputs: aligned to a cache line, reused without being
cleared.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import numpy as np

from ..properties import cached_property

ALIGNMENT = 64
"""In bytes: a cache line and the widest vector register."""

INPUT_ALIGNMENT = 16
"""In bytes: what generated code expects of inputs (`BUFFER_ALIGNMENT` of `lowering/to_llvm`).

NumPy aligns what it allocates to this, but not every view of it.
"""

SMALL_BYTES = 256
"""Outputs up to this size lie where NumPy puts them: a few vectors, which may cross a cache line."""

RECYCLED_BYTES = 1024 * 1024
"""Outputs from this size on come from a pool; smaller ones `malloc` already serves from memory it has kept."""

_DATA_OFFSET = object.__basicsize__
_read_pointer = ctypes.c_size_t.from_address


def _data_pointer_is_first_field() -> bool:
    probe = np.zeros(3)[1:]
    return _read_pointer(id(probe) + _DATA_OFFSET).value == probe.ctypes.data


def _slow_data_address(array: np.ndarray) -> int:
    return array.ctypes.data


def _fast_data_address(array: np.ndarray) -> int:
    return _read_pointer(id(array) + _DATA_OFFSET).value


data_address = _fast_data_address if _data_pointer_is_first_field() else _slow_data_address
"""Where the elements of an array begin.

`array.ctypes.data` takes a microsecond. NumPy's C ABI puts the pointer right behind the object
header, where it can be read in a tenth of that; where this does not hold (another Python
implementation) the documented way is used.
"""


def empty_aligned(shape: tuple[int, ...], dtype: np.dtype, byte_size: int) -> np.ndarray:
    """An uninitialised array of `byte_size` bytes that begins at a multiple of `ALIGNMENT`.

    Raises `MemoryError` where there is no such memory.
    """
    if byte_size > sys.maxsize - ALIGNMENT:  # NumPy raises a ValueError
        raise MemoryError(f"an array of {byte_size} bytes")
    storage = np.empty(byte_size + ALIGNMENT, np.uint8)
    return np.ndarray(shape, dtype, storage, -data_address(storage) % ALIGNMENT)


class OutputPool:
    """Arrays of `byte_size` bytes whose memory is used again once nobody refers to them.

    Fresh memory of this size comes from the operating system, which clears every page: a third of
    the time of a program that is bound by memory. An array handed out holds a lease; when the array
    and all views of it are gone, the end of the lease returns the memory to the pool.
    """

    KEPT = 2
    """How much memory waits for another use, in arrays: a caller in a loop holds one result while the next is made."""

    def __init__(self, byte_size: int) -> None:
        self._byte_size = byte_size
        self._free: list[np.ndarray] = []

    @cached_property
    def _lease_type(self) -> Any:
        """Not made with the pool: a class takes a twentieth of a millisecond."""
        free = self._free

        class Lease(ctypes.c_char * self._byte_size):
            storage: np.ndarray

            def __del__(self, kept: int = self.KEPT) -> None:  # when Python ends, the names of this module are gone
                if len(free) < kept and hasattr(self, "storage"):  # which an interrupt may have kept from being set
                    free.append(self.storage)

        return Lease

    def empty(self, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """An uninitialised array of this pool's size, aligned to `ALIGNMENT`."""
        try:
            storage = self._free.pop()
        except IndexError:
            storage = empty_aligned((self._byte_size,), np.dtype(np.uint8), self._byte_size)
        lease = self._lease_type.from_buffer(storage)
        lease.storage = storage
        return np.ndarray(shape, dtype, lease)


class AlignedBuffer:
    """`size` bytes at an address that is a multiple of `ALIGNMENT`."""

    __slots__ = ("_storage", "address", "size")

    def __init__(self, size: int) -> None:
        self._storage = empty_aligned((size,), np.dtype(np.uint8), size)
        self.address = data_address(self._storage)
        self.size = size

    def array(self) -> np.ndarray:
        """The bytes as an array."""
        return self._storage
