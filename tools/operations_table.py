"""`python -m xdsl_xla.tools.operations_table`: write `docs/operations.md` from the definitions of the ops.

For each op of StableHLO and chlo: what it takes and gives (from its IRDL definition), the constraints of the
specification that its verifier cites (from its source), an example from its test, and where it stands.
`--check` writes nothing and exits with 1 if the file is out of date. Works in a checkout, as it reads the tests.
"""

from __future__ import annotations

import argparse
import inspect
import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation
from xdsl.printer import Printer

from ..dialects import chlo, stablehlo
from ..dialects.registration import ops_of
from ..ir.expansion import ExpansionPass
from ..lowering.chlo_legalize import structure
from ..lowering.chlo_legalize.complex_functions import COMPLEX_FUNCTIONS
from ..lowering.chlo_legalize_to_stablehlo import BROADCAST_FUNCTIONS, FUNCTIONS
from ..lowering.convert_stablehlo_to_linalg.convert_stablehlo_to_linalg import HANDLERS
from ..passes.stablehlo.quantized_arithmetic import CONVERSIONS
from ..passes.stablehlo.stablehlo_expand_collectives import REDUCTIONS
from ..passes.stablehlo.static_forms import STATIC_FORMS
from ..pipelines import PASSES, load_pass
from ..reference import interpreter
from ..reference.registry import REFERENCE
from ..runtime.mlir_text import parse_module
from ..runtime.program_context import new_context
from .constraint_citations import cited_numbers
from .op_signatures import ranges, signature
from .reporting import FAILURE, SUCCESS

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "operations.md"
EXAMPLES = ROOT / "tests" / "lit" / "dialects"

FUNCTION = re.compile(r"^func\.func .*?^}", re.MULTILINE | re.DOTALL)
SYMBOL = re.compile(r"@(?!check\b)\w+")

EMPTY = "dense<>"

LONGEST_EXAMPLE = 1500
"""Characters of a function that is still an example."""

DIALECTS: tuple[tuple[str, Sequence[ModuleType]], ...] = (
    ("stablehlo", stablehlo.FAMILIES),
    ("chlo", chlo.FAMILIES),
)

HEADER = """\
# Operations

Written by `python -m xdsl_xla.tools.operations_table`; do not edit.

*Reference* says whether the op has a meaning in the reference interpreter (`reference/`), *native* how it gets to
machine code: by its own lowering to linalg (yes), by a pass of level 1 that turns it into ops that have one, or not at
all. Constraints are those of the StableHLO specification (openxla/stablehlo, docs/spec.md) that the verifier checks and
cites; what the types below say is checked as well. Examples with `check` ops are tests: `xla-run FILE` executes them.
"""


class Example(NamedTuple):
    """An op as a test has it, alone or in a function that checks it, and the test."""

    text: str
    file: Path


# Examples


