// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.lgamma`: the logarithm of the absolute value of gamma.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.0, 0.25, 1.0, 2.0, 3.5, 10.0, 100.0, -1.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %result = chlo.lgamma %x : tensor<12xf64> -> tensor<12xf64>
  check.expect_almost_eq_const %result, dense<[-0.05624371649767401, 1.2655121234846454, 0x7FF0000000000000, 1.2880225246980774, 0.0, 0.0, 1.2009736023470743, 12.801827480081469, 359.1342053695754, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>, tolerance = 1.0e-08
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.0, 0.25, 1.0, 2.0, 3.5, 10.0, 100.0, -1.0, 0x7F800000, 0x7FC00000]> : tensor<12xf32>
  %result = chlo.lgamma %x : tensor<12xf32> -> tensor<12xf32>
  check.expect_almost_eq_const %result, dense<[-0.056243718, 1.2655121, 0x7F800000, 1.2880225, 0.0, 0.0, 1.2009736, 12.801827, 359.13422, 0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<12xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.25, 1.0]> : tensor<4xf16>
  %result = chlo.lgamma %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[-0.05624, 1.266, 1.288, 0.0]> : tensor<4xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.25, 1.0]> : tensor<4xbf16>
  %result = chlo.lgamma %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[-0.0562, 1.266, 1.29, 0.0]> : tensor<4xbf16>, tolerance = 0.02
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-2.5> : tensor<f32>
  %result = chlo.lgamma %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<-0.056243718> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.lgamma %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
