// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `exponential_minus_one`: e^x - 1, accurate near 0.

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.0001, -0.0001, 10.0, -20.0]> : tensor<6xf64>
  %result = stablehlo.exponential_minus_one %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[1.7182818284590453, -0.6321205588285577, 0.00010000500016667084, -9.999500016666251e-5, 22025.465794806718, -0.9999999979388464]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 1.0e-4, -1.0e-4, 10.0, -20.0]> : tensor<6xf32>
  %result = stablehlo.exponential_minus_one %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[1.7182819, -0.63212055, 0.000100004996, -9.9995e-5, 22025.465, -1.0]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.0001, -0.0001, 10.0, -20.0]> : tensor<6xf16>
  %result = stablehlo.exponential_minus_one %operand : tensor<6xf16>
  %expected = stablehlo.constant dense<[1.719, -0.6323, 0.0001, -0.0001, 22030.0, -1.0]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.0001, -0.0001, 10.0, -20.0]> : tensor<6xbf16>
  %result = stablehlo.exponential_minus_one %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[1.72, -0.633, 0.0001, -0.0001, 22000.0, -1.0]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 10.0, -20.0]> : tensor<4xf8E4M3FN>
  %result = stablehlo.exponential_minus_one %operand : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.8, -0.6, 0x7F, -1.0]> : tensor<4xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 10.0, -20.0]> : tensor<4xf8E5M2>
  %result = stablehlo.exponential_minus_one %operand : tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[1.8, -0.6, 20000.0, -1.0]> : tensor<4xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.exponential_minus_one %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 0x7FF0000000000000, -1.0, 0.0, -0.0]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.exponential_minus_one %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7F800000, -1.0, 0.0, -0.0]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.exponential_minus_one %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 0x7C00, -1.0, 0.0, -0.0]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.exponential_minus_one %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 0x7F80, -1.0, 0.0, -0.0]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.exponential_minus_one %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 0x7C, -1.0, 0.0, -0.0]> : tensor<5xf8E5M2>
  return
}

// -----

// Zeros of f64 keep their sign.
func.func @f64_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf64>
  %result = stablehlo.exponential_minus_one %operand : tensor<2xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000]> : tensor<2xui64>
  return
}

// -----

// Zeros of f32 keep their sign.
func.func @f32_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %result = stablehlo.exponential_minus_one %operand : tensor<2xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000]> : tensor<2xui32>
  return
}

// -----

// Overflow; -1 far left.
func.func @f32_range() {
  %operand = stablehlo.constant dense<[88.72283, 88.8, -30.0, -1.0e30]> : tensor<4xf32>
  %result = stablehlo.exponential_minus_one %operand : tensor<4xf32>
  %expected = stablehlo.constant dense<[3.4027985e38, 0x7F800000, -1.0, -1.0]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// Tiny arguments are their own result.
func.func @f64_range() {
  %operand = stablehlo.constant dense<[1.0e-300, -1.0e-17, 709.79, -750.0]> : tensor<4xf64>
  %result = stablehlo.exponential_minus_one %operand : tensor<4xf64>
  %expected = stablehlo.constant dense<[1.0e-300, -1.0e-17, 0x7FF0000000000000, -1.0]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<4xf64>, tensor<4xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.0001, -0.0001, 10.0, -20.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[1.7182818284590453, -0.6321205588285577, 0.00010000500016667084, -9.999500016666251e-5, 22025.465794806718, -0.9999999979388464, 0x7FF8000000000000, 0x7FF0000000000000, -1.0, 0.0, -0.6321205588285577]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.exponential_minus_one %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 1.0e-4, -1.0e-4, 10.0, -20.0, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[1.7182819, -0.63212055, 0.000100004996, -9.9995e-5, 22025.465, -1.0, 0x7FC00000, 0x7F800000, -1.0, 0.0, -0.63212055]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.exponential_minus_one %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.0001, -0.0001, 10.0, -20.0, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<11xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[1.719, -0.6323, 0.0001, -0.0001, 22030.0, -1.0, 0x7E00, 0x7C00, -1.0, 0.0, -0.6323]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.exponential_minus_one %operand_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.0001, -0.0001, 10.0, -20.0, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[1.72, -0.633, 0.0001, -0.0001, 22000.0, -1.0, 0x7FC0, 0x7F80, -1.0, 0.0, -0.633]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.exponential_minus_one %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<1.0> : tensor<f32>
  %result = stablehlo.exponential_minus_one %operand : tensor<f32>
  %expected = stablehlo.constant dense<1.7182819> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.exponential_minus_one %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0.5, -0.54545456], [5.9090908e-5, -6.363636e-5], [6.818182, -14.545455]], [[0.77272725, -0.8181818], [8.636364e-5, -9.090909e-5], [9.545455, -20.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.exponential_minus_one %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[0.6487213, -0.42042172], [5.9092654e-5, -6.363434e-5], [913.3212, -0.9999995]], [[1.1656646, -0.55876684], [8.636737e-5, -9.0904956e-5], [13980.006, -1.0]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.exponential_minus_one %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(-2.1312044, 2.4717267), (-0.80418485, 0.106974296), (-0.060492896, -0.8752415), (-0.92687804, -0.113880716)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.exponential_minus_one %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(-2.1312043837568138, 2.4717266720048188), (-0.8041848624219318, 0.10697429720800304), (-0.0604928952585099, -0.8752414928694771), (-0.9268780344019404, -0.11388071406436809)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0xFF800000, 0.0), (0x7F800000, 0.0), (1.0e-20, 1.0e-20), (0x7FC00000, 0.0)]> : tensor<5xcomplex<f32>>
  %result = stablehlo.exponential_minus_one %operand : tensor<5xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (-1.0, 0.0), (0x7F800000, 0.0), (1.0e-20, 1.0e-20), (0x7FC00000, 0.0)]> : tensor<5xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0xFFF0000000000000, 0.0), (0x7FF0000000000000, 0.0), (1.0e-20, 1.0e-20), (0x7FF8000000000000, 0.0)]> : tensor<5xcomplex<f64>>
  %result = stablehlo.exponential_minus_one %operand : tensor<5xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (-1.0, 0.0), (0x7FF0000000000000, 0.0), (1.0e-20, 1.0e-20), (0x7FF8000000000000, 0.0)]> : tensor<5xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>
  return
}
