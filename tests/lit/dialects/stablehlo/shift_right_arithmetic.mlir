// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `shift_right_arithmetic`: the sign comes in from the left, the highest bit for unsigned types too. The amount is unsigned; all bits go for amounts of the width and more.

// i8: by 0, 1, 7, 8, 9, -1, -128; a negative amount is a large one.
func.func @i8() {
  %lhs = stablehlo.constant dense<[1, 127, -128, -1, 1, 127, -128, -1, 1, 127, -128, -1, 1, 127, -128, -1, 1, 127, -128, -1, 1, 127, -128, -1, 1, 127, -128, -1]> : tensor<28xi8>
  %rhs = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 7, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, -1, -1, -1, -1, -128, -128, -128, -128]> : tensor<28xi8>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<28xi8>
  check.expect_eq_const %result, dense<[1, 127, -128, -1, 0, 63, -64, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1]> : tensor<28xi8>
  return
}

// -----

// i16: by 0, 1, 15, 16, 17, -1, -32768; a negative amount is a large one.
func.func @i16() {
  %lhs = stablehlo.constant dense<[1, 32767, -32768, -1, 1, 32767, -32768, -1, 1, 32767, -32768, -1, 1, 32767, -32768, -1, 1, 32767, -32768, -1, 1, 32767, -32768, -1, 1, 32767, -32768, -1]> : tensor<28xi16>
  %rhs = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 15, 15, 15, 15, 16, 16, 16, 16, 17, 17, 17, 17, -1, -1, -1, -1, -32768, -32768, -32768, -32768]> : tensor<28xi16>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<28xi16>
  check.expect_eq_const %result, dense<[1, 32767, -32768, -1, 0, 16383, -16384, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1]> : tensor<28xi16>
  return
}

// -----

// i32: by 0, 1, 31, 32, 33, -1, -2147483648; a negative amount is a large one.
func.func @i32() {
  %lhs = stablehlo.constant dense<[1, 2147483647, -2147483648, -1, 1, 2147483647, -2147483648, -1, 1, 2147483647, -2147483648, -1, 1, 2147483647, -2147483648, -1, 1, 2147483647, -2147483648, -1, 1, 2147483647, -2147483648, -1, 1, 2147483647, -2147483648, -1]> : tensor<28xi32>
  %rhs = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 31, 31, 31, 31, 32, 32, 32, 32, 33, 33, 33, 33, -1, -1, -1, -1, -2147483648, -2147483648, -2147483648, -2147483648]> : tensor<28xi32>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<28xi32>
  check.expect_eq_const %result, dense<[1, 2147483647, -2147483648, -1, 0, 1073741823, -1073741824, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1]> : tensor<28xi32>
  return
}

// -----

// i64: by 0, 1, 63, 64, 65, -1, -9223372036854775808; a negative amount is a large one.
func.func @i64() {
  %lhs = stablehlo.constant dense<[1, 9223372036854775807, -9223372036854775808, -1, 1, 9223372036854775807, -9223372036854775808, -1, 1, 9223372036854775807, -9223372036854775808, -1, 1, 9223372036854775807, -9223372036854775808, -1, 1, 9223372036854775807, -9223372036854775808, -1, 1, 9223372036854775807, -9223372036854775808, -1, 1, 9223372036854775807, -9223372036854775808, -1]> : tensor<28xi64>
  %rhs = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 63, 63, 63, 63, 64, 64, 64, 64, 65, 65, 65, 65, -1, -1, -1, -1, -9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808]> : tensor<28xi64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<28xi64>
  check.expect_eq_const %result, dense<[1, 9223372036854775807, -9223372036854775808, -1, 0, 4611686018427387903, -4611686018427387904, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1]> : tensor<28xi64>
  return
}

// -----

// ui8: by 0, 1, 7, 8, 9, 255.
func.func @ui8() {
  %lhs = stablehlo.constant dense<[1, 255, 128, 253, 1, 255, 128, 253, 1, 255, 128, 253, 1, 255, 128, 253, 1, 255, 128, 253, 1, 255, 128, 253]> : tensor<24xui8>
  %rhs = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 7, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 255, 255, 255, 255]> : tensor<24xui8>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<24xui8>
  check.expect_eq_const %result, dense<[1, 255, 128, 253, 0, 255, 192, 254, 0, 255, 255, 255, 0, 255, 255, 255, 0, 255, 255, 255, 0, 255, 255, 255]> : tensor<24xui8>
  return
}

// -----

// ui16: by 0, 1, 15, 16, 17, 65535.
func.func @ui16() {
  %lhs = stablehlo.constant dense<[1, 65535, 32768, 65533, 1, 65535, 32768, 65533, 1, 65535, 32768, 65533, 1, 65535, 32768, 65533, 1, 65535, 32768, 65533, 1, 65535, 32768, 65533]> : tensor<24xui16>
  %rhs = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 15, 15, 15, 15, 16, 16, 16, 16, 17, 17, 17, 17, 65535, 65535, 65535, 65535]> : tensor<24xui16>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<24xui16>
  check.expect_eq_const %result, dense<[1, 65535, 32768, 65533, 0, 65535, 49152, 65534, 0, 65535, 65535, 65535, 0, 65535, 65535, 65535, 0, 65535, 65535, 65535, 0, 65535, 65535, 65535]> : tensor<24xui16>
  return
}

