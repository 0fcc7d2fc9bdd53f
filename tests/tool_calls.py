"""The commands in this process, where a test is not about the process: starting one takes a second."""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, NamedTuple


class Done(NamedTuple):
    """What came of a command, named as by `subprocess`."""

    returncode: int
    stdout: str
    stderr: str


def in_process(
    main: Callable[[list[str]], Any], arguments: list[str], stdin: bytes, merged: bool
) -> tuple[int, bytes, str]:
    """Exit status, stdout and stderr of the `main` of a command. `merged`: its stderr goes where its stdout goes."""
    raw_output = io.BytesIO()
    output = io.TextIOWrapper(raw_output, encoding="utf-8", write_through=True)
    raw_errors = raw_output if merged else io.BytesIO()
    errors = io.TextIOWrapper(raw_errors, encoding="utf-8", write_through=True)
    saved_stdin = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                code = main(arguments)
            except SystemExit as stop:
                code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    finally:
        sys.stdin = saved_stdin
    log = "" if merged else raw_errors.getvalue().decode("utf-8", "replace")
    data = raw_output.getvalue()
    # Wrappers close what they wrap when they are collected.
    output.detach()
    errors.detach()
    return code or 0, data, log


def call_tool(
    name: str, arguments: Sequence[str], *, stdin: str = "", cwd: PathLike[str] | None = None, check: bool = False
) -> Done:
    """What `xla-opt` and its like, or a module of `xdsl_xla.tools` with a `main`, do in a folder. `check`: an exit
    status other than 0 is an error."""
    main = importlib.import_module(f"xdsl_xla.tools.{name.replace('-', '_')}").main
    with contextlib.chdir(cwd) if cwd else contextlib.nullcontext():
        code, data, errors = in_process(main, list(arguments), stdin.encode(), False)
    done = Done(code, data.decode("utf-8", "replace"), errors)
    assert not check or done.returncode == 0, done.stderr or done.stdout
    return done
