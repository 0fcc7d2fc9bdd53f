// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.asinh`: the inverse hyperbolic sine.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-100.0, -0.5, -0.0, 1.0e-10, 0.25, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<9xf64>
  %result = chlo.asinh %x : tensor<9xf64> -> tensor<9xf64>
  check.expect_almost_eq_const %result, dense<[-5.298342365610589, -0.48121182505960347, -0.0, 1.0e-10, 0.24746646154726346, 1.8184464592320668, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<9xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-100.0, -0.5, -0.0, 1.0e-10, 0.25, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<9xf32>
  %result = chlo.asinh %x : tensor<9xf32> -> tensor<9xf32>
  check.expect_almost_eq_const %result, dense<[-5.298342, -0.4812118, -0.0, 1.0e-10, 0.24746646, 1.8184465, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<9xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-0.5, 0.25, 3.0]> : tensor<3xf16>
  %result = chlo.asinh %x : tensor<3xf16> -> tensor<3xf16>
  check.expect_almost_eq_const %result, dense<[-0.4812, 0.2474, 1.818]> : tensor<3xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-0.5, 0.25, 3.0]> : tensor<3xbf16>
  %result = chlo.asinh %x : tensor<3xbf16> -> tensor<3xbf16>
  check.expect_almost_eq_const %result, dense<[-0.48, 0.247, 1.82]> : tensor<3xbf16>, tolerance = 0.02
  return
}

// Complex numbers, one in each quadrant.
func.func @complex64() {
  %x = stablehlo.constant dense<[(0.5, 0.25), (-1.5, 2.0), (0.75, -1.0), (-0.25, -3.0)]> : tensor<4xcomplex<f32>>
  %result = chlo.asinh %x : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0.4926757, 0.22432846), (-1.6004101, 0.88776517), (0.9095936, -0.76564264), (-1.7668693, -1.4826795)]> : tensor<4xcomplex<f32>>
  return
}

// Complex numbers of double precision.
func.func @complex128() {
  %x = stablehlo.constant dense<[[(0.5, 0.25), (-1.5, 2.0)], [(0.75, -1.0), (-0.25, -3.0)]]> : tensor<2x2xcomplex<f64>>
  %result = chlo.asinh %x : tensor<2x2xcomplex<f64>> -> tensor<2x2xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[
      [(0.4926756834207706, 0.2243284526346675), (-1.6004100552346137, 0.8877651461839051)],
      [(0.9095935920071839, -0.7656426725674891), (-1.7668693026241513, -1.4826795045905576)]
    ]> : tensor<2x2xcomplex<f64>>, tolerance = 1.0e-10
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-0.5> : tensor<f32>
  %result = chlo.asinh %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<-0.4812118> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.asinh %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
