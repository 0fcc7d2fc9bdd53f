// RUN: xla-opt %s --split-input-file --verify-diagnostics

llvm.func @subtraction(%p: !llvm.ptr, %i: i64) {
  // expected-error @below {{expected bin_op 1 (add) and ordering 2 (monotonic)}}
  %0 = "llvm.atomicrmw"(%p, %i) <{bin_op = 2 : i64, ordering = 2 : i64}> : (!llvm.ptr, i64) -> i64
  llvm.return
}

// -----

llvm.func @types(%p: !llvm.ptr, %i: i64) {
  // expected-error @below {{adds i64 to i32}}
  %0 = "llvm.atomicrmw"(%p, %i) <{bin_op = 1 : i64, ordering = 2 : i64}> : (!llvm.ptr, i64) -> i32
  llvm.return
}
