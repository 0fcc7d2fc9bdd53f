"""An exchange of messages in machine code: `begin` and `end` of a plan, which generated code calls.

    int begin(device, plan index, void **operands, void **results)
    int end(device, plan index, void **operands, void **results)

`begin` posts everything at once, `end` waits until all has come and gone. Each message begins with a header, by which
devices see that they mean the same exchange; small ones bring all bytes behind it. Devices of one process read each
other's operands where they are. What is reduced is so while it travels (`reduction_code.py`). Nothing waits inside MPI:
`end` polls, and looks at the clock, at a word that stops it and for notices of failure in between. `layout.py` has the
structures, and the codes that are returned.
"""

from __future__ import annotations

from dataclasses import asdict

from ...decisions.messages import Messages
from ..futexes import wait_text, wake_text
from ..machine_words import at, get, get_32, put
from .delays import NO_PAUSES
from .layout import ENTRIES, WORD, Channel, Code, Copy, Device, Entry, Header, Message, Plan, Process, Reduction
from .reduction_code import REDUCTION, RESULT
from .waiting_code import PAUSING, WAITING

_LAG = ENTRIES - 2
"""So many staged messages may wait for their receiver."""

_SLEEP = 2_000_000
"""The longest sleep at a futex, in nanoseconds: after that a device looks whether it is to stop."""

