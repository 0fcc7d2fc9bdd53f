"""The table of pointers that generated code gets as its last argument.

`lowering/to_llvm/context_layout.py` numbers the slots.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from copy import copy

import numpy as np

from ..lowering.to_llvm import context_layout as layout
from .buffers import AlignedBuffer
from .process_table import ADDRESS, offer_threads

RUN_WORDS = 6
"""How many words the slot `FAILED` points to (`run_state.py`)."""


class ContextTable:
    """The context of one executable. `address` is valid as long as this object lives."""

    address: int

    def __init__(self, threads: int, constants: Sequence[bytes] = ()) -> None:
        """`threads` for parallel loops; `constants` in the order of their indices, which are
        copied.
        """
        self._constants = [_constant(data) for data in constants]
        addresses = [buffer.address for buffer in self._constants]
        self._constant_table = (ctypes.c_void_p * max(1, len(addresses)))(*addresses)
        self._slots = (ctypes.c_size_t * (layout.SLOTS + 1))()
        self._slots[layout.THREADS] = threads
        self._slots[layout.CONSTANTS] = ctypes.addressof(self._constant_table)
        self._run = (ctypes.c_int64 * RUN_WORDS)()
        self._slots[layout.FAILED] = ctypes.addressof(self._run)
        self._slots[layout.PROCESS] = ADDRESS
        if threads > 1:
            offer_threads()
        self.address = ctypes.addressof(self._slots)

    def measure(self, address: int) -> None:
        """Let runs be measured in the table at `address`."""
        self._slots[layout.PROFILE] = address

    def for_call_targets(self, address: int) -> ContextTable:
        """The same context with another table of call targets."""
        return self._with_slot(layout.CALL_TARGETS, address)

    def with_threads(self, most: int) -> ContextTable:
        """The same context with no more than so many threads."""
        return self._with_slot(layout.THREADS, min(most, self._slots[layout.THREADS]))

    def _with_slot(self, slot: int, value: int) -> ContextTable:
        other = copy(self)
        other._slots = self.copy()
        other._slots[slot] = value
        other.address = ctypes.addressof(other._slots)
        return other

    def copy(self) -> ctypes.Array[ctypes.c_size_t]:
        """The slots, to be changed for one run; valid as long as this object lives too."""
        return type(self._slots).from_buffer_copy(self._slots)

    def constants(self) -> list[bytes]:
        """The constants, by index in the table."""
        return [buffer.array().tobytes() for buffer in self._constants]

    @property
    def constant_bytes(self) -> int:
        """Size of the constants that are not part of the code."""
        return sum(buffer.size for buffer in self._constants)


def _constant(data: bytes) -> AlignedBuffer:
    buffer = AlignedBuffer(len(data))
    buffer.array()[:] = np.frombuffer(data, np.uint8)
    return buffer
