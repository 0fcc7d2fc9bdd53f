"""Forked processes run programs: those of their parent and new ones, on threads, whatever other threads were doing.

Each test is a process of its own that is killed if it hangs: a fork in pytest's process would inherit its threads.
"""

from __future__ import annotations

import os
import sys

import pytest
from script_processes import run_script
from xdsl_xla.runtime.threads import openmp

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")

PRELUDE = """
import ctypes, faulthandler, multiprocessing, os, signal, sys, threading, time
import numpy as np
import xdsl_xla

SIZE = 400_000
TANH = f'''
  func.func @main(%x: tensor<{SIZE}xf32>) -> tensor<{SIZE}xf32> {{
    %0 = stablehlo.tanh %x : tensor<{SIZE}xf32>
    return %0 : tensor<{SIZE}xf32>
  }}'''
x = np.linspace(-3, 3, SIZE, dtype=np.float32)
tanh = xdsl_xla.compile(TANH, threads=3)

def check(executable=tanh, calls=12):
    for _ in range(calls):
        assert np.allclose(executable(x)[0], np.tanh(x), rtol=1e-5, atol=1e-6)

def threads():
    return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else None

def fork(function):
    '''What `function` does in a forked process, which has 20 seconds for it.'''
    child = os.fork()
    if not child:
        status = 1
        try:
            faulthandler.register(signal.SIGALRM, chain=True)
            signal.alarm(20)
            function()
            status = 0
        finally:
            os._exit(status)
    return child

def join(child):
    _, status = os.waitpid(child, 0)
    assert status == 0, f"the child ended with status {status}"
"""


