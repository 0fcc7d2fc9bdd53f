"""What long programs ask at their safepoints: whether they are to stop.

Python runs the handlers of signals in its main thread, between bytecodes: not while native code runs there. So that
code asks now and then (`xrt.safepoint`), and every 50 ms the main thread takes Python's lock and runs the handlers that
are due, as Python's own long functions do (`PyErr_CheckSignals`). A handler that returns lets the program go on; what
one raises (`KeyboardInterrupt`, by default after Ctrl-C) ends the run and is raised by the call. Nothing is installed:
whatever handlers there are are respected. Python's lock may be held by another thread for 5 ms; the more that took, the
longer the pause until the next time, up to half a second, so that it stays under a hundredth of the time.

In other threads handlers do not run; there, as in Python, programs go on. A deadline holds in all threads.

The functions are machine code: most questions are answered by a look at the clock, without Python. Without POSIX's
clock, or in another Python than CPython, programs are not stopped.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from functools import cache

from ..decisions.safepoints import FIRST_WORK
from ..locks import in_forked_processes
from ..lowering.to_llvm import context_layout as layout
from . import float_control
from .clock import clock_text
from .function_addresses import function_address
from .machine_words import get
from .process_table import TABLE
from .run_state import DEADLINE, EXCEPTION, STOPPED, TIMED_OUT
from .support_code import support_code

_PYTHON_FUNCTIONS = (
    "PyThread_get_thread_ident",
    "PyGILState_Ensure",
    "PyGILState_Release",
    "PyErr_CheckSignals",
    "PyErr_Fetch",
)
_SYSTEM_FUNCTIONS = ("clock_gettime", "usleep")

_FIRST = layout.PROCESS_SLOTS
_MAIN_THREAD, _NEXT_TIME = _FIRST, _FIRST + 1
"""Words of the table of the process: Python's number of the main thread, and when to look for signals again."""

_FUNCTIONS = {name: _FIRST + 2 + number for number, name in enumerate((*_PYTHON_FUNCTIONS, *_SYSTEM_FUNCTIONS))}
"""Words of the table of the process: what the code calls."""

_SHORTEST_PAUSE, _LONGEST_PAUSE = 50_000_000, 500_000_000
"""In nanoseconds, between two looks for signals."""

_COST_RATIO = 100
"""The least ratio of the pause to what the look has taken."""

_SHORTEST_SLEEP, _SLEEP_RATIO, _LONGEST_SLEEP = 50, 64, 10_000
"""In microseconds, of the thread that waits for others: this part of the time it has waited so far."""


def _store(value: str, base: str, index: int, name: str) -> str:
    return (
        f"{name} = getelementptr inbounds i64, ptr {base}, i64 {index}\n"
        f"  store atomic i64 {value}, ptr {name} monotonic, align 8"
    )


def _load(name: str, base: str, index: int) -> str:
    return (
        f"{name}.at = getelementptr inbounds i64, ptr {base}, i64 {index}\n"
        f"  {name} = load atomic i64, ptr {name}.at monotonic, align 8"
    )


