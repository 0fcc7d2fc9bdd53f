"""Exchanges between processes: values of every size, and what each process is told when something is wrong."""

from __future__ import annotations

import re
import time

import pytest

from .conftest import Ended, Job

PRELUDE = """
import sys, time
import numpy as np
from xdsl_xla.errors import XlaError
from xdsl_xla.reference.processes import Terms
from xdsl_xla.runtime.devices.mpi.job import gathering
from xdsl_xla.runtime.devices.mpi.transport import MpiTransport

TIMEOUT = 2.0
transport = MpiTransport(TIMEOUT)
transport.place(range(transport.size))
rank, members = transport.rank, tuple(range(transport.size))

def plan(size, key="key", place="file.mlir:3:4", **agreed):
    return transport.plan(rank, gathering(key, members, rank, Terms("stablehlo.all_reduce", agreed, place), [size]))

def exchange(plan, size):
    operand, result = np.full(size, rank + 1, np.uint8), np.zeros((len(members), size), np.uint8)
    transport.exchange(rank, plan, [operand], [result])
    assert (result == np.array(members, np.uint8)[:, None] + 1).all()

def guarded(function):
    try:
        function()
        say("PASSED", rank)
    except XlaError as error:
        say(f"RAISED {rank} {type(error).__name__} {error}")
    except Exception as error:
        transport.fail(rank, error)
        say(f"OTHER {rank} {error!r}")
    transport.leave(1)
"""


SOON = 70
"""The longest a job may take, in seconds: on a busy machine most of it is the start of the processes."""


def messages(done: Ended) -> dict[int, str]:
    """By process, what it has raised."""
    return {int(rank): text for rank, text in re.findall(r"^RAISED (\d+) (.*)$", done.said, re.MULTILINE)}


@pytest.mark.parametrize("processes", [2, 4])
def test_values_of_every_size(processes: int, script: Job) -> None:
    code = """
def run():
    for size in (0, 1, 1000, 8192, 8193, 1 << 20):
        this = plan(size, key=str(size))
        for _ in range(20):
            exchange(this, size)
guarded(run)
"""
    done = script(processes, PRELUDE + code)
    assert done.code == 0 and done.said.count("PASSED") == processes, done.output


@pytest.mark.parametrize("processes", [2, 4])
def test_a_process_that_does_not_come(processes: int, script: Job) -> None:
    code = """
def run():
    if rank == 1:
        time.sleep(TIMEOUT + 1.5)
    else:
        start = time.monotonic()
        try:
            exchange(plan(8), 8)
        finally:
            assert time.monotonic() - start < TIMEOUT + 1
guarded(run)
"""
    found = messages(script(processes, PRELUDE + code))
    assert sorted(found) == [rank for rank in range(processes) if rank != 1]
    for rank, message in found.items():
        assert "did not come: (1, 0), of which nothing was heard" in message
        assert f"came: {', '.join(str((r, 0)) for r in sorted({*found}))}" in message or "cannot go on" in message
        assert "file.mlir:3:4: 'stablehlo.all_reduce' op" in message and f"process ({rank}, 0)" in message
    assert any("has waited 2 seconds in key" in message for message in found.values())


@pytest.mark.parametrize("sizes", ["8, 8", "8, 1 << 20", "1 << 20, 8", "1 << 20, 1 << 21"])
def test_other_terms(sizes: str, script: Job) -> None:
    code = f"""
def run():
    size = ({sizes})[rank]
    exchange(plan(size, operands=f"tensor<{{size + rank}}xi8>", place=f"file.mlir:{{rank}}:1"), size)
guarded(run)
"""
    done = script(2, PRELUDE + code)
    found = messages(done)
    assert sorted(found) == [0, 1] and done.seconds < SOON
    for rank, message in found.items():
        assert message.startswith(f"InvalidProgramError file.mlir:{rank}:1: 'stablehlo.all_reduce' op"), message
        assert f"meets process ({1 - rank}, 0) with other operands" in message
        assert message.endswith(f"at file.mlir:{1 - rank}:1")


def test_another_order(script: Job) -> None:
    code = """
def run():
    plans = [plan(8, key) for key in ("first", "second")]
    for this in plans if rank == 0 else reversed(plans):
        exchange(this, 8)
guarded(run)
"""
    found = messages(script(2, PRELUDE + code))
    assert "did not come: (1, 0), which waits in second at file.mlir:3:4" in found[0]
    assert "did not come: (0, 0), which waits in first at file.mlir:3:4" in found[1]


def test_what_has_failed_elsewhere_is_told_at_once(script: Job) -> None:
    code = """
def run():
    if rank == 1:
        time.sleep(0.3)
        raise ValueError("no more memory")
    exchange(plan(8), 8)
guarded(run)
"""
    done = script(4, PRELUDE.replace("TIMEOUT = 2.0", "TIMEOUT = 90.0") + code)
    found = messages(done)
    assert sorted(found) == [0, 2, 3] and done.seconds < SOON
    for message in found.values():
        assert "did not come: (1, 0), which has failed: no more memory" in message


