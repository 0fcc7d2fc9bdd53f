// RUN: xla-opt %s -p stablehlo-call-lapack | filecheck %s

// The matrix by columns, all parameters by their addresses, and space to work in. The vectors are not asked for.
// CHECK-LABEL: func.func @singular_values
// CHECK-NEXT:    [[A:%.+]] = stablehlo.transpose %{{.+}}, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    {{%.+}}, [[S:%.+]], {{%.+}}, {{%.+}}, {{%.+}}, {{%.+}}, {{%.+}} = stablehlo.custom_call @xrt.lapack.sgesdd([[A]]) {xrt.batch = 1 : i64, xrt.parameters = ["N", 8 : i32, 4 : i32, 0 : index, 8 : i32, 1 : index, 2 : index, 8 : i32, 3 : index, 1 : i32, 5 : index, {{[0-9]+}} : i32, 6 : index, 4 : index], xrt.spaces = 2 : i64} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<i32>, tensor<{{[0-9]+}}xf32>, tensor<32xi32>)
// CHECK:         func.return [[S]]
func.func @singular_values(%a: tensor<8x4xf32>) -> tensor<4xf32> {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<8x4xf32>, tensor<4x4xf32>, tensor<i32>)
  return %0#1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @batch
// CHECK:         stablehlo.custom_call @xrt.lapack.zheevd
// CHECK-SAME:    xrt.batch = 6 : i64
// CHECK-SAME:    xrt.spaces = 3 : i64
func.func @batch(%a: tensor<2x3x4x4xcomplex<f64>>) -> tensor<2x3x4xf64> {
  %0:3 = stablehlo.custom_call @lapack_zheevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x3x4x4xcomplex<f64>>) -> (tensor<2x3x4x4xcomplex<f64>>, tensor<2x3x4xf64>, tensor<2x3xi32>)
  return %0#1 : tensor<2x3x4xf64>
}

// Of a pair of eigenvectors the routine gives the real part and the imaginary part.
// CHECK-LABEL: func.func @pairs
// CHECK:         stablehlo.custom_call @xrt.lapack.sgeev
// CHECK:         stablehlo.compare GT
// CHECK:         stablehlo.complex
func.func @pairs(%a: tensor<4x4xf32>) -> tensor<4x4xcomplex<f32>> {
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}} : (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  return %0#3 : tensor<4x4xcomplex<f32>>
}

// CHECK-LABEL: func.func @nothing
// CHECK-NEXT:    stablehlo.custom_call @lapack_ssyevd_ffi
func.func @nothing(%a: tensor<0x0xf32>) -> tensor<0xf32> {
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<0x0xf32>) -> (tensor<0x0xf32>, tensor<0xf32>, tensor<i32>)
  return %0#1 : tensor<0xf32>
}
