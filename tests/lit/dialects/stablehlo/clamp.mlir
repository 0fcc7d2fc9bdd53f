// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `clamp`: min(max(operand, lower), upper); each bound may be of rank 0.

// i8, signed; bounds that cross give the upper one.
func.func @i8() {
  %lower = stablehlo.constant dense<[-1, -1, -1, -128, 3]> : tensor<5xi8>
  %operand = stablehlo.constant dense<[-5, 0, 5, -128, 2]> : tensor<5xi8>
  %upper = stablehlo.constant dense<[1, 1, 1, 127, 1]> : tensor<5xi8>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<5xi8>
  check.expect_eq_const %result, dense<[-1, 0, 1, -128, 1]> : tensor<5xi8>
  return
}

// -----

// i16, signed; bounds that cross give the upper one.
func.func @i16() {
  %lower = stablehlo.constant dense<[-1, -1, -1, -32768, 3]> : tensor<5xi16>
  %operand = stablehlo.constant dense<[-5, 0, 5, -32768, 2]> : tensor<5xi16>
  %upper = stablehlo.constant dense<[1, 1, 1, 32767, 1]> : tensor<5xi16>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<5xi16>
  check.expect_eq_const %result, dense<[-1, 0, 1, -32768, 1]> : tensor<5xi16>
  return
}

// -----

// i32, signed; bounds that cross give the upper one.
func.func @i32() {
  %lower = stablehlo.constant dense<[-1, -1, -1, -2147483648, 3]> : tensor<5xi32>
  %operand = stablehlo.constant dense<[-5, 0, 5, -2147483648, 2]> : tensor<5xi32>
  %upper = stablehlo.constant dense<[1, 1, 1, 2147483647, 1]> : tensor<5xi32>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<5xi32>
  check.expect_eq_const %result, dense<[-1, 0, 1, -2147483648, 1]> : tensor<5xi32>
  return
}

// -----

// i64, signed; bounds that cross give the upper one.
func.func @i64() {
  %lower = stablehlo.constant dense<[-1, -1, -1, -9223372036854775808, 3]> : tensor<5xi64>
  %operand = stablehlo.constant dense<[-5, 0, 5, -9223372036854775808, 2]> : tensor<5xi64>
  %upper = stablehlo.constant dense<[1, 1, 1, 9223372036854775807, 1]> : tensor<5xi64>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<5xi64>
  check.expect_eq_const %result, dense<[-1, 0, 1, -9223372036854775808, 1]> : tensor<5xi64>
  return
}

// -----

// i4, signed; bounds that cross give the upper one.
func.func @i4() {
  %lower = stablehlo.constant dense<[-1, -1, -1, -8, 3]> : tensor<5xi4>
  %operand = stablehlo.constant dense<[-5, 0, 5, -8, 2]> : tensor<5xi4>
  %upper = stablehlo.constant dense<[1, 1, 1, 7, 1]> : tensor<5xi4>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<5xi4>
  check.expect_eq_const %result, dense<[-1, 0, 1, -8, 1]> : tensor<5xi4>
  return
}

// -----

// ui8, unsigned.
func.func @ui8() {
  %lower = stablehlo.constant dense<[1, 1, 1, 0, 3]> : tensor<5xui8>
  %operand = stablehlo.constant dense<[0, 2, 255, 128, 2]> : tensor<5xui8>
  %upper = stablehlo.constant dense<[5, 5, 5, 255, 1]> : tensor<5xui8>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<5xui8>
  check.expect_eq_const %result, dense<[1, 2, 5, 128, 1]> : tensor<5xui8>
  return
}

// -----

// ui16, unsigned.
func.func @ui16() {
  %lower = stablehlo.constant dense<[1, 1, 1, 0, 3]> : tensor<5xui16>
  %operand = stablehlo.constant dense<[0, 2, 65535, 32768, 2]> : tensor<5xui16>
  %upper = stablehlo.constant dense<[5, 5, 5, 65535, 1]> : tensor<5xui16>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<5xui16>
  check.expect_eq_const %result, dense<[1, 2, 5, 32768, 1]> : tensor<5xui16>
  return
}

// -----

// ui32, unsigned.
func.func @ui32() {
  %lower = stablehlo.constant dense<[1, 1, 1, 0, 3]> : tensor<5xui32>
  %operand = stablehlo.constant dense<[0, 2, 4294967295, 2147483648, 2]> : tensor<5xui32>
  %upper = stablehlo.constant dense<[5, 5, 5, 4294967295, 1]> : tensor<5xui32>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<5xui32>
  check.expect_eq_const %result, dense<[1, 2, 5, 2147483648, 1]> : tensor<5xui32>
  return
}

