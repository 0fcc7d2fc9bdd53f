"""What generated code calls of its own, as LLVM IR: the same text in every program that calls it.

```
xrt.spend(counter, work, context): left = *counter - work
                                   if left < 0:  left = safepoint(context)
                                   *counter = left; return left, below zero if the program is to stop
xrt.fetch(start, lines):           prefetches so many cache lines
xrt.fork, xrt.thread               see parallel_regions.py
```

Written out at each place, the first two were a quarter of the instructions that LLVM got of a transformer.
"""

from __future__ import annotations

from typing import NamedTuple

from ...decisions.target import CACHE_LINE_BYTES
from ...dialects.llvm_parts import Part, Tier
from ...dialects.xrt_names import FETCH, FORK, SPEND
from ..to_llvm import context_layout as slots
from .parallel_regions import PARALLEL_REGIONS


class SupportFunction(NamedTuple):
    """A function that programs may call."""

    declaration: str
    definition: str

    @property
    def part(self) -> Part:
        return Part(self.definition, Tier.TILES, shared=True)


_SPEND = f"""\
define hidden i64 @{SPEND}(ptr %counter, i64 %work, ptr %context) nounwind noinline {{
entry:
  %before = load i64, ptr %counter, align 8
  %left = sub nsw i64 %before, %work
  %is_due = icmp slt i64 %left, 0
  br i1 %is_due, label %ask, label %end
ask:
  %process.slot = getelementptr inbounds ptr, ptr %context, i64 {slots.PROCESS}
  %process = load ptr, ptr %process.slot, align 8
  %safepoint.slot = getelementptr inbounds ptr, ptr %process, i64 {slots.SAFEPOINT}
  %safepoint = load ptr, ptr %safepoint.slot, align 8
  %allowed = call i64 %safepoint(ptr %context)
  br label %end
end:
  %after = phi i64 [ %left, %entry ], [ %allowed, %ask ]
  store i64 %after, ptr %counter, align 8
  ret i64 %after
}}

"""

_FETCH = f"""\
define hidden void @{FETCH}(ptr %start, i64 %lines) nounwind noinline {{
entry:
  br label %loop
loop:
  %line = phi i64 [ 0, %entry ], [ %next, %loop ]
  %offset = mul nsw i64 %line, {CACHE_LINE_BYTES}
  %place = getelementptr i8, ptr %start, i64 %offset
  call void @llvm.prefetch.p0(ptr %place, i32 0, i32 3, i32 1)
  %next = add nsw i64 %line, 1
  %more = icmp slt i64 %next, %lines
  br i1 %more, label %loop, label %end
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
        f"declare void @{FETCH}(ptr, i64) nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)", _FETCH
    ),
}
"""By symbol."""
