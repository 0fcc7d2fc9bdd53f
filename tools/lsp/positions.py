"""Places in a text: offsets, as parsers count, and lines with UTF-16 columns, as the protocol counts."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple


class Place(NamedTuple):
    """A line, and a column in units of UTF-16, both from 0."""

    line: int
    column: int


class Lines:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
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
        return Place(line, _units(self.text[self._starts[line] : offset]))

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
            units += 2 if ord(character) > 0xFFFF else 1
        return start + len(text)

    def line(self, line: int) -> str:
        """The text of a line, without its end."""
        end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self.text)
        return self.text[self._starts[line] : end].removesuffix("\r")


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
