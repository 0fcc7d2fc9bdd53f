"""How a device waits, in machine code: for messages of MPI and for words that other devices of its process write.

Between looks it reads the clock, a word that stops it and notices of failure. `<name>` in the text is a number of
`Messages`.
"""

from __future__ import annotations

from ..clock import clock_text
from ..machine_words import at, get, get_32, put
from .layout import FAILURE_TAG, Code, Device, Process

PAUSING = f"""{clock_text(Process.CLOCK_GETTIME)}
define internal i32 @pause(ptr %device, ptr %since, i1 %may_sleep, i1 %may_yield) {{
entry:  ; between looks: whether to go on. `since`: when this call of `end` began to wait
  %time = alloca [2 x i64]
  %flag = alloca i32
  {get("ptr", "%process", "%device", Device.PROCESS)}
  {get("ptr", "%stop", "%device", Device.STOP)}
  %stopped = load atomic i64, ptr %stop monotonic, align 8
  %is_stopped = icmp ne i64 %stopped, 0
  br i1 %is_stopped, label %is.stopped, label %ask.handlers
is.stopped:
  ret i32 {Code.STOPPED}
ask.handlers:
  {get("ptr", "%safepoint", "%process", Process.SAFEPOINT)}
  {get("ptr", "%context", "%device", Device.CONTEXT)}
  %no_safepoint = icmp eq ptr %safepoint, null
  %no_context = icmp eq ptr %context, null
  %unasked = or i1 %no_safepoint, %no_context
  br i1 %unasked, label %ask.broken, label %handlers
handlers:
  %allowed = call i64 %safepoint(ptr %context)
  %is_over_now = icmp slt i64 %allowed, 0
  br i1 %is_over_now, label %is.stopped, label %ask.broken
ask.broken:
  {at("%broken", "%process", Process.BROKEN)}
  %broken = load atomic i64, ptr %broken.at monotonic, align 8
  %is_broken = icmp ne i64 %broken, 0
  br i1 %is_broken, label %notice, label %ask.clock
ask.clock:
  %now = call i64 @now(ptr %process)
  {get("i64", "%start", "%device", Device.START)}
  %is_first = icmp eq i64 %start, 0
  %start.new = select i1 %is_first, i64 %now, i64 %start
  store i64 %start.new, ptr %start.at
  %since.old = load i64, ptr %since
  %is_new = icmp eq i64 %since.old, 0
  %since.new = select i1 %is_new, i64 %now, i64 %since.old
  store i64 %since.new, ptr %since
  %waited = sub i64 %now, %start.new
  {get("i64", "%timeout", "%process", Process.TIMEOUT)}
  %is_late = icmp sgt i64 %waited, %timeout
  br i1 %is_late, label %late, label %ask.notice
late:
  ret i32 {Code.TIMED_OUT}
ask.notice:
  {get("ptr", "%iprobe", "%process", Process.IPROBE)}
  {get_32("%any", "%process", Process.ANY_SOURCE)}
  {get("i64", "%comm", "%process", Process.COMM)}
  {get("ptr", "%ignore", "%process", Process.STATUSES_IGNORE)}
  store i32 0, ptr %flag
  call void @lock(ptr %process)
  %probed = call i32 %iprobe(i32 %any, i32 {FAILURE_TAG}, i64 %comm, ptr %flag, ptr %ignore)
  call void @unlock(ptr %process)
  %found = load i32, ptr %flag
  %is_noticed = icmp ne i32 %found, 0
  br i1 %is_noticed, label %notice, label %ask.slice
notice:
  ret i32 {Code.NOTICE}
ask.slice:
  {get("i64", "%slice", "%process", Process.SLICE)}
  %in_slice = sub i64 %now, %since.new
  %has_slice = icmp ne i64 %slice, 0
  %is_past = icmp sgt i64 %in_slice, %slice
  %is_over = and i1 %has_slice, %is_past
  br i1 %is_over, label %again, label %rest
again:
  ret i32 {Code.AGAIN}
rest:
  %is_long = icmp sgt i64 %waited, <sleep_after>
  %sleeps = and i1 %is_long, %may_sleep
  br i1 %sleeps, label %sleep, label %rest.short
sleep:
  store i64 0, ptr %time
  %rest.at = getelementptr inbounds i64, ptr %time, i64 1
  store i64 <sleep>, ptr %rest.at
  {get("ptr", "%nanosleep", "%process", Process.NANOSLEEP)}
  %slept = call i32 %nanosleep(ptr %time, ptr null)
  ret i32 {Code.DONE}
rest.short:
  %is_unlikely = icmp sgt i64 %waited, <yield_after>
  %yields = and i1 %is_unlikely, %may_yield
  br i1 %yields, label %yield, label %spin
spin:
  ret i32 {Code.DONE}
yield:
  {get("ptr", "%sched_yield", "%process", Process.SCHED_YIELD)}
  %yielded = call i32 %sched_yield()
  ret i32 {Code.DONE}
}}
"""


