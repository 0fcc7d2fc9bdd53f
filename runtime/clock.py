"""The clock that never goes back, in machine code."""

from __future__ import annotations

import time

from .machine_words import get

MONOTONIC = getattr(time, "CLOCK_MONOTONIC", 1)
"""Number of the clock."""


CPU_TIME = getattr(time, "CLOCK_THREAD_CPUTIME_ID", 3)
"""Number of the clock that goes while the thread that asks runs on a core."""


def now_text(clock_gettime: int, name: str = "now", clock: int = MONOTONIC) -> str:
    """`i64 name(table)`, in nanoseconds, as LLVM IR; `clock_gettime` is the word of the table with its address."""
    return f"""
define internal i64 @{name}(ptr %table) {{
  %time = alloca [2 x i64]
  {get("ptr", "%clock", "%table", clock_gettime)}
  %ignored = call i32 %clock(i32 {clock}, ptr %time)
  %seconds = load i64, ptr %time
  %rest.at = getelementptr inbounds i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.at
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  ret i64 %now
}}
"""
