// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.conj`: the complex conjugate.

// The sign of the imaginary part changes, that of zeros too.
func.func @complex64() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (-1.0, -0.5), (0.0, 3.0)]> : tensor<3xcomplex<f32>>
  %result = chlo.conj %x : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, -2.0), (-1.0, 0.5), (-0.0, -3.0)]> : tensor<3xcomplex<f32>>
  return
}

// Double precision.
func.func @complex128() {
  %x = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f64>>
  %result = chlo.conj %x : tensor<complex<f64>> -> tensor<complex<f64>>
  check.expect_eq_const %result, dense<(1.0, -2.0)> : tensor<complex<f64>>
  return
}
