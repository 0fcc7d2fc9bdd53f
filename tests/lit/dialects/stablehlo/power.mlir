// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `power` of floats and complex numbers.

// Values of f64.
func.func @f64() {
  %lhs = stablehlo.constant dense<[2.0, 2.0, 1.5, 10.0, 0.5, -2.0, -2.0, 3.0]> : tensor<8xf64>
  %rhs = stablehlo.constant dense<[3.0, -2.0, 2.5, 0.5, 10.0, 3.0, 4.0, -1.5]> : tensor<8xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<8xf64>
  %expected = stablehlo.constant dense<[8.0, 0.25, 2.7556759606310752, 3.1622776601683795, 0.0009765625, -8.0, 16.0, 0.19245008972987526]> : tensor<8xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<8xf64>, tensor<8xf64>
  return
}

// -----

// Anything to the power 0, and 1 to any power, is 1.
func.func @f64_one() {
  %lhs = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0.0, -2.5, 1.0, 1.0, -1.0, -1.0]> : tensor<8xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7FF8000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<8xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<8xf64>
  check.expect_eq_const %result, dense<1.0> : tensor<8xf64>
  return
}

// -----

// NaN, and negative bases with exponents that are not whole.
func.func @f64_nan() {
  %lhs = stablehlo.constant dense<[0x7FF8000000000000, 2.0, -2.0, -8.0, -0.5]> : tensor<5xf64>
  %rhs = stablehlo.constant dense<[1.0, 0x7FF8000000000000, 0.5, 0.3333333333333333, -1.5]> : tensor<5xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<5xf64>
  check.expect_eq_const %result, dense<0x7FF8000000000000> : tensor<5xf64>
  return
}

// -----

// Infinite bases and exponents.
func.func @f64_infinities() {
  %lhs = stablehlo.constant dense<[0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 2.0, 2.0, 0.5, 0.5, -2.0, 0xFFF0000000000000]> : tensor<11xf64>
  %rhs = stablehlo.constant dense<[2.0, -1.0, 3.0, 2.0, -3.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 0.5]> : tensor<11xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<11xf64>
  check.expect_eq_const %result, dense<[0x7FF0000000000000, 0.0, 0xFFF0000000000000, 0x7FF0000000000000, 0.0, 0x7FF0000000000000, 0.0, 0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<11xf64>
  return
}

// -----

// Zero as the base.
func.func @f64_zeros() {
  %lhs = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, -0.0]> : tensor<9xf64>
  %rhs = stablehlo.constant dense<[2.0, -1.0, -1.0, -2.0, 2.0, -0.5, 0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000]> : tensor<9xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<9xf64>
  check.expect_eq_const %result, dense<[0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 0.0, 0x7FF0000000000000, 0.0, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<9xf64>
  return
}

// -----

// Odd powers keep the sign of zero.
func.func @f64_signed_zeros() {
  %lhs = stablehlo.constant dense<[-0.0, -0.0, 0xFFF0000000000000, 0xFFF0000000000000]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[3.0, 2.0, -3.0, -2.0]> : tensor<4xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<4xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf64>) -> tensor<4xui64>
  check.expect_eq_const %bits, dense<[0x8000000000000000, 0, 0x8000000000000000, 0]> : tensor<4xui64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %lhs = stablehlo.constant dense<[2.0, 2.0, 1.5, 10.0, 0.5, -2.0, -2.0, 3.0]> : tensor<8xf32>
  %rhs = stablehlo.constant dense<[3.0, -2.0, 2.5, 0.5, 10.0, 3.0, 4.0, -1.5]> : tensor<8xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<8xf32>
  %expected = stablehlo.constant dense<[8.0, 0.25, 2.755676, 3.1622777, 0.0009765625, -8.0, 16.0, 0.19245009]> : tensor<8xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<8xf32>, tensor<8xf32>
  return
}

// -----

// Anything to the power 0, and 1 to any power, is 1.
func.func @f32_one() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0.0, -2.5, 1.0, 1.0, -1.0, -1.0]> : tensor<8xf32>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7FC00000, 0xFF800000, 0x7F800000, 0xFF800000]> : tensor<8xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<8xf32>
  check.expect_eq_const %result, dense<1.0> : tensor<8xf32>
  return
}

// -----

// NaN, and negative bases with exponents that are not whole.
func.func @f32_nan() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 2.0, -2.0, -8.0, -0.5]> : tensor<5xf32>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC00000, 0.5, 0.33333334, -1.5]> : tensor<5xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<5xf32>
  check.expect_eq_const %result, dense<0x7FC00000> : tensor<5xf32>
  return
}

