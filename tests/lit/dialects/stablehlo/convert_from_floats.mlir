// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `convert` between element types. To bool by != 0; to an integer rounded towards zero and saturating, NaN as 0;
// integers modulo 2^width; to a float rounded once to nearest, of two the even one; a complex number loses its imaginary part.

// f64 to i8: towards zero, saturating.
func.func @f64_to_i8() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 127.5, -128.9, 255.9, 300.0, -1.0, 3000000000.0, -3000000000.0, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf64>
  %result = stablehlo.convert %operand : (tensor<17xf64>) -> tensor<17xi8>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 127, -128, 127, -128, 127, 127, -1, 127, -128, 127, -128, 127]> : tensor<17xi8>
  return
}

// -----

// f64 to i16: towards zero, saturating.
func.func @f64_to_i16() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 127.5, -128.9, 255.9, 300.0, -1.0, 3000000000.0, -3000000000.0, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf64>
  %result = stablehlo.convert %operand : (tensor<17xf64>) -> tensor<17xi16>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 32767, -32768, 127, -128, 255, 300, -1, 32767, -32768, 32767, -32768, 32767]> : tensor<17xi16>
  return
}

// -----

// f64 to i32: towards zero, saturating.
func.func @f64_to_i32() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 127.5, -128.9, 255.9, 300.0, -1.0, 3000000000.0, -3000000000.0, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf64>
  %result = stablehlo.convert %operand : (tensor<17xf64>) -> tensor<17xi32>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 2147483647, -2147483648, 127, -128, 255, 300, -1, 2147483647, -2147483648, 2147483647, -2147483648, 2147483647]> : tensor<17xi32>
  return
}

// -----

// f64 to i64: towards zero, saturating.
func.func @f64_to_i64() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 127.5, -128.9, 255.9, 300.0, -1.0, 3000000000.0, -3000000000.0, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf64>
  %result = stablehlo.convert %operand : (tensor<17xf64>) -> tensor<17xi64>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 9223372036854775807, -9223372036854775808, 127, -128, 255, 300, -1, 3000000000, -3000000000, 9223372036854775807, -9223372036854775808, 9223372036854775807]> : tensor<17xi64>
  return
}

// -----

// f64 to ui8: towards zero, saturating.
func.func @f64_to_ui8() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 127.5, -128.9, 255.9, 300.0, -1.0, 3000000000.0, -3000000000.0, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf64>
  %result = stablehlo.convert %operand : (tensor<17xf64>) -> tensor<17xui8>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 255, 0, 127, 0, 255, 255, 0, 255, 0, 255, 0, 255]> : tensor<17xui8>
  return
}

// -----

// f64 to ui16: towards zero, saturating.
func.func @f64_to_ui16() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 127.5, -128.9, 255.9, 300.0, -1.0, 3000000000.0, -3000000000.0, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf64>
  %result = stablehlo.convert %operand : (tensor<17xf64>) -> tensor<17xui16>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 65535, 0, 127, 0, 255, 300, 0, 65535, 0, 65535, 0, 65535]> : tensor<17xui16>
  return
}

// -----

// f64 to ui32: towards zero, saturating.
func.func @f64_to_ui32() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 127.5, -128.9, 255.9, 300.0, -1.0, 3000000000.0, -3000000000.0, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf64>
  %result = stablehlo.convert %operand : (tensor<17xf64>) -> tensor<17xui32>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 4294967295, 0, 127, 0, 255, 300, 0, 3000000000, 0, 4294967295, 0, 4294967295]> : tensor<17xui32>
  return
}

// -----

// f64 to ui64: towards zero, saturating.
func.func @f64_to_ui64() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 127.5, -128.9, 255.9, 300.0, -1.0, 3000000000.0, -3000000000.0, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf64>
  %result = stablehlo.convert %operand : (tensor<17xf64>) -> tensor<17xui64>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 18446744073709551615, 0, 127, 0, 255, 300, 0, 3000000000, 0, 10000000000000000000, 0, 18446744073709551615]> : tensor<17xui64>
  return
}

