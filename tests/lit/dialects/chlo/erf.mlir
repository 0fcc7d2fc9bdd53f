// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.erf`: the error function.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-6.0, -1.5, -0.5, -0.0, 1.0e-10, 0.25, 1.0, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %result = chlo.erf %x : tensor<11xf64> -> tensor<11xf64>
  check.expect_almost_eq_const %result, dense<[-1.0, -0.9661051464753108, -0.5204998778130465, -0.0, 1.1283791670955126e-10, 0.2763263901682369, 0.8427007929497148, 0.9999779095030014, 1.0, -1.0, 0x7FF8000000000000]> : tensor<11xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-6.0, -1.5, -0.5, -0.0, 1.0e-10, 0.25, 1.0, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<11xf32>
  %result = chlo.erf %x : tensor<11xf32> -> tensor<11xf32>
  check.expect_almost_eq_const %result, dense<[-1.0, -0.96610516, -0.5204999, -0.0, 1.1283792e-10, 0.2763264, 0.8427008, 0.9999779, 1.0, -1.0, 0x7FC00000]> : tensor<11xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-1.5, -0.5, 0.25, 1.0]> : tensor<4xf16>
  %result = chlo.erf %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[-0.9663, -0.5205, 0.2764, 0.843]> : tensor<4xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-1.5, -0.5, 0.25, 1.0]> : tensor<4xbf16>
  %result = chlo.erf %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[-0.965, -0.52, 0.275, 0.844]> : tensor<4xbf16>, tolerance = 0.02
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-1.5> : tensor<f32>
  %result = chlo.erf %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<-0.96610516> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.erf %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
