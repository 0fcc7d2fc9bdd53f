"""`run_on_mpi` in jobs in which something goes wrong: what each process says, and how soon all have ended."""

from __future__ import annotations

import re
import time
from typing import NamedTuple

import pytest

from .conftest import Ended, Job

DEFINITIONS = """
import signal, sys, threading, time
import numpy as np
import xdsl_xla
from xdsl_xla.runtime.devices.mpi.run import transport_of

LIMIT = {limit}

def program(op="add", size=2):
    return xdsl_xla.compile(f'''
    func.func @main(%x: tensor<{{size}}xf32>) -> tensor<{{size}}xf32> {{{{
      %0 = "stablehlo.all_reduce"(%x) <{{{{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}}}> ({{{{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %1 = stablehlo.{{op}} %a, %b : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }}}}) : (tensor<{{size}}xf32>) -> tensor<{{size}}xf32>
      return %0 : tensor<{{size}}xf32>
    }}}}''', filename="model.mlir", replicas=2)

def prepared(*what):
    this = program(*what)
    arguments = [[np.ones(this.signature.inputs[0].shape, np.float32)]]
    return lambda: xdsl_xla.run_on_mpi(this, arguments, collective_timeout=LIMIT)

def guarded(*what):
    expecting(prepared(*what))

def expecting(call):
    start = time.monotonic()
    try:
        call()
    except BaseException as error:
        say(f"RAISED {{rank}} {{time.monotonic() - start:.3f}} {{type(error).__name__}} {{error}}")
        raise
"""


PRELUDE = (
    DEFINITIONS
    + """
prepared()()
rank = transport_of(2, 1, LIMIT, None).rank
say("READY", rank, time.monotonic())
"""
)
"""Its processes have run a program together when they go on."""


SLACK = 6
"""How many seconds later than its limit a process may raise its error; half a minute of waiting is far from that."""


SOON = 60
"""How many seconds after its start a job has to have ended."""


class Raised(NamedTuple):
    """What a process has raised."""

    seconds: float
    """After the call."""
    error: str


def raised(done: Ended) -> dict[int, Raised]:
    rows = re.findall(r"^RAISED (\d+) ([\d.]+) (.*)$", done.said, re.MULTILINE)
    return {int(rank): Raised(float(seconds), error) for rank, seconds, error in rows}


def seconds_after_start(done: Ended) -> float:
    """How long the job has taken from when its processes had run a program together."""
    starts = [float(text) for text in re.findall(r"^READY \d+ ([\d.]+)$", done.said, re.MULTILINE)]
    return time.monotonic() - min(starts)


def code(limit: float, text: str) -> str:
    return PRELUDE.format(limit=limit) + text


IMPORTS = pytest.mark.parametrize("start", ["", "from mpi4py import MPI\n"], ids=["ours", "mpi4py"])
"""Who starts MPI."""


@IMPORTS
def test_a_late_process(start: str, script: Job) -> None:
    """The one that waits says so in time, and ends, though the other one has not come yet."""
    if start:
        pytest.importorskip("mpi4py")
    done = script(2, start + code(2, "time.sleep(90) if rank else guarded()"))
    (found,) = raised(done).values()
    assert found.seconds < 2 + SLACK and seconds_after_start(done) < SOON, done.output
    assert "ProgramTimeoutError" in found.error and "process (0, 0) has waited 2 seconds in" in found.error
    assert "did not come: (1, 0), of which nothing was heard" in found.error


def test_a_killed_process(script: Job) -> None:
    done = script(2, code(2, "os.kill(os.getpid(), 9) if rank else guarded()"), unseen=True)
    (found,) = raised(done).values()
    assert found.seconds < 2 + SLACK and seconds_after_start(done) < SOON, done.output
    assert "did not come: (1, 0), of which nothing was heard" in found.error


def test_a_killed_process_of_a_job_that_is_ended(script: Job) -> None:
    """Launchers end all processes."""
    done = script(2, code(2, "os.kill(os.getpid(), 9) if rank else guarded()"))
    assert done.code != 0 and seconds_after_start(done) < SOON


@IMPORTS
def test_a_process_whose_program_has_ended(start: str, script: Job) -> None:
    """It ends with the one that waits for it, though no launcher ends it: MPI's own end would wait for both."""
    if start:
        pytest.importorskip("mpi4py")
    done = script(2, start + code(2, "if not rank:\n    guarded()"), unseen=True)
    (found,) = raised(done).values()
    assert found.seconds < 2 + SLACK and seconds_after_start(done) < SOON, done.output
    assert "did not come: (1, 0), whose program has ended" in found.error


