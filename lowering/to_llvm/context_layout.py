"""The context: what generated code asks of the process that runs it.

Generated code looks up no symbols. The last argument of an entry function points to an array of
8-byte slots that the runtime fills (`runtime/context.py`); the constants below number them.

Constants of more bytes than the cost model's `inline_constant_bytes` are not part of the code. Their `llvm.mlir.global`
carries the attribute `xrt.constant_index`, the text emitter leaves it out, and code loads the pointer at that index of
the table in slot `CONSTANTS`.
"""

from __future__ import annotations

THREADS = 0
"""How many threads a parallel loop may use (i64)."""
PROCESS = 1
"""Pointer to the table of functions that all programs of a process share, numbered below."""
CONSTANTS = 2
"""Pointer to the table of pointers to large constants, in the order of `collect_large_constants`."""
CALL_TARGETS = 3
"""Pointer to the table of pointers to call targets, in the order of the module's `xrt.call_targets`."""
FAILED = 4
"""Pointer to an i64 that is not 0 once this run has failed or is to stop; what is behind it belongs to the runtime."""
FLOAT_CONTROL = 5
"""The control word of floating-point arithmetic (`decisions/denormals.py`) of the caller, which is that of
Python's handlers of signals and of what the program calls. `FLOAT_CONTROL_NOTED` is set beside it; otherwise nobody has
written it, and no mode has been changed."""
FLOAT_CONTROL_NOTED = 1 << 32
SLOTS = 6
"""How many slots all programs may read."""
PROFILE = 6
"""Behind the others: pointer to the table of a profile (`profiling.py`), for programs that are measured."""
SLOT_BYTES = 8

GOMP_PARALLEL = 0
"""`void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags)`; null: loops run serially, if
`PARALLEL` is null too."""
OMP_GET_THREAD_NUM = 1
"""`int omp_get_thread_num(void)`; only read where `GOMP_PARALLEL` is not null."""
OMP_GET_NUM_THREADS = 2
"""`int omp_get_num_threads(void)`; only read where `GOMP_PARALLEL` is not null."""
SAFEPOINT = 3
"""`int64_t safepoint(void **context)`: called now and then; less than 0 if the run is to stop, otherwise after how much
work (`xrt.safepoint`) it wants to be called again."""
WAIT = 4
"""`void wait(void **context, int64_t *done, int64_t count)`: returns when `*done` is `count`, or any time before. What
the thread that began a long parallel loop calls when it has nothing left to do."""
PARALLEL = 5
"""`void parallel(void (*fn)(void *, int64_t, int64_t), void *data, int64_t threads, void **context, int64_t *done)`:
calls `fn(data, thread, threads)` as thread 0, and on other threads if they come before that is over. If `done` is not
null it counts those that are, and `WAIT` waits for them. Null: `GOMP_PARALLEL` serves."""
TEAMS = 6
"""What belongs to `PARALLEL`."""
PROCESS_SLOTS = 7
"""How many slots the table of the process has, for generated code; what is behind them belongs to the runtime."""

PROFILE_HEADER = 8
"""How many words the table of a profile begins with; the first one is the number of events so far."""
EVENT_WORDS = 3
"""Words of an event: site, start, end."""
SITE_WORDS = 2
"""Words of a site, behind all events: calls, counts of the counter."""

CONSTANT_ALIGNMENT = 64
"""Alignment in bytes of every constant, in code and in the table."""