// -----

// ui64, unsigned.
func.func @ui64() {
  %lower = stablehlo.constant dense<[1, 1, 1, 0, 3]> : tensor<5xui64>
  %operand = stablehlo.constant dense<[0, 2, 18446744073709551615, 9223372036854775808, 2]> : tensor<5xui64>
  %upper = stablehlo.constant dense<[5, 5, 5, 18446744073709551615, 1]> : tensor<5xui64>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<5xui64>
  check.expect_eq_const %result, dense<[1, 2, 5, 9223372036854775808, 1]> : tensor<5xui64>
  return
}

// -----

// ui4, unsigned.
func.func @ui4() {
  %lower = stablehlo.constant dense<[1, 1, 1, 0, 3]> : tensor<5xui4>
  %operand = stablehlo.constant dense<[0, 2, 15, 8, 2]> : tensor<5xui4>
  %upper = stablehlo.constant dense<[5, 5, 5, 15, 1]> : tensor<5xui4>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<5xui4>
  check.expect_eq_const %result, dense<[1, 2, 5, 8, 1]> : tensor<5xui4>
  return
}

// -----

// f64, with infinities; bounds that cross give the upper one.
func.func @f64() {
  %lower = stablehlo.constant dense<[-1.0, -1.0, -1.0, 0xFFF0000000000000, 0.0, 3.0]> : tensor<6xf64>
  %operand = stablehlo.constant dense<[-2.5, 0.5, 2.5, 0x7FF0000000000000, 0xFFF0000000000000, 2.0]> : tensor<6xf64>
  %upper = stablehlo.constant dense<[1.0, 1.0, 1.0, 1.0, 0x7FF0000000000000, 1.0]> : tensor<6xf64>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<6xf64>
  check.expect_eq_const %result, dense<[-1.0, 0.5, 1.0, 1.0, 0.0, 1.0]> : tensor<6xf64>
  return
}

// -----

// NaN in any place.
func.func @f64_nan() {
  %lower = stablehlo.constant dense<[0x7FF8000000000000, 0.0, 0.0, 0x7FF8000000000000]> : tensor<4xf64>
  %operand = stablehlo.constant dense<[1.0, 0x7FF8000000000000, 1.0, 0x7FF8000000000000]> : tensor<4xf64>
  %upper = stablehlo.constant dense<[2.0, 2.0, 0x7FF8000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<4xf64>
  check.expect_eq_const %result, dense<0x7FF8000000000000> : tensor<4xf64>
  return
}

// -----

// -0 is less than +0.
func.func @f64_signed_zeros() {
  %lower = stablehlo.constant dense<[0.0, -0.0, -1.0]> : tensor<3xf64>
  %operand = stablehlo.constant dense<[-0.0, 0.0, 0.0]> : tensor<3xf64>
  %upper = stablehlo.constant dense<[1.0, 1.0, -0.0]> : tensor<3xf64>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<3xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<3xf64>) -> tensor<3xui64>
  check.expect_eq_const %bits, dense<[0, 0, 0x8000000000000000]> : tensor<3xui64>
  return
}

// -----

// f32, with infinities; bounds that cross give the upper one.
func.func @f32() {
  %lower = stablehlo.constant dense<[-1.0, -1.0, -1.0, 0xFF800000, 0.0, 3.0]> : tensor<6xf32>
  %operand = stablehlo.constant dense<[-2.5, 0.5, 2.5, 0x7F800000, 0xFF800000, 2.0]> : tensor<6xf32>
  %upper = stablehlo.constant dense<[1.0, 1.0, 1.0, 1.0, 0x7F800000, 1.0]> : tensor<6xf32>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<6xf32>
  check.expect_eq_const %result, dense<[-1.0, 0.5, 1.0, 1.0, 0.0, 1.0]> : tensor<6xf32>
  return
}

// -----

// NaN in any place.
func.func @f32_nan() {
  %lower = stablehlo.constant dense<[0x7FC00000, 0.0, 0.0, 0x7FC00000]> : tensor<4xf32>
  %operand = stablehlo.constant dense<[1.0, 0x7FC00000, 1.0, 0x7FC00000]> : tensor<4xf32>
  %upper = stablehlo.constant dense<[2.0, 2.0, 0x7FC00000, 0x7FC00000]> : tensor<4xf32>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<4xf32>
  check.expect_eq_const %result, dense<0x7FC00000> : tensor<4xf32>
  return
}

// -----

