// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.erfc`: one minus the error function.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-6.0, -1.5, -0.5, 0.0, 0.25, 1.0, 3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  %result = chlo.erfc %x : tensor<10xf64> -> tensor<10xf64>
  check.expect_almost_eq_const %result, dense<[2.0, 1.9661051464753108, 1.5204998778130465, 1.0, 0.7236736098317631, 0.15729920705028516, 2.2090496998585445e-05, 0.0, 2.0, 0x7FF8000000000000]> : tensor<10xf64>, tolerance = 1.0e-10
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-6.0, -1.5, -0.5, 0.0, 0.25, 1.0, 3.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<10xf32>
  %result = chlo.erfc %x : tensor<10xf32> -> tensor<10xf32>
  check.expect_almost_eq_const %result, dense<[2.0, 1.9661051, 1.5204998, 1.0, 0.7236736, 0.1572992, 2.2090497e-05, 0.0, 2.0, 0x7FC00000]> : tensor<10xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-1.5, -0.5, 0.25, 1.0]> : tensor<4xf16>
  %result = chlo.erfc %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[1.966, 1.5205, 0.7236, 0.1573]> : tensor<4xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-1.5, -0.5, 0.25, 1.0]> : tensor<4xbf16>
  %result = chlo.erfc %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[1.97, 1.52, 0.723, 0.157]> : tensor<4xbf16>, tolerance = 0.02
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-1.5> : tensor<f32>
  %result = chlo.erfc %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<1.9661051> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.erfc %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
