"""Places in a text: offsets, as parsers count, and lines with columns, as client and server have agreed to count."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

UNITS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
"""How many bytes the units have that columns may count."""


class Place(NamedTuple):
    """A line and a column, both from 0."""

    line: int
    column: int


class Lines:
    """The lines of a text. `encoding` is one of `UNITS`."""

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self.encoding = encoding
        self._starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = text.find("\n", position + 1)

    def __len__(self) -> int:
        return len(self._starts)

    def place(self, offset: int) -> Place:
        """Where the character at `offset` stands; the end of the text for what is beyond it."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self._starts, offset) - 1
        return Place(line, self._units(self.text[self._starts[line] : offset]))

    def offset(self, line: int, column: int) -> int:
        """The offset of a place; the end of the line, or of the text, for what is beyond it."""
        if line >= len(self._starts):
            return len(self.text)
        start = self._starts[max(0, line)]
        text = self.line(line)
        if text.isascii():
            return start + max(0, min(column, len(text)))
        units = 0
        for index, character in enumerate(text):
            if units >= column:
                return start + index
            units += self._units(character)
        return start + len(text)

    def line(self, line: int) -> str:
        """The text of a line, without its end."""
        end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self.text)
        return self.text[self._starts[line] : end].removesuffix("\r")

    def _units(self, text: str) -> int:
        if text.isascii():
            return len(text)
        name = self.encoding if self.encoding == "utf-8" else f"{self.encoding}-le"
        return len(text.encode(name, "surrogatepass")) // UNITS[self.encoding]
