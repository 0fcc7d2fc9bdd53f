"""Teams of threads in machine code: what runs the parallel loops of generated code.

    void parallel(task, void *record, int64_t threads, void **context, int64_t *done)

The caller calls the members of a team, does its share, and what the others have not begun by then it takes back: so it
never waits for a thread that has no core. Who has begun it waits for; if `done` is not null (the loop is long), by the
function `WAIT` of the process, which lets signals in. Members that have nothing to do, and a caller that waits, spin
for as long as a wake-up costs and then sleep at a futex. A member that finds that something else has run on its core
says so, and for some time nobody spins long.

A state changes by one atomic exchange, so no call is lost: who calls a member that sleeps sees that it does, and who
goes to sleep sees that it has been called. A member that is gone (in a forked process) is never waited for.
"""

from __future__ import annotations

import platform

from ...decisions.waiting import Waiting
from ...lowering.to_llvm import context_layout
from ..clock import now_text
from ..futexes import wait_text, wake_text
from ..machine_words import at, get, put
from .layout import MEMBERS, SET_BYTES, TEAM_WORDS, TEAMS, Header, Member, State, Team

PAUSES = {"x86_64": "void @llvm.x86.sse2.pause()", "aarch64": "void @llvm.aarch64.hint(i32 1)"}
_PAUSE_DECLARATIONS = {"x86_64": "declare void @llvm.x86.sse2.pause()", "aarch64": "declare void @llvm.aarch64.hint(i32)"}
"""What a core is told that spins, by machine."""


def _member(name: str, team: str, index: str) -> str:
    """The member of this index, from 0 on."""
    return f"""{name}.words = mul nuw nsw i64 {index}, {int(Member.WORDS)}
  {name}.place = add nuw nsw i64 {name}.words, {int(Team.WORDS)}
  {name} = getelementptr inbounds i64, ptr {team}, i64 {name}.place"""


def _futex(table: str) -> str:
    return f"""{get("ptr", "%syscall", table, Header.SYSCALL)}
  {get("i64", "%futex", table, Header.FUTEX)}"""


def _spinning(waiting: Waiting, pause: str) -> str:
    return f"""
define internal i32 @spin(ptr %table, ptr %state, i32 %while, i64 %least) noinline {{
entry:  ; until the state is another one, or for some time: the state
  %start = call i64 @now(ptr %table)
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
  call {pause}
  %polls.next = add nuw nsw i64 %polls, 1
  br label %look
clock:
  %now = call i64 @now(ptr %table)
  %gap = sub i64 %now, %last
  %is_away = icmp sgt i64 %gap, {waiting.gap}
  {at("%shared", "%table", Header.SHARED_UNTIL)}
  br i1 %is_away, label %away, label %ask
away:
  %later = add i64 %now, {waiting.shared}
  store atomic i64 %later, ptr %shared.at monotonic, align 8
  br label %ask
ask:
  %until = load atomic i64, ptr %shared.at monotonic, align 8
  %is_shared = icmp slt i64 %now, %until
  {at("%active", "%table", Header.ACTIVE)}
  %active = load atomic i64, ptr %active.at monotonic, align 8
  {get("i64", "%cpus", "%table", Header.CPUS)}
  %is_crowded = icmp sgt i64 %active, %cpus
  %is_wanted = or i1 %is_shared, %is_crowded
  {get("i64", "%long", "%table", Header.SPIN)}
  {get("i64", "%short", "%table", Header.SHARED_SPIN)}
  %allowed.0 = select i1 %is_wanted, i64 %short, i64 %long
  %allowed = call i64 @llvm.smax.i64(i64 %allowed.0, i64 %least)
  %spent = sub i64 %now, %start
  %is_over = icmp sgt i64 %spent, %allowed
  br i1 %is_over, label %end, label %go_on
go_on:
  br label %look
end:
  %found = phi i32 [ %current, %look ], [ %current, %ask ]
  ret i32 %found
}}

define internal void @sleep(ptr %table, ptr %state, i32 %while) noinline {{
entry:  ; until the state is another one
  {_futex("%table")}
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
  {_futex("%table")}
  %woken = {wake_text("%state")}
  ret void
}}
"""


