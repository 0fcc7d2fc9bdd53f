"""Scenarios that run in a process of their own."""

from __future__ import annotations

import os
import textwrap

from warm_python import run_python

HANDLER = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


def run_script(prelude: str, code: str, **variables: str) -> str:
    """Run `prelude` and then `code`, which is dedented, with these environment variables; what stands on stderr.

    The code has to print DONE at its end. Ctrl-C is a `KeyboardInterrupt` there, also where these tests run in the
    background and ignore it.
    """
    done = run_python(HANDLER + prelude + textwrap.dedent(code), os.environ | variables)
    assert done.returncode == 0 and "DONE" in done.stdout, done.stdout + done.stderr
    return done.stderr
