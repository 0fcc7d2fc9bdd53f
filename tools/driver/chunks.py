"""A file that holds several programs, with markers between them."""

from __future__ import annotations

import sys
from typing import NamedTuple

CHECKED = 2
"""How many characters at the end of a marker may be wrong for a warning to say so."""


class Chunk(NamedTuple):
    """A program in a file, and how many lines stand in front of it."""

    content: bytes
    line_offset: int


def split(content: bytes, marker: str, filename: str) -> list[Chunk]:
    """The programs between the markers; what looks like a marker and is none gets a warning, as from mlir-opt."""
    full = marker.encode()
    prefix = full[:-CHECKED] if len(full) > CHECKED else full
    chunks: list[Chunk] = []
    start = position = offset = 0
    while (found := content.find(prefix, position)) >= 0:
        position = found + len(prefix)
        if content.startswith(full, found):
            position = found + len(full)
            chunks.append(Chunk(content[start:found], offset))
            offset += content.count(b"\n", start, found)
            start = position
        else:
            line = content.count(b"\n", 0, found) + 1
            column = found - content.rfind(b"\n", 0, found)
            print(f"{filename}:{line}:{column}: warning: near miss with file split marker", file=sys.stderr)
            start_of_line = content.rfind(b"\n", 0, found) + 1
            text = content[start_of_line:].split(b"\n", 1)[0].decode("utf-8", "replace")
            print(f"{text}\n{' ' * (column - 1)}^", file=sys.stderr)
    return [*chunks, Chunk(content[start:], offset)]
