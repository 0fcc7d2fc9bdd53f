// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `custom_call`: a function that is registered by name.

// An annotation changes nothing.
func.func @annotation() {
  %x = stablehlo.constant dense<[1.0, 0x7FC00000, -0.0]> : tensor<3xf32>
  %same = stablehlo.custom_call @Sharding(%x) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %same, dense<[1.0, 0x7FC00000, -0.0]> : tensor<3xf32>
  return
}

// -----

// What JAX marks as wanted is computed, and dropped.
func.func @wanted() {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  stablehlo.custom_call @dce_sink(%x) {has_side_effect = true, api_version = 4 : i32, backend_config = {}} : (tensor<f32>) -> ()
  check.expect_eq_const %x, dense<1.0> : tensor<f32>
  return
}

// -----

// What JAX wants in an order is computed in any.
func.func @ordered() {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %y = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  stablehlo.custom_call @control_dep(%x, %y) {has_side_effect = true, api_version = 4 : i32, backend_config = {}} : (tensor<f32>, tensor<2xi32>) -> ()
  check.expect_eq_const %x, dense<1.0> : tensor<f32>
  return
}

// -----

// A factorisation from LAPACK: the lower triangle of [[4, 2], [2, 5]], and the status 0.
func.func @factorisation() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [2.0, 5.0]]> : tensor<2x2xf64>
  %factor, %status = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>)
  %lower = stablehlo.slice %factor [0:2, 0:1] : (tensor<2x2xf64>) -> tensor<2x1xf64>
  check.expect_eq_const %lower, dense<[[2.0], [1.0]]> : tensor<2x1xf64>
  check.expect_eq_const %status, dense<0> : tensor<i32>
  return
}
