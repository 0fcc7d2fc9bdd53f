// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `cosine` of radians.

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.1415927410125732, 1.5707963705062866, 100.0, -12345.0]> : tensor<6xf64>
  %result = stablehlo.cosine %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[0.8775825618903728, 0.5403023058681398, -0.9999999999999962, -4.371139000186241e-8, 0.8623188722876839, 0.11143578678412723]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.1415927, 1.5707964, 100.0, -12345.0]> : tensor<6xf32>
  %result = stablehlo.cosine %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[0.87758255, 0.5403023, -1.0, -4.371139e-8, 0.8623189, 0.111435786]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.14, 1.57, 100.0, -12344.0]> : tensor<6xf16>
  %result = stablehlo.cosine %operand : tensor<6xf16>
  %expected = stablehlo.constant dense<[0.8774, 0.5405, -1.0, 0.0004838, 0.8623, -0.776]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.14, 1.57, 100.0, -12350.0]> : tensor<6xbf16>
  %result = stablehlo.cosine %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[0.88, 0.54, -1.0, 0.000484, 0.863, 0.74]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.2, 1.6, 100.0]> : tensor<5xf8E4M3FN>
  %result = stablehlo.cosine %operand : tensor<5xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.9, 0.56, -1.0, -0.055, -0.19]> : tensor<5xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.0, 1.5, 100.0]> : tensor<5xf8E5M2>
  %result = stablehlo.cosine %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0.9, 0.5, -1.0, 0.08, -0.2]> : tensor<5xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.cosine %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 1.0, 1.0]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.cosine %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 1.0, 1.0]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.cosine %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 0x7E00, 0x7E00, 1.0, 1.0]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.cosine %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 0x7FC0, 0x7FC0, 1.0, 1.0]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.cosine %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 0x7E, 0x7E, 1.0, 1.0]> : tensor<5xf8E5M2>
  return
}

// -----

// Large arguments are reduced exactly.
func.func @f32_large() {
  %operand = stablehlo.constant dense<[1.0e6, -3.0e8, 3.4028235e38, 102943.7]> : tensor<4xf32>
  %result = stablehlo.cosine %operand : tensor<4xf32>
  %expected = stablehlo.constant dense<[0.93675214, 0.89821714, 0.853021, 0.9999878]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// The same for f64.
func.func @f64_large() {
  %operand = stablehlo.constant dense<[1000000000000000.0, -1.0e22, 1.7976931348623157e308]> : tensor<3xf64>
  %result = stablehlo.cosine %operand : tensor<3xf64>
  %expected = stablehlo.constant dense<[-0.5131937377869703, 0.523214785395139, -0.9999876894265599]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<3xf64>, tensor<3xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.1415927410125732, 1.5707963705062866, 100.0, -12345.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[0.8775825618903728, 0.5403023058681398, -0.9999999999999962, -4.371139000186241e-8, 0.8623188722876839, 0.11143578678412723, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 1.0, 0.5403023058681398]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.cosine %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.1415927, 1.5707964, 100.0, -12345.0, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[0.87758255, 0.5403023, -1.0, -4.371139e-8, 0.8623189, 0.111435786, 0x7FC00000, 0x7FC00000, 0x7FC00000, 1.0, 0.5403023]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.cosine %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.14, 1.57, 100.0, -12344.0, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<11xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[0.8774, 0.5405, -1.0, 0.0004838, 0.8623, -0.776, 0x7E00, 0x7E00, 0x7E00, 1.0, 0.5405]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.cosine %operand_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.14, 1.57, 100.0, -12350.0, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[0.88, 0.54, -1.0, 0.000484, 0.863, 0.74, 0x7FC0, 0x7FC0, 0x7FC0, 1.0, 0.54]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.cosine %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<0.5> : tensor<f32>
  %result = stablehlo.cosine %operand : tensor<f32>
  %expected = stablehlo.constant dense<0.87758255> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.cosine %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0.25, -0.54545456], [1.8563957, 0.99959767], [68.181816, -8978.182]], [[0.38636363, -0.8181818], [2.7131937, 1.4279968], [95.454544, -12345.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.cosine %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[0.9689124, 0.85489154], [-0.28173262, 0.54064083], [0.59524786, 0.882256]], [[0.92628545, 0.68354946], [-0.90963197, 0.14231475], [0.35604477, 0.111435786]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.cosine %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(2.032723, -3.0518978), (0.079765104, 0.51978993), (1.2544347, 0.20344442), (-0.64214814, -1.0686074)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.cosine %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(2.0327230070196656, -3.0518977991518), (0.0797651053065419, 0.5197899547729212), (1.2544347167045338, 0.20344441524216453), (-0.64214812471552, -1.0686074213827783)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0x7F800000), (0x7F800000, 1.0), (0.0, 0x7F800000)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.cosine %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.0, 0.0), (0x7F800000, 0xFF800000), (0x7FC00000, 0x7FC00000), (0x7F800000, 0.0)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0x7FF0000000000000), (0x7FF0000000000000, 1.0), (0.0, 0x7FF0000000000000)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.cosine %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.0, 0.0), (0x7FF0000000000000, 0xFFF0000000000000), (0x7FF8000000000000, 0x7FF8000000000000), (0x7FF0000000000000, 0.0)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}
