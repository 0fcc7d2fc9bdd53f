// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `maximum`: of booleans, or; of complex numbers in lexicographic order. NaN propagates, and -0 is less than +0.

// Booleans: or.
func.func @i1() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, true]> : tensor<4xi1>
  return
}

// -----

// i8, signed.
func.func @i8() {
  %lhs = stablehlo.constant dense<[1, -1, -128, -5, 0]> : tensor<5xi8>
  %rhs = stablehlo.constant dense<[2, 1, 127, -6, -128]> : tensor<5xi8>
  %result = stablehlo.maximum %lhs, %rhs : tensor<5xi8>
  check.expect_eq_const %result, dense<[2, 1, 127, -5, 0]> : tensor<5xi8>
  return
}

// -----

// i16, signed.
func.func @i16() {
  %lhs = stablehlo.constant dense<[1, -1, -32768, -5, 0]> : tensor<5xi16>
  %rhs = stablehlo.constant dense<[2, 1, 32767, -6, -32768]> : tensor<5xi16>
  %result = stablehlo.maximum %lhs, %rhs : tensor<5xi16>
  check.expect_eq_const %result, dense<[2, 1, 32767, -5, 0]> : tensor<5xi16>
  return
}

// -----

// i32, signed.
func.func @i32() {
  %lhs = stablehlo.constant dense<[1, -1, -2147483648, -5, 0]> : tensor<5xi32>
  %rhs = stablehlo.constant dense<[2, 1, 2147483647, -6, -2147483648]> : tensor<5xi32>
  %result = stablehlo.maximum %lhs, %rhs : tensor<5xi32>
  check.expect_eq_const %result, dense<[2, 1, 2147483647, -5, 0]> : tensor<5xi32>
  return
}

// -----

// i64, signed.
func.func @i64() {
  %lhs = stablehlo.constant dense<[1, -1, -9223372036854775808, -5, 0]> : tensor<5xi64>
  %rhs = stablehlo.constant dense<[2, 1, 9223372036854775807, -6, -9223372036854775808]> : tensor<5xi64>
  %result = stablehlo.maximum %lhs, %rhs : tensor<5xi64>
  check.expect_eq_const %result, dense<[2, 1, 9223372036854775807, -5, 0]> : tensor<5xi64>
  return
}

// -----

// i4, signed.
func.func @i4() {
  %lhs = stablehlo.constant dense<[1, -1, -8, -5, 0]> : tensor<5xi4>
  %rhs = stablehlo.constant dense<[2, 1, 7, -6, -8]> : tensor<5xi4>
  %result = stablehlo.maximum %lhs, %rhs : tensor<5xi4>
  check.expect_eq_const %result, dense<[2, 1, 7, -5, 0]> : tensor<5xi4>
  return
}

// -----

// ui8, unsigned.
func.func @ui8() {
  %lhs = stablehlo.constant dense<[1, 0, 255, 128]> : tensor<4xui8>
  %rhs = stablehlo.constant dense<[2, 255, 127, 127]> : tensor<4xui8>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xui8>
  check.expect_eq_const %result, dense<[2, 255, 255, 128]> : tensor<4xui8>
  return
}

// -----

// ui16, unsigned.
func.func @ui16() {
  %lhs = stablehlo.constant dense<[1, 0, 65535, 32768]> : tensor<4xui16>
  %rhs = stablehlo.constant dense<[2, 65535, 32767, 32767]> : tensor<4xui16>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xui16>
  check.expect_eq_const %result, dense<[2, 65535, 65535, 32768]> : tensor<4xui16>
  return
}

// -----

// ui32, unsigned.
func.func @ui32() {
  %lhs = stablehlo.constant dense<[1, 0, 4294967295, 2147483648]> : tensor<4xui32>
  %rhs = stablehlo.constant dense<[2, 4294967295, 2147483647, 2147483647]> : tensor<4xui32>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xui32>
  check.expect_eq_const %result, dense<[2, 4294967295, 4294967295, 2147483648]> : tensor<4xui32>
  return
}

// -----

// ui64, unsigned.
func.func @ui64() {
  %lhs = stablehlo.constant dense<[1, 0, 18446744073709551615, 9223372036854775808]> : tensor<4xui64>
  %rhs = stablehlo.constant dense<[2, 18446744073709551615, 9223372036854775807, 9223372036854775807]> : tensor<4xui64>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xui64>
  check.expect_eq_const %result, dense<[2, 18446744073709551615, 18446744073709551615, 9223372036854775808]> : tensor<4xui64>
  return
}

// -----

// ui4, unsigned.
func.func @ui4() {
  %lhs = stablehlo.constant dense<[1, 0, 15, 8]> : tensor<4xui4>
  %rhs = stablehlo.constant dense<[2, 15, 7, 7]> : tensor<4xui4>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xui4>
  check.expect_eq_const %result, dense<[2, 15, 15, 8]> : tensor<4xui4>
  return
}

