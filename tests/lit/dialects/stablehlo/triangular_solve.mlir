// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `triangular_solve`: systems with triangular matrices on either side, in every form.

// Example of the specification.
func.func @specification() {
  %a = stablehlo.constant dense<[[1.0, 0.0, 0.0], [2.0, 4.0, 0.0], [3.0, 5.0, 6.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[2.0, 0.0, 0.0], [4.0, 8.0, 0.0], [6.0, 10.0, 12.0]]> : tensor<3x3xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  check.expect_almost_eq_const %x, dense<[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<3x3xf32>, tolerance = 1.0e-05
  return
}

// op(a) x = b, lower triangle; the other triangle holds 9 and is not read.
func.func @left_lower() {
  %a = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 4.0, 9.0], [3.0, -1.0, 5.0]]> : tensor<3x3xf64>
  %b = stablehlo.constant dense<[[2.0, 4.0], [1.0, -2.0], [3.0, 0.5]]> : tensor<3x2xf64>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %x, dense<[[1.0, 2.0], [1.2810265668751807e-17, -1.0], [-0.0, -1.3]]> : tensor<3x2xf64>, tolerance = 1.0e-12
  return
}

// op(a) x = b, lower triangle, transposed; the other triangle holds 9 and is not read.
func.func @left_lower_transposed() {
  %a = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 4.0, 9.0], [3.0, -1.0, 5.0]]> : tensor<3x3xf64>
  %b = stablehlo.constant dense<[[2.0, 4.0], [1.0, -2.0], [3.0, 0.5]]> : tensor<3x2xf64>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>
  }> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %x, dense<[[-0.10000000000000014, 2.0875], [0.4, -0.475], [0.6000000000000001, 0.1]]> : tensor<3x2xf64>, tolerance = 1.0e-12
  return
}

// op(a) x = b, upper triangle; the other triangle holds 9 and is not read.
func.func @left_upper() {
  %a = stablehlo.constant dense<[[2.0, 1.0, 3.0], [9.0, 4.0, -1.0], [9.0, 9.0, 5.0]]> : tensor<3x3xf64>
  %b = stablehlo.constant dense<[[2.0, 4.0], [1.0, -2.0], [3.0, 0.5]]> : tensor<3x2xf64>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %x, dense<[[-0.10000000000000014, 2.0875], [0.4, -0.475], [0.6000000000000001, 0.1]]> : tensor<3x2xf64>, tolerance = 1.0e-12
  return
}

// op(a) x = b, upper triangle, transposed; the other triangle holds 9 and is not read.
func.func @left_upper_transposed() {
  %a = stablehlo.constant dense<[[2.0, 1.0, 3.0], [9.0, 4.0, -1.0], [9.0, 9.0, 5.0]]> : tensor<3x3xf64>
  %b = stablehlo.constant dense<[[2.0, 4.0], [1.0, -2.0], [3.0, 0.5]]> : tensor<3x2xf64>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>
  }> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
  check.expect_almost_eq_const %x, dense<[[1.0, 2.0], [1.2810265668751807e-17, -1.0], [-0.0, -1.3]]> : tensor<3x2xf64>, tolerance = 1.0e-12
  return
}

// x op(a) = b, lower triangle; the other triangle holds 9 and is not read.
func.func @right_lower() {
  %a = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 4.0, 9.0], [3.0, -1.0, 5.0]]> : tensor<3x3xf64>
  %b = stablehlo.constant dense<[[2.0, 1.0, 3.0], [4.0, -2.0, 0.5]]> : tensor<2x3xf64>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %x, dense<[[-0.10000000000000014, 0.4, 0.6000000000000001], [2.0875, -0.475, 0.1]]> : tensor<2x3xf64>, tolerance = 1.0e-12
  return
}

// x op(a) = b, lower triangle, transposed; the other triangle holds 9 and is not read.
func.func @right_lower_transposed() {
  %a = stablehlo.constant dense<[[2.0, 9.0, 9.0], [1.0, 4.0, 9.0], [3.0, -1.0, 5.0]]> : tensor<3x3xf64>
  %b = stablehlo.constant dense<[[2.0, 1.0, 3.0], [4.0, -2.0, 0.5]]> : tensor<2x3xf64>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>
  }> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %x, dense<[[1.0, 1.2810265668751807e-17, -0.0], [2.0, -1.0, -1.3]]> : tensor<2x3xf64>, tolerance = 1.0e-12
  return
}

// x op(a) = b, upper triangle; the other triangle holds 9 and is not read.
func.func @right_upper() {
  %a = stablehlo.constant dense<[[2.0, 1.0, 3.0], [9.0, 4.0, -1.0], [9.0, 9.0, 5.0]]> : tensor<3x3xf64>
  %b = stablehlo.constant dense<[[2.0, 1.0, 3.0], [4.0, -2.0, 0.5]]> : tensor<2x3xf64>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %x, dense<[[1.0, 1.2810265668751807e-17, -0.0], [2.0, -1.0, -1.3]]> : tensor<2x3xf64>, tolerance = 1.0e-12
  return
}

