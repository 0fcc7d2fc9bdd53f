// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `convert` from signed integers to integers: modulo 2^width; to bool by != 0.

// `convert` between element types. To bool by != 0; to an integer rounded towards zero and saturating, NaN as 0;
// integers modulo 2^width; to a float rounded once to nearest, of two the even one; a complex number loses its imaginary part.

// i8 to i32, the sign comes in.
func.func @i8_to_i32() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, -1]> : tensor<5xi8>
  %result = stablehlo.convert %operand : (tensor<5xi8>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 1, 127, -128, -1]> : tensor<5xi32>
  return
}

// -----

// i8 to i64, the sign comes in.
func.func @i8_to_i64() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, -1]> : tensor<5xi8>
  %result = stablehlo.convert %operand : (tensor<5xi8>) -> tensor<5xi64>
  check.expect_eq_const %result, dense<[0, 1, 127, -128, -1]> : tensor<5xi64>
  return
}

// -----

// i8 to ui8, modulo 2^8.
func.func @i8_to_ui8() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, -1]> : tensor<5xi8>
  %result = stablehlo.convert %operand : (tensor<5xi8>) -> tensor<5xui8>
  check.expect_eq_const %result, dense<[0, 1, 127, 128, 255]> : tensor<5xui8>
  return
}

// -----

// i8 to ui32, the sign comes in.
func.func @i8_to_ui32() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, -1]> : tensor<5xi8>
  %result = stablehlo.convert %operand : (tensor<5xi8>) -> tensor<5xui32>
  check.expect_eq_const %result, dense<[0, 1, 127, 4294967168, 4294967295]> : tensor<5xui32>
  return
}

// -----

// i8 to ui64, the sign comes in.
func.func @i8_to_ui64() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, -1]> : tensor<5xi8>
  %result = stablehlo.convert %operand : (tensor<5xi8>) -> tensor<5xui64>
  check.expect_eq_const %result, dense<[0, 1, 127, 18446744073709551488, 18446744073709551615]> : tensor<5xui64>
  return
}

// -----

// i8 to i4, modulo 2^4.
func.func @i8_to_i4() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, -1]> : tensor<5xi8>
  %result = stablehlo.convert %operand : (tensor<5xi8>) -> tensor<5xi4>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, -1]> : tensor<5xi4>
  return
}

// -----

// i8 to ui4, modulo 2^4.
func.func @i8_to_ui4() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, -1]> : tensor<5xi8>
  %result = stablehlo.convert %operand : (tensor<5xi8>) -> tensor<5xui4>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 15]> : tensor<5xui4>
  return
}

// -----

// i32 to i8, modulo 2^8.
func.func @i32_to_i8() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -1]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xi8>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, -1]> : tensor<5xi8>
  return
}

// -----

// i32 to i16, modulo 2^16.
func.func @i32_to_i16() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -1]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xi16>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, -1]> : tensor<5xi16>
  return
}

// -----

// i32 to i64, the sign comes in.
func.func @i32_to_i64() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -1]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xi64>
  check.expect_eq_const %result, dense<[0, 1, 2147483647, -2147483648, -1]> : tensor<5xi64>
  return
}

// -----

// i32 to ui8, modulo 2^8.
func.func @i32_to_ui8() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -1]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xui8>
  check.expect_eq_const %result, dense<[0, 1, 255, 0, 255]> : tensor<5xui8>
  return
}

// -----

// i32 to ui16, modulo 2^16.
func.func @i32_to_ui16() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -1]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xui16>
  check.expect_eq_const %result, dense<[0, 1, 65535, 0, 65535]> : tensor<5xui16>
  return
}

// -----

// i32 to ui32, modulo 2^32.
func.func @i32_to_ui32() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -1]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xui32>
  check.expect_eq_const %result, dense<[0, 1, 2147483647, 2147483648, 4294967295]> : tensor<5xui32>
  return
}

// -----

// i32 to ui64, the sign comes in.
func.func @i32_to_ui64() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -1]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xui64>
  check.expect_eq_const %result, dense<[0, 1, 2147483647, 18446744071562067968, 18446744073709551615]> : tensor<5xui64>
  return
}

// -----

// i32 to i4, modulo 2^4.
func.func @i32_to_i4() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -1]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xi4>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, -1]> : tensor<5xi4>
  return
}

// -----

// i32 to ui4, modulo 2^4.
func.func @i32_to_ui4() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -1]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xui4>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 15]> : tensor<5xui4>
  return
}

// -----

