"""Which functions of this package lit tests call: a script, since what other tests have cached is not called again.

Takes lit tests, relative to `tests/lit`, and prints for each of them the places of functions, as JSON.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from xdsl_xla.pipelines import PASSES, load_pass

ROOT = Path(__file__).parents[2]
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
    codes: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes.add(frame.f_code)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        for line in lit.run_lines(test):
            data = b""
            for command in lit.parse_pipe(line, test) or ():
                if command.name != "filecheck":
                    _, data, _ = lit.call(command, data)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    root = f"{ROOT}{os.sep}"
    return sorted(
        (code.co_filename.removeprefix(root), code.co_firstlineno)
        for code in codes
        if code.co_filename.startswith(root)
    )


def main(tests: list[str]) -> None:
    """Each test runs in a fork of this process."""
    lit = runner()
    for name in PASSES:
        load_pass(name)
    for test in tests:
        child = os.fork()
        if not child:
            print(json.dumps([test, called(LIT / test, lit)]), flush=True)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
