// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `cholesky`: factors of Hermitian positive-definite matrices.

// Example of the specification.
func.func @specification() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf32>
  %factor = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  check.expect_almost_eq_const %factor, dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>, tolerance = 1.0e-05
  return
}

// The upper factor, which is the default.
func.func @upper() {
  %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [2.0, 20.0, 26.0], [3.0, 26.0, 70.0]]> : tensor<3x3xf64>
  %factor = stablehlo.cholesky %a : tensor<3x3xf64>
  check.expect_almost_eq_const %factor, dense<[[1.0, 2.0, 3.0], [0.0, 4.0, 5.0], [0.0, 0.0, 6.0]]> : tensor<3x3xf64>, tolerance = 1.0e-05
  return
}

// What is above the diagonal is not read.
func.func @lower_reads_lower() {
  %a = stablehlo.constant dense<[[4.0, 0x7FC00000], [2.0, 10.0]]> : tensor<2x2xf32>
  %factor = stablehlo.cholesky %a, lower = true : tensor<2x2xf32>
  check.expect_almost_eq_const %factor, dense<[[2.0, 0.0], [1.0, 3.0]]> : tensor<2x2xf32>, tolerance = 1.0e-05
  return
}

// What is below the diagonal is not read.
func.func @upper_reads_upper() {
  %a = stablehlo.constant dense<[[4.0, 2.0], [0x7FC00000, 10.0]]> : tensor<2x2xf32>
  %factor = stablehlo.cholesky %a, lower = false : tensor<2x2xf32>
  check.expect_almost_eq_const %factor, dense<[[2.0, 1.0], [0.0, 3.0]]> : tensor<2x2xf32>, tolerance = 1.0e-05
  return
}

// A batch of matrices, in two dimensions.
func.func @batch() {
  %a = stablehlo.constant dense<[[[[4.0, 2.0], [2.0, 10.0]]], [[[9.0, 3.0], [3.0, 17.0]]]]> : tensor<2x1x2x2xf32>
  %factor = stablehlo.cholesky %a, lower = true : tensor<2x1x2x2xf32>
  check.expect_almost_eq_const %factor, dense<[[[[2.0, 0.0], [1.0, 3.0]]], [[[3.0, 0.0], [1.0, 4.0]]]]> : tensor<2x1x2x2xf32>, tolerance = 1.0e-05
  return
}

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

// A matrix that is not positive definite gives NaN in the triangle of the factor; others of the batch are not affected.
func.func @not_definite() {
  %a = stablehlo.constant dense<[[[1.0, 2.0], [2.0, 1.0]], [[4.0, 2.0], [2.0, 10.0]]]> : tensor<2x2x2xf32>
  %factor = stablehlo.cholesky %a, lower = true : tensor<2x2x2xf32>
  check.expect_almost_eq_const %factor, dense<[[[0x7FC00000, 0.0], [0x7FC00000, 0x7FC00000]], [[2.0, 0.0], [1.0, 3.0]]]> : tensor<2x2x2xf32>, tolerance = 1.0e-05
  return
}

// A matrix of one element.
func.func @one() {
  %a = stablehlo.constant dense<[[9.0]]> : tensor<1x1xf32>
  %factor = stablehlo.cholesky %a, lower = true : tensor<1x1xf32>
  check.expect_eq_const %factor, dense<[[3.0]]> : tensor<1x1xf32>
  return
}

// Matrices of size 0.
func.func @empty() {
  %a = stablehlo.constant dense<> : tensor<2x0x0xf32>
  %factor = stablehlo.cholesky %a, lower = true : tensor<2x0x0xf32>
  check.expect_eq_const %factor, dense<> : tensor<2x0x0xf32>
  return
}

// A batch of none.
func.func @no_matrix() {
  %a = stablehlo.constant dense<> : tensor<0x2x2xf32>
  %factor = stablehlo.cholesky %a, lower = true : tensor<0x2x2xf32>
  check.expect_eq_const %factor, dense<> : tensor<0x2x2xf32>
  return
}
