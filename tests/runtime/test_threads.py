"""How many threads programs get, and what their idle threads do."""

from __future__ import annotations

import json
import os

import pytest
from warm_python import run_python
from xdsl_xla.runtime.teams.offer import are_wanted as teams_are_wanted
from xdsl_xla.runtime.threads import openmp

SCRIPT = """
import json, os, sys
if {cpus} and hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:{cpus}])
import numpy as np
import xdsl_xla
size = 200_000
executable = xdsl_xla.compile(f'''
  func.func @main(%x: tensor<{{size}}xf32>) -> tensor<{{size}}xf32> {{{{
    %0 = stablehlo.tanh %x : tensor<{{size}}xf32>
    return %0 : tensor<{{size}}xf32>
  }}}}''', threads={threads})
x = np.linspace(-3, 3, size, dtype=np.float32)
assert np.allclose(executable(x)[0], np.tanh(x), rtol=1e-5, atol=1e-6)
settings = [os.environ.get("GOMP_SPINCOUNT"), os.environ.get("KMP_BLOCKTIME")]
print(json.dumps([executable.statistics.threads, *settings, "gomp" in open("/proc/self/maps").read()]))
"""

CPUS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(cpus: int = 0, threads: int | None = None, **variables: str) -> list[object]:
    """The number of threads and the settings of waiting, in a process with these variables."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_", "KMP_"))}
    done = run_python(SCRIPT.format(cpus=cpus, threads=threads), environment | variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


needs_openmp = pytest.mark.skipif(openmp() is None, reason="no OpenMP runtime")


@needs_openmp
def test_as_many_as_cpus() -> None:
    assert run()[0] == CPUS


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity")
def test_affinity() -> None:
    assert run(cpus=1)[0] == 1


@needs_openmp
def test_omp_num_threads_and_the_argument() -> None:
    assert run(OMP_NUM_THREADS="3,2")[0] == 3
    assert run(threads=2, OMP_NUM_THREADS="3")[0] == 2


@needs_openmp
def test_idle_threads_of_openmp_sleep_unless_there_is_a_policy() -> None:
    openmp = {"XDSL_XLA_PARALLEL": "openmp"}
    assert run(threads=2, **openmp)[1:3] == ["0", "0"]
    assert run(threads=2, **openmp, GOMP_SPINCOUNT="100")[1:3] == ["100", "0"]
    assert run(threads=2, **openmp, OMP_WAIT_POLICY="active")[1:3] == [None, None]


@pytest.mark.skipif(not teams_are_wanted(), reason="no teams here")
def test_teams_need_no_openmp() -> None:
    assert run(threads=3) == [3, None, None, False]


@needs_openmp
@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"OMP_PROC_BIND": "true"},
        {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"},
        {"OMP_WAIT_POLICY": "passive"},
        {"OMP_DYNAMIC": "true"},
        {"OMP_THREAD_LIMIT": "2"},
    ],
    ids=lambda variables: "-".join(variables.values()) or "none",
)
def test_settings_of_the_runtime(variables: dict[str, str]) -> None:
    """Results are right also where a region gets fewer threads than it asks for."""
    assert run(threads=4, XDSL_XLA_PARALLEL="openmp", **variables)[0] == 4
