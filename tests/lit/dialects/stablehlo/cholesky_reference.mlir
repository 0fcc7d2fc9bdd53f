// RUN: xla-run %s --engine reference --split-input-file

// `cholesky`: factors of Hermitian positive-definite matrices.
// These cases run on the reference interpreter only.

// Complex Hermitian matrices.
func.func @complex() {
  %a = stablehlo.constant dense<[[(4.0, 0.0), (2.0, -2.0)], [(2.0, 2.0), (6.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %factor = stablehlo.cholesky %a, lower = true : tensor<2x2xcomplex<f32>>
  check.expect_almost_eq_const %factor, dense<[[(2.0, 0.0), (0.0, 0.0)], [(1.0, 1.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f32>>, tolerance = 1.0e-05
  return
}

// The upper factor is the conjugate of the lower one, transposed.
func.func @complex_upper() {
  %a = stablehlo.constant dense<[[(4.0, 0.0), (2.0, -2.0)], [(2.0, 2.0), (6.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %factor = stablehlo.cholesky %a, lower = false : tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %factor, dense<[[(2.0, 0.0), (1.0, -1.0)], [(0.0, 0.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f64>>, tolerance = 1.0e-05
  return
}
