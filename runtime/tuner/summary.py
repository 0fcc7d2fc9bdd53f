"""What a search has come to, as a table."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


class Row(NamedTuple):
    """What became of one kernel. Times are of one call, in seconds."""

    name: str
    calls: int
    before: float
    after: float
    change: str
    """The changes that were made, or why there are none."""


@dataclass
class Summary:
    """`str` of it is for people."""

    database: Path
    rows: list[Row] = field(default_factory=list[Row])
    skipped: dict[str, str] = field(default_factory=dict[str, str])
    """Kernels that were not searched, and why."""
    program: tuple[float, float] | None = None
    """The time of the whole program before and after; None if it has not changed."""
    interrupted: bool = False

    def __str__(self) -> str:
        rows = [("kernel", "calls", "before", "after", "change")]
        rows += [(row.name, str(row.calls), milli(row.before), milli(row.after), row.change) for row in self.rows]
        if self.program is not None:
            rows.append(("whole program", "", milli(self.program[0]), milli(self.program[1]), ""))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = ["  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        if not self.rows:
            lines = ["no kernel was searched"]
        names: dict[str, list[str]] = {}
        for name, reason in self.skipped.items():
            names.setdefault(reason, []).append(name)
        lines += [f"not searched: {', '.join(each)}: {reason}" for reason, each in names.items()]
        if self.interrupted:
            lines.append("interrupted")
        return "\n".join(lines)


def milli(seconds: float) -> str:
    """`1.234 ms`."""
    return f"{seconds * 1e3:.4g} ms"
