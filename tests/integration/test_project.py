"""What the README says, and what the packaging files have to agree on."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import numpy as np
import xdsl_xla
from xdsl_xla import pipelines
from xdsl_xla.runtime.mlir_text import parse_module
from xdsl_xla.runtime.program_context import new_context

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def code_blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_example_from_python() -> None:
    namespace: dict[str, Any] = {}
    exec(code_blocks()[0], namespace)
    np.testing.assert_array_equal(namespace["result"], [0, 2, 4])


def test_the_first_pass_of_ones_own(tmp_path: Path) -> None:
    (code,) = [block for block in code_blocks() if "ModulePass" in block]
    path = tmp_path / "stablehlo_commute_adds.py"
    path.write_text(code)
    name = "xdsl_xla.passes.stablehlo.stablehlo_commute_adds"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    context = new_context()
    program = parse_module(
        """
        func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
          %0 = stablehlo.add %x, %y : tensor<2xf32>
          return %0 : tensor<2xf32>
        }""",
        "example",
        context,
    )
    getattr(module, pipelines.class_name("stablehlo-commute-adds"))().apply(context, program)
    assert "stablehlo.add %y, %x" in str(program)


def test_files_the_readme_names_exist() -> None:
    for name in re.findall(r"`(docs/[a-z_]+\.md|examples/[a-z_]+\.mlir|pipelines\.py)`", README):
        assert (ROOT / name).exists(), name


def test_files_that_ci_names_exist() -> None:
    """A path that has moved makes pytest collect nothing of the last step."""
    names = re.findall(r"tests(?:/\w+)+(?:\.py)?", (ROOT / ".ci" / "run").read_text())
    assert names
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_every_package_is_listed() -> None:
    """The folders with an `__init__.py` are the packages in `pyproject.toml`; others would not be installed."""
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    folders = {
        ".".join(("xdsl_xla", *path.parent.relative_to(ROOT).parts))
        for path in ROOT.rglob("__init__.py")
        if not {"tests", "build", ".venv"} & set(path.relative_to(ROOT).parts)
    }
    assert folders == listed


def test_the_package_tells_its_version() -> None:
    assert xdsl_xla.__version__ == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def test_public_names_are_listed_before_they_are_imported() -> None:
    command = "import xdsl_xla; print(*dir(xdsl_xla))"
    names = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True).stdout.split()
    assert {"compile", "jit", "Executable", "run_grid", "custom_call", "__version__"} <= set(names)
    available = set(xdsl_xla.__all__) - ({"jit"} if importlib.util.find_spec("jax") is None else set())
    assert all(hasattr(xdsl_xla, name) for name in available)


def test_every_pass_is_where_its_name_says() -> None:
    for name in pipelines.PASSES:
        assert pipelines.load_pass(name).name == name
        module = sys.modules[pipelines.load_pass(name).__module__]
        assert module.__doc__ and f"`{name}`" in module.__doc__, name


def test_every_pass_has_a_filecheck_test() -> None:
    tests = [path.read_text() for path in (ROOT / "tests" / "lit").rglob("*.mlir")]
    for name in pipelines.PASSES:
        pattern = re.compile(rf"RUN:.*-p \S*{re.escape(name)}\b|RUN:.*-p \"[^\"]*{re.escape(name)}\b")
        assert any(pattern.search(text) for text in tests), name


def test_tests_replace_nothing_private() -> None:
    """They decide with a cost model, options or files of their own, and inject faults into what has a public name."""
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "monkeypatch.setattr":
                *target, _ = node.args
                names = [part.value if isinstance(part, ast.Constant) else ast.unparse(part) for part in target]
                path_of_names = ".".join(map(str, names))
                assert not re.search(r"(^|\.)_|decisions", path_of_names), f"{path}:{node.lineno}: {path_of_names}"


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


FLOORS = (
    "tools benchmarks",
    "__init__",
    "frontends",
    "runtime",
    "pipelines",
    "passes lowering",
    "ir",
    "reference",
    "dialects",
    "decisions",
    "nesting user_code",
    "interruptions diagnostics",
    "tracebacks",
    "errors import_time locks properties",
)
"""The rooms of `docs/design.md` from the top down, files of the root among them."""

FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms.split()}


def sources() -> dict[str, Path]:
    """The files of the package by the name of the module: `passes.loops.loops_vectorize`, `errors`, `__init__`."""
    files = [path.relative_to(ROOT) for path in ROOT.rglob("*.py")]
    outside = {"tests", "build", "docs", "examples", "installing", ".venv", "setup.py"}
    files = [path for path in files if not outside & set(path.parts)]
    names = {".".join(path.with_suffix("").parts): ROOT / path for path in files}
    return {name.removesuffix(".__init__"): path for name, path in names.items()}


def imported(name: str, path: Path, modules: Mapping[str, Path]) -> Iterator[str]:
    """The modules of this package that the module `name` takes from, in functions too."""
    package = name.split(".") if path.name == "__init__.py" and name != "__init__" else name.split(".")[:-1]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1] + (node.module.split(".") if node.module else [])
            for alias in node.names:
                whole = ".".join([*base, alias.name])
                yield whole if whole in modules else ".".join(base) or "__init__"


MOST_LINES = 60
"""Of a function, its docstring included."""


def test_functions_are_short() -> None:
    """Those of the package and of its tests."""
    functions = 0
    tests = {str(path.relative_to(ROOT)): path for path in (ROOT / "tests").rglob("*.py")}
    for name, path in {**sources(), **tests}.items():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions += 1
                assert node.end_lineno is not None
                lines = node.end_lineno - node.lineno + 1
                assert lines <= MOST_LINES, f"{name}.{node.name} has {lines} lines"
    assert functions > 7000


def test_imports_run_downwards() -> None:
    """A module imports from its own floor or from one below; passes and lowerings know nothing of each other."""
    modules = sources()
    assert {name.split(".")[0] for name in modules} == set(FLOOR)
    for name, path in modules.items():
        room = name.split(".")[0]
        for target in imported(name, path, modules):
            below = target.split(".")[0]
            assert FLOOR[room] <= FLOOR[below], f"{path} imports {target}"
            assert {room, below} != {"passes", "lowering"}, f"{path} imports {target}"


def test_the_cache_knows_nothing_of_its_users() -> None:
    """The compile cache takes from no module that, directly or not, takes from it."""
    modules = sources()
    below = {name: {*imported(name, path, modules)} for name, path in modules.items()}
    own = {name for name in modules if name.startswith("runtime.compile_cache")}
    reached, rest = set[str](), [*own]
    while rest:
        found = below.get(rest.pop(), set()) - reached
        reached |= found
        rest.extend(found)
    assert len(reached) > len(own) > 3
    assert {name for name in reached - own if below.get(name, set()) & own} == set()


def test_no_dialect_is_a_circle() -> None:
    """Files of `dialects/` import each other in one direction."""
    modules = {name: path for name, path in sources().items() if name.split(".")[0] == "dialects"}
    above = {name: {*imported(name, path, modules)} & modules.keys() - {name} for name, path in modules.items()}
    with_families = {"dialects.stablehlo", "dialects.chlo"}  # whose names are those of all their files
    order = TopologicalSorter({name: targets - with_families for name, targets in above.items()})
    assert len([*order.static_order()]) == len(modules)
