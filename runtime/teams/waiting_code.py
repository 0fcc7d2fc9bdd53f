"""How threads of teams wait for a state, as LLVM IR: first they spin, then they sleep at a futex.

    int32_t spin(table, int32_t *state, int32_t while, int64_t least)

spins while the state is `while`, for as long as a wake-up costs and at least `least` nanoseconds, and returns the
state. Where cores are shared it soon gives up: `least` holds if something else runs on some of them now and then, but
not if the loops that run have more threads than there are CPUs.
"""

from __future__ import annotations

from ...decisions.waiting import Waiting
from ..futexes import wait_text, wake_text
from ..machine_words import at, get
from .layout import Header


def waiting_code(waiting: Waiting, pause: str) -> str:
    """`pause`: a call of what a core is told that spins."""
    return _spin(waiting, pause) + _SLEEP


def _spin(waiting: Waiting, pause: str) -> str:
    return f"""
define internal i32 @spin(ptr %table, ptr %state, i32 %while, i64 %least) noinline {{
entry:
  %start = call i64 @now(ptr %table)
  {at("%shared", "%table", Header.SHARED_UNTIL)}
  {at("%active", "%table", Header.ACTIVE)}
  {get("i64", "%cpus", "%table", Header.CPUS)}
  {get("i64", "%long", "%table", Header.SPIN)}
  {get("i64", "%short", "%table", Header.SHARED_SPIN)}
  br label %look
look:
  %last = phi i64 [ %start, %entry ], [ %last, %pause ], [ %now, %go_on ]
  %polls = phi i64 [ 1, %entry ], [ %polls.next, %pause ], [ 1, %go_on ]
  %current = load atomic i32, ptr %state acquire, align 8
  %is_same = icmp eq i32 %current, %while
  br i1 %is_same, label %miss, label %end
miss:
  %is_tired = icmp ugt i64 %polls, {waiting.polls}
  br i1 %is_tired, label %clock, label %pause
pause:
  {pause}
  %polls.next = add nuw nsw i64 %polls, 1
  br label %look
clock:
  %now = call i64 @now(ptr %table)
  %gap = sub i64 %now, %last
  %was_away = icmp sgt i64 %gap, {waiting.gap}
  br i1 %was_away, label %away, label %ask
away:
  %later = add i64 %now, {waiting.shared}
  store atomic i64 %later, ptr %shared.at monotonic, align 8
  br label %ask
ask:
  %until = load atomic i64, ptr %shared.at monotonic, align 8
  %is_shared = icmp slt i64 %now, %until
  %active = load atomic i64, ptr %active.at monotonic, align 8
  %is_crowded = icmp sgt i64 %active, %cpus
  %alone = select i1 %is_shared, i64 %short, i64 %long
  %enough = call i64 @llvm.smax.i64(i64 %alone, i64 %least)
  %allowed = select i1 %is_crowded, i64 %short, i64 %enough
  %spent = sub i64 %now, %start
  %is_over = icmp sgt i64 %spent, %allowed
  br i1 %is_over, label %end, label %go_on
go_on:
  br label %look
end:
  ret i32 %current
}}
"""


_FUTEX = f"""{get("ptr", "%syscall", "%table", Header.SYSCALL)}
  {get("i64", "%futex", "%table", Header.FUTEX)}"""

_SLEEP = f"""
define internal void @sleep(ptr %table, ptr %state, i32 %while) noinline {{
entry:  ; until the state is another one
  {_FUTEX}
  br label %look
look:
  %current = load atomic i32, ptr %state acquire, align 8
  %is_same = icmp eq i32 %current, %while
  br i1 %is_same, label %wait, label %end
wait:
  %slept = {wait_text("%state", "%while")}
  br label %look
end:
  ret void
}}

define internal void @wake(ptr %table, ptr %state) noinline {{
  {_FUTEX}
  %woken = {wake_text("%state")}
  ret void
}}

declare i64 @llvm.smax.i64(i64, i64)
"""