_CODE = f"""{float_control.DECLARATIONS}
{clock_text(_FUNCTIONS["clock_gettime"])}
define i64 @safepoint(ptr %context) {{
entry:
  {get("ptr", "%run", "%context", layout.FAILED)}
  {get("ptr", "%process", "%context", layout.PROCESS)}
  {_load("%stopped", "%run", STOPPED)}
  %is_stopped = icmp ne i64 %stopped, 0
  br i1 %is_stopped, label %stop, label %clock
clock:
  %now = call i64 @now(ptr %process)
  {_load("%deadline", "%run", DEADLINE)}
  %is_limited = icmp ne i64 %deadline, 0
  %is_past = icmp sge i64 %now, %deadline
  %is_late = and i1 %is_limited, %is_past
  br i1 %is_late, label %late, label %pause
late:
  {_store("1", "%run", TIMED_OUT, "%timed_out")}
  br label %tell
pause:
  {_load("%next", "%process", _NEXT_TIME)}
  %is_due = icmp sge i64 %now, %next
  br i1 %is_due, label %which, label %continue
which:
  {get("ptr", "%get_ident", "%process", _FUNCTIONS["PyThread_get_thread_ident"])}
  %thread = call i64 %get_ident()
  {_load("%main", "%process", _MAIN_THREAD)}
  %is_main = icmp eq i64 %thread, %main
  br i1 %is_main, label %handle, label %continue
handle:
  {get("ptr", "%ensure", "%process", _FUNCTIONS["PyGILState_Ensure"])}
  {get("ptr", "%release", "%process", _FUNCTIONS["PyGILState_Release"])}
  {get("ptr", "%check", "%process", _FUNCTIONS["PyErr_CheckSignals"])}
  {get("ptr", "%fetch", "%process", _FUNCTIONS["PyErr_Fetch"])}
  %state = call i32 %ensure()
  %locked = call i64 @now(ptr %process)
  {get("i64", "%noted", "%context", layout.FLOAT_CONTROL)}
  {float_control.read("%own")}
  %is_noted = icmp ne i64 %noted, 0
  %callers = select i1 %is_noted, i64 %noted, i64 %own
  {float_control.write("%callers", "%callers.word")}
  %raised = call i32 %check()
  {float_control.write("%own", "%own.again")}
  %has_raised = icmp ne i32 %raised, 0
  br i1 %has_raised, label %keep, label %unlock
keep:
  %type = getelementptr inbounds i64, ptr %run, i64 {EXCEPTION}
  %value = getelementptr inbounds i64, ptr %run, i64 {EXCEPTION + 1}
  %traceback = getelementptr inbounds i64, ptr %run, i64 {EXCEPTION + 2}
  call void %fetch(ptr %type, ptr %value, ptr %traceback)
  {_store("1", "%run", STOPPED, "%stopped.raised")}
  br label %unlock
unlock:
  call void %release(i32 %state)
  %after = call i64 @now(ptr %process)
  %cost = sub i64 %locked, %now
  %wanted = mul i64 %cost, {_COST_RATIO}
  %is_short = icmp slt i64 %wanted, {_SHORTEST_PAUSE}
  %at_least = select i1 %is_short, i64 {_SHORTEST_PAUSE}, i64 %wanted
  %is_long = icmp sgt i64 %at_least, {_LONGEST_PAUSE}
  %gap = select i1 %is_long, i64 {_LONGEST_PAUSE}, i64 %at_least
  %following = add i64 %after, %gap
  {_store("%following", "%process", _NEXT_TIME, "%next.new")}
  br i1 %has_raised, label %stop, label %continue
tell:
  {_store("1", "%run", STOPPED, "%stopped.late")}
  br label %stop
stop:
  ret i64 -1
continue:
  ret i64 {FIRST_WORK}
}}

define void @wait(ptr %context, ptr %done, i64 %count) {{
entry:
  {get("ptr", "%process", "%context", layout.PROCESS)}
  {get("ptr", "%usleep", "%process", _FUNCTIONS["usleep"])}
  br label %look
look:
  %waited = phi i64 [ 0, %entry ], [ %so_far, %nap ]
  %ready = load atomic i64, ptr %done acquire, align 8
  %is_over = icmp sge i64 %ready, %count
  br i1 %is_over, label %end, label %nap
nap:
  %part = sdiv i64 %waited, {_SLEEP_RATIO}
  %is_short = icmp slt i64 %part, {_SHORTEST_SLEEP}
  %at_least = select i1 %is_short, i64 {_SHORTEST_SLEEP}, i64 %part
  %is_long = icmp sgt i64 %at_least, {_LONGEST_SLEEP}
  %sleep = select i1 %is_long, i64 {_LONGEST_SLEEP}, i64 %at_least
  %sleep.32 = trunc i64 %sleep to i32
  %result = call i32 %usleep(i32 %sleep.32)
  %allowed = call i64 @safepoint(ptr %context)
  %so_far = add i64 %waited, %sleep
  br label %look
end:
  ret void
}}
"""


@cache
def offer_safepoints() -> bool:
    """Let programs of this process be stopped; False where they cannot be."""
    if os.name != "posix" or sys.implementation.name != "cpython" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    system = ctypes.CDLL(None)
    try:
        for library, names in ((ctypes.pythonapi, _PYTHON_FUNCTIONS), (system, _SYSTEM_FUNCTIONS)):
            for name in names:
                TABLE[_FUNCTIONS[name]] = function_address(getattr(library, name))
    except AttributeError:
        return False
    code = support_code(_CODE, ("safepoint", "wait"))
    _kept.append(code)
    TABLE[_MAIN_THREAD] = threading.main_thread().ident or 0
    TABLE[layout.SAFEPOINT] = code.address("safepoint")
    TABLE[layout.WAIT] = code.address("wait")
    in_forked_processes(_note_main_thread)
    return True


_kept: list[object] = []


def _note_main_thread() -> None:
    """In a forked process: the thread that has forked."""
    TABLE[_MAIN_THREAD] = threading.get_ident()
