"""The least part of a damaged program that still shows its defect (delta debugging).

Source: Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input (IEEE TSE 28, 2002).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from .mutants import Mutant
from .outcomes import Kind, Outcome
from .seeds import read_text, write_text
from .text_mutations import tokens_of
from .worker import Limits, try_one

Item = TypeVar("Item")

SECONDS = 40.0
"""Of minimising one defect."""

HANG_SECONDS = 3.0
"""A part of a program that hangs has to end within this time."""


def minimised(mutant: Mutant, outcome: Outcome, run: bool, limits: Limits) -> Mutant:
    """A smaller program with a defect of the same signature."""
    end = time.monotonic() + SECONDS
    if outcome.kind is Kind.HANG:
        limits = limits._replace(seconds=min(HANG_SECONDS, limits.seconds))

    def shows(data: bytes) -> bool:
        found = try_one(mutant._replace(data=data), run, limits)
        return _same(found, outcome)

    if not shows(mutant.data):
        return mutant
    data = mutant.data
    if mutant.reader.is_text:
        lines = reduced(read_text(data).splitlines(keepends=True), lambda part: shows(write_text("".join(part))), end)
        tokens = reduced(tokens_of("".join(lines)), lambda part: shows(write_text("".join(part))), end)
        return mutant._replace(data=write_text("".join(tokens)))
    return mutant._replace(data=bytes(reduced(data, lambda part: shows(bytes(part)), end)))


def _same(found: Outcome, wanted: Outcome) -> bool:
    """A wrong value stays one in whichever ops; where a hang or a crash is seen may vary a little."""
    if wanted.kind in (Kind.WRONG, Kind.HANG, Kind.CRASH):
        return (found.kind, found.phase) == (wanted.kind, wanted.phase)
    return found.signature == wanted.signature


def reduced(items: Sequence[Item], shows: Callable[[Sequence[Item]], bool], end: float) -> Sequence[Item]:
    """`items` less what `shows` holds without: halves, quarters, ... single ones. Stops when the clock says `end`."""
    size = len(items) // 2
    while size and time.monotonic() < end:
        start, removed = 0, False
        while start < len(items) and time.monotonic() < end:
            rest = [*items[:start], *items[start + size :]]
            if rest and shows(rest):
                items, removed = rest, True
            else:
                start += size
        size = size if removed and size == 1 else size // 2
    return items