// -----

// f64 to bool: only zeros are false.
func.func @f64_to_i1() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 1.0, -0.5, 5.0e-324, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<7xf64>
  %result = stablehlo.convert %operand : (tensor<7xf64>) -> tensor<7xi1>
  check.expect_eq_const %result, dense<[false, false, true, true, true, true, true]> : tensor<7xi1>
  return
}

// -----

// f32 to i8: towards zero, saturating.
func.func @f32_to_i8() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 127.5, -128.9, 255.9, 300.0, -1.0, 3.0e9, -3.0e9, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf32>
  %result = stablehlo.convert %operand : (tensor<17xf32>) -> tensor<17xi8>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 127, -128, 127, -128, 127, 127, -1, 127, -128, 127, -128, 127]> : tensor<17xi8>
  return
}

// -----

// f32 to i16: towards zero, saturating.
func.func @f32_to_i16() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 127.5, -128.9, 255.9, 300.0, -1.0, 3.0e9, -3.0e9, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf32>
  %result = stablehlo.convert %operand : (tensor<17xf32>) -> tensor<17xi16>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 32767, -32768, 127, -128, 255, 300, -1, 32767, -32768, 32767, -32768, 32767]> : tensor<17xi16>
  return
}

// -----

// f32 to i32: towards zero, saturating.
func.func @f32_to_i32() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 127.5, -128.9, 255.9, 300.0, -1.0, 3.0e9, -3.0e9, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf32>
  %result = stablehlo.convert %operand : (tensor<17xf32>) -> tensor<17xi32>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 2147483647, -2147483648, 127, -128, 255, 300, -1, 2147483647, -2147483648, 2147483647, -2147483648, 2147483647]> : tensor<17xi32>
  return
}

// -----

// f32 to i64: towards zero, saturating.
func.func @f32_to_i64() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 127.5, -128.9, 255.9, 300.0, -1.0, 3.0e9, -3.0e9, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf32>
  %result = stablehlo.convert %operand : (tensor<17xf32>) -> tensor<17xi64>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 9223372036854775807, -9223372036854775808, 127, -128, 255, 300, -1, 3000000000, -3000000000, 9223372036854775807, -9223372036854775808, 9223372036854775807]> : tensor<17xi64>
  return
}

// -----

// f32 to ui8: towards zero, saturating.
func.func @f32_to_ui8() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 127.5, -128.9, 255.9, 300.0, -1.0, 3.0e9, -3.0e9, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf32>
  %result = stablehlo.convert %operand : (tensor<17xf32>) -> tensor<17xui8>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 255, 0, 127, 0, 255, 255, 0, 255, 0, 255, 0, 255]> : tensor<17xui8>
  return
}

// -----

// f32 to ui16: towards zero, saturating.
func.func @f32_to_ui16() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 127.5, -128.9, 255.9, 300.0, -1.0, 3.0e9, -3.0e9, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf32>
  %result = stablehlo.convert %operand : (tensor<17xf32>) -> tensor<17xui16>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 65535, 0, 127, 0, 255, 300, 0, 65535, 0, 65535, 0, 65535]> : tensor<17xui16>
  return
}

// -----

// f32 to ui32: towards zero, saturating.
func.func @f32_to_ui32() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 127.5, -128.9, 255.9, 300.0, -1.0, 3.0e9, -3.0e9, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf32>
  %result = stablehlo.convert %operand : (tensor<17xf32>) -> tensor<17xui32>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 4294967295, 0, 127, 0, 255, 300, 0, 3000000000, 0, 4294967295, 0, 4294967295]> : tensor<17xui32>
  return
}

// -----

