// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.erf_inv`: the inverse of the error function.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-1.0, -0.9375, -0.5, 0.0, 0.25, 0.75, 0.99609375, 1.0, 0x7FF8000000000000]> : tensor<9xf64>
  %result = chlo.erf_inv %x : tensor<9xf64> -> tensor<9xf64>
  check.expect_almost_eq_const %result, dense<[0xFFF0000000000000, -1.3171503349861307, -0.4769362762044699, 0.0, 0.2253120550121781, 0.8134198475976184, 2.0404520146056093, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<9xf64>, tolerance = 1.0e-08
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-1.0, -0.9375, -0.5, 0.0, 0.25, 0.75, 0.99609375, 1.0, 0x7FC00000]> : tensor<9xf32>
  %result = chlo.erf_inv %x : tensor<9xf32> -> tensor<9xf32>
  check.expect_almost_eq_const %result, dense<[0xFF800000, -1.3171504, -0.47693628, 0.0, 0.22531205, 0.8134198, 2.040452, 0x7F800000, 0x7FC00000]> : tensor<9xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-1.0, -0.9375, -0.5, 0.25]> : tensor<4xf16>
  %result = chlo.erf_inv %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[0xFC00, -1.317, -0.477, 0.2253]> : tensor<4xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-1.0, -0.938, -0.5, 0.25]> : tensor<4xbf16>
  %result = chlo.erf_inv %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[0xFF80, -1.32, -0.477, 0.226]> : tensor<4xbf16>, tolerance = 0.02
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-1.0> : tensor<f32>
  %result = chlo.erf_inv %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<0xFF800000> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.erf_inv %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