// i64 to i8, modulo 2^8.
func.func @i64_to_i8() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, -1]> : tensor<5xi64>
  %result = stablehlo.convert %operand : (tensor<5xi64>) -> tensor<5xi8>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, -1]> : tensor<5xi8>
  return
}

// -----

// i64 to i32, modulo 2^32.
func.func @i64_to_i32() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, -1]> : tensor<5xi64>
  %result = stablehlo.convert %operand : (tensor<5xi64>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, -1]> : tensor<5xi32>
  return
}

// -----

// i64 to ui8, modulo 2^8.
func.func @i64_to_ui8() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, -1]> : tensor<5xi64>
  %result = stablehlo.convert %operand : (tensor<5xi64>) -> tensor<5xui8>
  check.expect_eq_const %result, dense<[0, 1, 255, 0, 255]> : tensor<5xui8>
  return
}

// -----

// i64 to ui32, modulo 2^32.
func.func @i64_to_ui32() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, -1]> : tensor<5xi64>
  %result = stablehlo.convert %operand : (tensor<5xi64>) -> tensor<5xui32>
  check.expect_eq_const %result, dense<[0, 1, 4294967295, 0, 4294967295]> : tensor<5xui32>
  return
}

// -----

// i64 to ui64, modulo 2^64.
func.func @i64_to_ui64() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, -1]> : tensor<5xi64>
  %result = stablehlo.convert %operand : (tensor<5xi64>) -> tensor<5xui64>
  check.expect_eq_const %result, dense<[0, 1, 9223372036854775807, 9223372036854775808, 18446744073709551615]> : tensor<5xui64>
  return
}

// -----

// i64 to i4, modulo 2^4.
func.func @i64_to_i4() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, -1]> : tensor<5xi64>
  %result = stablehlo.convert %operand : (tensor<5xi64>) -> tensor<5xi4>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, -1]> : tensor<5xi4>
  return
}

// -----

// i64 to ui4, modulo 2^4.
func.func @i64_to_ui4() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, -1]> : tensor<5xi64>
  %result = stablehlo.convert %operand : (tensor<5xi64>) -> tensor<5xui4>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 15]> : tensor<5xui4>
  return
}

// -----

// i4 to i8, the sign comes in.
func.func @i4_to_i8() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, -1]> : tensor<5xi4>
  %result = stablehlo.convert %operand : (tensor<5xi4>) -> tensor<5xi8>
  check.expect_eq_const %result, dense<[0, 1, 7, -8, -1]> : tensor<5xi8>
  return
}

// -----

// i4 to i32, the sign comes in.
func.func @i4_to_i32() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, -1]> : tensor<5xi4>
  %result = stablehlo.convert %operand : (tensor<5xi4>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 1, 7, -8, -1]> : tensor<5xi32>
  return
}

// -----

// i4 to i64, the sign comes in.
func.func @i4_to_i64() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, -1]> : tensor<5xi4>
  %result = stablehlo.convert %operand : (tensor<5xi4>) -> tensor<5xi64>
  check.expect_eq_const %result, dense<[0, 1, 7, -8, -1]> : tensor<5xi64>
  return
}

// -----

// i4 to ui8, the sign comes in.
func.func @i4_to_ui8() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, -1]> : tensor<5xi4>
  %result = stablehlo.convert %operand : (tensor<5xi4>) -> tensor<5xui8>
  check.expect_eq_const %result, dense<[0, 1, 7, 248, 255]> : tensor<5xui8>
  return
}

// -----

// i4 to ui32, the sign comes in.
func.func @i4_to_ui32() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, -1]> : tensor<5xi4>
  %result = stablehlo.convert %operand : (tensor<5xi4>) -> tensor<5xui32>
  check.expect_eq_const %result, dense<[0, 1, 7, 4294967288, 4294967295]> : tensor<5xui32>
  return
}

// -----

// i4 to ui64, the sign comes in.
func.func @i4_to_ui64() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, -1]> : tensor<5xi4>
  %result = stablehlo.convert %operand : (tensor<5xi4>) -> tensor<5xui64>
  check.expect_eq_const %result, dense<[0, 1, 7, 18446744073709551608, 18446744073709551615]> : tensor<5xui64>
  return
}

// -----

// i4 to ui4, modulo 2^4.
func.func @i4_to_ui4() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, -1]> : tensor<5xi4>
  %result = stablehlo.convert %operand : (tensor<5xi4>) -> tensor<5xui4>
  check.expect_eq_const %result, dense<[0, 1, 7, 8, 15]> : tensor<5xui4>
  return
}