@pytest.fixture(params=["teams", "openmp"], autouse=True)
def threads_of(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose threads run the parallel loops."""
    monkeypatch.setenv("XDSL_XLA_PARALLEL", request.param)


def run(code: str, **variables: str) -> None:
    run_script(PRELUDE, code, **variables)


def test_a_child_calls_what_its_parent_has_called() -> None:
    run("""
        check()
        join(fork(check))
        check()
        join(fork(lambda: join(fork(check)) or check()))
        check()
        print("DONE")
    """)


@pytest.mark.skipif(openmp() is None or not sys.platform.startswith("linux"), reason="counts OpenMP's threads")
def test_a_child_starts_threads_of_its_own() -> None:
    run("""
        check()
        assert threads() >= 3

        def child():
            assert threads() == 1
            check()
            assert threads() >= 3

        join(fork(child))
        check()
        assert threads() >= 3
        print("DONE")
    """)


def test_a_fork_that_only_the_child_is_told_of_runs_serially() -> None:
    """As by a server in C that embeds Python."""
    run("""
        check()
        libc = ctypes.PyDLL(None)
        child = libc.fork()
        if not child:
            signal.alarm(20)
            ctypes.pythonapi.PyOS_AfterFork_Child()
            check()
            check(xdsl_xla.compile(TANH.replace("@main", "@other"), threads=3, entry="other"))
            os._exit(0)
        join(child)
        check()
        print("DONE")
    """)


def test_children_compile_while_the_parent_compiles() -> None:
    """Locks of LLVM, of its workers and of the compiler are held by threads that the child has not."""
    run(
        """
        stop = threading.Event()
        numbers = iter(range(10**6))

        def text(n):
            t = f"tensor<{n}x{n}xf32>"
            body = "\\n".join(
                f"%{i + 1} = stablehlo.dot_general %{i}, %{i}, contracting_dims = [1] x [0] : ({t}, {t}) -> {t}"
                for i in range(3))
            return f"func.func @main(%0: {t}) -> {t} {{ {body} return %3 : {t} }}"

        def compiling():
            while not stop.is_set():
                xdsl_xla.compile(text(20 + next(numbers)), threads=2)

        workers = [threading.Thread(target=compiling) for _ in range(2)]
        for worker in workers:
            worker.start()

        def child():
            n = 300 + next(numbers)
            (y,) = xdsl_xla.compile(text(n), threads=2)(np.eye(n, dtype=np.float32))
            assert np.array_equal(y, np.eye(n))
            check()

        for _ in range(8):
            time.sleep(0.02)
            join(fork(child))
        stop.set()
        for worker in workers:
            worker.join()
        print("DONE")
        """,
        XDSL_XLA_CACHE="0",
        OMP_NUM_THREADS="3",
    )


def test_forks_from_a_thread_while_others_call() -> None:
    """The frame of a call that another thread is in is free in the child."""
    run("""
        stop = threading.Event()
        check()

        def calling():
            while not stop.is_set():
                tanh(x)

        callers = [threading.Thread(target=calling) for _ in range(2)]
        for caller in callers:
            caller.start()

        def child():
            check()
            call = tanh._call_natively
            assert call is not None and call(x) is not None

        def forking():
            for _ in range(5):
                join(fork(child))
            ended.append(True)

        ended = []
        thread = threading.Thread(target=forking)
        thread.start()
        thread.join()
        stop.set()
        for caller in callers:
            caller.join()
        assert ended
        check()
        print("DONE")
    """)


def test_a_fork_while_a_program_is_given_its_surroundings() -> None:
    run("""
        from xdsl_xla.runtime import executable
        held = threading.Event()

        def holding():
            with executable._entering.current:
                held.set()
                time.sleep(3)

        xdsl_xla.custom_call("double")(lambda x: 2 * x)
        double = xdsl_xla.compile('''
          func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
            %0 = stablehlo.custom_call @double(%x) : (tensor<3xf32>) -> tensor<3xf32>
            return %0 : tensor<3xf32>
          }''')
        threading.Thread(target=holding, daemon=True).start()
        held.wait()

        def child():
            start = time.monotonic()
            assert double.with_environment(double.environment)(np.ones(3, np.float32))[0].tolist() == [2, 2, 2]
            assert time.monotonic() - start < 2

        join(fork(child))
        print("DONE")
    """)


def test_a_fork_while_a_thread_has_a_deep_stack() -> None:
    """The child has a lock, a count and a limit of recursion of its own."""
    run("""
        from xdsl_xla import nesting
        limit, held, over = sys.getrecursionlimit(), threading.Event(), threading.Event()

        def deep():
            with nesting._lock.current:
                held.set()
                over.wait()

        thread = threading.Thread(target=nesting.in_deep_thread, args=[deep])
        thread.start()
        held.wait()
        assert sys.getrecursionlimit() == nesting.DEEP_CALLS

        def child():
            assert sys.getrecursionlimit() == limit
            assert nesting.in_deep_thread(sys.getrecursionlimit) == nesting.DEEP_CALLS
            assert sys.getrecursionlimit() == limit

        join(fork(child))
        over.set()
        thread.join()
        assert sys.getrecursionlimit() == limit
        print("DONE")
    """)


def test_a_pool_of_forked_processes() -> None:
    run("""
        def task(scale):
            check(calls=1)
            return np.abs(tanh(x * scale)[0]).sum(dtype=np.float64)

        check()
        context = multiprocessing.get_context("fork")
        with context.Pool(3) as pool:
            results = pool.map_async(task, np.linspace(0, 2, 12, dtype=np.float32))
            check()
            values = results.get(60)
        expected = [np.abs(np.tanh(x * s)).sum(dtype=np.float64) for s in np.linspace(0, 2, 12, dtype=np.float32)]
        assert np.allclose(values, expected, rtol=1e-6)
        check()
        print("DONE")
    """)


def test_a_data_loader() -> None:
    """Workers that outlive an epoch prepare batches by a program while the parent trains by others."""
    run("""
        context = multiprocessing.get_context("fork")

        def loader(tasks, batches):
            for index in iter(tasks.get, None):
                batches.put((index, tanh(x + np.float32(index))[0]))

        check()
        tasks, batches = context.Queue(), context.Queue()
        workers = [context.Process(target=loader, args=(tasks, batches), daemon=True) for _ in range(2)]
        for worker in workers:
            worker.start()
        for epoch in range(2):
            for index in range(8):
                tasks.put(index)
            for _ in range(8):
                index, batch = batches.get(timeout=30)
                assert np.allclose(batch, np.tanh(x + np.float32(index)), rtol=1e-5, atol=1e-6)
                check(calls=2)
        for worker in workers:
            tasks.put(None)
        for worker in workers:
            worker.join(20)
            assert worker.exitcode == 0
        print("DONE")
    """)
