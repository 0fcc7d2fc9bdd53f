; What a run checks of the buffers that it is given.

define internal i32 @$n.check(ptr %buffers, i64 %given, ptr %tensors, i64 %count, ptr %role) nounwind {
entry:
  %is.count = icmp eq i64 %given, %count
  br i1 %is.count, label %table, label %bad.count
bad.count:
  tell count(ptr %role, i64 %count, i64 %given)
  ret i32 $ARGUMENT
table:
  %none = icmp eq i64 %count, 0
  br i1 %none, label %good, label %some
some:
  %is.null = icmp eq ptr %buffers, null
  br i1 %is.null, label %bad.table, label %look
bad.table:
  tell table(ptr %role)
  ret i32 $ARGUMENT
look:
  %i = phi i64 [ 0, %some ], [ %next, %step ]
  %buffer = getelementptr inbounds [2 x ptr], ptr %buffers, i64 %i
  %data = load ptr, ptr %buffer, align 8
  %size = field i64 %buffer[8]
  %place = mul i64 %i, $TENSOR_BYTES
  %tensor = getelementptr inbounds i8, ptr %tensors, i64 %place
  %name = load ptr, ptr %tensor, align 8
  %expected = field i64 %tensor[TENSOR_SIZE]
  %is.size = icmp eq i64 %size, %expected
  br i1 %is.size, label %sized, label %bad.size
bad.size:
  tell size(ptr %role, i64 %i, ptr %name, i64 %expected, i64 %size)
  ret i32 $SIZE
sized:
  %is.empty = icmp eq i64 %size, 0
  br i1 %is.empty, label %step, label %full
full:
  %address = ptrtoint ptr %data to i64
  %is.missing = icmp eq ptr %data, null
  br i1 %is.missing, label %bad.null, label %there
bad.null:
  tell null(ptr %role, i64 %i, ptr %name)
  ret i32 $ARGUMENT
there:
  %low = and i64 %address, 15
  %is.aligned = icmp eq i64 %low, 0
  br i1 %is.aligned, label %step, label %bad.alignment
bad.alignment:
  tell alignment(ptr %role, i64 %i, ptr %name, ptr %data)
  ret i32 $ALIGNMENT
step:
  %next = add i64 %i, 1
  %is.last = icmp eq i64 %next, %count
  br i1 %is.last, label %good, label %look
good:
  ret i32 0
}

define internal i32 @$n.overlap(ptr %outputs, ptr %others, i64 %count, ptr %role, i64 %are.outputs) nounwind {
entry:
  br label %output
output:
  %o = phi i64 [ 0, %entry ], [ %o.next, %output.done ]
  %o.more = icmp ult i64 %o, $NUM_OUTPUTS
  br i1 %o.more, label %prepare, label %good
prepare:
  %o.at = getelementptr inbounds [2 x i64], ptr %outputs, i64 %o
  %o.start = load i64, ptr %o.at, align 8
  %o.size = field i64 %o.at[8]
  %o.end = add i64 %o.start, %o.size
  %place = mul i64 %o, $TENSOR_BYTES
  %tensor = getelementptr inbounds i8, ptr @$n.outputs, i64 %place
  %donated = field i64 %tensor[TENSOR_DONATED]
  %are = icmp ne i64 %are.outputs, 0
  %limit = select i1 %are, i64 %o, i64 %count
  br label %other
other:
  %i = phi i64 [ 0, %prepare ], [ %i.next, %step ]
  %i.more = icmp ult i64 %i, %limit
  br i1 %i.more, label %compare, label %output.done
compare:
  %i.at = getelementptr inbounds [2 x i64], ptr %others, i64 %i
  %start = load i64, ptr %i.at, align 8
  %i.size = field i64 %i.at[8]
  %end = add i64 %start, %i.size
  %is.donated = icmp eq i64 %donated, %i
  %are.inputs = icmp eq i64 %are.outputs, 0
  %shared = and i1 %is.donated, %are.inputs
  br i1 %shared, label %same, label %apart
same:
  %is.same = icmp eq i64 %start, %o.start
  br i1 %is.same, label %step, label %bad.donated
bad.donated:
  tell donated(i64 %o, i64 %i)
  ret i32 $ARGUMENT
apart:
  %before = icmp ult i64 %o.start, %end
  %behind = icmp ult i64 %start, %o.end
  %both = and i1 %before, %behind
  br i1 %both, label %bad.overlap, label %step
bad.overlap:
  tell overlap(i64 %o, ptr %role, i64 %i)
  ret i32 $OVERLAP
step:
  %i.next = add i64 %i, 1
  br label %other
output.done:
  %o.next = add i64 %o, 1
  br label %output
good:
  ret i32 0
}
