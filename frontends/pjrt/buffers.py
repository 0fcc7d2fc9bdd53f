"""Arrays of clients: dense, in memory of this process. What is usual about them is in `machine_code/`.

Dimensions lie in memory row-major, or in the order, major to minor, that a client asks for. The shape of a buffer is
what the client sees, `array_of` its memory read row-major.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Generator
from contextlib import contextmanager
from math import prod
from typing import Any

import numpy as np

from ...runtime.buffers import data_address
from .calls import Code, PjrtError, implements
from .client import client
from .element_types import TOKEN, dtype_of, number_of
from .events import READY
from .forgetting import forget_dead
from .layouts import ORDERS, Order, layout_of, memory_layout, order_at
from .machine import machine
from .machine_code.layout import USE, Kind
from .objects import OBJECTS, Opaque, live

_struct_at: Any = OBJECTS["Buffer"].from_address

_DELETED = "the buffer has been deleted or donated"
_STOPPED = "the program that makes this array was stopped"


def new_buffer(
    type: int,
    shape: tuple[int, ...],
    itemsize: int,
    device: int,
    kind: int = 0,
    order: Order | None = None,
    data: int = 0,
) -> int:
    """The address of a buffer in a kind of memory, with any values, or of `data`. Raises `MemoryError`."""
    dims, size = (ctypes.c_int64 * len(shape))(*shape), prod(shape) * itemsize
    place = client().devices[device].address
    address = machine.new_buffer(type, ctypes.addressof(dims), len(shape), size, place, data)
    if not address:
        raise MemoryError(f"an array of {size} bytes")
    if kind:
        _struct_at(address).Buffer_Memory_memory = client().devices[device].memories[kind].address
    if order is not None:
        _struct_at(address).Buffer_GetMemoryLayout_layout = memory_layout(len(shape), order)
        _struct_at(address).Layouts_Buffer_MemoryLayout_layout = layout_of(len(shape), order)
    return address


def empty_buffer(
    shape: tuple[int, ...], dtype: np.dtype, device: int, kind: int = 0, order: Order | None = None
) -> int:
    """The address of a buffer with any values."""
    return new_buffer(number_of(dtype), shape, dtype.itemsize, device, kind, order)


def order_of(address: int) -> Order | None:
    """The order of dimensions of a buffer, major to minor; None is row-major."""
    return ORDERS.get(_struct_at(address).Layouts_Buffer_MemoryLayout_layout)


def inverse(order: Order) -> Order:
    """The order that undoes another one."""
    return tuple(order.index(dim) for dim in range(len(order)))


def _seen(shape: tuple[int, ...], order: Order | None) -> tuple[int, ...]:
    """The shape that a client sees, of that of the memory."""
    return shape if order is None else tuple(shape[dim] for dim in inverse(order))


def buffer_of(array: np.ndarray, device: int, kind: int = 0, order: Order | None = None) -> int:
    """The address of a buffer whose memory is an array, which is dense."""
    dtype, shape = array.dtype, _seen(array.shape, order)
    address = new_buffer(number_of(dtype), shape, dtype.itemsize, device, kind, order, data_address(array))
    lease, struct = Opaque(), _struct_at(address)
    live[ctypes.addressof(lease)] = lease, array
    struct.kind, struct.owner, struct.is_constant = Kind.PYTHON, ctypes.addressof(lease), not array.flags.writeable
    return address


_token = np.zeros(16, np.uint8)


def token_buffer(device: int) -> int:
    """That of a token."""
    return new_buffer(TOKEN, (), 0, device, data=data_address(_token))


def acquire(address: int, problem: str = _DELETED) -> None:
    """Use a buffer, once its values are there, until it is dropped. Raises `PjrtError` for one that is gone."""
    if not machine.acquire(address):
        raise PjrtError(Code.INVALID_ARGUMENT, problem)
    if not machine.wait_for(address):
        machine.drop(address, USE)
        raise PjrtError(Code.CANCELLED, _STOPPED)


def array_of(address: int) -> np.ndarray:
    """The memory of a buffer that is in use."""
    struct, order = _struct_at(address), order_of(address)
    dims = (ctypes.c_int64 * struct.Buffer_Dimensions_num_dims).from_address(struct.Buffer_Dimensions_dims)
    shape = tuple(dims) if order is None else tuple(dims[dim] for dim in order)
    pointer = struct.Buffer_OpaqueDeviceMemoryDataPointer_device_memory_ptr
    array = foreign(pointer, dtype_of(struct.Buffer_ElementType_type), shape, None)
    array.flags.writeable = not struct.is_constant
    return array


def array_in_order(address: int, order: Order | None) -> np.ndarray:
    """The memory of a buffer that is in use; a copy if its dimensions lie in another order."""
    array, own = array_of(address), order_of(address)
    if order == own:
        return array
    seen = array if own is None else array.transpose(inverse(own))
    return np.ascontiguousarray(seen if order is None else seen.transpose(order))


def dropping_array_of(address: int) -> np.ndarray:
    """The same; the buffer is dropped with the array."""
    array = array_of(address)
    if array.base is None:
        machine.drop(address, USE)
    else:
        weakref.finalize(array.base, machine.drop, address, USE).atexit = False
    return array


@contextmanager
def used(address: int) -> Generator[np.ndarray]:
    """The array of a buffer, for as long as this takes."""
    acquire(address)
    try:
        yield array_of(address)
    finally:
        machine.drop(address, USE)


def _numbers(address: int | None, count: int) -> tuple[int, ...]:
    return tuple((ctypes.c_int64 * count).from_address(address)) if count and address else ()


def foreign(address: int, dtype: np.dtype, shape: tuple[int, ...], strides: tuple[int, ...] | None) -> np.ndarray:
    """Memory as an array; without strides that of a dense one."""
    if 0 in shape:
        return np.empty(shape, dtype)
    dense = tuple(prod(shape[dim + 1 :]) * dtype.itemsize for dim in range(len(shape)))
    spans = [stride * (size - 1) for stride, size in zip(strides or dense, shape, strict=True)]
    low, high = sum(min(0, span) for span in spans), sum(max(0, span) for span in spans) + dtype.itemsize
    memory: Any = (ctypes.c_char * (high - low)).from_address(address + low)
    return np.ndarray(shape, dtype, memory, -low, strides or dense)


def _place(arguments: Any) -> tuple[int, int]:
    """The device and the kind of its memory."""
    place = live[arguments.memory or arguments.device]
    return place.number, place.kind


@implements("Client_BufferFromHostBuffer")
def from_host(arguments: Any) -> None:
    """A buffer with a copy of an array of the client that is not dense, or is to lie in another order."""
    forget_dead()
    dtype = dtype_of(arguments.type)
    shape = _numbers(arguments.dims, arguments.num_dims)
    strides = _numbers(arguments.byte_strides, arguments.num_byte_strides) if arguments.num_byte_strides else None
    order, source = order_at(arguments.device_layout), foreign(arguments.data, dtype, shape, strides)
    arguments.buffer = empty_buffer(shape, dtype, *_place(arguments), order)
    array_of(arguments.buffer)[...] = source if order is None else source.transpose(order)
    arguments.done_with_host_buffer = READY


@implements("Buffer_ToHostBuffer")
def to_host(arguments: Any) -> None:
    """Copy to memory of the client in another order, or say how much that is."""
    with used(arguments.src) as array:
        if not arguments.dst:
            arguments.dst_size = array.nbytes
            return
        if arguments.dst_size < array.nbytes:
            raise PjrtError(Code.INVALID_ARGUMENT, f"{array.nbytes} bytes, into {arguments.dst_size}")
        array = array_in_order(arguments.src, order_at(arguments.host_layout))
        if array.nbytes:
            ctypes.memmove(arguments.dst, data_address(array), array.nbytes)
    arguments.event = READY


@implements("Buffer_CopyRawToHost")
def copy_raw(arguments: Any) -> None:
    """Copy some bytes."""
    start, size = arguments.offset, arguments.transfer_size
    with used(arguments.buffer) as array:
        if start < 0 or size < 0 or start + size > array.nbytes:
            raise PjrtError(Code.INVALID_ARGUMENT, f"bytes {start} to {start + size}, of {array.nbytes}")
        ctypes.memmove(arguments.dst, data_address(array) + start, size)
    arguments.event = READY


@implements("Buffer_CopyToDevice")
def copy_to_device(arguments: Any) -> None:
    """A copy on another device."""
    arguments.dst_buffer = _copied(arguments.buffer, live[arguments.dst_device].number)


@implements("Buffer_CopyToMemory")
def copy_to_memory(arguments: Any) -> None:
    """A copy in another memory, of any device."""
    memory = live[arguments.dst_memory]
    arguments.dst_buffer = _copied(arguments.buffer, memory.number, memory.kind)


def _copied(address: int, device: int, kind: int = 0) -> int:
    with used(address) as source:
        order = order_of(address)
        made = empty_buffer(_seen(source.shape, order), source.dtype, device, kind, order)
        array_of(made)[...] = source
    return made


@implements("Client_CreateUninitializedBuffer")
def uninitialized(arguments: Any) -> None:
    """A buffer with any values."""
    shape, dtype = _numbers(arguments.shape_dims, arguments.shape_num_dims), dtype_of(arguments.shape_element_type)
    arguments.buffer = empty_buffer(shape, dtype, *_place(arguments), order_at(arguments.shape_layout))


@implements("Client_CreateViewOfDeviceBuffer")
def view(arguments: Any) -> None:
    """A buffer that is memory of somebody else, who is told when it is no longer used."""
    shape, dtype = _numbers(arguments.dims, arguments.num_dims), dtype_of(arguments.element_type)
    data, callback = arguments.device_buffer_ptr or 0, arguments.on_delete_callback
    order = order_at(arguments.layout)
    address = new_buffer(number_of(dtype), shape, dtype.itemsize, *_place(arguments), order, data)
    if callback:
        struct = _struct_at(address)
        struct.owner = machine.new_deleter(callback, data, arguments.on_delete_callback_arg)
        struct.kind = Kind.VIEW
    arguments.buffer = address