// -0 is less than +0.
func.func @f32_signed_zeros() {
  %lower = stablehlo.constant dense<[0.0, -0.0, -1.0]> : tensor<3xf32>
  %operand = stablehlo.constant dense<[-0.0, 0.0, 0.0]> : tensor<3xf32>
  %upper = stablehlo.constant dense<[1.0, 1.0, -0.0]> : tensor<3xf32>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<3xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %bits, dense<[0, 0, 0x80000000]> : tensor<3xui32>
  return
}

// -----

// f16, with infinities; bounds that cross give the upper one.
func.func @f16() {
  %lower = stablehlo.constant dense<[-1.0, -1.0, -1.0, 0xFC00, 0.0, 3.0]> : tensor<6xf16>
  %operand = stablehlo.constant dense<[-2.5, 0.5, 2.5, 0x7C00, 0xFC00, 2.0]> : tensor<6xf16>
  %upper = stablehlo.constant dense<[1.0, 1.0, 1.0, 1.0, 0x7C00, 1.0]> : tensor<6xf16>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<6xf16>
  check.expect_eq_const %result, dense<[-1.0, 0.5, 1.0, 1.0, 0.0, 1.0]> : tensor<6xf16>
  return
}

// -----

// NaN in any place.
func.func @f16_nan() {
  %lower = stablehlo.constant dense<[0x7E00, 0.0, 0.0, 0x7E00]> : tensor<4xf16>
  %operand = stablehlo.constant dense<[1.0, 0x7E00, 1.0, 0x7E00]> : tensor<4xf16>
  %upper = stablehlo.constant dense<[2.0, 2.0, 0x7E00, 0x7E00]> : tensor<4xf16>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<4xf16>
  check.expect_eq_const %result, dense<0x7E00> : tensor<4xf16>
  return
}

// -----

// -0 is less than +0.
func.func @f16_signed_zeros() {
  %lower = stablehlo.constant dense<[0.0, -0.0, -1.0]> : tensor<3xf16>
  %operand = stablehlo.constant dense<[-0.0, 0.0, 0.0]> : tensor<3xf16>
  %upper = stablehlo.constant dense<[1.0, 1.0, -0.0]> : tensor<3xf16>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<3xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<3xf16>) -> tensor<3xui16>
  check.expect_eq_const %bits, dense<[0, 0, 0x8000]> : tensor<3xui16>
  return
}

// -----

// bf16, with infinities; bounds that cross give the upper one.
func.func @bf16() {
  %lower = stablehlo.constant dense<[-1.0, -1.0, -1.0, 0xFF80, 0.0, 3.0]> : tensor<6xbf16>
  %operand = stablehlo.constant dense<[-2.5, 0.5, 2.5, 0x7F80, 0xFF80, 2.0]> : tensor<6xbf16>
  %upper = stablehlo.constant dense<[1.0, 1.0, 1.0, 1.0, 0x7F80, 1.0]> : tensor<6xbf16>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<6xbf16>
  check.expect_eq_const %result, dense<[-1.0, 0.5, 1.0, 1.0, 0.0, 1.0]> : tensor<6xbf16>
  return
}

// -----

// NaN in any place.
func.func @bf16_nan() {
  %lower = stablehlo.constant dense<[0x7FC0, 0.0, 0.0, 0x7FC0]> : tensor<4xbf16>
  %operand = stablehlo.constant dense<[1.0, 0x7FC0, 1.0, 0x7FC0]> : tensor<4xbf16>
  %upper = stablehlo.constant dense<[2.0, 2.0, 0x7FC0, 0x7FC0]> : tensor<4xbf16>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<4xbf16>
  check.expect_eq_const %result, dense<0x7FC0> : tensor<4xbf16>
  return
}

// -----

// -0 is less than +0.
func.func @bf16_signed_zeros() {
  %lower = stablehlo.constant dense<[0.0, -0.0, -1.0]> : tensor<3xbf16>
  %operand = stablehlo.constant dense<[-0.0, 0.0, 0.0]> : tensor<3xbf16>
  %upper = stablehlo.constant dense<[1.0, 1.0, -0.0]> : tensor<3xbf16>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<3xbf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<3xbf16>) -> tensor<3xui16>
  check.expect_eq_const %bits, dense<[0, 0, 0x8000]> : tensor<3xui16>
  return
}

// -----