// -----

// ui32: by 0, 1, 31, 32, 33, 4294967295.
func.func @ui32() {
  %lhs = stablehlo.constant dense<[1, 4294967295, 2147483648, 4294967293, 1, 4294967295, 2147483648, 4294967293, 1, 4294967295, 2147483648, 4294967293, 1, 4294967295, 2147483648, 4294967293, 1, 4294967295, 2147483648, 4294967293, 1, 4294967295, 2147483648, 4294967293]> : tensor<24xui32>
  %rhs = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 31, 31, 31, 31, 32, 32, 32, 32, 33, 33, 33, 33, 4294967295, 4294967295, 4294967295, 4294967295]> : tensor<24xui32>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<24xui32>
  check.expect_eq_const %result, dense<[1, 4294967295, 2147483648, 4294967293, 0, 4294967295, 3221225472, 4294967294, 0, 4294967295, 4294967295, 4294967295, 0, 4294967295, 4294967295, 4294967295, 0, 4294967295, 4294967295, 4294967295, 0, 4294967295, 4294967295, 4294967295]> : tensor<24xui32>
  return
}

// -----

// ui64: by 0, 1, 63, 64, 65, 18446744073709551615.
func.func @ui64() {
  %lhs = stablehlo.constant dense<[1, 18446744073709551615, 9223372036854775808, 18446744073709551613, 1, 18446744073709551615, 9223372036854775808, 18446744073709551613, 1, 18446744073709551615, 9223372036854775808, 18446744073709551613, 1, 18446744073709551615, 9223372036854775808, 18446744073709551613, 1, 18446744073709551615, 9223372036854775808, 18446744073709551613, 1, 18446744073709551615, 9223372036854775808, 18446744073709551613]> : tensor<24xui64>
  %rhs = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 63, 63, 63, 63, 64, 64, 64, 64, 65, 65, 65, 65, 18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615]> : tensor<24xui64>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<24xui64>
  check.expect_eq_const %result, dense<[1, 18446744073709551615, 9223372036854775808, 18446744073709551613, 0, 18446744073709551615, 13835058055282163712, 18446744073709551614, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615, 0, 18446744073709551615, 18446744073709551615, 18446744073709551615]> : tensor<24xui64>
  return
}

// -----

// i4: by 0, 1, 3, 4, -1, -8, -4; a negative amount is a large one.
func.func @i4() {
  %lhs = stablehlo.constant dense<[1, 7, -8, -1, 1, 7, -8, -1, 1, 7, -8, -1, 1, 7, -8, -1, 1, 7, -8, -1, 1, 7, -8, -1, 1, 7, -8, -1]> : tensor<28xi4>
  %rhs = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, 4, 4, 4, 4, -1, -1, -1, -1, -8, -8, -8, -8, -4, -4, -4, -4]> : tensor<28xi4>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<28xi4>
  check.expect_eq_const %result, dense<[1, 7, -8, -1, 0, 3, -4, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1]> : tensor<28xi4>
  return
}

// -----

// ui4: by 0, 1, 3, 4, 15.
func.func @ui4() {
  %lhs = stablehlo.constant dense<[1, 15, 8, 13, 1, 15, 8, 13, 1, 15, 8, 13, 1, 15, 8, 13, 1, 15, 8, 13]> : tensor<20xui4>
  %rhs = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3, 4, 4, 4, 4, 15, 15, 15, 15]> : tensor<20xui4>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<20xui4>
  check.expect_eq_const %result, dense<[1, 15, 8, 13, 0, 15, 12, 14, 0, 15, 15, 15, 0, 15, 15, 15, 0, 15, 15, 15]> : tensor<20xui4>
  return
}

// -----

// i2: by 0, 1, -1, -2; a negative amount is a large one.
func.func @i2() {
  %lhs = stablehlo.constant dense<[1, 1, -2, -1, 1, 1, -2, -1, 1, 1, -2, -1, 1, 1, -2, -1]> : tensor<16xi2>
  %rhs = stablehlo.constant dense<[0, 0, 0, 0, 1, 1, 1, 1, -1, -1, -1, -1, -2, -2, -2, -2]> : tensor<16xi2>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<16xi2>
  check.expect_eq_const %result, dense<[1, 1, -2, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1]> : tensor<16xi2>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %lhs = stablehlo.constant dense<6> : tensor<i32>
  %rhs = stablehlo.constant dense<4> : tensor<i32>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<i32>
  check.expect_eq_const %result, dense<0> : tensor<i32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xi32>
  %rhs = stablehlo.constant dense<> : tensor<2x0xi32>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<2x0xi32>
  check.expect_eq_const %result, dense<> : tensor<2x0xi32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %lhs = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %rhs = stablehlo.constant dense<[[[1, 6], [4, 2], [7, 5]], [[3, 1], [6, 4], [2, 7]]]> : tensor<2x3x2xi32>
  %result = stablehlo.shift_right_arithmetic %lhs, %rhs : tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[0, 0], [0, 0], [0, 0]], [[0, 3], [0, 0], [2, 0]]]> : tensor<2x3x2xi32>
  return
}
