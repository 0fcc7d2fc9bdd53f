"""`xla-run --profile`: what is predicted, to which lines times belong, and what is written."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.dialects.source_lines import Frame, Origin
from xdsl_xla.runtime.compiled_program import Site
from xdsl_xla.runtime.compiler import Request
from xdsl_xla.runtime.profiles import Call, Measurement, Profile
from xdsl_xla.tools.profiling.formats import folded, records, trace
from xdsl_xla.tools.profiling.lines import attributed, by_line
from xdsl_xla.tools.profiling.machine import Level, Machine, machine
from xdsl_xla.tools.profiling.predictions import Prediction, predictions
from xdsl_xla.tools.profiling.report import roof_of, table
from xdsl_xla.tools.xla_run import main

TEXT = """func.func @main(%x: tensor<256x512xf32>, %w: tensor<512x128xf32>) -> tensor<256x128xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x128xf32>)
      -> tensor<256x128xf32> loc("jit(f)/dot_general"("f"("user.py":4:6)))
  %1 = stablehlo.exponential %0 : tensor<256x128xf32> loc("jit(f)/exp"("f"("user.py":5:6)))
  %2 = stablehlo.cosine %1 : tensor<256x128xf32> loc("jit(f)/cos"("f"("user.py":6:6)))
  return %2 : tensor<256x128xf32>
}"""

LINE_4 = Origin("mul", (Frame("g", "user.py", 4, 1), Frame("f", "main;.py", 9, 1)), Frame(None, "a.mlir", 2, 3))
LINE_5 = Origin("exp", (Frame(None, "user.py", 5, 1),), Frame(None, "a.mlir", 3, 3))

FIRST = Site("rows_0", "user.py:4", "a.mlir:2", "mul")
SAME_LINE = Site("rows_0", "user.py:4", "a.mlir:7", "mul")
OTHER_LINE = Site("rows_0", "user.py:8", "a.mlir:9", "add")
COPY = Site("copy", "a.mlir:1", "a.mlir:1", "")
PREDICTED = {"rows_0": Prediction(8000, 500, 1000, False, LINE_4, {LINE_4: 0.75, LINE_5: 0.25})}
PROFILE = Profile(
    10,
    2,
    1.5e-3,
    (
        Measurement(FIRST, 10, 4e-4),
        Measurement(SAME_LINE, 10, 4e-4),
        Measurement(OTHER_LINE, 10, 2e-4),
        Measurement(COPY, 10, 1e-4),
    ),
    (Call(Site("", "a.mlir:1", "a.mlir:1", ""), 0.0, 1e-4), Call(FIRST, 1e-5, 5e-5)),
)
MACHINE = Machine(2, 1e11, (Level("L1", 4096, 1e12), Level("memory", 1 << 30, 1e10)))


def request(pipeline: str = "xla-cpu") -> Request:
    return Request(2, pipeline, None, None, 2, None, None, False)


def test_kernels_are_predicted_from_their_loops() -> None:
    found = predictions(TEXT, "a.mlir", request())
    contraction = next(each for name, each in found.items() if name.startswith("contraction"))
    assert contraction.operations >= 2 * 256 * 512 * 128
    assert contraction.work >= contraction.operations
    assert sum(each.work for each in found.values()) > sum(each.operations for each in found.values())
    assert contraction.bytes >= 4 * (256 * 512 + 512 * 128 + 256 * 128)
    lines = {str(origin.line) for each in found.values() for origin in each.shares}
    assert lines == {"user.py:4", "user.py:5", "user.py:6"}
    for each in found.values():
        assert sum(each.shares.values()) == pytest.approx(1)
        assert not each.doubles
    assert max(contraction.shares, key=contraction.shares.__getitem__).name == "jit(f)/dot_general"
    doubles = predictions(TEXT.replace("f32", "f64"), "a.mlir", request())
    assert all(each.doubles for each in doubles.values())


def test_kernels_that_are_measured_are_those_that_are_predicted() -> None:
    executable = xdsl_xla.compile(TEXT, profile=True, threads=2)
    profile = executable.profile(np.ones((256, 512), np.float32), np.ones((512, 128), np.float32))
    assert set(profile.kernels) <= set(predictions(TEXT, "a.mlir", request()))


def test_a_pipeline_without_loops_predicts_nothing() -> None:
    assert predictions(TEXT, "a.mlir", request("convert-to-llvm")) == {}


def test_times_belong_to_lines() -> None:
    parts = attributed(PROFILE, PREDICTED)
    assert sum(seconds for _, _, seconds in parts) == pytest.approx(11e-4)
    lines = {line: seconds for line, (seconds, _) in by_line(PROFILE, PREDICTED).items()}
    assert list(lines) == ["user.py:4", "user.py:5", "user.py:8", "a.mlir:1"]
    assert list(lines.values()) == pytest.approx([6e-4, 2e-4, 2e-4, 1e-4])


def test_the_roof_is_what_takes_longest() -> None:
    assert roof_of(PREDICTED["rows_0"], MACHINE) == (8000 / 1e10, "memory")
    small = PREDICTED["rows_0"]._replace(bytes=1000)
    assert roof_of(small, MACHINE) == (1000 / 1e11, "operations")
    assert roof_of(small._replace(doubles=True), MACHINE) == (2000 / 1e11, "operations")


def test_the_table() -> None:
    text = table(PROFILE, PREDICTED, MACHINE, "main")
    first, *_ = text.splitlines()
    assert first == "@main: 150 us a run, 10 runs, 2 threads"
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    rates = ["40", "us", "0.2", "0.0", "2%", "memory", "user.py:4"]
    assert rows["rows_0"][1:] == ["3", "100", "us", "66.7%", *rates]
    assert rows["copy"][1:] == ["1", "10", "us", "6.7%", "10", "us", "a.mlir:1"]
    assert rows["user.py:4"][1:4] == ["60", "us", "40.0%"]
    tiny = PROFILE._replace(seconds=4e-6)
    assert table(tiny, PREDICTED, MACHINE, "main").startswith(
        "@main: 400 ns a run, of which measuring takes about 12%,"
    )
    assert "the program around them" in text and "26.7%" in text
    assert all(len(line) <= 120 for line in text.splitlines())


def test_folded_stacks() -> None:
    stacks = dict(line.rsplit(" ", 1) for line in folded(PROFILE, PREDICTED, "main").splitlines())
    assert stacks["@main;f (main,.py:9);g (user.py:4);a.mlir:2;rows_0"] == "60000"
    assert stacks["@main;exp (user.py:5);a.mlir:3;rows_0"] == "20000"
    assert stacks["@main"] == "40000"
    assert sum(map(int, stacks.values())) == 150_000


def test_a_trace() -> None:
    content = json.loads(trace(PROFILE, PREDICTED, "main"))
    events = [event for event in content["traceEvents"] if event["ph"] == "X"]
    assert [(event["name"], event["ts"], event["dur"]) for event in events] == [
        ("@main", 0.0, 100.0),
        ("rows_0", 10.0, pytest.approx(40.0)),
    ]
    assert events[1]["args"] == {
        "line": "user.py:4",
        "text": "a.mlir:2",
        "operation": "mul",
        "bytes": 8000,
        "operations": 500,
    }


def test_records() -> None:
    content = json.loads(records(PROFILE, PREDICTED, "main"))
    assert content["nanoseconds"] == pytest.approx(150_000)
    assert content["sites"][3] == {
        "callee": "copy",
        "line": "a.mlir:1",
        "text": "a.mlir:1",
        "operation": "",
        "calls": 10,
        "nanoseconds": pytest.approx(10_000),
    }
    assert {"line": "user.py:5", "callee": "rows_0", "nanoseconds": 20_000} in content["lines"]


def test_the_machine_is_measured() -> None:
    found = machine(1)
    assert found.operations_per_second > 1e9
    assert [level.name for level in found.levels] == ["L1", "L2", "L3", "memory"]
    assert all(level.bytes_per_second > 1e8 for level in found.levels)
    assert found.level_of(1).name == "L1" and found.level_of(1 << 50).name == "memory"
    assert machine(1) is found


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "model.mlir"
    path.write_text(TEXT)
    return str(path)


def test_the_command(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "new" / "profile"
    assert main([program, f"--profile={folder}", "--benchmark", "5", "--threads", "1"]) == 0
    printed = capsys.readouterr().out
    assert "5 runs, 1 threads" in printed
    assert (folder / "table.txt").read_text() in printed
    assert json.loads((folder / "records.json").read_text())["runs"] == 5
    assert len(json.loads((folder / "trace.json").read_text())["traceEvents"]) > 5
    assert "user.py:5" in (folder / "stacks.folded").read_text()


def test_the_flag_alone_prints(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--profile", program]) == 0
    assert "GFLOP/s" in capsys.readouterr().out


def test_a_program_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert main(["-", "--profile", "--benchmark", "1"]) == 0
    assert "user.py:4" in capsys.readouterr().out


def test_an_empty_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.mlir"
    path.write_text("func.func @main() { return }")
    assert main([str(path), f"--profile={tmp_path}", "--benchmark", "1"]) == 0
    assert "the program around them" in capsys.readouterr().out
    assert (tmp_path / "stacks.folded").read_text().count("\n") <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "reference"], "--engine reference does not take --profile"),
        (["--compare", "reference"], "does not take --profile"),
    ],
)
def test_what_does_not_go_together(
    program: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([program, "--profile", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_directory_that_cannot_be_made(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([program, f"--profile={program}"]) == 1
    assert "model.mlir" in capsys.readouterr().err
