"""Machine code of the functions of the table: nothing else may be called where there may be no Python.

Functions that only read copy from objects; those that forget one put it on a list, which Python empties later, because
they come on threads of the client that must not wait for Python's lock. What every call of a program needs is in
`machine_code/`. Every other function enters Python, unless Python has ended or is about to: then it gives an error.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from ...runtime.engine import NativeCode
from ...runtime.function_addresses import function_address
from ...runtime.support_code import support_code
from .c_api import ALL_FUNCTIONS
from .machine_code.buffer_code import buffer_text
from .machine_code.event_code import event_text
from .machine_code.execute_code import execute_text
from .machine_code.frame_code import frame_text
from .machine_code.memory_code import memory_text
from .machine_code.transfer_code import transfer_text
from .objects import GETTER_OF, STATIC, Getter

FORGETTING = ("LoadedExecutable_Destroy", "Executable_Destroy", "Error_Destroy")

WITHOUT_EFFECT = (
    "Plugin_Initialize",
    "Client_Destroy",
    "TopologyDescription_Destroy",
    "Layouts_MemoryLayout_Destroy",
    "ExecuteContext_Create",
    "ExecuteContext_Destroy",
    "Error_ForEachPayload",
    "Client_UpdateGlobalProcessInfo",
)
"""Functions that have nothing to do here: what they are about lives for ever, or has one state."""

WITH_WAYS_OUT = ("LoadedExecutable_Execute", "Client_BufferFromHostBuffer", "Buffer_ToHostBuffer")
"""Functions of `machine_code/` that enter Python where something is unusual."""

STOPPED = "Stopped"
"""What enters Python when a program was stopped by the handler of a signal."""

FOR_PYTHON = (
    "new_buffer",
    "new_deleter",
    "acquire",
    "wait_for",
    "donate",
    "drop",
    "delete",
    "destroy",
    "free_piece",
    "drain",
    "stop_current",
    "ready_address",
    "prototypes_address",
    "kept_limit_address",
    "element_bytes_address",
    "failure_address",
    "is_asynchronous_address",
    "is_ending_address",
    "run_log_address",
)
"""Functions of `machine_code/` that Python calls."""

_WRITTEN_OUT = {
    "Buffer_Destroy",
    "Buffer_Delete",
    "Buffer_IncreaseExternalReferenceCount",
    "Buffer_DecreaseExternalReferenceCount",
    "Buffer_ReadyEvent",
    "Event_Destroy",
    "Event_IsReady",
    "Event_Error",
    "Event_Await",
    "Event_OnReady",
}
"""Functions of `machine_code/` that never enter Python."""

_IN_MACHINE_CODE = {*GETTER_OF, *FORGETTING, *WITHOUT_EFFECT, *_WRITTEN_OUT}

IN_PYTHON = (*(name for name in ALL_FUNCTIONS if name not in _IN_MACHINE_CODE), STOPPED)
"""The functions that enter Python, in the order of their addresses in `@entries`."""

_WORDS = {1: "i8", 4: "i32", 8: "i64"}

_PRELUDE = f"""
@dead = internal global ptr null
@entries = internal global [{len(IN_PYTHON)} x ptr] zeroinitializer
@python = internal global [3 x ptr] zeroinitializer
@interrupted = internal global i32 0

