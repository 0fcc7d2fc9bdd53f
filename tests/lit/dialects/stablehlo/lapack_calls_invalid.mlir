// RUN: xla-opt %s --split-input-file --verify-diagnostics

// Routines know the memory that they are given by sizes alone: calls of other forms are no programs.

func.func @square(%a: tensor<3x50xf32>) {
  // expected-error @below {{call of @lapack_ssyevd_ffi, operand 0: expected tensor<3x3xf32>, got tensor<3x50xf32>}}
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a)
    : (tensor<3x50xf32>) -> (tensor<3x50xf32>, tensor<50xf32>, tensor<i32>)
  return
}

// -----

func.func @element_type(%a: tensor<3x3xf32>) {
  // expected-error @below {{operand 0: expected tensor<3x3xcomplex<f64>>, got tensor<3x3xf32>}}
  %0:3 = stablehlo.custom_call @lapack_zheevd_ffi(%a)
    : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<i32>)
  return
}

// -----

func.func @batch(%a: tensor<2x4x3xf32>, %tau: tensor<2x3xf32>, %c: tensor<3x4x5xf32>) {
  // expected-error @below {{operand 2: expected tensor<2x4x5xf32>, got tensor<3x4x5xf32>}}
  %0 = stablehlo.custom_call @lapack_sormqr_ffi(%a, %tau, %c) {mhlo.backend_config = {left = true}}
    : (tensor<2x4x3xf32>, tensor<2x3xf32>, tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  return
}

// -----

func.func @reflections(%a: tensor<4x3xf32>, %tau: tensor<5xf32>) {
  // expected-error @below {{operand 1: expected the factors of at most 3 reflections, got 5}}
  %0 = stablehlo.custom_call @lapack_sorgqr_ffi(%a, %tau) : (tensor<4x3xf32>, tensor<5xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @results(%a: tensor<4x3xf32>) {
  // expected-error @below {{results: expected 2, got 1}}
  %0 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @result_of_mode(%a: tensor<4x3xf32>) {
  // expected-error @below {{result 2: expected tensor<4x3xf32>, got tensor<4x4xf32>}}
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}}
    : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<4x4xf32>, tensor<3x3xf32>, tensor<i32>)
  return
}

// -----

func.func @letter(%a: tensor<3x3xf32>) {
  // expected-error @below {{option uplo: expected the code of one of L, U, got 1 : ui8}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 1 : ui8}}
    : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<i32>)
  return
}

// -----

func.func @missing_letter(%a: tensor<3x3xf32>) {
  // expected-error @below {{option side: expected the code of one of L, R, got nothing}}
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%a, %a) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @rows(%a: tensor<3x3xf32>) {
  // expected-error @below {{options low and high: expected rows from 1 to 3, got 1 to 100}}
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a) {mhlo.backend_config = {low = 1 : i32, high = 100 : i32}}
    : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<i32>)
  return
}

// -----

func.func @of_xla(%a: tensor<4x3xf32>) {
  // expected-error @below {{call of @Qr, result 1: expected tensor<3xf32>, got tensor<4xf32>}}
  %0:2 = stablehlo.custom_call @Qr(%a) : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4xf32>)
  return
}

// -----

// Dynamic sizes are known later; what is not computed has any shape.
func.func @valid(%a: tensor<?x3xf32>, %b: tensor<4x3xf32>) {
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) : (tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<3xf32>)
  %1:5 = stablehlo.custom_call @lapack_sgesvd_ffi(%b) {mhlo.backend_config = {mode = 78 : ui8}}
    : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<1x1xf32>, tensor<0xf32>, tensor<i32>)
  return
}
