// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.tan`: the tangent.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-2.0, -0.5, -0.0, 0.25, 1.0, 100.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<8xf64>
  %result = chlo.tan %x : tensor<8xf64> -> tensor<8xf64>
  check.expect_almost_eq_const %result, dense<[2.185039863261519, -0.5463024898437905, -0.0, 0.25534192122103627, 1.5574077246549023, -0.5872139151569291, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<8xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-2.0, -0.5, -0.0, 0.25, 1.0, 100.0, 0x7F800000, 0x7FC00000]> : tensor<8xf32>
  %result = chlo.tan %x : tensor<8xf32> -> tensor<8xf32>
  check.expect_almost_eq_const %result, dense<[2.1850398, -0.5463025, -0.0, 0.25534192, 1.5574077, -0.58721393, 0x7FC00000, 0x7FC00000]> : tensor<8xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.25, 1.0]> : tensor<4xf16>
  %result = chlo.tan %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[2.186, -0.5464, 0.2554, 1.558]> : tensor<4xf16>, tolerance = 0.02
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.25, 1.0]> : tensor<4xbf16>
  %result = chlo.tan %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[2.19, -0.547, 0.256, 1.555]> : tensor<4xbf16>, tolerance = 0.08
  return
}

// Complex numbers, one in each quadrant.
func.func @complex64() {
  %x = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (0.75, -1.0), (-0.25, -3.0)]> : tensor<4xcomplex<f32>>
  %result = chlo.tan %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0.5045007, 0.3124207), (-0.005362061, 1.0369203), (0.26024327, -0.9462364), (-0.002366444, -0.995656)]> : tensor<4xcomplex<f32>>
  return
}

// Complex numbers of double precision.
func.func @complex128() {
  %x = stablehlo.constant dense<[[(0.5, 0.25), (-1.5, 2.0)], [(0.75, -1.0), (-0.25, -3.0)]]> : tensor<2x2xcomplex<f64>>
  %result = chlo.tan %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[
      [(0.504500702698564, 0.3124206925025888), (-0.0053620609220030565, 1.036920282100185)],
      [(0.26024326919223423, -0.946236344159839), (-0.0023664441570039906, -0.995656017907301)]
    ]> : tensor<2x2xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-2.0> : tensor<f32>
  %result = chlo.tan %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<2.1850398> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.tan %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
