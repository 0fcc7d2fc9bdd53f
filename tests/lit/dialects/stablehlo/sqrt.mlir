// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `sqrt`: the square root; of a complex number the principal one.

// Values of f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12345.0]> : tensor<6xf64>
  %result = stablehlo.sqrt %operand : tensor<6xf64>
  %expected = stablehlo.constant dense<[1.0, 2.0, 1.4142135623730951, 0.25, 0.01, 111.1080555135405]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Values of f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 1.0e-4, 12345.0]> : tensor<6xf32>
  %result = stablehlo.sqrt %operand : tensor<6xf32>
  %expected = stablehlo.constant dense<[1.0, 2.0, 1.4142135, 0.25, 0.01, 111.108055]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Values of f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12344.0]> : tensor<6xf16>
  %result = stablehlo.sqrt %operand : tensor<6xf16>
  %expected = stablehlo.constant dense<[1.0, 2.0, 1.414, 0.25, 0.01, 111.1]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Values of bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12350.0]> : tensor<6xbf16>
  %result = stablehlo.sqrt %operand : tensor<6xbf16>
  %expected = stablehlo.constant dense<[1.0, 2.0, 1.414, 0.25, 0.01, 111.0]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Values of f8E4M3FN, rounded once.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.062]> : tensor<4xf8E4M3FN>
  %result = stablehlo.sqrt %operand : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.0, 2.0, 1.4, 0.25]> : tensor<4xf8E4M3FN>
  return
}

// -----

// Values of f8E5M2, rounded once.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.06]> : tensor<4xf8E5M2>
  %result = stablehlo.sqrt %operand : tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[1.0, 2.0, 1.5, 0.25]> : tensor<4xf8E5M2>
  return
}

// -----

// NaN, infinities and zeros of f64.
func.func @f64_special_values() {
  %operand = stablehlo.constant dense<[0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -0.0]> : tensor<5xf64>
  %result = stablehlo.sqrt %operand : tensor<5xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0.0, -0.0]> : tensor<5xf64>
  return
}

// -----

// NaN, infinities and zeros of f32.
func.func @f32_special_values() {
  %operand = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.sqrt %operand : tensor<5xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7F800000, 0x7FC00000, 0.0, -0.0]> : tensor<5xf32>
  return
}

// -----

// NaN, infinities and zeros of f16.
func.func @f16_special_values() {
  %operand = stablehlo.constant dense<[0x7E00, 0x7C00, 0xFC00, 0.0, -0.0]> : tensor<5xf16>
  %result = stablehlo.sqrt %operand : tensor<5xf16>
  check.expect_eq_const %result, dense<[0x7E00, 0x7C00, 0x7E00, 0.0, -0.0]> : tensor<5xf16>
  return
}

// -----

// NaN, infinities and zeros of bf16.
func.func @bf16_special_values() {
  %operand = stablehlo.constant dense<[0x7FC0, 0x7F80, 0xFF80, 0.0, -0.0]> : tensor<5xbf16>
  %result = stablehlo.sqrt %operand : tensor<5xbf16>
  check.expect_eq_const %result, dense<[0x7FC0, 0x7F80, 0x7FC0, 0.0, -0.0]> : tensor<5xbf16>
  return
}

// -----

// NaN, infinities and zeros of f8E5M2.
func.func @f8E5M2_special_values() {
  %operand = stablehlo.constant dense<[0x7E, 0x7C, 0xFC, 0.0, -0.0]> : tensor<5xf8E5M2>
  %result = stablehlo.sqrt %operand : tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[0x7E, 0x7C, 0x7E, 0.0, -0.0]> : tensor<5xf8E5M2>
  return
}

// -----

// Zeros of f64 keep their sign.
func.func @f64_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf64>
  %result = stablehlo.sqrt %operand : tensor<2xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000]> : tensor<2xui64>
  return
}

// -----

// Zeros of f32 keep their sign.
func.func @f32_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %result = stablehlo.sqrt %operand : tensor<2xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000]> : tensor<2xui32>
  return
}

// -----

// No root of negative numbers; numbers below the least normal one. The root is exact to the last bit.
func.func @f32_range() {
  %operand = stablehlo.constant dense<[-1.0, 1.0e-45, 1.1754944e-38, 3.4028235e38]> : tensor<4xf32>
  %result = stablehlo.sqrt %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 3.743392e-23, 1.0842022e-19, 1.8446743e19]> : tensor<4xf32>
  return
}

// -----