// -----

// f64, with infinities and numbers below the least normal one.
func.func @f64() {
  %lhs = stablehlo.constant dense<[1.5, -1.5, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 5.0e-324, -5.0e-324]> : tensor<7xf64>
  %rhs = stablehlo.constant dense<[2.0, 1.0, 1.0, 1.0, 0xFFF0000000000000, 0.0, 5.0e-324]> : tensor<7xf64>
  %result = stablehlo.maximum %lhs, %rhs : tensor<7xf64>
  check.expect_eq_const %result, dense<[2.0, 1.0, 0x7FF0000000000000, 1.0, 0x7FF0000000000000, 5.0e-324, 5.0e-324]> : tensor<7xf64>
  return
}

// -----

// NaN on either side.
func.func @f64_nan() {
  %lhs = stablehlo.constant dense<[0x7FF8000000000000, 1.0, 0x7FF8000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  %rhs = stablehlo.constant dense<[1.0, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  %result = stablehlo.maximum %lhs, %rhs : tensor<5xf64>
  check.expect_eq_const %result, dense<0x7FF8000000000000> : tensor<5xf64>
  return
}

// -----

// -0 is less than +0.
func.func @f64_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[-0.0, 0.0, -0.0, 0.0]> : tensor<4xf64>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf64>) -> tensor<4xui64>
  check.expect_eq_const %bits, dense<[0, 0, 0x8000000000000000, 0]> : tensor<4xui64>
  return
}

// -----

// f32, with infinities and numbers below the least normal one.
func.func @f32() {
  %lhs = stablehlo.constant dense<[1.5, -1.5, 0x7F800000, 0xFF800000, 0x7F800000, 1.0e-45, -1.0e-45]> : tensor<7xf32>
  %rhs = stablehlo.constant dense<[2.0, 1.0, 1.0, 1.0, 0xFF800000, 0.0, 1.0e-45]> : tensor<7xf32>
  %result = stablehlo.maximum %lhs, %rhs : tensor<7xf32>
  check.expect_eq_const %result, dense<[2.0, 1.0, 0x7F800000, 1.0, 0x7F800000, 1.0e-45, 1.0e-45]> : tensor<7xf32>
  return
}

// -----

// NaN on either side.
func.func @f32_nan() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7FC00000, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7FC00000]> : tensor<5xf32>
  %result = stablehlo.maximum %lhs, %rhs : tensor<5xf32>
  check.expect_eq_const %result, dense<0x7FC00000> : tensor<5xf32>
  return
}

// -----

// -0 is less than +0.
func.func @f32_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[-0.0, 0.0, -0.0, 0.0]> : tensor<4xf32>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits, dense<[0, 0, 0x80000000, 0]> : tensor<4xui32>
  return
}

// -----

// f16, with infinities and numbers below the least normal one.
func.func @f16() {
  %lhs = stablehlo.constant dense<[1.5, -1.5, 0x7C00, 0xFC00, 0x7C00, 6.0e-8, -6.0e-8]> : tensor<7xf16>
  %rhs = stablehlo.constant dense<[2.0, 1.0, 1.0, 1.0, 0xFC00, 0.0, 6.0e-8]> : tensor<7xf16>
  %result = stablehlo.maximum %lhs, %rhs : tensor<7xf16>
  check.expect_eq_const %result, dense<[2.0, 1.0, 0x7C00, 1.0, 0x7C00, 6.0e-8, 6.0e-8]> : tensor<7xf16>
  return
}

// -----

// NaN on either side.
func.func @f16_nan() {
  %lhs = stablehlo.constant dense<[0x7E00, 1.0, 0x7E00, 0xFC00, 0x7E00]> : tensor<5xf16>
  %rhs = stablehlo.constant dense<[1.0, 0x7E00, 0x7C00, 0x7E00, 0x7E00]> : tensor<5xf16>
  %result = stablehlo.maximum %lhs, %rhs : tensor<5xf16>
  check.expect_eq_const %result, dense<0x7E00> : tensor<5xf16>
  return
}

// -----

// -0 is less than +0.
func.func @f16_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0]> : tensor<4xf16>
  %rhs = stablehlo.constant dense<[-0.0, 0.0, -0.0, 0.0]> : tensor<4xf16>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0, 0, 0x8000, 0]> : tensor<4xui16>
  return
}

// -----

// bf16, with infinities and numbers below the least normal one.
func.func @bf16() {
  %lhs = stablehlo.constant dense<[1.5, -1.5, 0x7F80, 0xFF80, 0x7F80, 9.0e-41, -9.0e-41]> : tensor<7xbf16>
  %rhs = stablehlo.constant dense<[2.0, 1.0, 1.0, 1.0, 0xFF80, 0.0, 9.0e-41]> : tensor<7xbf16>
  %result = stablehlo.maximum %lhs, %rhs : tensor<7xbf16>
  check.expect_eq_const %result, dense<[2.0, 1.0, 0x7F80, 1.0, 0x7F80, 9.0e-41, 9.0e-41]> : tensor<7xbf16>
  return
}

