; Contexts: made, stopped, destroyed.

define internal ptr @$n.find(ptr %options, ptr %name, ptr %default) nounwind {
entry:
  %table = field ptr %options[OPTION_FUNCTIONS]
  %count = field i64 %options[OPTION_NUM_FUNCTIONS]
  br label %look
look:
  %i = phi i64 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i64 %i, %count
  br i1 %more, label %entry.of, label %absent
entry.of:
  %at = getelementptr inbounds [2 x ptr], ptr %table, i64 %i
  %other = load ptr, ptr %at, align 8
  %is.null = icmp eq ptr %other, null
  br i1 %is.null, label %step, label %compare
compare:
  %order = call i32 @strcmp(ptr %other, ptr %name)
  %same = icmp eq i32 %order, 0
  br i1 %same, label %found, label %step
step:
  %next = add i64 %i, 1
  br label %look
found:
  %address = field ptr %at[8]
  ret ptr %address
absent:
  ret ptr %default
}

define i32 @${n}_create(ptr %given, ptr %result) nounwind {
entry:
  %no.result = icmp eq ptr %result, null
  br i1 %no.result, label %bad.result, label %clear
bad.result:
  tell result()
  ret i32 $ARGUMENT
clear:
  store ptr null, ptr %result, align 8
  %no.options = icmp eq ptr %given, null
  %options = select i1 %no.options, ptr @$n.defaults, ptr %given
  %version = load i64, ptr %options, align 8
  %is.version = icmp eq i64 %version, $OPTIONS_BYTES
  br i1 %is.version, label %processor, label %bad.version
bad.version:
  tell version(i64 %version, i64 72)
  ret i32 $VERSION
processor:
  %missing = call ptr @$n.missing_feature()
  %can.run = icmp eq ptr %missing, null
  br i1 %can.run, label %threads, label %bad.processor
bad.processor:
  tell processor(ptr %missing)
  ret i32 $PROCESSOR
threads:
  %asked = field i64 %options[OPTION_THREADS]
  %is.default = icmp eq i64 %asked, 0
  %count = select i1 %is.default, i64 $THREADS, i64 %asked
  %few = icmp slt i64 %count, 1
  %many = icmp sgt i64 %count, $THREADS
  %out.of.range = or i1 %few, %many
  br i1 %out.of.range, label %bad.threads, label %functions
bad.threads:
  tell threads(i64 %asked, i64 $THREADS)
  ret i32 $ARGUMENT
functions:
  %table = field ptr %options[OPTION_FUNCTIONS]
  %registered = field i64 %options[OPTION_NUM_FUNCTIONS]
  %no.table = icmp eq ptr %table, null
  %is.some = icmp ne i64 %registered, 0
  %no.functions = and i1 %no.table, %is.some
  br i1 %no.functions, label %bad.functions, label %arena
bad.functions:
  tell functions()
  ret i32 $ARGUMENT
arena:
  %lent = field ptr %options[OPTION_ARENA]
  %lent.size = field i64 %options[OPTION_ARENA_SIZE]
  %is.lent = icmp ne ptr %lent, null
  br i1 %is.lent, label %lent.size.of, label %constants
lent.size.of:
  %is.large = icmp uge i64 %lent.size, $ARENA
  br i1 %is.large, label %lent.place, label %bad.arena
bad.arena:
  tell arena(i64 %lent.size, i64 $ARENA)
  ret i32 $SIZE
lent.place:
  %lent.address = ptrtoint ptr %lent to i64
  %lent.low = and i64 %lent.address, 63
  %lent.aligned = icmp eq i64 %lent.low, 0
  br i1 %lent.aligned, label %constants, label %bad.arena.alignment
bad.arena.alignment:
  tell arena_alignment(ptr %lent)
  ret i32 $ALIGNMENT
constants:
$check_constants
allocate:
  %context = call ptr @aligned_alloc(i64 64, i64 $CONTEXT_SIZE)
  %no.context = icmp eq ptr %context, null
  br i1 %no.context, label %bad.memory, label %zero
bad.memory:
  tell memory()
  ret i32 $MEMORY
zero:
  call void @llvm.memset.p0.i64(ptr %context, i8 0, i64 $CONTEXT_SIZE, i1 false)
  %lent.number = zext i1 %is.lent to i64
  %seed = field i64 %options[OPTION_SEED]
  field i64 %context[CONTEXT_MAGIC] = $MAGIC
  field i64 %context[CONTEXT_THREADS] = %count
  field i64 %context[CONTEXT_SEED] = %seed
  field i64 %context[CONTEXT_LENT] = %lent.number
  %targets = getelementptr inbounds i8, ptr %context, i64 $CONTEXT_TABLES
  field ptr %context[CONTEXT_TARGETS] = %targets
  %behind = getelementptr inbounds i8, ptr %targets, i64 $TARGET_BYTES
  field ptr %context[CONTEXT_FUNCTIONS] = %behind
$fill_constants
$fill_process
$fill_targets
  br i1 %is.lent, label %borrow, label %own
borrow:
  br label %done
own:
  %is.none = icmp eq i64 $ARENA_BYTES, 0
  br i1 %is.none, label %done, label %take
take:
  %taken = call ptr @aligned_alloc(i64 64, i64 $ARENA_BYTES)
  %not.taken = icmp eq ptr %taken, null
  br i1 %not.taken, label %give.back, label %done
give.back:
  call void @free(ptr %context)
  br label %bad.memory
done:
  %memory = phi ptr [ %lent, %borrow ], [ null, %own ], [ %taken, %take ]
  field ptr %context[CONTEXT_ARENA] = %memory
  store ptr %context, ptr %result, align 8
  ret i32 0
$missing_functions
}

define void @${n}_stop(ptr %context) nounwind {
entry:
  %is.null = icmp eq ptr %context, null
  br i1 %is.null, label %end, label %stop
stop:
  %generation = getelementptr inbounds i8, ptr %context, i64 $CONTEXT_GENERATION
  %before = atomicrmw add ptr %generation, i64 1 monotonic
  br label %end
end:
  ret void
}

define void @${n}_destroy(ptr %context) nounwind {
entry:
  %is.null = icmp eq ptr %context, null
  br i1 %is.null, label %end, label %look
look:
  %magic = load i64, ptr %context, align 8
  %is.context = icmp eq i64 %magic, $MAGIC
  br i1 %is.context, label %destroy, label %end
destroy:
  store volatile i64 0, ptr %context, align 8
  %lent = field i64 %context[CONTEXT_LENT]
  %is.lent = icmp ne i64 %lent, 0
  br i1 %is.lent, label %last, label %arena.of
arena.of:
  %arena = field ptr %context[CONTEXT_ARENA]
  call void @free(ptr %arena)
  br label %last
last:
  call void @free(ptr %context)
  br label %end
end:
  ret void
}
