// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `compare` of booleans and integers in every direction.

// Booleans: false is less than true.
func.func @i1() {
  %lhs = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %rhs = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %eq = stablehlo.compare EQ, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %eq, dense<[true, false, false, true]> : tensor<4xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %ne, dense<[false, true, true, false]> : tensor<4xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %lt, dense<[false, true, false, false]> : tensor<4xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %le, dense<[true, true, false, true]> : tensor<4xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %gt, dense<[false, false, true, false]> : tensor<4xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %ge, dense<[true, false, true, true]> : tensor<4xi1>
  return
}

// -----

// i8, signed.
func.func @i8() {
  %lhs = stablehlo.constant dense<[0, 1, -1, -128, 127, -128, 1]> : tensor<7xi8>
  %rhs = stablehlo.constant dense<[1, 1, 0, 127, -128, -128, -1]> : tensor<7xi8>
  %eq = stablehlo.compare EQ, %lhs, %rhs, SIGNED : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false, false, true, false]> : tensor<7xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, SIGNED : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true, true, false, true]> : tensor<7xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi1>
  check.expect_eq_const %lt, dense<[true, false, true, true, false, false, false]> : tensor<7xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, SIGNED : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, false, true, false]> : tensor<7xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, SIGNED : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, true, false, true]> : tensor<7xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, SIGNED : (tensor<7xi8>, tensor<7xi8>) -> tensor<7xi1>
  check.expect_eq_const %ge, dense<[false, true, false, false, true, true, true]> : tensor<7xi1>
  return
}

// -----

// i16, signed.
func.func @i16() {
  %lhs = stablehlo.constant dense<[0, 1, -1, -32768, 32767, -32768, 1]> : tensor<7xi16>
  %rhs = stablehlo.constant dense<[1, 1, 0, 32767, -32768, -32768, -1]> : tensor<7xi16>
  %eq = stablehlo.compare EQ, %lhs, %rhs, SIGNED : (tensor<7xi16>, tensor<7xi16>) -> tensor<7xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false, false, true, false]> : tensor<7xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, SIGNED : (tensor<7xi16>, tensor<7xi16>) -> tensor<7xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true, true, false, true]> : tensor<7xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<7xi16>, tensor<7xi16>) -> tensor<7xi1>
  check.expect_eq_const %lt, dense<[true, false, true, true, false, false, false]> : tensor<7xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, SIGNED : (tensor<7xi16>, tensor<7xi16>) -> tensor<7xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, false, true, false]> : tensor<7xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, SIGNED : (tensor<7xi16>, tensor<7xi16>) -> tensor<7xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, true, false, true]> : tensor<7xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, SIGNED : (tensor<7xi16>, tensor<7xi16>) -> tensor<7xi1>
  check.expect_eq_const %ge, dense<[false, true, false, false, true, true, true]> : tensor<7xi1>
  return
}

// -----

// i32, signed.
func.func @i32() {
  %lhs = stablehlo.constant dense<[0, 1, -1, -2147483648, 2147483647, -2147483648, 1]> : tensor<7xi32>
  %rhs = stablehlo.constant dense<[1, 1, 0, 2147483647, -2147483648, -2147483648, -1]> : tensor<7xi32>
  %eq = stablehlo.compare EQ, %lhs, %rhs, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false, false, true, false]> : tensor<7xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true, true, false, true]> : tensor<7xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %lt, dense<[true, false, true, true, false, false, false]> : tensor<7xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, false, true, false]> : tensor<7xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, true, false, true]> : tensor<7xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, SIGNED : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi1>
  check.expect_eq_const %ge, dense<[false, true, false, false, true, true, true]> : tensor<7xi1>
  return
}

// -----

