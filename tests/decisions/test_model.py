"""Cost models: what passes get, what tells them apart, and how a researcher hands in one."""

from __future__ import annotations

import ast
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl.context import Context
from xdsl_xla.decisions import model as models
from xdsl_xla.decisions.model import CostModel, cost_model_of, fingerprint
from xdsl_xla.decisions.sorting import Sorting
from xdsl_xla.decisions.target import Target, with_caches
from xdsl_xla.errors import XlaError
from xdsl_xla.runtime.program_context import new_context
from xdsl_xla.tools.xla_opt import main
from xdsl_xla.tools.xla_run import main as run

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "decisions"

SORT = """
func.func @main(%x: tensor<300xi32>) -> tensor<300xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<300xi32>) -> tensor<300xi32>
  return %0 : tensor<300xi32>
}
"""


class Merging(Sorting):
    """Sorts nothing by digits."""

    def worth_sorting_by_digits(self, size: int, digits: int) -> bool:
        return False


def test_passes_get_the_model_of_their_context() -> None:
    context, model = new_context(), CostModel(sorting=Merging())
    assert cost_model_of(context) is models.host_model()
    context.cost_model = model
    assert cost_model_of(context) is model
    assert cost_model_of(Context()) is models.host_model()
    assert cost_model_of(context, 128) == replace(model, target=Target(vector_bits=128, vector_registers=16))


def test_fingerprints() -> None:
    model = CostModel()
    assert fingerprint(model) == fingerprint(CostModel())
    other = replace(model, sorting=replace(model.sorting, sorted_list=4))
    assert len({fingerprint(m) for m in (model, other, CostModel(sorting=Merging()))}) == 3
    assert fingerprint(replace(model, sorting=replace(model.sorting, sorted_list=object()))) is None  # pyright: ignore


def test_a_class_that_stands_in_no_file_has_no_fingerprint() -> None:
    namespace: dict[str, Any] = {"Sorting": Sorting, "__name__": "nowhere"}
    exec("class Odd(Sorting): pass", namespace)
    assert fingerprint(CostModel(sorting=namespace["Odd"]())) is None


def test_compiling_with_a_model_of_ones_own() -> None:
    x = np.random.default_rng(0).integers(-99, 99, 300, np.int32)
    (result,) = xdsl_xla.compile(SORT, cost_model=CostModel(sorting=Merging()))(x)
    np.testing.assert_array_equal(result, np.sort(x))
    with pytest.raises(XlaError, match="cost_model: expected a CostModel"):
        xdsl_xla.compile(SORT, cost_model=3)  # pyright: ignore[reportArgumentType]


def test_the_option_of_the_driver(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, model = tmp_path / "sort.mlir", tmp_path / "merging.py"
    program.write_text(SORT)
    model.write_text(
        "from xdsl_xla.decisions.model import CostModel\n"
        "from xdsl_xla.decisions.sorting import Sorting\n"
        "class Merging(Sorting):\n"
        "    def worth_sorting_by_digits(self, size, digits):\n"
        "        return False\n"
        "MODEL = CostModel(sorting=Merging())\n"
    )
    arguments = [str(program), "-p", "xla-cpu-to-schedules"]
    assert main(arguments) == 0
    usual = capsys.readouterr().out
    assert main([*arguments, "--cost-model", f"{model}:MODEL"]) == 0
    assert capsys.readouterr().out != usual
    assert main([*arguments, "--cost-model", f"{model}:NONE"]) == 2
    assert main([*arguments, "--cost-model", str(model)]) == 2


def test_executable_tests_compile_with_the_model(tmp_path: Path) -> None:
    program, model = tmp_path / "check.mlir", tmp_path / "refusing.py"
    program.write_text(
        "func.func @main() {\n"
        "  %0 = stablehlo.constant dense<[2, 1]> : tensor<2xi32>\n"
        "  %1 = stablehlo.optimization_barrier %0 : tensor<2xi32>\n"
        '  %2 = "stablehlo.sort"(%1) <{dimension = 0 : i64}> ({\n'
        "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
        "    %3 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "    stablehlo.return %3 : tensor<i1>\n"
        "  }) : (tensor<2xi32>) -> tensor<2xi32>\n"
        "  check.expect_eq_const %2, dense<[1, 2]> : tensor<2xi32>\n"
        "  return\n"
        "}\n"
    )
    model.write_text(
        "from xdsl_xla.decisions.model import CostModel\n"
        "from xdsl_xla.decisions.sorting import Sorting\n"
        "from xdsl_xla.errors import XlaError\n"
        "class Refusing(Sorting):\n"
        "    def __getattribute__(self, name):\n"
        "        raise XlaError('asked for ' + name)\n"
        "MODEL = CostModel(sorting=Refusing())\n"
    )
    arguments = [str(program), "--engine", "native"]
    assert run(arguments) == 0
    assert run([*arguments, "--cost-model", f"{model}:MODEL"]) == 1


def test_caches_as_linux_describes_them(tmp_path: Path) -> None:
    for index, (level, kind, size) in enumerate(
        [("1", "Data", "48K"), ("1", "Instruction", "32K"), ("2", "Unified", "2M"), ("3", "Unified", "?")]
    ):
        folder = tmp_path / f"index{index}"
        folder.mkdir()
        for name, text in (("level", level), ("type", kind), ("size", size)):
            (folder / name).write_text(f"{text}\n")
    target = with_caches(Target(), tmp_path)
    assert (target.l1_bytes, target.l2_bytes, target.l3_bytes) == (48 << 10, 2 << 20, Target().l3_bytes)
    assert with_caches(Target(), tmp_path / "nothing") == Target()


def test_every_number_says_what_it_is() -> None:
    """Below each field of a part stands what it means."""
    parts = {field.default_factory.__name__ for field in fields(CostModel)} - {"host"}  # type: ignore[union-attr]
    found: set[str] = set()
    for path in FOLDER.glob("*.py"):
        for cls in (node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)):
            if cls.name in parts | {"Target"}:
                found.add(cls.name)
                for field, behind in zip(cls.body, [*cls.body[1:], None], strict=True):
                    if isinstance(field, ast.AnnAssign):
                        assert isinstance(behind, ast.Expr), f"{path.name}: {ast.unparse(field)}"
    assert found == parts | {"Target"}


def test_no_pass_asks_for_the_host() -> None:
    for folder in ("passes", "lowering", "ir", "dialects"):
        for path in (ROOT / folder).rglob("*.py"):
            assert not re.search(r"\b(host|host_model|with_vector_bits)\(", path.read_text()), path


def test_the_example_of_the_documentation() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "decisions.md").read_text(), re.DOTALL)
    namespace: dict[str, Any] = {"PROGRAM": SORT}
    exec(code, namespace)
    x = np.random.default_rng(0).integers(-99, 99, 300, np.int32)
    np.testing.assert_array_equal(namespace["executable"](x)[0], np.sort(x))
