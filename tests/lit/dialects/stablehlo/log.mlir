// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `log`: the natural logarithm.

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.5, 2.718281828459045, 1.0e-5, 12345.0]> : tensor<6xf64>
  %result = stablehlo.log %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[0.0, 0.6931471805599453, -0.6931471805599453, 1.0, -11.512925464970229, 9.42100640177928]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.5, 2.7182817, 1.0e-5, 12345.0]> : tensor<6xf32>
  %result = stablehlo.log %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[0.0, 0.6931472, -0.6931472, 0.99999994, -11.512925, 9.421006]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.5, 2.719, 1.0e-5, 12344.0]> : tensor<6xf16>
  %result = stablehlo.log %operand : tensor<6xf16>
  %expected = stablehlo.constant dense<[0.0, 0.6934, -0.6934, 1.0, -11.51, 9.42]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.5, 2.72, 1.0e-5, 12350.0]> : tensor<6xbf16>
  %result = stablehlo.log %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[0.0, 0.69, -0.69, 1.0, -11.5, 9.44]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.5, 2.8]> : tensor<4xf8E4M3FN>
  %result = stablehlo.log %operand : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.0, 0.7, -0.7, 1.0]> : tensor<4xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.5, 2.5]> : tensor<4xf8E5M2>
  %result = stablehlo.log %operand : tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[0.0, 0.8, -0.8, 0.9]> : tensor<4xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.log %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 0xFFF0000000000000]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.log %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7F800000, 0x7FC00000, 0xFF800000, 0xFF800000]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.log %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 0x7C00, 0x7E00, 0xFC00, 0xFC00]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.log %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 0x7F80, 0x7FC0, 0xFF80, 0xFF80]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.log %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 0x7C, 0x7E, 0xFC, 0xFC]> : tensor<5xf8E5M2>
  return
}

// -----

// Negative numbers have no logarithm; the least and the largest positive numbers.
func.func @f32_range() {
  %operand = stablehlo.constant dense<[-1.0, -1.0e-30, 1.0e-45, 1.1754944e-38, 3.4028235e38]> : tensor<5xf32>
  %result = stablehlo.log %operand : tensor<5xf32>
  %expected = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, -103.27893, -87.33655, 88.72284]> : tensor<5xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<5xf32>, tensor<5xf32>
  return
}

// -----

// The same for f64.
func.func @f64_range() {
  %operand = stablehlo.constant dense<[-1.0, -1.0e-300, 5.0e-324, 2.2250738585072014e-308, 1.7976931348623157e308]> : tensor<5xf64>
  %result = stablehlo.log %operand : tensor<5xf64>
  %expected = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF8000000000000, -744.4400719213812, -708.3964185322641, 709.782712893384]> : tensor<5xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<5xf64>, tensor<5xf64>
  return
}

// -----

// Near 1 the result is small and still accurate.
func.func @f32_near_one() {
  %operand = stablehlo.constant dense<[0.99999994, 1.0000001, 0.99902344, 1.0009766]> : tensor<4xf32>
  %result = stablehlo.log %operand : tensor<4xf32>
  %expected = stablehlo.constant dense<[-5.9604645e-8, 1.1920928e-7, -0.0009770397, 0.00097608595]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.5, 2.718281828459045, 1.0e-5, 12345.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[0.0, 0.6931471805599453, -0.6931471805599453, 1.0, -11.512925464970229, 9.42100640177928, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.log %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.5, 2.7182817, 1.0e-5, 12345.0, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[0.0, 0.6931472, -0.6931472, 0.99999994, -11.512925, 9.421006, 0x7FC00000, 0x7F800000, 0x7FC00000, 0xFF800000, 0x7FC00000]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.log %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.5, 2.719, 1.0e-5, 12344.0, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<11xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[0.0, 0.6934, -0.6934, 1.0, -11.51, 9.42, 0x7E00, 0x7C00, 0x7E00, 0xFC00, 0x7E00]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.log %operand_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.5, 2.72, 1.0e-5, 12350.0, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[0.0, 0.69, -0.69, 1.0, -11.5, 9.44, 0x7FC0, 0x7F80, 0x7FC0, 0xFF80, 0x7FC0]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.log %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<1.0> : tensor<f32>
  %result = stablehlo.log %operand : tensor<f32>
  %expected = stablehlo.constant dense<0.0> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.log %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0.5, 1.0909091], [0.29545453, 1.7298156], [6.8181816e-6, 8978.182]], [[0.77272725, 1.6363636], [0.4318182, 2.4711652], [9.545454e-6, 12345.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.log %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[-0.6931472, 0.087011404], [-1.2192403, 0.5480148], [-11.895918, 9.102552]], [[-0.25782913, 0.4924765], [-0.83975065, 0.9046898], [-11.559445, 9.421006]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.log %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.804719, 1.1071488), (0.45814538, 2.819842), (-0.23500182, -1.2490457), (0.804719, -2.6779451)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.log %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.8047189562170501, 1.1071487177940904), (0.45814536593707755, 2.819842099193151), (-0.2350018146228678, -1.2490457723982544), (0.8047189562170501, -2.677945044588987)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values, and both sides of the branch cut along the negative axis.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (-0.0, 0.0), (0x7F800000, 0.0), (0xFF800000, 1.0), (1.0, 0x7F800000), (0x7FC00000, 1.0), (-1.0, 0.0), (-1.0, -0.0)]> : tensor<8xcomplex<f32>>
  %result = stablehlo.log %operand : tensor<8xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0xFF800000, 0.0), (0xFF800000, 3.1415927), (0x7F800000, 0.0), (0x7F800000, 3.1415927), (0x7F800000, 1.5707964), (0x7FC00000, 0x7FC00000), (0.0, 3.1415927), (0.0, -3.1415927)]> : tensor<8xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<8xcomplex<f32>>, tensor<8xcomplex<f32>>
  return
}

// -----

// Special values, and both sides of the branch cut along the negative axis.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (-0.0, 0.0), (0x7FF0000000000000, 0.0), (0xFFF0000000000000, 1.0), (1.0, 0x7FF0000000000000), (0x7FF8000000000000, 1.0), (-1.0, 0.0), (-1.0, -0.0)]> : tensor<8xcomplex<f64>>
  %result = stablehlo.log %operand : tensor<8xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0xFFF0000000000000, 0.0), (0xFFF0000000000000, 3.141592653589793), (0x7FF0000000000000, 0.0), (0x7FF0000000000000, 3.141592653589793), (0x7FF0000000000000, 1.5707963267948966), (0x7FF8000000000000, 0x7FF8000000000000), (0.0, 3.141592653589793), (0.0, -3.141592653589793)]> : tensor<8xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>
  return
}
