// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `divide`: the quotient; of integers rounded towards zero.
// Where the specification leaves the value open, it is that of XLA: x / 0 has all bits set, INT_MIN / -1 is INT_MIN.

// i8: signs, the least number by -1, and division by zero.
func.func @i8() {
  %lhs = stablehlo.constant dense<[7, -7, 7, -7, 127, -128, -128, 5, -5, 0]> : tensor<10xi8>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, -128, 127, -1, 0, 0, 0]> : tensor<10xi8>
  %result = stablehlo.divide %lhs, %rhs : tensor<10xi8>
  check.expect_eq_const %result, dense<[2, -2, -2, 2, 0, -1, -128, -1, -1, -1]> : tensor<10xi8>
  return
}

// -----

// i16: signs, the least number by -1, and division by zero.
func.func @i16() {
  %lhs = stablehlo.constant dense<[7, -7, 7, -7, 32767, -32768, -32768, 5, -5, 0]> : tensor<10xi16>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, -32768, 32767, -1, 0, 0, 0]> : tensor<10xi16>
  %result = stablehlo.divide %lhs, %rhs : tensor<10xi16>
  check.expect_eq_const %result, dense<[2, -2, -2, 2, 0, -1, -32768, -1, -1, -1]> : tensor<10xi16>
  return
}

// -----

// i32: signs, the least number by -1, and division by zero.
func.func @i32() {
  %lhs = stablehlo.constant dense<[7, -7, 7, -7, 2147483647, -2147483648, -2147483648, 5, -5, 0]> : tensor<10xi32>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, -2147483648, 2147483647, -1, 0, 0, 0]> : tensor<10xi32>
  %result = stablehlo.divide %lhs, %rhs : tensor<10xi32>
  check.expect_eq_const %result, dense<[2, -2, -2, 2, 0, -1, -2147483648, -1, -1, -1]> : tensor<10xi32>
  return
}

// -----

// i64: signs, the least number by -1, and division by zero.
func.func @i64() {
  %lhs = stablehlo.constant dense<[7, -7, 7, -7, 9223372036854775807, -9223372036854775808, -9223372036854775808, 5, -5, 0]> : tensor<10xi64>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, -9223372036854775808, 9223372036854775807, -1, 0, 0, 0]> : tensor<10xi64>
  %result = stablehlo.divide %lhs, %rhs : tensor<10xi64>
  check.expect_eq_const %result, dense<[2, -2, -2, 2, 0, -1, -9223372036854775808, -1, -1, -1]> : tensor<10xi64>
  return
}

// -----

// i4: signs, the least number by -1, and division by zero.
func.func @i4() {
  %lhs = stablehlo.constant dense<[7, -7, 7, -7, 7, -8, -8, 5, -5, 0]> : tensor<10xi4>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, -8, 7, -1, 0, 0, 0]> : tensor<10xi4>
  %result = stablehlo.divide %lhs, %rhs : tensor<10xi4>
  check.expect_eq_const %result, dense<[2, -2, -2, 2, 0, -1, -8, -1, -1, -1]> : tensor<10xi4>
  return
}

// -----

// ui8, and division by zero.
func.func @ui8() {
  %lhs = stablehlo.constant dense<[7, 255, 128, 255, 5, 0]> : tensor<6xui8>
  %rhs = stablehlo.constant dense<[3, 2, 255, 1, 0, 0]> : tensor<6xui8>
  %result = stablehlo.divide %lhs, %rhs : tensor<6xui8>
  check.expect_eq_const %result, dense<[2, 127, 0, 255, 255, 255]> : tensor<6xui8>
  return
}

// -----

// ui16, and division by zero.
func.func @ui16() {
  %lhs = stablehlo.constant dense<[7, 65535, 32768, 65535, 5, 0]> : tensor<6xui16>
  %rhs = stablehlo.constant dense<[3, 2, 65535, 1, 0, 0]> : tensor<6xui16>
  %result = stablehlo.divide %lhs, %rhs : tensor<6xui16>
  check.expect_eq_const %result, dense<[2, 32767, 0, 65535, 65535, 65535]> : tensor<6xui16>
  return
}

// -----

// ui32, and division by zero.
func.func @ui32() {
  %lhs = stablehlo.constant dense<[7, 4294967295, 2147483648, 4294967295, 5, 0]> : tensor<6xui32>
  %rhs = stablehlo.constant dense<[3, 2, 4294967295, 1, 0, 0]> : tensor<6xui32>
  %result = stablehlo.divide %lhs, %rhs : tensor<6xui32>
  check.expect_eq_const %result, dense<[2, 2147483647, 0, 4294967295, 4294967295, 4294967295]> : tensor<6xui32>
  return
}

// -----

