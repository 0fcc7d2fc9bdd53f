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
