; Runs, and what generated code calls while one goes on.

define internal void @$n.frame(ptr %frame, ptr %context) nounwind {
  %threads = field i64 %context[CONTEXT_THREADS]
  store i64 %threads, ptr %frame, align 8
  %process = getelementptr inbounds i8, ptr %context, i64 $CONTEXT_PROCESS
  field ptr %frame[SLOT_PROCESS] = %process
  %constants = field ptr %context[CONTEXT_CONSTANTS]
  field ptr %frame[SLOT_CONSTANTS] = %constants
  %targets = field ptr %context[CONTEXT_TARGETS]
  field ptr %frame[SLOT_CALL_TARGETS] = %targets
  %failed = getelementptr inbounds i8, ptr %frame, i64 $FRAME_FAILED
  field ptr %frame[SLOT_FAILED] = %failed
  field ptr %frame[FRAME_OWNER] = %context
  %generation = field atomic i64 %context[CONTEXT_GENERATION]
  field i64 %frame[FRAME_GENERATION] = %generation
  field i64 %frame[FRAME_FAILED] = 0
  field i64 %frame[FRAME_STATUS] = 0
  ret void
}

define internal void @$n.addresses(ptr %table, ptr %buffers, i64 %count) nounwind {
entry:
  br label %look
look:
  %i = phi i64 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %step, label %end
step:
  %at = getelementptr inbounds [2 x ptr], ptr %buffers, i64 %i
  %data = load ptr, ptr %at, align 8
  %to = getelementptr inbounds ptr, ptr %table, i64 %i
  store ptr %data, ptr %to, align 8
  %next = add i64 %i, 1
  br label %look
end:
  ret void
}

define i32 @${n}_run(ptr %context, ptr %inputs, i64 %num.inputs, ptr %outputs, i64 %num.outputs) nounwind {
entry:
  %table = alloca [$NUM_BUFFERS x ptr], align 16
  %is.null = icmp eq ptr %context, null
  br i1 %is.null, label %bad.context, label %look
look:
  %magic = load i64, ptr %context, align 8
  %is.context = icmp eq i64 %magic, $MAGIC
  br i1 %is.context, label %check.inputs, label %bad.context
bad.context:
  tell context()
  ret i32 $ARGUMENT
check.inputs:
  %s.0 = call i32 @$n.check(ptr %inputs, i64 %num.inputs, ptr @$n.inputs, i64 $NUM_INPUTS, ptr @$n.text.input)
  %g.0 = icmp eq i32 %s.0, 0
  br i1 %g.0, label %check.outputs, label %bad
check.outputs:
  %s.1 = call i32 @$n.check(ptr %outputs, i64 %num.outputs, ptr @$n.outputs, i64 $NUM_OUTPUTS, ptr @$n.text.output)
  %g.1 = icmp eq i32 %s.1, 0
  br i1 %g.1, label %check.overlap, label %bad
check.overlap:
  %s.2 = call i32 @$n.overlap(ptr %outputs, ptr %inputs, i64 $NUM_INPUTS, ptr @$n.text.input, i64 0)
  %g.2 = icmp eq i32 %s.2, 0
  br i1 %g.2, label %check.apart, label %bad
check.apart:
  %s.3 = call i32 @$n.overlap(ptr %outputs, ptr %outputs, i64 $NUM_OUTPUTS, ptr @$n.text.output, i64 1)
  %g.3 = icmp eq i32 %s.3, 0
  br i1 %g.3, label %enter, label %bad
bad:
  %status.bad = phi i32 [ %s.0, %check.inputs ], [ %s.1, %check.outputs ], [ %s.2, %check.overlap ], [ %s.3, %check.apart ]
  ret i32 %status.bad
enter:
  %busy = getelementptr inbounds i8, ptr %context, i64 $CONTEXT_BUSY
  %exchange = cmpxchg ptr %busy, i64 0, i64 1 acquire monotonic
  %is.first = extractvalue { i64, i1 } %exchange, 1
  br i1 %is.first, label %first, label %another
first:
  %frame.first = getelementptr inbounds i8, ptr %context, i64 $CONTEXT_FRAME
  %arena = field ptr %context[CONTEXT_ARENA]
  br label %go
another:
  %lent = field i64 %context[CONTEXT_LENT]
  %is.lent = icmp ne i64 %lent, 0
  br i1 %is.lent, label %bad.busy, label %more
bad.busy:
  tell busy()
  ret i32 $BUSY
more:
  %frame.more = call ptr @aligned_alloc(i64 64, i64 $MORE_BYTES)
  %no.more = icmp eq ptr %frame.more, null
  br i1 %no.more, label %bad.memory, label %more.there
bad.memory:
  tell memory()
  ret i32 $MEMORY
more.there:
  %arena.more = getelementptr inbounds i8, ptr %frame.more, i64 $FRAME_BYTES
  br label %go
go:
  %frame = phi ptr [ %frame.first, %first ], [ %frame.more, %more.there ]
  %memory = phi ptr [ %arena, %first ], [ %arena.more, %more.there ]
  call void @$n.frame(ptr %frame, ptr %context)
  call void @$n.addresses(ptr %table, ptr %inputs, i64 $NUM_INPUTS)
  %results = getelementptr inbounds ptr, ptr %table, i64 $NUM_INPUTS
  call void @$n.addresses(ptr %results, ptr %outputs, i64 $NUM_OUTPUTS)
  %outer = load ptr, ptr @$n.current, align 8
  store ptr %frame, ptr @$n.current, align 8
  call void @$entry(ptr %table, ptr %results, ptr %memory, ptr %frame)
  store ptr %outer, ptr @$n.current, align 8
  %status = field i64 %frame[FRAME_STATUS]
  br i1 %is.first, label %leave, label %drop
leave:
  store atomic i64 0, ptr %busy release, align 8
  br label %end
drop:
  call void @free(ptr %frame)
  br label %end
end:
  %is.stopped = icmp eq i64 %status, $STOPPED
  br i1 %is.stopped, label %tell, label %return
tell:
  tell stopped()
  br label %return
return:
  %result = trunc i64 %status to i32
  ret i32 %result
}

define internal i64 @$n.safepoint(ptr %frame) nounwind {
entry:
  %owner = field ptr %frame[FRAME_OWNER]
  %started = field i64 %frame[FRAME_GENERATION]
  %now = field atomic i64 %owner[CONTEXT_GENERATION]
  %goes.on = icmp eq i64 %now, %started
  br i1 %goes.on, label %more, label %stop
stop:
  field atomic i64 %frame[FRAME_FAILED] = 1
  field atomic i64 %frame[FRAME_STATUS] = $STOPPED
  ret i64 -1
more:
  ret i64 $FIRST_WORK
}

define internal void @$n.wait(ptr %frame, ptr %done, i64 %count) nounwind {
  ret void
}
