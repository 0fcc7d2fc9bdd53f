"""Calls of a program from Python without Python in between: a builtin function made of machine code.

Looking at an argument in Python takes a microsecond, and so do a new array and a call through ctypes. The function here
does for one program what `Executable.__call__` does where nothing is unusual: all arguments are NumPy arrays of the
declared types that native code can read where they are. Otherwise it returns None and has done nothing.

It reads the fields of NumPy's array objects, which its C ABI fixes,

    object header | char *data | int nd | intp *dimensions | intp *strides | PyObject *base | descriptor | int flags

and the items of a tuple where CPython has them, behind its other fields. Both are tried out before their use. New
arrays come from NumPy's C API.
"""

from __future__ import annotations

import ctypes
import importlib
import sys
import weakref
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..locks import in_forked_processes
from .arguments import READY_FLAGS
from .buffers import ALIGNMENT, INPUT_ALIGNMENT, SMALL_BYTES, OutputPool, data_address
from .context import RUN_WORDS
from .devices.layout import Device
from .engine import NativeCode
from .function_addresses import function_address
from .run_state import EXCEPTION, STOPPED, RunState
from .signature import TensorSpec
from .support_code import support_code

NativeCall = Callable[..., "tuple[np.ndarray, ...] | None"]

HEADER = object.__basicsize__
"""The bytes of an object in front of its fields."""

_ITEMS = tuple.__basicsize__

_FUNCTIONS = (
    "PyTuple_New",
    "PyObject_CallNoArgs",
    "Py_IncRef",
    "Py_DecRef",
    "PyErr_Clear",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyErr_Restore",
)
"""What the code calls of Python, in the order of a table."""

_NEW_FROM_DESCR, _SET_BASE_OBJECT = 94, 282
"""Their places in the table of NumPy's C API."""

_NEW_ARRAY_FLAGS = 0x501
"""Of an array in given memory: dense, aligned, writable."""


def load(type: str, name: str, base: str, offset: int) -> str:
    """`name = *(type *)(base + offset)`, the offset in bytes."""
    return f"{name}.at = getelementptr inbounds i8, ptr {base}, i64 {offset}\n  {name} = load {type}, ptr {name}.at"


def word(type: str, name: str, base: str, index: int) -> str:
    """`name = ((type *)base)[index]`, for types of eight bytes."""
    return load(type, name, base, 8 * index)