_COPYING = f"""
define internal void @copy(ptr %copies, i64 %count, ptr %sources, ptr %targets) {{
entry:
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %part, label %done
part:
  %i = phi i64 [ 0, %entry ], [ %next, %part ]
  %first = mul nuw nsw i64 %i, {len(Copy)}
  %copy = getelementptr inbounds i64, ptr %copies, i64 %first
  {get("i64", "%s", "%copy", Copy.SOURCE)}
  {get("i64", "%s.offset", "%copy", Copy.SOURCE_OFFSET)}
  {get("i64", "%t", "%copy", Copy.TARGET)}
  {get("i64", "%t.offset", "%copy", Copy.TARGET_OFFSET)}
  {get("i64", "%bytes", "%copy", Copy.BYTES)}
  %s.slot = getelementptr inbounds ptr, ptr %sources, i64 %s
  %t.slot = getelementptr inbounds ptr, ptr %targets, i64 %t
  %s.base = load ptr, ptr %s.slot
  %t.base = load ptr, ptr %t.slot
  %source = getelementptr inbounds i8, ptr %s.base, i64 %s.offset
  %target = getelementptr inbounds i8, ptr %t.base, i64 %t.offset
  call void @llvm.memmove.p0.p0.i64(ptr %target, ptr %source, i64 %bytes, i1 false)
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %part, label %done
done:
  ret void
}}

define internal void @clear(ptr %plan, ptr %results) {{
entry:
  {get("i64", "%count", "%plan", Plan.ZEROS)}
  {get("ptr", "%zeros", "%plan", Plan.ZERO_TABLE)}
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %range, label %done
range:
  %i = phi i64 [ 0, %entry ], [ %next, %range ]
  %first = mul nuw nsw i64 %i, 3
  %zero = getelementptr inbounds i64, ptr %zeros, i64 %first
  {get("i64", "%index", "%zero", 0)}
  {get("i64", "%offset", "%zero", 1)}
  {get("i64", "%bytes", "%zero", 2)}
  %slot = getelementptr inbounds ptr, ptr %results, i64 %index
  %base = load ptr, ptr %slot
  %target = getelementptr inbounds i8, ptr %base, i64 %offset
  call void @llvm.memset.p0.i64(ptr %target, i8 0, i64 %bytes, i1 false)
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %range, label %done
done:
  ret void
}}

define internal ptr @entry_of(ptr %channel, i64 %ticket) {{
  %slot = urem i64 %ticket, {ENTRIES}
  %words = mul nuw nsw i64 %slot, {len(Entry)}
  %first = add nuw nsw i64 %words, {len(Channel)}
  %entry = getelementptr inbounds i64, ptr %channel, i64 %first
  ret ptr %entry
}}

define internal void @tell(ptr %process, ptr %word, i64 %value) {{
entry:  ; the word becomes `value`; who sleeps until then is woken. The flag behind the word says whether somebody does
  store atomic i64 %value, ptr %word release, align 8
  %awaited = getelementptr inbounds i64, ptr %word, i64 1
  %was_awaited = atomicrmw xchg ptr %awaited, i64 0 seq_cst
  %is_awaited = icmp ne i64 %was_awaited, 0
  br i1 %is_awaited, label %wake, label %done
wake:
  {get("ptr", "%syscall", "%process", Process.SYSCALL)}
  {get("i64", "%futex", "%process", Process.FUTEX)}
  %woken = {wake_text("%word")}
  br label %done
done:
  ret void
}}

define internal void @sleep_at(ptr %process, ptr %word, i64 %value) {{
entry:  ; until the word is `value`, or for some time. As in Dekker: flag before look here, word before flag in `tell`
  %time = alloca [2 x i64]
  %awaited = getelementptr inbounds i64, ptr %word, i64 1
  %ignored = atomicrmw xchg ptr %awaited, i64 1 seq_cst
  %current = load atomic i64, ptr %word seq_cst, align 8
  %is_there = icmp eq i64 %current, %value
  br i1 %is_there, label %done, label %sleep
sleep:
  store i64 0, ptr %time
  %rest = getelementptr inbounds i64, ptr %time, i64 1
  store i64 {_SLEEP}, ptr %rest
  %low = trunc i64 %current to i32
  {get("ptr", "%syscall", "%process", Process.SYSCALL)}
  {get("i64", "%futex", "%process", Process.FUTEX)}
  %slept = {wait_text("%word", "%low", "%time")}
  br label %done
done:
  ret void
}}

define void @lock(ptr %process) {{
entry:
  {at("%lock", "%process", Process.LOCK)}
  br label %try
try:
  %held = atomicrmw xchg ptr %lock.at, i64 1 acquire
  %is_held = icmp ne i64 %held, 0
  br i1 %is_held, label %wait, label %got
wait:
  {get("ptr", "%yield", "%process", Process.SCHED_YIELD)}
  %ignored = call i32 %yield()
  br label %try
got:
  ret void
}}

define void @unlock(ptr %process) {{
  {at("%lock", "%process", Process.LOCK)}
  store atomic i64 0, ptr %lock.at release, align 8
  ret void
}}

declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""


_BEGIN = f"""
define internal i32 @post(ptr %process, ptr %plan, ptr %message, ptr %request, ptr %operands, ptr %results) {{
entry:
  %staging.slot = alloca ptr
  {get("i64", "%sends", "%message", Message.SENDS)}
  {get("ptr", "%staging", "%message", Message.STAGING)}
  {get("i64", "%bytes", "%message", Message.BYTES)}
  {get_32("%rank", "%message", Message.RANK)}
  {get_32("%tag", "%message", Message.TAG)}
  {get("i64", "%byte", "%process", Process.BYTE)}
  {get("i64", "%comm", "%process", Process.COMM)}
  %count = trunc i64 %bytes to i32
  %is_sent = icmp ne i64 %sends, 0
  %is_staged = icmp ne ptr %staging, null
  br i1 %is_staged, label %staged, label %direct
direct:
  %table = select i1 %is_sent, ptr %operands, ptr %results
  {get("i64", "%index", "%message", Message.INDEX)}
  {get("i64", "%offset", "%message", Message.OFFSET)}
  %slot = getelementptr inbounds ptr, ptr %table, i64 %index
  %base = load ptr, ptr %slot
  %place = getelementptr inbounds i8, ptr %base, i64 %offset
  br label %start
staged:
  br i1 %is_sent, label %fill, label %start
fill:
  {get("i64", "%hash", "%plan", Plan.HASH)}
  {put("i64 %hash", "%header.hash", "%staging", Header.HASH)}
  {get("i64", "%called", "%plan", Plan.CALLED)}
  {put("i64 %called", "%header.called", "%staging", Header.CALLED)}
  {get("i64", "%copies", "%message", Message.COPIES)}
  {get("ptr", "%copy_table", "%message", Message.COPY_TABLE)}
  store ptr %staging, ptr %staging.slot
  call void @copy(ptr %copy_table, i64 %copies, ptr %operands, ptr %staging.slot)
  br label %start
start:
  %data = phi ptr [ %place, %direct ], [ %staging, %staged ], [ %staging, %fill ]
  br i1 %is_sent, label %send, label %receive
send:
  {get("ptr", "%isend", "%process", Process.ISEND)}
  %sent = call i32 %isend(ptr %data, i32 %count, i64 %byte, i32 %rank, i32 %tag, i64 %comm, ptr %request)
  ret i32 %sent
receive:
  {get("ptr", "%irecv", "%process", Process.IRECV)}
  %received = call i32 %irecv(ptr %data, i32 %count, i64 %byte, i32 %rank, i32 %tag, i64 %comm, ptr %request)
  ret i32 %received
}}

