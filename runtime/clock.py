"""The clocks of POSIX in machine code."""

from __future__ import annotations

import time

from .machine_words import get

MONOTONIC = getattr(time, "CLOCK_MONOTONIC", 1)
"""Number of the clock that never goes back."""


def clock_text(clock_gettime: int) -> str:
    """`i64 now(table)` and `i64 time_of(table, clock)`, in nanoseconds, as LLVM IR; `clock_gettime` is the word of the
    table with the address of that function.
    """
    return f"""
define internal i64 @time_of(ptr %table, i32 %number) {{
  %time = alloca [2 x i64]
  {get("ptr", "%clock", "%table", clock_gettime)}
  %ignored = call i32 %clock(i32 %number, ptr %time)
  %seconds = load i64, ptr %time
  %rest.at = getelementptr inbounds i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.at
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  ret i64 %now
}}

define internal i64 @now(ptr %table) {{
  %now = call i64 @time_of(ptr %table, i32 {MONOTONIC})
  ret i64 %now
}}
"""
