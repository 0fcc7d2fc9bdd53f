"""Buffers: made, used, deleted and given back by any thread.

    buffer *new_buffer(int64_t type, int64_t *dims, int64_t rank, int64_t bytes, device *, void *data)
    int64_t acquire(buffer *)              // one use more; 0 if it has been deleted
    void drop(buffer *, int64_t part)      // without a use, or `PENDING`

A buffer is one piece of memory: the struct, its dimensions, and small elements. One word has its state (`layout.py`).
Who takes away the last use of a deleted buffer gives back its memory before that: so nobody else does, and the struct
is still there.
"""

from __future__ import annotations

import ctypes
from typing import Any

from ....decisions.dispatch import Dispatch
from ..c_api import FUNCTIONS
from ..objects import OBJECTS
from .function import NULL, Function, Value, i64, texts
from .layout import DELETED, DESTROYED, PENDING, USE, Deleter, Kind
from .memory_code import round_up

BUFFER: Any = OBJECTS["Buffer"]
_DEVICE: Any = OBJECTS["Device"]
MOST_DIMENSIONS = 64
"""NumPy's limit."""

PROTOTYPES = Value("ptr", "@prototypes")

BUFFER_GLOBALS = """
@prototypes = internal global ptr null
define ptr @prototypes_address() { ret ptr @prototypes }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""

BYTES = BUFFER.Buffer_OnDeviceSizeInBytes_on_device_size_in_bytes
POINTER = BUFFER.Buffer_OpaqueDeviceMemoryDataPointer_device_memory_ptr


LAYOUT = BUFFER.Layouts_Buffer_MemoryLayout_layout


def lies_otherwise(f: Function, buffer: Value) -> Value:
    """Whether the dimensions of a buffer are in another order than row-major."""
    rank = f.read("i64", buffer, BUFFER.Buffer_Dimensions_num_dims)
    prototype = f.at(f.load("ptr", PROTOTYPES), f.compute("mul", rank, i64(ctypes.sizeof(BUFFER))))
    return f.compare("ne", f.read("i64", buffer, LAYOUT), f.read("i64", prototype, LAYOUT))


def copy(f: Function, target: Value, source: Value, size: Value) -> None:
    """Copy bytes."""
    f.call("void", "llvm.memcpy.p0.p0.i64", target, source, size, Value("i1", "false"))


def argument_of(f: Function, function: str, field: str, type: str = "ptr") -> Value:
    """A field of the struct of a call."""
    return f.read(type, f["arguments"], getattr(FUNCTIONS[function], field))


def _new_buffer() -> Function:
    f = Function("new_buffer", "i64 type, ptr dims, i64 rank, i64 bytes, ptr device, ptr data", exported=True)
    dims_bytes = f.compute("mul", f["rank"], i64(8))
    head = round_up(f, f.compute("add", dims_bytes, i64(ctypes.sizeof(BUFFER))))
    is_small = f.compare("sle", f["bytes"], i64(Dispatch().inline_bytes))
    is_inside = f.compute("and", is_small, f.is_null(f["data"]))
    buffer = f.call("ptr", "new_piece", f.compute("add", head, f.choose(is_inside, f["bytes"], i64(0))))
    with f.when(f.is_null(buffer)):
        f.give(NULL)
    place = f.compute("mul", f["rank"], i64(ctypes.sizeof(BUFFER)))
    copy(f, buffer, f.at(f.load("ptr", PROTOTYPES), place), i64(ctypes.sizeof(BUFFER)))
    data = f.variable(f["data"])
    with f.when(is_inside):
        f.set(data, f.at(buffer, head))
    with f.when(f.is_null(f.get(data))):
        piece = f.call("ptr", "allocate", f["bytes"])
        with f.when(f.is_null(piece)):
            f.call("void", "free_piece", buffer)
            f.give(NULL)
        f.write(i64(Kind.PIECE), buffer, BUFFER.kind)
        f.write(piece, buffer, BUFFER.owner)
        f.set(data, piece)
    dims = f.at(buffer, ctypes.sizeof(BUFFER))
    copy(f, dims, f["dims"], dims_bytes)
    f.write(dims, buffer, BUFFER.Buffer_Dimensions_dims)
    f.write(dims, buffer, BUFFER.Buffer_UnpaddedDimensions_unpadded_dims)
    f.write(dims, buffer, BUFFER.Buffer_DynamicDimensionIndices_dynamic_dim_indices)
    f.write(f.convert("trunc", f["type"], "i32"), buffer, BUFFER.Buffer_ElementType_type)
    f.write(f["bytes"], buffer, BYTES)
    f.write(f["device"], buffer, BUFFER.Buffer_Device_device)
    f.write(f.read("ptr", f["device"], _DEVICE.Device_DefaultMemory_memory), buffer, BUFFER.Buffer_Memory_memory)
    f.write(f.get(data), buffer, BUFFER.Buffer_UnsafePointer_buffer_pointer)
    f.write(f.get(data), buffer, POINTER)
    f.give(buffer)
    return f


def _acquire() -> Function:
    f = Function("acquire", "ptr buffer", "i64", exported=True)
    word = f.at(f["buffer"], BUFFER.count.offset)
    with f.repeat():
        old = f.load_shared(word)
        with f.when(f.is_set(f.compute("and", old, i64(DELETED | DESTROYED)))):
            f.give(i64(0))
        with f.when(f.replace(word, old, f.compute("add", old, i64(USE)))):
            f.give(i64(1))
    f.line("unreachable")
    return f


def _give_back_memory() -> Function:
    """Of a buffer that nobody else may use; again if it has none any more."""
    f = Function("give_back_memory", "ptr buffer", "void")
    buffer = f["buffer"]
    kind, owner = f.read("i64", buffer, BUFFER.kind), f.read("ptr", buffer, BUFFER.owner)
    f.write(i64(Kind.NOTHING), buffer, BUFFER.kind)

    def is_of(wanted: Kind) -> Value:
        return f.compare("eq", kind, i64(wanted))

    with f.when(is_of(Kind.NOTHING)):
        f.give()
    with f.when(is_of(Kind.PIECE)):
        f.call("void", "release", owner, f.read("i64", buffer, BYTES))
    with f.when(is_of(Kind.HOST)):
        f.call("void", "finish", owner, i64(1))
    with f.when(is_of(Kind.VIEW)):
        function, data = f.read("ptr", owner, Deleter.function), f.read("ptr", owner, Deleter.data)
        f.call("void", function, data, f.read("ptr", owner, Deleter.argument))
        f.call("void", "free", owner)
    with f.when(is_of(Kind.PYTHON)):
        f.call("void", "forget", owner)
    with f.when(is_of(Kind.BUFFER)):
        f.call("void", "drop", owner, i64(USE))
    f.give()
    return f


def _free_buffer() -> Function:
    f = Function("free_buffer", "ptr buffer", "void")
    f.call("void", "drop_event", f.read("ptr", f["buffer"], BUFFER.ready))
    f.call("void", "free_piece", f["buffer"])
    f.give()
    return f


def _drop() -> Function:
    f = Function("drop", "ptr buffer, i64 part", "void", exported=True)
    word = f.at(f["buffer"], BUFFER.count.offset)
    with f.repeat():
        old = f.load_shared(word)
        rest = f.compute("sub", old, f["part"])
        is_last = f.compare("ule", rest, i64(DELETED | DESTROYED))
        with f.when(f.compute("and", is_last, f.is_set(rest))):
            f.call("void", "give_back_memory", f["buffer"])
            before = f.change("sub", word, f["part"])
            left = f.compute("sub", before, f["part"])
            is_free = f.any(f.compare("eq", left, i64(DESTROYED)), f.compare("eq", left, i64(DESTROYED | DELETED)))
            with f.when(is_free):
                f.call("void", "free_buffer", f["buffer"])
            f.give()
        with f.when(f.replace(word, old, rest)):
            f.give()
    f.line("unreachable")
    return f


def _destroy() -> Function:
    f = Function("destroy", "ptr buffer", "void", exported=True)
    word = f.at(f["buffer"], BUFFER.count.offset)
    with f.when(f.replace(word, i64(0), i64(DESTROYED))):
        f.call("void", "give_back_memory", f["buffer"])
        f.call("void", "free_buffer", f["buffer"])
        f.give()
    f.change("add", word, i64(USE))
    f.change("or", word, i64(DESTROYED))
    f.call("void", "drop", f["buffer"], i64(USE))
    f.give()
    return f


def _mark_deleted(f: Function, buffer: Value) -> None:
    f.write(Value("i8", "1"), buffer, BUFFER.Buffer_IsDeleted_is_deleted)


def _delete() -> Function:
    f = Function("delete", "ptr buffer", "void", exported=True)
    with f.when(f.is_set(f.call("i64", "acquire", f["buffer"]))):
        _mark_deleted(f, f["buffer"])
        f.change("or", f.at(f["buffer"], BUFFER.count.offset), i64(DELETED))
        f.call("void", "drop", f["buffer"], i64(USE))
    f.give()
    return f


def _new_deleter() -> Function:
    f = Function("new_deleter", "ptr function, ptr data, ptr argument", exported=True)
    deleter = f.call("ptr", "malloc", i64(ctypes.sizeof(Deleter)))
    for name in ("function", "data", "argument"):
        f.write(f[name], deleter, getattr(Deleter, name))
    f.give(deleter)
    return f


def _functions_of_table() -> list[Function]:
    destroy = Function("Buffer_Destroy", "ptr arguments", exported=True)
    buffer = argument_of(destroy, "Buffer_Destroy", "buffer")
    with destroy.when(destroy.is_set(buffer)):
        destroy.call("void", "destroy", buffer)
    destroy.give(NULL)

    delete = Function("Buffer_Delete", "ptr arguments", exported=True)
    delete.call("void", "delete", argument_of(delete, "Buffer_Delete", "buffer"))
    delete.give(NULL)

    name = "Buffer_IncreaseExternalReferenceCount"
    more = Function(name, "ptr arguments", exported=True)
    more.change("add", more.at(argument_of(more, name, "buffer"), BUFFER.count.offset), i64(USE))
    more.give(NULL)

    name = "Buffer_DecreaseExternalReferenceCount"
    less = Function(name, "ptr arguments", exported=True)
    less.call("void", "drop", argument_of(less, name, "buffer"), i64(USE))
    less.give(NULL)

    name = "Buffer_ReadyEvent"
    ready = Function(name, "ptr arguments", exported=True)
    event = ready.read("ptr", argument_of(ready, name, "buffer"), BUFFER.ready)
    ready.call("void", "retain_event", event)
    ready.write(event, ready["arguments"], FUNCTIONS[name].event)  # type: ignore[attr-defined]
    ready.give(NULL)
    return [destroy, delete, more, less, ready]


def _try_to_donate() -> Function:
    """Delete a buffer that only its caller uses, but for the program that writes it; 0 if others do."""
    f = Function("donate", "ptr buffer", "i64", exported=True)
    word = f.at(f["buffer"], BUFFER.count.offset)
    with f.repeat():
        old = f.load_shared(word)
        uses = f.compute("and", old, i64(~PENDING))
        with f.when(f.compare("ne", uses, i64(USE))):
            f.give(i64(0))
        with f.when(f.replace(word, old, f.compute("or", old, i64(DELETED)))):
            _mark_deleted(f, f["buffer"])
            f.give(i64(1))
    f.line("unreachable")
    return f


def _restore() -> Function:
    """A buffer that was donated is not."""
    f = Function("restore", "ptr buffer", "void")
    f.write(Value("i8", "0"), f["buffer"], BUFFER.Buffer_IsDeleted_is_deleted)
    f.change("and", f.at(f["buffer"], BUFFER.count.offset), i64(~DELETED))
    f.give()
    return f


def _wait_for() -> Function:
    """Wait until the values of a buffer are there; 0 if they will never be."""
    f = Function("wait_for", "ptr buffer", "i64", exported=True)
    event = f.read("ptr", f["buffer"], BUFFER.ready)
    f.call("void", "await", event)
    f.give(f.convert("zext", f.is_null(f.call("ptr", "error_of", event)), "i64"))
    return f


def buffer_text() -> str:
    """LLVM IR of these functions."""
    own = [_new_buffer(), _acquire(), _give_back_memory(), _free_buffer(), _drop(), _destroy(), _delete()]
    rest = [_new_deleter(), _try_to_donate(), _restore(), _wait_for()]
    return BUFFER_GLOBALS + texts([*own, *rest, *_functions_of_table()])