_CODE = f"""
define ptr @call(ptr %self, ptr %arguments, i64 %count) {{
entry:
  {load("ptr", "%program", "%self", HEADER)}
  {word("ptr", "%functions", "%program", 0)}
  {word("ptr", "%none", "%functions", len(_FUNCTIONS))}
  {word("i64", "%inputs", "%program", 1)}
  {word("i64", "%outputs", "%program", 2)}
  {word("ptr", "%input_specs", "%program", 3)}
  {word("ptr", "%output_specs", "%program", 4)}
  %frame.at = getelementptr inbounds i8, ptr %program, i64 40
  %frame = load ptr, ptr %frame.at
  %is_free = icmp ne ptr %frame, null
  %right_count = icmp eq i64 %count, %inputs
  %may_run = and i1 %is_free, %right_count
  br i1 %may_run, label %read, label %decline

read:  ; the addresses of the arguments
  {word("ptr", "%input_table", "%frame", 0)}
  {word("ptr", "%output_table", "%frame", 1)}
  {word("ptr", "%arena", "%frame", 2)}
  %has_inputs = icmp sgt i64 %inputs, 0
  br i1 %has_inputs, label %input, label %prepare
input:
  %i = phi i64 [ 0, %read ], [ %next, %good ]
  %spec = phi ptr [ %input_specs, %read ], [ %next_spec, %good ]
  %slot = getelementptr inbounds ptr, ptr %arguments, i64 %i
  %object = load ptr, ptr %slot
  {load("i64", "%type", "%object", HEADER - 8)}
  {word("i64", "%wanted_type", "%spec", 0)}
  %right_type = icmp eq i64 %type, %wanted_type
  br i1 %right_type, label %fields, label %decline
fields:
  {load("i64", "%data", "%object", HEADER)}
  {load("i32", "%rank_32", "%object", HEADER + 8)}
  {load("ptr", "%sizes", "%object", HEADER + 16)}
  {load("i64", "%descr", "%object", HEADER + 40)}
  {load("i32", "%flags", "%object", HEADER + 48)}
  {word("i64", "%wanted_descr", "%spec", 1)}
  {word("i64", "%wanted_rank", "%spec", 2)}
  %wanted_sizes = getelementptr inbounds i64, ptr %spec, i64 3
  %rank = sext i32 %rank_32 to i64
  %right_descr = icmp eq i64 %descr, %wanted_descr
  %right_rank = icmp eq i64 %rank, %wanted_rank
  %ready_flags = and i32 %flags, {READY_FLAGS}
  %right_flags = icmp eq i32 %ready_flags, {READY_FLAGS}
  %rest = and i64 %data, {INPUT_ALIGNMENT - 1}
  %aligned = icmp eq i64 %rest, 0
  %right_1 = and i1 %right_descr, %right_rank
  %right_2 = and i1 %right_flags, %aligned
  %right = and i1 %right_1, %right_2
  br i1 %right, label %shape, label %decline
shape:
  %has_dims = icmp sgt i64 %rank, 0
  br i1 %has_dims, label %dim, label %good
dim:
  %d = phi i64 [ 0, %shape ], [ %next_d, %next_dim ]
  %size.at = getelementptr inbounds i64, ptr %sizes, i64 %d
  %size = load i64, ptr %size.at
  %wanted_size.at = getelementptr inbounds i64, ptr %wanted_sizes, i64 %d
  %wanted_size = load i64, ptr %wanted_size.at
  %same = icmp eq i64 %size, %wanted_size
  br i1 %same, label %next_dim, label %decline
next_dim:
  %next_d = add i64 %d, 1
  %more_dims = icmp slt i64 %next_d, %rank
  br i1 %more_dims, label %dim, label %good
good:
  %input.at = getelementptr inbounds i64, ptr %input_table, i64 %i
  store i64 %data, ptr %input.at
  %next = add i64 %i, 1
  %next_spec = getelementptr inbounds i64, ptr %wanted_sizes, i64 %rank
  %more = icmp slt i64 %next, %inputs
  br i1 %more, label %input, label %prepare

prepare:  ; the results, with the frame taken: Python may turn to another thread from here on
  store ptr null, ptr %frame.at
  {word("ptr", "%tuple_new", "%functions", _FUNCTIONS.index("PyTuple_New"))}
  {word("ptr", "%clear_error", "%functions", _FUNCTIONS.index("PyErr_Clear"))}
  %results = call ptr %tuple_new(i64 %outputs)
  %no_tuple = icmp eq ptr %results, null
  br i1 %no_tuple, label %fail, label %make
make:
  %items = getelementptr inbounds i8, ptr %results, i64 {_ITEMS}
  %has_outputs = icmp sgt i64 %outputs, 0
  br i1 %has_outputs, label %output, label %run
output:
  %o = phi i64 [ 0, %make ], [ %next_o, %made ]
  %out_spec = phi ptr [ %output_specs, %make ], [ %next_out_spec, %made ]
  %array = call ptr @new_array(ptr %functions, ptr %out_spec)
  %no_array = icmp eq ptr %array, null
  br i1 %no_array, label %drop, label %new
new:
  %item.at = getelementptr inbounds ptr, ptr %items, i64 %o
  store ptr %array, ptr %item.at
  {load("i64", "%out_data", "%array", HEADER)}
  %out_rest = and i64 %out_data, {INPUT_ALIGNMENT - 1}
  %out_aligned = icmp eq i64 %out_rest, 0
  br i1 %out_aligned, label %made, label %drop
made:
  %output.at = getelementptr inbounds i64, ptr %output_table, i64 %o
  store i64 %out_data, ptr %output.at
  {word("i64", "%out_rank", "%out_spec", 3)}
  %out_dims = getelementptr inbounds i64, ptr %out_spec, i64 4
  %next_out_spec = getelementptr inbounds i64, ptr %out_dims, i64 %out_rank
  %next_o = add i64 %o, 1
  %more_outputs = icmp slt i64 %next_o, %outputs
  br i1 %more_outputs, label %output, label %run

run:
  {word("ptr", "%main", "%program", 6)}
  {word("ptr", "%context", "%program", 7)}
  {word("i64", "%brief", "%program", 9)}
  %is_brief = icmp ne i64 %brief, 0
  br i1 %is_brief, label %locked, label %unlocked
locked:
  call void %main(ptr %input_table, ptr %output_table, ptr %arena, ptr %context)
  br label %done
unlocked:
  {word("ptr", "%save", "%functions", _FUNCTIONS.index("PyEval_SaveThread"))}
  {word("ptr", "%restore", "%functions", _FUNCTIONS.index("PyEval_RestoreThread"))}
  {word("ptr", "%run.state", "%program", 8)}
  {word("ptr", "%device", "%program", 10)}
  %thread = call ptr %save()
  %has_device = icmp ne ptr %device, null
  br i1 %has_device, label %on_device, label %alone
on_device:  ; which waits for others on behalf of this run, as `LocalDevice.run_in` says
  {word("ptr", "%outer.stop", "%device", Device.STOP)}
  {word("ptr", "%outer.context", "%device", Device.CONTEXT)}
  store ptr %run.state, ptr %outer.stop.at
  store ptr %context, ptr %outer.context.at
  call void %main(ptr %input_table, ptr %output_table, ptr %arena, ptr %context)
  store ptr %outer.stop, ptr %outer.stop.at
  store ptr %outer.context, ptr %outer.context.at
  br label %over
alone:
  call void %main(ptr %input_table, ptr %output_table, ptr %arena, ptr %context)
  br label %over
over:
  call void %restore(ptr %thread)
  {word("i64", "%stopped", "%run.state", STOPPED)}
  %is_stopped = icmp ne i64 %stopped, 0
  br i1 %is_stopped, label %raise, label %done
done:
  store ptr %frame, ptr %frame.at
  ret ptr %results

raise:
  {word("ptr", "%release", "%functions", _FUNCTIONS.index("Py_DecRef"))}
  call void %release(ptr %results)
  {word("ptr", "%conclude", "%program", 11)}
  %concludes = icmp ne ptr %conclude, null
  br i1 %concludes, label %ask, label %handler
ask:  ; Python, which raises what has happened
  {word("ptr", "%call.conclude", "%functions", _FUNCTIONS.index("PyObject_CallNoArgs"))}
  %nothing = call ptr %call.conclude(ptr %conclude)
  store ptr %frame, ptr %frame.at
  ret ptr null
handler:  ; what a handler of a signal has raised, which is the only thing that stops a run without a timeout
  %stopped.clear = getelementptr inbounds i64, ptr %run.state, i64 {STOPPED}
  store i64 0, ptr %stopped.clear
  {word("ptr", "%exception.type", "%run.state", EXCEPTION)}
  {word("ptr", "%exception.value", "%run.state", EXCEPTION + 1)}
  {word("ptr", "%exception.traceback", "%run.state", EXCEPTION + 2)}
  store ptr null, ptr %exception.type.at
  store ptr null, ptr %exception.value.at
  store ptr null, ptr %exception.traceback.at
  {word("ptr", "%set_error", "%functions", _FUNCTIONS.index("PyErr_Restore"))}
  call void %set_error(ptr %exception.type, ptr %exception.value, ptr %exception.traceback)
  store ptr %frame, ptr %frame.at
  ret ptr null

drop:
  {word("ptr", "%decref", "%functions", _FUNCTIONS.index("Py_DecRef"))}
  call void %decref(ptr %results)
  br label %fail
fail:
  call void %clear_error()
  store ptr %frame, ptr %frame.at
  br label %decline
decline:
  {word("ptr", "%incref", "%functions", _FUNCTIONS.index("Py_IncRef"))}
  call void %incref(ptr %none)
  ret ptr %none
}}

define internal ptr @new_array(ptr %functions, ptr %spec) {{
entry:
  {word("ptr", "%maker", "%spec", 0)}
  {word("ptr", "%descr", "%spec", 1)}
  {word("i64", "%bytes", "%spec", 2)}
  {word("i64", "%rank", "%spec", 3)}
  %sizes = getelementptr inbounds i64, ptr %spec, i64 4
  %rank_32 = trunc i64 %rank to i32
  {word("ptr", "%incref", "%functions", _FUNCTIONS.index("Py_IncRef"))}
  {word("ptr", "%byte_descr", "%functions", len(_FUNCTIONS) + 1)}
  {word("ptr", "%array_type", "%functions", len(_FUNCTIONS) + 2)}
  {word("ptr", "%new_from_descr", "%functions", len(_FUNCTIONS) + 3)}
  %is_made = icmp ne ptr %maker, null
  br i1 %is_made, label %python, label %numpy
python:
  {word("ptr", "%call", "%functions", _FUNCTIONS.index("PyObject_CallNoArgs"))}
  %made = call ptr %call(ptr %maker)
  ret ptr %made
numpy:
  %is_small = icmp ule i64 %bytes, {SMALL_BYTES}
  br i1 %is_small, label %small, label %large
small:
  call void %incref(ptr %descr)
  %array = call ptr %new_from_descr(ptr %array_type, ptr %descr, i32 %rank_32, ptr %sizes, ptr null, ptr null,
                                    i32 0, ptr null)
  ret ptr %array
large:  ; an aligned part of a larger array
  %length = alloca i64
  %more_bytes = add i64 %bytes, {ALIGNMENT}
  store i64 %more_bytes, ptr %length
  call void %incref(ptr %byte_descr)
  %storage = call ptr %new_from_descr(ptr %array_type, ptr %byte_descr, i32 1, ptr %length, ptr null, ptr null,
                                      i32 0, ptr null)
  %no_storage = icmp eq ptr %storage, null
  br i1 %no_storage, label %none, label %part
part:
  {load("i64", "%data", "%storage", HEADER)}
  %data_up = add i64 %data, {ALIGNMENT - 1}
  %start = and i64 %data_up, -{ALIGNMENT}
  %start_ptr = inttoptr i64 %start to ptr
  call void %incref(ptr %descr)
  %view = call ptr %new_from_descr(ptr %array_type, ptr %descr, i32 %rank_32, ptr %sizes, ptr null, ptr %start_ptr,
                                   i32 {_NEW_ARRAY_FLAGS}, ptr null)
  %no_view = icmp eq ptr %view, null
  br i1 %no_view, label %drop, label %base
base:
  {word("ptr", "%set_base", "%functions", len(_FUNCTIONS) + 4)}
  %failed = call i32 %set_base(ptr %view, ptr %storage)
  ret ptr %view
drop:
  {word("ptr", "%decref", "%functions", _FUNCTIONS.index("Py_DecRef"))}
  call void %decref(ptr %storage)
  br label %none
none:
  ret ptr null
}}

define void @no_program(ptr %inputs, ptr %outputs, ptr %arena, ptr %context) {{
  ret void
}}
"""
"""Words of a program: functions, number of inputs and of outputs, specs of both, frame (null while in use), entry,
context, state of the run, whether Python's lock is kept, the device (null: none), what is called after a run that was
stopped (null: nothing). Of a frame: table of inputs, table of outputs, arena. Of an
input: type, descriptor, rank, sizes. Of an output: what makes it (null: NumPy), descriptor, bytes, rank, sizes. Words
of eight bytes all."""


