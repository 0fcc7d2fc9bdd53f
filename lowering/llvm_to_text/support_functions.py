"""What generated code calls of its own, as LLVM IR: the same text in every program that calls it.

```
xrt.spend(counter, work, context): left = *counter - work
                                   if left < 0:  left = safepoint(context)
                                   *counter = left; return left, below zero if the program is to stop
xrt.fetch(start, lines, rows, apart):
                                   prefetches so many cache lines of so many rows, which are so many bytes apart
xrt.fork(frame, task, long):       one thread, or none to be had: task(frame, 0, 1, 0)
                                   else record = {frame, task, taken, done}, where done is null if not long;
                                     parallel(xrt.member, record, threads, context, done)
                                     or, where there is none, GOMP_parallel(xrt.thread, record, threads, 0)
xrt.member(record, t, count):      for owner in t, t + 1, ... t + count - 1 (modulo count):
                                     while (k = taken[owner]++) < 4:  task(frame, 4*owner + k, 4*count, t)
                                   if long and t > 0: *done += 1
xrt.thread(record):                t = omp_get_thread_num(); count = omp_get_num_threads()
                                   xrt.member(record, t, count)
                                   if long and t = 0: wait(context, done, count - 1)
```

Written out at each place, the first two were a quarter of the instructions that LLVM got of a transformer.

`convert-to-llvm` makes a parallel loop a call of `xrt.fork`; the frame starts with the context
(`lowering/to_llvm/context_layout.py`) and `task(frame, part, parts, thread)` runs one of `parts` parts of the loop.
Every thread owns four parts side by side, so that successive loops find their data in its cache; who is done with
these takes what is left of the others' (work stealing, as in Blumofe and Leiserson, "Scheduling multithreaded
computations by work stealing", 1999). Without it a thread that loses its CPU for a while, to another program or another
guest of the machine, holds up everybody.

Only the thread that begins the loop may run Python's handlers of signals, so where the others may take long it does not
wait for them in the OpenMP runtime.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from ...decisions.parallelism import PARTS_PER_THREAD
from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.llvm_parts import Part, Tier
from ...dialects.tile_functions import tile_function
from ...dialects.xrt_names import FETCH, FORK, MEMBER, SPEND, THREAD
from ..to_llvm import context_layout as slots
from .tile_functions import tile_declaration, tile_text


class SupportFunction(NamedTuple):
    """A function that programs may call."""

    declaration: str
    definition: str

    @property
    def part(self) -> Part:
        return Part(self.definition, Tier.TILES, shared=True)


def _read(name: str, table: str, slot: int, type: str = "ptr") -> str:
    """Reads a slot of 8 bytes."""
    return (
        f"  %{name}.slot = getelementptr inbounds {type}, ptr %{table}, i64 {slot}\n"
        f"  %{name} = load {type}, ptr %{name}.slot, align 8"
    )


_LINE = 8
"""Distance of the counters of two threads, in numbers of 8 bytes: a cache line."""

PARALLEL_REGIONS = f"""\
define hidden void @{FORK}(ptr %frame, ptr %task, i64 %long) nounwind noinline {{
entry:
  %context = load ptr, ptr %frame, align 8
{_read("threads", "context", slots.THREADS, "i64")}
{_read("process", "context", slots.PROCESS)}
{_read("gomp_parallel", "process", slots.GOMP_PARALLEL)}
{_read("parallel", "process", slots.PARALLEL)}
  %alone = icmp sle i64 %threads, 1
  %no_team = icmp eq ptr %parallel, null
  %no_openmp = icmp eq ptr %gomp_parallel, null
  %absent = and i1 %no_team, %no_openmp
  %serial = or i1 %alone, %absent
  br i1 %serial, label %run.all, label %prepare
prepare:
  %counters = mul nsw i64 %threads, {_LINE}
  %taken = alloca i64, i64 %counters, align 64
  br label %clear
clear:
  %number = phi i64 [ 0, %prepare ], [ %following, %clear ]
  %place = mul nsw i64 %number, {_LINE}
  %counter = getelementptr inbounds i64, ptr %taken, i64 %place
  store i64 0, ptr %counter, align 8
  %following = add nsw i64 %number, 1
  %more = icmp slt i64 %following, %threads
  br i1 %more, label %clear, label %fork
fork:
  %record = alloca [4 x ptr], align 64
  %done = alloca i64, align 64
  store i64 0, ptr %done, align 8
  %is_long = icmp ne i64 %long, 0
  %done.or_null = select i1 %is_long, ptr %done, ptr null
  %record.task = getelementptr inbounds ptr, ptr %record, i64 1
  %record.taken = getelementptr inbounds ptr, ptr %record, i64 2
  store ptr %frame, ptr %record, align 8
  store ptr %task, ptr %record.task, align 8
  %record.done = getelementptr inbounds ptr, ptr %record, i64 3
  store ptr %taken, ptr %record.taken, align 8
  store ptr %done.or_null, ptr %record.done, align 8
  br i1 %no_team, label %openmp, label %team
team:
  call void %parallel(ptr @{MEMBER}, ptr %record, i64 %threads, ptr %context, ptr %done.or_null)
  ret void
openmp:
  %count = trunc i64 %threads to i32
  call void %gomp_parallel(ptr @{THREAD}, ptr %record, i32 %count, i32 0)
  ret void
run.all:
  call void %task(ptr %frame, i64 0, i64 1, i64 0)
  ret void
}}

