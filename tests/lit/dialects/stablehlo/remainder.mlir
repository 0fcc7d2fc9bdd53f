// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `remainder`: what division towards zero leaves, with the sign of the dividend.
// Where the specification leaves the value open, it is that of XLA: x % 0 is x, INT_MIN % -1 is 0.

// i8: signs, the least number by -1, and zero.
func.func @i8() {
  %lhs = stablehlo.constant dense<[7, -7, 7, -7, 127, -128, -128, 5, -5, 0]> : tensor<10xi8>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, -128, 127, -1, 0, 0, 0]> : tensor<10xi8>
  %result = stablehlo.remainder %lhs, %rhs : tensor<10xi8>
  check.expect_eq_const %result, dense<[1, -1, 1, -1, 127, -1, 0, 5, -5, 0]> : tensor<10xi8>
  return
}

// -----

// i16: signs, the least number by -1, and zero.
func.func @i16() {
  %lhs = stablehlo.constant dense<[7, -7, 7, -7, 32767, -32768, -32768, 5, -5, 0]> : tensor<10xi16>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, -32768, 32767, -1, 0, 0, 0]> : tensor<10xi16>
  %result = stablehlo.remainder %lhs, %rhs : tensor<10xi16>
  check.expect_eq_const %result, dense<[1, -1, 1, -1, 32767, -1, 0, 5, -5, 0]> : tensor<10xi16>
  return
}

// -----

// i32: signs, the least number by -1, and zero.
func.func @i32() {
  %lhs = stablehlo.constant dense<[7, -7, 7, -7, 2147483647, -2147483648, -2147483648, 5, -5, 0]> : tensor<10xi32>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, -2147483648, 2147483647, -1, 0, 0, 0]> : tensor<10xi32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<10xi32>
  check.expect_eq_const %result, dense<[1, -1, 1, -1, 2147483647, -1, 0, 5, -5, 0]> : tensor<10xi32>
  return
}

// -----

// i64: signs, the least number by -1, and zero.
func.func @i64() {
  %lhs = stablehlo.constant dense<[7, -7, 7, -7, 9223372036854775807, -9223372036854775808, -9223372036854775808, 5, -5, 0]> : tensor<10xi64>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, -9223372036854775808, 9223372036854775807, -1, 0, 0, 0]> : tensor<10xi64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<10xi64>
  check.expect_eq_const %result, dense<[1, -1, 1, -1, 9223372036854775807, -1, 0, 5, -5, 0]> : tensor<10xi64>
  return
}

// -----

// i4: signs, the least number by -1, and zero.
func.func @i4() {
  %lhs = stablehlo.constant dense<[7, -7, 7, -7, 7, -8, -8, 5, -5, 0]> : tensor<10xi4>
  %rhs = stablehlo.constant dense<[3, 3, -3, -3, -8, 7, -1, 0, 0, 0]> : tensor<10xi4>
  %result = stablehlo.remainder %lhs, %rhs : tensor<10xi4>
  check.expect_eq_const %result, dense<[1, -1, 1, -1, 7, -1, 0, 5, -5, 0]> : tensor<10xi4>
  return
}

// -----

// ui8, and zero.
func.func @ui8() {
  %lhs = stablehlo.constant dense<[7, 255, 128, 255, 5, 0]> : tensor<6xui8>
  %rhs = stablehlo.constant dense<[3, 2, 255, 255, 0, 0]> : tensor<6xui8>
  %result = stablehlo.remainder %lhs, %rhs : tensor<6xui8>
  check.expect_eq_const %result, dense<[1, 1, 128, 0, 5, 0]> : tensor<6xui8>
  return
}

// -----

// ui16, and zero.
func.func @ui16() {
  %lhs = stablehlo.constant dense<[7, 65535, 32768, 65535, 5, 0]> : tensor<6xui16>
  %rhs = stablehlo.constant dense<[3, 2, 65535, 65535, 0, 0]> : tensor<6xui16>
  %result = stablehlo.remainder %lhs, %rhs : tensor<6xui16>
  check.expect_eq_const %result, dense<[1, 1, 32768, 0, 5, 0]> : tensor<6xui16>
  return
}

// -----

// ui32, and zero.
func.func @ui32() {
  %lhs = stablehlo.constant dense<[7, 4294967295, 2147483648, 4294967295, 5, 0]> : tensor<6xui32>
  %rhs = stablehlo.constant dense<[3, 2, 4294967295, 4294967295, 0, 0]> : tensor<6xui32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<6xui32>
  check.expect_eq_const %result, dense<[1, 1, 2147483648, 0, 5, 0]> : tensor<6xui32>
  return
}