// i64, signed.
func.func @i64() {
  %lhs = stablehlo.constant dense<[0, 1, -1, -9223372036854775808, 9223372036854775807, -9223372036854775808, 1]> : tensor<7xi64>
  %rhs = stablehlo.constant dense<[1, 1, 0, 9223372036854775807, -9223372036854775808, -9223372036854775808, -1]> : tensor<7xi64>
  %eq = stablehlo.compare EQ, %lhs, %rhs, SIGNED : (tensor<7xi64>, tensor<7xi64>) -> tensor<7xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false, false, true, false]> : tensor<7xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, SIGNED : (tensor<7xi64>, tensor<7xi64>) -> tensor<7xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true, true, false, true]> : tensor<7xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<7xi64>, tensor<7xi64>) -> tensor<7xi1>
  check.expect_eq_const %lt, dense<[true, false, true, true, false, false, false]> : tensor<7xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, SIGNED : (tensor<7xi64>, tensor<7xi64>) -> tensor<7xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, false, true, false]> : tensor<7xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, SIGNED : (tensor<7xi64>, tensor<7xi64>) -> tensor<7xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, true, false, true]> : tensor<7xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, SIGNED : (tensor<7xi64>, tensor<7xi64>) -> tensor<7xi1>
  check.expect_eq_const %ge, dense<[false, true, false, false, true, true, true]> : tensor<7xi1>
  return
}

// -----

// i4, signed.
func.func @i4() {
  %lhs = stablehlo.constant dense<[0, 1, -1, -8, 7, -8, 1]> : tensor<7xi4>
  %rhs = stablehlo.constant dense<[1, 1, 0, 7, -8, -8, -1]> : tensor<7xi4>
  %eq = stablehlo.compare EQ, %lhs, %rhs, SIGNED : (tensor<7xi4>, tensor<7xi4>) -> tensor<7xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false, false, true, false]> : tensor<7xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, SIGNED : (tensor<7xi4>, tensor<7xi4>) -> tensor<7xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true, true, false, true]> : tensor<7xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<7xi4>, tensor<7xi4>) -> tensor<7xi1>
  check.expect_eq_const %lt, dense<[true, false, true, true, false, false, false]> : tensor<7xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, SIGNED : (tensor<7xi4>, tensor<7xi4>) -> tensor<7xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, false, true, false]> : tensor<7xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, SIGNED : (tensor<7xi4>, tensor<7xi4>) -> tensor<7xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, true, false, true]> : tensor<7xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, SIGNED : (tensor<7xi4>, tensor<7xi4>) -> tensor<7xi1>
  check.expect_eq_const %ge, dense<[false, true, false, false, true, true, true]> : tensor<7xi1>
  return
}

// -----

// i2, signed.
func.func @i2() {
  %lhs = stablehlo.constant dense<[0, 1, -1, -2, 1, -2, 1]> : tensor<7xi2>
  %rhs = stablehlo.constant dense<[1, 1, 0, 1, -2, -2, -1]> : tensor<7xi2>
  %eq = stablehlo.compare EQ, %lhs, %rhs, SIGNED : (tensor<7xi2>, tensor<7xi2>) -> tensor<7xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false, false, true, false]> : tensor<7xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, SIGNED : (tensor<7xi2>, tensor<7xi2>) -> tensor<7xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true, true, false, true]> : tensor<7xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, SIGNED : (tensor<7xi2>, tensor<7xi2>) -> tensor<7xi1>
  check.expect_eq_const %lt, dense<[true, false, true, true, false, false, false]> : tensor<7xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, SIGNED : (tensor<7xi2>, tensor<7xi2>) -> tensor<7xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, false, true, false]> : tensor<7xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, SIGNED : (tensor<7xi2>, tensor<7xi2>) -> tensor<7xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, true, false, true]> : tensor<7xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, SIGNED : (tensor<7xi2>, tensor<7xi2>) -> tensor<7xi1>
  check.expect_eq_const %ge, dense<[false, true, false, false, true, true, true]> : tensor<7xi1>
  return
}

// -----