// ui64, and division by zero.
func.func @ui64() {
  %lhs = stablehlo.constant dense<[7, 18446744073709551615, 9223372036854775808, 18446744073709551615, 5, 0]> : tensor<6xui64>
  %rhs = stablehlo.constant dense<[3, 2, 18446744073709551615, 1, 0, 0]> : tensor<6xui64>
  %result = stablehlo.divide %lhs, %rhs : tensor<6xui64>
  check.expect_eq_const %result, dense<[2, 9223372036854775807, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615]> : tensor<6xui64>
  return
}

// -----

// ui4, and division by zero.
func.func @ui4() {
  %lhs = stablehlo.constant dense<[7, 15, 8, 15, 5, 0]> : tensor<6xui4>
  %rhs = stablehlo.constant dense<[3, 2, 15, 1, 0, 0]> : tensor<6xui4>
  %result = stablehlo.divide %lhs, %rhs : tensor<6xui4>
  check.expect_eq_const %result, dense<[2, 7, 0, 15, 15, 15]> : tensor<6xui4>
  return
}

// -----

// f64, with zeros, infinities and NaN.
func.func @f64() {
  %lhs = stablehlo.constant dense<[3.0, -1.0, 1.0, 1.0, 0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 1.0]> : tensor<9xf64>
  %rhs = stablehlo.constant dense<[2.0, 4.0, 0.0, -0.0, 0.0, 0x7FF0000000000000, -2.0, 1.0, 0x7FF8000000000000]> : tensor<9xf64>
  %result = stablehlo.divide %lhs, %rhs : tensor<9xf64>
  check.expect_eq_const %result, dense<[1.5, -0.25, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<9xf64>
  return
}

// -----

// The sign is that of the quotient.
func.func @f64_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[-3.0, -3.0, 0xFFF0000000000000, 0xFFF0000000000000]> : tensor<4xf64>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf64>) -> tensor<4xui64>
  check.expect_eq_const %bits, dense<[0x8000000000000000, 0, 0x8000000000000000, 0]> : tensor<4xui64>
  return
}

// -----

// Overflow, results below the least normal number, underflow.
func.func @f64_range() {
  %lhs = stablehlo.constant dense<[1.7976931348623157e308, 2.2250738585072014e-308, 1.5e-323, 5.0e-324]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[0.5, 2.0, 2.0, 2.0]> : tensor<4xf64>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %result, dense<[0x7FF0000000000000, 1.1125369292536007e-308, 1.0e-323, 0.0]> : tensor<4xf64>
  return
}

// -----

// The quotient is exact to the last bit.
func.func @f64_rounding() {
  %lhs = stablehlo.constant dense<[1.0, 10.0, 1.0]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[3.0, 3.0, 10.0]> : tensor<3xf64>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xf64>
  check.expect_eq_const %result, dense<[0.3333333333333333, 3.3333333333333335, 0.1]> : tensor<3xf64>
  return
}

// -----

// f32, with zeros, infinities and NaN.
func.func @f32() {
  %lhs = stablehlo.constant dense<[3.0, -1.0, 1.0, 1.0, 0.0, 0x7F800000, 0x7F800000, 0x7FC00000, 1.0]> : tensor<9xf32>
  %rhs = stablehlo.constant dense<[2.0, 4.0, 0.0, -0.0, 0.0, 0x7F800000, -2.0, 1.0, 0x7FC00000]> : tensor<9xf32>
  %result = stablehlo.divide %lhs, %rhs : tensor<9xf32>
  check.expect_eq_const %result, dense<[1.5, -0.25, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 0xFF800000, 0x7FC00000, 0x7FC00000]> : tensor<9xf32>
  return
}

// -----

// The sign is that of the quotient.
func.func @f32_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[-3.0, -3.0, 0xFF800000, 0xFF800000]> : tensor<4xf32>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits, dense<[0x80000000, 0, 0x80000000, 0]> : tensor<4xui32>
  return
}

// -----

// Overflow, results below the least normal number, underflow.
func.func @f32_range() {
  %lhs = stablehlo.constant dense<[3.4028235e38, 1.1754944e-38, 4.0e-45, 1.0e-45]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[0.5, 2.0, 2.0, 2.0]> : tensor<4xf32>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xf32>
  check.expect_eq_const %result, dense<[0x7F800000, 5.877472e-39, 3.0e-45, 0.0]> : tensor<4xf32>
  return
}

// -----

// The quotient is exact to the last bit.
func.func @f32_rounding() {
  %lhs = stablehlo.constant dense<[1.0, 10.0, 1.0]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[3.0, 3.0, 10.0]> : tensor<3xf32>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xf32>
  check.expect_eq_const %result, dense<[0.33333334, 3.3333333, 0.1]> : tensor<3xf32>
  return
}

