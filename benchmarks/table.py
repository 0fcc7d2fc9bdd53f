"""Results as data: tables that can be printed while they grow, and be turned into Markdown and JSON."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TextIO

Value = str | float | int | None


@dataclass(frozen=True)
class Column:
    """One column: the key of its values in JSON, and how they are shown.

    `form` is a format specification for numbers; they are multiplied by `scale` first (seconds shown as milliseconds).
    """

    key: str
    heading: str
    form: str = ""
    scale: float = 1.0

    def show(self, value: Value) -> str:
        """`value` as text; nothing for None."""
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        if isinstance(value, float) and not math.isfinite(value):
            return str(value)
        return format(value * self.scale if self.scale != 1.0 else value, self.form)


@dataclass
class Table:
    """Rows under columns. `figures` are what the rows sum up to."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: list[dict[str, Value]] = field(default_factory=list[dict[str, Value]])
    figures: dict[str, float] = field(default_factory=dict[str, float])

    def cells(self, row: Mapping[str, Value]) -> list[str]:
        """The row as shown."""
        return [column.show(row.get(column.key)) for column in self.columns]

    def values(self, key: str) -> list[float]:
        """The numbers of one column."""
        return [float(value) for row in self.rows if isinstance(value := row.get(key), int | float)]

    def markdown(self) -> str:
        """The table in Markdown."""
        lines = [
            "| " + " | ".join(column.heading for column in self.columns) + " |",
            "| --- |" + " ---: |" * (len(self.columns) - 1),
        ]
        lines += ["| " + " | ".join(self.cells(row)) + " |" for row in self.rows]
        return "\n".join(lines) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """Data for JSON, from which `from_dict` makes the table again."""
        return asdict(self)

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Table:
        columns = tuple(Column(**column) for column in data["columns"])
        return Table(data["name"], data["title"], columns, list(data["rows"]), dict(data["figures"]))


def show_figure(value: float) -> str:
    """Three significant digits.

    >>> show_figure(0.4567), show_figure(12.0)
    ('0.457', '12')
    """
    return format(value, ".3g")


FIRST_WIDTH, WIDTH = 28, 10
"""Of the first column, and of the others at least."""


class TablePrinter:
    """Prints a table as it grows: its title and headings, then each row as it is added, then the figures."""

    def __init__(self, table: Table, stream: TextIO | None = None) -> None:
        self._table = table
        self._stream = stream or sys.stdout
        headings = [column.heading for column in table.columns]
        self._widths = [max(WIDTH, len(heading) + 2) for heading in headings[1:]]
        self._print(f"\n{table.title}")
        self._print(self._line(headings))

    def add(self, row: dict[str, Value]) -> None:
        """Appends a row and prints it."""
        self._table.rows.append(row)
        self._print(self._line(self._table.cells(row)))

    def note(self, name: str, text: str) -> None:
        """Says why there is no row `name`."""
        self._print(f"{name:{FIRST_WIDTH}}  {text.splitlines()[0] if text else ''}"[:160])

    def finish(self, figures: dict[str, float]) -> Table:
        """The table, with these figures."""
        self._table.figures.update(figures)
        for name, value in figures.items():
            self._print(f"  {name}: {show_figure(value)}")
        return self._table

    def _line(self, cells: Sequence[str]) -> str:
        first, *others = cells
        padded = (f"{cell:>{width}}" for cell, width in zip(others, self._widths, strict=True))
        return f"{first:{FIRST_WIDTH}}{''.join(padded)}".rstrip()

    def _print(self, line: str) -> None:
        print(line, file=self._stream, flush=True)