// f32 to ui64: towards zero, saturating.
func.func @f32_to_ui64() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 127.5, -128.9, 255.9, 300.0, -1.0, 3.0e9, -3.0e9, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf32>
  %result = stablehlo.convert %operand : (tensor<17xf32>) -> tensor<17xui64>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 18446744073709551615, 0, 127, 0, 255, 300, 0, 3000000000, 0, 9999999980506447872, 0, 18446744073709551615]> : tensor<17xui64>
  return
}

// -----

// f32 to i4: towards zero, saturating.
func.func @f32_to_i4() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 127.5, -128.9, 255.9, 300.0, -1.0, 3.0e9, -3.0e9, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf32>
  %result = stablehlo.convert %operand : (tensor<17xf32>) -> tensor<17xi4>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 7, -8, 7, -8, 7, 7, -1, 7, -8, 7, -8, 7]> : tensor<17xi4>
  return
}

// -----

// f32 to ui4: towards zero, saturating.
func.func @f32_to_ui4() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC00000, 0x7F800000, 0xFF800000, 127.5, -128.9, 255.9, 300.0, -1.0, 3.0e9, -3.0e9, 1.0e19, -1.0e19, 2.0e19]> : tensor<17xf32>
  %result = stablehlo.convert %operand : (tensor<17xf32>) -> tensor<17xui4>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 15, 0, 15, 0, 15, 15, 0, 15, 0, 15, 0, 15]> : tensor<17xui4>
  return
}

// -----

// f32 to bool: only zeros are false.
func.func @f32_to_i1() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 1.0, -0.5, 1.0e-45, 0x7FC00000, 0x7F800000]> : tensor<7xf32>
  %result = stablehlo.convert %operand : (tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %result, dense<[false, false, true, true, true, true, true]> : tensor<7xi1>
  return
}

// -----

