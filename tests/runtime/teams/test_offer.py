"""Teams of a process: how long they wait, and that nothing hangs on them."""

from __future__ import annotations

import ctypes
import os

import numpy as np
import pytest
import xdsl_xla
from script_processes import run_script
from xdsl_xla.decisions.waiting import Waiting
from xdsl_xla.runtime.teams import offer
from xdsl_xla.runtime.teams.layout import TABLE_WORDS, Header

pytestmark = pytest.mark.skipif(not offer.are_wanted(), reason="no teams here")

HEADER = """
import os, subprocess, sys, threading, time
import numpy as np
import xdsl_xla
LOOP = '''
  func.func @main(%x: tensor<512x512xf32>, %v: tensor<512xf32>) -> tensor<512xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %count = stablehlo.constant dense<200> : tensor<i32>
    %r:2 = stablehlo.while(%i = %zero, %w = %v) : tensor<i32>, tensor<512xf32>
      cond {
        %c = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
          : (tensor<512x512xf32>, tensor<512xf32>) -> tensor<512xf32>
        %t = stablehlo.tanh %p : tensor<512xf32>
        %n = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %n, %t : tensor<i32>, tensor<512xf32>
      }
    return %r#1 : tensor<512xf32>
  }'''
generator = np.random.default_rng(0)
x = generator.normal(size=(512, 512)).astype(np.float32) / 16
v = generator.normal(size=512).astype(np.float32)
alone = xdsl_xla.compile(LOOP, threads=1)(x, v)[0]
loops = {threads: xdsl_xla.compile(LOOP, threads=threads) for threads in (2, 3, 4)}

def check(calls=3):
    for threads, loop in loops.items():
        first = loop(x, v)[0]
        assert np.allclose(first, alone, rtol=1e-3, atol=1e-4)
        assert all(np.array_equal(first, loop(x, v)[0]) for _ in range(calls)), threads
"""


def test_thousands_of_regions_of_several_callers() -> None:
    run_script(
        HEADER,
        """
        check()
        callers = [threading.Thread(target=check) for _ in range(3)]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
        print("DONE")
        """,
    )


def test_beside_busy_processes() -> None:
    run_script(
        HEADER,
        """
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
        try:
            check()
        finally:
            for process in busy:
                process.kill()
                process.wait()
        print("DONE")
        """,
    )


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity")
@pytest.mark.parametrize("policy", ["", "active", "passive"])
def test_more_threads_than_cpus(policy: str) -> None:
    run_script(
        "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\n" + HEADER.replace("<200>", "<20>"),
        """
        check(1)
        print("DONE")
        """,
        OMP_WAIT_POLICY=policy,
    )


def test_a_process_ends_while_its_threads_spin() -> None:
    run_script(
        HEADER,
        """
        check()
        threading.Thread(target=lambda: [loops[2](x, v) for _ in range(10**6)], daemon=True).start()
        time.sleep(0.1)
        print("DONE")
        """,
        OMP_WAIT_POLICY="active",
    )


def test_how_long_threads_spin(monkeypatch: pytest.MonkeyPatch) -> None:
    def spins(policy: str) -> tuple[int, int]:
        monkeypatch.setenv("OMP_WAIT_POLICY", policy)
        words = (ctypes.c_int64 * TABLE_WORDS).from_address(offer.new_table())
        return words[Header.SPIN], words[Header.SHARED_SPIN]

    assert spins("") == (Waiting().wake, Waiting().shared_spin)
    assert spins("PASSIVE") == (0, 0)
    assert min(spins("active")) > 10**9


def test_openmp_may_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDSL_XLA_PARALLEL", "openmp")
    assert not offer.are_wanted()


def test_results_do_not_depend_on_who_takes_the_parts() -> None:
    size = 300_000
    program = f"""
      func.func @main(%x: tensor<{size}xf32>) -> tensor<{size}xf32> {{
        %0 = stablehlo.tanh %x : tensor<{size}xf32>
        return %0 : tensor<{size}xf32>
      }}"""
    x = np.linspace(-3, 3, size, dtype=np.float32)
    results = {xdsl_xla.compile(program, threads=threads)(x)[0].tobytes() for threads in (1, 2, 3, 4) for _ in range(3)}
    assert len(results) == 1
