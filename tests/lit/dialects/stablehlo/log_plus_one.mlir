// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `log_plus_one`: log(1 + x), accurate near 0.

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[1.0, -0.5, 0.0001, -0.0001, 12345.0, -0.9990234375]> : tensor<6xf64>
  %result = stablehlo.log_plus_one %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[0.6931471805599453, -0.6931471805599453, 9.999500033330834e-5, -0.00010000500033335834, 9.421087402953841, -6.931471805599453]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[1.0, -0.5, 1.0e-4, -1.0e-4, 12345.0, -0.99902344]> : tensor<6xf32>
  %result = stablehlo.log_plus_one %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[0.6931472, -0.6931472, 9.9995e-5, -0.000100004996, 9.421087, -6.931472]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[1.0, -0.5, 0.0001, -0.0001, 12344.0, -0.999]> : tensor<6xf16>
  %result = stablehlo.log_plus_one %operand : tensor<6xf16>
  %expected = stablehlo.constant dense<[0.6934, -0.6934, 0.0001, -0.0001, 9.42, -6.93]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.0, -0.5, 0.0001, -0.0001, 12350.0, -1.0]> : tensor<6xbf16>
  %result = stablehlo.log_plus_one %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[0.69, -0.69, 0.0001, -0.0001, 9.44, 0xFF80]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.0, -0.5, -1.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.log_plus_one %operand : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.7, -0.7, 0xFF]> : tensor<3xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[1.0, -0.5, -1.0]> : tensor<3xf8E5M2>
  %result = stablehlo.log_plus_one %operand : tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[0.8, -0.8, 0xFC]> : tensor<3xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.log_plus_one %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0.0, -0.0]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.log_plus_one %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7F800000, 0x7FC00000, 0.0, -0.0]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.log_plus_one %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 0x7C00, 0x7E00, 0.0, -0.0]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.log_plus_one %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 0x7F80, 0x7FC0, 0.0, -0.0]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.log_plus_one %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 0x7C, 0x7E, 0.0, -0.0]> : tensor<5xf8E5M2>
  return
}

// -----

// Zeros of f64 keep their sign.
func.func @f64_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf64>
  %result = stablehlo.log_plus_one %operand : tensor<2xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000]> : tensor<2xui64>
  return
}

// -----

// Zeros of f32 keep their sign.
func.func @f32_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %result = stablehlo.log_plus_one %operand : tensor<2xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000]> : tensor<2xui32>
  return
}

// -----

// -1 is the pole, below it there is no logarithm; tiny arguments are their own result.
func.func @f32_range() {
  %operand = stablehlo.constant dense<[-1.0, -2.0, 1.0e-30, -1.0e-45, 3.4028235e38]> : tensor<5xf32>
  %result = stablehlo.log_plus_one %operand : tensor<5xf32>
  %expected = stablehlo.constant dense<[0xFF800000, 0x7FC00000, 1.0e-30, -1.0e-45, 88.72284]> : tensor<5xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<5xf32>, tensor<5xf32>
  return
}

// -----

// The same for f64.
func.func @f64_range() {
  %operand = stablehlo.constant dense<[-1.0, -2.0, 1.0e-300, -5.0e-324, 1.7976931348623157e308]> : tensor<5xf64>
  %result = stablehlo.log_plus_one %operand : tensor<5xf64>
  %expected = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF8000000000000, 1.0e-300, -5.0e-324, 709.782712893384]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<5xf64>, tensor<5xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[1.0, -0.5, 0.0001, -0.0001, 12345.0, -0.9990234375, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[0.6931471805599453, -0.6931471805599453, 9.999500033330834e-5, -0.00010000500033335834, 9.421087402953841, -6.931471805599453, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0.0, 0xFFF0000000000000]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.log_plus_one %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[1.0, -0.5, 1.0e-4, -1.0e-4, 12345.0, -0.99902344, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[0.6931472, -0.6931472, 9.9995e-5, -0.000100004996, 9.421087, -6.931472, 0x7FC00000, 0x7F800000, 0x7FC00000, 0.0, 0xFF800000]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.log_plus_one %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[1.0, -0.5, 0.0001, -0.0001, 12344.0, -0.999, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<11xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[0.6934, -0.6934, 0.0001, -0.0001, 9.42, -6.93, 0x7E00, 0x7C00, 0x7E00, 0.0, 0xFC00]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.log_plus_one %operand_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[1.0, -0.5, 0.0001, -0.0001, 12350.0, -1.0, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[0.69, -0.69, 0.0001, -0.0001, 9.44, 0xFF80, 0x7FC0, 0x7F80, 0x7FC0, 0.0, 0xFF80]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.log_plus_one %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<1.0> : tensor<f32>
  %result = stablehlo.log_plus_one %operand : tensor<f32>
  %expected = stablehlo.constant dense<0.6931472> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.log_plus_one %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0.5, -0.27272728], [5.9090908e-5, -6.363636e-5], [8417.046, -0.7265625]], [[0.77272725, -0.4090909], [8.636364e-5, -9.090909e-5], [11783.863, -0.99902344]]]> : tensor<2x3x2xf32>
  %result = stablehlo.log_plus_one %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[0.4054651, -0.31845373], [5.908916e-5, -6.3638385e-5], [9.038133, -1.2966822]], [[0.5725192, -0.52609307], [8.6359905e-5, -9.091322e-5], [9.374571, -6.931472]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.log_plus_one %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.0397208, 0.7853982), (-0.3465736, 2.3561945), (0.3768859, -0.5404195), (0.3465736, -2.3561945)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.log_plus_one %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.0397207708399179, 0.7853981633974483), (-0.34657359027997264, 2.356194490192345), (0.3768859011881901, -0.5404195002705842), (0.34657359027997264, -2.356194490192345)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (-1.0, 0.0), (0x7F800000, 1.0), (1.0e-20, 1.0e-20), (-2.0, 0.0), (-2.0, -0.0)]> : tensor<6xcomplex<f32>>
  %result = stablehlo.log_plus_one %operand : tensor<6xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (0xFF800000, 0.0), (0x7F800000, 0.0), (1.0e-20, 1.0e-20), (0.0, 3.1415927), (0.0, -3.1415927)]> : tensor<6xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (-1.0, 0.0), (0x7FF0000000000000, 1.0), (1.0e-20, 1.0e-20), (-2.0, 0.0), (-2.0, -0.0)]> : tensor<6xcomplex<f64>>
  %result = stablehlo.log_plus_one %operand : tensor<6xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (0xFFF0000000000000, 0.0), (0x7FF0000000000000, 0.0), (1.0e-20, 1.0e-20), (0.0, 3.141592653589793), (0.0, -3.141592653589793)]> : tensor<6xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xcomplex<f64>>, tensor<6xcomplex<f64>>
  return
}