// The last numbers below 2^63.
func.func @f64_to_i64_limits() {
  %operand = stablehlo.constant dense<[9.223372036854775e18, 9.223372036854776e18, -9.223372036854776e18]> : tensor<3xf64>
  %result = stablehlo.convert %operand : (tensor<3xf64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[9223372036854774784, 9223372036854775807, -9223372036854775808]> : tensor<3xi64>
  return
}

// -----

// The last numbers below 2^64.
func.func @f64_to_ui64_limits() {
  %operand = stablehlo.constant dense<[1.844674407370955e19, 1.8446744073709552e19, 9.223372036854776e18]> : tensor<3xf64>
  %result = stablehlo.convert %operand : (tensor<3xf64>) -> tensor<3xui64>
  check.expect_eq_const %result, dense<[18446744073709549568, 18446744073709551615, 9223372036854775808]> : tensor<3xui64>
  return
}

// -----

// The last numbers below 2^31.
func.func @f32_to_i32_limits() {
  %operand = stablehlo.constant dense<[2.1474835e9, 2.1474836e9, -2.1474836e9]> : tensor<3xf32>
  %result = stablehlo.convert %operand : (tensor<3xf32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[2147483520, 2147483647, -2147483648]> : tensor<3xi32>
  return
}

// -----

// The last numbers below 2^32.
func.func @f32_to_ui32_limits() {
  %operand = stablehlo.constant dense<[4.294967e9, 4.2949673e9]> : tensor<2xf32>
  %result = stablehlo.convert %operand : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %result, dense<[4294967040, 4294967295]> : tensor<2xui32>
  return
}

// -----

// f64 to f32: rounding, overflow, below the least normal number.
func.func @f64_to_f32() {
  %operand = stablehlo.constant dense<[1.0, 0.1, 1.0000000596046448, 1.0000001788139343, 1.0e39, -1.0e39, 3.4028235677973366e38, 3.4028235677973362e38, 1.0e-45, 7.006492321624085e-46, 1.0e-40, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<13xf64>
  %result = stablehlo.convert %operand : (tensor<13xf64>) -> tensor<13xf32>
  check.expect_eq_const %result, dense<[1.0, 0.1, 1.0, 1.0000002, 0x7F800000, 0xFF800000, 0x7F800000, 3.4028235e38, 1.0e-45, 0.0, 1.0e-40, 0x7FC00000, 0x7F800000]> : tensor<13xf32>
  return
}

// -----

// f64 to f16: rounded once; overflow from 65520.
func.func @f64_to_f16() {
  %operand = stablehlo.constant dense<[65519.99, 65520.0, 2049.0, 2051.0, 1.0004882812509095, 2.9802322387695312e-8, 2.9802322388562674e-8, 5.0e-8, 0x7FF8000000000000, 0xFFF0000000000000]> : tensor<10xf64>
  %result = stablehlo.convert %operand : (tensor<10xf64>) -> tensor<10xf16>
  check.expect_eq_const %result, dense<[65500.0, 0x7C00, 2048.0, 2052.0, 1.001, 0.0, 6.0e-8, 6.0e-8, 0x7E00, 0xFC00]> : tensor<10xf16>
  return
}

// -----

// f64 to bf16: rounded once.
func.func @f64_to_bf16() {
  %operand = stablehlo.constant dense<[1.00390625, 1.0039062500009095, 1.01171875, 3.4e38, 3.39e38, 1.0e-41, 0x7FF8000000000000, 0x7FF0000000000000]> : tensor<8xf64>
  %result = stablehlo.convert %operand : (tensor<8xf64>) -> tensor<8xbf16>
  check.expect_eq_const %result, dense<[1.0, 1.01, 1.016, 0x7F80, 3.39e38, 0.0, 0x7FC0, 0x7F80]> : tensor<8xbf16>
  return
}

// -----

// f32 to f16: overflow from 65520, below the least normal number.
func.func @f32_to_f16() {
  %operand = stablehlo.constant dense<[65519.0, 65520.0, 2049.0, 2051.0, 0.1, 2.9802322e-8, 8.940697e-8, 6.1035156e-5, 0x7FC00000, 0xFF800000]> : tensor<10xf32>
  %result = stablehlo.convert %operand : (tensor<10xf32>) -> tensor<10xf16>
  check.expect_eq_const %result, dense<[65500.0, 0x7C00, 2048.0, 2052.0, 0.1, 0.0, 1.0e-7, 6.104e-5, 0x7E00, 0xFC00]> : tensor<10xf16>
  return
}

// -----

// f32 to bf16: ties to even.
func.func @f32_to_bf16() {
  %operand = stablehlo.constant dense<[1.0039062, 1.0117188, 1.0039064, 3.4028235e38, -3.39e38, 1.0e-45, 0x7FC00000, 0x7F800000]> : tensor<8xf32>
  %result = stablehlo.convert %operand : (tensor<8xf32>) -> tensor<8xbf16>
  check.expect_eq_const %result, dense<[1.0, 1.016, 1.01, 0x7F80, -3.39e38, 0.0, 0x7FC0, 0x7F80]> : tensor<8xbf16>
  return
}

// -----

// f32 to f64 is exact.
func.func @f32_to_f64() {
  %operand = stablehlo.constant dense<[0.1, 1.0e-45, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
  %result = stablehlo.convert %operand : (tensor<4xf32>) -> tensor<4xf64>
  check.expect_eq_const %result, dense<[0.10000000149011612, 1.401298464324817e-45, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  return
}

// -----

// Zeros keep their sign, and what becomes zero too.
func.func @f32_to_f16_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0, -1.0e-30]> : tensor<3xf32>
  %result = stablehlo.convert %operand : (tensor<3xf32>) -> tensor<3xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<3xf16>) -> tensor<3xui16>
  check.expect_eq_const %bits, dense<[0, 0x8000, 0x8000]> : tensor<3xui16>
  return
}

// -----

// Zeros keep their sign, and what becomes zero too.
func.func @f64_to_f32_signed_zeros() {
  %operand = stablehlo.constant dense<[0.0, -0.0, -1.0e-300]> : tensor<3xf64>
  %result = stablehlo.convert %operand : (tensor<3xf64>) -> tensor<3xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000, 0x80000000]> : tensor<3xui32>
  return
}

// -----

// f8E4M3FN: 4 exponent bits, 3 mantissa bits, NaN but no infinity.
func.func @f32_to_f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.0, 1.0625, 1.1875, 448.0, 464.0, 465.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0.001953125, 0.0009765625, 0.0029296875, -17.0]> : tensor<13xf32>
  %result = stablehlo.convert %operand : (tensor<13xf32>) -> tensor<13xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.0, 1.0, 1.2, 450.0, 450.0, 0x7F, 0x7F, 0x7F, 0x7F, 0.002, 0.0, 0.004, -16.0]> : tensor<13xf8E4M3FN>
  return
}