define ptr @entries_address() {{ ret ptr @entries }}
define ptr @python_address() {{ ret ptr @python }}
define ptr @dead_address() {{ ret ptr @dead }}
define ptr @interrupted_address() {{ ret ptr @interrupted }}
define ptr @take_dead() {{
  %1 = atomicrmw xchg ptr @dead, ptr null acq_rel
  ret ptr %1
}}
define ptr @without_effect(ptr %arguments) {{ ret ptr null }}
"""

_FORGET = f"""
define internal void @forget(ptr %object) {{
  %none = icmp eq ptr %object, null
  br i1 %none, label %done, label %known
known:
  %counter = getelementptr i8, ptr %object, i64 8
  %count = load i64, ptr %counter
  %static = icmp eq i64 %count, {STATIC}
  br i1 %static, label %done, label %again
again:
  %first = load atomic ptr, ptr @dead acquire, align 8
  store ptr %first, ptr %object
  %pair = cmpxchg ptr @dead, ptr %first, ptr %object acq_rel acquire
  %is_in = extractvalue {{ ptr, i1 }} %pair, 1
  br i1 %is_in, label %done, label %again
done:
  ret void
}}
"""

_FORGETTING = """
define ptr @{name}(ptr %arguments) {{
  %place = getelementptr i8, ptr %arguments, i64 {handle}
  %object = load ptr, ptr %place
  call void @forget(ptr %object)
  ret ptr null
}}
"""

_ENTER = """
define {symbol}(ptr %arguments) {{
  %asking = load ptr, ptr @python
  %alive = call i32 %asking()
  %has_ended = icmp eq i32 %alive, 0
  br i1 %has_ended, label %ended, label %enter
ended:
  %last = load ptr, ptr getelementptr ([3 x ptr], ptr @python, i64 0, i64 2)
  ret ptr %last
enter:
  %entry = load ptr, ptr getelementptr ([{count} x ptr], ptr @entries, i64 0, i64 {number})
  %error = call ptr %entry(ptr %arguments)
  %flag = load i32, ptr @interrupted
  %interrupted = icmp ne i32 %flag, 0
  br i1 %interrupted, label %interrupt, label %done
interrupt:
  store i32 0, ptr @interrupted
  %set = load ptr, ptr getelementptr ([3 x ptr], ptr @python, i64 0, i64 1)
  call void %set()
  br label %done
done:
  ret ptr %error
}}
"""


def _handle(function: str) -> int:
    arguments = ALL_FUNCTIONS[function]
    return getattr(arguments, arguments._fields_[2][0]).offset


def _copying(name: str, getter: Getter) -> str:
    """A function that copies what the caller's struct, which may be that of an older caller, has a place for."""
    lines = [
        f"define ptr @{name}(ptr %arguments) {{",
        "  %nowhere = alloca i64",
        "  %size = load i64, ptr %arguments",
        f"  %place = getelementptr i8, ptr %arguments, i64 {getter.handle}",
        "  %object = load ptr, ptr %place",
    ]
    words = (
        (copy.source + offset, copy.target + offset, min(copy.size, 8))
        for copy in getter.copies
        for offset in range(0, copy.size, 8)
    )
    for number, (source, target, size) in enumerate(words):
        lines += [
            f"  %from{number} = getelementptr i8, ptr %object, i64 {source}",
            f"  %value{number} = load {_WORDS[size]}, ptr %from{number}",
            f"  %target{number} = getelementptr i8, ptr %arguments, i64 {target}",
            f"  %has{number} = icmp ule i64 {target + size}, %size",
            f"  %to{number} = select i1 %has{number}, ptr %target{number}, ptr %nowhere",
            f"  store {_WORDS[size]} %value{number}, ptr %to{number}",
        ]
    return "\n".join([*lines, "  ret ptr null", "}"])


def _entering(number: int, name: str) -> str:
    is_way_out = name in WITH_WAYS_OUT or name == STOPPED
    symbol = f"internal ptr @enter_{name}" if is_way_out else f"ptr @{name}"
    return _ENTER.format(symbol=symbol, count=len(IN_PYTHON), number=number)


def stubs_text() -> str:
    """LLVM IR of all functions of the table."""
    return "\n".join(
        [
            _PRELUDE,
            _FORGET,
            *(_copying(name, getter) for name, getter in GETTER_OF.items()),
            *(_FORGETTING.format(name=name, handle=_handle(name)) for name in FORGETTING),
            *(_entering(number, name) for number, name in enumerate(IN_PYTHON)),
            memory_text(),
            event_text(),
            buffer_text(),
            transfer_text(),
            frame_text(),
            execute_text(),
        ]
    )


class Stubs:
    """The machine code, and what it shares with Python."""

    def __init__(self) -> None:
        shared = (
            "entries_address",
            "python_address",
            "interrupted_address",
            "dead_address",
            "take_dead",
            "without_effect",
        )
        functions = [name for name in ALL_FUNCTIONS if name not in WITHOUT_EFFECT]
        self._code: NativeCode = support_code(stubs_text(), [*shared, *FOR_PYTHON, *functions])
        self._interrupted = ctypes.c_int32.from_address(self._call("interrupted_address"))
        self.dead = ctypes.c_size_t.from_address(self._call("dead_address"))
        """The address of the first object of the list."""
        self._take = ctypes.PYFUNCTYPE(ctypes.c_void_p)(self._code.address("take_dead"))

    def _call(self, name: str) -> int:
        return ctypes.CFUNCTYPE(ctypes.c_size_t)(self._code.address(name))()

    def address(self, function: str) -> int:
        """Of a function of the table."""
        return self._code.address("without_effect" if function in WITHOUT_EFFECT else function)

    def address_in_code(self, name: str) -> int:
        """Of one of `FOR_PYTHON`."""
        return self._code.address(name)

    def connect(self, entries: Sequence[int], last_error: int) -> None:
        """Have functions enter Python at `entries`, in the order of `IN_PYTHON`."""
        table = (ctypes.c_size_t * len(IN_PYTHON)).from_address(self._call("entries_address"))
        table[:] = entries
        python = (ctypes.c_size_t * 3).from_address(self._call("python_address"))
        python[:] = [
            function_address(ctypes.pythonapi.Py_IsInitialized),
            function_address(ctypes.pythonapi.PyErr_SetInterrupt),
            last_error,
        ]

    def interrupt(self) -> None:
        """Have Ctrl-C raised anew when this call has left Python: clients do not pass on what callbacks raise."""
        self._interrupted.value = 1

    def take_dead(self) -> int:
        """The first object of the list of those to be forgotten, or 0; the list is empty then."""
        return self._take() or 0
