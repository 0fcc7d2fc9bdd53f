// RUN: xla-opt %s -p convert-to-llvm --split-input-file --verify-diagnostics | filecheck %s

// CHECK-LABEL: llvm.func internal @kernel
// CHECK-SAME: ({{%[^:]+}}: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 32 : i64}, {{%[^:]+}}: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 32 : i64})
// CHECK-SAME: attributes {xrt.kernel, no_unwind, no_inline}
func.func private @kernel(%x: memref<8xf32>, %out: memref<8xf32>) attributes {xrt.kernel} {
  func.return
}

// CHECK-LABEL: llvm.func internal @main.body
// CHECK-SAME: ({{%[^:]+}}: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 32 : i64, llvm.align = 16 : i64},
// CHECK-SAME: {{%[^:]+}}: !llvm.ptr {llvm.noalias, llvm.dereferenceable = 64 : i64, llvm.align = 16 : i64})
// CHECK: llvm.call @kernel

// CHECK-LABEL: llvm.func @main
// CHECK-SAME: [[INPUTS:%[^:]+]]: !llvm.ptr, [[OUTPUTS:%[^:]+]]: !llvm.ptr, [[ARENA:%[^:]+]]: !llvm.ptr, [[CONTEXT:%[^:]+]]: !llvm.ptr)
// CHECK: [[SLOT:%.+]] = llvm.getelementptr inbounds [[INPUTS]]
// CHECK-NEXT: [[X:%.+]] = llvm.load [[SLOT]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK: [[SLOT:%.+]] = llvm.getelementptr inbounds [[OUTPUTS]]
// CHECK-NEXT: [[OUT:%.+]] = llvm.load [[SLOT]] {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: llvm.call @main.body([[X]], [[OUT]], [[ARENA]])
// CHECK-NEXT: llvm.return
func.func @main(%x: memref<8xf32>, %out: memref<8xf32>, %arena: memref<64xi8>)
    attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 1 : i64} {
  func.call @kernel(%x, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  func.return
}

// -----

// A buffer passed twice: no `noalias` for the two.
// CHECK-LABEL: llvm.func internal @kernel
// CHECK-SAME: ({{%[^:]+}}: !llvm.ptr {llvm.dereferenceable = 32 : i64}, {{%[^:]+}}: !llvm.ptr {llvm.dereferenceable = 32 : i64}, {{%[^:]+}}: !llvm.ptr {llvm.noalias
func.func private @kernel(%a: memref<8xf32>, %b: memref<8xf32>, %out: memref<8xf32>) {
  func.return
}
func.func private @caller(%x: memref<8xf32>, %out: memref<8xf32>) {
  func.call @kernel(%x, %x, %out) : (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> ()
  func.return
}

// -----

// CHECK-LABEL: llvm.func internal @pair
// CHECK-SAME: [[A:%[^:]+]]: i64, [[B:%[^:]+]]: f32) -> !llvm.struct<(i64, f32)>
func.func private @pair(%a: index, %b: f32) -> (index, f32) {
  // CHECK: [[POISON:%.+]] = llvm.mlir.poison
  // CHECK: [[ONE:%.+]] = llvm.insertvalue [[A]], [[POISON]][0]
  // CHECK: [[BOTH:%.+]] = llvm.insertvalue [[B]], [[ONE]][1]
  // CHECK: llvm.return [[BOTH]]
  func.return %a, %b : index, f32
}
// CHECK-LABEL: llvm.func internal @second
func.func private @second(%a: index, %b: f32) -> f32 {
  // CHECK: [[BOTH:%.+]] = llvm.call @pair
  // CHECK: [[R:%.+]] = llvm.extractvalue [[BOTH]][1]
  // CHECK: llvm.return [[R]] : f32
  %0, %1 = func.call @pair(%a, %b) : (index, f32) -> (index, f32)
  func.return %1 : f32
}

// -----

// What a function with a loop calls, directly or not, may run more than once; the function itself runs once.
// CHECK-LABEL: llvm.func internal @loops
// CHECK-NOT: xrt.repeated
func.func private @loops(%n: index) {
  %zero = arith.constant 0 : index
  cf.br ^body(%zero : index)
^body(%i: index):
  func.call @calls(%i) : (index) -> ()
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body(%i : index), ^end
^end:
  func.return
}
// CHECK-LABEL: llvm.func internal @calls
// CHECK-SAME: attributes {xrt.repeated
func.func private @calls(%i: index) {
  func.call @called(%i) : (index) -> ()
  func.return
}
// CHECK-LABEL: llvm.func internal @called
// CHECK-SAME: attributes {xrt.repeated
func.func private @called(%i: index) {
  func.return
}
