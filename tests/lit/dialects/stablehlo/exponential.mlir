// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `exponential`: e^x.

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -20.0, 0.001]> : tensor<6xf64>
  %result = stablehlo.exponential %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[2.718281828459045, 0.36787944117144233, 1.6487212707001282, 22026.465794806718, 2.061153622438558e-9, 1.0010005001667084]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -20.0, 0.001]> : tensor<6xf32>
  %result = stablehlo.exponential %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[2.7182817, 0.36787945, 1.6487212, 22026.465, 2.0611537e-9, 1.0010005]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -20.0, 0.001]> : tensor<6xf16>
  %result = stablehlo.exponential %operand : tensor<6xf16>
  %expected = stablehlo.constant dense<[2.719, 0.368, 1.648, 22030.0, 0.0, 1.001]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -20.0, 0.001]> : tensor<6xbf16>
  %result = stablehlo.exponential %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[2.72, 0.367, 1.65, 22000.0, 2.07e-9, 1.0]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -20.0]> : tensor<5xf8E4M3FN>
  %result = stablehlo.exponential %operand : tensor<5xf8E4M3FN>
  check.expect_eq_const %result, dense<[2.8, 0.38, 1.6, 0x7F, 0.0]> : tensor<5xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -20.0]> : tensor<5xf8E5M2>
  %result = stablehlo.exponential %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[2.5, 0.4, 1.8, 20000.0, 0.0]> : tensor<5xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.exponential %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 0x7FF0000000000000, 0.0, 1.0, 1.0]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.exponential %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7F800000, 0.0, 1.0, 1.0]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.exponential %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 0x7C00, 0.0, 1.0, 1.0]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.exponential %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 0x7F80, 0.0, 1.0, 1.0]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.exponential %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 0x7C, 0.0, 1.0, 1.0]> : tensor<5xf8E5M2>
  return
}

// -----

// Overflow above log(3.4028e38), results below the least normal number, underflow.
func.func @f32_range() {
  %operand = stablehlo.constant dense<[88.72283, 88.8, -87.5, -103.0, -104.0]> : tensor<5xf32>
  %result = stablehlo.exponential %operand : tensor<5xf32>
  %expected = stablehlo.constant dense<[3.4027985e38, 0x7F800000, 9.982351e-39, 1.0e-45, 0.0]> : tensor<5xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<5xf32>, tensor<5xf32>
  return
}

// -----

// The same for f64.
func.func @f64_range() {
  %operand = stablehlo.constant dense<[709.78, 709.79, -708.5, -745.0, -746.0]> : tensor<5xf64>
  %result = stablehlo.exponential %operand : tensor<5xf64>
  %expected = stablehlo.constant dense<[1.7928227943945155e308, 0x7FF0000000000000, 2.006132305331306e-308, 5.0e-324, 0.0]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<5xf64>, tensor<5xf64>
  return
}

// -----

// The same for f16.
func.func @f16_range() {
  %operand = stablehlo.constant dense<[11.08, 11.1, -9.8, -16.6, -18.0]> : tensor<5xf16>
  %result = stablehlo.exponential %operand : tensor<5xf16>
  %expected = stablehlo.constant dense<[64740.0, 0x7C00, 5.56e-5, 6.0e-8, 0.0]> : tensor<5xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xf16>, tensor<5xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -20.0, 0.001, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[2.718281828459045, 0.36787944117144233, 1.6487212707001282, 22026.465794806718, 2.061153622438558e-9, 1.0010005001667084, 0x7FF8000000000000, 0x7FF0000000000000, 0.0, 1.0, 0.36787944117144233]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.exponential %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -20.0, 0.001, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[2.7182817, 0.36787945, 1.6487212, 22026.465, 2.0611537e-9, 1.0010005, 0x7FC00000, 0x7F800000, 0.0, 1.0, 0.36787945]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.exponential %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -20.0, 0.001, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<11xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[2.719, 0.368, 1.648, 22030.0, 0.0, 1.001, 0x7E00, 0x7C00, 0.0, 1.0, 0.368]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.exponential %operand_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.5, 10.0, -20.0, 0.001, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[2.72, 0.367, 1.65, 22000.0, 2.07e-9, 1.0, 0x7FC0, 0x7F80, 0.0, 1.0, 0.367]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.exponential %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<1.0> : tensor<f32>
  %result = stablehlo.exponential %operand : tensor<f32>
  %expected = stablehlo.constant dense<2.7182817> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.exponential %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0.5, -0.54545456], [0.29545453, 6.3636365], [-13.636364, 0.00072727277]], [[0.77272725, -0.8181818], [0.4318182, 9.090909], [-19.09091, 0.001]]]> : tensor<2x3x2xf32>
  %result = stablehlo.exponential %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[1.6487212, 0.5795783], [1.343737, 580.35297], [1.1961961e-6, 1.0007275]], [[2.1656644, 0.44123316], [1.540055, 8874.249], [5.115913e-9, 1.0010005]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.exponential %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(-1.1312044, 2.4717267), (0.19581513, 0.106974296), (0.9395071, -0.8752415), (0.073121965, -0.113880716)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.exponential %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(-1.1312043837568135, 2.4717266720048188), (0.1958151375780682, 0.10697429720800304), (0.9395071047414901, -0.8752414928694771), (0.07312196559805963, -0.11388071406436809)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0x7F800000, 0.0), (0xFF800000, 2.0), (0xFF800000, 0x7F800000), (0x7FC00000, 0.0), (1.0, 0x7F800000), (1000.0, 0.0)]> : tensor<7xcomplex<f32>>
  %result = stablehlo.exponential %operand : tensor<7xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.0, 0.0), (0x7F800000, 0.0), (0.0, 0.0), (0.0, 0.0), (0x7FC00000, 0.0), (0x7FC00000, 0x7FC00000), (0x7F800000, 0.0)]> : tensor<7xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (0x7FF0000000000000, 0.0), (0xFFF0000000000000, 2.0), (0xFFF0000000000000, 0x7FF0000000000000), (0x7FF8000000000000, 0.0), (1.0, 0x7FF0000000000000), (1000.0, 0.0)]> : tensor<7xcomplex<f64>>
  %result = stablehlo.exponential %operand : tensor<7xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.0, 0.0), (0x7FF0000000000000, 0.0), (0.0, 0.0), (0.0, 0.0), (0x7FF8000000000000, 0.0), (0x7FF8000000000000, 0x7FF8000000000000), (0x7FF0000000000000, 0.0)]> : tensor<7xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<7xcomplex<f64>>, tensor<7xcomplex<f64>>
  return
}