import os
CALLERSPIN=int(os.environ.get("CALLERSPIN","20000"))
_MEMBERS = f"""
define internal void @move(ptr %table, ptr %member, i64 %cpu, i1 %there) noinline {{
entry:  ; lets the thread of the member run only on this CPU, or on all but this one
  %set = alloca [{SET_BYTES} x i8], align 8
  %home = getelementptr inbounds i64, ptr %member, i64 {int(Member.CPUS)}
  br i1 %there, label %only, label %others
only:
  call void @llvm.memset.p0.i64(ptr %set, i8 0, i64 {SET_BYTES}, i1 false)
  br label %flip
others:
  call void @llvm.memcpy.p0.p0.i64(ptr %set, ptr %home, i64 {SET_BYTES}, i1 false)
  br label %flip
flip:
  %index = lshr i64 %cpu, 6
  %number = and i64 %cpu, 63
  %bit = shl i64 1, %number
  %word = getelementptr inbounds i64, ptr %set, i64 %index
  %before = load i64, ptr %word
  %with = or i64 %before, %bit
  %not = xor i64 %bit, -1
  %without = and i64 %before, %not
  %after = select i1 %there, i64 %with, i64 %without
  store i64 %after, ptr %word
  {get("ptr", "%setaffinity", "%table", Header.SCHED_SETAFFINITY)}
  {get("i64", "%thread", "%member", Member.THREAD)}
  %thread.32 = trunc i64 %thread to i32
  %ignored = call i32 %setaffinity(i32 %thread.32, i64 {SET_BYTES}, ptr %set)
  ret void
}}

define internal i64 @cpu_of_this_thread(ptr %table) {{
  {get("ptr", "%getcpu", "%table", Header.SCHED_GETCPU)}
  %cpu.32 = call i32 %getcpu()
  %cpu = sext i32 %cpu.32 to i64
  ret i64 %cpu
}}

define internal i64 @time_on_core(ptr %table, ptr %member) noinline {{
  %time = alloca [2 x i64]
  {get("ptr", "%clock_gettime", "%table", Header.CLOCK_GETTIME)}
  {get("i64", "%clock", "%member", Member.CLOCK)}
  %clock.32 = trunc i64 %clock to i32
  %ignored = call i32 %clock_gettime(i32 %clock.32, ptr %time)
  %seconds = load i64, ptr %time
  %rest.at = getelementptr inbounds i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.at
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  ret i64 %now
}}

define internal void @introduce(ptr %table, ptr %member) noinline {{
  %clock = alloca i32
  {get("ptr", "%getaffinity", "%table", Header.SCHED_GETAFFINITY)}
  %home = getelementptr inbounds i64, ptr %member, i64 {int(Member.CPUS)}
  %ignored = call i32 %getaffinity(i32 0, i64 {SET_BYTES}, ptr %home)
  {get("ptr", "%gettid", "%table", Header.GETTID)}
  %thread.32 = call i32 %gettid()
  %thread = sext i32 %thread.32 to i64
  {put("i64 %thread", "%thread.slot", "%member", Member.THREAD)}
  {get("ptr", "%pthread_self", "%table", Header.PTHREAD_SELF)}
  %self = call i64 %pthread_self()
  {get("ptr", "%getcpuclockid", "%table", Header.PTHREAD_GETCPUCLOCKID)}
  %failed = call i32 %getcpuclockid(i64 %self, ptr %clock)
  %clock.32 = load i32, ptr %clock
  %clock.64 = sext i32 %clock.32 to i64
  {put("i64 %clock.64", "%clock.slot", "%member", Member.CLOCK)}
  ret void
}}

define internal ptr @member(ptr %member) {{
entry:
  {get("ptr", "%team", "%member", Member.TEAM)}
  {get("i64", "%number", "%member", Member.NUMBER)}
  {get("ptr", "%table", "%member", Member.TABLE)}
  call void @introduce(ptr %table, ptr %member)
  br label %wait
wait:
  %state = call i32 @spin(ptr %table, ptr %member, i32 {State.READY}, i64 0)
  %is_ready = icmp eq i32 %state, {State.READY}
  br i1 %is_ready, label %lie_down, label %begin
lie_down:
  %lain = cmpxchg ptr %member, i32 {State.READY}, i32 {State.ASLEEP} acq_rel monotonic, align 8
  %may_sleep = extractvalue {{ i32, i1 }} %lain, 1
  br i1 %may_sleep, label %sleep, label %begin
sleep:
  call void @sleep(ptr %table, ptr %member, i32 {State.ASLEEP})
  br label %begin
begin:
  %cpu = call i64 @cpu_of_this_thread(ptr %table)
  {get("i64", "%caller.cpu", "%team", Team.CPU)}
  %is_same = icmp eq i64 %cpu, %caller.cpu
  br i1 %is_same, label %leave, label %try
leave:
  call void @move(ptr %table, ptr %member, i64 %cpu, i1 false)
  br label %try
try:
  %begun = cmpxchg ptr %member, i32 {State.CALLED}, i32 {State.RUNNING} acq_rel monotonic, align 8
  %is_mine = extractvalue {{ i32, i1 }} %begun, 1
  br i1 %is_mine, label %run, label %wait
run:
  {get("ptr", "%task", "%team", Team.TASK)}
  {get("ptr", "%record", "%team", Team.RECORD)}
  {get("i64", "%threads", "%team", Team.THREADS)}
  call void %task(ptr %record, i64 %number, i64 %threads)
  %before = atomicrmw xchg ptr %member, i32 {State.READY} acq_rel, align 8
  %is_awaited = icmp eq i32 %before, {State.AWAITED}
  br i1 %is_awaited, label %wake, label %wait
wake:
  call void @wake(ptr %table, ptr %member)
  br label %wait
}}

define internal void @grow(ptr %table, ptr %team, i64 %size) noinline {{
entry:  ; until the team has so many members, or the system gives no more threads
  %thread = alloca i64
  %mask = alloca [16 x i64]
  {get("ptr", "%create", "%table", Header.PTHREAD_CREATE)}
  {get("ptr", "%sigmask", "%table", Header.PTHREAD_SIGMASK)}
  {get("ptr", "%signals", "%table", Header.SIGNALS)}
  {get("i64", "%size.old", "%team", Team.SIZE)}
  %masked = call i32 %sigmask(i32 0, ptr %signals, ptr %mask)
  br label %next
next:
  %number = phi i64 [ %size.old, %entry ], [ %following, %created ]
  %is_missing = icmp slt i64 %number, %size
  br i1 %is_missing, label %create.next, label %end
create.next:
  {_member("%member", "%team", "%number")}
  %following = add nuw nsw i64 %number, 1
  {put("ptr %team", "%team.slot", "%member", Member.TEAM)}
  {put("ptr %table", "%table.slot", "%member", Member.TABLE)}
  {put("i64 %following", "%number.slot", "%member", Member.NUMBER)}
  %code = call i32 %create(ptr %thread, ptr null, ptr @member, ptr %member)
  %failed = icmp ne i32 %code, 0
  br i1 %failed, label %end, label %detach
detach:
  {get("ptr", "%pthread_detach", "%table", Header.PTHREAD_DETACH)}
  %created.thread = load i64, ptr %thread
  %detached = call i32 %pthread_detach(i64 %created.thread)
  br label %created
created:
  {put("i64 %following", "%size.slot", "%team", Team.SIZE)}
  br label %next
end:
  %unmasked = call i32 %sigmask(i32 2, ptr %mask, ptr null)
  ret void
}}
"""

