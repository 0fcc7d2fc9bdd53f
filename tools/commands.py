"""The commands that are installed: what each of them is, imported where Ctrl-C ends it quietly from the start."""

from __future__ import annotations

import os
import sys
from importlib import import_module

INTERRUPTED = 130
"""What shells call the status of a command that Ctrl-C has ended."""


def xla_opt() -> int:
    """Run passes on a file."""
    return _run("xla_opt")


def xla_run() -> int:
    """Compile a program and execute, check or time it."""
    return _run("xla_run")


def xla_compile() -> int:
    """Compile a program ahead of time."""
    return _run("xla_compile")


def xla_lsp() -> int:
    """Serve an editor."""
    return _run("xla_lsp")


def _run(module: str) -> int:
    try:
        main = import_module(f".{module}", __package__).main
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr, flush=True)
        os._exit(INTERRUPTED)  # half of a module is imported: nothing of it may run at exit
    return main()
