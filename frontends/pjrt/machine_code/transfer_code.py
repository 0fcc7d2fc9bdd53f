"""Arrays that come from the memory of a client and go there: what is dense, in the usual order of dimensions."""

from __future__ import annotations

from typing import Any

from ....decisions.dispatch import Dispatch
from ....runtime.buffers import INPUT_ALIGNMENT
from ..c_api import FUNCTIONS, STRUCTS, MemoryLayout
from ..objects import OBJECTS
from .buffer_code import BUFFER, BYTES, MOST_DIMENSIONS, POINTER, argument_of, copy, lies_otherwise
from .function import NULL, Function, Value, i32, i64, texts
from .layout import USE, Kind

IMMUTABLE_ZERO_COPY, MUTABLE_ZERO_COPY = 2, 3
"""What a client promises of an array that it hands over: it lives, and (not) changes, until its buffer is forgotten."""

TYPES = 64
"""The numbers of element types are less."""

_FROM, _TO = "Client_BufferFromHostBuffer", "Buffer_ToHostBuffer"
_MEMORY: Any = OBJECTS["Memory"]
_LAYOUT: Any = MemoryLayout
_TILED: Any = STRUCTS["Tiled"]
_TILED_AT = _LAYOUT.tiled.offset
READY = Value("ptr", "@ready")

TRANSFER_GLOBALS = f"""
@element_bytes = internal global [{TYPES} x i64] zeroinitializer
@ready = internal global ptr null
define ptr @element_bytes_address() {{ ret ptr @element_bytes }}
define ptr @ready_address() {{ ret ptr @ready }}
"""


def _is_dense() -> Function:
    """Whether strides are those of a dense array; 1 or 0."""
    f = Function("is_dense", "ptr dims, ptr strides, i64 rank, i64 element", "i64")
    wanted = f.variable(f["element"])
    with f.times(f["rank"]) as number:
        dim = f.compute("sub", f.compute("sub", f["rank"], number), i64(1))
        size = f.load("i64", f.item(f["dims"], dim))
        is_other = f.compare("ne", f.load("i64", f.item(f["strides"], dim)), f.get(wanted))
        with f.when(f.compute("and", is_other, f.compare("ne", size, i64(1)))):
            f.give(i64(0))
        f.set(wanted, f.compute("mul", f.get(wanted), size))
    f.give(i64(1))
    return f


def _is_usual() -> Function:
    """Whether a layout, if there is one, is row-major; 1 or 0."""
    f = Function("is_usual", "ptr layout, i64 rank", "i64")
    layout, rank = f["layout"], f["rank"]
    with f.when(f.is_null(layout)):
        f.give(i64(1))
    tiled = f.at(layout, _TILED_AT)
    is_strange = f.any(
        f.is_set(f.read("i32", layout, _LAYOUT.type)),
        f.is_set(f.read("i64", tiled, _TILED.num_tiles)),
        f.compare("ne", f.read("i64", tiled, _TILED.minor_to_major_size), rank),
    )
    with f.when(is_strange):
        f.give(i64(0))
    order = f.read("ptr", tiled, _TILED.minor_to_major)
    with f.times(rank) as number:
        dim = f.compute("sub", f.compute("sub", rank, number), i64(1))
        with f.when(f.compare("ne", f.load("i64", f.item(order, number)), dim)):
            f.give(i64(0))
    f.give(i64(1))
    return f