// -----

// Infinite bases and exponents.
func.func @f32_infinities() {
  %lhs = stablehlo.constant dense<[0x7F800000, 0x7F800000, 0xFF800000, 0xFF800000, 0xFF800000, 2.0, 2.0, 0.5, 0.5, -2.0, 0xFF800000]> : tensor<11xf32>
  %rhs = stablehlo.constant dense<[2.0, -1.0, 3.0, 2.0, -3.0, 0x7F800000, 0xFF800000, 0x7F800000, 0xFF800000, 0x7F800000, 0.5]> : tensor<11xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<11xf32>
  check.expect_eq_const %result, dense<[0x7F800000, 0.0, 0xFF800000, 0x7F800000, 0.0, 0x7F800000, 0.0, 0.0, 0x7F800000, 0x7F800000, 0x7F800000]> : tensor<11xf32>
  return
}

// -----

// Zero as the base.
func.func @f32_zeros() {
  %lhs = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, -0.0]> : tensor<9xf32>
  %rhs = stablehlo.constant dense<[2.0, -1.0, -1.0, -2.0, 2.0, -0.5, 0x7F800000, 0xFF800000, 0xFF800000]> : tensor<9xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<9xf32>
  check.expect_eq_const %result, dense<[0.0, 0x7F800000, 0xFF800000, 0x7F800000, 0.0, 0x7F800000, 0.0, 0x7F800000, 0x7F800000]> : tensor<9xf32>
  return
}

// -----

// Odd powers keep the sign of zero.
func.func @f32_signed_zeros() {
  %lhs = stablehlo.constant dense<[-0.0, -0.0, 0xFF800000, 0xFF800000]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[3.0, 2.0, -3.0, -2.0]> : tensor<4xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<4xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits, dense<[0x80000000, 0, 0x80000000, 0]> : tensor<4xui32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %lhs = stablehlo.constant dense<[2.0, 2.0, 1.5, 10.0, 0.5, -2.0, -2.0, 3.0]> : tensor<8xf16>
  %rhs = stablehlo.constant dense<[3.0, -2.0, 2.5, 0.5, 10.0, 3.0, 4.0, -1.5]> : tensor<8xf16>
  %result = stablehlo.power %lhs, %rhs : tensor<8xf16>
  %expected = stablehlo.constant dense<[8.0, 0.25, 2.756, 3.162, 0.000977, -8.0, 16.0, 0.1925]> : tensor<8xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<8xf16>, tensor<8xf16>
  return
}

// -----

// Anything to the power 0, and 1 to any power, is 1.
func.func @f16_one() {
  %lhs = stablehlo.constant dense<[0x7E00, 0x7C00, 0.0, -2.5, 1.0, 1.0, -1.0, -1.0]> : tensor<8xf16>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7E00, 0xFC00, 0x7C00, 0xFC00]> : tensor<8xf16>
  %result = stablehlo.power %lhs, %rhs : tensor<8xf16>
  check.expect_eq_const %result, dense<1.0> : tensor<8xf16>
  return
}

// -----

// NaN, and negative bases with exponents that are not whole.
func.func @f16_nan() {
  %lhs = stablehlo.constant dense<[0x7E00, 2.0, -2.0, -8.0, -0.5]> : tensor<5xf16>
  %rhs = stablehlo.constant dense<[1.0, 0x7E00, 0.5, 0.3333, -1.5]> : tensor<5xf16>
  %result = stablehlo.power %lhs, %rhs : tensor<5xf16>
  check.expect_eq_const %result, dense<0x7E00> : tensor<5xf16>
  return
}

// -----

// Infinite bases and exponents.
func.func @f16_infinities() {
  %lhs = stablehlo.constant dense<[0x7C00, 0x7C00, 0xFC00, 0xFC00, 0xFC00, 2.0, 2.0, 0.5, 0.5, -2.0, 0xFC00]> : tensor<11xf16>
  %rhs = stablehlo.constant dense<[2.0, -1.0, 3.0, 2.0, -3.0, 0x7C00, 0xFC00, 0x7C00, 0xFC00, 0x7C00, 0.5]> : tensor<11xf16>
  %result = stablehlo.power %lhs, %rhs : tensor<11xf16>
  check.expect_eq_const %result, dense<[0x7C00, 0.0, 0xFC00, 0x7C00, 0.0, 0x7C00, 0.0, 0.0, 0x7C00, 0x7C00, 0x7C00]> : tensor<11xf16>
  return
}

// -----

