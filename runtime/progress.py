"""What a terminal shows while something takes long: one line on stderr, which goes away when it is done.

    compiling model.mlir: 3 s, 41 of 60 passes, after linalg-fuse-elementwise

Nothing is shown in less than `DELAY`, nor where stderr is no terminal, nor with `XDSL_XLA_PROGRESS=0`.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from types import TracebackType
from typing import ClassVar, Self, TextIO

VARIABLE = "XDSL_XLA_PROGRESS"
"""This environment variable turns progress off if it is 0."""

DELAY = 1.0
"""In seconds: what is done sooner shows nothing."""

PERIOD = 0.25
"""In seconds, between two looks at what is to be shown."""

WIDTH = 100
"""Of the line, in characters, where the terminal does not say how wide it is."""


class Progress:
    """Shows `what` is being done, for how long, and what was said last: `with Progress("compiling x") as progress`.

    One inside of another shows nothing.
    """

    _shown: ClassVar[threading.Lock] = threading.Lock()
    """Held by the one that may show something."""

    def __init__(self, what: str, stream: TextIO | None = None) -> None:
        """`stream` is stderr by default."""
        self._what = what
        self._stream = sys.stderr if stream is None else stream
        self._text = ""
        self._end: threading.Event | None = None
        self._thread: threading.Thread | None = None
        self._line = ""

    def say(self, text: str) -> None:
        """What is being done now."""
        self._text = text

    def __enter__(self) -> Self:
        if _is_terminal(self._stream) and os.environ.get(VARIABLE) != "0" and self._shown.acquire(blocking=False):
            self._end = threading.Event()
            self._thread = threading.Thread(target=self._show, args=(self._end,), name="progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._end is None or self._thread is None:
            return
        self._end.set()
        if self._thread.is_alive():  # it is not in a process that was forked
            self._thread.join()
        self._shown.release()
        self._end = self._thread = None

    def _show(self, end: threading.Event) -> None:
        start = time.monotonic()
        wait = DELAY
        while not end.wait(wait):
            wait = PERIOD
            said = f", {self._text}" if self._text else ""
            self._write(f"{self._what}: {time.monotonic() - start:.0f} s{said}")
        self._write("")

    def _write(self, line: str) -> None:
        """Replace the line on the terminal; the terminal may have gone."""
        line = line[: _width(self._stream) - 1]
        if line == self._line:
            return
        try:
            self._stream.write("\r" + line.ljust(len(self._line)) + ("" if line else "\r"))
            self._stream.flush()
        except (OSError, ValueError):
            return
        self._line = line


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # it is closed
        return False


def _width(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDTH
    except (OSError, ValueError):
        return WIDTH
