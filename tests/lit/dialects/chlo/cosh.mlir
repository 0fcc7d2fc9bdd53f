// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.cosh`: the hyperbolic cosine.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.0, 0.25, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<8xf64>
  %result = chlo.cosh %x : tensor<8xf64> -> tensor<8xf64>
  check.expect_almost_eq_const %result, dense<[3.7621956910836314, 1.1276259652063807, 1.0, 1.0314130998795732, 10.067661995777765, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<8xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.0, 0.25, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %result = chlo.cosh %x : tensor<8xf32> -> tensor<8xf32>
  check.expect_almost_eq_const %result, dense<[3.7621956, 1.127626, 1.0, 1.0314131, 10.067662, 0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<8xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.25, 3.0]> : tensor<4xf16>
  %result = chlo.cosh %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[3.762, 1.128, 1.031, 10.07]> : tensor<4xf16>, tolerance = 0.02
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.25, 3.0]> : tensor<4xbf16>
  %result = chlo.cosh %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[3.77, 1.125, 1.03, 10.06]> : tensor<4xbf16>, tolerance = 0.08
  return
}

// Complex numbers, one in each quadrant.
func.func @complex64() {
  %x = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (0.75, -1.0), (-0.25, -3.0)]> : tensor<4xcomplex<f32>>
  %result = chlo.cosh %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(1.0925708, 0.12892105), (-0.9789478, -1.9361483), (0.69952035, -0.6919557), (-1.0210912, 0.03564865)]> : tensor<4xcomplex<f32>>
  return
}

// Complex numbers of double precision.
func.func @complex128() {
  %x = stablehlo.constant dense<[[(0.5, 0.25), (-1.5, 2.0)], [(0.75, -1.0), (-0.25, -3.0)]]> : tensor<2x2xcomplex<f64>>
  %result = chlo.cosh %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[
      [(1.0925708047319176, 0.12892104172809826), (-0.9789478196465577, -1.936148329510507)],
      [(0.6995203640798364, -0.6919556702460539), (-1.0210912297761832, 0.035648652183990444)]
    ]> : tensor<2x2xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-2.0> : tensor<f32>
  %result = chlo.cosh %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<3.7621956> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.cosh %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