// The same for f64.
func.func @f64_range() {
  %operand = stablehlo.constant dense<[-1.0, 5.0e-324, 2.2250738585072014e-308, 1.7976931348623157e308]> : tensor<4xf64>
  %result = stablehlo.sqrt %operand : tensor<4xf64>
  check.expect_eq_const %result, dense<[0x7FF8000000000000, 2.2227587494850775e-162, 1.4916681462400413e-154, 1.3407807929942596e154]> : tensor<4xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12345.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0.0, -1.0]> : tensor<11xf64>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[1.0, 2.0, 1.4142135623730951, 0.25, 0.01, 111.1080555135405, 0x7FF8000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 0.0, 0x7FF8000000000000]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.sqrt %operand_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 1.0e-4, 12345.0, 0x7FC00000, 0x7F800000, 0xFF800000, 0.0, -1.0]> : tensor<11xf32>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[1.0, 2.0, 1.4142135, 0.25, 0.01, 111.108055, 0x7FC00000, 0x7F800000, 0x7FC00000, 0.0, 0x7FC00000]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.sqrt %operand_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12344.0, 0x7E00, 0x7C00, 0xFC00, 0.0, -1.0]> : tensor<11xf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[1.0, 2.0, 1.414, 0.25, 0.01, 111.1, 0x7E00, 0x7C00, 0x7E00, 0.0, 0x7E00]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.sqrt %operand_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %operand = stablehlo.constant dense<[1.0, 4.0, 2.0, 0.0625, 0.0001, 12350.0, 0x7FC0, 0x7F80, 0xFF80, 0.0, -1.0]> : tensor<11xbf16>
  %operand_rows = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %operand_vector = stablehlo.reshape %operand_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[1.0, 2.0, 1.414, 0.25, 0.01, 111.0, 0x7FC0, 0x7F80, 0x7FC0, 0.0, 0x7FC0]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.sqrt %operand_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<1.0> : tensor<f32>
  %result = stablehlo.sqrt %operand : tensor<f32>
  %expected = stablehlo.constant dense<1.0> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0x3xf32>
  %result = stablehlo.sqrt %operand : tensor<2x0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0.5, 2.1818182], [1.1818181, 0.039772727], [6.818182e-5, 8978.182]], [[0.77272725, 3.2727273], [1.7272727, 0.056818184], [9.545454e-5, 12345.0]]]> : tensor<2x3x2xf32>
  %result = stablehlo.sqrt %operand : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[0.70710677, 1.4770979], [1.0871146, 0.199431], [0.008257228, 94.753265]], [[0.87904906, 1.8090681], [1.3142575, 0.23836565], [0.009770084, 111.108055]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}

// -----

// Values of complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.sqrt %operand : tensor<4xcomplex<f32>>
  %expected = stablehlo.constant dense<[(1.2720196, 0.78615135), (0.2014185, 1.2411968), (0.72130764, -0.5198891), (0.34356076, -1.4553467)]> : tensor<4xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>
  return
}

// -----

// Values of complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, 2.0), (-1.5, 0.5), (0.25, -0.75), (-2.0, -1.0)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.sqrt %operand : tensor<4xcomplex<f64>>
  %expected = stablehlo.constant dense<[(1.272019649514069, 0.7861513777574233), (0.2014185071985562, 1.2411967672541266), (0.7213076372263415, -0.5198891300277853), (0.34356074972251244, -1.455346690225355)]> : tensor<4xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 4 : tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>
  return
}

// -----

// Special values, and both sides of the branch cut along the negative axis.
func.func @complex_f32_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (-1.0, 0.0), (-1.0, -0.0), (0x7F800000, 1.0), (0xFF800000, 1.0), (1.0, 0x7F800000), (0x7FC00000, 1.0)]> : tensor<7xcomplex<f32>>
  %result = stablehlo.sqrt %operand : tensor<7xcomplex<f32>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (0.0, 1.0), (0.0, -1.0), (0x7F800000, 0.0), (0.0, 0x7F800000), (0x7F800000, 0x7F800000), (0x7FC00000, 0x7FC00000)]> : tensor<7xcomplex<f32>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>
  return
}

// -----

// Special values, and both sides of the branch cut along the negative axis.
func.func @complex_f64_special_values() {
  %operand = stablehlo.constant dense<[(0.0, 0.0), (-1.0, 0.0), (-1.0, -0.0), (0x7FF0000000000000, 1.0), (0xFFF0000000000000, 1.0), (1.0, 0x7FF0000000000000), (0x7FF8000000000000, 1.0)]> : tensor<7xcomplex<f64>>
  %result = stablehlo.sqrt %operand : tensor<7xcomplex<f64>>
  %expected = stablehlo.constant dense<[(0.0, 0.0), (0.0, 1.0), (0.0, -1.0), (0x7FF0000000000000, 0.0), (0.0, 0x7FF0000000000000), (0x7FF0000000000000, 0x7FF0000000000000), (0x7FF8000000000000, 0x7FF8000000000000)]> : tensor<7xcomplex<f64>>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<7xcomplex<f64>>, tensor<7xcomplex<f64>>
  return
}
