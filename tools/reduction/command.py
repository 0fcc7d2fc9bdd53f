"""`xla-opt FILE --reduce --test COMMAND`: the least part of a file that a command still finds interesting.

    xla-opt crash.mlir --reduce --test './crashes.sh {}'
    xla-opt crash.mlir --reduce --test 'xla-opt {} -p my-pass 2>&1 | grep -q "index out of"' --interesting zero
    xla-opt crash.mlir -reduction-tree='traversal-mode=0 test=./crashes.sh'

The command runs in the shell, with the name of a file in place of `{}` (behind it where there is none). As for
`mlir-reduce`, a file is interesting if it ends with another code than 0; with `--interesting zero` if it ends with 0,
as for C-Reduce and `llvm-reduce`, and with `--interesting N` if it ends with N. A command that takes longer than
`--test-timeout` finds nothing.
"""

from __future__ import annotations

import argparse
import io
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from xdsl.dialects.builtin import ModuleOp

from ...dialects.printing import ExactPrinter
from ...errors import XlaError
from ...runtime.progress import Progress
from ...runtime.verifying import verify_module
from .drafts import Draft
from .engine import Reduction, count_ops, reduce_module

NO_SUCH_COMMAND = (126, 127)
"""What shells return for a command that they do not find or cannot run."""

AGAIN = 3
"""How often the command is asked about the least program, once more: it may answer by chance."""


class CommandTest:
    """The predicate that a command of the shell is."""

    def __init__(
        self, command: str, interesting: str, timeout: float, print_module: Callable[[ModuleOp, IO[str]], None]
    ):
        self._command, self._interesting, self._timeout = command, interesting, timeout
        self._print = print_module

    def __call__(self, draft: Draft) -> bool:
        return self.is_code_interesting(self.code(draft.module))

    def is_code_interesting(self, code: int | None) -> bool:
        """Whether the command has found what it looks for, by the code it ended with; None for none in time."""
        if code is None:
            return False
        if self._interesting == "nonzero":
            return code != 0
        return _as_shells_say(code) == (0 if self._interesting == "zero" else int(self._interesting))

    def code(self, module: ModuleOp) -> int | None:
        """How the command ends. Raises `XlaError` where there is no such command."""
        with tempfile.TemporaryDirectory(prefix="xla-opt-reduce-") as directory:
            path = Path(directory) / "reduced.mlir"
            with path.open("w", encoding="utf-8", newline="\n") as file:
                self._print(module, file)
            command = self._command
            quoted = shlex.quote(str(path))
            command = command.replace("{}", quoted) if "{}" in command else f"{command} {quoted}"
            code = _run(command, self._timeout)
        if code in NO_SUCH_COMMAND and str(code) != self._interesting:
            raise XlaError(f"--test: the shell cannot run '{self._command}' (code {code})")
        return code


def _run(command: str, timeout: float) -> int | None:
    """The code that a command of the shell ends with, None where that takes too long; nothing it started stays."""
    process = subprocess.Popen(
        command,
        shell=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def _as_shells_say(code: int) -> int:
    """Of a command that a signal has ended 128 and the number of that."""
    return 128 - code if code < 0 else code


def reduced_text(module: ModuleOp, args: argparse.Namespace) -> str:
    """What `--reduce` prints for a module. Raises `XlaError` where the test does not find that interesting."""

    def print_module(module: ModuleOp, stream: IO[str]) -> None:
        ExactPrinter(stream, print_generic_format=args.print_op_generic).print_op(module)
        stream.write("\n")

    verify_module(module)
    test = CommandTest(args.test, args.interesting, args.test_timeout, print_module)
    code = test.code(module)
    if not test.is_code_interesting(code):
        ended = f"did not end within {args.test_timeout:g} seconds"
        if code is not None:
            ended = f"ended with code {_as_shells_say(code)}"
        raise XlaError(
            f"the program as it is is not interesting: the command {ended} (--interesting {args.interesting})"
        )
    before = count_ops(module)
    with Progress(f"reducing {args.input_file or 'standard input'}") as progress:
        reduction = reduce_module(
            module, test, seconds=args.reduce_timeout, report=lambda size: progress.say(str(size))
        )
    print(summary(before, reduction), file=sys.stderr)
    if reduction.ended == "least" and not all(
        test.is_code_interesting(test.code(reduction.module)) for _ in range(AGAIN)
    ):
        print("warning: the command does not always find this program interesting", file=sys.stderr)
    output = io.StringIO()
    print_module(reduction.module, output)
    return output.getvalue()


def summary(before: int, reduction: Reduction) -> str:
    """One line on what a reduction has come to."""
    size = reduction.size
    how = {"least": "", "time": "; the time is over", "interrupted": "; interrupted"}[reduction.ended]
    return f"reduced from {before} to {size.ops} ops, {size.tried} programs tried{how}"