define internal i32 @post_local(ptr %process, ptr %plan, ptr %message, ptr %operands) {{
entry:
  {get("i64", "%sends", "%message", Message.SENDS)}
  {get("ptr", "%channel", "%message", Message.CHANNEL)}
  %is_sent = icmp ne i64 %sends, 0
  br i1 %is_sent, label %send, label %receive
receive:
  {get("i64", "%received", "%channel", Channel.RECEIVED)}
  %receive.ticket = add i64 %received, 1
  store i64 %receive.ticket, ptr %received.at
  {put("i64 %receive.ticket", "%receive.slot", "%message", Message.TICKET)}
  ret i32 {Code.DONE}
send:
  {get("i64", "%sent", "%channel", Channel.SENT)}
  %ticket = add i64 %sent, 1
  %entry_ = call ptr @entry_of(ptr %channel, i64 %ticket)
  {get("i64", "%ready", "%entry_", Entry.READY)}
  {at("%done", "%entry_", Entry.DONE)}
  %done = load atomic i64, ptr %done.at acquire, align 8
  %is_free = icmp eq i64 %ready, %done
  br i1 %is_free, label %publish, label %full
full:
  ret i32 {Code.FULL}
publish:
  store i64 %ticket, ptr %sent.at
  {put("i64 %ticket", "%send.slot", "%message", Message.TICKET)}
  {get("i64", "%hash", "%plan", Plan.HASH)}
  {put("i64 %hash", "%entry.hash", "%entry_", Entry.HASH)}
  {get("ptr", "%table", "%plan", Plan.OPERAND_TABLE)}
  {get("ptr", "%staging", "%message", Message.STAGING)}
  %is_staged = icmp ne ptr %staging, null
  br i1 %is_staged, label %stage, label %show
stage:
  %place = urem i64 %ticket, {ENTRIES}
  %staged = getelementptr inbounds ptr, ptr %staging, i64 %place
  {get("i64", "%copies", "%message", Message.COPIES)}
  {get("ptr", "%copy_table", "%message", Message.COPY_TABLE)}
  call void @copy(ptr %copy_table, i64 %copies, ptr %operands, ptr %staged)
  br label %show
show:
  %shown = phi ptr [ %table, %publish ], [ %staged, %stage ]
  {put("ptr %shown", "%entry.table", "%entry_", Entry.OPERANDS)}
  call void @tell(ptr %process, ptr %ready.at, i64 %ticket)
  ret i32 {Code.DONE}
}}

define internal i32 @post_all(ptr %process, ptr %plan, ptr %messages, i64 %first, i64 %count, ptr %requests,
                               ptr %operands, ptr %results) {{
entry:  ; what MPI returns; messages and requests have the same numbers
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %start, label %none
none:
  ret i32 0
start:
  {get("i64", "%request.bytes", "%process", Process.REQUEST_BYTES)}
  %end = add nuw nsw i64 %first, %count
  call void @lock(ptr %process)
  br label %one
one:
  %i = phi i64 [ %first, %start ], [ %next, %good ]
  %words = mul nuw nsw i64 %i, {len(Message)}
  %message = getelementptr inbounds i64, ptr %messages, i64 %words
  %offset = mul nuw nsw i64 %i, %request.bytes
  %request = getelementptr inbounds i8, ptr %requests, i64 %offset
  %code = call i32 @post(ptr %process, ptr %plan, ptr %message, ptr %request, ptr %operands, ptr %results)
  %failed = icmp ne i32 %code, 0
  br i1 %failed, label %done, label %good
good:
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %end
  br i1 %more, label %one, label %done
done:
  call void @unlock(ptr %process)
  ret i32 %code
}}