define hidden void @{THREAD}(ptr %record) nounwind noinline {{
entry:
  %frame = load ptr, ptr %record, align 8
  %context = load ptr, ptr %frame, align 8
{_read("process", "context", slots.PROCESS)}
{_read("get_thread_num", "process", slots.OMP_GET_THREAD_NUM)}
  %thread.32 = call i32 %get_thread_num()
  %thread = zext i32 %thread.32 to i64
{_read("get_num_threads", "process", slots.OMP_GET_NUM_THREADS)}
  %count.32 = call i32 %get_num_threads()
  %count = zext i32 %count.32 to i64
  call void @{MEMBER}(ptr %record, i64 %thread, i64 %count)
{_read("done", "record", 3)}
  %is_long = icmp ne ptr %done, null
  %is_first = icmp eq i64 %thread, 0
  %waits = and i1 %is_long, %is_first
  br i1 %waits, label %wait, label %return
wait:
  %others = add nsw i64 %count, -1
{_read("wait.function", "process", slots.WAIT)}
  call void %wait.function(ptr %context, ptr %done, i64 %others)
  br label %return
return:
  ret void
}}

define hidden void @{MEMBER}(ptr %record, i64 %thread, i64 %count) nounwind noinline {{
entry:
  %frame = load ptr, ptr %record, align 8
{_read("task", "record", 1)}
{_read("taken", "record", 2)}
{_read("done", "record", 3)}
  %parts = mul nsw i64 %count, {PARTS_PER_THREAD}
  br label %visit
visit:
  %distance = phi i64 [ 0, %entry ], [ %further, %leave ]
  %visiting = icmp slt i64 %distance, %count
  br i1 %visiting, label %choose, label %end
choose:
  %place = add nsw i64 %thread, %distance
  %owner = urem i64 %place, %count
  %first = mul nsw i64 %owner, {PARTS_PER_THREAD}
  %counter.index = mul nsw i64 %owner, {_LINE}
  %counter = getelementptr inbounds i64, ptr %taken, i64 %counter.index
  br label %take
take:
  %number = atomicrmw add ptr %counter, i64 1 monotonic, align 8
  %left = icmp slt i64 %number, {PARTS_PER_THREAD}
  br i1 %left, label %run, label %leave
run:
  %part = add nsw i64 %first, %number
  call void %task(ptr %frame, i64 %part, i64 %parts, i64 %thread)
  br label %take
leave:
  %further = add nsw i64 %distance, 1
  br label %visit
end:
  %is_long = icmp ne ptr %done, null
  %is_other = icmp ne i64 %thread, 0
  %tells = and i1 %is_long, %is_other
  br i1 %tells, label %tell, label %return
tell:
  %before = atomicrmw add ptr %done, i64 1 monotonic, align 8
  br label %return
return:
  ret void
}}

"""

_SPEND = f"""\
define hidden i64 @{SPEND}(ptr %counter, i64 %work, ptr %context) nounwind noinline {{
entry:
  %before = load i64, ptr %counter, align 8
  %left = sub nsw i64 %before, %work
  %is_due = icmp slt i64 %left, 0
  br i1 %is_due, label %ask, label %end
ask:
{_read("process", "context", slots.PROCESS)}
{_read("safepoint", "process", slots.SAFEPOINT)}
  %allowed = call i64 %safepoint(ptr %context)
  br label %end
end:
  %after = phi i64 [ %left, %entry ], [ %allowed, %ask ]
  store i64 %after, ptr %counter, align 8
  ret i64 %after
}}

"""

_FETCH = f"""\
define hidden void @{FETCH}(ptr %start, i64 %lines, i64 %rows, i64 %apart) nounwind noinline {{
entry:
  br label %row
row:
  %number = phi i64 [ 0, %entry ], [ %following, %ended ]
  %row.offset = mul nsw i64 %number, %apart
  %begin = getelementptr i8, ptr %start, i64 %row.offset
  br label %loop
loop:
  %line = phi i64 [ 0, %row ], [ %next, %loop ]
  %offset = mul nsw i64 %line, {CACHE_LINE_BYTES}
  %place = getelementptr i8, ptr %begin, i64 %offset
  call void @llvm.prefetch.p0(ptr %place, i32 0, i32 3, i32 1)
  %next = add nsw i64 %line, 1
  %more = icmp slt i64 %next, %lines
  br i1 %more, label %loop, label %ended
ended:
  %following = add nsw i64 %number, 1
  %is_more = icmp slt i64 %following, %rows
  br i1 %is_more, label %row, label %end
end:
  ret void
}}

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
"""

SUPPORT_FUNCTIONS = {
    FORK: SupportFunction(f"declare void @{FORK}(ptr, ptr, i64)", PARALLEL_REGIONS),
    SPEND: SupportFunction(
        f"declare i64 @{SPEND}(ptr, i64, ptr) nounwind memory(read, argmem: readwrite, inaccessiblemem: readwrite)",
        _SPEND,
    ),
    FETCH: SupportFunction(
        f"declare void @{FETCH}(ptr, i64, i64, i64) nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)",
        _FETCH,
    ),
}
"""By symbol; those of register tiles come to them."""


@lru_cache(1 << 8)
def support_function(name: str) -> SupportFunction | None:
    """The function that all programs share of that name, if there is one."""
    if (known := SUPPORT_FUNCTIONS.get(name)) is not None:
        return known
    tile = tile_function(name)
    return None if tile is None else SupportFunction(tile_declaration(tile), tile_text(tile))


def support_functions(symbols: Iterable[str]) -> Iterator[SupportFunction]:
    """Those among `symbols`, as LLVM IR names them, in an order that is always the same."""
    names = sorted(symbol.removeprefix("@") for symbol in symbols)
    for name in (*SUPPORT_FUNCTIONS, *(name for name in names if name not in SUPPORT_FUNCTIONS)):
        if name in names and (function := support_function(name)) is not None:
            yield function
