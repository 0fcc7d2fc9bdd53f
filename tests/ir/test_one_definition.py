"""Everything stands in one place: the names that begin with `xrt.`. Numbers: `tests/decisions/test_numbers.py`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import xdsl_xla
from xdsl_xla.dialects import xrt, xrt_names

ROOT = Path(xdsl_xla.__file__).parent
NOT_SOURCES = {"tests", "build", "examples", ".venv"}
SOURCES = sorted(path for path in ROOT.rglob("*.py") if not NOT_SOURCES & set(path.relative_to(ROOT).parts))
OPERATIONS = {op.name for op in xrt.XRT.operations}
NAME = re.compile(rf"(?<![\w/]){re.escape(xrt_names.PREFIX)}\w[\w.]*|^{re.escape(xrt_names.PREFIX)}$")


def strings(tree: ast.Module) -> Iterator[str]:
    """The strings of a file, those in f-strings too, but no docstrings."""
    documentation = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documentation:
            yield node.value


def names(text: str) -> list[str]:
    """The names of `xrt` in the strings of a source; sentences may name ops."""
    found: list[str] = []
    for string in strings(ast.parse(text)):
        in_string = NAME.findall(string)
        found += [name for name in in_string if name not in OPERATIONS or name == string]
    return found


def test_names_of_xrt_stand_in_one_file() -> None:
    assert len(SOURCES) > 600
    found = {path: names(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert found.pop(Path(xrt_names.__file__))
    assert sorted(found.pop(Path(xrt.__file__))) == sorted(OPERATIONS), "those of its ops, where they are defined"
    assert {path.relative_to(ROOT).as_posix(): strings for path, strings in found.items() if strings} == {}


@pytest.mark.parametrize(
    "source", ['x = "xrt.kernel"', 'f(f"{a} has no xrt.entry")', 'op.name == "xrt.parallel"', '{"xrt.batch": 1}']
)
def test_other_names_are_found(source: str) -> None:
    assert names(source)


def test_documentation_may_name_them() -> None:
    assert not names('"""`xrt.kernel` marks kernels."""\n')
