"""Teams of threads in machine code: what runs the parallel loops of generated code.

    void parallel(task, void *record, int64_t threads, void **context, int64_t *done)

The caller calls the members of a team, does all that is left to do, and takes back what others have not begun by then:
so it never waits for a thread that has had no core. It waits for those that have begun; if `done` is not null (the loop
is long), first by the function `WAIT` of the process, which lets signals in.

A state changes by one atomic exchange, so no call is lost: who calls a member that sleeps sees that it does, and who
goes to sleep sees that it has been called. A member that is gone (in a forked process) is never waited for.
"""

from __future__ import annotations

import platform

from ...decisions.waiting import Waiting
from ...lowering.to_llvm import context_layout
from ..clock import clock_text
from ..machine_words import at, get, put
from .cores_code import CORES
from .layout import MEMBERS, TEAM_WORDS, TEAMS, Header, Member, State, Team
from .waiting_code import waiting_code

PAUSES = {
    "x86_64": ("call void @llvm.x86.sse2.pause()", "declare void @llvm.x86.sse2.pause()"),
    "aarch64": ("call void @llvm.aarch64.hint(i32 1)", "declare void @llvm.aarch64.hint(i32)"),
}
"""What a core is told that spins, and its declaration, by machine."""


def _member(name: str, team: str, index: str) -> str:
    """The member of this index, from 0 on."""
    return f"""{name}.words = mul nuw nsw i64 {index}, {int(Member.WORDS)}
  {name}.place = add nuw nsw i64 {name}.words, {int(Team.WORDS)}
  {name} = getelementptr inbounds i64, ptr {team}, i64 {name}.place"""


_MEMBER = f"""
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
"""

_GROW = f"""
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


def _join(waiting: Waiting) -> str:
    return f"""
define internal void @join(ptr %table, ptr %member) {{
entry:  ; returns when the member does not run
  %state = load atomic i32, ptr %member acquire, align 8
  %runs = icmp eq i32 %state, {State.RUNNING}
  br i1 %runs, label %spin, label %end
spin:
  %before = call i64 @time_on_core(ptr %table, ptr %member)
  %start = call i64 @now(ptr %table)
  %found = call i32 @spin(ptr %table, ptr %member, i32 {State.RUNNING}, i64 {waiting.overdue})
  %still = icmp eq i32 %found, {State.RUNNING}
  br i1 %still, label %ask, label %end
ask:
  %after = call i64 @time_on_core(ptr %table, ptr %member)
  %now = call i64 @now(ptr %table)
  %ran = sub i64 %after, %before
  %passed = sub i64 %now, %start
  %twice = shl i64 %ran, 1
  %runs.still = icmp sgt i64 %twice, %passed
  %is_early = icmp slt i64 %passed, {waiting.overdue}
  %has_core = or i1 %runs.still, %is_early
  br i1 %has_core, label %lie_down, label %fetch
fetch:
  %cpu = call i64 @cpu_of_this_thread(ptr %table)
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
"""


_PARALLEL = f"""
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

declare i64 @llvm.smin.i64(i64, i64)
"""


def code(waiting: Waiting) -> str:
    """The module with `parallel`, as LLVM IR."""
    pause, declaration = PAUSES[platform.machine()]
    parts = (waiting_code(waiting, pause), CORES, _MEMBER, _GROW, _join(waiting), _PARALLEL, declaration)
    return clock_text(Header.CLOCK_GETTIME) + "".join(parts) + "\n"