define i32 @begin(ptr %device, i64 %index, ptr %operands, ptr %results) {{
entry:
  call void @pause_at_random(ptr %device)
  {get("ptr", "%process", "%device", Device.PROCESS)}
  {get("ptr", "%plans", "%device", Device.PLANS)}
  %plan.slot = getelementptr inbounds ptr, ptr %plans, i64 %index
  %plan = load ptr, ptr %plan.slot
  {put("i64 0", "%start", "%device", Device.START)}
  {get("i64", "%called", "%plan", Plan.CALLED)}
  {get("i64", "%ended", "%plan", Plan.ENDED)}
  %is_over = icmp eq i64 %called, %ended
  br i1 %is_over, label %go, label %full
full:
  ret i32 {Code.FULL}
go:
  %called.next = add i64 %called, 1
  store i64 %called.next, ptr %called.at
  {get("ptr", "%messages", "%plan", Plan.MESSAGES)}
  {get("i64", "%remote", "%plan", Plan.REMOTE)}
  {get("i64", "%local", "%plan", Plan.LOCAL)}
  {get("i64", "%operand.count", "%plan", Plan.OPERANDS)}
  {get("ptr", "%operand.table", "%plan", Plan.OPERAND_TABLE)}
  %operand.bytes = mul nuw nsw i64 %operand.count, {WORD}
  call void @llvm.memmove.p0.p0.i64(ptr %operand.table, ptr %operands, i64 %operand.bytes, i1 false)
  %all = add nuw nsw i64 %remote, %local
  %some_local = icmp sgt i64 %local, 0
  {get("ptr", "%reduction", "%plan", Plan.REDUCTION)}
  %is_reduction = icmp ne ptr %reduction, null
  br i1 %is_reduction, label %show_result, label %meet
show_result:
  %result = load ptr, ptr %results
  {put("ptr %result", "%result.slot", "%operand.table", RESULT)}
  br label %meet
meet:
  %sources = select i1 %is_reduction, ptr %operand.table, ptr %operands
  %targets = select i1 %is_reduction, ptr %operand.table, ptr %results
  br i1 %some_local, label %near, label %far
near:
  %n = phi i64 [ %remote, %meet ], [ %n.next, %near.good ]
  %n.words = mul nuw nsw i64 %n, {len(Message)}
  %n.message = getelementptr inbounds i64, ptr %messages, i64 %n.words
  %n.code = call i32 @post_local(ptr %process, ptr %plan, ptr %n.message, ptr %operands)
  %n.failed = icmp ne i32 %n.code, 0
  br i1 %n.failed, label %near.bad, label %near.good
near.bad:
  ret i32 %n.code
near.good:
  %n.next = add nuw nsw i64 %n, 1
  %n.more = icmp slt i64 %n.next, %all
  br i1 %n.more, label %near, label %far
far:
  {get("ptr", "%requests", "%plan", Plan.REQUESTS)}
  %f.code = call i32 @post_all(ptr %process, ptr %plan, ptr %messages, i64 0, i64 %remote, ptr %requests, ptr %sources,
                               ptr %targets)
  %f.failed = icmp ne i32 %f.code, 0
  br i1 %f.failed, label %far.bad, label %far.good
far.good:
  br i1 %is_reduction, label %pieces, label %done
pieces:
  %p.code = call i32 @post_first(ptr %process, ptr %plan)
  %p.failed = icmp ne i32 %p.code, 0
  br i1 %p.failed, label %far.bad, label %done
far.bad:
  %error.code = phi i32 [ %f.code, %far ], [ %p.code, %pieces ]
  %error = sext i32 %error.code to i64
  {put("i64 %error", "%error.slot", "%device", Device.ERROR)}
  ret i32 {Code.MPI_FAILED}
done:
  {at("%posted", "%plan", Plan.POSTED)}
  store atomic i64 %called.next, ptr %posted.at release, align 8
  ret i32 {Code.DONE}
}}
"""


_END = f"""
define internal i32 @unpack(ptr %device, ptr %plan, ptr %results) {{
entry:  ; the headers that have come, and what is behind them
  %staging.slot = alloca ptr
  {get("i64", "%count", "%plan", Plan.STAGED)}
  {get("ptr", "%messages", "%plan", Plan.MESSAGES)}
  {get("i64", "%hash", "%plan", Plan.HASH)}
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %one, label %done
one:
  %i = phi i64 [ 0, %entry ], [ %next, %good ]
  %words = mul nuw nsw i64 %i, {len(Message)}
  %message = getelementptr inbounds i64, ptr %messages, i64 %words
  {get("i64", "%sends", "%message", Message.SENDS)}
  %is_sent = icmp ne i64 %sends, 0
  br i1 %is_sent, label %good, label %check
check:
  {get("ptr", "%staging", "%message", Message.STAGING)}
  {get("i64", "%their.hash", "%staging", Header.HASH)}
  %same = icmp eq i64 %hash, %their.hash
  br i1 %same, label %take, label %bad
bad:
  {put("i64 %i", "%message.slot", "%device", Device.MESSAGE)}
  ret i32 {Code.OTHER_TERMS}
take:
  {get("i64", "%copies", "%message", Message.COPIES)}
  {get("ptr", "%copy_table", "%message", Message.COPY_TABLE)}
  store ptr %staging, ptr %staging.slot
  call void @copy(ptr %copy_table, i64 %copies, ptr %staging.slot, ptr %results)
  br label %good
good:
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %one, label %done
done:
  ret i32 {Code.DONE}
}}

