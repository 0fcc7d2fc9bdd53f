// RUN: xla-opt %s -p 'convert-to-llvm{profile=true}' | filecheck %s
// RUN: xla-opt %s -p convert-to-llvm | filecheck %s --check-prefix=PLAIN

// PLAIN-NOT: counter
// PLAIN-NOT: xrt.profile

// What is measured: the program, a kernel that is called, a copy.
// CHECK: builtin.module attributes {xrt.profile =
// CHECK-SAME: "", "{{[^"]*}}profiling.mlir:[[MAIN:[0-9]+]]", "{{[^"]*}}profiling.mlir:[[MAIN]]", ""
// CHECK-SAME: "scale", "user.py:7", "user.py:7", ""
// CHECK-SAME: "copy", "{{[^"]*}}profiling.mlir:{{[0-9]+}}"

// CHECK-LABEL: @scale
// CHECK-NOT: counter
func.func private @scale(%x: memref<8xf32>, %out: memref<8xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0 : index
  %v = memref.load %x[%zero] : memref<8xf32>
  memref.store %v, %out[%zero] : memref<8xf32>
  func.return
}

// CHECK-LABEL: @main.body
// CHECK: [[START:%[0-9]+]] = llvm.call_intrinsic "llvm.read{{cycle|steady}}counter"() : () -> i64
// CHECK: llvm.call @scale
// CHECK: [[END:%[0-9]+]] = llvm.call_intrinsic "llvm.read{{cycle|steady}}counter"() : () -> i64
// CHECK: llvm.store [[START]]
// CHECK: llvm.store [[END]]
// CHECK: llvm.sub [[END]], [[START]]
// CHECK: counter
// CHECK: llvm.call_intrinsic "llvm.memcpy
// CHECK: counter
// CHECK-LABEL: llvm.func @main(
// CHECK: counter
// CHECK: llvm.call @main.body
// CHECK: counter
func.func @main(%x: memref<8xf32>, %out: memref<8xf32>, %copy: memref<8xf32>)
    attributes {xrt.entry, xrt.num_inputs = 1 : i64, xrt.num_outputs = 2 : i64} {
  func.call @scale(%x, %out) : (memref<8xf32>, memref<8xf32>) -> () loc("user.py":7:3)
  "memref.copy"(%out, %copy) : (memref<8xf32>, memref<8xf32>) -> ()
  func.return
}
