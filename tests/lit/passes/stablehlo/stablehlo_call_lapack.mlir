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

// CHECK-LABEL: func.func @lu
// CHECK-NEXT:    [[A:%.+]] = stablehlo.transpose
// CHECK-NEXT:    [[L:%.+]], [[P:%.+]], [[I:%.+]] = stablehlo.custom_call @xrt.lapack.sgetrf([[A]]) {xrt.batch = 3 : i64, xrt.parameters = [5 : i32, 4 : i32, 0 : index, 5 : i32, 1 : index, 2 : index], xrt.spaces = 0 : i64} : (tensor<3x4x5xf32>) -> (tensor<3x4x5xf32>, tensor<3x4xi32>, tensor<3xi32>)
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose [[L]]
// CHECK-NEXT:    func.return [[T]], [[P]], [[I]]
func.func @lu(%a: tensor<3x5x4xf32>) -> (tensor<3x5x4xf32>, tensor<3x4xi32>, tensor<3xi32>) {
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) : (tensor<3x5x4xf32>) -> (tensor<3x5x4xf32>, tensor<3x4xi32>, tensor<3xi32>)
  return %0#0, %0#1, %0#2 : tensor<3x5x4xf32>, tensor<3x4xi32>, tensor<3xi32>
}

// XLA's own names for QR; a routine has no small floats.
// CHECK-LABEL: func.func @of_xla
// CHECK:         stablehlo.convert {{.*}} : (tensor<5x4xbf16>) -> tensor<5x4xf32>
// CHECK:         [[R:%.+]], [[T:%.+]], {{%.+}}, {{%.+}} = stablehlo.custom_call @xrt.lapack.sgeqrf
// CHECK:         stablehlo.convert [[T]] : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK:         stablehlo.custom_call @xrt.lapack.sorgqr
// CHECK:         [[Q:%.+]] = stablehlo.convert {{.*}} : (tensor<5x4xf32>) -> tensor<5x4xbf16>
// CHECK-NEXT:    func.return [[Q]]
func.func @of_xla(%a: tensor<5x4xbf16>) -> tensor<5x4xbf16> {
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<5x4xbf16>) -> (tensor<5x4xbf16>, tensor<4xbf16>)
  %1 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) : (tensor<5x4xbf16>, tensor<4xbf16>) -> tensor<5x4xbf16>
  return %1 : tensor<5x4xbf16>
}

// Neither a lower triangle that lies by rows nor its factor is transposed: to the routine they are upper.
// CHECK-LABEL: func.func @potrf
// CHECK-NEXT:    [[L:%.+]], [[I:%.+]] = stablehlo.custom_call @xrt.lapack.spotrf(%{{.+}}) {xrt.batch = 2 : i64, xrt.parameters = ["U", 300 : i32, 0 : index, 300 : i32, 1 : index], xrt.spaces = 0 : i64} : (tensor<2x300x300xf32>) -> (tensor<2x300x300xf32>, tensor<2xi32>)
// CHECK-NEXT:    func.return [[L]], [[I]]
func.func @potrf(%a: tensor<2x300x300xf32>) -> (tensor<2x300x300xf32>, tensor<2xi32>) {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x300x300xf32>) -> (tensor<2x300x300xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2x300x300xf32>, tensor<2xi32>
}

// NaN where there is no factor or the routine has found a NaN, which is in the last element of the diagonal then.
// CHECK-LABEL: func.func @cholesky
// CHECK-NEXT:    [[L:%.+]], [[I:%.+]] = stablehlo.custom_call @xrt.lapack.spotrf(%{{.+}}) {{{.*}}["U", 300 : i32,
// CHECK:         [[S:%.+]] = stablehlo.compare NE, [[I]],
// CHECK-NEXT:    stablehlo.slice [[L]] [0:2, 299:300, 299:300]
// CHECK:         [[N:%.+]] = stablehlo.compare NE
// CHECK-NEXT:    stablehlo.or [[S]], [[N]]
// CHECK:         [[F:%.+]] = stablehlo.select %{{.+}}, %{{.+}}, [[L]]
// CHECK:         [[T:%.+]] = stablehlo.compare GE
// CHECK:         stablehlo.select [[T]], [[F]],
func.func @cholesky(%a: tensor<2x300x300xf32>) -> tensor<2x300x300xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x300x300xf32>
  return %0 : tensor<2x300x300xf32>
}

