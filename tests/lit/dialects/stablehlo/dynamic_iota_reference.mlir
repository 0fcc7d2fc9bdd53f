// RUN: xla-run %s --engine reference --split-input-file

// `dynamic_iota`: the shape of the result is a value.
// These cases run on the reference interpreter only.

// Complex numbers.
func.func @complex() {
  %output_shape = stablehlo.constant dense<[3]> : tensor<1xi64>
  %result = stablehlo.dynamic_iota %output_shape, dim = 0 : (tensor<1xi64>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}
