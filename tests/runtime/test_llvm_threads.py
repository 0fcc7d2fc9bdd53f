"""Threads in LLVM: what a signal interrupts leaves no lock held and no thread waited for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]
import pytest
from script_processes import run_script
from xdsl_xla.dialects.llvm_parts import Part
from xdsl_xla.runtime.engine import compile_objects
from xdsl_xla.runtime.llvm_threads import Workers, gate, results_of, settled, workers

PARTS = [Part(f"define i32 @f{number}() {{ ret i32 {number} }}") for number in range(3)]


_FFI: Any = llvmlite.binding.ffi

LLVMLITE = _FFI.lib.LLVMPY_ParseAssembly._lock


def hold_as_an_interrupted_call() -> None:
    """As if a signal had come in the midst of `__enter__` of each."""
    LLVMLITE.__enter__()
    gate.__enter__()


def is_free() -> bool:
    """Whether other threads can use LLVM, and fork."""

    def use() -> None:
        llvmlite.binding.create_context()
        if hasattr(os, "fork"):
            child = os.fork()
            if not child:
                os._exit(0)
            os.waitpid(child, 0)

    thread = threading.Thread(target=use, daemon=True)
    thread.start()
    thread.join(20)
    return not thread.is_alive()


def in_another_thread(number: int) -> int:
    """What only a worker computes."""
    return number + 1


def test_jobs_are_computed_once_and_in_order() -> None:
    by = list[int]()

    def compute(number: int) -> int:
        by.append(number)
        return number * 2

    pool = Workers(2)
    jobs = [pool.submit(compute, number) for number in range(50)]
    assert results_of(jobs) == [2 * number for number in range(50)]
    assert sorted(by) == list(range(50))


def test_no_worker_runs_what_is_cancelled() -> None:
    pool = Workers(1)
    busy, go_on = threading.Event(), threading.Event()

    def wait() -> bool:
        busy.set()
        return go_on.wait(60)

    blocker, other = pool.submit(wait), pool.submit(in_another_thread, 1)
    assert busy.wait(60)
    assert not blocker.cancel() and other.cancel() and not other.cancel()
    go_on.set()
    assert blocker.result()


def test_what_a_worker_raises_is_raised_for_the_one_that_waits() -> None:
    pool, begun = Workers(1), threading.Event()

    def fail() -> None:
        begun.set()
        raise ZeroDivisionError("on purpose")

    job = pool.submit(fail)
    assert begun.wait(60)
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        results_of([job])
    again = threading.Event()
    assert pool.submit(again.set).cancel() or again.wait(60)  # the thread has gone on


def test_without_workers_the_caller_computes() -> None:
    pool = Workers(0)
    assert results_of([pool.submit(in_another_thread, number) for number in range(3)]) == [1, 2, 3]


def test_what_is_compiled_at_the_end_of_python() -> None:
    code = """
import atexit
from xdsl_xla.dialects.llvm_parts import Part
from xdsl_xla.runtime.engine import compile_objects
def compile():
    return compile_objects([Part(f"define i32 @f{number}() {{ ret i32 {number} }}") for number in range(3)], jobs=2)
atexit.register(lambda: print(len(compile())))
compile()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("3\n", "")


def test_few_threads_start() -> None:
    before = threading.enumerate()
    pool = Workers(3)
    for _ in range(200):
        results_of([pool.submit(in_another_thread, number) for number in range(5)])
    assert len([thread for thread in threading.enumerate() if thread not in before]) <= 5


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_an_interrupted_call_of_llvmlite_holds_no_lock(jobs: int) -> None:
    hold_as_an_interrupted_call()
    workers.cache_clear()
    assert len(compile_objects(PARTS, jobs=jobs)) == 3
    assert is_free()
    with pytest.raises(KeyboardInterrupt), settled():
        hold_as_an_interrupted_call()
        raise KeyboardInterrupt
    assert is_free()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_a_fork_waits_for_those_in_llvm() -> None:
    entered, leave, order = threading.Event(), threading.Event(), list[str]()

    def inside() -> None:
        with gate:
            entered.set()
            leave.wait(60)
            order.append("left")

    def fork() -> None:
        child = os.fork()
        if not child:
            os._exit(not is_free())
        order.append("forked")
        assert os.waitpid(child, 0)[1] == 0

    threads = [threading.Thread(target=inside), threading.Thread(target=fork)]
    threads[0].start()
    assert entered.wait(60)
    threads[1].start()
    threading.Timer(0.05, leave.set).start()
    for thread in threads:
        thread.join()
    assert order == ["left", "forked"]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers that send signals")
def test_interrupted_compilations_end_with_their_process() -> None:
    """Of 20 processes with a pool of Python's own, 10 waited for ever at their end, or in a later compilation."""
    run_script(
        """
import random, sys
import xdsl_xla

class Alarm(Exception): pass

def raise_alarm(number, frame):
    raise Alarm

def text(size):
    t = f"tensor<{size}x{size}xf32>"
    return f'''func.func @main(%0: {t}) -> {t} {{
      %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}
      %2 = stablehlo.tanh %1 : {t}
      return %2 : {t} }}'''

def interrupted(size, rng):
    signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.0005, 0.06))
    xdsl_xla.compile(text(size), threads=2, cache=False)
    signal.setitimer(signal.ITIMER_REAL, 0)
""",
        """
        sys.unraisablehook = lambda _: None  # what is raised while an object is destroyed goes no further
        signal.signal(signal.SIGALRM, raise_alarm)
        rng, alarms = random.Random(7), 0
        for size in range(40):
            try:
                interrupted(size + 1, rng)
            except Alarm:
                alarms += 1
        assert alarms > 5
        signal.setitimer(signal.ITIMER_REAL, 0)
        xdsl_xla.compile(text(100), threads=2, cache=False)
        print("DONE")
        """,
    )
