"""What the programs of a process share: the table of functions behind the slot `PROCESS` of each context.

`lowering/to_llvm/context_layout.py` numbers its slots. It is filled when the first program needs what is in it, and
whatever becomes of the process later (a fork, above all) is said to all its programs here.
"""

from __future__ import annotations

import ctypes
from functools import cache

from ..locks import in_forked_processes
from ..lowering.to_llvm import context_layout as layout
from .forks import prepare_for_forks
from .function_addresses import function_address
from .teams.offer import are_wanted, new_table, teams
from .threads import openmp

PRIVATE_WORDS = 16
"""How many words behind the slots belong to `safepoints.py`."""

TABLE = (ctypes.c_size_t * (layout.PROCESS_SLOTS + PRIVATE_WORDS))()
ADDRESS = ctypes.addressof(TABLE)


@ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
def _go_on(context: int) -> int:
    """Stands for the function of `safepoints.py` where there is none."""
    return 1 << 32


@ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
def _do_not_wait(context: int, done: int, count: int) -> None:
    """The same: the OpenMP runtime waits."""


TABLE[layout.SAFEPOINT] = function_address(_go_on)
TABLE[layout.WAIT] = function_address(_do_not_wait)


@cache
def offer_threads() -> None:
    """Let parallel loops find threads: those of teams, or the OpenMP runtime, if there is one."""
    if are_wanted():
        TABLE[layout.PARALLEL], TABLE[layout.TEAMS] = teams()
        in_forked_processes(_begin_anew)
        return
    runtime = openmp()
    if runtime is None:
        return
    TABLE[layout.OMP_GET_THREAD_NUM] = runtime.omp_get_thread_num
    TABLE[layout.OMP_GET_NUM_THREADS] = runtime.omp_get_num_threads
    TABLE[layout.GOMP_PARALLEL] = runtime.gomp_parallel
    prepare_for_forks(runtime, withdraw_threads)


def _begin_anew() -> None:
    """In a forked process, which has none of its parent's threads."""
    TABLE[layout.TEAMS] = new_table()


def withdraw_threads() -> None:
    """From now on parallel loops of all programs run serially, where the OpenMP runtime ran them."""
    TABLE[layout.GOMP_PARALLEL] = 0
