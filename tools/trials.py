"""Code that is not of this package, tried in a forked process first: it may end the process, or never end."""

from __future__ import annotations

import faulthandler
import os
import select
import signal
from collections.abc import Callable
from typing import NoReturn

from .isolated_runs import PATIENCE_SECONDS, ending

DONE = b"."
"""What the child says when it has come back from the function."""


def trial_of(function: Callable[[], object], patience: float = PATIENCE_SECONDS) -> str:
    """How `function` ends the process, if it does, or that it does not end; what it raises is not told. Nothing where
    a process cannot fork.
    """
    if not hasattr(os, "fork"):
        return ""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _try_in_child(function, writing)
    os.close(writing)
    with open(reading, "rb", buffering=0) as pipe:
        is_over = bool(select.select([pipe], [], [], patience)[0])
        if not is_over:
            os.kill(child, signal.SIGKILL)
        came_back = pipe.read(1) == DONE
    _, status = os.waitpid(child, 0)
    if not is_over:
        return f"does not end within {patience:g} seconds"
    return "" if came_back else ending(os.waitstatus_to_exitcode(status))


def _try_in_child(function: Callable[[], object], writing: int) -> NoReturn:
    faulthandler.disable()
    silent = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silent, stream)
    try:
        function()
    except BaseException:
        pass
    os.write(writing, DONE)
    os._exit(0)
