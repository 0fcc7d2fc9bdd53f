"""A reduction in machine code: what `begin` and `end` do of an exchange whose plan has a `Reduction`.

Each member reduces some pieces of the operands of all, by a function of the program, `void (void **inputs, void
**outputs, void *arena, void **context)`, whose address and context stand behind the operand. Operands of devices of the
process are read where they are, and a reduced piece is written to the results of all of them while it is in the cache.
Pieces come from other processes into scratch memory, some ahead of the one that is reduced, and go to them as soon as
they are reduced: the reduce-scatter and the all-gather of R. Rabenseifner ("Optimization of Collective Reduction
Operations", 2004) run at the same time.
"""

from __future__ import annotations

from ..machine_words import at, get, put
from .layout import Code, Device, Entry, Message, Plan, Process, Reduction, Source

OPERAND, RESULT, SCRATCH = range(3)
"""The table of operands of a plan with a reduction."""

_MEETING = f"""
define internal i32 @await_local(ptr %device, ptr %plan, i64 %number, ptr %results, ptr %since) {{
entry:  ; until the sender of a message has come, whose buffers are noted
  %message = call ptr @incoming(ptr %plan, i64 %number)
  %is_none = icmp eq ptr %message, null
  br i1 %is_none, label %done, label %receive
receive:
  %code = call i32 @await_sender(ptr %device, ptr %plan, i64 %number, ptr %message, ptr %since)
  %failed = icmp ne i32 %code, 0
  br i1 %failed, label %stop, label %note
stop:
  ret i32 %code
note:
  %entry_ = call ptr @entry_of_message(ptr %message)
  {get("ptr", "%reduction", "%plan", Plan.REDUCTION)}
  {get("ptr", "%sources", "%reduction", Reduction.SOURCES)}
  {get("i64", "%pushes", "%reduction", Reduction.PUSHES)}
  {get("i64", "%place", "%message", Message.INDEX)}
  %source.words = mul nuw nsw i64 %place, {len(Source)}
  %source = getelementptr inbounds i64, ptr %sources, i64 %source.words
  {get("ptr", "%theirs", "%entry_", Entry.OPERANDS)}
  {get("ptr", "%operand", "%theirs", OPERAND)}
  {get("ptr", "%result", "%theirs", RESULT)}
  %is_pushed = icmp ne i64 %pushes, 0
  %target = select i1 %is_pushed, ptr %result, ptr null
  {put("ptr %operand", "%source.operand", "%source", Source.OPERAND)}
  {put("ptr %target", "%source.target", "%source", Source.TARGET)}
  br label %done
done:
  ret i32 {Code.DONE}
}}

define internal i32 @finish_local(ptr %device, ptr %plan, i64 %number, ptr %results, ptr %since) {{
entry:  ; the sender of a message may use its buffers again
  %message = call ptr @incoming(ptr %plan, i64 %number)
  %is_none = icmp eq ptr %message, null
  br i1 %is_none, label %done, label %finish
finish:
  call void @release_sender(ptr %device, ptr %message)
  br label %done
done:
  ret i32 {Code.DONE}
}}
"""

_POSTING = f"""
define internal i32 @post_first(ptr %process, ptr %plan) {{
entry:  ; there is room for the first pieces
  {get("ptr", "%reduction", "%plan", Plan.REDUCTION)}
  {put("i64 0", "%next", "%reduction", Reduction.NEXT)}
  {get("i64", "%pieces", "%reduction", Reduction.PIECES)}
  {get("i64", "%ahead", "%reduction", Reduction.AHEAD)}
  %first = call i64 @llvm.smin.i64(i64 %pieces, i64 %ahead)
  %code = call i32 @post_pieces(ptr %process, ptr %plan, i64 0, i64 %first, i1 false)
  ret i32 %code
}}

define internal i32 @post_pieces(ptr %process, ptr %plan, i64 %first, i64 %count, i1 %sends) {{
entry:  ; of other processes, or to them
  {get("ptr", "%reduction", "%plan", Plan.REDUCTION)}
  {get("i64", "%peers", "%reduction", Reduction.PEERS)}
  {get("ptr", "%incoming", "%reduction", Reduction.INCOMING)}
  {get("ptr", "%incoming.requests", "%reduction", Reduction.INCOMING_REQUESTS)}
  {get("ptr", "%outgoing", "%reduction", Reduction.OUTGOING)}
  {get("ptr", "%outgoing.requests", "%reduction", Reduction.OUTGOING_REQUESTS)}
  {get("ptr", "%table", "%plan", Plan.OPERAND_TABLE)}
  %messages = select i1 %sends, ptr %outgoing, ptr %incoming
  %requests = select i1 %sends, ptr %outgoing.requests, ptr %incoming.requests
  %start = mul nuw nsw i64 %first, %peers
  %rows = mul nsw i64 %count, %peers
  %code = call i32 @post_all(ptr %process, ptr %plan, ptr %messages, i64 %start, i64 %rows, ptr %requests, ptr %table,
                             ptr %table)
  ret i32 %code
}}
"""