@pytest.mark.parametrize(
    ("fault", "unseen"),
    [("os.kill(os.getpid(), 9)", True), ("time.sleep(90)", False), ("None", True), ("sys.exit(3)", True)],
    ids=["killed", "late", "ended", "exited"],
)
def test_a_process_that_is_gone_before_the_first_run(fault: str, unseen: bool, script: Job) -> None:
    """MPI was started by mpi4py, which ends it after Python's exit handlers, and waits for all."""
    pytest.importorskip("mpi4py")
    text = f"""
from mpi4py import MPI
rank = MPI.COMM_WORLD.rank
say("READY", rank, time.monotonic())
MPI.COMM_WORLD.Barrier()
{fault} if rank else guarded()
"""
    done = script(2, DEFINITIONS.format(limit=2) + text, unseen=unseen)
    (found,) = raised(done).values()
    assert found.seconds < 2 + SLACK and seconds_after_start(done) < SOON, done.output
    assert "not all processes of the job have come within 2 seconds" in found.error


@pytest.mark.parametrize("fault", ["ValueError", "KeyboardInterrupt"])
def test_a_process_that_fails_before_the_first_run(fault: str, script: Job) -> None:
    """As above: it ends by itself, though it has no way to tell the others and no launcher ends it."""
    pytest.importorskip("mpi4py")
    text = f"""
from mpi4py import MPI
from xdsl_xla import run_on_mpi
rank = MPI.COMM_WORLD.rank
say("READY", rank, time.monotonic())
MPI.COMM_WORLD.Barrier()
if rank:
    raise {fault}
guarded()
"""
    done = script(2, DEFINITIONS.format(limit=2) + text, unseen=True)
    (found,) = raised(done).values()
    assert found.seconds < 2 + SLACK and seconds_after_start(done) < SOON, done.output
    assert "not all processes of the job have come within 2 seconds" in found.error


def test_a_failed_process_that_had_other_time_limits_before(script: Job) -> None:
    """The longest of them is not how long it stays."""
    start = "from xdsl_xla.runtime.devices.mpi.run import transport_of\ntransport_of(2, 1, 100.0, None)\n"
    done = script(2, start + code(2, "os.kill(os.getpid(), 9) if rank else guarded()"), unseen=True)
    (found,) = raised(done).values()
    assert found.seconds < 2 + SLACK and seconds_after_start(done) < SOON, done.output
    assert "ProgramTimeoutError" in found.error


def test_killed_in_a_large_reduction(script: Job) -> None:
    """Who came and did not go on is named, wherever that was."""
    text = """
if rank:
    threading.Timer(0.5, lambda: os.kill(os.getpid(), 9)).start()
while True:
    guarded("add", 1 << 22)
"""
    done = script(2, code(2, text), unseen=True)
    (found,) = raised(done).values()
    assert found.seconds < 2 + SLACK and seconds_after_start(done) < SOON, done.output
    # MPI fails where it has looked at memory of the process that is gone.
    quiet = "nothing was heard of (1, 0)" if "MPI fails there" in found.error else "(1, 0), of which nothing was heard"
    assert quiet in found.error


@IMPORTS
def test_an_exception_anywhere_is_told_at_once(start: str, script: Job) -> None:
    """Not only one of a program."""
    if start:
        pytest.importorskip("mpi4py")
    text = "if rank:\n    time.sleep(0.5)\n    raise ValueError('no more memory')\nguarded()"
    done = script(2, start + code(90, text))
    (found,) = raised(done).values()
    assert found.seconds < 20 and seconds_after_start(done) < SOON
    assert "DeviceFailedError" in found.error and "which has failed: no more memory" in found.error


def test_another_computation(script: Job) -> None:
    done = script(2, code(90, "guarded(('add', 'multiply')[rank])"))
    found = raised(done)
    assert sorted(found) == [0, 1] and seconds_after_start(done) < SOON, done.output
    for rank, (_, error) in found.items():
        assert error.startswith("InvalidProgramError model.mlir:3:7: 'stablehlo.all_reduce' op"), error
        assert f"meets process ({1 - rank}, 0) with other computation" in error


def test_another_shape(script: Job) -> None:
    done = script(2, code(90, "guarded('add', (2, 3)[rank])"))
    found = raised(done)
    assert sorted(found) == [0, 1] and seconds_after_start(done) < SOON, done.output
    assert all("tensor<3xf32>" in error and "tensor<2xf32>" in error for _, error in found.values())


