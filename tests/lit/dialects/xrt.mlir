// RUN: xla-opt %s | xla-opt | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: @body
// CHECK-SAME:  [[X:%.+]]: memref<64xf32>
func.func private @body(%x: memref<64xf32>, %s: f32, %lo: index, %hi: index, %thread: index) {
  // CHECK: {{%.+}} = xrt.thread_id : index
  %t = xrt.thread_id : index
  func.return
}

func.func private @nullary(%lo: index, %hi: index, %thread: index) {
  func.return
}

// CHECK-LABEL: @main
func.func @main(%x: memref<64xf32>, %s: f32) {
  // CHECK: xrt.parallel @body({{%.+}}, {{%.+}}) range 1024 : memref<64xf32>, f32
  xrt.parallel @body(%x, %s) range 1024 : memref<64xf32>, f32
  // CHECK-NEXT: xrt.parallel @nullary() range 3
  xrt.parallel @nullary() range 3
  func.return
}