// Booleans.
func.func @i1() {
  %lower = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %operand = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %upper = stablehlo.constant dense<[true, true, false, false]> : tensor<4xi1>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<4xi1>
  check.expect_eq_const %result, dense<[true, true, false, false]> : tensor<4xi1>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %lower = stablehlo.constant dense<[-1.0, -1.0, 0.0]> : tensor<3xf8E4M3FN>
  %operand = stablehlo.constant dense<[-2.5, 2.5, 0x7F]> : tensor<3xf8E4M3FN>
  %upper = stablehlo.constant dense<1.0> : tensor<3xf8E4M3FN>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[-1.0, 1.0, 0x7F]> : tensor<3xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %lower = stablehlo.constant dense<[-1.0, -1.0, 0.0]> : tensor<3xf8E5M2>
  %operand = stablehlo.constant dense<[-2.5, 2.5, 0x7E]> : tensor<3xf8E5M2>
  %upper = stablehlo.constant dense<1.0> : tensor<3xf8E5M2>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[-1.0, 1.0, 0x7E]> : tensor<3xf8E5M2>
  return
}

// -----

// Complex numbers in lexicographic order.
func.func @complex_f32() {
  %lower = stablehlo.constant dense<(0.0, 0.0)> : tensor<3xcomplex<f32>>
  %operand = stablehlo.constant dense<[(-1.0, 5.0), (0.0, 1.0), (3.0, 0.0)]> : tensor<3xcomplex<f32>>
  %upper = stablehlo.constant dense<(2.0, 2.0)> : tensor<3xcomplex<f32>>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (0.0, 1.0), (2.0, 2.0)]> : tensor<3xcomplex<f32>>
  return
}

// -----

// Both bounds of rank 0.
func.func @scalar_bounds() {
  %lower = stablehlo.constant dense<-1> : tensor<i32>
  %operand = stablehlo.constant dense<[[-3, -1, 0], [1, 2, 9]]> : tensor<2x3xi32>
  %upper = stablehlo.constant dense<2> : tensor<i32>
  %result = stablehlo.clamp %lower, %operand, %upper : (tensor<i32>, tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[-1, -1, 0], [1, 2, 2]]> : tensor<2x3xi32>
  return
}

// -----

// The lower bound of rank 0.
func.func @scalar_lower() {
  %lower = stablehlo.constant dense<-1> : tensor<i32>
  %operand = stablehlo.constant dense<[[-3, -1, 0], [1, 2, 9]]> : tensor<2x3xi32>
  %upper = stablehlo.constant dense<[[0, -2, 5], [0, 5, 5]]> : tensor<2x3xi32>
  %result = stablehlo.clamp %lower, %operand, %upper : (tensor<i32>, tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[-1, -2, 0], [0, 2, 5]]> : tensor<2x3xi32>
  return
}

// -----

// The upper bound of rank 0.
func.func @scalar_upper() {
  %lower = stablehlo.constant dense<[[0, 0, 0], [2, 2, 2]]> : tensor<2x3xi32>
  %operand = stablehlo.constant dense<[[-3, -1, 0], [1, 2, 9]]> : tensor<2x3xi32>
  %upper = stablehlo.constant dense<1> : tensor<i32>
  %result = stablehlo.clamp %lower, %operand, %upper : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[0, 0, 0], [1, 1, 1]]> : tensor<2x3xi32>
  return
}

// -----

// All of rank 0.
func.func @rank_0() {
  %lower = stablehlo.constant dense<-1.0> : tensor<f32>
  %operand = stablehlo.constant dense<7.0> : tensor<f32>
  %upper = stablehlo.constant dense<1.0> : tensor<f32>
  %result = stablehlo.clamp %lower, %operand, %upper : tensor<f32>
  check.expect_eq_const %result, dense<1.0> : tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %lower = stablehlo.constant dense<0.0> : tensor<f32>
  %operand = stablehlo.constant dense<> : tensor<0x2xf32>
  %upper = stablehlo.constant dense<1.0> : tensor<f32>
  %result = stablehlo.clamp %lower, %operand, %upper : (tensor<f32>, tensor<0x2xf32>, tensor<f32>) -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %lower = stablehlo.constant dense<2> : tensor<i32>
  %operand = stablehlo.constant dense<[[[0, 1], [2, 3]], [[4, 5], [6, 7]], [[8, 9], [10, 11]]]> : tensor<3x2x2xi32>
  %upper = stablehlo.constant dense<8> : tensor<i32>
  %result = stablehlo.clamp %lower, %operand, %upper : (tensor<i32>, tensor<3x2x2xi32>, tensor<i32>) -> tensor<3x2x2xi32>
  check.expect_eq_const %result, dense<[[[2, 2], [2, 3]], [[4, 5], [6, 7]], [[8, 8], [8, 8]]]> : tensor<3x2x2xi32>
  return
}
