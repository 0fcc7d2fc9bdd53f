// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.sinh`: the hyperbolic sine.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-2.0, -0.5, -0.0, 1.0e-10, 0.25, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<9xf64>
  %result = chlo.sinh %x : tensor<9xf64> -> tensor<9xf64>
  check.expect_almost_eq_const %result, dense<[-3.6268604078470186, -0.5210953054937474, -0.0, 1.0e-10, 0.2526123168081683, 10.017874927409903, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<9xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-2.0, -0.5, -0.0, 1.0e-10, 0.25, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<9xf32>
  %result = chlo.sinh %x : tensor<9xf32> -> tensor<9xf32>
  check.expect_almost_eq_const %result, dense<[-3.6268604, -0.5210953, -0.0, 1.0e-10, 0.25261232, 10.017875, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<9xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.25, 3.0]> : tensor<4xf16>
  %result = chlo.sinh %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[-3.627, -0.521, 0.2527, 10.016]> : tensor<4xf16>, tolerance = 0.02
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.25, 3.0]> : tensor<4xbf16>
  %result = chlo.sinh %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[-3.62, -0.52, 0.252, 10.0]> : tensor<4xbf16>, tolerance = 0.08
  return
}

// Complex numbers, one in each quadrant.
func.func @complex64() {
  %x = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (0.75, -1.0), (-0.25, -3.0)]> : tensor<4xcomplex<f32>>
  %result = chlo.sinh %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0.5048957, 0.27897912), (0.8860929, 2.13904), (0.44429964, -1.0894384), (0.2500843, -0.14555302)]> : tensor<4xcomplex<f32>>
  return
}

// Complex numbers of double precision.
func.func @complex128() {
  %x = stablehlo.constant dense<[[(0.5, 0.25), (-1.5, 2.0)], [(0.75, -1.0), (-0.25, -3.0)]]> : tensor<2x2xcomplex<f64>>
  %result = chlo.sinh %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[
      [(0.504895714387995, 0.2789791283502615), (0.8860929093625314, 2.139040009980677)],
      [(0.44429962641888193, -1.0894384185713468), (0.25008429818894123, -0.145553024968058)]
    ]> : tensor<2x2xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-2.0> : tensor<f32>
  %result = chlo.sinh %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<-3.6268604> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.sinh %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
