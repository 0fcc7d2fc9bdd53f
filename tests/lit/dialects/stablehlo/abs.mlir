// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `abs`: the magnitude; of a complex number a real one.

// i8. The least number has no positive counterpart and stays.
func.func @i8() {
  %operand = stablehlo.constant dense<[1, -1, 0, 127, -127, -128]> : tensor<6xi8>
  %result = stablehlo.abs %operand : tensor<6xi8>
  check.expect_eq_const %result, dense<[1, 1, 0, 127, 127, -128]> : tensor<6xi8>
  return
}

// -----

// i16. The least number has no positive counterpart and stays.
func.func @i16() {
  %operand = stablehlo.constant dense<[1, -1, 0, 32767, -32767, -32768]> : tensor<6xi16>
  %result = stablehlo.abs %operand : tensor<6xi16>
  check.expect_eq_const %result, dense<[1, 1, 0, 32767, 32767, -32768]> : tensor<6xi16>
  return
}

// -----

// i32. The least number has no positive counterpart and stays.
func.func @i32() {
  %operand = stablehlo.constant dense<[1, -1, 0, 2147483647, -2147483647, -2147483648]> : tensor<6xi32>
  %result = stablehlo.abs %operand : tensor<6xi32>
  check.expect_eq_const %result, dense<[1, 1, 0, 2147483647, 2147483647, -2147483648]> : tensor<6xi32>
  return
}

// -----

// i64. The least number has no positive counterpart and stays.
func.func @i64() {
  %operand = stablehlo.constant dense<[1, -1, 0, 9223372036854775807, -9223372036854775807, -9223372036854775808]> : tensor<6xi64>
  %result = stablehlo.abs %operand : tensor<6xi64>
  check.expect_eq_const %result, dense<[1, 1, 0, 9223372036854775807, 9223372036854775807, -9223372036854775808]> : tensor<6xi64>
  return
}

// -----

// i4.
func.func @i4() {
  %operand = stablehlo.constant dense<[1, -1, 0, 7, -7, -8]> : tensor<6xi4>
  %result = stablehlo.abs %operand : tensor<6xi4>
  check.expect_eq_const %result, dense<[1, 1, 0, 7, 7, -8]> : tensor<6xi4>
  return
}

// -----

// f64, with NaN and infinities.
func.func @f64() {
  %operand = stablehlo.constant dense<[1.5, -2.5, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<5xf64>
  %result = stablehlo.abs %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[1.5, 2.5, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<5xf64>
  return
}

// -----

// Zeros lose their sign; the largest number, the least one above 0.
func.func @f64_zeros_and_limits() {
  %operand = stablehlo.constant dense<[0.0, -0.0, -1.7976931348623157e308, -5.0e-324]> : tensor<4xf64>
  %result = stablehlo.abs %operand : tensor<4xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf64>) -> tensor<4xui64>
  check.expect_eq_const %bits, dense<[0, 0, 0x7FEFFFFFFFFFFFFF, 0x0000000000000001]> : tensor<4xui64>
  return
}

// -----

// f32, with NaN and infinities.
func.func @f32() {
  %operand = stablehlo.constant dense<[1.5, -2.5, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<5xf32>
  %result = stablehlo.abs %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[1.5, 2.5, 0x7FC00000, 0x7F800000, 0x7F800000]> : tensor<5xf32>
  return
}

// -----

// Zeros lose their sign; the largest number, the least one above 0.
func.func @f32_zeros_and_limits() {
  %operand = stablehlo.constant dense<[0.0, -0.0, -3.4028235e38, -1.0e-45]> : tensor<4xf32>
  %result = stablehlo.abs %operand : tensor<4xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits, dense<[0, 0, 0x7F7FFFFF, 0x00000001]> : tensor<4xui32>
  return
}

// -----

// f16, with NaN and infinities.
func.func @f16() {
  %operand = stablehlo.constant dense<[1.5, -2.5, 0x7E00, 0x7C00, 0xFC00]> : tensor<5xf16>
  %result = stablehlo.abs %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[1.5, 2.5, 0x7E00, 0x7C00, 0x7C00]> : tensor<5xf16>
  return
}

// -----

// Zeros lose their sign; the largest number, the least one above 0.
func.func @f16_zeros_and_limits() {
  %operand = stablehlo.constant dense<[0.0, -0.0, -65500.0, -6.0e-8]> : tensor<4xf16>
  %result = stablehlo.abs %operand : tensor<4xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0, 0, 0x7BFF, 0x0001]> : tensor<4xui16>
  return
}

// -----

// bf16, with NaN and infinities.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.5, -2.5, 0x7FC0, 0x7F80, 0xFF80]> : tensor<5xbf16>
  %result = stablehlo.abs %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[1.5, 2.5, 0x7FC0, 0x7F80, 0x7F80]> : tensor<5xbf16>
  return
}

// -----

// Zeros lose their sign; the largest number, the least one above 0.
func.func @bf16_zeros_and_limits() {
  %operand = stablehlo.constant dense<[0.0, -0.0, -3.39e38, -9.0e-41]> : tensor<4xbf16>
  %result = stablehlo.abs %operand : tensor<4xbf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0, 0, 0x7F7F, 0x0001]> : tensor<4xui16>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.5, -2.5, -0.0, 0x7F]> : tensor<4xf8E4M3FN>
  %result = stablehlo.abs %operand : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.5, 2.5, 0.0, 0x7F]> : tensor<4xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[1.5, -2.5, -0.0, 0x7E]> : tensor<4xf8E5M2>
  %result = stablehlo.abs %operand : tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[1.5, 2.5, 0.0, 0x7E]> : tensor<4xf8E5M2>
  return
}

