// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `not`: of booleans, and of each bit of integers.

// Booleans.
func.func @i1() {
  %operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %result = stablehlo.not %operand : tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  return
}

// -----

// i8.
func.func @i8() {
  %operand = stablehlo.constant dense<[0, 1, -1, 127, -128, 85]> : tensor<6xi8>
  %result = stablehlo.not %operand : tensor<6xi8>
  check.expect_eq_const %result, dense<[-1, -2, 0, -128, 127, -86]> : tensor<6xi8>
  return
}

// -----

// i16.
func.func @i16() {
  %operand = stablehlo.constant dense<[0, 1, -1, 32767, -32768, 85]> : tensor<6xi16>
  %result = stablehlo.not %operand : tensor<6xi16>
  check.expect_eq_const %result, dense<[-1, -2, 0, -32768, 32767, -86]> : tensor<6xi16>
  return
}

// -----

// i32.
func.func @i32() {
  %operand = stablehlo.constant dense<[0, 1, -1, 2147483647, -2147483648, 85]> : tensor<6xi32>
  %result = stablehlo.not %operand : tensor<6xi32>
  check.expect_eq_const %result, dense<[-1, -2, 0, -2147483648, 2147483647, -86]> : tensor<6xi32>
  return
}

// -----

// i64.
func.func @i64() {
  %operand = stablehlo.constant dense<[0, 1, -1, 9223372036854775807, -9223372036854775808, 85]> : tensor<6xi64>
  %result = stablehlo.not %operand : tensor<6xi64>
  check.expect_eq_const %result, dense<[-1, -2, 0, -9223372036854775808, 9223372036854775807, -86]> : tensor<6xi64>
  return
}

// -----

// ui8.
func.func @ui8() {
  %operand = stablehlo.constant dense<[0, 1, 255, 85]> : tensor<4xui8>
  %result = stablehlo.not %operand : tensor<4xui8>
  check.expect_eq_const %result, dense<[255, 254, 0, 170]> : tensor<4xui8>
  return
}

// -----

// ui16.
func.func @ui16() {
  %operand = stablehlo.constant dense<[0, 1, 65535, 85]> : tensor<4xui16>
  %result = stablehlo.not %operand : tensor<4xui16>
  check.expect_eq_const %result, dense<[65535, 65534, 0, 65450]> : tensor<4xui16>
  return
}

// -----

// ui32.
func.func @ui32() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 85]> : tensor<4xui32>
  %result = stablehlo.not %operand : tensor<4xui32>
  check.expect_eq_const %result, dense<[4294967295, 4294967294, 0, 4294967210]> : tensor<4xui32>
  return
}

// -----

// ui64.
func.func @ui64() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 85]> : tensor<4xui64>
  %result = stablehlo.not %operand : tensor<4xui64>
  check.expect_eq_const %result, dense<[18446744073709551615, 18446744073709551614, 0, 18446744073709551530]> : tensor<4xui64>
  return
}

// -----

// i4.
func.func @i4() {
  %operand = stablehlo.constant dense<[0, 1, -1, 7, -8]> : tensor<5xi4>
  %result = stablehlo.not %operand : tensor<5xi4>
  check.expect_eq_const %result, dense<[-1, -2, 0, -8, 7]> : tensor<5xi4>
  return
}

// -----

// ui4.
func.func @ui4() {
  %operand = stablehlo.constant dense<[0, 1, 15, 5]> : tensor<4xui4>
  %result = stablehlo.not %operand : tensor<4xui4>
  check.expect_eq_const %result, dense<[15, 14, 0, 10]> : tensor<4xui4>
  return
}

// -----

// i2.
func.func @i2() {
  %operand = stablehlo.constant dense<[0, 1, -1, -2]> : tensor<4xi2>
  %result = stablehlo.not %operand : tensor<4xi2>
  check.expect_eq_const %result, dense<[-1, -2, 0, 1]> : tensor<4xi2>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<true> : tensor<i1>
  %result = stablehlo.not %operand : tensor<i1>
  check.expect_eq_const %result, dense<false> : tensor<i1>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<3x0xi32>
  %result = stablehlo.not %operand : tensor<3x0xi32>
  check.expect_eq_const %result, dense<> : tensor<3x0xi32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %result = stablehlo.not %operand : tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[-1, -2], [-3, -4], [-5, -6]], [[-7, -8], [-9, -10], [-11, -12]]]> : tensor<2x3x2xi32>
  return
}