// ui8, unsigned.
func.func @ui8() {
  %lhs = stablehlo.constant dense<[0, 1, 0, 128, 255]> : tensor<5xui8>
  %rhs = stablehlo.constant dense<[1, 1, 255, 127, 255]> : tensor<5xui8>
  %eq = stablehlo.compare EQ, %lhs, %rhs, UNSIGNED : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false, true]> : tensor<5xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, UNSIGNED : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true, false]> : tensor<5xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, UNSIGNED : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %lt, dense<[true, false, true, false, false]> : tensor<5xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, UNSIGNED : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %le, dense<[true, true, true, false, true]> : tensor<5xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, UNSIGNED : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %gt, dense<[false, false, false, true, false]> : tensor<5xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, UNSIGNED : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  check.expect_eq_const %ge, dense<[false, true, false, true, true]> : tensor<5xi1>
  return
}

// -----

// ui16, unsigned.
func.func @ui16() {
  %lhs = stablehlo.constant dense<[0, 1, 0, 32768, 65535]> : tensor<5xui16>
  %rhs = stablehlo.constant dense<[1, 1, 65535, 32767, 65535]> : tensor<5xui16>
  %eq = stablehlo.compare EQ, %lhs, %rhs, UNSIGNED : (tensor<5xui16>, tensor<5xui16>) -> tensor<5xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false, true]> : tensor<5xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, UNSIGNED : (tensor<5xui16>, tensor<5xui16>) -> tensor<5xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true, false]> : tensor<5xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, UNSIGNED : (tensor<5xui16>, tensor<5xui16>) -> tensor<5xi1>
  check.expect_eq_const %lt, dense<[true, false, true, false, false]> : tensor<5xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, UNSIGNED : (tensor<5xui16>, tensor<5xui16>) -> tensor<5xi1>
  check.expect_eq_const %le, dense<[true, true, true, false, true]> : tensor<5xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, UNSIGNED : (tensor<5xui16>, tensor<5xui16>) -> tensor<5xi1>
  check.expect_eq_const %gt, dense<[false, false, false, true, false]> : tensor<5xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, UNSIGNED : (tensor<5xui16>, tensor<5xui16>) -> tensor<5xi1>
  check.expect_eq_const %ge, dense<[false, true, false, true, true]> : tensor<5xi1>
  return
}

// -----

// ui32, unsigned.
func.func @ui32() {
  %lhs = stablehlo.constant dense<[0, 1, 0, 2147483648, 4294967295]> : tensor<5xui32>
  %rhs = stablehlo.constant dense<[1, 1, 4294967295, 2147483647, 4294967295]> : tensor<5xui32>
  %eq = stablehlo.compare EQ, %lhs, %rhs, UNSIGNED : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false, true]> : tensor<5xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, UNSIGNED : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true, false]> : tensor<5xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, UNSIGNED : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xi1>
  check.expect_eq_const %lt, dense<[true, false, true, false, false]> : tensor<5xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, UNSIGNED : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xi1>
  check.expect_eq_const %le, dense<[true, true, true, false, true]> : tensor<5xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, UNSIGNED : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xi1>
  check.expect_eq_const %gt, dense<[false, false, false, true, false]> : tensor<5xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, UNSIGNED : (tensor<5xui32>, tensor<5xui32>) -> tensor<5xi1>
  check.expect_eq_const %ge, dense<[false, true, false, true, true]> : tensor<5xi1>
  return
}

// -----

// ui64, unsigned.
func.func @ui64() {
  %lhs = stablehlo.constant dense<[0, 1, 0, 9223372036854775808, 18446744073709551615]> : tensor<5xui64>
  %rhs = stablehlo.constant dense<[1, 1, 18446744073709551615, 9223372036854775807, 18446744073709551615]> : tensor<5xui64>
  %eq = stablehlo.compare EQ, %lhs, %rhs, UNSIGNED : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false, true]> : tensor<5xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, UNSIGNED : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true, false]> : tensor<5xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, UNSIGNED : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xi1>
  check.expect_eq_const %lt, dense<[true, false, true, false, false]> : tensor<5xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, UNSIGNED : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xi1>
  check.expect_eq_const %le, dense<[true, true, true, false, true]> : tensor<5xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, UNSIGNED : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xi1>
  check.expect_eq_const %gt, dense<[false, false, false, true, false]> : tensor<5xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, UNSIGNED : (tensor<5xui64>, tensor<5xui64>) -> tensor<5xi1>
  check.expect_eq_const %ge, dense<[false, true, false, true, true]> : tensor<5xi1>
  return
}

