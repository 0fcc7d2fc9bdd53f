// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.square`: the product with itself.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-2.0, -0.5, -0.0, 3.0, 1.0e+200, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  %result = chlo.square %x : tensor<7xf64> -> tensor<7xf64>
  check.expect_almost_eq_const %result, dense<[4.0, 0.25, 0.0, 9.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-2.0, -0.5, -0.0, 3.0, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  %result = chlo.square %x : tensor<6xf32> -> tensor<6xf32>
  check.expect_almost_eq_const %result, dense<[4.0, 0.25, 0.0, 9.0, 0x7F800000, 0x7FC00000]> : tensor<6xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 3.0]> : tensor<3xf16>
  %result = chlo.square %x : tensor<3xf16> -> tensor<3xf16>
  check.expect_almost_eq_const %result, dense<[4.0, 0.25, 9.0]> : tensor<3xf16>, tolerance = 0.02
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 3.0]> : tensor<3xbf16>
  %result = chlo.square %x : tensor<3xbf16> -> tensor<3xbf16>
  check.expect_almost_eq_const %result, dense<[4.0, 0.25, 9.0]> : tensor<3xbf16>, tolerance = 0.08
  return
}

// Complex numbers, one in each quadrant.
func.func @complex64() {
  %x = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (0.75, -1.0), (-0.25, -3.0)]> : tensor<4xcomplex<f32>>
  %result = chlo.square %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0.1875, 0.25), (-1.75, -6.0), (-0.4375, -1.5), (-8.9375, 1.5)]> : tensor<4xcomplex<f32>>
  return
}

// Complex numbers of double precision.
func.func @complex128() {
  %x = stablehlo.constant dense<[[(0.5, 0.25), (-1.5, 2.0)], [(0.75, -1.0), (-0.25, -3.0)]]> : tensor<2x2xcomplex<f64>>
  %result = chlo.square %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[[(0.1875, 0.25), (-1.75, -6.0)], [(-0.4375, -1.5), (-8.9375, 1.5)]]> : tensor<2x2xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-2.0> : tensor<f32>
  %result = chlo.square %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<4.0> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.square %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
