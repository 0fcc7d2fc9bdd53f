"""Threads in LLVM: what a signal interrupts leaves no lock held and no thread waited for."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import llvmlite.binding  # pyright: ignore[reportMissingTypeStubs]
import pytest
from script_processes import run_script
from xdsl_xla.dialects.llvm_parts import Part
from xdsl_xla.runtime.engine import compile_objects
from xdsl_xla.runtime.llvm_threads import gate, settled
from xdsl_xla.runtime.llvm_workers import workers

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
