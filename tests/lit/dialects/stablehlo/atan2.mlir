// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `atan2`: the angle of the point (rhs, lhs).

// f64 in all quadrants.
func.func @f64() {
  %lhs = stablehlo.constant dense<[1.0, 1.0, -1.0, -1.0, 3.0, -0.25, 1.0]> : tensor<7xf64>
  %rhs = stablehlo.constant dense<[2.0, -2.0, -2.0, 2.0, 0.25, -3.0, 1.0]> : tensor<7xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<7xf64>
  %expected = stablehlo.constant dense<[0.4636476090008061, 2.677945044588987, -2.677945044588987, -0.4636476090008061, 1.4876550949064553, -3.058451421701352, 0.7853981633974483]> : tensor<7xf64>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<7xf64>, tensor<7xf64>
  return
}

// -----

// On the axes.
func.func @f64_axes() {
  %lhs = stablehlo.constant dense<[0.0, 1.0, -1.0, 1.0, 0.0, -0.0]> : tensor<6xf64>
  %rhs = stablehlo.constant dense<[1.0, 0.0, 0.0, -0.0, -1.0, -1.0]> : tensor<6xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<6xf64>
  %expected = stablehlo.constant dense<[0.0, 1.5707963267948966, -1.5707963267948966, 1.5707963267948966, 3.141592653589793, -3.141592653589793]> : tensor<6xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf64>, tensor<6xf64>
  return
}

// -----

// Infinite coordinates.
func.func @f64_infinities() {
  %lhs = stablehlo.constant dense<[0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 1.0, 1.0, -1.0, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<9xf64>
  %rhs = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0xFFF0000000000000, 1.0, -1.0]> : tensor<9xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<9xf64>
  %expected = stablehlo.constant dense<[0.7853981633974483, 2.356194490192345, -2.356194490192345, -0.7853981633974483, 0.0, 3.141592653589793, -3.141592653589793, 1.5707963267948966, -1.5707963267948966]> : tensor<9xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<9xf64>, tensor<9xf64>
  return
}

// -----

// Both coordinates zero.
func.func @f64_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0]> : tensor<4xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xf64>
  %expected = stablehlo.constant dense<[0.0, -0.0, 3.141592653589793, -3.141592653589793]> : tensor<4xf64>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf64>, tensor<4xf64>
  return
}

// -----

// A zero angle has the sign of lhs.
func.func @f64_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 1.0, -1.0]> : tensor<6xf64>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 0x7FF0000000000000, 0x7FF0000000000000]> : tensor<6xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<6xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<6xf64>) -> tensor<6xui64>
  check.expect_eq_const %bits, dense<[0, 0x8000000000000000, 0, 0x8000000000000000, 0, 0x8000000000000000]> : tensor<6xui64>
  return
}

// -----

// NaN on either side.
func.func @f64_nan() {
  %lhs = stablehlo.constant dense<[0x7FF8000000000000, 1.0, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  %rhs = stablehlo.constant dense<[1.0, 0x7FF8000000000000, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<4xf64>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xf64>
  check.expect_eq_const %result, dense<0x7FF8000000000000> : tensor<4xf64>
  return
}

// -----

// f32 in all quadrants.
func.func @f32() {
  %lhs = stablehlo.constant dense<[1.0, 1.0, -1.0, -1.0, 3.0, -0.25, 1.0]> : tensor<7xf32>
  %rhs = stablehlo.constant dense<[2.0, -2.0, -2.0, 2.0, 0.25, -3.0, 1.0]> : tensor<7xf32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<7xf32>
  %expected = stablehlo.constant dense<[0.4636476, 2.6779451, -2.6779451, -0.4636476, 1.487655, -3.0584514, 0.7853982]> : tensor<7xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<7xf32>, tensor<7xf32>
  return
}

// -----

// On the axes.
func.func @f32_axes() {
  %lhs = stablehlo.constant dense<[0.0, 1.0, -1.0, 1.0, 0.0, -0.0]> : tensor<6xf32>
  %rhs = stablehlo.constant dense<[1.0, 0.0, 0.0, -0.0, -1.0, -1.0]> : tensor<6xf32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<6xf32>
  %expected = stablehlo.constant dense<[0.0, 1.5707964, -1.5707964, 1.5707964, 3.1415927, -3.1415927]> : tensor<6xf32>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf32>, tensor<6xf32>
  return
}

// -----

// Infinite coordinates.
func.func @f32_infinities() {
  %lhs = stablehlo.constant dense<[0x7F800000, 0x7F800000, 0xFF800000, 0xFF800000, 1.0, 1.0, -1.0, 0x7F800000, 0xFF800000]> : tensor<9xf32>
  %rhs = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0xFF800000, 0x7F800000, 0x7F800000, 0xFF800000, 0xFF800000, 1.0, -1.0]> : tensor<9xf32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<9xf32>
  %expected = stablehlo.constant dense<[0.7853982, 2.3561945, -2.3561945, -0.7853982, 0.0, 3.1415927, -3.1415927, 1.5707964, -1.5707964]> : tensor<9xf32>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<9xf32>, tensor<9xf32>
  return
}

// -----

// Both coordinates zero.
func.func @f32_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0]> : tensor<4xf32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xf32>
  %expected = stablehlo.constant dense<[0.0, -0.0, 3.1415927, -3.1415927]> : tensor<4xf32>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
  return
}