// -----

// f8E5M2: 5 exponent bits, 2 mantissa bits, infinities.
func.func @f32_to_f8E5M2() {
  %operand = stablehlo.constant dense<[1.0, 1.125, 1.375, 57344.0, 61439.0, 61440.0, 0x7F800000, 0xFF800000, 0x7FC00000, 1.5258789e-5, 7.6293945e-6, 2.2888184e-5]> : tensor<12xf32>
  %result = stablehlo.convert %operand : (tensor<12xf32>) -> tensor<12xf8E5M2>
  check.expect_eq_const %result, dense<[1.0, 1.0, 1.5, 60000.0, 60000.0, 0x7C, 0x7C, 0xFC, 0x7E, 2.0e-5, 0.0, 3.0e-5]> : tensor<12xf8E5M2>
  return
}

// -----

// f8E4M3FNUZ: one zero, one NaN, no infinity.
func.func @f32_to_f8E4M3FNUZ() {
  %operand = stablehlo.constant dense<[1.0, 1.0625, 240.0, 248.0, 0x7F800000, 0x7FC00000, 0.0009765625]> : tensor<7xf32>
  %result = stablehlo.convert %operand : (tensor<7xf32>) -> tensor<7xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[1.0, 1.0, 240.0, 0x80, 0x80, 0x80, 0.001]> : tensor<7xf8E4M3FNUZ>
  return
}

// -----

// f8E5M2FNUZ: one zero, one NaN, no infinity.
func.func @f32_to_f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[1.0, 1.125, 57344.0, 61440.0, 0x7F800000, 0x7FC00000, 7.6293945e-6]> : tensor<7xf32>
  %result = stablehlo.convert %operand : (tensor<7xf32>) -> tensor<7xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[1.0, 1.0, 60000.0, 0x80, 0x80, 0x80, 8.0e-6]> : tensor<7xf8E5M2FNUZ>
  return
}

// -----

// f8E4M3B11FNUZ: the bias is 11.
func.func @f32_to_f8E4M3B11FNUZ() {
  %operand = stablehlo.constant dense<[1.0, 1.0625, 30.0, 31.0, 0x7F800000, 0x7FC00000, 0.00012207031]> : tensor<7xf32>
  %result = stablehlo.convert %operand : (tensor<7xf32>) -> tensor<7xf8E4M3B11FNUZ>
  check.expect_eq_const %result, dense<[1.0, 1.0, 30.0, 0x80, 0x80, 0x80, 0.0001]> : tensor<7xf8E4M3B11FNUZ>
  return
}

// -----

// f8E4M3, as in IEEE 754.
func.func @f32_to_f8E4M3() {
  %operand = stablehlo.constant dense<[1.0, 1.0625, 240.0, 247.0, 248.0, 0x7FC00000, 0.001953125]> : tensor<7xf32>
  %result = stablehlo.convert %operand : (tensor<7xf32>) -> tensor<7xf8E4M3>
  check.expect_eq_const %result, dense<[1.0, 1.0, 240.0, 240.0, 0x78, 0x7C, 0.002]> : tensor<7xf8E4M3>
  return
}