_CALLERS = f"""
define internal void @join(ptr %table, ptr %member) {{
entry:  ; returns when the member does not run
  %state = load atomic i32, ptr %member acquire, align 8
  %runs = icmp eq i32 %state, {State.RUNNING}
  br i1 %runs, label %spin, label %end
spin:
  %before = call i64 @time_on_core(ptr %table, ptr %member)
  %start = call i64 @now(ptr %table)
  %found = call i32 @spin(ptr %table, ptr %member, i32 {State.RUNNING}, i64 {CALLERSPIN})
  %still = icmp eq i32 %found, {State.RUNNING}
  br i1 %still, label %ask, label %end
ask:
  %after = call i64 @time_on_core(ptr %table, ptr %member)
  %now = call i64 @now(ptr %table)
  %ran = sub i64 %after, %before
  %passed = sub i64 %now, %start
  %twice = shl i64 %ran, 1
  %has_core = icmp sgt i64 %twice, %passed
  br i1 %has_core, label %lie_down, label %fetch
fetch:
  %cpu = call i64 @cpu_of_this_thread(ptr %table)
  %dbg = getelementptr inbounds i64, ptr %member, i64 8
  %fetched = atomicrmw add ptr %dbg, i64 1 monotonic
  call void @move(ptr %table, ptr %member, i64 %cpu, i1 true)
  br label %lie_down
lie_down:
  %lain = cmpxchg ptr %member, i32 {State.RUNNING}, i32 {State.AWAITED} acq_rel acquire, align 8
  %may_sleep = extractvalue {{ i32, i1 }} %lain, 1
  br i1 %may_sleep, label %sleep, label %awake
sleep:
  call void @sleep(ptr %table, ptr %member, i32 {State.AWAITED})
  br label %awake
awake:
  br i1 %has_core, label %end, label %send
send:
  %cpu.new = call i64 @cpu_of_this_thread(ptr %table)
  call void @move(ptr %table, ptr %member, i64 %cpu.new, i1 false)
  br label %end
end:
  ret void
}}

define void @parallel(ptr %task, ptr %record, i64 %threads, ptr %context, ptr %done) {{
entry:
  {get("ptr", "%process", "%context", context_layout.PROCESS)}
  {get("ptr", "%table", "%process", context_layout.TEAMS)}
  {at("%active", "%table", Header.ACTIVE)}
  br label %find
find:
  %index = phi i64 [ 0, %entry ], [ %index.next, %other ]
  %words = mul nuw nsw i64 %index, {TEAM_WORDS}
  %place = add nuw nsw i64 %words, {int(Header.WORDS)}
  %team = getelementptr inbounds i64, ptr %table, i64 %place
  %held = atomicrmw xchg ptr %team, i64 1 acquire, align 8
  %is_held = icmp ne i64 %held, 0
  br i1 %is_held, label %other, label %got
other:
  %index.next = add nuw nsw i64 %index, 1
  %is_more = icmp ult i64 %index.next, {TEAMS}
  br i1 %is_more, label %find, label %alone
alone:
  call void %task(ptr %record, i64 0, i64 %threads)
  ret void
got:
  %active.before = atomicrmw add ptr %active.at, i64 %threads monotonic, align 8
  %others = add nsw i64 %threads, -1
  %most = call i64 @llvm.smin.i64(i64 %others, i64 {MEMBERS})
  {get("i64", "%size.old", "%team", Team.SIZE)}
  %is_short = icmp slt i64 %size.old, %most
  br i1 %is_short, label %grow, label %describe
grow:
  call void @grow(ptr %table, ptr %team, i64 %most)
  br label %describe
describe:
  {get("i64", "%size", "%team", Team.SIZE)}
  %called = call i64 @llvm.smin.i64(i64 %size, i64 %most)
  {put("ptr %task", "%task.slot", "%team", Team.TASK)}
  {put("ptr %record", "%record.slot", "%team", Team.RECORD)}
  {put("i64 %threads", "%threads.slot", "%team", Team.THREADS)}
  %cpu = call i64 @cpu_of_this_thread(ptr %table)
  {put("i64 %cpu", "%cpu.slot", "%team", Team.CPU)}
  br label %ask.call
ask.call:
  %i = phi i64 [ 0, %describe ], [ %i.next, %call.next ]
  %calls = icmp slt i64 %i, %called
  br i1 %calls, label %call, label %work
call:
  {_member("%member", "%team", "%i")}
  %before = atomicrmw xchg ptr %member, i32 {State.CALLED} acq_rel, align 8
  %sleeps = icmp eq i32 %before, {State.ASLEEP}
  br i1 %sleeps, label %wake, label %call.next
wake:
  call void @wake(ptr %table, ptr %member)
  br label %call.next
call.next:
  %i.next = add nuw nsw i64 %i, 1
  br label %ask.call
work:
  call void %task(ptr %record, i64 0, i64 %threads)
  br label %ask.take
ask.take:
  %j = phi i64 [ 0, %work ], [ %j.next, %take ]
  %begun = phi i64 [ %called, %work ], [ %begun.next, %take ]
  %takes = icmp slt i64 %j, %called
  br i1 %takes, label %take, label %taken
take:
  {_member("%other.member", "%team", "%j")}
  %result = cmpxchg ptr %other.member, i32 {State.CALLED}, i32 {State.READY} acq_rel monotonic, align 8
  %is_taken = extractvalue {{ i32, i1 }} %result, 1
  %one = zext i1 %is_taken to i64
  %begun.next = sub nuw nsw i64 %begun, %one
  %j.next = add nuw nsw i64 %j, 1
  br label %ask.take
taken:
  %is_brief = icmp eq ptr %done, null
  br i1 %is_brief, label %ask.join, label %long
long:
  {get("ptr", "%wait", "%process", context_layout.WAIT)}
  call void %wait(ptr %context, ptr %done, i64 %begun)
  br label %ask.join
ask.join:
  %k = phi i64 [ 0, %taken ], [ 0, %long ], [ %k.next, %join ]
  %joins = icmp slt i64 %k, %called
  br i1 %joins, label %join, label %end
join:
  {_member("%last.member", "%team", "%k")}
  call void @join(ptr %table, ptr %last.member)
  %k.next = add nuw nsw i64 %k, 1
  br label %ask.join
end:
  %active.after = atomicrmw sub ptr %active.at, i64 %threads monotonic, align 8
  store atomic i64 0, ptr %team release, align 8
  ret void
}}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
"""


def code(waiting: Waiting) -> str:
    """The module with `parallel`, as LLVM IR."""
    machine = platform.machine()
    return "".join(
        (
            now_text(Header.CLOCK_GETTIME),
            _spinning(waiting, PAUSES[machine]),
            _MEMBERS,
            _CALLERS,
            _PAUSE_DECLARATIONS[machine],
            "\n",
        )
    )
