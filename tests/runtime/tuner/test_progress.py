"""What is shown while a search runs."""

from __future__ import annotations

import io

from xdsl_xla.runtime.tuner.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal() -> None:
    stream = Terminal()
    progress = Progress(stream, 60)
    progress.update(30, "rows_0: 3 schedules")
    progress.update(60, "done")
    progress.line("rows_0 is better")
    progress.close()
    first, second, cleared, line = stream.getvalue().removeprefix("\r").split("\r")
    assert first == "[############            ] 30 of 60 s, rows_0: 3 schedules"
    assert second.rstrip() == "[########################] 60 of 60 s, done" and len(second) == len(first)
    assert not cleared.strip() and line == "rows_0 is better\n"


def test_lines_elsewhere_if_they_are_asked_for() -> None:
    for lines in (True, False):
        stream = io.StringIO()
        progress = Progress(stream, 60, lines=lines)
        progress.update(30, "x")
        progress.line("better")
        progress.close()
        assert stream.getvalue() == "better\n" * lines


def test_silence() -> None:
    progress = Progress(None, 1)
    progress.update(1, "x")
    progress.line("x")
    progress.close()
