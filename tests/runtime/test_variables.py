"""What environment variables say: values that say nothing are errors, from Python as in tools."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from xdsl_xla.errors import ArgumentError
from xdsl_xla.runtime.schedule_texts import database_paths
from xdsl_xla.runtime.threads import MAX_THREADS, default_threads
from xdsl_xla.runtime.variables import choice, number, switch

NAME = "XDSL_XLA_OF_A_TEST"


@pytest.mark.parametrize(
    ("text", "value"), [("", None), (" ", None), ("1", True), ("True", True), (" off ", False), ("no", False)]
)
def test_switches(text: str, value: bool | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, text)
    assert switch(NAME, True) is (value is not False)
    assert switch(NAME, False) is (value is True)


@pytest.mark.parametrize("text", ["", "0", "1.5", " 10 "])
def test_numbers(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NAME, text)
    assert number(NAME, 7) == float(text or 7)


@pytest.mark.parametrize(
    ("read", "text", "expected"),
    [
        (lambda: switch(NAME, True), "nonsense", "expected 1 or 0"),
        (lambda: switch(NAME, True), "-1", "expected 1 or 0"),
        (lambda: number(NAME, 7), "10 GB", "expected a number"),
        (lambda: number(NAME, 7), "-1", "expected a number"),
        (lambda: number(NAME, 7), "nan", "expected a number"),
        (lambda: number(NAME, 7), "1e999", "expected a number"),
        (lambda: choice(NAME, ("this", "that")), "both", "expected this or that"),
    ],
)
def test_what_says_nothing(
    read: Callable[[], object], text: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME, text)
    with pytest.raises(ArgumentError, match=f"{NAME}={text}: {expected}"):
        read()


@pytest.mark.parametrize(
    ("text", "threads"), [("3", 3), ("9" * 30, MAX_THREADS), ("²", None), ("-1", None), ("0", None)]
)
def test_numbers_of_threads(text: str, threads: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    usual = default_threads()
    monkeypatch.setenv("OMP_NUM_THREADS", text)
    assert default_threads() == (threads or usual)


def test_databases_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDSL_XLA_SCHEDULES", "~no such user/tuned.schedules")
    with pytest.raises(ArgumentError, match="whose home is not known"):
        database_paths()


@pytest.mark.parametrize(
    ("name", "value"),
    [("PARALLEL", "tbb"), ("CACHE", "maybe"), ("CACHE_SIZE", "10 GB"), ("SCHEDULES", "~nobody here/x")],
)
def test_tools_say_so(name: str, value: str, tmp_path: Path) -> None:
    cached = {"XDSL_XLA_CACHE": "1", "XDSL_XLA_CACHE_DIR": str(tmp_path)}
    variables = {**os.environ, **cached, f"XDSL_XLA_{name}": value}
    command = [sys.executable, "-m", "xdsl_xla.tools.xla_run", "examples/attention.mlir"]
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    done = subprocess.run(command, env=variables, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: XDSL_XLA_{name}={value}: ") and done.stderr.count("\n") == 1
