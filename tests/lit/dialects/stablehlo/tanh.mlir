// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `tanh`: the hyperbolic tangent.

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[0.5, -0.5, 1.0, -2.0, 0.0001, 4.0]> : tensor<6xf64>
  %result = stablehlo.tanh %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[0.46211715726000974, -0.46211715726000974, 0.7615941559557649, -0.9640275800758169, 9.999999966666667e-5, 0.999329299739067]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[0.5, -0.5, 1.0, -2.0, 1.0e-4, 4.0]> : tensor<6xf32>
  %result = stablehlo.tanh %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[0.46211717, -0.46211717, 0.7615942, -0.9640276, 1.0e-4, 0.9993293]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[0.5, -0.5, 1.0, -2.0, 0.0001, 4.0]> : tensor<6xf16>
  %result = stablehlo.tanh %operand : tensor<6xf16>
  %expected = stablehlo.constant dense<[0.4622, -0.4622, 0.7617, -0.964, 0.0001, 0.9995]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[0.5, -0.5, 1.0, -2.0, 0.0001, 4.0]> : tensor<6xbf16>
  %result = stablehlo.tanh %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[0.463, -0.463, 0.76, -0.965, 0.0001, 1.0]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.5, 1.0, -2.0, 4.0]> : tensor<5xf8E4M3FN>
  %result = stablehlo.tanh %operand : tensor<5xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.47, -0.47, 0.75, -0.94, 1.0]> : tensor<5xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[0.5, -0.5, 1.0, -2.0, 4.0]> : tensor<5xf8E5M2>
  %result = stablehlo.tanh %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0.44, -0.44, 0.8, -1.0, 1.0]> : tensor<5xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.tanh %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 1.0, -1.0, 0.0, -0.0]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.tanh %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 1.0, -1.0, 0.0, -0.0]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.tanh %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 1.0, -1.0, 0.0, -0.0]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.tanh %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 1.0, -1.0, 0.0, -0.0]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.tanh %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 1.0, -1.0, 0.0, -0.0]> : tensor<5xf8E5M2>
  return
}

// -----

// Zeros of f64 keep their sign.
func.func @f64_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf64>
  %result = stablehlo.tanh %operand : tensor<2xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000]> : tensor<2xui64>
  return
}

// -----

// Zeros of f32 keep their sign.
func.func @f32_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %result = stablehlo.tanh %operand : tensor<2xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000]> : tensor<2xui32>
  return
}

// -----

// Saturates at 1 and -1; tiny arguments are their own result.
func.func @f32_range() {
  %operand = stablehlo.constant dense<[9.5, -20.0, 1.0e30, 1.0e-20, -1.0e-45]> : tensor<5xf32>
  %result = stablehlo.tanh %operand : tensor<5xf32>
  %expected = stablehlo.constant dense<[1.0, -1.0, 1.0, 1.0e-20, -1.0e-45]> : tensor<5xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<5xf32>, tensor<5xf32>
  return
}

// -----

// The same for f64.
func.func @f64_range() {
  %operand = stablehlo.constant dense<[20.0, -40.0, 1.0e300, 1.0e-300, -5.0e-324]> : tensor<5xf64>
  %result = stablehlo.tanh %operand : tensor<5xf64>
  %expected = stablehlo.constant dense<[1.0, -1.0, 1.0, 1.0e-300, -5.0e-324]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<5xf64>, tensor<5xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[0.5, -0.5, 1.0, -2.0, 0.0001, 4.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[0.46211715726000974, -0.46211715726000974, 0.7615941559557649, -0.9640275800758169, 9.999999966666667e-5, 0.999329299739067, 0x7FF8000000000000, 1.0, -1.0, 0.0, -0.7615941559557649]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.tanh %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[0.5, -0.5, 1.0, -2.0, 1.0e-4, 4.0, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[0.46211717, -0.46211717, 0.7615942, -0.9640276, 1.0e-4, 0.9993293, 0x7FC00000, 1.0, -1.0, 0.0, -0.7615942]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.tanh %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[0.5, -0.5, 1.0, -2.0, 0.0001, 4.0, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<11xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[0.4622, -0.4622, 0.7617, -0.964, 0.0001, 0.9995, 0x7E00, 1.0, -1.0, 0.0, -0.7617]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.tanh %operand_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[0.5, -0.5, 1.0, -2.0, 0.0001, 4.0, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[0.463, -0.463, 0.76, -0.965, 0.0001, 1.0, 0x7FC0, 1.0, -1.0, 0.0, -0.76]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.tanh %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<0.5> : tensor<f32>
  %result = stablehlo.tanh %operand : tensor<f32>
  %expected = stablehlo.constant dense<0.46211717> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.tanh %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0.25, -0.27272728], [0.59090906, -1.2727273], [6.818182e-5, 2.909091]], [[0.38636363, -0.4090909], [0.8636364, -1.8181819], [9.545454e-5, 4.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.tanh %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[0.24491866, -0.26616076], [0.5305491, -0.8545351], [6.818182e-5, 0.9940716]], [[0.3682211, -0.3877005], [0.6981265, -0.94865686], [9.545454e-5, 0.9993293]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.tanh %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.1667362, -0.2434582), (-0.944373, 0.079324454), (0.43483922, -0.8323812), (-1.0147936, -0.033812825)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.tanh %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.16673625724092, -0.24345820118572525), (-0.9443729864226215, 0.07932445480395668), (0.43483922061207736, -0.8323812131225699), (-1.0147936161466335, -0.03381282607989669)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0x7F800000, 1.0), (0xFF800000, 1.0), (1.0, 0x7F800000), (0x7FC00000, 0.0), (2000.0, 1.0)]> : tensor<6xcomplex<f32>>
  %result = stablehlo.tanh %operand : tensor<6xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0x7FC00000, 0x7FC00000), (0x7FC00000, 0.0), (1.0, 0.0)]> : tensor<6xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0x7FF0000000000000, 1.0), (0xFFF0000000000000, 1.0), (1.0, 0x7FF0000000000000), (0x7FF8000000000000, 0.0), (2000.0, 1.0)]> : tensor<6xcomplex<f64>>
  %result = stablehlo.tanh %operand : tensor<6xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0x7FF8000000000000, 0x7FF8000000000000), (0x7FF8000000000000, 0.0), (1.0, 0.0)]> : tensor<6xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}