def test_a_program_that_has_ended(script: Job) -> None:
    code = """
def run():
    if rank == 0:
        exchange(plan(8), 8)
    else:
        transport.close()
        time.sleep(TIMEOUT + 1)
guarded(run)
"""
    found = messages(script(2, PRELUDE + code))
    assert "did not come: (1, 0), whose program has ended" in found[0]


def test_a_process_that_is_killed(script: Job) -> None:
    """The launcher ends the others, or they end within the time limit."""
    code = """
def run():
    this = plan(8)
    exchange(this, 8)
    if rank == 1:
        os.kill(os.getpid(), 9)
    exchange(this, 8)
guarded(run)
"""
    done = script(4, PRELUDE + code)
    assert done.code != 0 and done.seconds < SOON


@pytest.mark.parametrize("processes", [2, 3])
def test_killed_in_the_middle_of_a_large_exchange(processes: int, script: Job) -> None:
    """After its header and before its operand has been taken."""
    code = """
def run():
    this = plan(1 << 22)
    exchange(this, 1 << 22)
    if rank == 1:
        transport._end = lambda *_: os.kill(os.getpid(), 9)
    exchange(this, 1 << 22)
    say("TAKEN", rank)  # everything was there in time
    exchange(this, 1 << 22)
guarded(run)
"""
    done = script(processes, PRELUDE + code, unseen=True)
    found = messages(done)
    assert done.seconds < SOON and sorted(found) == [rank for rank in range(processes) if rank != 1]
    everybody = ", ".join(str((rank, 0)) for rank in range(processes))
    taken = set(map(int, re.findall(r"^TAKEN (\d+)$", done.said, re.MULTILINE)))
    for rank, message in found.items():
        if "MPI fails there" in message:  # it has looked at memory of the process that is gone
            assert "nothing was heard of (1, 0)" in message
        elif rank in taken:
            assert "did not come: (1, 0), of which nothing was heard" in message
        else:
            assert f"came: {everybody}; did not go on: " in message and "(1, 0), of which nothing was heard" in message


MAIL = """
from xdsl_xla.runtime.devices.mpi.mail import Mail
mail, terms = Mail(transport), Terms("stablehlo.send", {}, None)
"""


def test_letters_of_all_sizes_come_in_order(script: Job) -> None:
    code = """
def run():
    sizes = [1 << 22, 3, 1 << 20, 0, 1 << 23, 1]
    if rank == 0:
        for number, size in enumerate(sizes):
            mail.send(1, "channel", np.full(size, number, np.int32), terms)
        mail.receive(0, "done", "an answer", None)
    else:
        for number, size in enumerate(sizes):
            _, value = mail.receive(1, "channel", "a letter", None)
            assert value.shape == (size,) and (value == number).all()
        mail.send(0, "done", np.zeros(1, np.int32), terms)
guarded(run)
"""
    done = script(2, PRELUDE + MAIL + code)
    assert sorted(done.said.split("\n")[:2]) == ["PASSED 0", "PASSED 1"], done.output


def test_killed_in_the_middle_of_a_large_letter(script: Job) -> None:
    """What it says is known of the letter does not come any more."""
    code = """
def run():
    if rank == 1:
        mail.send(0, "channel", np.ones(1 << 25, np.int32), terms)
        os.kill(os.getpid(), 9)
    time.sleep(1)
    mail.receive(0, "channel", "a letter", "file.mlir:3:4")
guarded(run)
"""
    done = script(2, PRELUDE + MAIL + code, unseen=True)
    (message,) = messages(done).values()
    assert done.seconds < SOON and "file.mlir:3:4" in message and "for a letter" in message
    assert "nothing was heard of (1, 0)" in message or "(1, 0), of which nothing was heard" in message


def test_ctrl_c_in_one_process_ends_all(script: Job) -> None:
    code = """
import signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
def run():
    if rank == 1:
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            exchange(plan(8), 8)
        except KeyboardInterrupt as error:
            transport.fail(rank, error)
            say("INTERRUPTED")
    elif rank == 0:
        exchange(plan(8), 8)
    else:
        while not transport.notices.heard:
            time.sleep(0.01)
            transport.notices.read()
guarded(run)
"""
    done = script(3, PRELUDE.replace("TIMEOUT = 2.0", "TIMEOUT = 90.0") + code)
    assert "INTERRUPTED" in done.said and done.seconds < SOON
    assert "cannot go on in key" in messages(done)[0]


def test_not_all_processes_make_a_transport(script: Job) -> None:
    code = """
import os, time
from xdsl_xla.errors import ProgramTimeoutError
from xdsl_xla.runtime.devices.mpi.library import mpi_library
from xdsl_xla.runtime.devices.mpi.transport import MpiTransport
library = mpi_library()
if library.rank(library.world) == 0:
    try:
        MpiTransport(1.0)
    except ProgramTimeoutError as error:
        say(f"RAISED 0 {error}")
else:
    time.sleep(2.5)
os._exit(0)
"""
    start = time.monotonic()
    done = script(2, code)
    assert messages(done) == {0: "not all processes of the job have come within 1 seconds"}
    assert time.monotonic() - start < 20