@pytest.mark.parametrize("other", ["guarded()", "time.sleep(90)"], ids=["waits", "computes"])
def test_ctrl_c_in_one_process(other: str, script: Job) -> None:
    text = f"""
if rank:
    {other}
else:
    threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    while True:
        guarded()
"""
    done = script(2, code(90, text))
    found = raised(done)
    assert "KeyboardInterrupt" in found[0].error and found[0].seconds < 20, done.output
    assert seconds_after_start(done) < SOON
    if other == "guarded()" and 1 in found:
        assert "DeviceFailedError" in found[1].error or "KeyboardInterrupt" in found[1].error


OFTEN = """
call = prepared()
for _ in range(20):
    call()
"""
"""After so many calls machine code makes them."""


def test_an_exception_is_told_to_a_program_that_was_called_often(script: Job) -> None:
    done = script(2, code(90, OFTEN + "if rank:\n    time.sleep(0.5)\n    raise ValueError('mine')\nexpecting(call)"))
    (found,) = raised(done).values()
    assert found.seconds < 20 and seconds_after_start(done) < SOON, done.output
    assert "DeviceFailedError model.mlir:3:7" in found.error and "which has failed: mine" in found.error


def test_ctrl_c_in_a_program_that_was_called_often(script: Job) -> None:
    """The main thread waits in machine code, and runs the handlers of signals there."""
    text = """
if rank:
    time.sleep(2)
    expecting(call)
else:
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    expecting(call)
"""
    done = script(2, code(90, OFTEN + text))
    found = raised(done)
    assert "KeyboardInterrupt" in found[0].error and found[0].seconds < 20, done.output
    assert seconds_after_start(done) < SOON


def test_handlers_of_signals_run_in_a_program_that_waits(script: Job) -> None:
    """One that returns lets it go on."""
    text = """
if rank:
    time.sleep(1)
else:
    signal.signal(signal.SIGALRM, lambda *_: say("HANDLED"))
    signal.setitimer(signal.ITIMER_REAL, 0.3)
expecting(call)
say("ENDED", rank)
"""
    done = script(2, code(90, OFTEN + text))
    assert done.code == 0 and "HANDLED" in done.said and done.said.count("ENDED") == 2, done.output


@pytest.mark.parametrize("with_mpi4py", [True, False])
def test_mpi_does_not_start_without_all_processes(with_mpi4py: bool, script: Job) -> None:
    text = f"""
import os, sys, time
if not {with_mpi4py}:
    sys.modules["mpi4py"] = None
if (os.environ.get("PMI_RANK") or os.environ.get("OMPI_COMM_WORLD_RANK")) == "1":
    time.sleep(90)
from xdsl_xla.errors import ProgramTimeoutError
from xdsl_xla.runtime.devices.mpi.transport import MpiTransport
for _ in range(2):
    start = time.monotonic()
    try:
        MpiTransport(2.0)
    except ProgramTimeoutError as error:
        say(f"RAISED 0 {{time.monotonic() - start:.3f}} {{error}}")
sys.exit(1)
"""
    done = script(2, text)
    found = raised(done)
    assert done.code != 0 and done.seconds < 70 and done.said.count("RAISED") == 2
    assert found[0].error == "MPI has not started within 2 seconds: not all processes of the job have come"


def test_a_library_for_one_thread_is_refused(script: Job) -> None:
    pytest.importorskip("mpi4py")
    text = """
import mpi4py
mpi4py.rc.thread_level = "single"
from mpi4py import MPI
from xdsl_xla.runtime.devices.mpi.library import MpiError, mpi_library
assert MPI.Query_thread() < MPI.THREAD_SERIALIZED, "GRANTED"
try:
    mpi_library()
except MpiError as error:
    say("RAISED 0 0.0", error)
"""
    done = script(1, text)
    if "GRANTED" in done.output:
        pytest.skip("this library always lets several threads take turns")
    assert "does not let several threads take turns: it grants thread level 0" in raised(done)[0].error, done.output


def test_a_process_that_sees_nothing_wrong_ends_with_the_job(script: Job) -> None:
    """It computes while the other one fails, and hears of it when it comes to an exchange."""
    text = "if rank:\n    raise ValueError('mine')\ntime.sleep(3)\nguarded()"
    done = script(2, code(90, text))
    (found,) = raised(done).values()
    assert found.seconds < SLACK and "which has failed: mine" in found.error
    assert seconds_after_start(done) < SOON
