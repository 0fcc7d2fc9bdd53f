"""What this machine can do: multiply-adds a second, and bytes a second out of each level of memory.

Measured by loops in machine code in as many threads as the program has, each in memory of its own: sixteen chains of
fused multiply-adds (or of products and sums, without the instruction), and reading vectors of a buffer over and over.
It takes about 0.3 seconds, once in a process.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from functools import cache
from threading import Barrier, Thread
from typing import NamedTuple

from ...decisions.target import Target, host
from ...runtime.buffers import AlignedBuffer
from ...runtime.support_code import support_code

MEASURED_SECONDS = 0.01
"""How long one measurement is: some hundred times the time slice that its start may be off by."""

MEASUREMENTS = 3
"""The best one counts: others had less of the machine."""

CHAINS = 16
"""Of additions side by side: more than latency times units of today's CPUs."""

MOST_CACHE = 64 * 1024 * 1024
"""Of a third-level cache no more is taken for this process: clouds report the cache of a whole server."""


class Level(NamedTuple):
    """A level of memory."""

    name: str
    size: int
    """In bytes, what all threads have of it together."""
    bytes_per_second: float


class Machine(NamedTuple):
    """What so many threads can do together."""

    threads: int
    operations_per_second: float
    """On f32; half of that on f64."""
    levels: tuple[Level, ...]
    """Nearest first; the last one is memory."""

    def level_of(self, size: int) -> Level:
        """The nearest level that holds so many bytes."""
        return next((level for level in self.levels if size <= level.size), self.levels[-1])


def _code(target: Target) -> str:
    lanes = target.lanes(32)
    type, suffix = f"<{lanes} x float>", f"v{lanes}f32"
    names = [f"%a{n}" for n in range(CHAINS)]
    phis = [f"  {name} = phi {type} [ %start, %entry ], [ {name}n, %loop ]" for name in names]
    steps = [f"  {name}n = call {type} @llvm.fmuladd.{suffix}({type} %x, {type} %x, {type} {name})" for name in names]
    sums = [f"  %s{n} = fadd {type} %{f's{n - 1}' if n > 1 else 'a0n'}, %a{n}n" for n in range(1, CHAINS)]
    loads = [
        line
        for n in range(8)
        for line in (
            f"  %p{n} = getelementptr {type}, ptr %at, i64 {n}",
            f"  %v{n} = load {type}, ptr %p{n}, align 64",
            f"  %t{n} = bitcast {type} %v{n} to <{lanes} x i32>",
            f"  %r{n}n = xor <{lanes} x i32> %r{n}, %t{n}",
        )
    ]
    reads = [f"  %r{n} = phi <{lanes} x i32> [ zeroinitializer, %outer ], [ %r{n}n, %loop ]" for n in range(8)]
    folded = [f"  %x{n} = xor <{lanes} x i32> %{f'x{n - 1}' if n > 1 else 'r0n'}, %r{n}n" for n in range(1, 8)]
    vector = target.vector_bits // 8
    return "\n".join(
        [
            f"declare {type} @llvm.fmuladd.{suffix}({type}, {type}, {type})",
            "define void @multiply(i64 %trips, ptr %data, i64 %unused) {",
            f"entry:\n  %start = load {type}, ptr %data, align 64\n  %x = fmul {type} %start, %start\n  br label %loop",
            "loop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
            *phis,
            *steps,
            "  %next = add i64 %i, 1\n  %more = icmp ult i64 %next, %trips\n  br i1 %more, label %loop, label %end",
            "end:",
            *sums,
            f"  store {type} %s{CHAINS - 1}, ptr %data, align 64\n  ret void\n}}",
            "define void @read(i64 %trips, ptr %data, i64 %bytes) {",
            "entry:\n  br label %outer",
            "outer:\n  %i = phi i64 [ 0, %entry ], [ %next, %done ]\n  br label %loop",
            "loop:\n  %offset = phi i64 [ 0, %outer ], [ %following, %loop ]",
            *reads,
            "  %at = getelementptr i8, ptr %data, i64 %offset",
            *loads,
            f"  %following = add i64 %offset, {8 * vector}",
            "  %more = icmp ult i64 %following, %bytes\n  br i1 %more, label %loop, label %done",
            "done:",
            *folded,
            f"  store volatile <{lanes} x i32> %x7, ptr %data, align 64",
            "  %next = add i64 %i, 1\n  %again = icmp ult i64 %next, %trips",
            "  br i1 %again, label %outer, label %end",
            "end:\n  ret void\n}\n",
        ]
    )


Loop = Callable[[int, int, int], None]


@cache
def _loops() -> tuple[Loop, Loop]:
    code = support_code(_code(host()), ("multiply", "read"))
    type = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)

    def loop(name: str) -> Loop:
        function = type(code.address(name))

        def call(trips: int, data: int, size: int, _keep: object = code) -> None:
            function(trips, data, size)

        return call

    return loop("multiply"), loop("read")


def _trips_per_second(loop: Loop, threads: int, size: int, measurements: int) -> float:
    """How many trips all threads together make."""
    buffers = [AlignedBuffer(size) for _ in range(threads)]
    for buffer in buffers:
        buffer.array()[:] = 0
    once = min(_seconds(loop, 1, buffers[0], size) for _ in range(2))
    trips = max(1, round(MEASURED_SECONDS / once))
    return max(_together(loop, trips, buffers, size) for _ in range(measurements))


def _seconds(loop: Loop, trips: int, buffer: AlignedBuffer, size: int) -> float:
    """Of the CPU, not of the clock: other processes may have their turn meanwhile."""
    start = time.thread_time()
    loop(trips, buffer.address, size)
    return max(time.thread_time() - start, 1e-7)


def _together(loop: Loop, trips: int, buffers: list[AlignedBuffer], size: int) -> float:
    """The trips per second of threads that begin together."""
    barrier, rates = Barrier(len(buffers)), list[float]()

    def work(buffer: AlignedBuffer) -> None:
        barrier.wait()
        rates.append(trips / _seconds(loop, trips, buffer, size))

    workers = [Thread(target=work, args=(buffer,)) for buffer in buffers]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(rates)


@cache
def machine(threads: int, measurements: int = MEASUREMENTS) -> Machine:
    """This machine, measured now: each rate the best of so many measurements."""
    target = host()
    multiply, read = _loops()
    lanes = target.lanes(32)
    peak = 2 * CHAINS * lanes * _trips_per_second(multiply, threads, 4096, measurements)
    last = min(max(target.l3_bytes, target.l2_bytes), MOST_CACHE)
    shares = {"L1": target.l1_bytes, "L2": target.l2_bytes, "L3": last // threads, "memory": 4 * last // threads}
    levels: list[Level] = []
    for name, share in shares.items():
        size = max(4096, share // (1 if name == "memory" else 2) // 4096 * 4096)
        levels.append(Level(name, share * threads, size * _trips_per_second(read, threads, size, measurements)))
    return Machine(threads, peak, tuple(levels))
