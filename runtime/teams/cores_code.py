"""On which cores members run, as LLVM IR.

A member keeps off the core of its caller, where the system may wake it: it would take the core from whom it helps. One
that has lost its core to something else while it runs is fetched to the caller's, which has nothing to do but wait, and
sent away when it is ready. It so lends its core as threads lend their priority to who holds a lock they want (Sha,
Rajkumar and Lehoczky, "Priority inheritance protocols", 1990).
"""

from __future__ import annotations

from ..machine_words import get, put
from .layout import SET_BYTES, Header, Member

CORES = f"""
define internal i64 @cpu_of_this_thread(ptr %table) {{
  {get("ptr", "%getcpu", "%table", Header.SCHED_GETCPU)}
  %cpu.32 = call i32 %getcpu()
  %cpu = sext i32 %cpu.32 to i64
  ret i64 %cpu
}}

define internal i64 @time_on_core(ptr %table, ptr %member) {{
  {get("i64", "%clock", "%member", Member.CLOCK)}
  %clock.32 = trunc i64 %clock to i32
  %time = call i64 @time_of(ptr %table, i32 %clock.32)
  ret i64 %time
}}

define internal void @introduce(ptr %table, ptr %member) noinline {{
entry:  ; what others have to know of this thread
  %clock = alloca i32
  {get("ptr", "%pthread_self", "%table", Header.PTHREAD_SELF)}
  %self = call i64 %pthread_self()
  {get("ptr", "%getcpuclockid", "%table", Header.PTHREAD_GETCPUCLOCKID)}
  %has_no_clock = call i32 %getcpuclockid(i64 %self, ptr %clock)
  {get("ptr", "%getaffinity", "%table", Header.SCHED_GETAFFINITY)}
  %home = getelementptr inbounds i64, ptr %member, i64 {int(Member.CPUS)}
  %has_no_set = call i32 %getaffinity(i32 0, i64 {SET_BYTES}, ptr %home)
  %failures = or i32 %has_no_clock, %has_no_set
  %is_known = icmp eq i32 %failures, 0
  br i1 %is_known, label %known, label %end
known:
  %clock.32 = load i32, ptr %clock
  %clock.64 = sext i32 %clock.32 to i64
  {put("i64 %clock.64", "%clock.slot", "%member", Member.CLOCK)}
  {get("ptr", "%gettid", "%table", Header.GETTID)}
  %thread.32 = call i32 %gettid()
  %thread = sext i32 %thread.32 to i64
  {put("i64 %thread", "%thread.slot", "%member", Member.THREAD)}
  br label %end
end:
  ret void
}}

define internal void @move(ptr %table, ptr %member, i64 %cpu, i1 %there) noinline {{
entry:  ; lets the thread of the member run on this CPU only, or on all but this one; unless it is not known
  %set = alloca [{SET_BYTES} x i8], align 8
  {get("i64", "%thread", "%member", Member.THREAD)}
  %is_known = icmp ne i64 %thread, 0
  br i1 %is_known, label %known, label %end
known:
  %home = getelementptr inbounds i64, ptr %member, i64 {int(Member.CPUS)}
  br i1 %there, label %none, label %all
none:
  call void @llvm.memset.p0.i64(ptr %set, i8 0, i64 {SET_BYTES}, i1 false)
  br label %flip
all:
  call void @llvm.memcpy.p0.p0.i64(ptr %set, ptr %home, i64 {SET_BYTES}, i1 false)
  br label %flip
flip:
  %index = lshr i64 %cpu, 6
  %number = and i64 %cpu, 63
  %bit = shl i64 1, %number
  %others = xor i64 %bit, -1
  %word = getelementptr inbounds i64, ptr %set, i64 %index
  %before = load i64, ptr %word
  %with = or i64 %before, %bit
  %without = and i64 %before, %others
  %after = select i1 %there, i64 %with, i64 %without
  store i64 %after, ptr %word
  {get("ptr", "%setaffinity", "%table", Header.SCHED_SETAFFINITY)}
  %thread.32 = trunc i64 %thread to i32
  %ignored = call i32 %setaffinity(i32 %thread.32, i64 {SET_BYTES}, ptr %set)
  br label %end
end:
  ret void
}}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