def examples() -> dict[str, Example]:
    """For each op a function that checks it, from the executable test of its name or from any other one, else the op as
    a test has it.
    """
    found: dict[str, Example] = {}
    for dialect, families in DIALECTS:
        folder = EXAMPLES / dialect
        texts = {path: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.mlir"))}
        programs = {path: _functions(text) for path, text in texts.items() if "RUN: xla-run" in text}
        for op_type in _ops(families):
            own = folder / f"{op_type.name.partition('.')[2].replace('-', '_')}.mlir"
            for path in (own, *programs):
                if text := _shortest(programs.get(path, ()), op_type.name):
                    found[op_type.name] = Example(text, path.relative_to(ROOT))
                    break
        for path in (path for path in texts if path not in programs):
            if not path.stem.endswith("_invalid"):
                _add_printed(path, found)
    return found


def _functions(text: str) -> list[str]:
    """What runs alone in an executable test: its parts, and those of their functions that are public and refer to no
    other one.
    """
    parts = [_without_header(part) for part in text.split("// -----")]
    functions = [function for part in parts for function in FUNCTION.findall(part)]
    alone = (function for function in functions if " private @" not in function and len(SYMBOL.findall(function)) == 1)
    return [*parts, *alone]


def _shortest(functions: Sequence[str], op: str) -> str | None:
    """The shortest function that has `op`, the one for f32 if there is one, with elements if it can be, unless it is
    long."""
    mention = re.compile(rf"{re.escape(op)}\b")
    fitting = [function for function in functions if len(function) <= LONGEST_EXAMPLE and mention.search(function)]
    return min(fitting, key=lambda function: ("@f32(" not in function, EMPTY in function, len(function)), default=None)


def _without_header(part: str) -> str:
    """The part of a test file behind the comments it begins with."""
    lines = part.strip().splitlines()
    begin = next((number for number, line in enumerate(lines) if line and not line.startswith("//")), len(lines))
    return "\n".join(lines[begin:])


def _add_printed(path: Path, found: dict[str, Example]) -> None:
    """The first op of each name in a file that `found` lacks, as it is printed."""
    for part in path.read_text(encoding="utf-8").split("// -----"):
        module = parse_module(part, str(path), new_context(allow_unregistered=True))
        for op in module.walk():
            if op.name not in found and op.name.partition(".")[0] in ("stablehlo", "chlo"):
                found[op.name] = Example(_printed(op), path.relative_to(ROOT))


def _printed(op: Operation) -> str:
    stream = io.StringIO()
    Printer(stream).print_op(op)
    return stream.getvalue().strip()


# Where an op stands


def standings() -> Mapping[type[Operation], str]:
    """How each op that has a way to machine code gets there."""
    found: dict[type[Operation], str] = {}

    def add(ops: Iterable[type[Operation]], way: str) -> None:
        for op in ops:
            found.setdefault(op, way)

    add((*HANDLERS, stablehlo.ReturnOp), "yes")
    add((stablehlo.CompositeOp,), "func-inline-calls")
    add((stablehlo.TupleOp, stablehlo.GetTupleElementOp), "stablehlo-flatten-tuples")
    for name in PASSES:
        if name.startswith("stablehlo-expand-") and issubclass(expansion := load_pass(name), ExpansionPass):
            add(expansion.EXPANDED, name)
    add(CONVERSIONS, "stablehlo-legalize-quant-to-math")
    add((stablehlo.GetDimensionSizeOp, stablehlo.SetDimensionSizeOp), "stablehlo-expand-bounded-dynamism")
    add((stablehlo.DotOp,), "stablehlo-canonicalize-dot-general")
    chlo_ways = (FUNCTIONS, BROADCAST_FUNCTIONS, COMPLEX_FUNCTIONS, structure.DECOMPOSITIONS)
    add((op for ways in chlo_ways for op in ways), "chlo-legalize-to-stablehlo")
    add(REDUCTIONS, "stablehlo-expand-collectives")
    add((op for op in STATIC_FORMS if op is not stablehlo.RngOp), "stablehlo-refine-shapes")
    return found


# The document


def document() -> str:
    """The text of `docs/operations.md`."""
    assert interpreter.REFERENCE is REFERENCE  # importing the interpreter fills the registry
    ways, texts = standings(), examples()
    lines = [HEADER]
    for dialect, families in DIALECTS:
        lines += [f"## {dialect}", "", "| op | reference | native |", "| --- | --- | --- |"]
        for op_type in _ops(families):
            anchor = op_type.name.replace(".", "")
            lines.append(f"| [`{op_type.name}`](#{anchor}) | {_reference(op_type)} | {_native(op_type, ways)} |")
        lines.append("")
        for op_type in _ops(families):
            lines += _section(op_type, ways, texts.get(op_type.name))
    return "\n".join(lines)


def _ops(families: Sequence[ModuleType]) -> list[type[IRDLOperation]]:
    return sorted((op for family in families for op in ops_of(family)), key=lambda op: op.name)


def _reference(op_type: type[Operation]) -> str:
    return "yes" if op_type.name in REFERENCE or op_type is stablehlo.ReturnOp else "no"


def _native(op_type: type[Operation], ways: Mapping[type[Operation], str]) -> str:
    way = ways.get(op_type, "no")
    return way if way in ("yes", "no") else f"`{way}`"


def _section(
    op_type: type[IRDLOperation], ways: Mapping[type[Operation], str], example: Example | None
) -> Iterator[str]:
    yield f"### `{op_type.name}`"
    yield ""
    if vars(op_type).get("__doc__"):
        yield inspect.cleandoc(op_type.__doc__ or "")
        yield ""
    yield from signature(op_type.get_irdl_definition())
    if cited := cited_numbers(op_type):
        yield f"- constraints: {', '.join(ranges(cited))}"
    yield f"- reference: {_reference(op_type)}; native: {_native(op_type, ways)}"
    if example is not None:
        yield f"- example, from [{example.file.name}](../{example.file.as_posix()}):"
        yield ""
        yield from ("```mlir", example.text, "```")
    yield ""


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check the document; the exit code."""
    parser = argparse.ArgumentParser(prog="operations_table", description="Write docs/operations.md.")
    parser.add_argument("--check", action="store_true", help="exit with 1 if the file is out of date")
    args = parser.parse_args(argv)
    text = document()
    if not args.check:
        DOCUMENT.write_text(text, encoding="utf-8")
        return SUCCESS
    if DOCUMENT.exists() and DOCUMENT.read_text(encoding="utf-8") == text:
        return SUCCESS
    print(f"{DOCUMENT} is out of date: run python -m xdsl_xla.tools.operations_table", file=sys.stderr)
    return FAILURE


if __name__ == "__main__":
    sys.exit(main())
