// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `subtract`.

// i8, modulo 2^8.
func.func @i8() {
  %lhs = stablehlo.constant dense<[1, 5, -128, 127, 0]> : tensor<5xi8>
  %rhs = stablehlo.constant dense<[2, -2, 1, -1, -128]> : tensor<5xi8>
  %result = stablehlo.subtract %lhs, %rhs : tensor<5xi8>
  check.expect_eq_const %result, dense<[-1, 7, 127, -128, -128]> : tensor<5xi8>
  return
}

// -----

// i16, modulo 2^16.
func.func @i16() {
  %lhs = stablehlo.constant dense<[1, 5, -32768, 32767, 0]> : tensor<5xi16>
  %rhs = stablehlo.constant dense<[2, -2, 1, -1, -32768]> : tensor<5xi16>
  %result = stablehlo.subtract %lhs, %rhs : tensor<5xi16>
  check.expect_eq_const %result, dense<[-1, 7, 32767, -32768, -32768]> : tensor<5xi16>
  return
}

// -----

// i32, modulo 2^32.
func.func @i32() {
  %lhs = stablehlo.constant dense<[1, 5, -2147483648, 2147483647, 0]> : tensor<5xi32>
  %rhs = stablehlo.constant dense<[2, -2, 1, -1, -2147483648]> : tensor<5xi32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<5xi32>
  check.expect_eq_const %result, dense<[-1, 7, 2147483647, -2147483648, -2147483648]> : tensor<5xi32>
  return
}

// -----

// i64, modulo 2^64.
func.func @i64() {
  %lhs = stablehlo.constant dense<[1, 5, -9223372036854775808, 9223372036854775807, 0]> : tensor<5xi64>
  %rhs = stablehlo.constant dense<[2, -2, 1, -1, -9223372036854775808]> : tensor<5xi64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<5xi64>
  check.expect_eq_const %result, dense<[-1, 7, 9223372036854775807, -9223372036854775808, -9223372036854775808]> : tensor<5xi64>
  return
}

// -----

// i4, modulo 2^4.
func.func @i4() {
  %lhs = stablehlo.constant dense<[1, 5, -8, 7, 0]> : tensor<5xi4>
  %rhs = stablehlo.constant dense<[2, -2, 1, -1, -8]> : tensor<5xi4>
  %result = stablehlo.subtract %lhs, %rhs : tensor<5xi4>
  check.expect_eq_const %result, dense<[-1, 7, 7, -8, -8]> : tensor<5xi4>
  return
}

// -----

// ui8, modulo 2^8.
func.func @ui8() {
  %lhs = stablehlo.constant dense<[3, 0, 0]> : tensor<3xui8>
  %rhs = stablehlo.constant dense<[2, 1, 255]> : tensor<3xui8>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xui8>
  check.expect_eq_const %result, dense<[1, 255, 1]> : tensor<3xui8>
  return
}

// -----

// ui16, modulo 2^16.
func.func @ui16() {
  %lhs = stablehlo.constant dense<[3, 0, 0]> : tensor<3xui16>
  %rhs = stablehlo.constant dense<[2, 1, 65535]> : tensor<3xui16>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xui16>
  check.expect_eq_const %result, dense<[1, 65535, 1]> : tensor<3xui16>
  return
}

// -----

// ui32, modulo 2^32.
func.func @ui32() {
  %lhs = stablehlo.constant dense<[3, 0, 0]> : tensor<3xui32>
  %rhs = stablehlo.constant dense<[2, 1, 4294967295]> : tensor<3xui32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xui32>
  check.expect_eq_const %result, dense<[1, 4294967295, 1]> : tensor<3xui32>
  return
}

// -----

// ui64, modulo 2^64.
func.func @ui64() {
  %lhs = stablehlo.constant dense<[3, 0, 0]> : tensor<3xui64>
  %rhs = stablehlo.constant dense<[2, 1, 18446744073709551615]> : tensor<3xui64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xui64>
  check.expect_eq_const %result, dense<[1, 18446744073709551615, 1]> : tensor<3xui64>
  return
}

// -----

// ui4, modulo 2^4.
func.func @ui4() {
  %lhs = stablehlo.constant dense<[3, 0, 0]> : tensor<3xui4>
  %rhs = stablehlo.constant dense<[2, 1, 15]> : tensor<3xui4>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xui4>
  check.expect_eq_const %result, dense<[1, 15, 1]> : tensor<3xui4>
  return
}

