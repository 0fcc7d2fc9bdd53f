// RUN: xla-run %s --engine reference --split-input-file

// `dot`: the last dimension of lhs with the first of rhs.
// These cases run on the reference interpreter only.

// Complex numbers, not conjugated.
func.func @complex() {
  %lhs = stablehlo.constant dense<[(0.0, 1.0)]> : tensor<1xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(0.0, 1.0)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.dot %lhs, %rhs : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %result, dense<(-1.0, 0.0)> : tensor<complex<f32>>
  return
}