define internal ptr @incoming(ptr %plan, i64 %number) {{
entry:  ; a message of another device of the process; null: it goes there, or has been taken
  {get("ptr", "%messages", "%plan", Plan.MESSAGES)}
  %words = mul nuw nsw i64 %number, {len(Message)}
  %message = getelementptr inbounds i64, ptr %messages, i64 %words
  {get("i64", "%sends", "%message", Message.SENDS)}
  {get("i64", "%ticket", "%message", Message.TICKET)}
  %is_sent = icmp ne i64 %sends, 0
  %is_over = icmp eq i64 %ticket, 0
  %nothing = or i1 %is_sent, %is_over
  %found = select i1 %nothing, ptr null, ptr %message
  ret ptr %found
}}

define internal ptr @entry_of_message(ptr %message) {{
  {get("i64", "%ticket", "%message", Message.TICKET)}
  {get("ptr", "%channel", "%message", Message.CHANNEL)}
  %entry = call ptr @entry_of(ptr %channel, i64 %ticket)
  ret ptr %entry
}}

define internal i32 @await_sender(ptr %device, ptr %plan, i64 %number, ptr %message, ptr %since) {{
entry:  ; of an incoming message
  {get("i64", "%ticket", "%message", Message.TICKET)}
  %entry_ = call ptr @entry_of_message(ptr %message)
  {at("%ready", "%entry_", Entry.READY)}
  %code = call i32 @wait_word(ptr %device, ptr %ready.at, i64 %ticket, ptr %since)
  %failed = icmp ne i32 %code, 0
  br i1 %failed, label %stop, label %check
stop:
  ret i32 %code
check:
  {get("i64", "%hash", "%plan", Plan.HASH)}
  {get("i64", "%their.hash", "%entry_", Entry.HASH)}
  %same = icmp eq i64 %hash, %their.hash
  br i1 %same, label %done, label %bad
bad:
  {put("i64 %number", "%message.slot", "%device", Device.MESSAGE)}
  ret i32 {Code.OTHER_TERMS}
done:
  ret i32 {Code.DONE}
}}

define internal void @release_sender(ptr %device, ptr %message) {{
  {get("i64", "%ticket", "%message", Message.TICKET)}
  {get("ptr", "%process", "%device", Device.PROCESS)}
  %entry_ = call ptr @entry_of_message(ptr %message)
  {at("%done.word", "%entry_", Entry.DONE)}
  store i64 0, ptr %ticket.at
  call void @tell(ptr %process, ptr %done.word.at, i64 %ticket)
  ret void
}}

