"""Progress is shown on terminals, of what takes long, and leaves nothing behind."""

from __future__ import annotations

import io
import os
import time

import pytest
from xdsl_xla.runtime import progress
from xdsl_xla.runtime.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "DELAY", 0.01)
    monkeypatch.setattr(progress, "PERIOD", 0.01)


def shown(stream: Terminal, text: str) -> bool:
    """Whether `text` appears within a few seconds."""
    end = time.monotonic() + 10
    while text not in stream.getvalue() and time.monotonic() < end:
        time.sleep(0.01)
    return text in stream.getvalue()


@pytest.mark.usefixtures("at_once")
def test_a_line_that_goes_away() -> None:
    stream = Terminal()
    with Progress("compiling model.mlir", stream) as line:
        assert shown(stream, "compiling model.mlir: 0 s")
        line.say("after parse")
        assert shown(stream, "compiling model.mlir: 0 s, after parse")
    last = stream.getvalue().split("\r")
    assert last[-1] == "" and last[-2].isspace() and len(last[-2]) >= len("compiling model.mlir: 0 s, after parse")


def test_what_is_done_soon_shows_nothing() -> None:
    stream = Terminal()
    with Progress("compiling", stream):
        time.sleep(0.05)
    assert stream.getvalue() == ""


@pytest.mark.usefixtures("at_once")
def test_nothing_where_there_is_no_terminal_or_it_is_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, closed, terminal = io.StringIO(), Terminal(), Terminal()
    closed.close()
    for stream in (plain, closed):
        with Progress("compiling", stream):
            time.sleep(0.05)
    monkeypatch.setenv(progress.VARIABLE, "0")
    with Progress("compiling", terminal):
        time.sleep(0.05)
    assert plain.getvalue() == terminal.getvalue() == ""


@pytest.mark.usefixtures("at_once")
def test_one_at_a_time_and_after_an_error() -> None:
    outer, inner = Terminal(), Terminal()
    with pytest.raises(ValueError, match="within"), Progress("running", outer):
        assert shown(outer, "running")
        with Progress("compiling", inner):
            time.sleep(0.05)
        raise ValueError("within")
    assert inner.getvalue() == ""
    with Progress("again", inner):
        assert shown(inner, "again")


@pytest.mark.usefixtures("at_once")
def test_a_terminal_that_has_gone() -> None:
    stream = Terminal()
    with Progress("compiling", stream):
        assert shown(stream, "compiling")
        stream.close()
        time.sleep(0.05)


def test_the_width_is_that_of_the_terminal(monkeypatch: pytest.MonkeyPatch, at_once: None) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((20, 5)))
    monkeypatch.setattr(Terminal, "fileno", lambda _: 2)
    stream = Terminal()
    with Progress("x" * 50, stream):
        assert shown(stream, "x" * 19)
    assert "x" * 20 not in stream.getvalue()