def _from_host() -> Function:
    f = Function(_FROM, "ptr arguments", exported=True)
    type = argument_of(f, _FROM, "type", "i32")
    rank = argument_of(f, _FROM, "num_dims", "i64")
    unknown = f.any(
        f.compare("uge", type, i32(TYPES)),
        f.compare("ugt", rank, i64(MOST_DIMENSIONS)),
        f.is_set(argument_of(f, _FROM, "device_layout")),
    )
    f.branch(unknown, "python")
    number = f.convert("zext", type, "i64")
    element = f.load("i64", f.item(Value("ptr", "@element_bytes"), number))
    f.branch(f.is_null(element), "python")
    dims = argument_of(f, _FROM, "dims")
    bytes = f.variable(element)
    with f.times(rank) as dim:
        f.set(bytes, f.compute("mul", f.get(bytes), f.load("i64", f.item(dims, dim))))
    size = f.get(bytes)
    has_strides = f.is_set(argument_of(f, _FROM, "num_byte_strides", "i64"))
    with f.when(f.compute("and", has_strides, f.is_set(size))):
        strides = argument_of(f, _FROM, "byte_strides")
        f.branch(f.is_null(f.call("i64", "is_dense", dims, strides, rank, element)), "python")
    place = f.variable(argument_of(f, _FROM, "device"))
    memory = argument_of(f, _FROM, "memory")
    with f.when(f.is_set(memory)):
        f.set(place, f.read("ptr", memory, _MEMORY.device))
    device = f.get(place)
    _share(f, number, dims, rank, size, device)
    buffer = f.call("ptr", "new_buffer", number, dims, rank, size, device, NULL)
    f.branch(f.is_null(buffer), "python")
    copy(f, f.read("ptr", buffer, POINTER), argument_of(f, _FROM, "data"), size)
    _answer(f, buffer, f.load("ptr", READY))
    f.line("python:")
    f.give(f.call("ptr", f"enter_{_FROM}", f["arguments"]))
    return f


def _share(f: Function, number: Value, dims: Value, rank: Value, size: Value, device: Value) -> None:
    """A buffer that is memory of the client, if that may be."""
    semantics, data = argument_of(f, _FROM, "host_buffer_semantics", "i32"), argument_of(f, _FROM, "data")
    rest = f.compute("and", f.convert("ptrtoint", data, "i64"), i64(INPUT_ALIGNMENT - 1))
    may_not = f.any(
        f.compare("slt", semantics, i32(IMMUTABLE_ZERO_COPY)),
        f.compare("slt", size, i64(Dispatch().shared_bytes)),
        f.is_set(rest),
    )
    with f.when(f.is_null(may_not)):
        event = f.call("ptr", "new_event", i64(2))
        f.branch(f.is_null(event), "python")
        buffer = f.call("ptr", "new_buffer", number, dims, rank, size, device, data)
        f.branch(f.is_null(buffer), "python")
        f.write(i64(Kind.HOST), buffer, BUFFER.kind)
        f.write(event, buffer, BUFFER.owner)
        is_constant = f.convert("zext", f.compare("eq", semantics, i32(IMMUTABLE_ZERO_COPY)), "i64")
        f.write(is_constant, buffer, BUFFER.is_constant)
        _answer(f, buffer, event)


def _answer(f: Function, buffer: Value, event: Value) -> None:
    memory = argument_of(f, _FROM, "memory")
    with f.when(f.is_set(memory)):
        f.write(memory, buffer, BUFFER.Buffer_Memory_memory)
    f.store(buffer, f.at(f["arguments"], _offset(_FROM, "buffer")))
    f.store(event, f.at(f["arguments"], _offset(_FROM, "done_with_host_buffer")))
    f.give(NULL)


def _offset(function: str, field: str) -> int:
    return getattr(FUNCTIONS[function], field).offset


def _to_host() -> Function:
    f = Function(_TO, "ptr arguments", exported=True)
    buffer = argument_of(f, _TO, "src")
    size, rank = f.read("i64", buffer, BYTES), f.read("i64", buffer, BUFFER.Buffer_Dimensions_num_dims)
    usual = f.call("i64", "is_usual", argument_of(f, _TO, "host_layout"), rank)
    target = argument_of(f, _TO, "dst")
    is_small = f.compare("ult", argument_of(f, _TO, "dst_size", "i64"), size)
    f.branch(f.any(f.is_null(usual), f.is_null(target), is_small, lies_otherwise(f, buffer)), "python")
    f.branch(f.is_null(f.call("i64", "acquire", buffer)), "python")
    event = f.read("ptr", buffer, BUFFER.ready)
    f.call("void", "await", event)
    error = f.call("ptr", "error_of", event)
    with f.when(f.is_null(error)):
        copy(f, target, f.read("ptr", buffer, POINTER), size)
    f.call("void", "drop", buffer, i64(USE))
    f.store(f.load("ptr", READY), f.at(f["arguments"], _offset(_TO, "event")))
    f.give(error)
    f.line("python:")
    f.give(f.call("ptr", f"enter_{_TO}", f["arguments"]))
    return f


def transfer_text() -> str:
    """LLVM IR of these functions."""
    return TRANSFER_GLOBALS + texts([_is_dense(), _is_usual(), _from_host(), _to_host()])
