"""Events: most are of things that are over when the call returns, and are one object; of the others some wait until an
array of the client is no longer used.
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any

from .calls import implements
from .objects import STATIC, live, new

_ready = new("Event")
_ready.count = STATIC
READY = ctypes.addressof(_ready)
"""The event of what has happened already."""

_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


class Event:
    """Something that is going to happen."""

    def __init__(self) -> None:
        self._struct = new("Event")
        self._happened = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[tuple[int, int | None]] = []
        self.address = ctypes.addressof(self._struct)
        live[self.address] = self

    def set(self) -> None:
        """It has happened: those who wait go on."""
        with self._lock:
            self._struct.count = 1
            callbacks, self._callbacks = self._callbacks, []
        self._happened.set()
        for callback, argument in callbacks:
            _CALLBACK(callback)(None, argument)

    def wait(self) -> None:
        """Until it has happened."""
        self._happened.wait()

    def then(self, callback: int, argument: int | None) -> None:
        """Call a function of the client when it has happened."""
        with self._lock:
            if not self._struct.count:
                self._callbacks.append((callback, argument))
                return
        _CALLBACK(callback)(None, argument)


@implements("Event_Await")
def await_event(arguments: Any) -> None:
    """Wait for an event that was not ready."""
    live[arguments.event].wait()


@implements("Event_OnReady")
def on_ready(arguments: Any) -> None:
    """Call the client when an event that was not ready is."""
    live[arguments.event].then(arguments.callback, arguments.user_arg)
