"""The teams of this process: where their code and their words are."""

from __future__ import annotations

import ctypes
import mmap
import os
import platform
import signal
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ...decisions.waiting import Waiting
from ..cpus import available_cpus
from ..function_addresses import function_address
from ..futexes import futex
from ..variables import choice
from .code import PAUSES, code
from .layout import TABLE_WORDS, Header

if TYPE_CHECKING:  # tools that compile nothing start without it
    from ..engine import NativeCode

VARIABLE = "XDSL_XLA_PARALLEL"

_FAULTS = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGABRT", "SIGSYS")
"""Signals that a thread sends to itself. All others are left to the threads of Python."""

_FOR_EVER = 3600 * 10**9
"""In nanoseconds: how long threads spin if they are to."""

_POLICIES = {"active": (_FOR_EVER, _FOR_EVER), "passive": (0, 0)}
"""How long threads spin, on cores of their own and on shared ones, by `OMP_WAIT_POLICY`."""


class Teams(NamedTuple):
    """Addresses of `parallel` and of the table it works on."""

    parallel: int
    table: int


def are_wanted() -> bool:
    """Whether this system has what teams need, and `XDSL_XLA_PARALLEL` does not say `openmp`. Raises `ArgumentError`
    where it says anything but that or `teams`.
    """
    if choice(VARIABLE, ("teams", "openmp")) == "openmp":
        return False
    return futex() != (0, 0) and platform.machine() in PAUSES and hasattr(ctypes.CDLL(None), Header.GETTID.name.lower())


_FUNCTIONS = (
    Header.PTHREAD_CREATE,
    Header.PTHREAD_DETACH,
    Header.PTHREAD_SIGMASK,
    Header.CLOCK_GETTIME,
    Header.SCHED_GETCPU,
    Header.SCHED_GETAFFINITY,
    Header.SCHED_SETAFFINITY,
    Header.GETTID,
    Header.PTHREAD_SELF,
    Header.PTHREAD_GETCPUCLOCKID,
)
"""Words of functions of the system, of the same name."""


@cache
def teams() -> Teams:
    """Those of this process, with no threads yet."""
    return Teams(_code().address("parallel"), new_table())


@cache
def _code() -> NativeCode:
    """Never freed: its threads outlive the interpreter."""
    from ..support_code import support_code

    native = support_code(code(Waiting()), ("parallel",))
    if sys.implementation.name == "cpython":
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(native))
    return native


def new_table() -> int:
    """The address of a table whose teams have no threads. Its memory is touched where it is used, and never freed."""
    system = ctypes.CDLL(None)
    words = _memory(8 * TABLE_WORDS)
    for word in _FUNCTIONS:
        words[word] = function_address(getattr(system, word.name.lower()))
    words[Header.SYSCALL], words[Header.FUTEX] = futex()
    words[Header.SIGNALS] = _signals(system)
    waiting = Waiting()
    policy = os.environ.get("OMP_WAIT_POLICY", "").strip().lower()
    words[Header.SPIN], words[Header.SHARED_SPIN] = _POLICIES.get(policy, (waiting.wake, waiting.shared_spin))
    words[Header.CPUS] = available_cpus()
    return ctypes.addressof(words)


def _memory(size: int) -> Any:
    """So many bytes of zeros, as words."""
    system = ctypes.CDLL(None, use_errno=True)
    system.mmap.restype = ctypes.c_void_p
    system.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    address = system.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
    if address in (None, ctypes.c_void_p(-1).value):
        raise MemoryError(os.strerror(ctypes.get_errno()))
    return (ctypes.c_int64 * (size // 8)).from_address(address)


def _signals(system: ctypes.CDLL) -> int:
    """The address of the set of signals that threads of teams leave to others."""
    words = _memory(mmap.PAGESIZE)
    address = ctypes.addressof(words)
    system.sigfillset(ctypes.c_void_p(address))
    for name in _FAULTS:
        system.sigdelset(ctypes.c_void_p(address), int(getattr(signal, name)))
    return address