// -----

// f64, with NaN and infinities.
func.func @f64() {
  %lhs = stablehlo.constant dense<[1.5, -4.0, 1.0, 0x7FF0000000000000, 0x7FF8000000000000, 1.0]> : tensor<6xf64>
  %rhs = stablehlo.constant dense<[2.25, 1.5, 0x7FF0000000000000, 0x7FF0000000000000, 1.0, 0x7FF8000000000000]> : tensor<6xf64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<6xf64>
  check.expect_eq_const %result, dense<[-0.75, -5.5, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<6xf64>
  return
}

// -----

// Equal numbers give a positive zero.
func.func @f64_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, 1.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.0, -0.0, 1.0]> : tensor<4xf64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<4xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf64>) -> tensor<4xui64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000, 0, 0]> : tensor<4xui64>
  return
}

// -----

// Overflow, and numbers below the least normal one.
func.func @f64_range() {
  %lhs = stablehlo.constant dense<[-1.7976931348623157e308, 5.0e-324, 2.2250738585072014e-308]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[1.7976931348623157e308, 1.0e-323, 5.0e-324]> : tensor<3xf64>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xf64>
  check.expect_eq_const %result, dense<[0xFFF0000000000000, -5.0e-324, 2.225073858507201e-308]> : tensor<3xf64>
  return
}

// -----

// f32, with NaN and infinities.
func.func @f32() {
  %lhs = stablehlo.constant dense<[1.5, -4.0, 1.0, 0x7F800000, 0x7FC00000, 1.0]> : tensor<6xf32>
  %rhs = stablehlo.constant dense<[2.25, 1.5, 0x7F800000, 0x7F800000, 1.0, 0x7FC00000]> : tensor<6xf32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<6xf32>
  check.expect_eq_const %result, dense<[-0.75, -5.5, 0xFF800000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// Equal numbers give a positive zero.
func.func @f32_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, 1.0]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[0.0, 0.0, -0.0, 1.0]> : tensor<4xf32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<4xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000, 0, 0]> : tensor<4xui32>
  return
}

// -----

// Overflow, and numbers below the least normal one.
func.func @f32_range() {
  %lhs = stablehlo.constant dense<[-3.4028235e38, 1.0e-45, 1.1754944e-38]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[3.4028235e38, 3.0e-45, 1.0e-45]> : tensor<3xf32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xf32>
  check.expect_eq_const %result, dense<[0xFF800000, -1.0e-45, 1.1754942e-38]> : tensor<3xf32>
  return
}

// -----

// f16, with NaN and infinities.
func.func @f16() {
  %lhs = stablehlo.constant dense<[1.5, -4.0, 1.0, 0x7C00, 0x7E00, 1.0]> : tensor<6xf16>
  %rhs = stablehlo.constant dense<[2.25, 1.5, 0x7C00, 0x7C00, 1.0, 0x7E00]> : tensor<6xf16>
  %result = stablehlo.subtract %lhs, %rhs : tensor<6xf16>
  check.expect_eq_const %result, dense<[-0.75, -5.5, 0xFC00, 0x7E00, 0x7E00, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// Equal numbers give a positive zero.
func.func @f16_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, 1.0]> : tensor<4xf16>
  %rhs = stablehlo.constant dense<[0.0, 0.0, -0.0, 1.0]> : tensor<4xf16>
  %result = stablehlo.subtract %lhs, %rhs : tensor<4xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0, 0x8000, 0, 0]> : tensor<4xui16>
  return
}

// -----

// Overflow, and numbers below the least normal one.
func.func @f16_range() {
  %lhs = stablehlo.constant dense<[-65500.0, 6.0e-8, 6.104e-5]> : tensor<3xf16>
  %rhs = stablehlo.constant dense<[65500.0, 1.0e-7, 6.0e-8]> : tensor<3xf16>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xf16>
  check.expect_eq_const %result, dense<[0xFC00, -6.0e-8, 6.1e-5]> : tensor<3xf16>
  return
}

// -----