define internal i32 @take_local(ptr %device, ptr %plan, i64 %number, ptr %results, ptr %since) {{
entry:
  %message = call ptr @incoming(ptr %plan, i64 %number)
  %is_none = icmp eq ptr %message, null
  br i1 %is_none, label %done, label %receive
receive:
  %code = call i32 @await_sender(ptr %device, ptr %plan, i64 %number, ptr %message, ptr %since)
  %failed = icmp ne i32 %code, 0
  br i1 %failed, label %stop, label %take
stop:
  ret i32 %code
take:
  %entry_ = call ptr @entry_of_message(ptr %message)
  {get("i64", "%copies", "%message", Message.COPIES)}
  {get("ptr", "%copy_table", "%message", Message.COPY_TABLE)}
  {get("ptr", "%theirs", "%entry_", Entry.OPERANDS)}
  call void @copy(ptr %copy_table, i64 %copies, ptr %theirs, ptr %results)
  call void @release_sender(ptr %device, ptr %message)
  br label %done
done:
  ret i32 {Code.DONE}
}}

define internal i32 @leave_local(ptr %device, ptr %plan, i64 %number, ptr %results, ptr %since) {{
entry:
  {get("ptr", "%messages", "%plan", Plan.MESSAGES)}
  %words = mul nuw nsw i64 %number, {len(Message)}
  %message = getelementptr inbounds i64, ptr %messages, i64 %words
  {get("i64", "%sends", "%message", Message.SENDS)}
  {get("i64", "%ticket", "%message", Message.TICKET)}
  {get("ptr", "%channel", "%message", Message.CHANNEL)}
  %is_sent = icmp ne i64 %sends, 0
  br i1 %is_sent, label %sent, label %done
sent:  ; what is staged may be taken later, but before its place is needed again
  {get("ptr", "%staging", "%message", Message.STAGING)}
  %is_staged = icmp ne ptr %staging, null
  %lag = select i1 %is_staged, i64 {_LAG}, i64 0
  %awaited = sub i64 %ticket, %lag
  %is_due = icmp sgt i64 %awaited, 0
  br i1 %is_due, label %due, label %done
due:
  %entry_ = call ptr @entry_of(ptr %channel, i64 %awaited)
  {at("%done.word", "%entry_", Entry.DONE)}
  %code = call i32 @wait_word(ptr %device, ptr %done.word.at, i64 %awaited, ptr %since)
  ret i32 %code
done:
  ret i32 {Code.DONE}
}}

define internal i32 @each_local(ptr %device, ptr %plan, ptr %results, ptr %since, ptr %step) {{
entry:
  {get("i64", "%remote", "%plan", Plan.REMOTE)}
  {get("i64", "%local", "%plan", Plan.LOCAL)}
  %all = add nuw nsw i64 %remote, %local
  %some = icmp sgt i64 %local, 0
  br i1 %some, label %one, label %done
one:
  %i = phi i64 [ %remote, %entry ], [ %next, %good ]
  %code = call i32 %step(ptr %device, ptr %plan, i64 %i, ptr %results, ptr %since)
  %failed = icmp ne i32 %code, 0
  br i1 %failed, label %stop, label %good
stop:
  ret i32 %code
good:
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %all
  br i1 %more, label %one, label %done
done:
  ret i32 {Code.DONE}
}}