// -----

// f8E3M4, as in IEEE 754.
func.func @f32_to_f8E3M4() {
  %operand = stablehlo.constant dense<[1.0, 1.03125, 15.5, 15.75, 0x7FC00000, 0.015625]> : tensor<6xf32>
  %result = stablehlo.convert %operand : (tensor<6xf32>) -> tensor<6xf8E3M4>
  check.expect_eq_const %result, dense<[1.0, 1.0, 15.5, 0x70, 0x78, 0.02]> : tensor<6xf8E3M4>
  return
}

// -----

// f64 to f8E4M3FN: rounded once.
func.func @f64_to_f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.0625000000009095, 1.0625, 0x7FF8000000000000]> : tensor<3xf64>
  %result = stablehlo.convert %operand : (tensor<3xf64>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.1, 1.0, 0x7F]> : tensor<3xf8E4M3FN>
  return
}

// -----

// f4E2M1FN: 2 exponent bits, 1 mantissa bit, finite numbers only.
func.func @f32_to_f4E2M1FN() {
  %operand = stablehlo.constant dense<[0.0, 0.5, 1.0, -1.5, 6.0, 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, -4.9]> : tensor<13xf32>
  %result = stablehlo.convert %operand : (tensor<13xf32>) -> tensor<13xf4E2M1FN>
  check.expect_eq_const %result, dense<[0.0, 0.5, 1.0, -1.5, 6.0, 0.0, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, -4.0]> : tensor<13xf4E2M1FN>
  return
}

// -----

// f6E2M3FN: 2 exponent bits, 3 mantissa bits, finite numbers only.
func.func @f32_to_f6E2M3FN() {
  %operand = stablehlo.constant dense<[0.125, 1.0, 1.0625, 1.1875, -7.5, 0.0625, 0.1875]> : tensor<7xf32>
  %result = stablehlo.convert %operand : (tensor<7xf32>) -> tensor<7xf6E2M3FN>
  check.expect_eq_const %result, dense<[0.1, 1.0, 1.0, 1.2, -8.0, 0.0, 0.2]> : tensor<7xf6E2M3FN>
  return
}

// -----

// f6E3M2FN: 3 exponent bits, 2 mantissa bits, finite numbers only.
func.func @f32_to_f6E3M2FN() {
  %operand = stablehlo.constant dense<[0.0625, 1.0, 1.125, 1.375, -28.0, 0.03125, 0.09375]> : tensor<7xf32>
  %result = stablehlo.convert %operand : (tensor<7xf32>) -> tensor<7xf6E3M2FN>
  check.expect_eq_const %result, dense<[0.06, 1.0, 1.0, 1.5, -30.0, 0.0, 0.1]> : tensor<7xf6E3M2FN>
  return
}

// -----

// f8E8M0FNU: powers of two, and NaN.
func.func @f32_to_f8E8M0FNU() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 0.5, 1.7014118e38, 1.1754944e-38, 0x7FC00000]> : tensor<6xf32>
  %result = stablehlo.convert %operand : (tensor<6xf32>) -> tensor<6xf8E8M0FNU>
  check.expect_eq_const %result, dense<[1.0, 2.0, 0.5, 2.0e38, 1.0e-38, 0xFF]> : tensor<6xf8E8M0FNU>
  return
}

// -----

// The imaginary part is 0.
func.func @f32_to_complex_f32() {
  %operand = stablehlo.constant dense<[1.5, 0x7FC00000, 0xFF800000]> : tensor<3xf32>
  %result = stablehlo.convert %operand : (tensor<3xf32>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.5, 0.0), (0x7FC00000, 0.0), (0xFF800000, 0.0)]> : tensor<3xcomplex<f32>>
  return
}