// CHECK-LABEL: func.func @upper
// CHECK-NEXT:    [[W:%.+]] = stablehlo.convert %{{.+}} : (tensor<300x300xf16>) -> tensor<300x300xf32>
// CHECK-NEXT:    stablehlo.custom_call @xrt.lapack.spotrf([[W]]) {{{.*}}["L", 300 : i32,
// CHECK:         stablehlo.convert %{{.+}} : (tensor<300x300xf32>) -> tensor<300x300xf16>
func.func @upper(%a: tensor<300x300xf16>) -> tensor<300x300xf16> {
  %0 = stablehlo.cholesky %a, lower = false : tensor<300x300xf16>
  return %0 : tensor<300x300xf16>
}

// Small factors are generated code.
// CHECK-LABEL: func.func @small
// CHECK-NEXT:    stablehlo.cholesky
func.func @small(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @factor_of_nothing
// CHECK-NEXT:    func.return %a
func.func @factor_of_nothing(%a: tensor<2x0x0xf32>) -> tensor<2x0x0xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x0x0xf32>
  return %0 : tensor<2x0x0xf32>
}

// Small systems are generated code.
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

// Generated code walks along rows: of many unknowns on the right, the transposed system is solved.
// CHECK-LABEL: func.func @unknowns_on_the_right
// CHECK:         [[A:%.+]] = stablehlo.complex
// CHECK-NEXT:    [[B:%.+]] = stablehlo.transpose
// CHECK-NEXT:    [[X:%.+]] = "stablehlo.triangular_solve"([[A]], [[B]]) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}>
// CHECK-NEXT:    stablehlo.transpose [[X]]
func.func @unknowns_on_the_right(%a: tensor<17x17xcomplex<f32>>, %b: tensor<2x17xcomplex<f32>>) -> tensor<2x17xcomplex<f32>> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<17x17xcomplex<f32>>, tensor<2x17xcomplex<f32>>) -> tensor<2x17xcomplex<f32>>
  return %0 : tensor<2x17xcomplex<f32>>
}

// CHECK-LABEL: func.func @other
// CHECK-NEXT:    stablehlo.custom_call @foo
func.func @other(%a: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.custom_call @foo(%a) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Matrices by rows are transposes of matrices by columns: the lower triangle on the left is an upper one on the right.
// CHECK-LABEL: func.func @large_system
// CHECK:         [[ONE:%.+]] = stablehlo.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT:    [[X:%.+]] = stablehlo.custom_call @xrt.lapack.strsm(%b, [[ONE]], %a) {xrt.batch = 2 : i64, xrt.parameters = ["R", "U", "T", "N", 3 : i32, 512 : i32, 1 : index, 2 : index, 512 : i32, 0 : index, 3 : i32], xrt.spaces = 0 : i64} : (tensor<2x512x3xf32>, tensor<2xf32>, tensor<2x512x512xf32>) -> tensor<2x512x3xf32>
// CHECK-NEXT:    func.return [[X]]
func.func @large_system(%a: tensor<2x512x512xf32>, %b: tensor<2x512x3xf32>) -> tensor<2x512x3xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<2x512x512xf32>, tensor<2x512x3xf32>) -> tensor<2x512x3xf32>
  return %0 : tensor<2x512x3xf32>
}

// CHECK-LABEL: func.func @large_call
// CHECK:         stablehlo.custom_call @xrt.lapack.dtrsm({{.*}}xrt.parameters = ["L", "L", "N", "U", 512 : i32, 3 : i32, 1 : index, 2 : index, 512 : i32, 0 : index, 512 : i32]
func.func @large_call(%a: tensor<512x512xf64>, %b: tensor<3x512xf64>) -> tensor<3x512xf64> {
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 85 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}} : (tensor<512x512xf64>, tensor<3x512xf64>) -> tensor<3x512xf64>
  return %0 : tensor<3x512xf64>
}

// CHECK-LABEL: func.func @small_system
// CHECK-NEXT:    stablehlo.triangular_solve
func.func @small_system(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
