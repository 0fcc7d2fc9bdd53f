// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `tan` of radians.

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 0.7853981633974483, 1.25, 100.0, -12345.0]> : tensor<6xf64>
  %result = stablehlo.tan %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[0.5463024898437905, -1.5574077246549023, 0.9999999999999999, 3.0095696738628313, -0.5872139151569291, 8.917885942518717]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 0.7853982, 1.25, 100.0, -12345.0]> : tensor<6xf32>
  %result = stablehlo.tan %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[0.5463025, -1.5574077, 1.0, 3.0095696, -0.58721393, 8.917886]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 0.785, 1.25, 100.0, -12344.0]> : tensor<6xf16>
  %result = stablehlo.tan %operand : tensor<6xf16>
  %expected = stablehlo.constant dense<[0.5464, -1.558, 0.9995, 3.01, -0.5874, -0.813]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 0.785, 1.25, 100.0, -12350.0]> : tensor<6xbf16>
  %result = stablehlo.tan %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[0.547, -1.555, 1.0, 3.02, -0.586, 0.918]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 0.8, 1.2, 100.0]> : tensor<5xf8E4M3FN>
  %result = stablehlo.tan %operand : tensor<5xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.56, -1.5, 1.0, 3.0, -5.5]> : tensor<5xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 0.8, 1.2, 100.0]> : tensor<5xf8E5M2>
  %result = stablehlo.tan %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0.5, -1.5, 0.9, 3.0, -5.0]> : tensor<5xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.tan %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, -0.0]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.tan %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, -0.0]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.tan %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 0x7E00, 0x7E00, 0.0, -0.0]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.tan %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 0x7FC0, 0x7FC0, 0.0, -0.0]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.tan %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 0x7E, 0x7E, 0.0, -0.0]> : tensor<5xf8E5M2>
  return
}

// -----

// Zeros of f64 keep their sign.
func.func @f64_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf64>
  %result = stablehlo.tan %operand : tensor<2xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000]> : tensor<2xui64>
  return
}

// -----

// Zeros of f32 keep their sign.
func.func @f32_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %result = stablehlo.tan %operand : tensor<2xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000]> : tensor<2xui32>
  return
}

// -----

// Large arguments are reduced exactly.
func.func @f32_large() {
  %operand = stablehlo.constant dense<[1.0e6, -3.0e8, 3.4028235e38]> : tensor<3xf32>
  %result = stablehlo.tan %operand : tensor<3xf32>
  %expected = stablehlo.constant dense<[-0.37362444, 0.48936057, -0.6117979]> : tensor<3xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<3xf32>, tensor<3xf32>
  return
}

// -----

// The same for f64.
func.func @f64_large() {
  %operand = stablehlo.constant dense<[1000000000000000.0, -1.0e22]> : tensor<2xf64>
  %result = stablehlo.tan %operand : tensor<2xf64>
  %expected = stablehlo.constant dense<[-1.672414782127583, 1.6287782256068988]> : tensor<2xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2xf64>, tensor<2xf64>
  return
}

// -----

// Tiny arguments are their own result.
func.func @f32_tiny() {
  %operand = stablehlo.constant dense<[1.0e-20, -1.0e-45]> : tensor<2xf32>
  %result = stablehlo.tan %operand : tensor<2xf32>
  %expected = stablehlo.constant dense<[1.0e-20, -1.0e-45]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  return
}

// -----

// Near the pole.
func.func @f32_pole() {
  %operand = stablehlo.constant dense<[1.5707963, -1.5707964]> : tensor<2xf32>
  %result = stablehlo.tan %operand : tensor<2xf32>
  %expected = stablehlo.constant dense<[1.3245402e7, 2.2877332e7]> : tensor<2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 0.7853981633974483, 1.25, 100.0, -12345.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[0.5463024898437905, -1.5574077246549023, 0.9999999999999999, 3.0095696738628313, -0.5872139151569291, 8.917885942518717, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0.0, -1.5574077246549023]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.tan %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 0.7853982, 1.25, 100.0, -12345.0, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[0.5463025, -1.5574077, 1.0, 3.0095696, -0.58721393, 8.917886, 0x7FC00000, 0x7FC00000, 0x7FC00000, 0.0, -1.5574077]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.tan %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 0.785, 1.25, 100.0, -12344.0, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<11xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[0.5464, -1.558, 0.9995, 3.01, -0.5874, -0.813, 0x7E00, 0x7E00, 0x7E00, 0.0, -1.558]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.tan %operand_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 0.785, 1.25, 100.0, -12350.0, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[0.547, -1.555, 1.0, 3.02, -0.586, 0.918, 0x7FC0, 0x7FC0, 0x7FC0, 0.0, -1.555]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.tan %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<0.5> : tensor<f32>
  %result = stablehlo.tan %operand : tensor<f32>
  %expected = stablehlo.constant dense<0.5463025> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.tan %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0.25, -0.54545456], [0.46409893, 0.79545456], [68.181816, -8978.182]], [[0.38636363, -0.8181818], [0.6782984, 1.1363636], [95.454544, -12345.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.tan %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[0.25534192, -0.6068685], [0.5005643, 1.0203178], [-1.3499287, 0.53359795]], [[0.40681043, -1.0678148], [0.8058509, 2.1551862], [2.6245825, 8.917886]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.tan %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.033812825, 1.0147936), (-0.25514922, 2.124799), (0.14842932, -0.65922123), (0.2434582, -1.1667362)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.tan %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.03381282607989669, 1.0147936161466335), (-0.2551492218136517, 2.1247991277429965), (0.14842931880709934, -0.659221242134523), (0.24345820118572525, -1.16673625724092)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0x7F800000), (1.0, 0xFF800000), (0x7F800000, 1.0), (1.0, 2000.0)]> : tensor<5xcomplex<f32>>
  %result = stablehlo.tan %operand : tensor<5xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (0.0, 1.0), (0.0, -1.0), (0x7FC00000, 0x7FC00000), (0.0, 1.0)]> : tensor<5xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (1.0, 0x7FF0000000000000), (1.0, 0xFFF0000000000000), (0x7FF0000000000000, 1.0), (1.0, 2000.0)]> : tensor<5xcomplex<f64>>
  %result = stablehlo.tan %operand : tensor<5xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (0.0, 1.0), (0.0, -1.0), (0x7FF8000000000000, 0x7FF8000000000000), (0.0, 1.0)]> : tensor<5xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>
  return
}