// Zero as the base.
func.func @f16_zeros() {
  %lhs = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, -0.0]> : tensor<9xf16>
  %rhs = stablehlo.constant dense<[2.0, -1.0, -1.0, -2.0, 2.0, -0.5, 0x7C00, 0xFC00, 0xFC00]> : tensor<9xf16>
  %result = stablehlo.power %lhs, %rhs : tensor<9xf16>
  check.expect_eq_const %result, dense<[0.0, 0x7C00, 0xFC00, 0x7C00, 0.0, 0x7C00, 0.0, 0x7C00, 0x7C00]> : tensor<9xf16>
  return
}

// -----

// Odd powers keep the sign of zero.
func.func @f16_signed_zeros() {
  %lhs = stablehlo.constant dense<[-0.0, -0.0, 0xFC00, 0xFC00]> : tensor<4xf16>
  %rhs = stablehlo.constant dense<[3.0, 2.0, -3.0, -2.0]> : tensor<4xf16>
  %result = stablehlo.power %lhs, %rhs : tensor<4xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0x8000, 0, 0x8000, 0]> : tensor<4xui16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %lhs = stablehlo.constant dense<[2.0, 2.0, 1.5, 10.0, 0.5, -2.0, -2.0, 3.0]> : tensor<8xbf16>
  %rhs = stablehlo.constant dense<[3.0, -2.0, 2.5, 0.5, 10.0, 3.0, 4.0, -1.5]> : tensor<8xbf16>
  %result = stablehlo.power %lhs, %rhs : tensor<8xbf16>
  %expected = stablehlo.constant dense<[8.0, 0.25, 2.75, 3.16, 0.00098, -8.0, 16.0, 0.192]> : tensor<8xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<8xbf16>, tensor<8xbf16>
  return
}

// -----

// Anything to the power 0, and 1 to any power, is 1.
func.func @bf16_one() {
  %lhs = stablehlo.constant dense<[0x7FC0, 0x7F80, 0.0, -2.5, 1.0, 1.0, -1.0, -1.0]> : tensor<8xbf16>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 0.0, -0.0, 0x7FC0, 0xFF80, 0x7F80, 0xFF80]> : tensor<8xbf16>
  %result = stablehlo.power %lhs, %rhs : tensor<8xbf16>
  check.expect_eq_const %result, dense<1.0> : tensor<8xbf16>
  return
}

// -----

// NaN, and negative bases with exponents that are not whole.
func.func @bf16_nan() {
  %lhs = stablehlo.constant dense<[0x7FC0, 2.0, -2.0, -8.0, -0.5]> : tensor<5xbf16>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC0, 0.5, 0.334, -1.5]> : tensor<5xbf16>
  %result = stablehlo.power %lhs, %rhs : tensor<5xbf16>
  check.expect_eq_const %result, dense<0x7FC0> : tensor<5xbf16>
  return
}

// -----

// Infinite bases and exponents.
func.func @bf16_infinities() {
  %lhs = stablehlo.constant dense<[0x7F80, 0x7F80, 0xFF80, 0xFF80, 0xFF80, 2.0, 2.0, 0.5, 0.5, -2.0, 0xFF80]> : tensor<11xbf16>
  %rhs = stablehlo.constant dense<[2.0, -1.0, 3.0, 2.0, -3.0, 0x7F80, 0xFF80, 0x7F80, 0xFF80, 0x7F80, 0.5]> : tensor<11xbf16>
  %result = stablehlo.power %lhs, %rhs : tensor<11xbf16>
  check.expect_eq_const %result, dense<[0x7F80, 0.0, 0xFF80, 0x7F80, 0.0, 0x7F80, 0.0, 0.0, 0x7F80, 0x7F80, 0x7F80]> : tensor<11xbf16>
  return
}

// -----

// Zero as the base.
func.func @bf16_zeros() {
  %lhs = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, -0.0]> : tensor<9xbf16>
  %rhs = stablehlo.constant dense<[2.0, -1.0, -1.0, -2.0, 2.0, -0.5, 0x7F80, 0xFF80, 0xFF80]> : tensor<9xbf16>
  %result = stablehlo.power %lhs, %rhs : tensor<9xbf16>
  check.expect_eq_const %result, dense<[0.0, 0x7F80, 0xFF80, 0x7F80, 0.0, 0x7F80, 0.0, 0x7F80, 0x7F80]> : tensor<9xbf16>
  return
}

// -----

