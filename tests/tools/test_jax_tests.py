"""The comparison of JAX's tests on two backends, on tests that are made up."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl_xla.tools.jax_tests import PASSED, SKIPPED, devices_of, main, read_report

TESTS = """
import os
import pytest

HERE = os.environ["JAX_PLATFORMS"].startswith("xdsl_xla") or os.environ["XDSL_XLA_REPLACES_CPU"] == "1"

def test_good(): pass
def test_worse_here(): assert not HERE, "on purpose"
def test_wrong_everywhere(): assert False
def test_ends(): os._exit(1) if HERE else None
@pytest.mark.skipif(HERE, reason="not here")
def test_skipped(): pass
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "made_up_test.py").write_text(TESTS)
    return tmp_path


def test_what_passes_on_the_other_backend_counts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), "made_up"]) == 1
    first, *failures = capsys.readouterr().out.splitlines()
    assert first == "tests/made_up_test.py: 1 of 3 (33.3 %), 1 skipped here alone"
    assert [line.split(":")[0].split("test_")[-1] for line in failures] == ["worse_here", "ends"]
    assert "on purpose" in failures[0]


@pytest.mark.slow
def test_a_library_by_its_paths(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "inner").mkdir()
    (folder / "tests" / "made_up_test.py").rename(folder / "inner" / "test_library.py")
    for options in ((), ("--replace-cpu",)):
        assert main([str(folder), "inner", *options]) == 1
        assert capsys.readouterr().out.startswith("inner: 1 of 3 (33.3 %), 1 skipped here alone")


def test_a_sample(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), "made_up_test", "--sample", "1"]) == 0
    assert capsys.readouterr().out == "tests/made_up_test.py: 1 of 1 (100.0 %)\n"


@pytest.mark.slow
def test_a_part(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), "made_up_test", "--part", "1/3"]) == 0
    assert capsys.readouterr().out == "tests/made_up_test.py: 1 of 1 (100.0 %)\n"
    assert main([str(folder), "made_up_test", "--part", "2/5"]) == 1
    assert capsys.readouterr().out.startswith("tests/made_up_test.py: 0 of 1 (0.0 %)\n")
    with pytest.raises(SystemExit):
        main([str(folder), "made_up_test", "--part", "4/3"])


@pytest.mark.slow
def test_what_takes_too_long_everywhere_says_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tests" / "made_up_test.py").write_text("import time\ndef test_long(): time.sleep(60)\n")
    assert main([str(folder), "made_up", "--test-timeout", "1"]) == 0
    assert capsys.readouterr().out == "tests/made_up_test.py: 0 of 0\n"


@pytest.mark.slow
def test_without_an_end_there_is_nothing_to_compare_with(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tests" / "made_up_test.py").write_text("import time\ntime.sleep(60)\ndef test_late(): pass\n")
    assert main([str(folder), "made_up", "--timeout", "3", "--test-timeout", "1"]) == 1
    assert "nothing to compare with: JAX's backend has not ended in 3 seconds" in capsys.readouterr().err


@pytest.mark.sample(1)
@pytest.mark.parametrize("options", [(), ("--ours-first",), ("--sample", "2")])
def test_a_file_that_cannot_be_read_says_why_and_others_run(
    folder: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    (folder / "tests" / "unread_test.py").write_text("import no_such_module\ndef test_any(): pass\n")
    (folder / "tests" / "good_test.py").write_text("def test_any(): pass\n")
    assert main([str(folder), "unread", "good", *options]) == 1
    captured = capsys.readouterr()
    assert captured.out == "tests/good_test.py: 1 of 1 (100.0 %)\n"
    assert captured.err.startswith("unread: there is nothing to compare with: pytest ended with")
    assert "No module named 'no_such_module'" in captured.err


def test_a_file_that_cannot_be_read_here_has_not_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tests" / "made_up_test.py").write_text(TESTS + "\nassert not HERE\n")
    assert main([str(folder), "made_up"]) == 1
    first, *failures = capsys.readouterr().out.splitlines()
    assert first == "tests/made_up_test.py: 0 of 4 (0.0 %)"
    assert {line.rpartition(": ")[2] for line in failures} == {"did not run"}


def test_what_passes_here_runs_nowhere_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = (
        TESTS
        + "\n\nclass TestGroup:\n    def test_only_here(self): assert HERE\n    def test_worse(self): assert not HERE\n"
    )
    (folder / "tests" / "made_up_test.py").write_text(more)
    assert main([str(folder), "made_up", "--ours-first"]) == 1
    first, *failures = capsys.readouterr().out.splitlines()
    assert first == "tests/made_up_test.py: 2 of 5 (40.0 %), 1 skipped here alone"
    assert len(failures) == 3


@pytest.mark.slow
def test_one_that_takes_too_long_fails_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    late = "\nimport time\ndef test_late(): time.sleep(60 if HERE else 0)\ndef test_last(): pass\n"
    (folder / "tests" / "made_up_test.py").write_text(
        TESTS.replace("def test_ends(): os._exit(1) if HERE else None\n", late)
    )
    assert main([str(folder), "made_up", "--test-timeout", "1"]) == 1
    first, *failures = capsys.readouterr().out.splitlines()
    assert first == "tests/made_up_test.py: 2 of 4 (50.0 %), 1 skipped here alone"
    assert "crashed" in failures[-1]


def test_a_file_that_is_not_there(folder: Path) -> None:
    with pytest.raises(SystemExit, match="no such file"):
        main([str(folder), "nothing"])


def test_reports_are_read() -> None:
    text = """<testsuites><testsuite>
    <testcase classname="tests.a.A" name="x"/>
    <testcase classname="tests.a.A" name="y"><skipped message="no"/></testcase>
    <testcase classname="tests.a.A" name="z"><failure message="AssertionError: 1&#10;more"/></testcase>
    </testsuite></testsuites>"""
    assert read_report(text) == {"tests.a.A.x": PASSED, "tests.a.A.y": SKIPPED, "tests.a.A.z": "AssertionError: 1"}


def test_what_is_asked_for_in_place_of_cpus_is_asked_for_by_the_tests() -> None:
    assert devices_of(None) == {"XDSL_XLA_DEVICES": ""}
    given = devices_of(4)
    assert given["XDSL_XLA_DEVICES"] == "4"
    assert given["XLA_FLAGS"].endswith("--xla_force_host_platform_device_count=4")
