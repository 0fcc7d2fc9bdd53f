"""What the programs of a process share: the table of functions behind the slot `PROCESS` of each context.

`lowering/to_llvm/context_layout.py` numbers its slots. It is filled when the first program needs what is in it, and
whatever becomes of the process later (a fork, above all) is said to all its programs here.
"""

from __future__ import annotations

import ctypes
from functools import cache

from ..lowering.to_llvm import context_layout as layout
from .forks import prepare_for_forks
from .threads import openmp

TABLE = (ctypes.c_size_t * layout.PROCESS_SLOTS)()
ADDRESS = ctypes.addressof(TABLE)


@cache
def offer_threads() -> None:
    """Let parallel loops find the OpenMP runtime, if there is one."""
    runtime = openmp()
    if runtime is None:
        return
    TABLE[layout.OMP_GET_THREAD_NUM] = runtime.omp_get_thread_num
    TABLE[layout.OMP_GET_NUM_THREADS] = runtime.omp_get_num_threads
    TABLE[layout.GOMP_PARALLEL] = runtime.gomp_parallel
    prepare_for_forks(runtime, withdraw_threads)


def withdraw_threads() -> None:
    """From now on parallel loops of all programs run serially."""
    TABLE[layout.GOMP_PARALLEL] = 0