// -----

// f16, with zeros, infinities and NaN.
func.func @f16() {
  %lhs = stablehlo.constant dense<[3.0, -1.0, 1.0, 1.0, 0.0, 0x7C00, 0x7C00, 0x7E00, 1.0]> : tensor<9xf16>
  %rhs = stablehlo.constant dense<[2.0, 4.0, 0.0, -0.0, 0.0, 0x7C00, -2.0, 1.0, 0x7E00]> : tensor<9xf16>
  %result = stablehlo.divide %lhs, %rhs : tensor<9xf16>
  check.expect_eq_const %result, dense<[1.5, -0.25, 0x7C00, 0xFC00, 0x7E00, 0x7E00, 0xFC00, 0x7E00, 0x7E00]> : tensor<9xf16>
  return
}

// -----

// The sign is that of the quotient.
func.func @f16_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0]> : tensor<4xf16>
  %rhs = stablehlo.constant dense<[-3.0, -3.0, 0xFC00, 0xFC00]> : tensor<4xf16>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0x8000, 0, 0x8000, 0]> : tensor<4xui16>
  return
}

// -----

// Overflow, results below the least normal number, underflow.
func.func @f16_range() {
  %lhs = stablehlo.constant dense<[65500.0, 6.104e-5, 2.0e-7, 6.0e-8]> : tensor<4xf16>
  %rhs = stablehlo.constant dense<[0.5, 2.0, 2.0, 2.0]> : tensor<4xf16>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xf16>
  check.expect_eq_const %result, dense<[0x7C00, 3.05e-5, 1.0e-7, 0.0]> : tensor<4xf16>
  return
}

// -----

// The quotient is exact to the last bit.
func.func @f16_rounding() {
  %lhs = stablehlo.constant dense<[1.0, 10.0, 1.0]> : tensor<3xf16>
  %rhs = stablehlo.constant dense<[3.0, 3.0, 10.0]> : tensor<3xf16>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xf16>
  check.expect_eq_const %result, dense<[0.3333, 3.334, 0.1]> : tensor<3xf16>
  return
}

// -----

// bf16, with zeros, infinities and NaN.
func.func @bf16() {
  %lhs = stablehlo.constant dense<[3.0, -1.0, 1.0, 1.0, 0.0, 0x7F80, 0x7F80, 0x7FC0, 1.0]> : tensor<9xbf16>
  %rhs = stablehlo.constant dense<[2.0, 4.0, 0.0, -0.0, 0.0, 0x7F80, -2.0, 1.0, 0x7FC0]> : tensor<9xbf16>
  %result = stablehlo.divide %lhs, %rhs : tensor<9xbf16>
  check.expect_eq_const %result, dense<[1.5, -0.25, 0x7F80, 0xFF80, 0x7FC0, 0x7FC0, 0xFF80, 0x7FC0, 0x7FC0]> : tensor<9xbf16>
  return
}

// -----

// The sign is that of the quotient.
func.func @bf16_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0]> : tensor<4xbf16>
  %rhs = stablehlo.constant dense<[-3.0, -3.0, 0xFF80, 0xFF80]> : tensor<4xbf16>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xbf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0x8000, 0, 0x8000, 0]> : tensor<4xui16>
  return
}

// -----

// Overflow, results below the least normal number, underflow.
func.func @bf16_range() {
  %lhs = stablehlo.constant dense<[3.39e38, 1.18e-38, 3.0e-40, 9.0e-41]> : tensor<4xbf16>
  %rhs = stablehlo.constant dense<[0.5, 2.0, 2.0, 2.0]> : tensor<4xbf16>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xbf16>
  check.expect_eq_const %result, dense<[0x7F80, 5.9e-39, 2.0e-40, 0.0]> : tensor<4xbf16>
  return
}

// -----

// The quotient is exact to the last bit.
func.func @bf16_rounding() {
  %lhs = stablehlo.constant dense<[1.0, 10.0, 1.0]> : tensor<3xbf16>
  %rhs = stablehlo.constant dense<[3.0, 3.0, 10.0]> : tensor<3xbf16>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xbf16>
  check.expect_eq_const %result, dense<[0.334, 3.33, 0.1]> : tensor<3xbf16>
  return
}

// -----

