// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `power` of integers, modulo 2^width. A negative exponent gives 0, but for the bases 1 and -1.

// `power`. A negative exponent of an integer gives 0, but for the bases 1 and -1.

// i8, modulo 2^8.
func.func @i8() {
  %lhs = stablehlo.constant dense<[2, -2, 3, 0, 3, -3, 2, 2, -128, -128]> : tensor<10xi8>
  %rhs = stablehlo.constant dense<[3, 3, 0, 0, 50, 50, 7, 8, 1, 2]> : tensor<10xi8>
  %result = stablehlo.power %lhs, %rhs : tensor<10xi8>
  check.expect_eq_const %result, dense<[8, -8, 1, 1, -55, -55, -128, 0, -128, 0]> : tensor<10xi8>
  return
}

// -----

// Negative exponents.
func.func @i8_negative_exponent() {
  %lhs = stablehlo.constant dense<[1, 1, -1, -1, 2, -3, 1, -1]> : tensor<8xi8>
  %rhs = stablehlo.constant dense<[-1, -100, -1, -2, -1, -3, -128, -128]> : tensor<8xi8>
  %result = stablehlo.power %lhs, %rhs : tensor<8xi8>
  check.expect_eq_const %result, dense<[1, 1, -1, 1, 0, 0, 1, 1]> : tensor<8xi8>
  return
}

// -----

// i16, modulo 2^16.
func.func @i16() {
  %lhs = stablehlo.constant dense<[2, -2, 3, 0, 3, -3, 2, 2, -32768, -32768]> : tensor<10xi16>
  %rhs = stablehlo.constant dense<[3, 3, 0, 0, 50, 50, 15, 16, 1, 2]> : tensor<10xi16>
  %result = stablehlo.power %lhs, %rhs : tensor<10xi16>
  check.expect_eq_const %result, dense<[8, -8, 1, 1, -7223, -7223, -32768, 0, -32768, 0]> : tensor<10xi16>
  return
}

// -----

// Negative exponents.
func.func @i16_negative_exponent() {
  %lhs = stablehlo.constant dense<[1, 1, -1, -1, 2, -3, 1, -1]> : tensor<8xi16>
  %rhs = stablehlo.constant dense<[-1, -100, -1, -2, -1, -3, -32768, -32768]> : tensor<8xi16>
  %result = stablehlo.power %lhs, %rhs : tensor<8xi16>
  check.expect_eq_const %result, dense<[1, 1, -1, 1, 0, 0, 1, 1]> : tensor<8xi16>
  return
}

// -----

// i32, modulo 2^32.
func.func @i32() {
  %lhs = stablehlo.constant dense<[2, -2, 3, 0, 3, -3, 2, 2, -2147483648, -2147483648]> : tensor<10xi32>
  %rhs = stablehlo.constant dense<[3, 3, 0, 0, 50, 50, 31, 32, 1, 2]> : tensor<10xi32>
  %result = stablehlo.power %lhs, %rhs : tensor<10xi32>
  check.expect_eq_const %result, dense<[8, -8, 1, 1, -794958903, -794958903, -2147483648, 0, -2147483648, 0]> : tensor<10xi32>
  return
}

// -----

// Negative exponents.
func.func @i32_negative_exponent() {
  %lhs = stablehlo.constant dense<[1, 1, -1, -1, 2, -3, 1, -1]> : tensor<8xi32>
  %rhs = stablehlo.constant dense<[-1, -100, -1, -2, -1, -3, -2147483648, -2147483648]> : tensor<8xi32>
  %result = stablehlo.power %lhs, %rhs : tensor<8xi32>
  check.expect_eq_const %result, dense<[1, 1, -1, 1, 0, 0, 1, 1]> : tensor<8xi32>
  return
}

// -----

// i64, modulo 2^64.
func.func @i64() {
  %lhs = stablehlo.constant dense<[2, -2, 3, 0, 3, -3, 2, 2, -9223372036854775808, -9223372036854775808]> : tensor<10xi64>
  %rhs = stablehlo.constant dense<[3, 3, 0, 0, 50, 50, 63, 64, 1, 2]> : tensor<10xi64>
  %result = stablehlo.power %lhs, %rhs : tensor<10xi64>
  check.expect_eq_const %result, dense<[8, -8, 1, 1, 6048575297968530377, 6048575297968530377, -9223372036854775808, 0, -9223372036854775808, 0]> : tensor<10xi64>
  return
}

// -----

// Negative exponents.
func.func @i64_negative_exponent() {
  %lhs = stablehlo.constant dense<[1, 1, -1, -1, 2, -3, 1, -1]> : tensor<8xi64>
  %rhs = stablehlo.constant dense<[-1, -100, -1, -2, -1, -3, -9223372036854775808, -9223372036854775808]> : tensor<8xi64>
  %result = stablehlo.power %lhs, %rhs : tensor<8xi64>
  check.expect_eq_const %result, dense<[1, 1, -1, 1, 0, 0, 1, 1]> : tensor<8xi64>
  return
}

// -----

// ui8, modulo 2^8.
func.func @ui8() {
  %lhs = stablehlo.constant dense<[2, 3, 0, 255, 255, 1, 2]> : tensor<7xui8>
  %rhs = stablehlo.constant dense<[3, 50, 0, 2, 255, 255, 8]> : tensor<7xui8>
  %result = stablehlo.power %lhs, %rhs : tensor<7xui8>
  check.expect_eq_const %result, dense<[8, 201, 1, 1, 255, 1, 0]> : tensor<7xui8>
  return
}

// -----

// ui16, modulo 2^16.
func.func @ui16() {
  %lhs = stablehlo.constant dense<[2, 3, 0, 65535, 65535, 1, 2]> : tensor<7xui16>
  %rhs = stablehlo.constant dense<[3, 50, 0, 2, 65535, 65535, 16]> : tensor<7xui16>
  %result = stablehlo.power %lhs, %rhs : tensor<7xui16>
  check.expect_eq_const %result, dense<[8, 58313, 1, 1, 65535, 1, 0]> : tensor<7xui16>
  return
}

// -----

// ui32, modulo 2^32.
func.func @ui32() {
  %lhs = stablehlo.constant dense<[2, 3, 0, 4294967295, 4294967295, 1, 2]> : tensor<7xui32>
  %rhs = stablehlo.constant dense<[3, 50, 0, 2, 4294967295, 4294967295, 32]> : tensor<7xui32>
  %result = stablehlo.power %lhs, %rhs : tensor<7xui32>
  check.expect_eq_const %result, dense<[8, 3500008393, 1, 1, 4294967295, 1, 0]> : tensor<7xui32>
  return
}

// -----

// ui64, modulo 2^64.
func.func @ui64() {
  %lhs = stablehlo.constant dense<[2, 3, 0, 18446744073709551615, 18446744073709551615, 1, 2]> : tensor<7xui64>
  %rhs = stablehlo.constant dense<[3, 50, 0, 2, 18446744073709551615, 18446744073709551615, 64]> : tensor<7xui64>
  %result = stablehlo.power %lhs, %rhs : tensor<7xui64>
  check.expect_eq_const %result, dense<[8, 6048575297968530377, 1, 1, 18446744073709551615, 1, 0]> : tensor<7xui64>
  return
}
