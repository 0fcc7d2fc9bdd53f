"""The commands that are installed: what each of them is, imported where Ctrl-C ends it quietly from the start."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
from importlib import import_module
from typing import NoReturn

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
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # not where Ctrl-C is ignored
        signal.signal(signal.SIGINT, _end)
    try:
        main = import_module(f".{module}", __package__).main
    except (ImportError, OSError, MemoryError) as error:
        # Not before: until the handler stands there is nothing but what is needed for it.
        from ..tracebacks import debug_requested
        from .loading_failures import loading_failure

        if debug_requested() or (problem := loading_failure(error)) is None:
            raise
        os.write(2, f"error: {problem}\n".encode())
        return 1
    signal.signal(signal.SIGINT, before)
    if sys.stderr is not None:
        faulthandler.enable()  # a pass or a function of a user that ends the process is named, with its line
    return main()


def _end(number: int, frame: object) -> NoReturn:
    """End at once: half of a module is imported, of which nothing may run at exit, and what an exception would become
    on its way through C code nobody knows.
    """
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
