// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.bessel_i1e`: the modified Bessel function of the first kind of order 1, times exp(-|x|).

// Double precision, with the ends of the domain, what lies outside of it, and NaN.
func.func @f64() {
  %x = stablehlo.constant dense<[-50.0, -2.0, -0.5, 0.0, 0.25, 3.0, 8.0, 20.0, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  %result = chlo.bessel_i1e %x : tensor<10xf64> -> tensor<10xf64>
  check.expect_almost_eq_const %result, dense<[-0.055993123892895395, -0.2152692892489377, -0.15642080318487173, 0.0, 0.0981126286973682, 0.19682671329730084, 0.13414249329269812, 0.08750622218328867, 0.0, 0x7FF8000000000000]> : tensor<10xf64>, tolerance = 1.0e-08
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[-50.0, -2.0, -0.5, 0.0, 0.25, 3.0, 8.0, 20.0, 0x7F800000, 0x7FC00000]> : tensor<10xf32>
  %result = chlo.bessel_i1e %x : tensor<10xf32> -> tensor<10xf32>
  check.expect_almost_eq_const %result, dense<[-0.055993125, -0.21526928, -0.1564208, 0.0, 0.09811263, 0.19682671, 0.13414249, 0.08750622, 0.0, 0x7FC00000]> : tensor<10xf32>, tolerance = 2.0e-05
  return
}

// Half precision.
func.func @f16() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.25, 3.0]> : tensor<4xf16>
  %result = chlo.bessel_i1e %x : tensor<4xf16> -> tensor<4xf16>
  check.expect_almost_eq_const %result, dense<[-0.2152, -0.1564, 0.0981, 0.1968]> : tensor<4xf16>, tolerance = 0.004
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.25, 3.0]> : tensor<4xbf16>
  %result = chlo.bessel_i1e %x : tensor<4xbf16> -> tensor<4xbf16>
  check.expect_almost_eq_const %result, dense<[-0.215, -0.156, 0.098, 0.197]> : tensor<4xbf16>, tolerance = 0.02
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<-2.0> : tensor<f32>
  %result = chlo.bessel_i1e %x : tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<-0.21526928> : tensor<f32>, tolerance = 2.0e-05
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = chlo.bessel_i1e %x : tensor<0x2xf32> -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}
