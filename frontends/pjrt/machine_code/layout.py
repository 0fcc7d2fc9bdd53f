"""Structs that only machine code and `plans.py` know, and the states of buffers and events."""

from __future__ import annotations

import ctypes
from enum import IntEnum

from ....runtime.context import RUN_WORDS

DELETED, DESTROYED, PENDING, USE = 1, 2, 4, 8
"""The word `count` of a buffer: whether it has been deleted, whether the client has given it back, whether the program
that writes it is not over, and from `USE` on how many use its memory (programs, and clients from outside)."""

WAITING, READY, FAILED = 0, 1, 2
"""The word `count` of an event that is not for ever: it is going to happen, it has happened, it never will."""


class Kind(IntEnum):
    """What becomes of the memory of a buffer that nobody uses any more; `owner` is what that needs."""

    NOTHING = 0
    """It is a part of the buffer, or of another one by now."""
    PIECE = 1
    """It is given back: `owner` is its address."""
    HOST = 2
    """It belongs to the client, which the event `owner` tells that it is free."""
    VIEW = 3
    """It belongs to somebody else, whom `owner`, a `Deleter`, calls."""
    PYTHON = 4
    """It belongs to an array of NumPy: `owner` is the address in `live` that keeps it."""
    BUFFER = 5
    """It is a part of the buffer `owner`, which has a use for it."""


class Deleter(ctypes.Structure):
    """A function of a client, `void function(void *data, void *argument)`, with its arguments."""

    _fields_ = (("function", ctypes.c_void_p), ("data", ctypes.c_void_p), ("argument", ctypes.c_void_p))


class Slot(ctypes.Structure):
    """An argument or a result of a program."""

    _fields_ = (
        ("type", ctypes.c_int64),
        ("rank", ctypes.c_int64),
        ("dims", ctypes.c_void_p),
        ("bytes", ctypes.c_int64),
        ("argument", ctypes.c_int64),
        # of a result: the argument whose memory it takes, or -1
    )


class Donor(ctypes.Structure):
    """An argument that is gone after a call, and whether a result takes its memory."""

    _fields_ = (("argument", ctypes.c_int64), ("is_overwritten", ctypes.c_int64))


class Plan(ctypes.Structure):
    """What machine code has to know of a program to run it."""

    _fields_ = (
        ("frame", ctypes.c_void_p),
        # one that is free, or null
        ("running", ctypes.c_int64),
        # how many calls are not over
        ("nanoseconds", ctypes.c_int64),
        # what the last runs took
        ("entry", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("arena_bytes", ctypes.c_int64),
        ("inputs", ctypes.c_int64),
        ("outputs", ctypes.c_int64),
        ("arguments", ctypes.c_void_p),
        # slots
        ("results", ctypes.c_void_p),
        ("donors", ctypes.c_void_p),
        ("donor_count", ctypes.c_int64),
        ("device", ctypes.c_void_p),
        ("number", ctypes.c_int64),
        # its name in the log of runs
    )


class RunLog(ctypes.Structure):
    """A table of runs, which stand behind it: how many there were, and for how many there is a place."""

    _fields_ = (("count", ctypes.c_int64), ("capacity", ctypes.c_int64))


class LoggedRun(ctypes.Structure):
    """The number of a program, when it began by the monotonic clock, and how long it took."""

    _fields_ = (("program", ctypes.c_int64), ("start", ctypes.c_int64), ("nanoseconds", ctypes.c_int64))


class Frame(ctypes.Structure):
    """What one call of a program has for itself; the tables, the context and the arena are behind it."""

    _fields_ = (
        ("next", ctypes.c_void_p),
        ("plan", ctypes.c_void_p),
        ("event", ctypes.c_void_p),
        ("arguments", ctypes.c_void_p),
        ("results", ctypes.c_void_p),
        ("inputs", ctypes.c_void_p),
        ("outputs", ctypes.c_void_p),
        ("context", ctypes.c_void_p),
        ("arena", ctypes.c_void_p),
        ("run", ctypes.c_int64 * RUN_WORDS),
        ("end", ctypes.c_int64 * 0),
    )


class Stopped(ctypes.Structure):
    """The words of a run (`runtime/run_state.py`) that was stopped."""

    _fields_ = (("words", ctypes.c_int64 * RUN_WORDS),)


class Callback(ctypes.Structure):
    """A function of a client that an event calls, `void function(PJRT_Error *error, void *argument)`."""

    _fields_ = (("next", ctypes.c_void_p), ("function", ctypes.c_void_p), ("argument", ctypes.c_void_p))


class Worker(ctypes.Structure):
    """The thread of a device, and the frames that wait for it: the last one first."""

    _fields_ = (
        ("last", ctypes.c_void_p),
        ("signal", ctypes.c_int64),
        # how often a frame was put there
        ("unfinished", ctypes.c_int64),
        ("current", ctypes.c_void_p),
        # the words of the run that goes on
        ("has_begun", ctypes.c_int64),
        # 0: no thread yet, 1: it is being made, 2: yes, 3: there is none to be had
    )