// -----

// ui4, unsigned.
func.func @ui4() {
  %lhs = stablehlo.constant dense<[0, 1, 0, 8, 15]> : tensor<5xui4>
  %rhs = stablehlo.constant dense<[1, 1, 15, 7, 15]> : tensor<5xui4>
  %eq = stablehlo.compare EQ, %lhs, %rhs, UNSIGNED : (tensor<5xui4>, tensor<5xui4>) -> tensor<5xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false, true]> : tensor<5xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, UNSIGNED : (tensor<5xui4>, tensor<5xui4>) -> tensor<5xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true, false]> : tensor<5xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, UNSIGNED : (tensor<5xui4>, tensor<5xui4>) -> tensor<5xi1>
  check.expect_eq_const %lt, dense<[true, false, true, false, false]> : tensor<5xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, UNSIGNED : (tensor<5xui4>, tensor<5xui4>) -> tensor<5xi1>
  check.expect_eq_const %le, dense<[true, true, true, false, true]> : tensor<5xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, UNSIGNED : (tensor<5xui4>, tensor<5xui4>) -> tensor<5xi1>
  check.expect_eq_const %gt, dense<[false, false, false, true, false]> : tensor<5xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, UNSIGNED : (tensor<5xui4>, tensor<5xui4>) -> tensor<5xi1>
  check.expect_eq_const %ge, dense<[false, true, false, true, true]> : tensor<5xi1>
  return
}

// -----

// Large neighbours, which are one number as f64.
func.func @i64_neighbours() {
  %lhs = stablehlo.constant dense<[9007199254740992, 9223372036854775807]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[9007199254740993, 9223372036854775806]> : tensor<2xi64>
  %eq = stablehlo.compare EQ, %lhs, %rhs : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  check.expect_eq_const %eq, dense<[false, false]> : tensor<2xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  check.expect_eq_const %ne, dense<[true, true]> : tensor<2xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  check.expect_eq_const %lt, dense<[true, false]> : tensor<2xi1>
  %le = stablehlo.compare LE, %lhs, %rhs : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  check.expect_eq_const %le, dense<[true, false]> : tensor<2xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  check.expect_eq_const %gt, dense<[false, true]> : tensor<2xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
  check.expect_eq_const %ge, dense<[false, true]> : tensor<2xi1>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %lhs = stablehlo.constant dense<1> : tensor<i32>
  %rhs = stablehlo.constant dense<2> : tensor<i32>
  %result = stablehlo.compare LT, %lhs, %rhs : (tensor<i32>, tensor<i32>) -> tensor<i1>
  check.expect_eq_const %result, dense<true> : tensor<i1>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xi32>
  %rhs = stablehlo.constant dense<> : tensor<2x0xi32>
  %result = stablehlo.compare LT, %lhs, %rhs : (tensor<2x0xi32>, tensor<2x0xi32>) -> tensor<2x0xi1>
  check.expect_eq_const %result, dense<> : tensor<2x0xi1>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %lhs = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %rhs = stablehlo.constant dense<[[[5, 0], [2, 4], [6, 1]], [[0, 2], [4, 6], [1, 3]]]> : tensor<2x3x2xi32>
  %result = stablehlo.compare LT, %lhs, %rhs : (tensor<2x3x2xi32>, tensor<2x3x2xi32>) -> tensor<2x3x2xi1>
  check.expect_eq_const %result, dense<[[[true, false], [false, true], [true, false]], [[false, false], [false, false], [false, false]]]> : tensor<2x3x2xi1>
  return
}
