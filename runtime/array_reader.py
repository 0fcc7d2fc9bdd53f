"""Reading many arrays at once: where their elements are, and whether they are what a program takes.

A program with hundreds of arguments, such as the parameters of a model, would spend a microsecond on each of them in
Python. The loop here is machine code that reads the fields of NumPy's array objects, which its C ABI fixes:

    object header | char *data | int nd | intp *dimensions | intp *strides | PyObject *base | descriptor | int flags

and finds the objects where CPython has those of a tuple, behind its other fields. Both are tried out before their use.
"""

from __future__ import annotations

import ctypes
import hashlib
import struct
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, cast

import numpy as np

from .arguments import READY_FLAGS
from .buffers import INPUT_ALIGNMENT
from .compile_cache import folder
from .compile_cache.key import environment
from .compiled_program import CompiledProgram
from .engine import NativeCode, compile_objects
from .llvm_pipeline import Options
from .signature import Signature, TensorSpec

_HEADER = object.__basicsize__
_ITEMS = tuple.__basicsize__

_LOOP = f"""
define i64 @read_arrays(ptr %arrays, ptr %specs, ptr %table, i64 %count) {{
entry:
  %any = icmp sgt i64 %count, 0
  br i1 %any, label %array, label %done
array:
  %i = phi i64 [ 0, %entry ], [ %next, %good ]
  %spec = phi ptr [ %specs, %entry ], [ %next_spec, %good ]
  %slot = getelementptr inbounds ptr, ptr %arrays, i64 %i
  %object = load ptr, ptr %slot
  %type_at = getelementptr inbounds i8, ptr %object, i64 {_HEADER - 8}
  %type = load i64, ptr %type_at
  %wanted_type = load i64, ptr %spec
  %right_type = icmp eq i64 %type, %wanted_type
  br i1 %right_type, label %fields, label %done
fields:
  %descr_at = getelementptr inbounds i8, ptr %object, i64 {_HEADER + 40}
  %descr = load i64, ptr %descr_at
  %wanted_descr_at = getelementptr inbounds i64, ptr %spec, i64 1
  %wanted_descr = load i64, ptr %wanted_descr_at
  %right_descr = icmp eq i64 %descr, %wanted_descr
  %rank_at = getelementptr inbounds i8, ptr %object, i64 {_HEADER + 8}
  %rank_32 = load i32, ptr %rank_at
  %rank = sext i32 %rank_32 to i64
  %wanted_rank_at = getelementptr inbounds i64, ptr %spec, i64 2
  %wanted_rank = load i64, ptr %wanted_rank_at
  %right_rank = icmp eq i64 %rank, %wanted_rank
  %flags_at = getelementptr inbounds i8, ptr %object, i64 {_HEADER + 48}
  %flags = load i32, ptr %flags_at
  %flags_masked = and i32 %flags, {READY_FLAGS}
  %right_flags = icmp eq i32 %flags_masked, {READY_FLAGS}
  %data_at = getelementptr inbounds i8, ptr %object, i64 {_HEADER}
  %data = load i64, ptr %data_at
  %rest = and i64 %data, {INPUT_ALIGNMENT - 1}
  %aligned = icmp eq i64 %rest, 0
  %right_1 = and i1 %right_descr, %right_rank
  %right_2 = and i1 %right_flags, %aligned
  %right = and i1 %right_1, %right_2
  %sizes = getelementptr inbounds i64, ptr %spec, i64 3
  %sizes_at = getelementptr inbounds i8, ptr %object, i64 {_HEADER + 16}
  br i1 %right, label %shape, label %done
shape:
  %has_dims = icmp sgt i64 %rank, 0
  %dims = load ptr, ptr %sizes_at
  br i1 %has_dims, label %dim, label %good
dim:
  %d = phi i64 [ 0, %shape ], [ %next_d, %next_dim ]
  %size_at = getelementptr inbounds i64, ptr %dims, i64 %d
  %size = load i64, ptr %size_at
  %wanted_at = getelementptr inbounds i64, ptr %sizes, i64 %d
  %wanted = load i64, ptr %wanted_at
  %same = icmp eq i64 %size, %wanted
  br i1 %same, label %next_dim, label %done
next_dim:
  %next_d = add i64 %d, 1
  %more_dims = icmp slt i64 %next_d, %rank
  br i1 %more_dims, label %dim, label %good
good:
  %out = getelementptr inbounds i64, ptr %table, i64 %i
  store i64 %data, ptr %out
  %next = add i64 %i, 1
  %next_spec = getelementptr inbounds i64, ptr %sizes, i64 %rank
  %more = icmp slt i64 %next, %count
  br i1 %more, label %array, label %done
done:
  %read = phi i64 [ 0, %entry ], [ %i, %array ], [ %i, %fields ], [ %i, %dim ], [ %next, %good ]
  ret i64 %read
}}
"""

