// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `logistic`: 1 / (1 + e^-x).

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -10.0, 0.001]> : tensor<6xf64>
  %result = stablehlo.logistic %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[0.7310585786300049, 0.2689414213699951, 0.6224593312018546, 0.9999546021312976, 4.5397868702434395e-5, 0.5002499999791666]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -10.0, 0.001]> : tensor<6xf32>
  %result = stablehlo.logistic %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[0.7310586, 0.26894143, 0.62245935, 0.9999546, 4.539787e-5, 0.50025]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -10.0, 0.001]> : tensor<6xf16>
  %result = stablehlo.logistic %operand : tensor<6xf16>
  %expected = stablehlo.constant dense<[0.731, 0.269, 0.6226, 1.0, 4.54e-5, 0.5005]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -10.0, 0.001]> : tensor<6xbf16>
  %result = stablehlo.logistic %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[0.73, 0.27, 0.62, 1.0, 4.53e-5, 0.5]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -10.0]> : tensor<5xf8E4M3FN>
  %result = stablehlo.logistic %operand : tensor<5xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.75, 0.28, 0.6, 1.0, 0.0]> : tensor<5xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -10.0]> : tensor<5xf8E5M2>
  %result = stablehlo.logistic %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0.8, 0.25, 0.6, 1.0, 5.0e-5]> : tensor<5xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.logistic %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 1.0, 0.0, 0.5, 0.5]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.logistic %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 1.0, 0.0, 0.5, 0.5]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.logistic %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 1.0, 0.0, 0.5, 0.5]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.logistic %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 1.0, 0.0, 0.5, 0.5]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.logistic %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 1.0, 0.0, 0.5, 0.5]> : tensor<5xf8E5M2>
  return
}

// -----

// Saturates at 0 and 1.
func.func @f32_range() {
  %operand = stablehlo.constant dense<[100.0, -80.0, -88.0, 20.0, -1.0e30, 1.0e30]> : tensor<6xf32>
  %result = stablehlo.logistic %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[1.0, 1.8048513e-35, 6.054601e-39, 1.0, 0.0, 1.0]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// The same for f64.
func.func @f64_range() {
  %operand = stablehlo.constant dense<[800.0, -800.0, -700.0, 40.0]> : tensor<4xf64>
  %result = stablehlo.logistic %operand : tensor<4xf64>
  %expected = stablehlo.constant dense<[1.0, 0.0, 9.85967654375977e-305, 1.0]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -10.0, 0.001, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[0.7310585786300049, 0.2689414213699951, 0.6224593312018546, 0.9999546021312976, 4.5397868702434395e-5, 0.5002499999791666, 0x7FF8000000000000, 1.0, 0.0, 0.5, 0.2689414213699951]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.logistic %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -10.0, 0.001, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[0.7310586, 0.26894143, 0.62245935, 0.9999546, 4.539787e-5, 0.50025, 0x7FC00000, 1.0, 0.0, 0.5, 0.26894143]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.logistic %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -10.0, 0.001, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<11xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[0.731, 0.269, 0.6226, 1.0, 4.54e-5, 0.5005, 0x7E00, 1.0, 0.0, 0.5, 0.269]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.logistic %operand_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -10.0, 0.001, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[0.73, 0.27, 0.62, 1.0, 4.53e-5, 0.5, 0x7FC0, 1.0, 0.0, 0.5, 0.27]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.logistic %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<1.0> : tensor<f32>
  %result = stablehlo.logistic %operand : tensor<f32>
  %expected = stablehlo.constant dense<0.7310586> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.logistic %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0.5, -0.54545456], [0.29545453, 6.3636365], [-6.818182, 0.00072727277]], [[0.77272725, -0.8181818], [0.4318182, 9.090909], [-9.545455, 0.001]]]> : tensor<2x3x2xf32>
  %result = stablehlo.logistic %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[0.62245935, 0.36691964], [0.57333094, 0.99827987], [0.0010925126, 0.5001818]], [[0.6841106, 0.30614975], [0.60630774, 0.99988735], [7.1520495e-5, 0.50025]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.logistic %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.0214154, 0.40343872), (0.17038938, 0.07421466), (0.5716386, -0.19330667), (0.0785169, -0.097788654)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.logistic %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.0214153641721806, 0.4034387060815425), (0.17038937893273845, 0.07421465940354967), (0.5716386009672425, -0.19330667542311483), (0.07851689757710839, -0.097788655032967)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0x7F800000, 0.0), (0xFF800000, 0.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.logistic %operand : tensor<3xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.5, 0.0), (1.0, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0x7FF0000000000000, 0.0), (0xFFF0000000000000, 0.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.logistic %operand : tensor<3xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.5, 0.0), (1.0, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>
  return
}