// x op(a) = b, upper triangle, transposed; the other triangle holds 9 and is not read.
func.func @right_upper_transposed() {
  %a = stablehlo.constant dense<[[2.0, 1.0, 3.0], [9.0, 4.0, -1.0], [9.0, 9.0, 5.0]]> : tensor<3x3xf64>
  %b = stablehlo.constant dense<[[2.0, 1.0, 3.0], [4.0, -2.0, 0.5]]> : tensor<2x3xf64>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = false, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>
  }> : (tensor<3x3xf64>, tensor<2x3xf64>) -> tensor<2x3xf64>
  check.expect_almost_eq_const %x, dense<[[-0.10000000000000014, 0.4, 0.6000000000000001], [2.0875, -0.475, 0.1]]> : tensor<2x3xf64>, tolerance = 1.0e-12
  return
}

// The diagonal counts as ones.
func.func @unit_diagonal() {
  %a = stablehlo.constant dense<[[7.0, 0.0], [2.0, 7.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[1.0], [5.0]]> : tensor<2x1xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_almost_eq_const %x, dense<[[1.0], [3.0]]> : tensor<2x1xf32>, tolerance = 1.0e-05
  return
}

// The same on the right, upper and transposed.
func.func @unit_diagonal_right() {
  %a = stablehlo.constant dense<[[7.0, 2.0], [0.0, 7.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[1.0, 5.0]]> : tensor<1x2xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose TRANSPOSE>
  }> : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  check.expect_almost_eq_const %x, dense<[[-9.0, 5.0]]> : tensor<1x2xf32>, tolerance = 1.0e-05
  return
}

// The adjoint of a complex matrix.
func.func @adjoint() {
  %a = stablehlo.constant dense<[[(1.0, 1.0), (0.0, 0.0)], [(0.0, 2.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %b = stablehlo.constant dense<[[(2.0, 0.0)], [(2.0, -2.0)]]> : tensor<2x1xcomplex<f64>>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>
  }> : (tensor<2x2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  check.expect_almost_eq_const %x, dense<[[(1.0, 3.0)], [(1.0, -1.0)]]> : tensor<2x1xcomplex<f64>>, tolerance = 1.0e-12
  return
}

// The transpose of a complex matrix is not conjugated.
func.func @complex_transpose() {
  %a = stablehlo.constant dense<[[(1.0, 1.0), (0.0, 0.0)], [(0.0, 2.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %b = stablehlo.constant dense<[[(2.0, 0.0)], [(2.0, -2.0)]]> : tensor<2x1xcomplex<f32>>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>
  }> : (tensor<2x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  check.expect_almost_eq_const %x, dense<[[(-1.0, -1.0)], [(1.0, -1.0)]]> : tensor<2x1xcomplex<f32>>, tolerance = 1.0e-05
  return
}

// The adjoint of a real matrix is its transpose.
func.func @adjoint_of_reals() {
  %a = stablehlo.constant dense<[[2.0, 0.0], [1.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[4.0], [8.0]]> : tensor<2x1xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>
  }> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  check.expect_almost_eq_const %x, dense<[[1.0], [2.0]]> : tensor<2x1xf32>, tolerance = 1.0e-05
  return
}

// A batch of systems.
func.func @batch() {
  %a = stablehlo.constant dense<[[[2.0, 0.0], [1.0, 4.0]], [[1.0, 0.0], [1.0, 1.0]]]> : tensor<2x2x2xf32>
  %b = stablehlo.constant dense<[[[2.0], [5.0]], [[1.0], [3.0]]]> : tensor<2x2x1xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<2x2x2xf32>, tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
  check.expect_almost_eq_const %x, dense<[[[1.0], [1.0]], [[1.0], [2.0]]]> : tensor<2x2x1xf32>, tolerance = 1.0e-05
  return
}

// A zero on the diagonal: an infinity with the sign of b, and NaN from 0 / 0.
func.func @singular() {
  %a = stablehlo.constant dense<[[0.0]]> : tensor<1x1xf32>
  %b = stablehlo.constant dense<[[1.0, -1.0, 0.0]]> : tensor<1x3xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<1x1xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  check.expect_eq_const %x, dense<[[0x7F800000, 0xFF800000, 0x7FC00000]]> : tensor<1x3xf32>
  return
}

// A single equation.
func.func @one() {
  %a = stablehlo.constant dense<[[4.0]]> : tensor<1x1xf32>
  %b = stablehlo.constant dense<[[2.0]]> : tensor<1x1xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  check.expect_eq_const %x, dense<[[0.5]]> : tensor<1x1xf32>
  return
}

// No right side.
func.func @no_right_side() {
  %a = stablehlo.constant dense<[[1.0, 0.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<> : tensor<2x0xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<2x2xf32>, tensor<2x0xf32>) -> tensor<2x0xf32>
  check.expect_eq_const %x, dense<> : tensor<2x0xf32>
  return
}

// Matrices of size 0.
func.func @empty() {
  %a = stablehlo.constant dense<> : tensor<0x0xf32>
  %b = stablehlo.constant dense<> : tensor<0x3xf32>
  %x = "stablehlo.triangular_solve"(%a, %b) <{
    left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  }> : (tensor<0x0xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  check.expect_eq_const %x, dense<> : tensor<0x3xf32>
  return
}
