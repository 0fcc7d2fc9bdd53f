"""Another version of the package as a side: a folder, a revision, a process that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("jax")

from xdsl_xla.benchmarks.__main__ import main
from xdsl_xla.benchmarks.sections import versions
from xdsl_xla.benchmarks.sections.section import Settings
from xdsl_xla.benchmarks.versions import ROOT, Side, checkout
from xdsl_xla.errors import ArgumentError, XlaError


@pytest.mark.slow
def test_a_program_against_this_checkout() -> None:
    result = versions.measure(Settings(1, 2, False, ("embed",), str(ROOT)))
    assert result.failures == []
    (table,) = result.tables
    (row,) = table.rows
    assert row["program"] == "embed"
    assert all(0.1 < float(row[key] or 0) < 10 for key in ("run", "compile", "cpu"))


def test_what_is_no_version() -> None:
    with (
        pytest.raises(ArgumentError, match="no revision or checkout 'nothing-of-this-name'"),
        checkout("nothing-of-this-name"),
    ):
        pass


def test_the_section_needs_a_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["versions"]) == 2
    assert main(["run", "--against", "HEAD"]) == 2
    assert "section 'versions' and --against VERSION go together" in capsys.readouterr().err


def test_a_program_that_fails_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "wrong.mlir").write_text("func.func @main() {")
    with Side(ROOT, 1) as side, pytest.raises(XlaError, match="InvalidProgramError"):
        side.ask(f"compile {tmp_path / 'wrong.mlir'}")