// bf16, with NaN and infinities.
func.func @bf16() {
  %lhs = stablehlo.constant dense<[1.5, -4.0, 1.0, 0x7F80, 0x7FC0, 1.0]> : tensor<6xbf16>
  %rhs = stablehlo.constant dense<[2.25, 1.5, 0x7F80, 0x7F80, 1.0, 0x7FC0]> : tensor<6xbf16>
  %result = stablehlo.subtract %lhs, %rhs : tensor<6xbf16>
  check.expect_eq_const %result, dense<[-0.75, -5.5, 0xFF80, 0x7FC0, 0x7FC0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// Equal numbers give a positive zero.
func.func @bf16_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, 1.0]> : tensor<4xbf16>
  %rhs = stablehlo.constant dense<[0.0, 0.0, -0.0, 1.0]> : tensor<4xbf16>
  %result = stablehlo.subtract %lhs, %rhs : tensor<4xbf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0, 0x8000, 0, 0]> : tensor<4xui16>
  return
}

// -----

// Overflow, and numbers below the least normal one.
func.func @bf16_range() {
  %lhs = stablehlo.constant dense<[-3.39e38, 9.0e-41, 1.18e-38]> : tensor<3xbf16>
  %rhs = stablehlo.constant dense<[3.39e38, 2.0e-40, 9.0e-41]> : tensor<3xbf16>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xbf16>
  check.expect_eq_const %result, dense<[0xFF80, -9.0e-41, 1.17e-38]> : tensor<3xbf16>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %lhs = stablehlo.constant dense<[1.0, 16.0, 1.0]> : tensor<3xf8E4M3FN>
  %rhs = stablehlo.constant dense<[0.125, 0.5, 1.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.subtract %lhs, %rhs : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.9, 16.0, 0.0]> : tensor<3xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %lhs = stablehlo.constant dense<[1.0, -60000.0]> : tensor<2xf8E5M2>
  %rhs = stablehlo.constant dense<[0.25, 60000.0]> : tensor<2xf8E5M2>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xf8E5M2>
  check.expect_eq_const %result, dense<[0.8, 0xFC]> : tensor<2xf8E5M2>
  return
}

// -----

// Parts are subtracted.
func.func @complex_f32() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0x7F800000, 1.0)]> : tensor<2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(3.0, -5.0), (0x7F800000, 1.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-2.0, 7.0), (0x7FC00000, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// -----

// Parts are subtracted.
func.func @complex_f64() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (0x7FF0000000000000, 1.0)]> : tensor<2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(3.0, -5.0), (0x7FF0000000000000, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(-2.0, 7.0), (0x7FF8000000000000, 0.0)]> : tensor<2xcomplex<f64>>
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
  %expected = stablehlo.constant dense<[1.0, -3.75, 2.5, 4.0, -0.75, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, -3.0]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.subtract %lhs_vector, %rhs_vector : tensor<77xf64>
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
  %expected = stablehlo.constant dense<[1.0, -3.75, 2.5, 4.0, -0.75, 0x7FC00000, 0x7FC00000, 0x7F800000, 0xFF800000, 0xFF800000, -3.0]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.subtract %lhs_vector, %rhs_vector : tensor<77xf32>
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
  %expected = stablehlo.constant dense<[1.0, -3.75, 2.5, 4.0, -0.75, 0x7E00, 0x7E00, 0x7C00, 0xFC00, 0xFC00, -3.0]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.subtract %lhs_vector, %rhs_vector : tensor<77xf16>
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
  %expected = stablehlo.constant dense<[1.0, -3.75, 2.5, 4.0, -0.75, 0x7FC0, 0x7FC0, 0x7F80, 0xFF80, 0xFF80, -3.0]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.subtract %lhs_vector, %rhs_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %lhs = stablehlo.constant dense<6.0> : tensor<f32>
  %rhs = stablehlo.constant dense<4.0> : tensor<f32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<f32>
  check.expect_eq_const %result, dense<2.0> : tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %rhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %lhs = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]]]> : tensor<2x3x2xf32>
  %rhs = stablehlo.constant dense<[[[1.0, 6.0], [4.0, 2.0], [7.0, 5.0]], [[3.0, 1.0], [6.0, 4.0], [2.0, 7.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.subtract %lhs, %rhs : tensor<2x3x2xf32>
  check.expect_eq_const %result, dense<[[[-1.0, -5.0], [-2.0, 1.0], [-3.0, 0.0]], [[3.0, 6.0], [2.0, 5.0], [8.0, 4.0]]]> : tensor<2x3x2xf32>
  return
}
