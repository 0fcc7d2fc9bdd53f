// RUN: xla-opt %s -p convert-to-llvm -t llvm | filecheck %s

// A counter for each thread, then the region; on one thread the whole range is one part.
// CHECK-LABEL: define hidden void @xrt.fork(ptr %frame, ptr %task, i64 %long)
// CHECK: %serial = or i1 %alone, %absent
// CHECK: br i1 %serial, label %run.all, label %prepare
// CHECK: %taken = alloca i64
// CHECK: call void %parallel(ptr @xrt.member, ptr %record, i64 %threads, ptr %context, ptr %done.or_null)
// CHECK: call void %gomp_parallel(ptr @xrt.thread, ptr %record, i32 %count, i32 0)
// CHECK: call void %task(ptr %frame, i64 0, i64 1, i64 0)

// A thread of OpenMP, the first of which waits for the others where it can be stopped, if the loop is long.
// CHECK-LABEL: define hidden void @xrt.thread(ptr %record)
// CHECK: call void @xrt.member(ptr %record, i64 %thread, i64 %count)
// CHECK: %is_long = icmp ne ptr %done, null
// CHECK: call void %wait.function(ptr %context, ptr %done, i64 %others)

// Own parts first, then those of the threads after this one.
// CHECK-LABEL: define hidden void @xrt.member(ptr %record, i64 %thread, i64 %count)
// CHECK: %owner = urem i64 %place, %count
// CHECK: %number = atomicrmw add ptr %counter, i64 1 monotonic
// CHECK-NEXT: %left = icmp slt i64 %number, 4
// CHECK: %part = add nsw i64 %first, %number
// CHECK-NEXT: call void %task(ptr %frame, i64 %part, i64 %parts, i64 %thread)
// CHECK: atomicrmw add ptr %done, i64 1 monotonic

func.func private @body(%x: memref<64xf32>, %lo: index, %hi: index, %thread: index) {
  func.return
}

// CHECK-LABEL: define internal void @kernel
func.func private @kernel(%x: memref<64xf32>) {
  // CHECK: call void @xrt.fork(ptr %{{[0-9]+}}, ptr @body.task.64, i64 0)
  xrt.parallel @body(%x) range 64 : memref<64xf32>
  func.return
}
