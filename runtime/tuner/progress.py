"""What a search says while it runs."""

from __future__ import annotations

from typing import TextIO

WIDTH = 24
"""Of the bar, in characters."""


class Progress:
    """A bar on a terminal, and lines elsewhere if they are asked for."""

    def __init__(self, stream: TextIO | None, total: float, *, lines: bool = False) -> None:
        """`stream` None is silence. `total`: seconds."""
        self._stream = stream
        self._is_terminal = stream is not None and stream.isatty()
        self._lines = lines
        self._total = total
        self._shown = 0

    def update(self, seconds: float, text: str) -> None:
        """Shows how much of the time is over, on a terminal."""
        if self._stream is None or not self._is_terminal:
            return
        part = min(1.0, seconds / self._total) if self._total else 1.0
        bar = "#" * round(part * WIDTH)
        line = f"[{bar:{WIDTH}}] {seconds:.0f} of {self._total:g} s, {text}"
        self._stream.write("\r" + line.ljust(self._shown))
        self._stream.flush()
        self._shown = len(line)

    def line(self, text: str) -> None:
        """What remains to be read."""
        if self._stream is None or not (self._is_terminal or self._lines):
            return
        self.close()
        self._stream.write(text + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Takes the bar away."""
        if self._stream is not None and self._shown:
            self._stream.write("\r" + " " * self._shown + "\r")
            self._stream.flush()
            self._shown = 0