_REDUCING = f"""
define internal ptr @address_of_piece(ptr %plan, ptr %source, i64 %start) {{
entry:  ; of a member
  {get("ptr", "%reduction", "%plan", Plan.REDUCTION)}
  {get("i64", "%slot", "%source", Source.SLOT)}
  %is_here = icmp slt i64 %slot, 0
  br i1 %is_here, label %here, label %elsewhere
here:
  {get("ptr", "%operand", "%source", Source.OPERAND)}
  {get("i64", "%shift", "%reduction", Reduction.SHIFT)}
  %offset = add nuw nsw i64 %shift, %start
  %near = getelementptr inbounds i8, ptr %operand, i64 %offset
  ret ptr %near
elsewhere:
  {get("ptr", "%table", "%plan", Plan.OPERAND_TABLE)}
  {get("ptr", "%scratch", "%table", SCRATCH)}
  {get("i64", "%next", "%reduction", Reduction.NEXT)}
  {get("i64", "%ahead", "%reduction", Reduction.AHEAD)}
  {get("i64", "%peers", "%reduction", Reduction.PEERS)}
  {get("i64", "%piece", "%reduction", Reduction.PIECE)}
  %row = urem i64 %next, %ahead
  %row.first = mul nuw nsw i64 %row, %peers
  %number = add nuw nsw i64 %row.first, %slot
  %scratch.offset = mul nuw nsw i64 %number, %piece
  %far = getelementptr inbounds i8, ptr %scratch, i64 %scratch.offset
  ret ptr %far
}}

define internal void @reduce_piece(ptr %plan, ptr %operands, ptr %results) {{
entry:  ; the next one, into the results of all members that are here
  %result.slot = alloca ptr
  {get("ptr", "%reduction", "%plan", Plan.REDUCTION)}
  {get("i64", "%members", "%reduction", Reduction.MEMBERS)}
  {get("ptr", "%sources", "%reduction", Reduction.SOURCES)}
  {get("ptr", "%pointers", "%reduction", Reduction.POINTERS)}
  {get("i64", "%first", "%reduction", Reduction.FIRST)}
  {get("i64", "%next", "%reduction", Reduction.NEXT)}
  {get("i64", "%piece", "%reduction", Reduction.PIECE)}
  {get("i64", "%end", "%reduction", Reduction.END)}
  {get("ptr", "%function", "%operands", 1)}
  {get("ptr", "%context", "%operands", 2)}
  %result = load ptr, ptr %results
  %number = add nuw nsw i64 %first, %next
  %own = mul nuw nsw i64 %number, %piece
  %latest = sub nsw i64 %end, %piece
  %start = call i64 @llvm.smin.i64(i64 %own, i64 %latest)
  br label %find
find:
  %f = phi i64 [ 0, %entry ], [ %f.next, %find ]
  %f.words = mul nuw nsw i64 %f, {len(Source)}
  %f.source = getelementptr inbounds i64, ptr %sources, i64 %f.words
  %f.address = call ptr @address_of_piece(ptr %plan, ptr %f.source, i64 %start)
  %f.slot = getelementptr inbounds ptr, ptr %pointers, i64 %f
  store ptr %f.address, ptr %f.slot
  %f.next = add nuw nsw i64 %f, 1
  %f.more = icmp slt i64 %f.next, %members
  br i1 %f.more, label %find, label %compute
compute:
  %result.piece = getelementptr inbounds i8, ptr %result, i64 %start
  store ptr %result.piece, ptr %result.slot
  call void %function(ptr %pointers, ptr %result.slot, ptr null, ptr %context)
  %left = sub nsw i64 %end, %own
  %bytes = call i64 @llvm.smin.i64(i64 %piece, i64 %left)
  %reduced = getelementptr inbounds i8, ptr %result, i64 %own
  br label %write
write:
  %w = phi i64 [ 0, %compute ], [ %w.next, %written ]
  %w.words = mul nuw nsw i64 %w, {len(Source)}
  %w.source = getelementptr inbounds i64, ptr %sources, i64 %w.words
  {get("ptr", "%target", "%w.source", Source.TARGET)}
  %is_none = icmp eq ptr %target, null
  br i1 %is_none, label %written, label %push
push:
  %place = getelementptr inbounds i8, ptr %target, i64 %own
  call void @llvm.memcpy.p0.p0.i64(ptr %place, ptr %reduced, i64 %bytes, i1 false)
  br label %written
written:
  %w.next = add nuw nsw i64 %w, 1
  %w.more = icmp slt i64 %w.next, %members
  br i1 %w.more, label %write, label %done
done:
  ret void
}}

define internal i32 @reduce_pieces(ptr %device, ptr %plan, ptr %operands, ptr %results, ptr %since) {{
entry:
  {get("ptr", "%process", "%device", Device.PROCESS)}
  {get("ptr", "%stop", "%device", Device.STOP)}
  {at("%broken", "%process", Process.BROKEN)}
  {get("ptr", "%reduction", "%plan", Plan.REDUCTION)}
  {get("i64", "%pieces", "%reduction", Reduction.PIECES)}
  {get("i64", "%peers", "%reduction", Reduction.PEERS)}
  {get("i64", "%ahead", "%reduction", Reduction.AHEAD)}
  {get("i64", "%pushes", "%reduction", Reduction.PUSHES)}
  {get("ptr", "%requests", "%reduction", Reduction.INCOMING_REQUESTS)}
  {get("i64", "%request.bytes", "%process", Process.REQUEST_BYTES)}
  %is_pushed = icmp ne i64 %pushes, 0
  br label %look
look:
  {get("i64", "%next", "%reduction", Reduction.NEXT)}
  %more = icmp slt i64 %next, %pieces
  br i1 %more, label %ask, label %done
ask:
  %stopped = load atomic i64, ptr %stop monotonic, align 8
  %is_stopped = icmp ne i64 %stopped, 0
  br i1 %is_stopped, label %is.stopped, label %ask.broken
is.stopped:
  ret i32 {Code.STOPPED}
ask.broken:
  %broken = load atomic i64, ptr %broken.at seq_cst, align 8
  %is_broken = icmp ne i64 %broken, 0
  br i1 %is_broken, label %is.broken, label %arrive
is.broken:
  ret i32 {Code.NOTICE}
arrive:
  %skipped = mul nuw nsw i64 %next, %peers
  %skipped.bytes = mul nuw nsw i64 %skipped, %request.bytes
  %awaited = getelementptr inbounds i8, ptr %requests, i64 %skipped.bytes
  %arrived = call i32 @wait_remote(ptr %device, i64 %peers, ptr %awaited, ptr %since, i1 false)
  %is_missing = icmp ne i32 %arrived, 0
  br i1 %is_missing, label %missing, label %reduce
missing:
  ret i32 %arrived
reduce:
  call void @pause_at_random(ptr %device)
  call void @reduce_piece(ptr %plan, ptr %operands, ptr %results)
  %following = add nuw nsw i64 %next, 1
  store i64 %following, ptr %next.at
  %new = add nuw nsw i64 %next, %ahead
  %has_new = icmp slt i64 %new, %pieces
  %new.count = zext i1 %has_new to i64
  %posted = call i32 @post_pieces(ptr %process, ptr %plan, i64 %new, i64 %new.count, i1 false)
  %is_bad = icmp ne i32 %posted, 0
  br i1 %is_bad, label %bad, label %pass_on
pass_on:
  %sent.count = zext i1 %is_pushed to i64
  %sent = call i32 @post_pieces(ptr %process, ptr %plan, i64 %next, i64 %sent.count, i1 true)
  %is_worse = icmp ne i32 %sent, 0
  br i1 %is_worse, label %bad, label %look
bad:
  %code = phi i32 [ %posted, %reduce ], [ %sent, %pass_on ]
  %error = sext i32 %code to i64
  {put("i64 %error", "%error.slot", "%device", Device.ERROR)}
  ret i32 {Code.MPI_FAILED}
done:
  ret i32 {Code.DONE}
}}

define internal i32 @reduce(ptr %device, ptr %plan, ptr %operands, ptr %results, ptr %since) {{
entry:
  %met = call i32 @each_local(ptr %device, ptr %plan, ptr %results, ptr %since, ptr @await_local)
  %is_alone = icmp ne i32 %met, 0
  br i1 %is_alone, label %alone, label %own
alone:
  ret i32 %met
own:
  {get("ptr", "%reduction", "%plan", Plan.REDUCTION)}
  {get("ptr", "%sources", "%reduction", Reduction.SOURCES)}
  {get("i64", "%place", "%reduction", Reduction.PLACE)}
  %words = mul nuw nsw i64 %place, {len(Source)}
  %source = getelementptr inbounds i64, ptr %sources, i64 %words
  %operand = load ptr, ptr %operands
  {put("ptr %operand", "%source.operand", "%source", Source.OPERAND)}
  {at("%busy", "%device", Device.BUSY)}
  %was_busy = atomicrmw xchg ptr %busy.at, i64 1 seq_cst
  %code = call i32 @reduce_pieces(ptr %device, ptr %plan, ptr %operands, ptr %results, ptr %since)
  store atomic i64 0, ptr %busy.at release, align 8
  %failed = icmp ne i32 %code, 0
  br i1 %failed, label %stop, label %finish
stop:
  ret i32 %code
finish:
  call void @pause_at_random(ptr %device)
  %told = call i32 @each_local(ptr %device, ptr %plan, ptr %results, ptr %since, ptr @finish_local)
  ret i32 %told
}}

declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""

REDUCTION = "\n".join((_MEETING, _POSTING, _REDUCING))
