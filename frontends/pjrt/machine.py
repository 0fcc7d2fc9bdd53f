"""The functions of `machine_code/` that Python calls, and what it tells that code once."""

from __future__ import annotations

import atexit
import ctypes
import os
from collections.abc import Callable
from typing import Any

from ...decisions.dispatch import Dispatch
from .calls import Code, error_object
from .client import client
from .element_types import DTYPES
from .events import READY
from .layouts import layout_of, memory_layout
from .machine_code.buffer_code import MOST_DIMENSIONS
from .machine_code.event_code import HAS_FUTEX
from .machine_code.layout import Worker
from .objects import OBJECTS, STATIC, for_ever, give, live, new
from .run_log import log

_ASSUMED_MEMORY = 4 << 30
"""In bytes, where the system does not say."""


class Machine:
    """Functions by their names there, of addresses of buffers."""

    new_buffer: Callable[[int, Any, int, int, int, int], int]
    new_deleter: Callable[[int, int, int | None], int]
    acquire: Callable[[int], int]
    wait_for: Callable[[int], int]
    donate: Callable[[int], int]
    drop: Callable[[int, int], None]
    delete: Callable[[int], None]
    destroy: Callable[[int], None]
    free_piece: Callable[[int], None]
    _drain_one: Callable[[int], None]
    _stop_current: Callable[[int], None]

    def connect(self, address_of: Callable[[str], int]) -> None:
        """Take the functions from there."""
        word, place = ctypes.c_int64, ctypes.c_void_p
        facts = (word, ctypes.c_void_p, word, word, place, place)
        self.new_buffer = ctypes.CFUNCTYPE(ctypes.c_size_t, *facts)(address_of("new_buffer"))
        self.new_deleter = ctypes.CFUNCTYPE(ctypes.c_size_t, place, place, place)(address_of("new_deleter"))
        for name in ("acquire", "donate"):
            setattr(self, name, ctypes.PYFUNCTYPE(word, place)(address_of(name)))
        self.wait_for = ctypes.CFUNCTYPE(word, place)(address_of("wait_for"))
        self.drop = ctypes.CFUNCTYPE(None, place, word)(address_of("drop"))
        for name in ("delete", "destroy", "free_piece"):
            setattr(self, name, ctypes.CFUNCTYPE(None, place)(address_of(name)))
        self._drain_one = ctypes.CFUNCTYPE(None, place)(address_of("drain"))
        self._stop_current = ctypes.CFUNCTYPE(None, place)(address_of("stop_current"))
        self._tell(lambda name: ctypes.CFUNCTYPE(ctypes.c_size_t)(address_of(f"{name}_address"))())

    def _tell(self, place_of: Callable[[str], int]) -> None:
        ctypes.c_size_t.from_address(place_of("ready")).value = READY
        ctypes.c_size_t.from_address(place_of("prototypes")).value = _prototypes()
        ctypes.c_int64.from_address(place_of("kept_limit")).value = _memory() // Dispatch().kept_share
        sizes = [0 if dtype is None else dtype.itemsize for dtype in DTYPES]
        (ctypes.c_int64 * len(sizes)).from_address(place_of("element_bytes"))[:] = sizes
        failure = error_object(Code.CANCELLED, "the program that makes this array was stopped")
        live[failure][0].count = STATIC
        ctypes.c_size_t.from_address(place_of("failure")).value = failure
        log.connect(place_of("run_log"))
        self._is_asynchronous = ctypes.c_int64.from_address(place_of("is_asynchronous"))
        self._is_ending = ctypes.c_int64.from_address(place_of("is_ending"))
        self._is_asynchronous.value = HAS_FUTEX
        atexit.register(self._end)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self.drain, after_in_child=self._begin_anew)

    def set_asynchronous(self, value: bool) -> None:
        """Whether programs may run on threads of their own."""
        self._is_asynchronous.value = value and HAS_FUTEX

    @staticmethod
    def _workers() -> list[int]:
        return [device.worker for device in client().local]

    def drain(self) -> None:
        """Wait until no thread of a device has anything to do."""
        for worker in self._workers():
            self._drain_one(worker)

    def _begin_anew(self) -> None:
        """In a forked process, which has none of its parent's threads."""
        for worker in self._workers():
            ctypes.memset(worker, 0, ctypes.sizeof(Worker))

    def _end(self) -> None:
        """No program runs when Python ends: nobody asks for the results."""
        self._is_asynchronous.value, self._is_ending.value = 0, 1
        for worker in self._workers():
            self._stop_current(worker)
        self.drain()


machine = Machine()


def _prototypes() -> int:
    """The address of the structs of buffers of each number of dimensions."""
    made = (OBJECTS["Buffer"] * (MOST_DIMENSIONS + 1))()
    for rank in range(MOST_DIMENSIONS + 1):
        buffer = new("Buffer")
        give(buffer, "Buffer_Dimensions", None, rank)
        give(buffer, "Buffer_UnpaddedDimensions", None, rank)
        give(buffer, "Buffer_DynamicDimensionIndices", None, 0)
        give(buffer, "Buffer_GetMemoryLayout", memory_layout(rank))
        give(buffer, "Buffer_IsOnCpu", True)
        give(buffer, "Layouts_Buffer_MemoryLayout", layout_of(rank))
        buffer.ready = READY
        made[rank] = buffer
    return for_ever.hold(made)


def _memory() -> int:
    """Bytes of memory of this machine."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return _ASSUMED_MEMORY
