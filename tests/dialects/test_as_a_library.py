"""The dialect in other projects: the documented example, and next to a package with a dialect of the same name."""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from xdsl.ir import Dialect, Operation
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl_xla.dialects import stablehlo
from xdsl_xla.tools.xla_opt import main

DOCUMENT = Path(__file__).parents[2] / "docs/using_the_dialect.md"


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL))
def test_documented_example(example: str) -> None:
    exec(compile(example, str(DOCUMENT), "exec"), {})


@pytest.mark.parametrize("op_type", stablehlo.OPS, ids=lambda op_type: op_type.name)
def test_every_op_says_what_it_does(op_type: type[Operation]) -> None:
    assert vars(op_type).get("__doc__")


def test_no_entry_point_that_xdsl_opt_would_load() -> None:
    ours = [entry for entry in entry_points(group="xdsl.universe") if entry.value.startswith("xdsl_xla")]
    assert ours == []


@pytest.mark.parametrize("refused", [False, True])
def test_beside_a_universe_with_a_stablehlo(
    refused: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plugins that bring a dialect of this name, once or twice, change nothing for `xla-opt`."""

    def other() -> Dialect:
        raise AssertionError("the plugin's dialect was loaded")

    def multiverse() -> Universe:
        if refused:
            raise ValueError("Dialect stablehlo is already registered")
        return Universe(all_dialects={**XDSL_UNIVERSE.all_dialects, "stablehlo": other})

    monkeypatch.setattr(Universe, "get_multiverse", staticmethod(multiverse))
    path = tmp_path / "program.mlir"
    path.write_text("func.func @f(%x: tensor<2xf32>) { %0 = stablehlo.tanh %x : tensor<2xf32> return }")
    assert main([str(path)]) == 0
    assert "stablehlo.tanh" in capsys.readouterr().out
