// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.digamma`: the derivative of the logarithm of gamma.

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.25, 1.0, 2.5, 10.0, 100.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<9xf64>
  %result = chlo.digamma %x : tensor<9xf64> -> tensor<9xf64>
  check.expect_almost_eq_const %result, dense<[1.1031566406452433, 0.03648997397857651, -4.2274535333762655, -0.5772156649015329, 0.7031566406452432, 2.251752589066721, 4.600161852738088, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<9xf64>, tolerance = 1.0e-08
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.25, 1.0, 2.5, 10.0, 100.0, 0x7F800000, 0x7FC00000]> : tensor<9xf32>
  %result = chlo.digamma %x : tensor<9xf32> -> tensor<9xf32>
  check.expect_almost_eq_const %result, dense<[1.1031567, 0.036489975, -4.2274537, -0.5772157, 0.70315665, 2.2517526, 4.600162, 0x7F800000, 0x7FC00000]> : tensor<9xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.25, 1.0]> : tensor<4xf16>
  %result = chlo.digamma %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[1.104, 0.0365, -4.227, -0.577]> : tensor<4xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-2.5, -0.5, 0.25, 1.0]> : tensor<4xbf16>
  %result = chlo.digamma %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[1.1, 0.0364, -4.22, -0.58]> : tensor<4xbf16>, tolerance = 0.02
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-2.5> : tensor<f32>
  %result = chlo.digamma %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<1.1031567> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.digamma %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
