"""A page for each pass: its docstring, its options, where pipelines use it, and IR before and after it.

The IR is what the pass makes of a function of its FileCheck test when the site is built.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException
from xdsl_xla import pipelines
from xdsl_xla.errors import XlaError
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import parse_passes
from xdsl_xla.runtime.program_context import new_context

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests" / "lit"
FEW_LINES = 50
"""An example of so many lines, before and after together, is short enough; otherwise the shortest one is shown."""
MOST_FUNCTIONS = 12
"""Functions of a test that are tried."""


class Example(NamedTuple):
    """What a pass made of a program."""

    test: str
    spec: str
    before: str
    after: str

    @property
    def length(self) -> int:
        return self.before.count("\n") + self.after.count("\n")


def run_lines() -> dict[str, list[tuple[Path, str]]]:
    """Pass name to the tests that run it, and their `-p`; those named after the pass first, and those of it alone."""
    found: dict[str, list[tuple[Path, str]]] = {name: [] for name in pipelines.PASSES}
    for path in sorted(TESTS.rglob("*.mlir")):
        for _, spec in re.findall(r"RUN: xla-opt %s -p (['\"]?)([a-z-].*?)\1(?= |$)", path.read_text("utf-8")):
            for name in {*re.findall(r"[a-z][a-z-]+", spec)} & found.keys():
                found[name].append((path, spec.replace("%S", str(path.parent))))
    for name, tests in found.items():
        tests.sort(key=lambda test: (test[0].stem != name.replace("-", "_"), "," in test[1], len(test[0].stem)))
    return found


def programs(path: Path) -> Iterator[ModuleOp]:
    """The functions of a test one by one, as far as they stand alone; then its chunks as they are."""
    chunks = path.read_text("utf-8").split("// -----")
    for chunk in chunks:
        try:
            module = parse_module(chunk, path.name, new_context())
        except (XlaError, ParseError, VerifyException):
            continue  # a chunk on what is refused
        functions = [op for op in module.ops if isinstance(op, FuncOp | llvm.FuncOp)]
        if len(functions) > 1:
            for function in functions:
                yield ModuleOp([function.clone()])
        yield module


def run(name: str, spec: str, module: ModuleOp) -> str:
    """Run passes up to the one of this name; the module as it was before that one."""
    context, before = new_context(), ""
    for module_pass in parse_passes(spec):
        before = str(module)
        module_pass.apply(context, module)
        if module_pass.name == name:
            break
    module.verify()
    return before


def example(name: str, tests: list[tuple[Path, str]]) -> Example | None:
    """The first short example that the pass changes, or the shortest; one that it leaves alone if it changes none."""
    shortest: Example | None = None
    unchanged: Example | None = None
    for path, spec in tests:
        for number, module in enumerate(programs(path)):
            if number == MOST_FUNCTIONS:
                break
            try:
                before = run(name, spec, module)
            except (XlaError, VerifyException, DiagnosticException):
                continue  # a function that calls others, or is refused
            here = Example(path.relative_to(ROOT).as_posix(), spec.replace(str(path.parent), "."), before, str(module))
            if here.before == here.after:
                unchanged = unchanged or here
            elif here.length <= FEW_LINES:
                return here
            elif shortest is None or here.length < shortest.length:
                shortest = here
    return shortest or unchanged


def as_markdown(docstring: str) -> str:
    """Code that is indented by four columns is fenced: a line of text may stand right above it."""
    lines: list[str] = []
    code = False
    for line in docstring.strip().splitlines():
        if code and line and not line.startswith("    "):
            while not lines[-1]:
                lines.pop()
            lines.extend(("```", ""))
            code = False
        elif not code and line.startswith("    "):
            lines.extend(("", "```mlir"))
            code = True
        lines.append(line.removeprefix("    ") if code else line)
    if code:
        lines.append("```")
    return "\n".join(lines)


def summary(docstring: str) -> str:
    """The first sentence behind the name."""
    paragraph = " ".join(docstring.strip().partition("\n\n")[0].split())
    return paragraph.partition("`: ")[2] or paragraph


def options(cls: type[ModulePass]) -> list[str]:
    """The rows of a table."""
    rows: list[str] = []
    for field in dataclasses.fields(cls):
        if field.name == "name":
            continue
        default = "" if field.default is dataclasses.MISSING else f"`{field.default!r}`"
        rows.append(f"| `{field.name}` | `{field.type}` | {default} |".replace(" | None", " or None"))
    return rows


def uses(name: str) -> list[str]:
    """The rows of a table: the pipelines a pass stands in, and why."""
    rows: list[str] = []
    for pipeline, steps in pipelines.PIPELINES.items():
        for step in steps:
            if step.spec.partition("{")[0] == name:
                rows.append(f"| `{pipeline}` | {step.reason} |")
    return rows


def fenced(text: str) -> list[str]:
    return ["```mlir", text.strip(), "```", ""]


def page(name: str, tests: list[tuple[Path, str]]) -> str:
    """The Markdown of one pass."""
    cls = pipelines.load_pass(name)
    module = sys.modules[cls.__module__]
    assert module.__doc__ and module.__file__
    source = Path(module.__file__).resolve().relative_to(ROOT).as_posix()
    lines = [f"# {name}", "", as_markdown(module.__doc__), "", f"Source: `{source}`", ""]
    if rows := options(cls):
        lines += ["## Options", "", "| option | type | default |", "| --- | --- | --- |", *rows, ""]
    if rows := uses(name):
        lines += ["## In pipelines", "", "| pipeline | why it stands there |", "| --- | --- |", *rows, ""]
    shown = example(name, tests)
    if shown is None:
        raise LookupError(f"no FileCheck test runs {name} alone on a program that it takes")
    lines += ["## Before and after", "", f"`-p '{shown.spec}'` on a program of `{shown.test}`:", ""]
    lines += fenced(shown.before)
    if shown.before == shown.after:
        lines += ["It is left as it is.", ""]
    else:
        lines += ["becomes", "", *fenced(shown.after)]
    return "\n".join(lines)


def index() -> str:
    """The list of all passes, by the folder they are in."""
    lines = ["# Passes", "", "Each page is made from the docstring of the pass and its FileCheck test.", ""]
    folder = ""
    for name, package in pipelines.PASSES.items():
        if package != folder:
            folder = package
            lines += ["", f"**`{folder.replace('.', '/')}/`**", "", "| pass | |", "| --- | --- |"]
        doc = sys.modules[pipelines.load_pass(name).__module__].__doc__
        lines.append(f"| [`{name}`]({name}.md) | {summary(doc or '')} |")
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """The name of each generated page, below `passes/`, and its Markdown."""
    tests = run_lines()
    return {"index.md": index(), **{f"{name}.md": page(name, tests[name]) for name in pipelines.PASSES}}
