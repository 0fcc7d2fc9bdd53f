// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `ceil`: the least integer not below.

// f64: halves, quarters and an integer.
func.func @f64() {
  %operand = stablehlo.constant dense<[-2.5, -1.5, -0.5, -0.25, 0.25, 0.5, 1.5, 2.5, 2.75, -3.0]> : tensor<10xf64>
  %result = stablehlo.ceil %operand : tensor<10xf64>
  check.expect_eq_const %result, dense<[-2.0, -1.0, -0.0, -0.0, 1.0, 1.0, 2.0, 3.0, 3.0, -3.0]> : tensor<10xf64>
  return
}

// -----

// NaN and infinities.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<3xf64>
  %result = stablehlo.ceil %operand : tensor<3xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<3xf64>
  return
}

// -----

// Zeros keep their sign, and what becomes zero too.
func.func @f64_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0, -0.25, 5.0e-324, -5.0e-324]> : tensor<5xf64>
  %result = stablehlo.ceil %operand : tensor<5xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<5xf64>) -> tensor<5xui64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000, 0x8000000000000000, 0x3FF0000000000000, 0x8000000000000000]> : tensor<5xui64>
  return
}

// -----

// f32: halves, quarters and an integer.
func.func @f32() {
  %operand = stablehlo.constant dense<[-2.5, -1.5, -0.5, -0.25, 0.25, 0.5, 1.5, 2.5, 2.75, -3.0]> : tensor<10xf32>
  %result = stablehlo.ceil %operand : tensor<10xf32>
  check.expect_eq_const %result, dense<[-2.0, -1.0, -0.0, -0.0, 1.0, 1.0, 2.0, 3.0, 3.0, -3.0]> : tensor<10xf32>
  return
}

// -----

// NaN and infinities.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<3xf32>
  %result = stablehlo.ceil %operand : tensor<3xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<3xf32>
  return
}

// -----

// Zeros keep their sign, and what becomes zero too.
func.func @f32_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0, -0.25, 1.0e-45, -1.0e-45]> : tensor<5xf32>
  %result = stablehlo.ceil %operand : tensor<5xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000, 0x80000000, 0x3F800000, 0x80000000]> : tensor<5xui32>
  return
}

// -----

// f16: halves, quarters and an integer.
func.func @f16() {
  %operand = stablehlo.constant dense<[-2.5, -1.5, -0.5, -0.25, 0.25, 0.5, 1.5, 2.5, 2.75, -3.0]> : tensor<10xf16>
  %result = stablehlo.ceil %operand : tensor<10xf16>
  check.expect_eq_const %result, dense<[-2.0, -1.0, -0.0, -0.0, 1.0, 1.0, 2.0, 3.0, 3.0, -3.0]> : tensor<10xf16>
  return
}

// -----

// NaN and infinities.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00]> : tensor<3xf16>
  %result = stablehlo.ceil %operand : tensor<3xf16>
  check.expect_eq_const %result, dense<[0x7E00, 0x7C00, 0xFC00]> : tensor<3xf16>
  return
}

// -----

// Zeros keep their sign, and what becomes zero too.
func.func @f16_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0, -0.25, 6.0e-8, -6.0e-8]> : tensor<5xf16>
  %result = stablehlo.ceil %operand : tensor<5xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<5xf16>) -> tensor<5xui16>
  check.expect_eq_const %bits, dense<[0, 0x8000, 0x8000, 0x3C00, 0x8000]> : tensor<5xui16>
  return
}

// -----

// bf16: halves, quarters and an integer.
func.func @bf16() {
  %operand = stablehlo.constant dense<[-2.5, -1.5, -0.5, -0.25, 0.25, 0.5, 1.5, 2.5, 2.75, -3.0]> : tensor<10xbf16>
  %result = stablehlo.ceil %operand : tensor<10xbf16>
  check.expect_eq_const %result, dense<[-2.0, -1.0, -0.0, -0.0, 1.0, 1.0, 2.0, 3.0, 3.0, -3.0]> : tensor<10xbf16>
  return
}

// -----

// NaN and infinities.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80]> : tensor<3xbf16>
  %result = stablehlo.ceil %operand : tensor<3xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 0x7F80, 0xFF80]> : tensor<3xbf16>
  return
}

// -----

// Zeros keep their sign, and what becomes zero too.
func.func @bf16_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0, -0.25, 9.0e-41, -9.0e-41]> : tensor<5xbf16>
  %result = stablehlo.ceil %operand : tensor<5xbf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<5xbf16>) -> tensor<5xui16>
  check.expect_eq_const %bits, dense<[0, 0x8000, 0x8000, 0x3F80, 0x8000]> : tensor<5xui16>
  return
}

// -----

// The largest number with a fraction, and numbers that have none.
func.func @f64_large() {
  %operand = stablehlo.constant dense<[4503599627370495.5, -4503599627370495.5, 9007199254740992.0, 1.0e300]> : tensor<4xf64>
  %result = stablehlo.ceil %operand : tensor<4xf64>
  check.expect_eq_const %result, dense<[4503599627370496.0, -4503599627370495.0, 9007199254740992.0, 1.0e300]> : tensor<4xf64>
  return
}

// -----

