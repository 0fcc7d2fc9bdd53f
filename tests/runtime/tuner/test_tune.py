"""A search from the program to the database, by a stopwatch that knows the times in advance, and what uses it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xdsl_xla
from xdsl_xla.errors import ArgumentError
from xdsl_xla.ir.schedule_files import Entry, parse_entries
from xdsl_xla.runtime import schedule_texts
from xdsl_xla.runtime.schedule_texts import schedule_texts as read_texts
from xdsl_xla.runtime.tuner import tune as searches
from xdsl_xla.runtime.tuner.summary import Summary
from xdsl_xla.runtime.tuner.tune import tune
from xdsl_xla.tools import tuning, xla_opt, xla_run

from .programs import EXP, ROWS, KnownTimes, known_times, request


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "tuned.schedules"
    monkeypatch.setenv(schedule_texts.VARIABLE, str(path))
    return path


def entries(database: Path) -> list[Entry]:
    return list(parse_entries(database.read_text(), "database").values())


def tiles_are_better(label: str) -> float:
    return 0.5 if " by " in label else 1.0


def search(program: str, watch: KnownTimes, seconds: float = 2.0, seed: int = 0, pipeline: str = "xla-cpu") -> Summary:
    wanted = request()._replace(schedules=read_texts(None), pipeline=pipeline)
    return tune(program, "dir/program.mlir", wanted, seconds, stopwatch=watch, seed=seed)


def test_what_is_better_is_kept(database: Path) -> None:
    summary = search(EXP, known_times(tiles_are_better))
    (row,) = summary.rows
    assert (row.name, row.calls, row.before, row.after) == ("elementwise_0", 1, 1.0, 0.5)
    assert "split" in row.change and summary.program == (1.0, 0.5) and summary.database == database
    (entry,) = entries(database)
    assert entry.comment == "elementwise_0 of program.mlir: 500 ms, was 1000 ms"
    assert " by " in str(entry)


@pytest.mark.slow
def test_a_second_search_has_nothing_to_do(database: Path) -> None:
    search(EXP, known_times(tiles_are_better))
    before, watch = database.read_text(), known_times(tiles_are_better)
    summary = search(EXP, watch)
    assert summary.rows == [] and watch.compared == []
    assert summary.skipped == {"elementwise_0": f"its schedule is known, from {database}:2:1"}
    assert database.read_text() == before


@pytest.mark.slow
def test_where_nothing_is_better_that_is_kept(database: Path) -> None:
    summary = search(EXP, known_times(lambda _: 1.0), 4)
    assert summary.rows[0].change.startswith("none: nothing better in ") and summary.program is None
    (entry,) = entries(database)
    assert entry.tree is None and entry.comment == "elementwise_0 of program.mlir: 1000 ms"


@pytest.mark.slow
def test_what_is_slower_in_the_program_is_not(database: Path) -> None:
    """The label of a whole program begins with the name of a kernel."""
    watch = known_times(lambda label: 1.5 if "elementwise_0" in label else tiles_are_better(label))
    summary = search(EXP, watch, 4)
    assert summary.rows[0].change == "none: 50% of the time by itself, but the program takes 150.0% with it"
    assert [entry.tree for entry in entries(database)] == [None]


def test_a_few_tries_are_not_a_search(database: Path) -> None:
    """The next one may go on."""
    assert search(EXP, known_times(lambda _: 1.0), 0.15).rows and not database.exists()


def test_reasons_have_one_line_each(database: Path) -> None:
    summary = Summary(database, skipped={"a": "too small", "b": "no words", "c": "too small"})
    assert str(summary).splitlines()[1:] == ["not searched: a, c: too small", "not searched: b: no words"]


@pytest.mark.slow
def test_a_seed_says_what_is_found(database: Path) -> None:
    found: list[str] = []
    for seed in (1, 1, 2):
        database.unlink(missing_ok=True)
        search(ROWS, known_times(lambda label: 1 / (1 + label.count(" by "))), 0.8, seed)
        found.append(database.read_text())
    assert found[0] == found[1] != found[2]


def test_no_time(database: Path) -> None:
    summary = search(EXP, known_times(tiles_are_better), 0.005)
    assert summary.rows == [] and summary.skipped == {"elementwise_0": "there was no time left"}
    assert not database.exists()
    assert str(summary) == "no kernel was searched\nnot searched: elementwise_0: there was no time left"


def test_ctrl_c_keeps_what_was_found(database: Path) -> None:
    """The first one ends the search, and what is best so far is still tried in the program."""

    def cost(label: str) -> float:
        if len(watch.compared) > 8 and not pressed:
            pressed.append(True)
            raise KeyboardInterrupt
        return tiles_are_better(label)

    pressed: list[bool] = []
    watch = known_times(cost)
    summary = search(EXP, watch)
    assert summary.interrupted and str(summary).endswith("interrupted")
    assert summary.rows[0].after == 0.5 and " by " in str(entries(database)[0])


def test_ctrl_c_before_anything_was_found(database: Path) -> None:
    def cost(label: str) -> float:
        if watch.compared:
            raise KeyboardInterrupt
        return 1.0

    watch = known_times(cost)
    assert search(EXP, watch).interrupted and not database.exists()


@pytest.mark.slow
def test_kernels_that_take_little_are_left_out(database: Path) -> None:
    program = """
    func.func @main(%x: tensor<24x16xf32>, %y: tensor<8xf32>) -> (tensor<24x16xf32>, tensor<8xf32>) {
      %0 = stablehlo.exponential %x : tensor<24x16xf32>
      %1 = stablehlo.sine %y : tensor<8xf32>
      return %0, %1 : tensor<24x16xf32>, tensor<8xf32>
    }"""
    summary = search(program, known_times(lambda label: 1.0 if "exp" in label else 0.01))
    assert [row.name for row in summary.rows] == ["elementwise_0"]
    assert summary.skipped == {"elementwise_1": "takes 10 ms, 1.0% of the time of all kernels"}


def test_schedules_that_the_program_says_stay(database: Path) -> None:
    (database.parent / "model.mlir").write_text(EXP)
    file = database.parent / "model.schedules"
    file.write_text("kernel @elementwise_0 as decided")
    summary = tune(EXP, "model.mlir", request()._replace(schedules=read_texts(file)), 1.0)
    assert summary.skipped == {"elementwise_0": f"its schedule is known, from {file}:1:1"}
    printed = str(database.parent / "printed.mlir")
    assert xla_opt.main(["-p", "xla-cpu-to-schedules", str(database.parent / "model.mlir"), "-o", printed]) == 0
    text = Path(printed).read_text()
    summary = tune(text, "printed.mlir", request()._replace(pipeline="xla-cpu-from-schedules"), 1.0)
    assert summary.skipped == {"elementwise_0": "the program says its schedule"}


def test_a_pipeline_without_schedules(database: Path) -> None:
    with pytest.raises(ArgumentError, match="argument tune: the pipeline xla-cpu-O0 has no step kernels-schedule"):
        search(EXP, known_times(tiles_are_better), pipeline="xla-cpu-O0")
    assert not database.exists()


def test_without_a_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(schedule_texts.VARIABLE, "")
    with pytest.raises(ArgumentError, match="XDSL_XLA_SCHEDULES is empty"):
        xdsl_xla.compile(EXP, tune=1.0)


@pytest.mark.parametrize("seconds", [0, -1, True, "60s", float("nan"), float("inf")])
def test_seconds(seconds: Any) -> None:
    with pytest.raises(ArgumentError, match="argument tune: expected a positive number of seconds"):
        xdsl_xla.compile(EXP, tune=seconds)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches have a stopwatch that knows the times."""
    monkeypatch.setattr(searches, "Stopwatch", lambda: known_times(tiles_are_better))