// -----

// NaN on either side.
func.func @bf16_nan() {
  %lhs = stablehlo.constant dense<[0x7FC0, 1.0, 0x7FC0, 0xFF80, 0x7FC0]> : tensor<5xbf16>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC0, 0x7F80, 0x7FC0, 0x7FC0]> : tensor<5xbf16>
  %result = stablehlo.maximum %lhs, %rhs : tensor<5xbf16>
  check.expect_eq_const %result, dense<0x7FC0> : tensor<5xbf16>
  return
}

// -----

// -0 is less than +0.
func.func @bf16_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, -0.0, 0.0]> : tensor<4xbf16>
  %rhs = stablehlo.constant dense<[-0.0, 0.0, -0.0, 0.0]> : tensor<4xbf16>
  %result = stablehlo.maximum %lhs, %rhs : tensor<4xbf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0, 0, 0x8000, 0]> : tensor<4xui16>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %lhs = stablehlo.constant dense<[1.5, -1.5, 0x7F]> : tensor<3xf8E4M3FN>
  %rhs = stablehlo.constant dense<[2.0, 1.0, 1.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.maximum %lhs, %rhs : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[2.0, 1.0, 0x7F]> : tensor<3xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %lhs = stablehlo.constant dense<[1.5, -1.5, 0x7E]> : tensor<3xf8E5M2>
  %rhs = stablehlo.constant dense<[2.0, 1.0, 1.0]> : tensor<3xf8E5M2>
  %result = stablehlo.maximum %lhs, %rhs : tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[2.0, 1.0, 0x7E]> : tensor<3xf8E5M2>
  return
}

// -----

// The real parts decide, then the imaginary ones.
func.func @complex_f32() {
  %lhs = stablehlo.constant dense<[(1.0, 5.0), (1.0, 5.0), (-1.0, 0.0)]> : tensor<3xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(2.0, -1.0), (1.0, 6.0), (-2.0, 9.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.maximum %lhs, %rhs : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(2.0, -1.0), (1.0, 6.0), (-1.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}

// -----

// The real parts decide, then the imaginary ones.
func.func @complex_f64() {
  %lhs = stablehlo.constant dense<[(1.0, 5.0), (1.0, 5.0), (-1.0, 0.0)]> : tensor<3xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(2.0, -1.0), (1.0, 6.0), (-2.0, 9.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.maximum %lhs, %rhs : tensor<3xcomplex<f64>>
  check.expect_eq_const %result, dense<[(2.0, -1.0), (1.0, 6.0), (-1.0, 0.0)]> : tensor<3xcomplex<f64>>
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
  %expected = stablehlo.constant dense<[2.5, 0.75, 0.5, 7.0, -0.5, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000, -1.0, 3.0]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.maximum %lhs_vector, %rhs_vector : tensor<77xf64>
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
  %expected = stablehlo.constant dense<[2.5, 0.75, 0.5, 7.0, -0.5, 0x7FC00000, 0x7FC00000, 0x7F800000, 0x7F800000, -1.0, 3.0]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.maximum %lhs_vector, %rhs_vector : tensor<77xf32>
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
  %expected = stablehlo.constant dense<[2.5, 0.75, 0.5, 7.0, -0.5, 0x7E00, 0x7E00, 0x7C00, 0x7C00, -1.0, 3.0]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.maximum %lhs_vector, %rhs_vector : tensor<77xf16>
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
  %expected = stablehlo.constant dense<[2.5, 0.75, 0.5, 7.0, -0.5, 0x7FC0, 0x7FC0, 0x7F80, 0x7F80, -1.0, 3.0]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.maximum %lhs_vector, %rhs_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %lhs = stablehlo.constant dense<6.0> : tensor<f32>
  %rhs = stablehlo.constant dense<4.0> : tensor<f32>
  %result = stablehlo.maximum %lhs, %rhs : tensor<f32>
  check.expect_eq_const %result, dense<6.0> : tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %rhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %result = stablehlo.maximum %lhs, %rhs : tensor<2x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %lhs = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]]]> : tensor<2x3x2xf32>
  %rhs = stablehlo.constant dense<[[[1.0, 6.0], [4.0, 2.0], [7.0, 5.0]], [[3.0, 1.0], [6.0, 4.0], [2.0, 7.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.maximum %lhs, %rhs : tensor<2x3x2xf32>
  check.expect_eq_const %result, dense<[[[1.0, 6.0], [4.0, 3.0], [7.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]]]> : tensor<2x3x2xf32>
  return
}