// The largest number with a fraction, and numbers that have none.
func.func @f32_large() {
  %operand = stablehlo.constant dense<[8.3886075e6, -8.3886075e6, 1.6777216e7, 3.4028235e38]> : tensor<4xf32>
  %result = stablehlo.ceil %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[8.388608e6, -8.388607e6, 1.6777216e7, 3.4028235e38]> : tensor<4xf32>
  return
}

// -----

// The largest number with a fraction, and numbers that have none.
func.func @f16_large() {
  %operand = stablehlo.constant dense<[1023.5, -1023.5, 2048.0, 65500.0]> : tensor<4xf16>
  %result = stablehlo.ceil %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<[1024.0, -1023.0, 2048.0, 65500.0]> : tensor<4xf16>
  return
}

// -----

// The largest number with a fraction, and numbers that have none.
func.func @bf16_large() {
  %operand = stablehlo.constant dense<[127.5, -127.5, 256.0, 3.39e38]> : tensor<4xbf16>
  %result = stablehlo.ceil %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<[128.0, -127.0, 256.0, 3.39e38]> : tensor<4xbf16>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 1.2]> : tensor<7xf8E4M3FN>
  %result = stablehlo.ceil %operand : tensor<7xf8E4M3FN>
  check.expect_eq_const %result, dense<[-2.0, -1.0, -0.0, 1.0, 2.0, 3.0, 2.0]> : tensor<7xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 1.2]> : tensor<7xf8E5M2>
  %result = stablehlo.ceil %operand : tensor<7xf8E5M2>
  check.expect_eq_const %result, dense<[-2.0, -1.0, -0.0, 1.0, 2.0, 3.0, 2.0]> : tensor<7xf8E5M2>
  return
}

// -----

// 7 copies of 10 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[-2.5, -1.0, -0.25, 0.5, 1.5, 2.5, 3.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<10xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<10xf64>) -> tensor<7x10xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x10xf64>) -> tensor<70xf64>
  %expected = stablehlo.constant dense<[-2.0, -1.0, -0.0, 1.0, 2.0, 3.0, 3.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<10xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<10xf64>) -> tensor<7x10xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x10xf64>) -> tensor<70xf64>
  %result = stablehlo.ceil %operand_vector : tensor<70xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<70xf64>, tensor<70xf64>
  return
}

// -----

// 7 copies of 10 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[-2.5, -1.0, -0.25, 0.5, 1.5, 2.5, 3.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<10xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<10xf32>) -> tensor<7x10xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x10xf32>) -> tensor<70xf32>
  %expected = stablehlo.constant dense<[-2.0, -1.0, -0.0, 1.0, 2.0, 3.0, 3.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<10xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<10xf32>) -> tensor<7x10xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x10xf32>) -> tensor<70xf32>
  %result = stablehlo.ceil %operand_vector : tensor<70xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<70xf32>, tensor<70xf32>
  return
}

// -----

// 7 copies of 10 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[-2.5, -1.0, -0.25, 0.5, 1.5, 2.5, 3.0, 0x7E00, 0x7C00, 0xFC00]> : tensor<10xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<10xf16>) -> tensor<7x10xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x10xf16>) -> tensor<70xf16>
  %expected = stablehlo.constant dense<[-2.0, -1.0, -0.0, 1.0, 2.0, 3.0, 3.0, 0x7E00, 0x7C00, 0xFC00]> : tensor<10xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<10xf16>) -> tensor<7x10xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x10xf16>) -> tensor<70xf16>
  %result = stablehlo.ceil %operand_vector : tensor<70xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<70xf16>, tensor<70xf16>
  return
}

// -----

// 7 copies of 10 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[-2.5, -1.0, -0.25, 0.5, 1.5, 2.5, 3.0, 0x7FC0, 0x7F80, 0xFF80]> : tensor<10xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<10xbf16>) -> tensor<7x10xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x10xbf16>) -> tensor<70xbf16>
  %expected = stablehlo.constant dense<[-2.0, -1.0, -0.0, 1.0, 2.0, 3.0, 3.0, 0x7FC0, 0x7F80, 0xFF80]> : tensor<10xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<10xbf16>) -> tensor<7x10xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x10xbf16>) -> tensor<70xbf16>
  %result = stablehlo.ceil %operand_vector : tensor<70xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<70xbf16>, tensor<70xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<-2.5> : tensor<f32>
  %result = stablehlo.ceil %operand : tensor<f32>
  check.expect_eq_const %result, dense<-2.0> : tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0x4xf32>
  %result = stablehlo.ceil %operand : tensor<0x4xf32>
  check.expect_eq_const %result, dense<> : tensor<0x4xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[-2.5, -1.75], [-1.0, -0.5]], [[-0.25, 0.0], [0.25, 0.5]], [[1.0, 1.75], [2.5, 3.5]]]> : tensor<3x2x2xf32>
  %result = stablehlo.ceil %operand : tensor<3x2x2xf32>
  check.expect_eq_const %result, dense<[[[-2.0, -1.0], [-1.0, -0.0]], [[-0.0, 0.0], [1.0, 1.0]], [[1.0, 2.0], [3.0, 4.0]]]> : tensor<3x2x2xf32>
  return
}