define i32 @end(ptr %device, i64 %index, ptr %operands, ptr %results) {{
entry:
  call void @pause_at_random(ptr %device)
  %since = alloca i64
  store i64 0, ptr %since
  {get("ptr", "%process", "%device", Device.PROCESS)}
  {get("ptr", "%plans", "%device", Device.PLANS)}
  %plan.slot = getelementptr inbounds ptr, ptr %plans, i64 %index
  %plan = load ptr, ptr %plan.slot
  {get("i64", "%staged", "%plan", Plan.STAGED)}
  {get("i64", "%remote", "%plan", Plan.REMOTE)}
  {get("ptr", "%requests", "%plan", Plan.REQUESTS)}
  {get("i64", "%request.bytes", "%process", Process.REQUEST_BYTES)}
  %code.1 = call i32 @wait_remote(ptr %device, i64 %staged, ptr %requests, ptr %since, i1 true)
  %failed.1 = icmp ne i32 %code.1, 0
  br i1 %failed.1, label %stop, label %headers
headers:
  %code.2 = call i32 @unpack(ptr %device, ptr %plan, ptr %results)
  %failed.2 = icmp ne i32 %code.2, 0
  br i1 %failed.2, label %stop, label %local
local:
  {get("ptr", "%reduction", "%plan", Plan.REDUCTION)}
  %is_reduction = icmp ne ptr %reduction, null
  br i1 %is_reduction, label %reduced, label %taken
taken:
  %code.3 = call i32 @each_local(ptr %device, ptr %plan, ptr %results, ptr %since, ptr @take_local)
  %failed.3 = icmp ne i32 %code.3, 0
  br i1 %failed.3, label %stop, label %own
reduced:
  %code.6 = call i32 @reduce(ptr %device, ptr %plan, ptr %operands, ptr %results, ptr %since)
  %failed.6 = icmp ne i32 %code.6, 0
  br i1 %failed.6, label %stop, label %sent
sent:
  {get("i64", "%pieces", "%reduction", Reduction.PIECES)}
  {get("i64", "%peers", "%reduction", Reduction.PEERS)}
  {get("i64", "%pushes", "%reduction", Reduction.PUSHES)}
  {get("ptr", "%outgoing", "%reduction", Reduction.OUTGOING_REQUESTS)}
  %rows = mul nuw nsw i64 %pieces, %peers
  %sent.rows = mul nuw nsw i64 %rows, %pushes
  %code.7 = call i32 @wait_remote(ptr %device, i64 %sent.rows, ptr %outgoing, ptr %since, i1 false)
  %failed.7 = icmp ne i32 %code.7, 0
  br i1 %failed.7, label %stop, label %own
own:
  {get("i64", "%copies", "%plan", Plan.COPIES)}
  {get("ptr", "%copy_table", "%plan", Plan.COPY_TABLE)}
  call void @copy(ptr %copy_table, i64 %copies, ptr %operands, ptr %results)
  call void @clear(ptr %plan, ptr %results)
  %direct = sub nuw nsw i64 %remote, %staged
  %skipped = mul nuw nsw i64 %staged, %request.bytes
  %direct.requests = getelementptr inbounds i8, ptr %requests, i64 %skipped
  %code.4 = call i32 @wait_remote(ptr %device, i64 %direct, ptr %direct.requests, ptr %since, i1 false)
  %failed.4 = icmp ne i32 %code.4, 0
  br i1 %failed.4, label %stop, label %leave
leave:
  %code.5 = call i32 @each_local(ptr %device, ptr %plan, ptr %results, ptr %since, ptr @leave_local)
  %failed.5 = icmp ne i32 %code.5, 0
  br i1 %failed.5, label %stop, label %done
stop:
  %code = phi i32 [ %code.1, %entry ], [ %code.2, %headers ], [ %code.3, %taken ], [ %code.4, %own ],
                  [ %code.5, %leave ], [ %code.6, %reduced ], [ %code.7, %sent ]
  ret i32 %code
done:
  {put("i64 0", "%start", "%device", Device.START)}
  {get("i64", "%called", "%plan", Plan.CALLED)}
  {put("i64 %called", "%ended", "%plan", Plan.ENDED)}
  ret i32 {Code.DONE}
}}
"""


def exchange_code(pauses: str = NO_PAUSES, numbers: Messages | None = None) -> str:
    """The module, in LLVM IR. `<name>` in the text above is a number of `Messages`; `pauses` is `Delays.code`."""
    text = "\n".join((_COPYING, _BEGIN, PAUSING, WAITING, REDUCTION, _END, pauses))
    for name, value in asdict(numbers or Messages()).items():
        text = text.replace(f"<{name}>", str(value))
    return text