// -----

// A zero angle has the sign of lhs.
func.func @f32_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 1.0, -1.0]> : tensor<6xf32>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 0x7F800000, 0x7F800000]> : tensor<6xf32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<6xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<6xf32>) -> tensor<6xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000, 0, 0x80000000, 0, 0x80000000]> : tensor<6xui32>
  return
}

// -----

// NaN on either side.
func.func @f32_nan() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 1.0, 0x7FC00000, 0x7FC00000]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7FC00000, 0x7F800000]> : tensor<4xf32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xf32>
  check.expect_eq_const %result, dense<0x7FC00000> : tensor<4xf32>
  return
}

// -----

// f16 in all quadrants.
func.func @f16() {
  %lhs = stablehlo.constant dense<[1.0, 1.0, -1.0, -1.0, 3.0, -0.25, 1.0]> : tensor<7xf16>
  %rhs = stablehlo.constant dense<[2.0, -2.0, -2.0, 2.0, 0.25, -3.0, 1.0]> : tensor<7xf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<7xf16>
  %expected = stablehlo.constant dense<[0.4636, 2.678, -2.678, -0.4636, 1.487, -3.059, 0.785]> : tensor<7xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<7xf16>, tensor<7xf16>
  return
}

// -----

// On the axes.
func.func @f16_axes() {
  %lhs = stablehlo.constant dense<[0.0, 1.0, -1.0, 1.0, 0.0, -0.0]> : tensor<6xf16>
  %rhs = stablehlo.constant dense<[1.0, 0.0, 0.0, -0.0, -1.0, -1.0]> : tensor<6xf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<6xf16>
  %expected = stablehlo.constant dense<[0.0, 1.57, -1.57, 1.57, 3.14, -3.14]> : tensor<6xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xf16>, tensor<6xf16>
  return
}

// -----

// Infinite coordinates.
func.func @f16_infinities() {
  %lhs = stablehlo.constant dense<[0x7C00, 0x7C00, 0xFC00, 0xFC00, 1.0, 1.0, -1.0, 0x7C00, 0xFC00]> : tensor<9xf16>
  %rhs = stablehlo.constant dense<[0x7C00, 0xFC00, 0xFC00, 0x7C00, 0x7C00, 0xFC00, 0xFC00, 1.0, -1.0]> : tensor<9xf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<9xf16>
  %expected = stablehlo.constant dense<[0.785, 2.355, -2.355, -0.785, 0.0, 3.14, -3.14, 1.57, -1.57]> : tensor<9xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<9xf16>, tensor<9xf16>
  return
}

// -----

// Both coordinates zero.
func.func @f16_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xf16>
  %rhs = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0]> : tensor<4xf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xf16>
  %expected = stablehlo.constant dense<[0.0, -0.0, 3.14, -3.14]> : tensor<4xf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xf16>, tensor<4xf16>
  return
}

// -----

// A zero angle has the sign of lhs.
func.func @f16_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 1.0, -1.0]> : tensor<6xf16>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 0x7C00, 0x7C00]> : tensor<6xf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<6xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<6xf16>) -> tensor<6xui16>
  check.expect_eq_const %bits, dense<[0, 0x8000, 0, 0x8000, 0, 0x8000]> : tensor<6xui16>
  return
}

