"""Every option of `xla-run` is obeyed or refused, whatever it stands beside."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
import xdsl_xla
from xdsl_xla.tools.reporting import UsageError
from xdsl_xla.tools.run_modes import (
    COMPARE,
    EVERYWHERE,
    MODES,
    TAKEN_BY,
    check_options_of_modes,
    modes_of,
    option_name,
    table,
)
from xdsl_xla.tools.run_options import argument_parser
from xdsl_xla.tools.xla_run import main

ROOT = Path(xdsl_xla.__file__).parent

ADD = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""

WAYS: dict[str, list[str]] = {
    "a run": [],
    "--transport": ["--transport", "mpi"],
    "--engine reference": ["--engine", "reference"],
    "--tune": ["--tune", "1"],
    "a file of executable tests": [],
    "executable tests on the reference": ["--engine", "reference"],
    "--compare": ["--compare", "reference"],
    "--check-passes": ["--check-passes"],
    "--simulate": ["--simulate", "devices=2"],
}
"""How each mode is asked for."""

VALUES = {
    "rtol": ["0.1"], "atol": ["0.1"], "threads": ["2"], "vector_bits": ["256"], "opt_level": ["1"], "benchmark": ["3"],
    "compare": ["reference"], "devices": ["2"], "profile": ["--profile=x"], "transport": ["mpi"],
    "collective_timeout": ["3"], "simulate": ["devices=2"], "denormals": ["flush"],
}  # fmt: skip
FLAGS = {
    "split_input_file", "verify", "donate", "no_cache", "fill_elided", "time_passes", "stats", "check_passes",
    "debug_info", "mlir_print_debuginfo",
}  # fmt: skip


NEEDING_A_RUN = ("dump_dir", "no_cache", "mlir_print_debuginfo")


def test_the_table_has_every_option() -> None:
    known = set(vars(argument_parser().parse_args(["file"])))
    assert known == {*TAKEN_BY, *EVERYWHERE}
    assert set(WAYS) == set(MODES)


@pytest.mark.parametrize(("mode", "name"), list(itertools.product(MODES, TAKEN_BY)))
def test_an_option_is_taken_or_refused(mode: str, name: str) -> None:
    option = option_name(name)
    value = [] if name in FLAGS else VALUES.get(name, ["x"])
    words = [] if option in WAYS[mode] else value if name == "profile" else [option, *value]
    needed = ["--expect", "x"] if name in ("rtol", "atol") and mode in TAKEN_BY["expect"] else []
    needed = ["--dump-dir", "x"] if name == "mlir_print_debuginfo" and mode in TAKEN_BY[name] else needed
    needed = ["--html", "x"] if name == "html_profile" and mode in TAKEN_BY[name] else needed
    needed = ["--devices", "2"] if (name, mode) == ("collective_timeout", "a run") else needed
    needed = needed + (["--stats"] if mode == "--tune" and name in NEEDING_A_RUN else [])
    args = argument_parser().parse_args(["file", *WAYS[mode], *words, *needed])
    is_of_tests = "executable tests" in mode
    try:
        modes = modes_of(args, is_of_tests)
        check_options_of_modes(args, modes, argument_parser())
    except UsageError as error:
        assert mode not in TAKEN_BY[name] or (name, mode) == ("check_passes", COMPARE), error
        assert (
            name in ("tune", "compare", "check_passes", "transport", "simulate")
            or mode == "--simulate"
            or option in str(error)
        )
    else:
        assert mode in TAKEN_BY[name] or mode not in modes or {mode, option} == {"--compare", "--check-passes"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--compare", "reference", "--benchmark"], "--compare does not take --benchmark"),
        (["--check-passes", "--input", "x.npz"], "--check-passes does not take --input"),
        (["--check-passes", "--engine", "reference"], "--check-passes runs both engines"),
        (["--tune", "1", "--engine", "reference"], "--tune is about native code, not --engine reference"),
        (["--tune", "1", "--check-passes"], "--check-passes and --tune are two commands"),
        (["--tune", "1", "--dump-dir", "x"], "--dump-dir says something about --output or --expect"),
        (["--engine", "reference", "--time-passes"], "--engine reference does not take --time-passes"),
        (["--rtol", "0.1"], "--rtol says something about --expect only"),
        (["--args", "[]", "--input", "x"], "a file of executable tests does not take --input"),
        (["--output", "x.npy", "--skip", "x"], "a run does not take --skip"),
    ],
)
def test_what_is_refused(words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    assert main([str(path), *words]) == 2
    assert message in capsys.readouterr().err


def test_a_comparison_reports_its_compilation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    dump = tmp_path / "dump"
    words = ["--compare", "reference", "--dump-dir", str(dump), "--time-passes", "--stats"]
    assert main([str(path), *words]) == 0
    captured = capsys.readouterr()
    assert "kernels: " in captured.out and "agrees" in captured.out
    assert re.search(r"ms  total", captured.err)
    assert any(file.name.endswith("native.s") for file in dump.iterdir())


def test_the_table_is_in_the_documentation() -> None:
    assert table() in (ROOT / "docs" / "running.md").read_text()


SHARDED = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def test_a_program_runs_on_several_devices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sharded.mlir"
    path.write_text(SHARDED)
    results: list[str] = []
    for words in ([], ["--devices", "1"], ["--devices", "2"]):
        assert main([str(path), *words]) == 0
        results.append(capsys.readouterr().out)
    assert results[0] == results[1] == results[2]
    for words, message in (
        (["--devices", "3"], "meshes of the program have 2 devices, not 3"),
        (["--devices", "0"], "--devices 0: at least 1"),
        (["--devices", "2", "--html", "x.html"], "--profile and --html show the program of one device"),
    ):
        assert main([str(path), *words]) != 0
        assert message in capsys.readouterr().err
