// RUN: xla-opt %s -p convert-to-llvm | filecheck %s

// CHECK-LABEL: llvm.func internal @fetched
// CHECK-SAME: ([[X:%[^:]+]]: !llvm.ptr
func.func private @fetched(%x: memref<64xf32>, %i: index) {
  // CHECK: [[AT:%.+]] = llvm.getelementptr {{.*}}[[X]]
  // CHECK: llvm.call_intrinsic "llvm.prefetch.p0"([[AT]], {{%.+}}, {{%.+}}, {{%.+}}) : (!llvm.ptr, i32, i32, i32)
  xrt.prefetch %x[%i] : memref<64xf32>
  func.return
}