_Read = Callable[[Any, Any, Any, int], int]


@cache
def _reader() -> tuple[NativeCode, _Read] | None:
    """The loop; None where arrays are not laid out as it expects."""
    code = _code()
    # Holds Python's lock: nobody changes an array meanwhile.
    pointer = ctypes.c_void_p
    read = ctypes.PYFUNCTYPE(ctypes.c_int64, pointer, pointer, pointer, ctypes.c_int64)(code.address("read_arrays"))
    probes = np.zeros((3, 4), np.float32), np.zeros((), np.int8), np.zeros((5, 2, 1), np.complex128)
    wrong = *probes[:2], np.zeros((5, 2, 2), np.complex128)
    specs = _specs([TensorSpec("", probe.shape, probe.dtype) for probe in probes])
    table = (ctypes.c_size_t * 3)()
    if read(id(probes) + _ITEMS, specs, table, 3) != 3 or list(table) != [probe.ctypes.data for probe in probes]:
        return None
    return (code, read) if read(id(wrong) + _ITEMS, specs, table, 3) == 2 else None


def _code() -> NativeCode:
    """From the compile cache, if it may be used."""
    symbol = "read_arrays"
    key = hashlib.blake2b(repr((_LOOP, environment())).encode(), digest_size=20).hexdigest() if folder.is_on() else ""
    program = folder.load(key) if key else None
    if program is None:
        program = CompiledProgram(compile_objects(_LOOP, Options(1)), symbol, Signature(symbol, (), ()))
        if key:
            folder.store(key, program)
    return NativeCode(program.objects, [symbol])


def _specs(specs: Sequence[TensorSpec]) -> ctypes.Array[ctypes.c_int64]:
    """For each array its type, descriptor, rank and sizes."""
    numbers: list[int] = []
    for spec in specs:
        numbers += (id(np.ndarray), id(spec.dtype), len(spec.shape), *spec.shape)
    return (ctypes.c_int64 * len(numbers))(*numbers)


class ArrayReader:
    """Reads the arrays of one signature."""

    @staticmethod
    def of(specs: Sequence[TensorSpec]) -> ArrayReader | None:
        """None where arrays are laid out in another way than the loop expects."""
        if sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8 or _HEADER != 16:
            return None
        return ArrayReader(specs) if _reader() is not None else None

    def __init__(self, specs: Sequence[TensorSpec]) -> None:
        self._dtypes = [spec.dtype for spec in specs]
        """Kept alive: they are compared by identity."""
        self._specs = _specs(specs)
        self._count = len(specs)
        self._table = ctypes.c_size_t * len(specs)
        self._numbers = struct.Struct(f"{len(specs)}P").unpack
        _, self._read = cast("tuple[NativeCode, _Read]", _reader())

    def read(self, arrays: tuple[Any, ...]) -> list[int]:
        """The addresses of `arrays`, as many as the specs, or none if a program cannot take each of them as it is."""
        table = self._table()
        if self._read(id(arrays) + _ITEMS, self._specs, table, self._count) != self._count:
            return []
        return list(self._numbers(table))
