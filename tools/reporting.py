"""How the commands end: exit codes, and errors as one paragraph on stderr.

0 success, 1 the program or a check failed, 2 wrong usage. Tracebacks appear with `--debug` or
`XDSL_XLA_DEBUG=1` only.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
import traceback
from collections.abc import Callable
from functools import cache
from typing import BinaryIO

from .. import tracebacks
from ..errors import InternalError, Note, XlaError
from ..user_code import UserCodeError, summary, user_error
from .commands import INTERRUPTED as INTERRUPTED
from .loading_failures import loading_failure

SUCCESS, FAILURE, USAGE = 0, 1, 2


class UsageError(Exception):
    """Arguments of the command line that contradict each other."""


def debug_requested(flag: bool = False) -> bool:
    """Whether errors should show where in this package they come from."""
    return flag or tracebacks.debug_requested()


def describe(error: Exception) -> str:
    """`error` as one paragraph: `file:line:col: error: message`, and its notes."""
    match error:
        case UserCodeError():
            return f"{error.location}: error: {error.message}"
        case XlaError() | InternalError():
            return "\n".join([_headline(error), *map(_describe_note, error.notes)])
        case MemoryError():
            return f"error: not enough memory: {' '.join(str(error).split())}"
        case OSError(filename=str() as filename, strerror=str() as reason):
            name = filename or "''"
            return f"error: {name}: {reason}"
        case OSError(strerror=str() as reason):
            return f"error: reading or writing: {reason}"
        case _:
            if (users := user_error(error, "code called by the compiler")) is not None:
                return describe(users)
            if isinstance(error, ImportError) and (problem := loading_failure(error)) is not None:
                return f"error: {problem}"
            return f"error: internal error: {summary(error)}"


def _headline(error: XlaError | InternalError) -> str:
    if isinstance(error, XlaError) and error.location is not None:
        return f"{error.location}: error: {error.message}"
    return f"error: {error}"


def _describe_note(note: Note) -> str:
    return f"note: {note.message}" if note.location is None else f"{note.location}: note: {note.message}"


def standard_input() -> BinaryIO:
    """Raises `XlaError` where the shell has closed it."""
    if sys.stdin is None:
        raise XlaError("standard input is closed, and no file is named")
    return sys.stdin.buffer


def guarded(command: Callable[[], int], *, debug: bool = False) -> int:
    """Run `command`; its exit code, or, after reporting what it raised on stderr, that of the
    failure.
    """
    _leave_memory_to_the_system()
    if sys.stdout is None:  # closed by the shell: what is printed is lost, as with `print`
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    try:
        status = command()
        sys.stdout.flush()
        return status
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except SystemExit as error:
        if (users := user_error(error, "code called by the compiler")) is None:
            raise
        print(describe(users), file=sys.stderr)
        return FAILURE
    except BrokenPipeError:
        _drop_output()  # the reader has seen enough
        return FAILURE
    except Exception as error:
        if debug_requested(debug):
            traceback.print_exc()
        print(describe(error), file=sys.stderr)
        if isinstance(error, OSError) and error.filename is None:
            _drop_output()
        return FAILURE


@cache
def _leave_memory_to_the_system() -> None:
    """Lets the process end without a search for garbage in all that has been imported and compiled: to start, compile
    and run a small program takes twice as long as that.
    """
    atexit.register(gc.freeze)


def _drop_output() -> None:
    """Keep the interpreter from flushing what is left to where it cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
