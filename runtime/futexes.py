"""Linux's `futex`: a thread sleeps until another one of its process has written a word."""

from __future__ import annotations

import ctypes
import platform
import sys

from .function_addresses import function_address

FUTEX_WAIT, FUTEX_WAKE = 128, 129
"""Operations of Linux's `futex`, of words of one process."""

_NUMBERS = {"x86_64": 202, "aarch64": 98}
"""Of the system call, by machine (asm/unistd.h)."""


def futex() -> tuple[int, int]:
    """The address of `syscall` and the number of `futex`; zeros where there is none."""
    number = _NUMBERS.get(platform.machine(), 0)
    if not sys.platform.startswith("linux") or not number:
        return 0, 0
    return function_address(ctypes.CDLL(None).syscall), number


def wait_text(word: str, value: str, time: str = "null") -> str:
    """A call, as LLVM IR, that sleeps while the word is `value`; it may end at any time. Needs `%syscall`, `%futex`."""
    return _call(f"ptr {word}, i32 {FUTEX_WAIT}, i32 {value}, ptr {time}")


def wake_text(word: str) -> str:
    """A call, as LLVM IR, that wakes one thread which sleeps at the word. Needs `%syscall` and `%futex`."""
    return _call(f"ptr {word}, i32 {FUTEX_WAKE}, i32 1, ptr null")


def _call(arguments: str) -> str:
    return f"call i64 %syscall(i64 %futex, {arguments}, ptr null, i32 0)"