// f8E4M3FN, which has no infinity.
func.func @f8E4M3FN() {
  %lhs = stablehlo.constant dense<[3.0, 1.0, 1.0, 0.0]> : tensor<4xf8E4M3FN>
  %rhs = stablehlo.constant dense<[2.0, 3.0, 0.0, -1.0]> : tensor<4xf8E4M3FN>
  %result = stablehlo.divide %lhs, %rhs : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.5, 0.34, 0x7F, -0.0]> : tensor<4xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %lhs = stablehlo.constant dense<[3.0, 1.0, 1.0]> : tensor<3xf8E5M2>
  %rhs = stablehlo.constant dense<[2.0, 3.0, 0.0]> : tensor<3xf8E5M2>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[1.5, 0.3, 0x7C]> : tensor<3xf8E5M2>
  return
}

// -----

// Complex numbers.
func.func @complex_f32() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 0.0), (-4.0, 6.0)]> : tensor<3xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(3.0, 4.0), (0.0, 1.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.44, 0.08), (0.0, -1.0), (-2.0, 3.0)]> : tensor<3xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
  return
}

// -----

// No overflow or underflow on the way.
func.func @complex_f32_range() {
  %lhs = stablehlo.constant dense<[(1.0e30, 1.0e30), (1.0e-30, 0.0)]> : tensor<2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(1.0e30, 1.0e30), (0.0, 1.0e-30)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.0, 0.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
  return
}

// -----

// By zero; by infinity.
func.func @complex_f32_special_values() {
  %lhs = stablehlo.constant dense<[(1.0, 1.0), (1.0, 1.0), (0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(0.0, 0.0), (0x7F800000, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0x7F800000, 0x7F800000), (0.0, 0.0), (0x7FC00000, 0x7FC00000)]> : tensor<3xcomplex<f32>>
  return
}

// -----

// Complex numbers.
func.func @complex_f64() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 0.0), (-4.0, 6.0)]> : tensor<3xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(3.0, 4.0), (0.0, 1.0), (2.0, 0.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.44, 0.08), (0.0, -1.0), (-2.0, 3.0)]> : tensor<3xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  return
}

// -----

// No overflow or underflow on the way.
func.func @complex_f64_range() {
  %lhs = stablehlo.constant dense<[(1.0e200, 1.0e200), (1.0e-200, 0.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0e200, 1.0e200), (0.0, 1.0e-200)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.divide %lhs, %rhs : tensor<2xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.0, 0.0), (0.0, -1.0)]> : tensor<2xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
  return
}

// -----

// By zero; by infinity.
func.func @complex_f64_special_values() {
  %lhs = stablehlo.constant dense<[(1.0, 1.0), (1.0, 1.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(0.0, 0.0), (0x7FF0000000000000, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.divide %lhs, %rhs : tensor<3xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0x7FF0000000000000, 0x7FF0000000000000), (0.0, 0.0), (0x7FF8000000000000, 0x7FF8000000000000)]> : tensor<3xcomplex<f64>>
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
  %expected = stablehlo.constant dense<[1.6666666666666667, -4.0, -0.25, 2.3333333333333335, 2.5, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0.0, 0x7FF0000000000000, 0.0]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.divide %lhs_vector, %rhs_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<77xf64>, tensor<77xf64>
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
  %expected = stablehlo.constant dense<[1.6666666, -4.0, -0.25, 2.3333333, 2.5, 0x7FC00000, 0x7FC00000, 0x7F800000, 0.0, 0x7F800000, 0.0]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.divide %lhs_vector, %rhs_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<77xf32>, tensor<77xf32>
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
  %expected = stablehlo.constant dense<[1.667, -4.0, -0.25, 2.334, 2.5, 0x7E00, 0x7E00, 0x7C00, 0.0, 0x7C00, 0.0]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.divide %lhs_vector, %rhs_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<77xf16>, tensor<77xf16>
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
  %expected = stablehlo.constant dense<[1.664, -4.0, -0.25, 2.33, 2.5, 0x7FC0, 0x7FC0, 0x7F80, 0.0, 0x7F80, 0.0]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.divide %lhs_vector, %rhs_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %lhs = stablehlo.constant dense<6.0> : tensor<f32>
  %rhs = stablehlo.constant dense<4.0> : tensor<f32>
  %result = stablehlo.divide %lhs, %rhs : tensor<f32>
  check.expect_eq_const %result, dense<1.5> : tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %rhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %result = stablehlo.divide %lhs, %rhs : tensor<2x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %lhs = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]]]> : tensor<2x3x2xf32>
  %rhs = stablehlo.constant dense<[[[1.0, 6.0], [4.0, 2.0], [7.0, 5.0]], [[3.0, 1.0], [6.0, 4.0], [2.0, 7.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.divide %lhs, %rhs : tensor<2x3x2xf32>
  check.expect_eq_const %result, dense<[[[0.0, 0.16666667], [0.5, 1.5], [0.5714286, 1.0]], [[2.0, 7.0], [1.3333334, 2.25], [5.0, 1.5714285]]]> : tensor<2x3x2xf32>
  return
}