// -----

// i2 to i8, the sign comes in.
func.func @i2_to_i8() {
  %operand = stablehlo.constant dense<[0, 1, 1, -2, -1]> : tensor<5xi2>
  %result = stablehlo.convert %operand : (tensor<5xi2>) -> tensor<5xi8>
  check.expect_eq_const %result, dense<[0, 1, 1, -2, -1]> : tensor<5xi8>
  return
}

// -----

// i2 to i32, the sign comes in.
func.func @i2_to_i32() {
  %operand = stablehlo.constant dense<[0, 1, 1, -2, -1]> : tensor<5xi2>
  %result = stablehlo.convert %operand : (tensor<5xi2>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 1, 1, -2, -1]> : tensor<5xi32>
  return
}

// -----

// i2 to i64, the sign comes in.
func.func @i2_to_i64() {
  %operand = stablehlo.constant dense<[0, 1, 1, -2, -1]> : tensor<5xi2>
  %result = stablehlo.convert %operand : (tensor<5xi2>) -> tensor<5xi64>
  check.expect_eq_const %result, dense<[0, 1, 1, -2, -1]> : tensor<5xi64>
  return
}

// -----

// i2 to ui8, the sign comes in.
func.func @i2_to_ui8() {
  %operand = stablehlo.constant dense<[0, 1, 1, -2, -1]> : tensor<5xi2>
  %result = stablehlo.convert %operand : (tensor<5xi2>) -> tensor<5xui8>
  check.expect_eq_const %result, dense<[0, 1, 1, 254, 255]> : tensor<5xui8>
  return
}

// -----

// i2 to ui32, the sign comes in.
func.func @i2_to_ui32() {
  %operand = stablehlo.constant dense<[0, 1, 1, -2, -1]> : tensor<5xi2>
  %result = stablehlo.convert %operand : (tensor<5xi2>) -> tensor<5xui32>
  check.expect_eq_const %result, dense<[0, 1, 1, 4294967294, 4294967295]> : tensor<5xui32>
  return
}

// -----

// i2 to ui64, the sign comes in.
func.func @i2_to_ui64() {
  %operand = stablehlo.constant dense<[0, 1, 1, -2, -1]> : tensor<5xi2>
  %result = stablehlo.convert %operand : (tensor<5xi2>) -> tensor<5xui64>
  check.expect_eq_const %result, dense<[0, 1, 1, 18446744073709551614, 18446744073709551615]> : tensor<5xui64>
  return
}

// -----

// i2 to i4, the sign comes in.
func.func @i2_to_i4() {
  %operand = stablehlo.constant dense<[0, 1, 1, -2, -1]> : tensor<5xi2>
  %result = stablehlo.convert %operand : (tensor<5xi2>) -> tensor<5xi4>
  check.expect_eq_const %result, dense<[0, 1, 1, -2, -1]> : tensor<5xi4>
  return
}

// -----

// i2 to ui4, the sign comes in.
func.func @i2_to_ui4() {
  %operand = stablehlo.constant dense<[0, 1, 1, -2, -1]> : tensor<5xi2>
  %result = stablehlo.convert %operand : (tensor<5xi2>) -> tensor<5xui4>
  check.expect_eq_const %result, dense<[0, 1, 1, 14, 15]> : tensor<5xui4>
  return
}

// -----

// i8 to bool.
func.func @i8_to_i1() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, -8]> : tensor<5xi8>
  %result = stablehlo.convert %operand : (tensor<5xi8>) -> tensor<5xi1>
  check.expect_eq_const %result, dense<[false, true, true, true, true]> : tensor<5xi1>
  return
}

// -----

// i32 to bool.
func.func @i32_to_i1() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, -8]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xi1>
  check.expect_eq_const %result, dense<[false, true, true, true, true]> : tensor<5xi1>
  return
}

// -----

// i64 to bool.
func.func @i64_to_i1() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, -8]> : tensor<5xi64>
  %result = stablehlo.convert %operand : (tensor<5xi64>) -> tensor<5xi1>
  check.expect_eq_const %result, dense<[false, true, true, true, true]> : tensor<5xi1>
  return
}

// -----

// i4 to bool.
func.func @i4_to_i1() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, -8]> : tensor<5xi4>
  %result = stablehlo.convert %operand : (tensor<5xi4>) -> tensor<5xi1>
  check.expect_eq_const %result, dense<[false, true, true, true, true]> : tensor<5xi1>
  return
}