@pytest.mark.usefixtures("cache", "known")
def test_compile(database: Path) -> None:
    """The first time there is a search; the second time not even a look at the kernels."""
    first = xdsl_xla.compile(EXP, threads=1, tune=2)
    found = database.read_text()
    second = xdsl_xla.compile(EXP, threads=1, tune=2)
    assert (first.is_from_cache, second.is_from_cache) == (False, True)
    assert " by " in found and database.read_text() == found
    x = np.linspace(0, 1, 24 * 16, dtype=np.float32).reshape(24, 16)
    for executable in (first, second):
        np.testing.assert_allclose(executable(x)[0], np.exp(x), rtol=1e-6)
    assert not xdsl_xla.compile(ROWS, threads=1, tune=0.1).is_from_cache


@pytest.mark.usefixtures("known")
def test_the_command(database: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (program := tmp_path / "model.mlir").write_text(ROWS)
    np.savez(tmp_path / "inputs.npz", in0=np.ones((24, 16), np.float32))
    command = [str(program), "--tune", "2s", "--threads", "1", "--input", str(tmp_path / "inputs.npz")]
    assert xla_run.main(command) == 0
    out, err = capsys.readouterr()
    assert re.match(r"kernel +calls +before +after +change\nrows_0 +1 +1000 ms +500 ms +\S.*\nwhole program ", out)
    assert err == "" and "rows_0 of model.mlir: 500 ms, was 1000 ms" in database.read_text()
    assert xla_run.main([*command, "--benchmark", "1"]) == 0
    out = capsys.readouterr().out
    assert f"not searched: rows_0: its schedule is known, from {database}:2:1" in out and "median" in out


@pytest.mark.parametrize("duration", ["0", "-5", "60 s x", "fast", "1d", "", "2m30", "nan", "0s"])
def test_nonsense(duration: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program := tmp_path / "model.mlir").write_text(EXP)
    assert xla_run.main([str(program), f"--tune={duration}"]) == 2
    assert capsys.readouterr().err == f"error: --tune {duration}: expected a time such as 60, 60s or 2m\n"


@pytest.mark.parametrize(
    ("duration", "seconds"), [("60", 60), ("60s", 60), ("2m", 120), ("1.5m", 90), ("500ms", 0.5), ("1h", 3600)]
)
def test_durations(duration: str, seconds: float) -> None:
    assert tuning.seconds_of(duration) == seconds
