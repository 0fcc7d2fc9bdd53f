"""The lit tests under pytest: one item per `.mlir` or `.hlo` file.

RUN lines made of `xla-opt`, `xla-run`, `filecheck` and `not` in a pipe run inside this process,
which saves starting one per command. A file with any other RUN line is handed to lit. `lit
tests/lit` runs all of them as real processes.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tool_calls import in_process

ROOT = Path(__file__).parent
RUN_LINE = re.compile(r"RUN:\s*(.*)$")
SHELL_ONLY = re.compile(r"&&|\|\||[;<>`$&]|%(?![st]\b)")
"""What in a RUN line needs lit's shell, once `2>&1` is set aside."""


def _xla_opt(arguments: list[str]) -> int:
    from xdsl_xla.tools.xla_opt import main

    return main(arguments)


def _xla_run(arguments: list[str]) -> int:
    from xdsl_xla.tools.xla_run import main

    return main(arguments)


def _filecheck(arguments: list[str]) -> int:
    from filecheck.main import main

    main(["filecheck", *arguments])
    return 0


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "xla-opt": _xla_opt,
    "xla-run": _xla_run,
    "filecheck": _filecheck,
}


@dataclass
class Command:
    """One command of a pipe. `negated`: it must fail. `merged`: its stderr goes into the pipe."""

    name: str
    arguments: list[str]
    negated: bool
    merged: bool


class LitFailure(Exception):
    """A RUN line failed; the message holds what it printed."""


def run_lines(path: Path) -> list[str]:
    """The RUN lines of a file, continuation lines joined."""
    lines: list[str] = []
    continued = False
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := RUN_LINE.search(line):
            text = found[1].strip()
            if continued:
                lines[-1] = lines[-1][:-1] + " " + text
            else:
                lines.append(text)
            continued = text.endswith("\\")
    return lines


def parse_pipe(line: str, path: Path, scratch: Path) -> list[Command] | None:
    """The commands of a RUN line, or None if it takes lit to run it. `%t` is a file in a folder for this test alone."""
    if SHELL_ONLY.search(re.sub(r"'[^']*'|\"[^\"]*\"", "", line.replace("2>&1", ""))):
        return None
    commands: list[Command] = []
    names = {"%s": path, "%S": path.parent, "%t": scratch / "t"}
    words = [re.sub("%[sSt]", lambda name: str(names[name[0]]), word) for word in _words(line)]
    for part in _split(words, "|"):
        merged = "2>&1" in part
        part = [word for word in part if word != "2>&1"]
        negated = part[:1] == ["not"]
        name, *arguments = part[1:] if negated else part
        if name not in COMMANDS:
            return None
        commands.append(Command(name, arguments, negated, merged))
    return commands


def _words(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|")
    lexer.whitespace_split = True
    lexer.commenters = ""
    return list(lexer)


def _split(words: list[str], separator: str) -> Iterator[list[str]]:
    part: list[str] = []
    for word in words:
        if word == separator:
            yield part
            part = []
        else:
            part.append(word)
    yield part


def call(command: Command, stdin: bytes) -> tuple[int, bytes, str]:
    """Run one command in this process: exit code, stdout, stderr."""
    return in_process(COMMANDS[command.name], command.arguments, stdin, command.merged)


def run_pipe(line: str, commands: list[Command]) -> None:
    """Run the commands of a RUN line one after the other; raises `LitFailure`."""
    data = b""
    log = ""
    failed = False
    for command in commands:
        code, data, errors = call(command, data)
        log += errors
        failed |= (code != 0) != command.negated
    if failed:
        raise LitFailure(f"RUN: {line}\n{log}{data.decode('utf-8', 'replace')}")


class LitItem(pytest.Item):
    """One test file."""

    def runtest(self) -> None:
        lines = run_lines(self.path)
        if not lines:
            raise LitFailure("no RUN line")
        with tempfile.TemporaryDirectory() as scratch:
            pipes = [parse_pipe(line, self.path, Path(scratch)) for line in lines]
            if any(pipe is None for pipe in pipes):
                self._run_lit()
                return
            for line, pipe in zip(lines, pipes, strict=True):
                assert pipe is not None
                run_pipe(line, pipe)

    def _run_lit(self) -> None:
        command = [sys.executable, "-c", "from lit.main import main; main()", "-v", str(self.path)]
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
        if done.returncode != 0:
            raise LitFailure(done.stdout + done.stderr)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: str | None = None) -> str:
        if isinstance(excinfo.value, LitFailure):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, str(self.path.relative_to(ROOT))


class LitFile(pytest.File):
    """The collector of a test file."""

    def collect(self) -> Iterator[LitItem]:
        yield LitItem.from_parent(self, name="lit")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> LitFile | None:
    """Collect `.mlir` and `.hlo` files as tests."""
    if file_path.suffix in (".mlir", ".hlo") and "Inputs" not in file_path.parts:
        return LitFile.from_parent(parent, path=file_path)
    return None
