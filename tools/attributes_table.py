"""`python -m xdsl_xla.tools.attributes_table`: write `docs/attributes.md` from `dialects/xrt_attributes.py`.

For each attribute what its declaration says, and the files that name it, found in their sources. `--check` writes
nothing and exits with 1 if the file is out of date. Works in a checkout.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from ..dialects import xrt_attribute_checks, xrt_attributes, xrt_names
from ..dialects.xrt_attributes import ATTRIBUTES, Declaration
from .reporting import FAILURE, SUCCESS

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "attributes.md"
ROOMS = ("dialects", "ir", "reference", "passes", "lowering", "runtime", "frontends", "tools")
_FILES = (xrt_names.__file__, xrt_attributes.__file__, xrt_attribute_checks.__file__)
DECLARING = {Path(file).relative_to(ROOT) for file in _FILES}

HEADER = """\
# Attributes

Written by `python -m xdsl_xla.tools.attributes_table` from `dialects/xrt_attributes.py`; do not edit.

An attribute whose name begins with `xrt.` says what a pass has decided for those after it and for the runtime. It is
declared once, in that table, its name stands in `dialects/xrt_names.py`, and programs from outside have none. The
verifier of modules checks the ops that carry attributes and what they hold; between the passes of `xla-opt` it also
checks that an attribute appears after one of its writers only and is gone when it has to be. A pass of your own, which
the table cannot know, may write any of them.

*Files* are those that name the attribute; `tests/dialects/test_xrt_attributes.py` shows that each of them belongs to a
writer or reader, and that no writer or reader is listed in vain.
"""

GROUPS: tuple[tuple[str, Mapping[str, Declaration]], ...] = (
    ("The entry function", xrt_attributes.ENTRY_ATTRIBUTES),
    ("Kernels", xrt_attributes.KERNEL_ATTRIBUTES),
    ("Ops of level 1", xrt_attributes.OP_ATTRIBUTES),
    ("Loops", xrt_attributes.LOOP_ATTRIBUTES),
    ("What generated code finds in its context", xrt_attributes.TABLE_ATTRIBUTES),
    ("What LLVM is told", xrt_attributes.LLVM_ATTRIBUTES),
)


READERS = {xrt_attributes.denormals_of.__name__: "DENORMALS"}
"""Functions of `xrt_attributes` that read an attribute for others, and the constant that they name."""


@cache
def uses() -> Mapping[str, Sequence[str]]:
    """For each attribute the files that name it by its constant, those apart that declare it."""
    constants = {constant: name for constant, name in vars(xrt_names).items() if constant.isupper()}
    found: dict[str, list[str]] = {name: [] for name in ATTRIBUTES}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            place = path.relative_to(ROOT)
            if place not in DECLARING:
                for constant in _imported_constants(ast.parse(path.read_text(encoding="utf-8"))):
                    if constants.get(constant) in found:
                        found[constants[constant]].append(place.as_posix())
    return found


def _imported_constants(tree: ast.Module) -> Iterator[str]:
    """What a file takes from `xrt_names`, or reads by a function; each is used, or ruff would complain."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            source = (node.module or "").rpartition(".")[2]
            if source == "xrt_names":
                found |= {alias.name for alias in node.names}
            elif source == "xrt_attributes":
                found |= {READERS[alias.name] for alias in node.names if alias.name in READERS}
    yield from sorted(found)


def document() -> str:
    """The text of `docs/attributes.md`."""
    parts = [HEADER]
    for title, declarations in GROUPS:
        parts.append(f"## {title}\n")
        parts += ["\n".join(_section(name, declared)) for name, declared in declarations.items()]
    return "\n".join(parts)


def _section(name: str, declared: Declaration) -> Iterator[str]:
    yield f"### `{name}`"
    yield f"{declared.meaning}\n"
    yield f"- on {_list(declared.on)}: {declared.form.text}"
    yield f"- written by {_list(declared.writers)}"
    yield f"- read by {_list(declared.readers)}"
    yield f"- gone after `{declared.gone_after}`" if declared.gone_after else "- stays to the last level"
    yield f"- files: {_list(uses()[name])}\n"


def _list(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check the document; the exit code."""
    parser = argparse.ArgumentParser(prog="attributes_table", description="Write docs/attributes.md.")
    parser.add_argument("--check", action="store_true", help="exit with 1 if the file is out of date")
    text = document()
    if not parser.parse_args(argv).check:
        DOCUMENT.write_text(text, encoding="utf-8")
        return SUCCESS
    if DOCUMENT.exists() and DOCUMENT.read_text(encoding="utf-8") == text:
        return SUCCESS
    print(f"{DOCUMENT} is out of date: run python -m xdsl_xla.tools.attributes_table", file=sys.stderr)
    return FAILURE


if __name__ == "__main__":
    sys.exit(main())
