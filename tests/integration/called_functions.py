"""Which functions of this package lit tests call: a script, since what other tests have cached is not called again.

Takes lit tests, relative to `tests/lit`, and prints for each of them the places of functions, as JSON. A command that
does not end as the test says is an error.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import threading
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from xdsl_xla.pipelines import PASSES, load_pass

ROOT = Path(__file__).resolve().parents[2]
"""As the package names its files, whatever link leads here."""
LIT = ROOT / "tests" / "lit"


def runner() -> Any:
    """The module that runs lit tests in this process."""
    sys.path.insert(0, str(LIT.parent))
    spec = importlib.util.spec_from_file_location("lit_runner", LIT / "conftest.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules["lit_runner"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def called(test: Path, lit: Any) -> list[tuple[str, int]]:
    """File and first line of the functions that the commands of a lit test call, without those that check output."""
    found: set[tuple[str, int]] = set()  # not of code: functions of the same text are equal, wherever they stand

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            found.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        with TemporaryDirectory() as scratch:
            for line in lit.run_lines(test):
                commands = lit.parse_pipe(line, test, Path(scratch)) or ()
                lit.run_pipe(line, [command for command in commands if command.name != "filecheck"])
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    root = f"{ROOT}{os.sep}"
    return sorted((file.removeprefix(root), line) for file, line in found if file.startswith(root))


def main(tests: list[str]) -> None:
    """Each test runs in a fork of this process."""
    lit = runner()
    for name in PASSES:
        load_pass(name)
    for test in tests:
        child = os.fork()
        if not child:
            try:
                print(json.dumps([test, called(LIT / test, lit)]), flush=True)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            sys.exit(f"{test}: the commands fail")


if __name__ == "__main__":
    main(sys.argv[1:])
