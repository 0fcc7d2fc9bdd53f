// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `rsqrt`: 1 / sqrt(x).

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12345.0]> : tensor<6xf64>
  %result = stablehlo.rsqrt %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[1.0, 0.5, 0.7071067811865476, 4.0, 100.0, 0.009000247510209843]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 1.0e-4, 12345.0]> : tensor<6xf32>
  %result = stablehlo.rsqrt %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[1.0, 0.5, 0.70710677, 4.0, 100.0, 0.009000247]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12344.0]> : tensor<6xf16>
  %result = stablehlo.rsqrt %operand : tensor<6xf16>
  %expected = stablehlo.constant dense<[1.0, 0.5, 0.707, 4.0, 100.0, 0.009]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12350.0]> : tensor<6xbf16>
  %result = stablehlo.rsqrt %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[1.0, 0.5, 0.707, 4.0, 100.0, 0.009]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.062]> : tensor<4xf8E4M3FN>
  %result = stablehlo.rsqrt %operand : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.0, 0.5, 0.7, 4.0]> : tensor<4xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.06]> : tensor<4xf8E5M2>
  %result = stablehlo.rsqrt %operand : tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[1.0, 0.5, 0.8, 4.0]> : tensor<4xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.rsqrt %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.rsqrt %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.rsqrt %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 0.0, 0x7E00, 0x7C00, 0xFC00]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.rsqrt %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 0.0, 0x7FC0, 0x7F80, 0xFF80]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.rsqrt %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 0.0, 0x7E, 0x7C, 0xFC]> : tensor<5xf8E5M2>
  return
}

// -----

// No root of negative numbers; numbers below the least normal one.
func.func @f32_range() {
  %operand = stablehlo.constant dense<[-1.0, 1.0e-45, 1.1754944e-38, 3.4028235e38]> : tensor<4xf32>
  %result = stablehlo.rsqrt %operand : tensor<4xf32>
  %expected = stablehlo.constant dense<[0x7FC00000, 2.6713738e22, 9.223372e18, 5.421011e-20]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// The same for f64.
func.func @f64_range() {
  %operand = stablehlo.constant dense<[-1.0, 5.0e-324, 2.2250738585072014e-308, 1.7976931348623157e308]> : tensor<4xf64>
  %result = stablehlo.rsqrt %operand : tensor<4xf64>
  %expected = stablehlo.constant dense<[0x7FF8000000000000, 4.4989137945431964e161, 6.703903964971299e153, 7.458340731200207e-155]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12345.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[1.0, 0.5, 0.7071067811865476, 4.0, 100.0, 0.009000247510209843, 0x7FF8000000000000, 0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.rsqrt %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 1.0e-4, 12345.0, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[1.0, 0.5, 0.70710677, 4.0, 100.0, 0.009000247, 0x7FC00000, 0.0, 0x7FC00000, 0x7F800000, 0x7FC00000]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.rsqrt %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12344.0, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<11xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[1.0, 0.5, 0.707, 4.0, 100.0, 0.009, 0x7E00, 0.0, 0x7E00, 0x7C00, 0x7E00]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.rsqrt %operand_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12350.0, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[1.0, 0.5, 0.707, 4.0, 100.0, 0.009, 0x7FC0, 0.0, 0x7FC0, 0x7F80, 0x7FC0]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.rsqrt %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<1.0> : tensor<f32>
  %result = stablehlo.rsqrt %operand : tensor<f32>
  %expected = stablehlo.constant dense<1.0> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.rsqrt %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0.5, 2.1818182], [1.1818181, 0.039772727], [6.818182e-5, 8978.182]], [[0.77272725, 3.2727273], [1.7272727, 0.056818184], [9.545454e-5, 12345.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.rsqrt %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[1.4142135, 0.6770032], [0.9198662, 5.0142655], [121.10601, 0.010553726]], [[1.1375929, 0.5527708], [0.7608859, 4.1952353], [102.353264, 0.009000247]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.rsqrt %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.56886446, -0.35157758), (0.12738825, -0.78500175), (0.91239, 0.6576135), (0.15364504, 0.65085083)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.rsqrt %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.5688644810057831, -0.3515775842541429), (0.12738824913169164, -0.7850017617921873), (0.912390010923879, 0.6576135126604956), (0.15364503815606598, 0.6508508260346444)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(4.0, 0.0), (-4.0, 0.0), (-4.0, -0.0), (0x7F800000, 0.0), (0x7FC00000, 1.0)]> : tensor<5xcomplex<f32>>
  %result = stablehlo.rsqrt %operand : tensor<5xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.5, 0.0), (0.0, -0.5), (0.0, 0.5), (0.0, 0.0), (0x7FC00000, 0x7FC00000)]> : tensor<5xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(4.0, 0.0), (-4.0, 0.0), (-4.0, -0.0), (0x7FF0000000000000, 0.0), (0x7FF8000000000000, 1.0)]> : tensor<5xcomplex<f64>>
  %result = stablehlo.rsqrt %operand : tensor<5xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.5, 0.0), (0.0, -0.5), (0.0, 0.5), (0.0, 0.0), (0x7FF8000000000000, 0x7FF8000000000000)]> : tensor<5xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>
  return
}