// -----

// NaN on either side.
func.func @f16_nan() {
  %lhs = stablehlo.constant dense<[0x7E00, 1.0, 0x7E00, 0x7E00]> : tensor<4xf16>
  %rhs = stablehlo.constant dense<[1.0, 0x7E00, 0x7E00, 0x7C00]> : tensor<4xf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xf16>
  check.expect_eq_const %result, dense<0x7E00> : tensor<4xf16>
  return
}

// -----

// bf16 in all quadrants.
func.func @bf16() {
  %lhs = stablehlo.constant dense<[1.0, 1.0, -1.0, -1.0, 3.0, -0.25, 1.0]> : tensor<7xbf16>
  %rhs = stablehlo.constant dense<[2.0, -2.0, -2.0, 2.0, 0.25, -3.0, 1.0]> : tensor<7xbf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<7xbf16>
  %expected = stablehlo.constant dense<[0.463, 2.67, -2.67, -0.463, 1.484, -3.06, 0.785]> : tensor<7xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<7xbf16>, tensor<7xbf16>
  return
}

// -----

// On the axes.
func.func @bf16_axes() {
  %lhs = stablehlo.constant dense<[0.0, 1.0, -1.0, 1.0, 0.0, -0.0]> : tensor<6xbf16>
  %rhs = stablehlo.constant dense<[1.0, 0.0, 0.0, -0.0, -1.0, -1.0]> : tensor<6xbf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<6xbf16>
  %expected = stablehlo.constant dense<[0.0, 1.57, -1.57, 1.57, 3.14, -3.14]> : tensor<6xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<6xbf16>, tensor<6xbf16>
  return
}

// -----

// Infinite coordinates.
func.func @bf16_infinities() {
  %lhs = stablehlo.constant dense<[0x7F80, 0x7F80, 0xFF80, 0xFF80, 1.0, 1.0, -1.0, 0x7F80, 0xFF80]> : tensor<9xbf16>
  %rhs = stablehlo.constant dense<[0x7F80, 0xFF80, 0xFF80, 0x7F80, 0x7F80, 0xFF80, 0xFF80, 1.0, -1.0]> : tensor<9xbf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<9xbf16>
  %expected = stablehlo.constant dense<[0.785, 2.36, -2.36, -0.785, 0.0, 3.14, -3.14, 1.57, -1.57]> : tensor<9xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<9xbf16>, tensor<9xbf16>
  return
}

// -----

// Both coordinates zero.
func.func @bf16_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0]> : tensor<4xbf16>
  %rhs = stablehlo.constant dense<[0.0, 0.0, -0.0, -0.0]> : tensor<4xbf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xbf16>
  %expected = stablehlo.constant dense<[0.0, -0.0, 3.14, -3.14]> : tensor<4xbf16>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<4xbf16>, tensor<4xbf16>
  return
}

// -----

// A zero angle has the sign of lhs.
func.func @bf16_signed_zeros() {
  %lhs = stablehlo.constant dense<[0.0, -0.0, 0.0, -0.0, 1.0, -1.0]> : tensor<6xbf16>
  %rhs = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 0x7F80, 0x7F80]> : tensor<6xbf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<6xbf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<6xbf16>) -> tensor<6xui16>
  check.expect_eq_const %bits, dense<[0, 0x8000, 0, 0x8000, 0, 0x8000]> : tensor<6xui16>
  return
}

// -----

// NaN on either side.
func.func @bf16_nan() {
  %lhs = stablehlo.constant dense<[0x7FC0, 1.0, 0x7FC0, 0x7FC0]> : tensor<4xbf16>
  %rhs = stablehlo.constant dense<[1.0, 0x7FC0, 0x7FC0, 0x7F80]> : tensor<4xbf16>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<4xbf16>
  check.expect_eq_const %result, dense<0x7FC0> : tensor<4xbf16>
  return
}

// -----

