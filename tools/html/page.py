"""The page: what was recorded, packed, and the scripts that show it, in one file that asks nothing of the network."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterable, Mapping
from html import escape
from importlib import resources
from typing import Any

from .alignment import Run
from .graphs import Graph
from .memory_plan import MemoryPlan
from .recorder import Recorder, Stage

STATIC = resources.files("xdsl_xla.tools.html") / "static"

MODULES = (
    *("main", "data", "trace", "panes", "list", "highlight", "sidebar", "history", "search", "keys"),
    *("graph", "layout", "memory", "schedules", "profile", "dom"),
)
"""The scripts in `static/`, which import each other by these names."""


def page(
    recorder: Recorder, title: str, *, note: str = "", error: str = "", profile: Mapping[str, float] | None = None
) -> str:
    """The page for what `recorder` has seen. `note` says what made it; `error` is what stopped the pipeline."""
    data = packed(contents(recorder, title, note, error, profile or {}))
    imports = {name: f"data:text/javascript;base64,{_base64(_script(name).encode())}" for name in MODULES}
    values = {
        "TITLE": escape(title),
        "STYLE": _static("style.css"),
        "IMPORTS": json.dumps({"imports": imports}),
        "DATA": data,
    }
    return re.sub("@([A-Z]+)@", lambda match: values[match[1]], _static("page.html"))


def _script(name: str) -> str:
    """A module, with the name that the browser's tools call it by."""
    return f"{_static(f'{name}.js')}//# sourceURL=xdsl-xla/{name}.js\n"


def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def packed(value: object) -> str:
    """JSON, compressed, as text. Equal values give equal texts."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return _base64(gzip.compress(text.encode("utf-8", "replace"), 9, mtime=0))


def contents(recorder: Recorder, title: str, note: str, error: str, profile: Mapping[str, float]) -> dict[str, Any]:
    """What the scripts read (`static/data.js`)."""
    table: dict[str, int] = {}
    stages = [_stage(stage, table) for stage in recorder.stages]
    return {
        "title": title,
        "note": note,
        "error": error or recorder.remark,
        "lines": list(table),
        "stages": stages,
        "graphs": [
            {"name": name, "stage": stage, "graphs": [_graph(graph) for graph in graphs]}
            for name, (stage, graphs) in recorder.graphs.items()
        ],
        "schedules": [{**schedule._asdict(), "stage": stage} for stage, schedule in recorder.schedules.values()],
        "memory": None if recorder.memory is None else _memory(*recorder.memory),
        "profile": dict(profile),
    }


def _graph(graph: Graph) -> dict[str, Any]:
    return {"name": graph.name, "nodes": [node._asdict() for node in graph.nodes], "edges": graph.edges}


def _memory(stage: int, plan: MemoryPlan) -> dict[str, Any]:
    return {
        "stage": stage,
        "bytes": plan.arena_bytes,
        "steps": [step._asdict() for step in plan.steps],
        "buffers": [buffer._asdict() for buffer in plan.buffers],
        "inputs": plan.inputs,
    }


def _stage(stage: Stage, table: dict[str, int]) -> dict[str, Any]:
    """Of lines that are kept nothing is written; of all others their number in `table`, and their edges."""
    runs = stage.runs or [(Run.INSERT, len(stage.lines))]
    new: list[int] = []
    edges: list[int] = []
    extra: list[int] = []
    """By line that is kept its other edges: the line, then each edge as in `edges`."""
    line = before = 0
    for run, length in runs:
        if run is Run.KEEP:
            for at in range(line, line + length):
                extra += _more_edges(stage, at, before + at - line)
            line, before = line + length, before + length
            continue
        if run is not Run.DELETE:
            for at in range(line, line + length):
                new.append(table.setdefault(stage.lines[at], len(table)))
                edges += _packed_edges(stage, at, before + (at - line) * (run is Run.CHANGE))
            line += length
        if run is not Run.INSERT:
            before += length
    return {
        "name": stage.name,
        "reason": stage.reason,
        "seconds": stage.seconds,
        "level": stage.level,
        "ops": stage.ops,
        "count": len(stage.lines),
        "runs": [int(number) for run in runs for number in run],
        "new": list(_differences(new)),
        "edges": edges,
        "extra": extra,
        "patterns": stage.patterns,
    }


def _packed_edges(stage: Stage, line: int, beside: int) -> list[int]:
    """How many there are, and for each one four times how far it is from the line beside, plus its kind."""
    of_line = stage.edges[line] if stage.edges else ()
    return [len(of_line), *((edge.line - beside) * 4 + int(edge.kind) for edge in of_line)]


def _more_edges(stage: Stage, line: int, beside: int) -> list[int]:
    """As `_packed_edges`, for a line that is kept, but for the edge to the line beside it."""
    more = [edge for edge in (stage.edges[line] if stage.edges else ()) if edge.line != beside]
    return [line, len(more), *((edge.line - beside) * 4 + int(edge.kind) for edge in more)] if more else []


def _differences(numbers: Iterable[int]) -> Iterable[int]:
    """Each number less the one before: small ones compress well."""
    last = 0
    for number in numbers:
        yield number - last
        last = number
