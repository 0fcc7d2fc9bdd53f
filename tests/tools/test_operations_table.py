"""`docs/operations.md` is what the definitions of the ops say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl_xla.dialects import chlo, stablehlo
from xdsl_xla.tools import xla_run
from xdsl_xla.tools.constraint_citations import cited_numbers
from xdsl_xla.tools.op_signatures import ranges
from xdsl_xla.tools.operations_table import DOCUMENT, examples, main


def test_document_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().err


def test_document_has_every_op() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for op in (*stablehlo.OPS, *chlo.OPS):
        assert f"### `{op.name}`\n" in text


def test_constraints_of_verifiers_and_of_what_they_call() -> None:
    assert cited_numbers(stablehlo.TransposeOp) == ["C1", "C2", "C3", "C4"]
    gather = cited_numbers(stablehlo.GatherOp)
    assert {"C1", "C22", "C23"} <= set(gather)
    assert cited_numbers(stablehlo.ReturnOp) == []


def test_ranges() -> None:
    assert list(ranges(["C1", "C2", "C3", "C5", "C6", "I6"])) == ["C1 to C3", "C5", "C6", "I6"]


def test_every_stablehlo_op_has_an_example() -> None:
    found = examples()
    assert not [op.name for op in stablehlo.OPS if op.name not in found]


@pytest.mark.slow
def test_every_example_of_the_document_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```mlir\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len(blocks) > 160
    file = tmp_path / "example.mlir"
    for block in blocks:
        file.write_text(block, encoding="utf-8")
        assert xla_run.main([str(file)]) == 0, f"{block}\n{capsys.readouterr().err}"
