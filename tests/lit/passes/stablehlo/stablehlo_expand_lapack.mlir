// RUN: xla-opt %s -p stablehlo-expand-lapack | filecheck %s

// CHECK-LABEL: func.func @potrf
// CHECK-SAME:    ([[A:%.+]]: tensor<2x4x4xf32>)
// CHECK-NEXT:    [[L:%.+]] = stablehlo.cholesky [[A]], lower = true : tensor<2x4x4xf32>
// CHECK:         [[P:%.+]] = stablehlo.compare GE
// CHECK-NEXT:    [[F:%.+]] = stablehlo.select [[P]], [[L]], [[A]] : tensor<2x4x4xi1>, tensor<2x4x4xf32>
// CHECK:         stablehlo.slice [[L]] [0:2, 0:1, 0:1]
// CHECK:         [[N:%.+]] = stablehlo.compare NE, {{.*}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
// CHECK-NEXT:    [[S:%.+]] = stablehlo.convert [[N]] : (tensor<2xi1>) -> tensor<2xi32>
// CHECK-NEXT:    func.return [[F]], [[S]]
func.func @potrf(%a: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2xi32>) {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2x4x4xf32>, tensor<2xi32>
}

// CHECK-LABEL: func.func @trsm
// CHECK-NEXT:    "stablehlo.triangular_solve"(%{{.+}}, %{{.+}}) <{left_side = false, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
func.func @trsm(%a: tensor<3x3xcomplex<f64>>, %b: tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>> {
  %0 = stablehlo.custom_call @lapack_ztrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}} : (tensor<3x3xcomplex<f64>>, tensor<2x3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
  return %0 : tensor<2x3xcomplex<f64>>
}

// The options of a typed call are in its backend_config.
// CHECK-LABEL: func.func @typed
// CHECK-NEXT:    "stablehlo.triangular_solve"(%{{.+}}, %{{.+}}) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}>
func.func @typed(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {api_version = 4 : i32, backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @other
// CHECK-NEXT:    stablehlo.custom_call @foo
func.func @other(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @foo(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Step k brings the largest element of column k to the diagonal and subtracts multiples of its row from those below.
// CHECK-LABEL: func.func @getrf
// CHECK:         stablehlo.while
// CHECK:         stablehlo.while
// CHECK:         [[SIZE:%.+]] = stablehlo.abs {{.*}} : tensor<4xf32>
// CHECK:         stablehlo.reduce{{.*}} applies stablehlo.maximum across dimensions = [0]
// CHECK:         stablehlo.reduce{{.*}} applies stablehlo.minimum across dimensions = [0]
// CHECK:         stablehlo.dynamic_update_slice {{.*}} : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>)
// CHECK:         stablehlo.dynamic_update_slice {{.*}} : (tensor<4x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>)
// CHECK:         stablehlo.divide {{.*}} : tensor<4xf32>
// CHECK:         stablehlo.dynamic_update_slice {{.*}} : (tensor<4xi32>, tensor<1xi32>, tensor<i32>)
// CHECK-NOT:     custom_call
func.func @getrf(%a: tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xi32>, tensor<3xi32>) {
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xi32>, tensor<3xi32>)
  return %0#0, %0#1, %0#2 : tensor<3x4x4xf32>, tensor<3x4xi32>, tensor<3xi32>
}

// A large matrix is factored by blocks of columns.
// CHECK-LABEL: func.func @large
// CHECK:         "stablehlo.triangular_solve"({{.*}}) <{left_side = true, lower = true, unit_diagonal = true, {{.*}} : (tensor<32x32xf64>, tensor<32x96xf64>) -> tensor<32x96xf64>
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<100x32xf64>, tensor<32x32xf64>) -> tensor<100x32xf64>
func.func @large(%a: tensor<100x70xf64>) -> (tensor<100x70xf64>, tensor<70xi32>, tensor<i32>) {
  %0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a) : (tensor<100x70xf64>) -> (tensor<100x70xf64>, tensor<70xi32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<100x70xf64>, tensor<70xi32>, tensor<i32>
}

// Step k divides column k by its greatest element, finds the reflection and applies it to the columns on the right.
// CHECK-LABEL: func.func @geqrf
// CHECK:         stablehlo.while
// CHECK:         stablehlo.while
// CHECK:         [[SIZE:%.+]] = stablehlo.abs {{.*}} : tensor<5xf32>
// CHECK:         stablehlo.reduce([[SIZE]] init: {{.*}}) applies stablehlo.maximum across dimensions = [0]
// CHECK:         stablehlo.divide {{.*}} : tensor<5xf32>
// CHECK:         stablehlo.reduce{{.*}} applies stablehlo.add across dimensions = [0] : (tensor<5xf32>
// CHECK:         stablehlo.sqrt {{.*}} : tensor<f32>
// CHECK:         stablehlo.reduce{{.*}} applies stablehlo.add across dimensions = [0] : (tensor<5x4xf32>
// CHECK:         stablehlo.dynamic_update_slice {{.*}} : (tensor<4xf32>, tensor<1xf32>, tensor<i32>)
// CHECK-NOT:     custom_call
func.func @geqrf(%a: tensor<3x5x4xf32>) -> (tensor<3x5x4xf32>, tensor<3x4xf32>) {
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) : (tensor<3x5x4xf32>) -> (tensor<3x5x4xf32>, tensor<3x4xf32>)
  return %0#0, %0#1 : tensor<3x5x4xf32>, tensor<3x4xf32>
}

// Reflections of a block of columns are multiplied as I - V T V^H, with T by a triangular solve.
// CHECK-LABEL: func.func @ungqr
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<5x3xcomplex<f32>>, tensor<5x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<5x3xcomplex<f32>>, tensor<5x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
// CHECK:         "stablehlo.triangular_solve"({{.*}}) <{left_side = true, lower = false, unit_diagonal = true,
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<5x3xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<5x4xcomplex<f32>>
// CHECK-NOT:     custom_call
func.func @ungqr(%a: tensor<5x4xcomplex<f32>>, %tau: tensor<3xcomplex<f32>>) -> tensor<5x4xcomplex<f32>> {
  %0 = stablehlo.custom_call @lapack_cungqr_ffi(%a, %tau) : (tensor<5x4xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<5x4xcomplex<f32>>
  return %0 : tensor<5x4xcomplex<f32>>
}

// Of large matrices, a block's reflections are applied to what is right of it by matrix products.
// CHECK-LABEL: func.func @large_geqrf
// CHECK:         "stablehlo.triangular_solve"({{.*}}) <{left_side = true, lower = true, unit_diagonal = true, {{.*}} : (tensor<32x32xf64>, tensor<32x32xf64>) -> tensor<32x32xf64>
// CHECK:         stablehlo.dot_general {{.*}} : (tensor<100x32xf64>, tensor<32x32xf64>) -> tensor<100x32xf64>
func.func @large_geqrf(%a: tensor<100x70xf64>) -> (tensor<100x70xf64>, tensor<70xf64>) {
  %0:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%a) : (tensor<100x70xf64>) -> (tensor<100x70xf64>, tensor<70xf64>)
  return %0#0, %0#1 : tensor<100x70xf64>, tensor<70xf64>
}

// XLA's own names for the same.
// CHECK-LABEL: func.func @of_xla
// CHECK-NOT:     custom_call
func.func @of_xla(%a: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<5x4xf32>) -> (tensor<5x4xf32>, tensor<4xf32>)
  %1 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}
