"""How a process ends that uses MPI: by itself, with MPI, or at once; here with functions in the place of MPI's."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

PRELUDE = """
import os, sys, time
from xdsl_xla.runtime.devices.mpi.ending import Ending
from xdsl_xla.runtime.devices.mpi.starting import LastingThread

thread = LastingThread("MPI")
ending = Ending(thread, lambda: False, lambda: print("finalized"), lambda code: print("abort", code))
ending.steps.append(lambda error: print("step", repr(error)))
"""

SOON = 20
"""Seconds within which a process is over that must not wait; what it would wait for takes longer."""


def ended(code: str) -> tuple[int, str]:
    """The exit code of a process that runs `code` with an `ending`, and what it prints."""
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + code],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert time.monotonic() - start < SOON
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", (0, "step None\nfinalized\n")),
        ("ending.is_foreign = True", (0, "step None\n")),
        ("ending.fail(9)", (0, "step None\n")),
        ("ending.fail(9); ending.is_foreign = True", (1, "step None\n")),
        ("ending.fail(9); sys.exit(3)", (3, "step None\n")),
        ("1 / 0", (1, "step ZeroDivisionError('division by zero')\n")),
        ("raise KeyboardInterrupt", (130, "step KeyboardInterrupt()\n")),
        ("ending.end(1)", (0, "step None\nfinalized\n")),
        ("ending.fail(9); ending.are_others_missing = True", (0, "step None\nabort 1\n")),
        ("ending.fail(9); ending.are_others_missing = True; thread.start(lambda: time.sleep(60))", (1, "")),
    ],
)
def test_what_is_done(code: str, expected: tuple[int, str]) -> None:
    assert ended(code) == expected


def test_others_have_time_where_nothing_can_be_told() -> None:
    code = """
ending.steps.clear()
ending.is_foreign = True
start = time.monotonic()
os._exit = lambda code: print(code, time.monotonic() - start > 0.7)
1 / 0
"""
    assert ended(code) == (1, "1 True\n")


def test_others_that_are_late_have_their_time() -> None:
    code = """
ending.steps.clear()
ending.fail(2)
ending.are_others_missing = True
start = time.monotonic()
ending._abort = lambda code: print(code, time.monotonic() - start > 1.5)
"""
    assert ended(code) == (0, "1 True\n")


FOREIGN = """
import types
from xdsl_xla.runtime.devices.mpi import library

atexit = library.atexit
atexit.unregister(ending._at_exit)
sys.modules["mpi4py.MPI"] = types.SimpleNamespace(Is_initialized=lambda: {}, Is_finalized=lambda: False)
atexit.register(print, "left")
atexit.unregister(library._at_exit)
atexit.register(library._at_exit)
"""
"""mpi4py has started MPI, or not, and we have not. What is printed at the end is not, where the process leaves."""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", (0, "left\n")),
        ("1 / 0", (1, "")),
        ("raise KeyboardInterrupt", (130, "")),
        ("sys.modules['mpi4py.run'] = sys; 1 / 0", (1, "left\n")),
        ("library._started.append(None); 1 / 0", (1, "left\n")),
    ],
)
def test_a_process_that_fails_before_anything_of_ours_has_started(code: str, expected: tuple[int, str]) -> None:
    assert ended(FOREIGN.format(True) + code) == expected
    assert ended(FOREIGN.format(False) + code)[1] == "left\n"


def test_mpi_that_was_ended_is_left_alone() -> None:
    assert ended("ending._is_finalized = lambda: True; ending.fail(9); ending.is_foreign = True") == (0, "")


def test_nobody_waits_for_a_start_that_does_not_end() -> None:
    assert ended("thread.start(lambda: time.sleep(60)); print('last words')") == (1, "last words\n")


def test_a_step_that_does_not_return() -> None:
    code = "ending.is_foreign = {}; ending.steps.append(lambda _: time.sleep(60)); ending.fail(0.2)"
    assert ended(code.format(True)) == ended(code.format(False)) == (1, "step None\n")


def test_an_abort_that_does_not_return() -> None:
    code = "ending.fail(0); ending.are_others_missing = True; ending._abort = lambda _: time.sleep(60)"
    assert ended(code) == (1, "step None\n")


def test_a_failure_that_is_heard_of_at_the_end() -> None:
    """The program here has seen nothing wrong: without an exit code of its own the job would seem to be well."""
    code = "ending.steps.append(lambda _: setattr(ending, 'has_failed', True))"
    assert ended(code) == ended(code + "; ending.end(1)") == (1, "step None\n")


def test_a_step_that_fails() -> None:
    """What comes after it may not wait."""
    code = "ending.is_foreign = True; ending.steps.insert(0, lambda _: 1 / 0)"
    assert ended(code) == (1, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_forked_process_says_nothing() -> None:
    code = "child = os.fork()\nif child:\n    os.waitpid(child, 0)"
    assert ended(code) == (0, "step None\nfinalized\n")
