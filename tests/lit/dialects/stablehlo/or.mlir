// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `or` of booleans, and of each bit of integers.

// Booleans.
func.func @i1() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %result = stablehlo.or %lhs, %rhs : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, true]> : tensor<4xi1>
  return
}

// -----

// i8.
func.func @i8() {
  %lhs = stablehlo.constant dense<[5, -1, -128, -128, 0]> : tensor<5xi8>
  %rhs = stablehlo.constant dense<[3, 6, 127, -1, -5]> : tensor<5xi8>
  %result = stablehlo.or %lhs, %rhs : tensor<5xi8>
  check.expect_eq_const %result, dense<[7, -1, -1, -1, -5]> : tensor<5xi8>
  return
}

// -----

// i16.
func.func @i16() {
  %lhs = stablehlo.constant dense<[5, -1, -32768, -32768, 0]> : tensor<5xi16>
  %rhs = stablehlo.constant dense<[3, 6, 32767, -1, -5]> : tensor<5xi16>
  %result = stablehlo.or %lhs, %rhs : tensor<5xi16>
  check.expect_eq_const %result, dense<[7, -1, -1, -1, -5]> : tensor<5xi16>
  return
}

// -----

// i32.
func.func @i32() {
  %lhs = stablehlo.constant dense<[5, -1, -2147483648, -2147483648, 0]> : tensor<5xi32>
  %rhs = stablehlo.constant dense<[3, 6, 2147483647, -1, -5]> : tensor<5xi32>
  %result = stablehlo.or %lhs, %rhs : tensor<5xi32>
  check.expect_eq_const %result, dense<[7, -1, -1, -1, -5]> : tensor<5xi32>
  return
}

// -----

// i64.
func.func @i64() {
  %lhs = stablehlo.constant dense<[5, -1, -9223372036854775808, -9223372036854775808, 0]> : tensor<5xi64>
  %rhs = stablehlo.constant dense<[3, 6, 9223372036854775807, -1, -5]> : tensor<5xi64>
  %result = stablehlo.or %lhs, %rhs : tensor<5xi64>
  check.expect_eq_const %result, dense<[7, -1, -1, -1, -5]> : tensor<5xi64>
  return
}

// -----

// i4.
func.func @i4() {
  %lhs = stablehlo.constant dense<[5, -1, -8, -8, 0]> : tensor<5xi4>
  %rhs = stablehlo.constant dense<[3, 6, 7, -1, -5]> : tensor<5xi4>
  %result = stablehlo.or %lhs, %rhs : tensor<5xi4>
  check.expect_eq_const %result, dense<[7, -1, -1, -1, -5]> : tensor<5xi4>
  return
}

// -----

// ui8.
func.func @ui8() {
  %lhs = stablehlo.constant dense<[5, 255, 128, 255]> : tensor<4xui8>
  %rhs = stablehlo.constant dense<[3, 6, 127, 255]> : tensor<4xui8>
  %result = stablehlo.or %lhs, %rhs : tensor<4xui8>
  check.expect_eq_const %result, dense<[7, 255, 255, 255]> : tensor<4xui8>
  return
}

// -----

// ui16.
func.func @ui16() {
  %lhs = stablehlo.constant dense<[5, 65535, 32768, 65535]> : tensor<4xui16>
  %rhs = stablehlo.constant dense<[3, 6, 32767, 65535]> : tensor<4xui16>
  %result = stablehlo.or %lhs, %rhs : tensor<4xui16>
  check.expect_eq_const %result, dense<[7, 65535, 65535, 65535]> : tensor<4xui16>
  return
}

// -----

// ui32.
func.func @ui32() {
  %lhs = stablehlo.constant dense<[5, 4294967295, 2147483648, 4294967295]> : tensor<4xui32>
  %rhs = stablehlo.constant dense<[3, 6, 2147483647, 4294967295]> : tensor<4xui32>
  %result = stablehlo.or %lhs, %rhs : tensor<4xui32>
  check.expect_eq_const %result, dense<[7, 4294967295, 4294967295, 4294967295]> : tensor<4xui32>
  return
}

// -----

// ui64.
func.func @ui64() {
  %lhs = stablehlo.constant dense<[5, 18446744073709551615, 9223372036854775808, 18446744073709551615]> : tensor<4xui64>
  %rhs = stablehlo.constant dense<[3, 6, 9223372036854775807, 18446744073709551615]> : tensor<4xui64>
  %result = stablehlo.or %lhs, %rhs : tensor<4xui64>
  check.expect_eq_const %result, dense<[7, 18446744073709551615, 18446744073709551615, 18446744073709551615]> : tensor<4xui64>
  return
}

// -----

// ui4.
func.func @ui4() {
  %lhs = stablehlo.constant dense<[5, 15, 8, 15]> : tensor<4xui4>
  %rhs = stablehlo.constant dense<[3, 6, 7, 15]> : tensor<4xui4>
  %result = stablehlo.or %lhs, %rhs : tensor<4xui4>
  check.expect_eq_const %result, dense<[7, 15, 15, 15]> : tensor<4xui4>
  return
}

// -----

// i2.
func.func @i2() {
  %lhs = stablehlo.constant dense<[1, -1, 1]> : tensor<3xi2>
  %rhs = stablehlo.constant dense<[-2, -2, 1]> : tensor<3xi2>
  %result = stablehlo.or %lhs, %rhs : tensor<3xi2>
  check.expect_eq_const %result, dense<[-1, -1, 1]> : tensor<3xi2>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %lhs = stablehlo.constant dense<6> : tensor<i32>
  %rhs = stablehlo.constant dense<4> : tensor<i32>
  %result = stablehlo.or %lhs, %rhs : tensor<i32>
  check.expect_eq_const %result, dense<6> : tensor<i32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xi32>
  %rhs = stablehlo.constant dense<> : tensor<2x0xi32>
  %result = stablehlo.or %lhs, %rhs : tensor<2x0xi32>
  check.expect_eq_const %result, dense<> : tensor<2x0xi32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %lhs = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %rhs = stablehlo.constant dense<[[[1, 6], [4, 2], [7, 5]], [[3, 1], [6, 4], [2, 7]]]> : tensor<2x3x2xi32>
  %result = stablehlo.or %lhs, %rhs : tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[1, 7], [6, 3], [7, 5]], [[7, 7], [14, 13], [10, 15]]]> : tensor<2x3x2xi32>
  return
}
