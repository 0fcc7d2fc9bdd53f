"""The attributes whose names begin with `xrt.`: each is declared once, and written and read where that says."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
import xdsl_xla
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl_xla.dialects import xrt_names
from xdsl_xla.dialects.xrt_attributes import ATTRIBUTES
from xdsl_xla.dialects.xrt_names import ENTRY, KERNEL
from xdsl_xla.errors import InternalError
from xdsl_xla.pipelines import PASSES
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.pass_manager import run_passes
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.tools import attributes_table

ROOT = Path(xdsl_xla.__file__).parent
ROOMS_OF_PASSES = {"passes", "lowering", "ir"}


def file_of(pass_name: str) -> str:
    return f"{PASSES[pass_name].replace('.', '/')}/{pass_name.replace('-', '_')}.py"


@cache
def imports(file: str) -> frozenset[str]:
    """The files of passes, lowerings and what they share that `file` imports from, but for other passes."""
    package = (ROOT / file).parent
    found: set[Path] = set()
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package.joinpath(*[".."] * (node.level - 1), *(node.module or "").split(".")).resolve()
            found |= {base.with_suffix(".py"), *((base / alias.name).with_suffix(".py") for alias in node.names)}
    places = {path.relative_to(ROOT).as_posix() for path in found if path.exists() and path.is_relative_to(ROOT)}
    return frozenset(place for place in places if place.split("/")[0] in ROOMS_OF_PASSES)


@cache
def files_of(pass_name: str) -> frozenset[str]:
    """The files that make up a pass."""
    reached, todo = set[str](), [file_of(pass_name)]
    others = set(map(file_of, PASSES)) - set(todo)
    while todo:
        if (file := todo.pop()) not in reached and file not in others:
            reached.add(file)
            todo += imports(file)
    return frozenset(reached)


def test_document_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert attributes_table.main(["--check"]) == 0, capsys.readouterr().err


def test_every_attribute_is_in_the_document() -> None:
    assert [name for _, group in attributes_table.GROUPS for name in group] == [*ATTRIBUTES]
    assert ATTRIBUTES.keys() <= {name for constant, name in vars(xrt_names).items() if constant.isupper()}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_writers_and_readers_are_those_of_the_sources(name: str) -> None:
    declared, users = ATTRIBUTES[name], set(attributes_table.uses()[name])
    assert declared.writers and set(declared.writers) <= PASSES.keys()
    assert declared.gone_after is None or declared.gone_after in PASSES
    places = {place: files_of(place) if place in PASSES else {place} for place in declared.writers + declared.readers}
    assert {place for place, files in places.items() if not users & files} == set(), "no file of these names it"
    assert users - {file for files in places.values() for file in files} == set(), "neither writers nor readers"


class Writes(ModulePass):
    """Marks the function as a kernel, or as the entry."""

    name = "stablehlo-simplify"
    mark = KERNEL

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp):
                function.attributes[self.mark] = UnitAttr()


class OfMyOwn(Writes):
    name = "my-own"


class Leaves(Writes):
    name = "convert-to-llvm"
    mark = ENTRY


def steps(*passes: ModulePass, attributes: str = "", verify: bool = True) -> None:
    context = new_context()
    module = parse_module(f"func.func @f() {attributes} {{\n  func.return\n}}", "f.mlir", context)
    run_passes(context, module, passes, verify=verify)


def test_a_pass_writes_what_is_declared() -> None:
    with pytest.raises(InternalError, match=r"after pass stablehlo-simplify: f\.mlir:1:.*'xrt.kernel' is written by"):
        steps(Writes())
    steps(OfMyOwn())
    steps(Writes(), attributes="attributes {xrt.kernel}")
    steps(OfMyOwn(), Writes())


def test_an_attribute_is_gone_when_it_has_to_be() -> None:
    with pytest.raises(InternalError, match=r"after pass convert-to-llvm: f\.mlir:1:.*'xrt.entry' must be gone"):
        steps(Leaves(), attributes="attributes {xrt.entry}")


def test_only_the_verifier_looks() -> None:
    steps(Writes(), Leaves(), attributes="attributes {xrt.entry}", verify=False)