WAITING = f"""
define internal i32 @wait_remote(ptr %device, i64 %count, ptr %requests, ptr %since, i1 %may_sleep) {{
entry:
  %flag = alloca i32
  %some = icmp sgt i64 %count, 0
  {get("ptr", "%process", "%device", Device.PROCESS)}
  {get("ptr", "%testall", "%process", Process.TESTALL)}
  {get("ptr", "%ignore", "%process", Process.STATUSES_IGNORE)}
  %count.32 = trunc i64 %count to i32
  br i1 %some, label %look, label %done
look:
  %polls = phi i64 [ 1, %entry ], [ %polls.next, %miss ], [ 1, %go_on ]
  call void @lock(ptr %process)
  %code = call i32 %testall(i32 %count.32, ptr %requests, ptr %flag, ptr %ignore)
  call void @unlock(ptr %process)
  %failed = icmp ne i32 %code, 0
  br i1 %failed, label %bad, label %good
bad:
  %error = sext i32 %code to i64
  {put("i64 %error", "%error.slot", "%device", Device.ERROR)}
  ret i32 {Code.MPI_FAILED}
good:
  %is_done = load i32, ptr %flag
  %all = icmp ne i32 %is_done, 0
  br i1 %all, label %done, label %miss
miss:
  %polls.next = add nuw nsw i64 %polls, 1
  %is_tired = icmp ugt i64 %polls, <polls>
  br i1 %is_tired, label %ask, label %look
ask:
  %answer = call i32 @pause(ptr %device, ptr %since, i1 %may_sleep, i1 true)
  %is_end = icmp ne i32 %answer, 0
  br i1 %is_end, label %stop, label %go_on
go_on:
  br label %look
stop:
  ret i32 %answer
done:
  ret i32 {Code.DONE}
}}

define internal i32 @wait_word(ptr %device, ptr %word, i64 %value, ptr %since) {{
entry:
  {get("ptr", "%process", "%device", Device.PROCESS)}
  {get("ptr", "%syscall", "%process", Process.SYSCALL)}
  %has_futex = icmp ne ptr %syscall, null
  %may_yield = xor i1 %has_futex, true
  br label %look
look:
  %polls = phi i64 [ 1, %entry ], [ %polls.next, %miss ], [ 1, %go_on ], [ 1, %slept ]
  %asked = phi i64 [ 0, %entry ], [ %asked, %miss ], [ %asked.next, %go_on ], [ %asked.next, %slept ]
  %current = load atomic i64, ptr %word acquire, align 8
  %is_there = icmp eq i64 %current, %value
  br i1 %is_there, label %done, label %miss
miss:
  %polls.next = add nuw nsw i64 %polls, 1
  %is_tired = icmp ugt i64 %polls, <polls>
  br i1 %is_tired, label %ask, label %look
ask:
  %answer = call i32 @pause(ptr %device, ptr %since, i1 %may_yield, i1 %may_yield)
  %is_end = icmp ne i32 %answer, 0
  br i1 %is_end, label %stop, label %consider
consider:
  %asked.next = add nuw nsw i64 %asked, 1
  %is_long = icmp ugt i64 %asked, <spins>
  %sleeps = and i1 %is_long, %has_futex
  br i1 %sleeps, label %sleep, label %go_on
go_on:
  br label %look
sleep:
  call void @sleep_at(ptr %process, ptr %word, i64 %value)
  br label %slept
slept:
  br label %look
stop:
  ret i32 %answer
done:
  ret i32 {Code.DONE}
}}
"""
