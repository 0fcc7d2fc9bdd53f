; What a model says about itself and about failures; what C functions of custom calls report.

define i32 @${n}_get_info(ptr %info) nounwind {
entry:
  %is.null = icmp eq ptr %info, null
  br i1 %is.null, label %bad.result, label %look
bad.result:
  tell result()
  ret i32 $ARGUMENT
look:
  %version = load i64, ptr %info, align 8
  %is.version = icmp eq i64 %version, $INFO_BYTES
  br i1 %is.version, label %copy, label %bad.version
bad.version:
  tell version(i64 %version, i64 128)
  ret i32 $VERSION
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %info, ptr @$n.info, i64 $INFO_BYTES, i1 false)
  ret i32 0
}

define ptr @${n}_status_message(i32 %status) nounwind {
entry:
  %is.known = icmp ult i32 %status, $NUM_STATUSES
  %index = select i1 %is.known, i32 %status, i32 $NUM_STATUSES
  %wide = zext i32 %index to i64
  %at = getelementptr inbounds ptr, ptr @$n.meanings, i64 %wide
  %text = load ptr, ptr %at, align 8
  ret ptr %text
}

define ptr @${n}_error_message() nounwind {
  ret ptr @$n.message
}

define internal void @$n.set_failure(ptr %status, ptr %text, i64 %length) nounwind {
  field i64 %status[16] = 1
  %name = field ptr %status[24]
  %is.null = icmp eq ptr %text, null
  %string = select i1 %is.null, ptr @$n.text.nothing, ptr %text
  %is.long = icmp ugt i64 %length, $MESSAGE_BYTES
  %shown.64 = select i1 %is.long, i64 $MESSAGE_BYTES, i64 %length
  %shown = trunc i64 %shown.64 to i32
  tell failed(ptr %name, i32 %shown, ptr %string)
  ret void
}

define internal void @$n.set_success(ptr %status) nounwind {
  field i64 %status[16] = 0
  ret void
}

declare i32 @snprintf(ptr, i64, ptr, ...) nounwind
declare i32 @strcmp(ptr, ptr) nounwind
declare ptr @aligned_alloc(i64, i64) nounwind
declare void @free(ptr) nounwind
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare hidden void @$entry(ptr, ptr, ptr, ptr)
