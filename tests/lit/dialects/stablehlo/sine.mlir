// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `sine` of radians.

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.1415927410125732, 1.5707963705062866, 100.0, -12345.0]> : tensor<6xf64>
  %result = stablehlo.sine %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[0.479425538604203, -0.8414709848078965, -8.742278000372475e-8, 0.999999999999999, -0.5063656411097588, 0.9937716364556811]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.1415927, 1.5707964, 100.0, -12345.0]> : tensor<6xf32>
  %result = stablehlo.sine %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[0.47942555, -0.84147096, -8.742278e-8, 1.0, -0.50636566, 0.9937716]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.14, 1.57, 100.0, -12344.0]> : tensor<6xf16>
  %result = stablehlo.sine %operand : tensor<6xf16>
  %expected = stablehlo.constant dense<[0.4795, -0.8413, 0.0009675, 1.0, -0.5063, 0.631]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.14, 1.57, 100.0, -12350.0]> : tensor<6xbf16>
  %result = stablehlo.sine %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[0.479, -0.84, 0.00097, 1.0, -0.508, 0.676]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.2, 1.6, 100.0]> : tensor<5xf8E4M3FN>
  %result = stablehlo.sine %operand : tensor<5xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.47, -0.8, -0.11, 1.0, 1.0]> : tensor<5xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.0, 1.5, 100.0]> : tensor<5xf8E5M2>
  %result = stablehlo.sine %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0.5, -0.9, 0.16, 1.0, 1.0]> : tensor<5xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.sine %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, -0.0]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.sine %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, -0.0]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.sine %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 0x7E00, 0x7E00, 0.0, -0.0]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.sine %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 0x7FC0, 0x7FC0, 0.0, -0.0]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.sine %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 0x7E, 0x7E, 0.0, -0.0]> : tensor<5xf8E5M2>
  return
}

// -----

// Zeros of f64 keep their sign.
func.func @f64_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf64>
  %result = stablehlo.sine %operand : tensor<2xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000]> : tensor<2xui64>
  return
}

// -----

// Zeros of f32 keep their sign.
func.func @f32_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %result = stablehlo.sine %operand : tensor<2xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000]> : tensor<2xui32>
  return
}

// -----

// Large arguments are reduced exactly.
func.func @f32_large() {
  %operand = stablehlo.constant dense<[1.0e6, -3.0e8, 3.4028235e38, 102943.7]> : tensor<4xf32>
  %result = stablehlo.sine %operand : tensor<4xf32>
  %expected = stablehlo.constant dense<[-0.3499935, 0.43955204, -0.5218765, -0.00494781]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// The same for f64.
func.func @f64_large() {
  %operand = stablehlo.constant dense<[1000000000000000.0, -1.0e22, 1.7976931348623157e308]> : tensor<3xf64>
  %result = stablehlo.sine %operand : tensor<3xf64>
  %expected = stablehlo.constant dense<[0.8582727931702359, 0.8522008497671888, 0.004961954789184062]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<3xf64>, tensor<3xf64>
  return
}

// -----

// Tiny arguments are their own result.
func.func @f32_tiny() {
  %operand = stablehlo.constant dense<[1.0e-20, -1.0e-45]> : tensor<2xf32>
  %result = stablehlo.sine %operand : tensor<2xf32>
  %expected = stablehlo.constant dense<[1.0e-20, -1.0e-45]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.1415927410125732, 1.5707963705062866, 100.0, -12345.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[0.479425538604203, -0.8414709848078965, -8.742278000372475e-8, 0.999999999999999, -0.5063656411097588, 0.9937716364556811, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, -0.8414709848078965]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.sine %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.1415927, 1.5707964, 100.0, -12345.0, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[0.47942555, -0.84147096, -8.742278e-8, 1.0, -0.50636566, 0.9937716, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, -0.84147096]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.sine %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.14, 1.57, 100.0, -12344.0, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<11xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[0.4795, -0.8413, 0.0009675, 1.0, -0.5063, 0.631, 0x7E00, 0x7E00, 0x7E00, 0.0, -0.8413]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.sine %operand_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 3.14, 1.57, 100.0, -12350.0, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[0.479, -0.84, 0.00097, 1.0, -0.508, 0.676, 0x7FC0, 0x7FC0, 0x7FC0, 0.0, -0.84]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.sine %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<0.5> : tensor<f32>
  %result = stablehlo.sine %operand : tensor<f32>
  %expected = stablehlo.constant dense<0.47942555> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.sine %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0.25, -0.54545456], [1.8563957, 0.99959767], [68.181816, -8978.182]], [[0.38636363, -0.8181818], [2.7131937, 1.4279968], [95.454544, -12345.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.sine %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[0.24740396, -0.51880676], [0.959493, 0.8412535], [-0.80354214, 0.47077]], [[0.3768226, -0.72990423], [0.41541502, 0.98982143], [0.9344689, 0.9937716]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.sine %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(3.1657784, 1.959601), (-1.1248013, 0.036860824), (0.32030976, -0.79675287), (-1.4031192, 0.48905626)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.sine %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(3.165778513216168, 1.9596010414216058), (-1.1248012470579227, 0.03686082371280446), (0.320309770609702, -0.7967528961531282), (-1.4031192506220407, 0.4890562590412937)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0x7F800000), (0.0, 0x7F800000), (0x7F800000, 1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.sine %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (0x7F800000, 0x7F800000), (0.0, 0x7F800000), (0x7FC00000, 0x7FC00000)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0x7FF0000000000000), (0.0, 0x7FF0000000000000), (0x7FF0000000000000, 1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.sine %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (0x7FF0000000000000, 0x7FF0000000000000), (0.0, 0x7FF0000000000000), (0x7FF8000000000000, 0x7FF8000000000000)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}