class _MethodDef(ctypes.Structure):
    """CPython's `PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_FASTCALL = 0x80
"""The flag of methods that take a C array of arguments."""


class Exchanging(NamedTuple):
    """What a call of a program needs that exchanges values with other devices."""

    device: int
    """The address of the words of its own device."""
    conclude: Callable[[], None]
    """Raises what has stopped a run."""


class Words(np.ndarray):
    """An array with what its words are addresses of."""

    kept: Any
    frame: int


class FunctionMaker:
    """Makes builtin functions of a function `ptr (ptr self, ptr arguments, i64 count)` in machine code, for which
    `self` is an array of words.
    """

    def __init__(self, code: NativeCode, symbol: str) -> None:
        self._code = code
        self._method = _MethodDef(symbol.encode(), code.address(symbol), _FASTCALL, None)
        self._new_function = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
            ("PyCFunction_NewEx", ctypes.pythonapi)
        )

    @staticmethod
    def is_possible() -> bool:
        """Whether objects are laid out as the code expects."""
        return sys.implementation.name == "cpython" and ctypes.sizeof(ctypes.c_void_p) == 8 and HEADER == 16

    def function(self, words: np.ndarray, kept: object) -> Any:
        """The function of these `words`, which are addresses of what is `kept`."""
        array = words.view(Words)
        array.kept = (kept, self)
        return self._new_function(ctypes.addressof(self._method), array, None)


class _Caller:
    """The code in this process, with what it calls of Python and NumPy."""

    def __init__(self) -> None:
        self._code = support_code(_CODE, ("call", "no_program"))
        self._byte_dtype = np.dtype(np.uint8)
        python = ctypes.pythonapi
        addresses = [function_address(getattr(python, name)) for name in _FUNCTIONS]
        addresses += [id(None), id(self._byte_dtype), id(np.ndarray), *_numpy_functions()]
        self._functions = np.array(addresses, np.uintp)
        self._maker = FunctionMaker(self._code, "call")
        self._no_run = np.zeros(RUN_WORDS, np.int64)
        self.no_program = self._code.address("no_program")

    def function(
        self,
        inputs: Sequence[TensorSpec],
        outputs: Sequence[tuple[TensorSpec, OutputPool | None]],
        entry: int,
        run: RunState | None,
        frame: Sequence[int],
        kept: object = None,
        brief: bool = False,
        exchanging: Exchanging | None = None,
    ) -> NativeCall:
        """As `native_call`."""
        in_specs, out_specs = list[int](), list[int]()
        for spec in inputs:
            in_specs += (id(np.ndarray), id(spec.dtype), len(spec.shape), *spec.shape)
        makers = [_maker(spec, pool) for spec, pool in outputs]
        for (spec, _), maker in zip(outputs, makers, strict=True):
            made_by = 0 if maker is None else id(maker)
            out_specs += (made_by, id(spec.dtype), spec.byte_size, len(spec.shape), *spec.shape)
        arrays = [np.array(words, np.uintp) for words in (in_specs, out_specs, frame)]
        addresses = [data_address(array) for array in arrays]
        context, words = (0, data_address(self._no_run)) if run is None else (run.context, run.address)
        counts = len(inputs), len(outputs)
        on_device = (0, 0) if exchanging is None else (exchanging.device, id(exchanging.conclude))
        program = np.array(
            [data_address(self._functions), *counts, *addresses, entry, context, words, brief, *on_device], np.uintp
        ).view(Words)
        program.frame = addresses[2]
        _programs[id(program)] = program
        # The maker too: two threads may make one each at first, and only one of them stays (`_caller`).
        dtypes = [spec.dtype for spec in inputs], [spec.dtype for spec, _ in outputs]
        kept = (self, kept, exchanging, arrays, makers, dtypes)
        return self._maker.function(program, kept)


_FRAME = 5
"""The word of a program that is null while its frame is in use."""

_programs: weakref.WeakValueDictionary[int, Words] = weakref.WeakValueDictionary()


def _free_frames() -> None:
    """In a forked process, where the threads that had taken them are missing."""
    for program in list(_programs.values()):
        program[_FRAME] = program.frame


in_forked_processes(_free_frames)


def _maker(spec: TensorSpec, pool: OutputPool | None) -> Callable[[], np.ndarray] | None:
    return None if pool is None else lambda: pool.empty(spec.shape, spec.dtype)


def _numpy_functions() -> list[int]:
    capsule: Any = vars(importlib.import_module("numpy._core._multiarray_umath"))["_ARRAY_API"]
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", ctypes.pythonapi)
    )(capsule, None)
    return [ctypes.c_size_t.from_address(pointer + 8 * index).value for index in (_NEW_FROM_DESCR, _SET_BASE_OBJECT)]


@cache
def _caller() -> _Caller | None:
    """None where objects are not laid out as the code expects."""
    if not FunctionMaker.is_possible():
        return None
    caller = _Caller()
    return caller if _is_right(caller) else None


def _is_right(caller: _Caller) -> bool:
    """Whether a program that does nothing gets the addresses of its arguments and new arrays."""
    probes = np.zeros((3, 4), np.float32), np.zeros((), np.int8), np.zeros((5, 2, 40), np.complex128)
    wrong = *probes[:2], np.zeros((5, 2, 41), np.complex128)
    specs = [TensorSpec("", probe.shape, probe.dtype) for probe in probes]
    table = np.zeros(6, np.uintp)
    start = data_address(table)
    call = caller.function(specs, [(spec, None) for spec in specs], caller.no_program, None, (start, start + 24, 0))
    results = call(*probes)
    if results is None or call(*wrong) is not None:
        return False
    addresses = [array.ctypes.data for array in (*probes, *results)]
    return table.tolist() == addresses and all(
        (array.shape, array.dtype, array.flags.num & READY_FLAGS) == (*spec[1:3], READY_FLAGS)
        for array, spec in zip(results, specs, strict=True)
    )


def native_call(
    inputs: Sequence[TensorSpec],
    outputs: Sequence[tuple[TensorSpec, OutputPool | None]],
    entry: int,
    run: RunState,
    frame: Sequence[int],
    kept: object,
    brief: bool,
    exchanging: Exchanging | None = None,
) -> NativeCall | None:
    """The call of a program that calls no targets, or only other devices; None where Python is not as expected here.

    `outputs` come with the pools their memory is from, if not from NumPy. `entry` is an address, as those
    in `frame`: of the tables of inputs and outputs, and of the arena; `kept` is what they belong to. While the function
    runs in one thread, it returns None to others. A `brief` program runs with Python's lock. `exchanging`: of one that
    calls other devices.
    """
    caller = _caller()
    return None if caller is None else caller.function(inputs, outputs, entry, run, frame, kept, brief, exchanging)