// Quotients that overflow or underflow.
func.func @f32_range() {
  %lhs = stablehlo.constant dense<[1.0e30, 1.0e-30, 1.0e-30, 3.0e38, 1.0e-45]> : tensor<5xf32>
  %rhs = stablehlo.constant dense<[1.0e-30, 1.0e30, -1.0e30, 3.0e38, 1.0e-45]> : tensor<5xf32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<5xf32>
  %expected = stablehlo.constant dense<[1.5707964, 0.0, 3.1415927, 0.7853982, 0.7853982]> : tensor<5xf32>
  check.expect_close %result, %expected, max_ulp_difference = 1 : tensor<5xf32>, tensor<5xf32>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %lhs = stablehlo.constant dense<[1.0, 1.0, 0.0]> : tensor<3xf8E4M3FN>
  %rhs = stablehlo.constant dense<[1.0, -1.0, -1.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.8, 2.2, 3.2]> : tensor<3xf8E4M3FN>
  return
}

// -----

// -i log((x + iy) / sqrt(x^2 + y^2)).
func.func @complex_f32() {
  %lhs = stablehlo.constant dense<[(1.0, 0.0), (1.0, 2.0), (-0.5, 0.25)]> : tensor<3xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(1.0, 0.0), (0.5, -1.0), (2.0, 1.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %result, dense<[(0.7853982, 0.0), (1.9081668, 0.37908688), (-0.15485147, 0.19797051)]> : tensor<3xcomplex<f32>> {tolerance = 1.0e-7 : f64}
  return
}

// -----

// -i log((x + iy) / sqrt(x^2 + y^2)).
func.func @complex_f64() {
  %lhs = stablehlo.constant dense<[(1.0, 0.0), (1.0, 2.0), (-0.5, 0.25)]> : tensor<3xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, 0.0), (0.5, -1.0), (2.0, 1.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %result, dense<[(0.7853981633974483, 0.0), (1.908166797906673, 0.3790868723420221), (-0.1548514722712281, 0.19797050531140858)]> : tensor<3xcomplex<f64>> {tolerance = 1.0e-15 : f64}
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f64_vector() {
  %lhs = stablehlo.constant dense<[2.5, -3.0, 0.5, 7.0, -1.25, 0x7FF8000000000000, 1.0, 0x7FF0000000000000, 2.0, 0xFFF0000000000000, 0.0]> : tensor<11xf64>
  %lhs_rows = stablehlo.broadcast_in_dim %lhs, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %lhs_vector = stablehlo.reshape %lhs_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %rhs = stablehlo.constant dense<[1.5, 0.75, -2.0, 3.0, -0.5, 1.0, 0x7FF8000000000000, 2.0, 0x7FF0000000000000, -1.0, 3.0]> : tensor<11xf64>
  %rhs_rows = stablehlo.broadcast_in_dim %rhs, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %rhs_vector = stablehlo.reshape %rhs_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %expected = stablehlo.constant dense<[1.0303768265243125, -1.3258176636680326, 2.896613990462929, 1.1659045405098132, -1.9513027039072615, 0x7FF8000000000000, 0x7FF8000000000000, 1.5707963267948966, 0.0, -1.5707963267948966, 0.0]> : tensor<11xf64>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf64>) -> tensor<7x11xf64>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf64>) -> tensor<77xf64>
  %result = stablehlo.atan2 %lhs_vector, %rhs_vector : tensor<77xf64>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf64>, tensor<77xf64>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f32_vector() {
  %lhs = stablehlo.constant dense<[2.5, -3.0, 0.5, 7.0, -1.25, 0x7FC00000, 1.0, 0x7F800000, 2.0, 0xFF800000, 0.0]> : tensor<11xf32>
  %lhs_rows = stablehlo.broadcast_in_dim %lhs, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %lhs_vector = stablehlo.reshape %lhs_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %rhs = stablehlo.constant dense<[1.5, 0.75, -2.0, 3.0, -0.5, 1.0, 0x7FC00000, 2.0, 0x7F800000, -1.0, 3.0]> : tensor<11xf32>
  %rhs_rows = stablehlo.broadcast_in_dim %rhs, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %rhs_vector = stablehlo.reshape %rhs_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %expected = stablehlo.constant dense<[1.0303768, -1.3258177, 2.896614, 1.1659045, -1.9513026, 0x7FC00000, 0x7FC00000, 1.5707964, 0.0, -1.5707964, 0.0]> : tensor<11xf32>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf32>) -> tensor<7x11xf32>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf32>) -> tensor<77xf32>
  %result = stablehlo.atan2 %lhs_vector, %rhs_vector : tensor<77xf32>
  check.expect_close %result, %expected_vector, max_ulp_difference = 2 : tensor<77xf32>, tensor<77xf32>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @f16_vector() {
  %lhs = stablehlo.constant dense<[2.5, -3.0, 0.5, 7.0, -1.25, 0x7E00, 1.0, 0x7C00, 2.0, 0xFC00, 0.0]> : tensor<11xf16>
  %lhs_rows = stablehlo.broadcast_in_dim %lhs, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %lhs_vector = stablehlo.reshape %lhs_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %rhs = stablehlo.constant dense<[1.5, 0.75, -2.0, 3.0, -0.5, 1.0, 0x7E00, 2.0, 0x7C00, -1.0, 3.0]> : tensor<11xf16>
  %rhs_rows = stablehlo.broadcast_in_dim %rhs, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %rhs_vector = stablehlo.reshape %rhs_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %expected = stablehlo.constant dense<[1.03, -1.326, 2.896, 1.166, -1.951, 0x7E00, 0x7E00, 1.57, 0.0, -1.57, 0.0]> : tensor<11xf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xf16>) -> tensor<7x11xf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xf16>) -> tensor<77xf16>
  %result = stablehlo.atan2 %lhs_vector, %rhs_vector : tensor<77xf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xf16>, tensor<77xf16>
  return
}

