// RUN: xla-run %s --engine reference --split-input-file

// `triangular_solve`: systems with triangular matrices on either side, in every form.
// These cases run on the reference interpreter only.

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
