"""Jobs, and the threads that run them."""

from __future__ import annotations

import subprocess
import sys
import threading
import weakref

import pytest
from xdsl_xla.runtime.llvm_workers import Workers, results_of


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


def test_without_workers_no_jobs_are_kept() -> None:
    pool = Workers(0)
    job = pool.submit(in_another_thread, 1)
    assert results_of([job]) == [2]
    kept = weakref.ref(job)
    del job
    assert kept() is None


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


def test_no_more_threads_start_than_asked_for() -> None:
    pool, seen = Workers(3), set[int]()
    for _ in range(200):
        seen |= set(results_of([pool.submit(threading.get_ident) for _ in range(5)]))
    assert threading.get_ident() not in seen and 1 <= len(seen) <= 3
