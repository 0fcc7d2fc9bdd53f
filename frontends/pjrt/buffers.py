"""Arrays of clients: dense, row-major, in the memory of this process, shared with it where that is allowed."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from functools import lru_cache, partial
from math import prod
from typing import Any

import numpy as np

from ...runtime.buffers import INPUT_ALIGNMENT, data_address, empty_aligned
from .calls import Code, PjrtError, implements
from .client import client
from .element_types import TOKEN, dtype_of, number_of
from .events import READY, Event
from .forgetting import forget_dead
from .layouts import layout_of, memory_layout, minor_to_major
from .objects import OBJECTS, for_ever, give, live, new

_Struct: Any = OBJECTS["Buffer"]
_POINTER = _Struct.Buffer_UnsafePointer_buffer_pointer.offset
_DEVICE_POINTER = _Struct.Buffer_OpaqueDeviceMemoryDataPointer_device_memory_ptr.offset
_size_at = ctypes.c_size_t.from_address
_IS_DELETED = "Buffer_IsDeleted_is_deleted"

IMMUTABLE_ZERO_COPY, MUTABLE_ZERO_COPY = 2, 3
"""What a client promises of an array that it hands over: it lives, and (not) changes, until its buffer is forgotten."""

SHARED_BYTES = 64 * 1024
"""Smaller arrays are copied: that takes a few microseconds at most, as many as to know when nobody uses one."""

_DELETED = "the buffer has been deleted or donated"


@lru_cache(1 << 14)
def template(type: int, shape: tuple[int, ...], itemsize: int, device: int) -> bytes:
    """The struct of all buffers of a type on a device, but for where the elements are."""
    made, place = new("Buffer"), client().devices[device]
    give(made, "Buffer_ElementType", type)
    dims, rank = for_ever.vector(ctypes.c_int64, shape)
    give(made, "Buffer_Dimensions", dims, rank)
    give(made, "Buffer_UnpaddedDimensions", dims, rank)
    give(made, "Buffer_DynamicDimensionIndices", dims, 0)
    give(made, "Buffer_GetMemoryLayout", memory_layout(rank))
    give(made, "Buffer_OnDeviceSizeInBytes", prod(shape) * itemsize)
    give(made, "Buffer_Device", place.address)
    give(made, "Buffer_Memory", place.memory_address)
    give(made, "Buffer_IsOnCpu", True)
    give(made, "Buffer_ReadyEvent", READY)
    give(made, "Layouts_Buffer_MemoryLayout", layout_of(rank))
    return bytes(made)


class Buffer:
    """An array on a device."""

    __slots__ = ("_lent", "address", "array", "device", "struct")

    def __init__(self, array: np.ndarray, template: bytes, device: int) -> None:
        self.array: np.ndarray | None = array
        self.device = device
        self.struct = struct = _Struct.from_buffer_copy(template)
        pointer = data_address(array)
        self.address = address = ctypes.addressof(struct)
        _size_at(address + _POINTER).value = pointer
        _size_at(address + _DEVICE_POINTER).value = pointer
        live[self.address] = self

    def value(self) -> np.ndarray:
        """The array. Raises `PjrtError` for one that is gone."""
        if self.array is None:
            raise PjrtError(Code.INVALID_ARGUMENT, _DELETED)
        return self.array

    @property
    def is_shared(self) -> bool:
        """Whether a client uses its memory."""
        return self.struct.count > 0

    def delete(self) -> None:
        """No program may use it any more. A client that uses its memory has that until the buffer is forgotten."""
        setattr(self.struct, _IS_DELETED, True)
        if self.is_shared and self.array is not None:
            self._lent = self.array
        self.array = None


def buffer_of(array: np.ndarray, device: int) -> Buffer:
    """A new buffer of an array that is dense."""
    dtype = array.dtype
    return Buffer(array, template(number_of(dtype), array.shape, dtype.itemsize, device), device)


_token = np.zeros(16, np.uint8)


def token_buffer(device: int) -> Buffer:
    """That of a token."""
    return Buffer(_token, template(TOKEN, (), 0, device), device)


def _numbers(address: int | None, count: int) -> tuple[int, ...]:
    return tuple((ctypes.c_int64 * count).from_address(address)) if count and address else ()


def _foreign(
    address: int,
    dtype: np.dtype,
    shape: tuple[int, ...],
    strides: tuple[int, ...] | None,
    when_unused: Callable[[], object] | None = None,
) -> np.ndarray:
    """The memory of a client as an array; `when_unused` is called once no array has it any more."""
    if 0 in shape:
        if when_unused is not None:
            when_unused()
        return np.empty(shape, dtype)
    dense = tuple(prod(shape[dim + 1 :]) * dtype.itemsize for dim in range(len(shape)))
    spans = [stride * (size - 1) for stride, size in zip(strides or dense, shape, strict=True)]
    low, high = sum(min(0, span) for span in spans), sum(max(0, span) for span in spans) + dtype.itemsize
    memory: Any = (ctypes.c_char * (high - low)).from_address(address + low)
    if when_unused is not None:
        weakref.finalize(memory, when_unused).atexit = False
    return np.ndarray(shape, dtype, memory, -low, strides or dense)


def _place(arguments: Any) -> int:
    return live[arguments.memory or arguments.device].number


@implements("Client_BufferFromHostBuffer")
def from_host(arguments: Any) -> None:
    """A buffer with an array of the client: its memory where that may be, a copy of it else."""
    forget_dead()
    dtype = dtype_of(arguments.type)
    shape = _numbers(arguments.dims, arguments.num_dims)
    strides = _numbers(arguments.byte_strides, arguments.num_byte_strides) if arguments.num_byte_strides else None
    minor_to_major(arguments.device_layout)  # refuses what nothing here could have
    place = _place(arguments)
    if _may_be_shared(arguments, strides, dtype, shape):
        event = Event()
        source = _foreign(arguments.data, dtype, shape, None, event.set)
        source.flags.writeable = arguments.host_buffer_semantics == MUTABLE_ZERO_COPY
        arguments.buffer = buffer_of(source, place).address
        arguments.done_with_host_buffer = event.address
        return
    arguments.buffer = buffer_of(_copy_of(arguments.data, dtype, shape, strides), place).address
    arguments.done_with_host_buffer = READY


def _copy_of(address: int, dtype: np.dtype, shape: tuple[int, ...], strides: tuple[int, ...] | None) -> np.ndarray:
    """A copy of memory of the client."""
    size = prod(shape) * dtype.itemsize
    array = empty_aligned(shape, dtype, size)
    if strides is None or (len(shape) <= 1 and strides in ((), (dtype.itemsize,))):
        ctypes.memmove(data_address(array), address, size)
    else:
        array[...] = _foreign(address, dtype, shape, strides)
    return array


def _may_be_shared(arguments: Any, strides: tuple[int, ...] | None, dtype: np.dtype, shape: tuple[int, ...]) -> bool:
    """Whether the client lends its memory, and it is as programs take it."""
    if arguments.host_buffer_semantics not in (IMMUTABLE_ZERO_COPY, MUTABLE_ZERO_COPY):
        return False
    if prod(shape) * dtype.itemsize < SHARED_BYTES:
        return False
    dense = tuple(prod(shape[dim + 1 :]) * dtype.itemsize for dim in range(len(shape)))
    return strides in (None, dense) and arguments.data % INPUT_ALIGNMENT == 0


@implements("Buffer_ToHostBuffer")
def to_host(arguments: Any) -> None:
    """Copy to memory of the client, or say how much that is."""
    array = live[arguments.src].value()
    order = minor_to_major(arguments.host_layout)
    if not arguments.dst:
        arguments.dst_size = array.nbytes
        return
    if arguments.dst_size < array.nbytes:
        raise PjrtError(Code.INVALID_ARGUMENT, f"{array.nbytes} bytes, into {arguments.dst_size}")
    if order is not None:
        array = np.ascontiguousarray(array.transpose(order[::-1]))
    if array.nbytes:
        ctypes.memmove(arguments.dst, data_address(array), array.nbytes)
    arguments.event = READY


@implements("Buffer_CopyRawToHost")
def copy_raw(arguments: Any) -> None:
    """Copy some bytes."""
    array, start, size = live[arguments.buffer].value(), arguments.offset, arguments.transfer_size
    if start < 0 or size < 0 or start + size > array.nbytes:
        raise PjrtError(Code.INVALID_ARGUMENT, f"bytes {start} to {start + size}, of {array.nbytes}")
    ctypes.memmove(arguments.dst, data_address(array) + start, size)
    arguments.event = READY


@implements("Buffer_Delete")
def delete(arguments: Any) -> None:
    """The client does not want it any more."""
    live[arguments.buffer].delete()


@implements("Buffer_CopyToDevice")
def copy_to_device(arguments: Any) -> None:
    """A copy on another device."""
    arguments.dst_buffer = _copied(live[arguments.buffer], live[arguments.dst_device].number).address


@implements("Buffer_CopyToMemory")
def copy_to_memory(arguments: Any) -> None:
    """A copy in the memory of another device."""
    arguments.dst_buffer = _copied(live[arguments.buffer], live[arguments.dst_memory].number).address


def _copied(buffer: Buffer, device: int) -> Buffer:
    source = buffer.value()
    array = empty_aligned(source.shape, source.dtype, source.nbytes)
    array[...] = source
    return buffer_of(array, device)


@implements("Client_CreateUninitializedBuffer")
def uninitialized(arguments: Any) -> None:
    """A buffer with any values."""
    shape, dtype = _numbers(arguments.shape_dims, arguments.shape_num_dims), dtype_of(arguments.shape_element_type)
    array = empty_aligned(shape, dtype, prod(shape) * dtype.itemsize)
    arguments.buffer = buffer_of(array, _place(arguments)).address


@implements("Client_CreateViewOfDeviceBuffer")
def view(arguments: Any) -> None:
    """A buffer that is memory of somebody else, who is told when it is no longer used."""
    shape, dtype, when_unused = _numbers(arguments.dims, arguments.num_dims), dtype_of(arguments.element_type), None
    if arguments.on_delete_callback:
        callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(arguments.on_delete_callback)
        when_unused = partial(callback, arguments.device_buffer_ptr, arguments.on_delete_callback_arg)
    array = _foreign(arguments.device_buffer_ptr, dtype, shape, None, when_unused)
    arguments.buffer = buffer_of(array, _place(arguments)).address
