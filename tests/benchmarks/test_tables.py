"""The parts of the benchmark command that compute nothing but figures, tables and charts."""

from __future__ import annotations

import doctest
import json
import math
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from xdsl_xla.benchmarks import figures, growing_programs, svg, table
from xdsl_xla.benchmarks.agreement import agree, difference, distance
from xdsl_xla.benchmarks.figures import geometric_mean, growth_exponent
from xdsl_xla.benchmarks.measure import Timing, alternate, batched
from xdsl_xla.benchmarks.report import Report, write_page
from xdsl_xla.benchmarks.sections.section import Result, Settings
from xdsl_xla.benchmarks.svg import ratio_chart
from xdsl_xla.benchmarks.table import Column, Table, TablePrinter

COLUMNS = (Column("program", "program"), Column("xla_ratio", "ratio", ".2f"), Column("seconds", "ms", ".1f", 1e3))


def example() -> Table:
    rows: list[dict[str, table.Value]] = [
        {"program": "softmax", "xla_ratio": 0.25, "seconds": 0.0015},
        {"program": "a & b", "xla_ratio": 2.0, "seconds": None},
    ]
    return Table("run", "Run time", COLUMNS, rows, {"geometric mean": math.sqrt(0.5)})


@pytest.mark.parametrize("module", [figures, growing_programs, svg, table])
def test_examples(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


def test_means_and_slopes() -> None:
    assert geometric_mean([0.25, 1.0]) == pytest.approx(0.5)
    assert math.isnan(geometric_mean([]))
    assert growth_exponent([10, 20, 40], [1.0, 2.0, 4.0]) == pytest.approx(1.0)


def test_timing_takes_turns() -> None:
    order: list[str] = []
    sides = [lambda: order.append("a"), lambda: order.append("b")]
    times = alternate(sides, 2, block_seconds=0.0)
    assert order == ["a", "a", "b", "b"] * 2
    assert [timing.runs for timing in times] == [2, 2]
    assert Timing.of([[3.0], [1.0, 2.0]]) == Timing(2.0, 1.0, 3, (3.0, 1.5))


def test_ratios_are_those_of_neighbouring_turns() -> None:
    """A machine that is ten times slower in the second of three rounds."""
    ours, theirs = Timing.of([[1.0], [10.0], [1.0]]), Timing.of([[2.0], [20.0], [2.5]])
    assert ours.ratio_to(theirs) == 0.5


def test_no_round_begins_after_the_budget() -> None:
    (timing,) = alternate([lambda: None], 1000, block_seconds=0.0, budget_seconds=0.0)
    assert timing.runs == 2


def test_batches() -> None:
    calls: list[int] = []
    batched(lambda: calls.append(1), 3)()
    assert len(calls) == 3


def test_differences() -> None:
    one = np.array([1.0, np.nan, np.inf, 4.0], np.float32)
    other = np.array([1.0, np.nan, np.inf, 4.4], np.float32)
    assert difference([one], [one]) == 0.0
    assert difference([one], [other]) == pytest.approx(0.1 / 1.1, rel=1e-5)
    assert difference([one], [np.zeros(4, np.float32)]) == math.inf
    assert difference([one], [one[:2]]) == math.inf
    assert difference([one], []) == math.inf


def test_distances_of_whole_arrays() -> None:
    one = np.full(100, 2.0, np.float32)
    kink = one.copy()
    kink[7] = 2.2
    assert distance([one, one], [one, one]) == 0.0
    assert distance([kink], [one]) == pytest.approx(0.01, rel=1e-5)
    assert distance([one * 1.5], [one]) == pytest.approx(0.5)
    assert distance([one], [one[:2]]) == math.inf
    one[3] = kink[3] = np.nan
    assert 0 < distance([kink], [one]) < 0.011
    assert distance([kink], [np.zeros(100, np.float32)]) == math.inf


def test_agreement() -> None:
    x = np.array([1.0, 100.0, np.nan], np.float32)
    assert agree([x], [x * np.float32(1 + 5e-5)])
    assert not agree([x], [x * np.float32(1 + 1e-3)])
    assert not agree([x], [x.astype(np.float64)])
    assert not agree([np.array([1])], [np.array([2])])
    assert not agree([x], [])


def test_a_table_as_text() -> None:
    stream = StringIO()
    printer = TablePrinter(Table("run", "Run time", COLUMNS), stream)
    for row in example().rows:
        printer.add(row)
    printer.note("conv", "failed: no such op\nmore")
    printer.finish({"geometric mean": 0.5})
    lines = stream.getvalue().splitlines()
    assert [line.split() for line in lines[1:5]] == [
        ["Run", "time"],
        ["program", "ratio", "ms"],
        ["softmax", "0.25", "1.5"],
        ["a", "&", "b", "2.00"],
    ]
    assert lines[5].endswith("failed: no such op")
    assert lines[6] == "  geometric mean: 0.5"


def test_a_table_as_markdown() -> None:
    assert example().markdown().splitlines() == [
        "| program | ratio | ms |",
        "| --- | ---: | ---: |",
        "| softmax | 0.25 | 1.5 |",
        "| a & b | 2.00 |  |",
    ]


def test_numbers_that_are_none_are_shown() -> None:
    assert Column("x", "x", ".1f").show(math.inf) == "inf"
    assert Column("x", "x", ".1f").show(None) == ""


def test_a_report_survives_json(tmp_path: Path) -> None:
    report = Report({"cores": "2"}, {"run": Result([example()], ["conv: no such op"], Settings(2, 3, True, ("conv",)))})
    report.write_json(tmp_path / "figures.json")
    data = json.loads((tmp_path / "figures.json").read_text())
    assert set(data) == {"machine", "sections"}
    assert data["sections"]["run"]["tables"][0]["rows"][0]["xla_ratio"] == 0.25
    assert Report.from_dict(data) == report
    assert report.failures() == ["run: conv: no such op"]


def test_the_page(tmp_path: Path) -> None:
    report = Report({"processor": "a CPU"}, {"run": Result([example()], [], Settings(threads=2))})
    write_page(report, tmp_path / "page.md")
    text = (tmp_path / "page.md").read_text()
    assert "| processor | a CPU |" in text
    assert "| run | geometric mean | 0.707 |" in text
    assert "## Run time" in text and "with 2 threads" in text and "| softmax | 0.25 | 1.5 |" in text
    assert "(page_run.svg)" in text
    ElementTree.fromstring((tmp_path / "page_run.svg").read_text())


def test_a_chart() -> None:
    text = ratio_chart("Run <time>", {"softmax": 0.1, "a & b": 1.5})
    root = ElementTree.fromstring(text)
    namespace = "{http://www.w3.org/2000/svg}"
    bars = root.findall(f"{namespace}rect")
    assert len(bars) == 2
    one = float(next(line.get("x1", "") for line in root.iter(f"{namespace}line") if line.get("stroke-width") == "2"))
    left, right = ((float(bar.get("x", "")), float(bar.get("width", ""))) for bar in bars)
    assert left[0] + left[1] == pytest.approx(one, abs=0.2) and right[0] == pytest.approx(one, abs=0.2)
    assert {svg.BETTER, svg.WORSE} == {bar.get("fill") for bar in bars}
    texts = {element.text for element in root.iter(f"{namespace}text")}
    assert {"Run <time>", "a & b", "0.10", "1.50"} <= texts


def test_a_chart_needs_ratios() -> None:
    with pytest.raises(ValueError, match="at least one"):
        ratio_chart("nothing", {})
