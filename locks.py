"""Locks of the package as a whole, which a forked process finds free."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any


class RenewedLock:
    """`with lock.current:`. A forked process has a new one: the thread that holds the other may be missing there."""

    def __init__(self, make: Callable[[], AbstractContextManager[Any]] = threading.Lock) -> None:
        self._make = make
        self.current = make()
        in_forked_processes(self._renew)

    def _renew(self) -> None:
        self.current = self._make()


def in_forked_processes(function: Callable[[], None]) -> None:
    """Call `function` in each process that this one forks, in the thread that has forked."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)