// -----

// The length of the vector.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(3.0, 4.0), (-5.0, 12.0), (0.0, -2.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.abs %operand : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[5.0, 13.0, 2.0, 0.0]> : tensor<4xf32>
  return
}

// -----

// The length of the vector.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(3.0, 4.0), (-5.0, 12.0), (0.0, -2.0), (0.0, 0.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.abs %operand : (tensor<4xcomplex<f64>>) -> tensor<4xf64>
  check.expect_eq_const %result, dense<[5.0, 13.0, 2.0, 0.0]> : tensor<4xf64>
  return
}

// -----

// An infinite part wins over NaN.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0x7FC00000, 1.0), (0x7FC00000, 0xFF800000), (0x7F800000, 0x7FC00000), (0xFF800000, 2.0), (1.0, 0x7FC00000)]> : tensor<5xcomplex<f32>>
  %result = stablehlo.abs %operand : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7F800000, 0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  return
}

// -----

// No overflow or underflow on the way.
func.func @complex_f32_range() {
  %operand = stablehlo.constant dense<[(3.0e30, 4.0e30), (3.0e-30, -4.0e-30)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.abs %operand : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %expected = stablehlo.constant dense<[5.0e30, 5.0e-30]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  return
}

// -----

// No overflow or underflow on the way.
func.func @complex_f64_range() {
  %operand = stablehlo.constant dense<[(3.0e200, 4.0e200), (3.0e-200, -4.0e-200)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.abs %operand : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %expected = stablehlo.constant dense<[5.0e200, 5.0e-200]> : tensor<2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<2xf64>, tensor<2xf64>
  return
}

// -----

// 7 copies of 10 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[-2.5, -1.0, -0.25, 0.5, 1.5, 2.5, 3.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<10xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<10xf64>) -> tensor<7x10xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x10xf64>) -> tensor<70xf64>
  %expected = stablehlo.constant dense<[2.5, 1.0, 0.25, 0.5, 1.5, 2.5, 3.0, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<10xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<10xf64>) -> tensor<7x10xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x10xf64>) -> tensor<70xf64>
  %result = stablehlo.abs %operand_vector : tensor<70xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<70xf64>, tensor<70xf64>
  return
}

// -----

// 7 copies of 10 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[-2.5, -1.0, -0.25, 0.5, 1.5, 2.5, 3.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<10xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<10xf32>) -> tensor<7x10xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x10xf32>) -> tensor<70xf32>
  %expected = stablehlo.constant dense<[2.5, 1.0, 0.25, 0.5, 1.5, 2.5, 3.0, 0x7FC00000, 0x7F800000, 0x7F800000]> : tensor<10xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<10xf32>) -> tensor<7x10xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x10xf32>) -> tensor<70xf32>
  %result = stablehlo.abs %operand_vector : tensor<70xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<70xf32>, tensor<70xf32>
  return
}

// -----

// 7 copies of 10 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[-2.5, -1.0, -0.25, 0.5, 1.5, 2.5, 3.0, 0x7E00, 0x7C00, 0xFC00]> : tensor<10xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<10xf16>) -> tensor<7x10xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x10xf16>) -> tensor<70xf16>
  %expected = stablehlo.constant dense<[2.5, 1.0, 0.25, 0.5, 1.5, 2.5, 3.0, 0x7E00, 0x7C00, 0x7C00]> : tensor<10xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<10xf16>) -> tensor<7x10xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x10xf16>) -> tensor<70xf16>
  %result = stablehlo.abs %operand_vector : tensor<70xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<70xf16>, tensor<70xf16>
  return
}

// -----

// 7 copies of 10 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[-2.5, -1.0, -0.25, 0.5, 1.5, 2.5, 3.0, 0x7FC0, 0x7F80, 0xFF80]> : tensor<10xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<10xbf16>) -> tensor<7x10xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x10xbf16>) -> tensor<70xbf16>
  %expected = stablehlo.constant dense<[2.5, 1.0, 0.25, 0.5, 1.5, 2.5, 3.0, 0x7FC0, 0x7F80, 0x7F80]> : tensor<10xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<10xbf16>) -> tensor<7x10xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x10xbf16>) -> tensor<70xbf16>
  %result = stablehlo.abs %operand_vector : tensor<70xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 0 : tensor<70xbf16>, tensor<70xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<-2.5> : tensor<f32>
  %result = stablehlo.abs %operand : tensor<f32>
  check.expect_eq_const %result, dense<2.5> : tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0x4xf32>
  %result = stablehlo.abs %operand : tensor<0x4xf32>
  check.expect_eq_const %result, dense<> : tensor<0x4xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[-2.5, -1.75], [-1.0, -0.5]], [[-0.25, 0.0], [0.25, 0.5]], [[1.0, 1.75], [2.5, 3.5]]]> : tensor<3x2x2xf32>
  %result = stablehlo.abs %operand : tensor<3x2x2xf32>
  check.expect_eq_const %result, dense<[[[2.5, 1.75], [1.0, 0.5]], [[0.25, 0.0], [0.25, 0.5]], [[1.0, 1.75], [2.5, 3.5]]]> : tensor<3x2x2xf32>
  return
}
