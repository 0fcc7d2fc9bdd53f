// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `cbrt`: the cube root; of a complex number the principal one.

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[8.0, -27.0, 0.001, 2.0, -1.0e-6, 1000000.0]> : tensor<6xf64>
  %result = stablehlo.cbrt %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[2.0, -3.0, 0.1, 1.2599210498948732, -0.01, 100.0]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[8.0, -27.0, 0.001, 2.0, -1.0e-6, 1.0e6]> : tensor<6xf32>
  %result = stablehlo.cbrt %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[2.0, -3.0, 0.1, 1.2599211, -0.01, 100.0]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[8.0, -27.0, 0.001, 2.0, -1.0e-6]> : tensor<5xf16>
  %result = stablehlo.cbrt %operand : tensor<5xf16>
  %expected = stablehlo.constant dense<[2.0, -3.0, 0.10004, 1.26, -0.01004]> : tensor<5xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xf16>, tensor<5xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[8.0, -27.0, 0.001, 2.0, -1.0e-6, 1000000.0]> : tensor<6xbf16>
  %result = stablehlo.cbrt %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[2.0, -3.0, 0.1, 1.26, -0.01, 100.0]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[8.0, -28.0, 2.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.cbrt %operand : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[2.0, -3.0, 1.2]> : tensor<3xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[8.0, -28.0, 2.0]> : tensor<3xf8E5M2>
  %result = stablehlo.cbrt %operand : tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[2.0, -3.0, 1.2]> : tensor<3xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.cbrt %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.cbrt %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.cbrt %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.cbrt %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.cbrt %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  return
}

// -----

// Zeros of f64 keep their sign.
func.func @f64_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf64>
  %result = stablehlo.cbrt %operand : tensor<2xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000]> : tensor<2xui64>
  return
}

// -----

// Zeros of f32 keep their sign.
func.func @f32_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %result = stablehlo.cbrt %operand : tensor<2xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000]> : tensor<2xui32>
  return
}

// -----

// Numbers below the least normal one, the largest numbers.
func.func @f32_range() {
  %operand = stablehlo.constant dense<[1.0e-45, -1.1754944e-38, 3.4028235e38, -3.4028235e38]> : tensor<4xf32>
  %result = stablehlo.cbrt %operand : tensor<4xf32>
  %expected = stablehlo.constant dense<[1.1190347e-15, -2.2737368e-13, 6.9814636e12, -6.9814636e12]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// The same for f64.
func.func @f64_range() {
  %operand = stablehlo.constant dense<[5.0e-324, -2.2250738585072014e-308, 1.7976931348623157e308]> : tensor<3xf64>
  %result = stablehlo.cbrt %operand : tensor<3xf64>
  %expected = stablehlo.constant dense<[1.7031839360032603e-108, -2.812644285236262e-103, 5.643803094122362e102]> : tensor<3xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<3xf64>, tensor<3xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[8.0, -27.0, 0.001, 2.0, -1.0e-6, 1000000.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[2.0, -3.0, 0.1, 1.2599210498948732, -0.01, 100.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.cbrt %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[8.0, -27.0, 0.001, 2.0, -1.0e-6, 1.0e6, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[2.0, -3.0, 0.1, 1.2599211, -0.01, 100.0, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.cbrt %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 10 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[8.0, -27.0, 0.001, 2.0, -1.0e-6, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<10xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<10xf16>) -> tensor<7x10xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x10xf16>) -> tensor<70xf16>
  %expected = stablehlo.constant dense<[2.0, -3.0, 0.10004, 1.26, -0.01004, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<10xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<10xf16>) -> tensor<7x10xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x10xf16>) -> tensor<70xf16>
  %result = stablehlo.cbrt %operand_vector : tensor<70xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<70xf16>, tensor<70xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[8.0, -27.0, 0.001, 2.0, -1.0e-6, 1000000.0, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[2.0, -3.0, 0.1, 1.26, -0.01, 100.0, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.cbrt %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<8.0> : tensor<f32>
  %result = stablehlo.cbrt %operand : tensor<f32>
  %expected = stablehlo.constant dense<2.0> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.cbrt %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[4.0, -14.727273], [0.0005909091, 1.2727273], [-6.8181816e-7, 727272.75]], [[6.181818, -22.09091], [0.0008636364, 1.8181819], [-9.545455e-7, 1.0e6]]]> : tensor<2x3x2xf32>
  %result = stablehlo.cbrt %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[1.587401, -2.4511738], [0.08391512, 1.0837067], [-0.00880149, 89.92886]], [[1.8352929, -2.8058937], [0.0952307, 1.2205224], [-0.009846129, 100.0]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.cbrt %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.2196165, 0.47171128), (0.68714845, 0.9407634), (0.8456639, -0.37395263), (0.8203632, -1.0183222)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.cbrt %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.2196165079717576, 0.471711267789389), (0.6871484672961216, 0.940763409253381), (0.8456638878805733, -0.3739526200911843), (0.8203632448837139, -1.0183221951428538)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (8.0, 0.0), (-8.0, 0.0), (0.0, 27.0), (-8.0, -0.0)]> : tensor<5xcomplex<f32>>
  %result = stablehlo.cbrt %operand : tensor<5xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (2.0, 0.0), (1.0, 1.7320508), (2.598076, 1.5), (1.0, -1.7320508)]> : tensor<5xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>
  return
}

// -----

// Special values; signs of zeros are not compared.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (8.0, 0.0), (-8.0, 0.0), (0.0, 27.0), (-8.0, -0.0)]> : tensor<5xcomplex<f64>>
  %result = stablehlo.cbrt %operand : tensor<5xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (2.0, 0.0), (1.0, 1.7320508075688772), (2.598076211353316, 1.5), (1.0, -1.7320508075688772)]> : tensor<5xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xcomplex<f64>>, tensor<5xcomplex<f64>>
  return
}
