// RUN: xla-opt %s | xla-opt | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @scan
// CHECK:         {{%.+}} = "linalg_ext.scan"(%x, %e) <{dimension = 1 : i64, reverse, init = 0.000000e+00 : f32}> ({
// CHECK-NEXT:    ^{{.+}}([[TOTAL:%.+]]: f32, [[ELEMENT:%.+]]: f32):
// CHECK-NEXT:      [[SUM:%.+]] = arith.addf [[TOTAL]], [[ELEMENT]] : f32
// CHECK-NEXT:      "linalg_ext.yield"([[SUM]]) : (f32) -> ()
// CHECK-NEXT:    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @scan(%x: tensor<4x8xf32>, %e: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = linalg_ext.scan %x outs(%e) dimension 1 reverse init 0.0 : f32 {
  ^bb0(%total: f32, %element: f32):
    %0 = arith.addf %total, %element : f32
    linalg_ext.yield %0 : f32
  } : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Totals of short floats are wider.

// CHECK-LABEL: func.func @buffers
// CHECK:         "linalg_ext.scan"(%x, %y) <{dimension = 0 : i64, init = 1.000000e+00 : f32}> ({
// CHECK:         }) : (memref<4x8xbf16>, memref<4x8xbf16>) -> ()
func.func @buffers(%x: memref<4x8xbf16>, %y: memref<4x8xbf16>) {
  linalg_ext.scan %x outs(%y) dimension 0 init 1.0 : f32 {
  ^bb0(%total: f32, %element: bf16):
    %0 = arith.extf %element : bf16 to f32
    %1 = arith.mulf %total, %0 : f32
    linalg_ext.yield %1 : f32
  } : memref<4x8xbf16>, memref<4x8xbf16>
  return
}

// CHECK-LABEL: func.func @sort
// CHECK:         "linalg_ext.sort"(%x, %y, %i) <{dimension = 0 : i64, counts = array<i64: 1>, operandSegmentSizes = array<i32: 1, 2>}> ({
// CHECK-NEXT:    ^{{.+}}({{%.+}}: f32, {{%.+}}: f32, {{%.+}}: i32, {{%.+}}: i32):
// CHECK:           "linalg_ext.yield"({{%.+}}) : (i1) -> ()
// CHECK-NEXT:    }) : (memref<100xf32>, memref<5xf32>, memref<5xi32>) -> ()
func.func @sort(%x: memref<100xf32>, %y: memref<5xf32>, %i: memref<5xi32>) {
  linalg_ext.sort %x outs(%y, %i) dimension 0 counts [1] {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: i32):
    %0 = arith.cmpf olt, %a, %b : f32
    linalg_ext.yield %0 : i1
  } : (memref<100xf32>) (memref<5xf32>, memref<5xi32>)
  return
}
