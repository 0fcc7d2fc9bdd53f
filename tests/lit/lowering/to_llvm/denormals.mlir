// RUN: xla-opt %s -p convert-to-llvm --split-input-file | filecheck %s

// The entry sets the mode of the program, notes its caller's where something asks for it, and restores it; a call of a
// target runs in the caller's.

// CHECK: builtin.module attributes {xrt.denormals = "flush"
// CHECK-LABEL: llvm.func internal @main.body
// CHECK-SAME: passthrough = {{.*}}"denormal-fp-math", "preserve-sign,preserve-sign"
// CHECK: [[F:%.+]] = llvm.load
// CHECK: llvm.call_intrinsic "llvm.{{x86.sse.stmxcsr|aarch64.get.fpcr}}"
// CHECK: llvm.call_intrinsic "llvm.{{x86.sse.ldmxcsr|aarch64.set.fpcr}}"
// CHECK: llvm.call {{%.+}}({{%.+}}, {{%.+}}) : !llvm.ptr
// CHECK: llvm.call_intrinsic "llvm.{{x86.sse.ldmxcsr|aarch64.set.fpcr}}"
// CHECK: llvm.return

// CHECK-LABEL: llvm.func @main(
// CHECK: llvm.call_intrinsic "llvm.{{x86.sse.stmxcsr|aarch64.get.fpcr}}"
// CHECK: llvm.or
// CHECK: llvm.call_intrinsic "llvm.{{x86.sse.ldmxcsr|aarch64.set.fpcr}}"
// CHECK: llvm.store
// CHECK: llvm.call @main.body
// CHECK: llvm.call_intrinsic "llvm.{{x86.sse.ldmxcsr|aarch64.set.fpcr}}"
// CHECK-NEXT: llvm.return
builtin.module attributes {xrt.denormals = "flush"} {
  func.func @main(%x: memref<2xf32>, %y: memref<2xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 1 : i64} {
    xrt.call_target "one"(%x : memref<2xf32>) outs(%y : memref<2xf32>) {signature = (tensor<2xf32>) -> tensor<2xf32>, options = {}}
    func.return
  }
}

// -----

// LLVM takes for granted that subnormal numbers are preserved; the caller may flush its own.

// CHECK: builtin.module attributes {xrt.denormals = "preserve"}
// CHECK-LABEL: llvm.func internal @main.body
// CHECK-NOT: denormal-fp-math
// CHECK-LABEL: llvm.func @main(
// CHECK: llvm.and
// CHECK: llvm.call_intrinsic "llvm.{{x86.sse.ldmxcsr|aarch64.set.fpcr}}"
// CHECK: llvm.call @main.body
// CHECK: llvm.call_intrinsic "llvm.{{x86.sse.ldmxcsr|aarch64.set.fpcr}}"
builtin.module attributes {xrt.denormals = "preserve"} {
  func.func @main(%x: memref<2xf32>, %y: memref<2xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 1 : i64} {
    func.return
  }
}

// -----

// Threads that run parts of a parallel loop have control words of their own.

// CHECK-LABEL: llvm.func internal @loop.task.8
// CHECK: llvm.call_intrinsic "llvm.{{x86.sse.ldmxcsr|aarch64.set.fpcr}}"
// CHECK: llvm.call @loop
// CHECK: llvm.call_intrinsic "llvm.{{x86.sse.ldmxcsr|aarch64.set.fpcr}}"
builtin.module attributes {xrt.denormals = "flush"} {
  func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 1 : i64} {
    "xrt.parallel"(%x, %y) <{callee = @loop, trip_count = 8 : index}> : (memref<8xf32>, memref<8xf32>) -> ()
    func.return
  }
  func.func private @loop(%x: memref<8xf32>, %y: memref<8xf32>, %lo: index, %hi: index, %thread: index) {
    func.return
  }
}

// -----

// A module that does not say what it does leaves everything as its caller has it.

// CHECK: builtin.module {
// CHECK-LABEL: llvm.func @main(
// CHECK-NOT: llvm.call_intrinsic
builtin.module {
  func.func @main(%x: memref<2xf32>, %y: memref<2xf32>) attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 1 : i64} {
    func.return
  }
}
