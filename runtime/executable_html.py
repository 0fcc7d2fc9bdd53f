"""What a notebook shows of an executable: what it takes and gives, its memory, and how long each step of its
compilation took.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .executable import Executable
    from .signature import TensorSpec

_BAR = "display:inline-block;height:0.7em;background:#4c8dff;border-radius:2px"
_TABLE = '<table style="display:inline-table;vertical-align:top;margin-right:2em">'


def summary(executable: Executable) -> str:
    """HTML without scripts, in the colours of the notebook."""
    signature, statistics = executable.signature, executable.statistics
    sizes = {
        "inputs": statistics.input_bytes,
        "outputs": statistics.output_bytes,
        "arena": statistics.arena_bytes,
        "constants": statistics.constant_bytes,
        "code": statistics.object_bytes,
    }
    return (
        f"<div><b>@{escape(signature.entry)}</b>: {statistics.kernels} kernels, {statistics.threads} threads<br>"
        + _specs("takes", signature.inputs)
        + _specs("gives", signature.outputs)
        + _rows("memory", [(name, f"{size:,} B", "") for name, size in sizes.items()])
        + _timings(executable.timings)
        + "</div>"
    )


def _specs(caption: str, specs: tuple[TensorSpec, ...]) -> str:
    return _rows(caption, [(spec.name, str(spec), "") for spec in specs])


def _timings(timings: dict[str, float]) -> str:
    most = max(timings.values(), default=0) or 1
    rows = [
        (name, f"{seconds * 1e3:.2f} ms", f'<span style="{_BAR};width:{seconds / most * 8:.2f}em"></span>')
        for name, seconds in timings.items()
    ]
    total = f"compiled in {sum(timings.values()):.3f} s"
    return f"<details><summary>{total}</summary>{_rows('', rows)}</details>"


def _rows(caption: str, rows: list[tuple[str, str, str]]) -> str:
    """A table; the third cell of a row is HTML, the others are text."""
    cells = [(escape(name), escape(value), bar) for name, value, bar in rows]
    body = "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in cells)
    return f"{_TABLE}<caption>{escape(caption)}</caption>{body}</table>"