// -----

// ui64, and zero.
func.func @ui64() {
  %lhs = stablehlo.constant dense<[7, 18446744073709551615, 9223372036854775808, 18446744073709551615, 5, 0]> : tensor<6xui64>
  %rhs = stablehlo.constant dense<[3, 2, 18446744073709551615, 18446744073709551615, 0, 0]> : tensor<6xui64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<6xui64>
  check.expect_eq_const %result, dense<[1, 1, 9223372036854775808, 0, 5, 0]> : tensor<6xui64>
  return
}

// -----

// ui4, and zero.
func.func @ui4() {
  %lhs = stablehlo.constant dense<[7, 15, 8, 15, 5, 0]> : tensor<6xui4>
  %rhs = stablehlo.constant dense<[3, 2, 15, 15, 0, 0]> : tensor<6xui4>
  %result = stablehlo.remainder %lhs, %rhs : tensor<6xui4>
  check.expect_eq_const %result, dense<[1, 1, 8, 0, 5, 0]> : tensor<6xui4>
  return
}

// -----

// f64: signs, zeros, infinities and NaN.
func.func @f64() {
  %lhs = stablehlo.constant dense<[5.5, -5.5, 5.5, -5.5, 1.0, 0x7FF0000000000000, 2.5, 2.5, 0x7FF8000000000000, 1.0]> : tensor<10xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, -2.0, -2.0, 0.0, 2.0, 0x7FF0000000000000, 0xFFF0000000000000, 1.0, 0x7FF8000000000000]> : tensor<10xf64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<10xf64>
  check.expect_eq_const %result, dense<[1.5, -1.5, 1.5, -1.5, 0x7FF8000000000000, 0x7FF8000000000000, 2.5, 2.5, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<10xf64>
  return
}

// -----

// A remainder of zero has the sign of the dividend.
func.func @f64_signed_zeros() {
  %lhs = stablehlo.constant dense<[4.0, -4.0, -0.0, 0.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.0, -1.0]> : tensor<4xf64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf64>) -> tensor<4xui64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000, 0x8000000000000000, 0]> : tensor<4xui64>
  return
}

// -----

// f32: signs, zeros, infinities and NaN.
func.func @f32() {
  %lhs = stablehlo.constant dense<[5.5, -5.5, 5.5, -5.5, 1.0, 0x7F800000, 2.5, 2.5, 0x7FC00000, 1.0]> : tensor<10xf32>
  %rhs = stablehlo.constant dense<[2.0, 2.0, -2.0, -2.0, 0.0, 2.0, 0x7F800000, 0xFF800000, 1.0, 0x7FC00000]> : tensor<10xf32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<10xf32>
  check.expect_eq_const %result, dense<[1.5, -1.5, 1.5, -1.5, 0x7FC00000, 0x7FC00000, 2.5, 2.5, 0x7FC00000, 0x7FC00000]> : tensor<10xf32>
  return
}

// -----

// A remainder of zero has the sign of the dividend.
func.func @f32_signed_zeros() {
  %lhs = stablehlo.constant dense<[4.0, -4.0, -0.0, 0.0]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.0, -1.0]> : tensor<4xf32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000, 0x80000000, 0]> : tensor<4xui32>
  return
}

// -----

// f16: signs, zeros, infinities and NaN.
func.func @f16() {
  %lhs = stablehlo.constant dense<[5.5, -5.5, 5.5, -5.5, 1.0, 0x7C00, 2.5, 2.5, 0x7E00, 1.0]> : tensor<10xf16>
  %rhs = stablehlo.constant dense<[2.0, 2.0, -2.0, -2.0, 0.0, 2.0, 0x7C00, 0xFC00, 1.0, 0x7E00]> : tensor<10xf16>
  %result = stablehlo.remainder %lhs, %rhs : tensor<10xf16>
  check.expect_eq_const %result, dense<[1.5, -1.5, 1.5, -1.5, 0x7E00, 0x7E00, 2.5, 2.5, 0x7E00, 0x7E00]> : tensor<10xf16>
  return
}

// -----

// A remainder of zero has the sign of the dividend.
func.func @f16_signed_zeros() {
  %lhs = stablehlo.constant dense<[4.0, -4.0, -0.0, 0.0]> : tensor<4xf16>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.0, -1.0]> : tensor<4xf16>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0, 0x8000, 0x8000, 0]> : tensor<4xui16>
  return
}

