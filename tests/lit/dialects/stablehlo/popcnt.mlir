// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `popcnt`: the number of bits that are 1.

// i8: none, one, the greatest, the least and others.
func.func @i8() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, -1, 2, 3, 85, 16]> : tensor<9xi8>
  %result = stablehlo.popcnt %operand : tensor<9xi8>
  check.expect_eq_const %result, dense<[0, 1, 7, 1, 8, 1, 2, 4, 1]> : tensor<9xi8>
  return
}

// -----

// i16: none, one, the greatest, the least and others.
func.func @i16() {
  %operand = stablehlo.constant dense<[0, 1, 32767, -32768, -1, 2, 3, 85, 16, 16384, 255]> : tensor<11xi16>
  %result = stablehlo.popcnt %operand : tensor<11xi16>
  check.expect_eq_const %result, dense<[0, 1, 15, 1, 16, 1, 2, 4, 1, 1, 8]> : tensor<11xi16>
  return
}

// -----

// i32: none, one, the greatest, the least and others.
func.func @i32() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -1, 2, 3, 85, 16, 1073741824, 65535]> : tensor<11xi32>
  %result = stablehlo.popcnt %operand : tensor<11xi32>
  check.expect_eq_const %result, dense<[0, 1, 31, 1, 32, 1, 2, 4, 1, 1, 16]> : tensor<11xi32>
  return
}

// -----

// i64: none, one, the greatest, the least and others.
func.func @i64() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, -1, 2, 3, 85, 16, 4611686018427387904, 4294967295]> : tensor<11xi64>
  %result = stablehlo.popcnt %operand : tensor<11xi64>
  check.expect_eq_const %result, dense<[0, 1, 63, 1, 64, 1, 2, 4, 1, 1, 32]> : tensor<11xi64>
  return
}

// -----

// ui8: none, one, the greatest, the least and others.
func.func @ui8() {
  %operand = stablehlo.constant dense<[0, 1, 255, 128, 2, 3, 85, 16]> : tensor<8xui8>
  %result = stablehlo.popcnt %operand : tensor<8xui8>
  check.expect_eq_const %result, dense<[0, 1, 8, 1, 1, 2, 4, 1]> : tensor<8xui8>
  return
}

// -----

// ui16: none, one, the greatest, the least and others.
func.func @ui16() {
  %operand = stablehlo.constant dense<[0, 1, 65535, 32768, 2, 3, 85, 16, 16384, 255]> : tensor<10xui16>
  %result = stablehlo.popcnt %operand : tensor<10xui16>
  check.expect_eq_const %result, dense<[0, 1, 16, 1, 1, 2, 4, 1, 1, 8]> : tensor<10xui16>
  return
}

// -----

// ui32: none, one, the greatest, the least and others.
func.func @ui32() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 2147483648, 2, 3, 85, 16, 1073741824, 65535]> : tensor<10xui32>
  %result = stablehlo.popcnt %operand : tensor<10xui32>
  check.expect_eq_const %result, dense<[0, 1, 32, 1, 1, 2, 4, 1, 1, 16]> : tensor<10xui32>
  return
}

// -----

// ui64: none, one, the greatest, the least and others.
func.func @ui64() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 9223372036854775808, 2, 3, 85, 16, 4611686018427387904, 4294967295]> : tensor<10xui64>
  %result = stablehlo.popcnt %operand : tensor<10xui64>
  check.expect_eq_const %result, dense<[0, 1, 64, 1, 1, 2, 4, 1, 1, 32]> : tensor<10xui64>
  return
}

// -----

// i4: none, one, the greatest, the least and others.
func.func @i4() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, -1, 2, 3]> : tensor<7xi4>
  %result = stablehlo.popcnt %operand : tensor<7xi4>
  check.expect_eq_const %result, dense<[0, 1, 3, 1, 4, 1, 2]> : tensor<7xi4>
  return
}

// -----

// ui4: none, one, the greatest, the least and others.
func.func @ui4() {
  %operand = stablehlo.constant dense<[0, 1, 15, 8, 2, 3]> : tensor<6xui4>
  %result = stablehlo.popcnt %operand : tensor<6xui4>
  check.expect_eq_const %result, dense<[0, 1, 4, 1, 1, 2]> : tensor<6xui4>
  return
}

// -----

// i2: none, one, the greatest, the least and others; the count does not always fit, and is taken modulo 2^2.
func.func @i2() {
  %operand = stablehlo.constant dense<[0, 1, 1, -2, -1]> : tensor<5xi2>
  %result = stablehlo.popcnt %operand : tensor<5xi2>
  check.expect_eq_const %result, dense<[0, 1, 1, 1, -2]> : tensor<5xi2>
  return
}

// -----

// ui2: none, one, the greatest, the least and others.
func.func @ui2() {
  %operand = stablehlo.constant dense<[0, 1, 3, 2]> : tensor<4xui2>
  %result = stablehlo.popcnt %operand : tensor<4xui2>
  check.expect_eq_const %result, dense<[0, 1, 2, 1]> : tensor<4xui2>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<255> : tensor<i32>
  %result = stablehlo.popcnt %operand : tensor<i32>
  check.expect_eq_const %result, dense<8> : tensor<i32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<3x0xi32>
  %result = stablehlo.popcnt %operand : tensor<3x0xi32>
  check.expect_eq_const %result, dense<> : tensor<3x0xi32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0, 1, 3], [7, -1, 255]], [[256, 1073741824, 12345], [-2, -2147483648, 6]]]> : tensor<2x2x3xi32>
  %result = stablehlo.popcnt %operand : tensor<2x2x3xi32>
  check.expect_eq_const %result, dense<[[[0, 1, 2], [3, 32, 8]], [[1, 1, 6], [31, 1, 2]]]> : tensor<2x2x3xi32>
  return
}
