"""The benchmark command: what its arguments select, and one section from end to end."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from xdsl_xla.benchmarks import suite
from xdsl_xla.benchmarks.__main__ import main, select
from xdsl_xla.benchmarks.machine import available_cpus, description, limited_to
from xdsl_xla.benchmarks.sections import SECTIONS
from xdsl_xla.benchmarks.sections.section import Section, Settings
from xdsl_xla.benchmarks.worker import run_section
from xdsl_xla.errors import ArgumentError


def names(sections: list[Section]) -> list[str]:
    return [section.name for section in sections]


def test_everything_by_default() -> None:
    only_named = {"ablation", "devices", "dispatch", "libraries", "neighbours", "pytorch", "values", "versions"}
    everything = [section for section in SECTIONS if section.name not in only_named]
    assert select([]) == (everything, ())


def test_the_list_of_sections(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    help = capsys.readouterr().out
    assert all(f"  {section.name} " in help for section in SECTIONS)


def test_sections_and_programs() -> None:
    sections, programs = select(["memory", "softmax"])
    assert names(sections) == ["memory"] and programs == ("softmax",)


def test_programs_alone_are_run() -> None:
    sections, programs = select(["softmax", "bmm"])
    assert names(sections) == ["run"] and programs == ("softmax", "bmm")


def test_programs_of_both_sets() -> None:
    pytest.importorskip("jax")
    sections, _ = select(["softmax", "cumsum"])
    assert names(sections) == ["run", "more"]
    assert names(select(["cumsum"])[0]) == ["more"]


def test_names_that_are_not_there() -> None:
    pytest.importorskip("jax")
    with pytest.raises(ArgumentError, match="no section or program 'nonsense'"):
        select(["nonsense"])


def test_programs_where_there_is_no_choice() -> None:
    with pytest.raises(ArgumentError, match="'calls' has no programs"):
        select(["calls", "softmax"])


def test_wrong_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--threads", "1000000"]) == 2
    assert "may use" in capsys.readouterr().err
    assert main(["--json", str(tmp_path / "missing" / "file.json")]) == 2
    assert "no such folder" in capsys.readouterr().err
    assert main(["--from", str(tmp_path / "missing.json")]) == 2


def test_which_programs_a_section_takes() -> None:
    assert Settings().chosen(["a", "b"], ("b",)) == ["a", "b"]
    assert Settings(quick=True).chosen(["a", "b"], ("b",)) == ["b"]
    assert Settings(quick=True, programs=("a",)).chosen(["a", "b"], ("b",)) == ["a"]


def test_the_machine() -> None:
    facts = description()
    assert facts["processor"] and facts["vectors"] and "numpy" in facts
    with limited_to(1):
        assert len(available_cpus()) == 1 or not hasattr(os, "sched_setaffinity")


@pytest.mark.slow
def test_a_section_from_end_to_end(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    file, page = tmp_path / "figures.json", tmp_path / "page.md"
    arguments = ["memory", "bmm", "--threads", "1", "--json", str(file), "--report", str(page)]
    assert main(arguments) == 0
    (table,) = json.loads(file.read_text())["sections"]["memory"]["tables"]
    (row,) = table["rows"]
    inputs = sum(x.nbytes for x in suite.load("bmm").inputs)
    assert row["program"] == "bmm" and row["ours_bytes"] > inputs and row["xla_bytes"] > inputs
    assert main(["--from", str(file), "threads", "bmm", "--json", str(file)]) == 0
    assert list(json.loads(file.read_text())["sections"]) == ["memory", "threads"]
    page.unlink()
    assert main(["--from", str(file), "--report", str(page)]) == 0
    assert "## Peak memory" in page.read_text() and "4 threads" in page.read_text()


def test_a_section_that_crashes() -> None:
    result = run_section(Section("nonsense", "is not there"), Settings())
    assert result.failures and not result.tables


def test_a_section_with_programs_of_its_own() -> None:
    pytest.importorskip("jax")
    sections, programs = select(["models", "nuts_step"])
    assert names(sections) == ["models"] and programs == ("nuts_step",)
    with pytest.raises(ArgumentError, match="'models' has no programs"):
        select(["models", "softmax"])


@pytest.mark.slow
def test_a_section_for_one_and_for_all_threads() -> None:
    pytest.importorskip("jax")
    section = next(section for section in SECTIONS if section.name == "models")
    result = run_section(section, Settings(min(2, len(available_cpus())), 2, False, ("nuts_step",)))
    assert not result.failures and len(result.tables) == min(2, len(available_cpus()))