// -----

// bf16: signs, zeros, infinities and NaN.
func.func @bf16() {
  %lhs = stablehlo.constant dense<[5.5, -5.5, 5.5, -5.5, 1.0, 0x7F80, 2.5, 2.5, 0x7FC0, 1.0]> : tensor<10xbf16>
  %rhs = stablehlo.constant dense<[2.0, 2.0, -2.0, -2.0, 0.0, 2.0, 0x7F80, 0xFF80, 1.0, 0x7FC0]> : tensor<10xbf16>
  %result = stablehlo.remainder %lhs, %rhs : tensor<10xbf16>
  check.expect_eq_const %result, dense<[1.5, -1.5, 1.5, -1.5, 0x7FC0, 0x7FC0, 2.5, 2.5, 0x7FC0, 0x7FC0]> : tensor<10xbf16>
  return
}

// -----

// A remainder of zero has the sign of the dividend.
func.func @bf16_signed_zeros() {
  %lhs = stablehlo.constant dense<[4.0, -4.0, -0.0, 0.0]> : tensor<4xbf16>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 1.0, -1.0]> : tensor<4xbf16>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xbf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0, 0x8000, 0x8000, 0]> : tensor<4xui16>
  return
}

// -----

// The remainder is exact however large the quotient is.
func.func @f64_large() {
  %lhs = stablehlo.constant dense<[1.0e20, 1.0e300, -1.0e300]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[3.0, 7.0, 1.0e-300]> : tensor<3xf64>
  %result = stablehlo.remainder %lhs, %rhs : tensor<3xf64>
  check.expect_eq_const %result, dense<[1.0, 1.0, -4.891554850853602e-301]> : tensor<3xf64>
  return
}

// -----

// The remainder is exact however large the quotient is.
func.func @f32_large() {
  %lhs = stablehlo.constant dense<[1.0e10, 1.0e30, -1.0e30, 3.0e38]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[7.0, 3.0, 1.0e-30, 1.0e-45]> : tensor<4xf32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xf32>
  check.expect_eq_const %result, dense<[4.0, 0.0, -8.166816e-31, 0.0]> : tensor<4xf32>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %lhs = stablehlo.constant dense<[5.5, -5.5, 450.0, 1.0]> : tensor<4xf8E4M3FN>
  %rhs = stablehlo.constant dense<[2.0, 2.0, 0.44, 0.0]> : tensor<4xf8E4M3FN>
  %result = stablehlo.remainder %lhs, %rhs : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.5, -1.5, 0.0, 0x7F]> : tensor<4xf8E4M3FN>
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
  %expected = stablehlo.constant dense<[1.0, -0.0, 0.5, 1.0, -0.25, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 2.0, 0x7FF8000000000000, 0.0]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.remainder %lhs_vector, %rhs_vector : tensor<77xf64>
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
  %expected = stablehlo.constant dense<[1.0, -0.0, 0.5, 1.0, -0.25, 0x7FC00000, 0x7FC00000, 0x7FC00000, 2.0, 0x7FC00000, 0.0]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.remainder %lhs_vector, %rhs_vector : tensor<77xf32>
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
  %expected = stablehlo.constant dense<[1.0, -0.0, 0.5, 1.0, -0.25, 0x7E00, 0x7E00, 0x7E00, 2.0, 0x7E00, 0.0]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.remainder %lhs_vector, %rhs_vector : tensor<77xf16>
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
  %expected = stablehlo.constant dense<[1.0, -0.0, 0.5, 1.0, -0.25, 0x7FC0, 0x7FC0, 0x7FC0, 2.0, 0x7FC0, 0.0]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.remainder %lhs_vector, %rhs_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %lhs = stablehlo.constant dense<6.0> : tensor<f32>
  %rhs = stablehlo.constant dense<4.0> : tensor<f32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<f32>
  check.expect_eq_const %result, dense<2.0> : tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %rhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<2x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %lhs = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]]]> : tensor<2x3x2xf32>
  %rhs = stablehlo.constant dense<[[[1.0, 6.0], [4.0, 2.0], [7.0, 5.0]], [[3.0, 1.0], [6.0, 4.0], [2.0, 7.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.remainder %lhs, %rhs : tensor<2x3x2xf32>
  check.expect_eq_const %result, dense<[[[0.0, 1.0], [2.0, 1.0], [4.0, 0.0]], [[0.0, 0.0], [2.0, 1.0], [0.0, 4.0]]]> : tensor<2x3x2xf32>
  return
}
