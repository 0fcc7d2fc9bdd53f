"""Where the time of a command goes, in the table that mlir-opt prints with `--mlir-timing`."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...runtime.nested_passes import NestedPasses
from ...runtime.pass_manager import Instrument
from .names import display_name

WIDTH = 80
RULE = f"==={'-' * (WIDTH - 7)}==="


@dataclass
class Timer:
    """Seconds spent in something, and in the parts of it."""

    name: str
    seconds: float = 0.0
    parts: list[Timer] = field(default_factory=list["Timer"])

    def part(self, key: object, name: str) -> Timer:
        """The part `key`, made when it is first asked for."""
        for part in self.parts:
            if part.key == key:
                return part
        part = Timer(name)
        part.key = key
        self.parts.append(part)
        return part

    key: object = None

    def flattened(self) -> Iterator[Timer]:
        """All parts, in any depth."""
        for part in self.parts:
            yield part
            yield from part.flattened()


class Timing(Instrument):
    """A stop-watch for the steps of a command and each of its passes."""

    def __init__(self) -> None:
        self._start = time.perf_counter()
        self.root = Timer("root")
        self._open: list[tuple[Timer, float]] = []

    @contextmanager
    def step(self, name: str) -> Generator[None]:
        """Measure a step: `Parser`, `Output`."""
        self._enter(name, name)
        try:
            yield
        finally:
            self._leave()

    def before_nested(self, nested: NestedPasses, op: Operation) -> None:
        self._enter(id(nested), f"'{nested.anchor}' Pipeline")

    def after_nested(self, nested: NestedPasses, op: Operation) -> None:
        self._leave()

    def before_pass(self, module_pass: ModulePass, op: Operation) -> None:
        self._enter(id(module_pass), display_name(module_pass))

    def after_pass(self, module_pass: ModulePass, op: Operation, seconds: float) -> None:
        self._leave()

    def failed_pass(self, module_pass: ModulePass, op: Operation, error: Exception) -> None:
        self._leave()

    def _enter(self, key: object, name: str) -> None:
        around = self._open[-1][0] if self._open else self.root
        self._open.append((around.part(key, name), time.perf_counter()))

    def _leave(self) -> None:
        timer, start = self._open.pop()
        timer.seconds += time.perf_counter() - start

    def report(self, display: str, form: str) -> str:
        """The table; `display` is `tree` or `list`, `form` is `text` or `json`."""
        total = time.perf_counter() - self._start
        rest = total - sum(part.seconds for part in self.root.parts)
        if display == "list":
            rows = _merged(self.root)
            rows.sort(key=lambda row: -row[1])
            lines = [(0, name, seconds) for name, seconds in [("root", total), *rows]]
        else:
            lines = list(_tree(self.root, 0))
        lines += [(0, "Rest", rest), (0, "Total", total)]
        return _json(lines, total) if form == "json" else _text(lines, total)


def _merged(root: Timer) -> list[tuple[str, float]]:
    seconds: dict[str, float] = {}
    for timer in root.flattened():
        seconds[timer.name] = seconds.get(timer.name, 0.0) + timer.seconds
    return list(seconds.items())


def _tree(timer: Timer, depth: int) -> Iterator[tuple[int, str, float]]:
    for part in timer.parts:
        yield depth, part.name, part.seconds
        yield from _tree(part, depth + 1)


def _share(seconds: float, total: float) -> float:
    return 100.0 * seconds / total if total else 0.0


def title(text: str) -> str:
    """The heading of a report."""
    return f"{RULE}\n{text:^{WIDTH}}".rstrip() + f"\n{RULE}\n"


def _text(lines: list[tuple[int, str, float]], total: float) -> str:
    rows = [
        f"  {seconds:8.4f} ({_share(seconds, total):5.1f}%)  {'  ' * depth}{name}" for depth, name, seconds in lines
    ]
    heading = title("... Execution time report ...")
    return "\n".join(
        [f"{heading}  Total Execution Time: {total:.4f} seconds\n", "  ----Wall Time----  ----Name----", *rows]
    )


def _json(lines: list[tuple[int, str, float]], total: float) -> str:
    """One object a line, those of a pass's parts in its `passes`."""
    root: list[dict[str, object]] = []
    levels = [root]
    for depth, name, seconds in lines:
        entry: dict[str, object] = {
            "wall": {"duration": round(seconds, 4), "percentage": round(_share(seconds, total), 1)},
            "name": name,
        }
        del levels[depth + 1 :]
        levels[depth].append(entry)
        inner: list[dict[str, object]] = []
        entry["passes"] = inner
        levels.append(inner)
    return "[\n" + ",\n".join(json.dumps(entry) for entry in root) + "\n]"