// Odd powers keep the sign of zero.
func.func @bf16_signed_zeros() {
  %lhs = stablehlo.constant dense<[-0.0, -0.0, 0xFF80, 0xFF80]> : tensor<4xbf16>
  %rhs = stablehlo.constant dense<[3.0, 2.0, -3.0, -2.0]> : tensor<4xbf16>
  %result = stablehlo.power %lhs, %rhs : tensor<4xbf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0x8000, 0, 0x8000, 0]> : tensor<4xui16>
  return
}

// -----

// Overflow, results below the least normal number, underflow.
func.func @f32_range() {
  %lhs = stablehlo.constant dense<[10.0, 10.0, 10.0, -10.0, 2.0, 2.0]> : tensor<6xf32>
  %rhs = stablehlo.constant dense<[39.0, -42.0, -50.0, 39.0, -149.0, 127.0]> : tensor<6xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<6xf32>
  %expected = stablehlo.constant dense<[0x7F800000, 1.0e-42, 0.0, 0xFF800000, 1.0e-45, 1.7014118e38]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Overflow, results below the least normal number, underflow.
func.func @f64_range() {
  %lhs = stablehlo.constant dense<[10.0, 10.0, 10.0, 2.0, 2.0]> : tensor<5xf64>
  %rhs = stablehlo.constant dense<[309.0, -320.0, -350.0, -1074.0, 1023.0]> : tensor<5xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<5xf64>
  %expected = stablehlo.constant dense<[0x7FF0000000000000, 1.0e-320, 0.0, 5.0e-324, 8.98846567431158e307]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xf64>, tensor<5xf64>
  return
}

// -----

// Large exponents near 1 stay accurate.
func.func @f32_large_exponent() {
  %lhs = stablehlo.constant dense<[1.0000001, 0.9999999, 1.00001]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[1.0e7, 1.0e8, 1.0e6]> : tensor<3xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<3xf32>
  %expected = stablehlo.constant dense<[3.2939677, 6.649761e-6, 22326.514]> : tensor<3xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<3xf32>, tensor<3xf32>
  return
}

// -----

// Large exponents near 1 stay accurate.
func.func @f64_large_exponent() {
  %lhs = stablehlo.constant dense<[1.0000000001, 0.9999999999, 1.0001]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[10000000000.0, 1000000000000.0, 1000000.0]> : tensor<3xf64>
  %result = stablehlo.power %lhs, %rhs : tensor<3xf64>
  %expected = stablehlo.constant dense<[2.7182820532347876, 3.7200451775013044e-44, 2.6747109931126854e43]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<3xf64>, tensor<3xf64>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %lhs = stablehlo.constant dense<[2.0, 1.5, 2.0, -2.0]> : tensor<4xf8E4M3FN>
  %rhs = stablehlo.constant dense<[3.0, 2.0, -2.0, 3.0]> : tensor<4xf8E4M3FN>
  %result = stablehlo.power %lhs, %rhs : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[8.0, 2.2, 0.25, -8.0]> : tensor<4xf8E4M3FN>
  return
}

// -----

// e^(y log x).
func.func @complex_f32() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0), (-1.5, 0.5), (2.0, 0.0)]> : tensor<4xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(2.0, 0.0), (0.0, 1.0), (0.5, -1.0), (0.5, 0.5)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.power %lhs, %rhs : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(-3.0, 4.0), (0.20787957, 0.0), (12.238632, 17.178679), (1.3301274, 0.480376)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Zero as base or exponent.
func.func @complex_f32_zeros() {
  %lhs = stablehlo.constant dense<[(0.0, 0.0), (2.0, -3.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(0.0, 0.0), (0.0, 0.0), (2.0, 0.0), (0.5, 1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.power %lhs, %rhs : tensor<4xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  return
}

// -----

// e^(y log x).
func.func @complex_f64() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0), (-1.5, 0.5), (2.0, 0.0)]> : tensor<4xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(2.0, 0.0), (0.0, 1.0), (0.5, -1.0), (0.5, 0.5)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.power %lhs, %rhs : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(-3.0, 4.0), (0.2078795763507619, 0.0), (12.23863229895343, 17.17867845134404), (1.3301274004259789, 0.48037599714809637)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Zero as base or exponent.
func.func @complex_f64_zeros() {
  %lhs = stablehlo.constant dense<[(0.0, 0.0), (2.0, -3.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(0.0, 0.0), (0.0, 0.0), (2.0, 0.0), (0.5, 1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.power %lhs, %rhs : tensor<4xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (1.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f64>>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %lhs = stablehlo.constant dense<[2.5, -3.0, 0.5, 7.0, -1.25, 0x7FF8000000000000, 1.0, 0x7FF0000000000000, 2.0, 0xFFF0000000000000, 0.0]> : tensor<11xf64>
  %lhs_rows = stablehlo.broadcast_in_dim %lhs, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %lhs_vector = stablehlo.reshape %lhs_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %rhs = stablehlo.constant dense<[1.5, 0.75, -2.0, 3.0, -0.5, 1.0, 0x7FF8000000000000, 2.0, 0x7FF0000000000000, -1.0, 3.0]> : tensor<11xf64>
  %rhs_rows = stablehlo.broadcast_in_dim %rhs, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %rhs_vector = stablehlo.reshape %rhs_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[3.952847075210474, 0x7FF8000000000000, 4.0, 343.0, 0x7FF8000000000000, 0x7FF8000000000000, 1.0, 0x7FF0000000000000, 0x7FF0000000000000, -0.0, 0.0]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.power %lhs_vector, %rhs_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %lhs = stablehlo.constant dense<[2.5, -3.0, 0.5, 7.0, -1.25, 0x7FC00000, 1.0, 0x7F800000, 2.0, 0xFF800000, 0.0]> : tensor<11xf32>
  %lhs_rows = stablehlo.broadcast_in_dim %lhs, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %lhs_vector = stablehlo.reshape %lhs_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %rhs = stablehlo.constant dense<[1.5, 0.75, -2.0, 3.0, -0.5, 1.0, 0x7FC00000, 2.0, 0x7F800000, -1.0, 3.0]> : tensor<11xf32>
  %rhs_rows = stablehlo.broadcast_in_dim %rhs, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %rhs_vector = stablehlo.reshape %rhs_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[3.952847, 0x7FC00000, 4.0, 343.0, 0x7FC00000, 0x7FC00000, 1.0, 0x7F800000, 0x7F800000, -0.0, 0.0]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.power %lhs_vector, %rhs_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %lhs = stablehlo.constant dense<[2.5, -3.0, 0.5, 7.0, -1.25, 0x7E00, 1.0, 0x7C00, 2.0, 0xFC00, 0.0]> : tensor<11xf16>
  %lhs_rows = stablehlo.broadcast_in_dim %lhs, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %lhs_vector = stablehlo.reshape %lhs_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %rhs = stablehlo.constant dense<[1.5, 0.75, -2.0, 3.0, -0.5, 1.0, 0x7E00, 2.0, 0x7C00, -1.0, 3.0]> : tensor<11xf16>
  %rhs_rows = stablehlo.broadcast_in_dim %rhs, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %rhs_vector = stablehlo.reshape %rhs_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[3.953, 0x7E00, 4.0, 343.0, 0x7E00, 0x7E00, 1.0, 0x7C00, 0x7C00, -0.0, 0.0]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.power %lhs_vector, %rhs_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %lhs = stablehlo.constant dense<[2.5, -3.0, 0.5, 7.0, -1.25, 0x7FC0, 1.0, 0x7F80, 2.0, 0xFF80, 0.0]> : tensor<11xbf16>
  %lhs_rows = stablehlo.broadcast_in_dim %lhs, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %lhs_vector = stablehlo.reshape %lhs_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %rhs = stablehlo.constant dense<[1.5, 0.75, -2.0, 3.0, -0.5, 1.0, 0x7FC0, 2.0, 0x7F80, -1.0, 3.0]> : tensor<11xbf16>
  %rhs_rows = stablehlo.broadcast_in_dim %rhs, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %rhs_vector = stablehlo.reshape %rhs_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[3.95, 0x7FC0, 4.0, 344.0, 0x7FC0, 0x7FC0, 1.0, 0x7F80, 0x7F80, -0.0, 0.0]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.power %lhs_vector, %rhs_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %lhs = stablehlo.constant dense<2.0> : tensor<f32>
  %rhs = stablehlo.constant dense<5.0> : tensor<f32>
  %result = stablehlo.power %lhs, %rhs : tensor<f32>
  %expected = stablehlo.constant dense<32.0> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %rhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %result = stablehlo.power %lhs, %rhs : tensor<2x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %lhs = stablehlo.constant dense<[[[-6, -5], [-4, -3], [-2, -1]], [[0, 1], [2, 3], [4, 5]]]> : tensor<2x3x2xi32>
  %rhs = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 0]], [[1, 2], [3, 4], [0, 1]]]> : tensor<2x3x2xi32>
  %result = stablehlo.power %lhs, %rhs : tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[1, -5], [16, -27], [16, 1]], [[0, 1], [8, 81], [1, 5]]]> : tensor<2x3x2xi32>
  return
}
