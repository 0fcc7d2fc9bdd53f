// RUN: xla-opt %s -p 'convert-linalg-to-affine{vector_bits=512}' --split-input-file | filecheck %s

// A matrix times a vector: five rows at a time, which leave none.

// CHECK-LABEL: func.func @matrix_times_vector
// CHECK: affine.for [[I:%.+]] = 0 to 2 {
// CHECK-COUNT-5: affine.load %out
// CHECK: [[SUMS:%.+]], %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} = affine.for {{.+}} = 0 to 128 iter_args({{.+}}) -> (f32, f32, f32, f32, f32) {
// CHECK-COUNT-6: affine.load
// CHECK-NOT: affine.load
// CHECK: affine.yield
// CHECK: affine.store [[SUMS]], %out[[[I]] * 5]
// CHECK-COUNT-4: affine.store
// CHECK-NOT: affine.for
// CHECK: return
func.func @matrix_times_vector(%a: memref<10x128xf32>, %x: memref<128xf32>, %out: memref<10xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a, %x : memref<10x128xf32>, memref<128xf32>) outs(%out : memref<10xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32):
    %3 = arith.mulf %0, %1 fastmath<reassoc> : f32
    %4 = arith.addf %2, %3 fastmath<reassoc> : f32
    linalg.yield %4 : f32
  }
  return
}

// -----

// The larger operand is read once: all rows of the smaller side by side.

// CHECK-LABEL: func.func @rows_times_transposed
// CHECK: affine.for {{.+}} = 0 to 512 {
// CHECK: affine.for {{.+}} = 0 to 128 iter_args({{.+}}) -> (f32, f32, f32) {
// CHECK-COUNT-4: affine.load
// CHECK-NOT: affine.load
// CHECK: return
func.func @rows_times_transposed(%a: memref<3x128xf32>, %b: memref<512x128xf32>, %out: memref<3x512xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<3x128xf32>, memref<512x128xf32>) outs(%out : memref<3x512xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32):
    %3 = arith.mulf %0, %1 fastmath<reassoc> : f32
    %4 = arith.addf %2, %3 fastmath<reassoc> : f32
    linalg.yield %4 : f32
  }
  return
}

// -----

// Sums that have to be formed in order stay one row at a time, and so do rows that share nothing.

// CHECK-LABEL: func.func @in_order
// CHECK: affine.for {{.+}} = 0 to 10 {
func.func @in_order(%a: memref<10x128xf32>, %x: memref<128xf32>, %out: memref<10xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a, %x : memref<10x128xf32>, memref<128xf32>) outs(%out : memref<10xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32):
    %3 = arith.mulf %0, %1 : f32
    %4 = arith.addf %2, %3 : f32
    linalg.yield %4 : f32
  }
  return
}

// CHECK-LABEL: func.func @row_sums
// CHECK: affine.for {{.+}} = 0 to 10 {
func.func @row_sums(%a: memref<10x128xf32>, %out: memref<10xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<10x128xf32>) outs(%out : memref<10xf32>) {
  ^bb0(%0: f32, %1: f32):
    %2 = arith.addf %1, %0 fastmath<reassoc> : f32
    linalg.yield %2 : f32
  }
  return
}