// -----

// 7 copies of 11 elements: vector registers and a rest.
func.func @bf16_vector() {
  %lhs = stablehlo.constant dense<[2.5, -3.0, 0.5, 7.0, -1.25, 0x7FC0, 1.0, 0x7F80, 2.0, 0xFF80, 0.0]> : tensor<11xbf16>
  %lhs_rows = stablehlo.broadcast_in_dim %lhs, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %lhs_vector = stablehlo.reshape %lhs_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %rhs = stablehlo.constant dense<[1.5, 0.75, -2.0, 3.0, -0.5, 1.0, 0x7FC0, 2.0, 0x7F80, -1.0, 3.0]> : tensor<11xbf16>
  %rhs_rows = stablehlo.broadcast_in_dim %rhs, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %rhs_vector = stablehlo.reshape %rhs_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %expected = stablehlo.constant dense<[1.03, -1.33, 2.89, 1.164, -1.95, 0x7FC0, 0x7FC0, 1.57, 0.0, -1.57, 0.0]> : tensor<11xbf16>
  %expected_rows = stablehlo.broadcast_in_dim %expected, dims = [1] : (tensor<11xbf16>) -> tensor<7x11xbf16>
  %expected_vector = stablehlo.reshape %expected_rows : (tensor<7x11xbf16>) -> tensor<77xbf16>
  %result = stablehlo.atan2 %lhs_vector, %rhs_vector : tensor<77xbf16>
  check.expect_close %result, %expected_vector, max_ulp_difference = 1 : tensor<77xbf16>, tensor<77xbf16>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %lhs = stablehlo.constant dense<1.0> : tensor<f32>
  %rhs = stablehlo.constant dense<-1.0> : tensor<f32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<f32>
  %expected = stablehlo.constant dense<2.3561945> : tensor<f32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<f32>, tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %rhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<2x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %lhs = stablehlo.constant dense<[[[-5.5, -4.5], [-3.5, -2.5], [-1.5, -0.5]], [[0.5, 1.5], [2.5, 3.5], [4.5, 5.5]]]> : tensor<2x3x2xf32>
  %rhs = stablehlo.constant dense<[[[-2.5, -1.5], [-0.5, 0.5], [1.5, -2.5]], [[-1.5, -0.5], [0.5, 1.5], [-2.5, -1.5]]]> : tensor<2x3x2xf32>
  %result = stablehlo.atan2 %lhs, %rhs : tensor<2x3x2xf32>
  %expected = stablehlo.constant dense<[[[-1.9974238, -1.8925469], [-1.7126933, -1.3734008], [-0.7853982, -2.9441972]], [[2.819842, 1.8925469], [1.3734008, 1.1659045], [2.077895, 1.8370484]]]> : tensor<2x3x2xf32>
  check.expect_close %result, %expected, max_ulp_difference = 2 : tensor<2x3x2xf32>, tensor<2x3x2xf32>
  return
}
