// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file --skip 'f8|f6E|f4E'

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

// f16 to i8: towards zero, saturating.
func.func @f16_to_i8() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7E00, 0x7C00, 0xFC00, 127.5, -128.9, 255.9, 300.0, -1.0, 65500.0, -65500.0]> : tensor<14xf16>
  %result = stablehlo.convert %operand : (tensor<14xf16>) -> tensor<14xi8>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 127, -128, 127, -128, 127, 127, -1, 127, -128]> : tensor<14xi8>
  return
}

// -----

// f16 to i16: towards zero, saturating.
func.func @f16_to_i16() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7E00, 0x7C00, 0xFC00, 127.5, -128.9, 255.9, 300.0, -1.0, 65500.0, -65500.0]> : tensor<14xf16>
  %result = stablehlo.convert %operand : (tensor<14xf16>) -> tensor<14xi16>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 32767, -32768, 127, -128, 255, 300, -1, 32767, -32768]> : tensor<14xi16>
  return
}

// -----

// f16 to i32: towards zero, saturating.
func.func @f16_to_i32() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7E00, 0x7C00, 0xFC00, 127.5, -128.9, 255.9, 300.0, -1.0, 65500.0, -65500.0]> : tensor<14xf16>
  %result = stablehlo.convert %operand : (tensor<14xf16>) -> tensor<14xi32>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 2147483647, -2147483648, 127, -128, 255, 300, -1, 65504, -65504]> : tensor<14xi32>
  return
}

// -----

// f16 to i64: towards zero, saturating.
func.func @f16_to_i64() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7E00, 0x7C00, 0xFC00, 127.5, -128.9, 255.9, 300.0, -1.0, 65500.0, -65500.0]> : tensor<14xf16>
  %result = stablehlo.convert %operand : (tensor<14xf16>) -> tensor<14xi64>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 9223372036854775807, -9223372036854775808, 127, -128, 255, 300, -1, 65504, -65504]> : tensor<14xi64>
  return
}

// -----

// f16 to ui8: towards zero, saturating.
func.func @f16_to_ui8() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7E00, 0x7C00, 0xFC00, 127.5, -128.9, 255.9, 300.0, -1.0, 65500.0, -65500.0]> : tensor<14xf16>
  %result = stablehlo.convert %operand : (tensor<14xf16>) -> tensor<14xui8>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 255, 0, 127, 0, 255, 255, 0, 255, 0]> : tensor<14xui8>
  return
}

// -----

// f16 to ui16: towards zero, saturating.
func.func @f16_to_ui16() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7E00, 0x7C00, 0xFC00, 127.5, -128.9, 255.9, 300.0, -1.0, 65500.0, -65500.0]> : tensor<14xf16>
  %result = stablehlo.convert %operand : (tensor<14xf16>) -> tensor<14xui16>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 65535, 0, 127, 0, 255, 300, 0, 65504, 0]> : tensor<14xui16>
  return
}

// -----

// f16 to ui32: towards zero, saturating.
func.func @f16_to_ui32() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7E00, 0x7C00, 0xFC00, 127.5, -128.9, 255.9, 300.0, -1.0, 65500.0, -65500.0]> : tensor<14xf16>
  %result = stablehlo.convert %operand : (tensor<14xf16>) -> tensor<14xui32>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 4294967295, 0, 127, 0, 255, 300, 0, 65504, 0]> : tensor<14xui32>
  return
}

// -----

// f16 to ui64: towards zero, saturating.
func.func @f16_to_ui64() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7E00, 0x7C00, 0xFC00, 127.5, -128.9, 255.9, 300.0, -1.0, 65500.0, -65500.0]> : tensor<14xf16>
  %result = stablehlo.convert %operand : (tensor<14xf16>) -> tensor<14xui64>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 18446744073709551615, 0, 127, 0, 255, 300, 0, 65504, 0]> : tensor<14xui64>
  return
}

// -----

// f16 to bool: only zeros are false.
func.func @f16_to_i1() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 1.0, -0.5, 6.0e-8, 0x7E00, 0x7C00]> : tensor<7xf16>
  %result = stablehlo.convert %operand : (tensor<7xf16>) -> tensor<7xi1>
  check.expect_eq_const %result, dense<[false, false, true, true, true, true, true]> : tensor<7xi1>
  return
}

// -----

// bf16 to i8: towards zero, saturating.
func.func @bf16_to_i8() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC0, 0x7F80, 0xFF80, 127.5, -129.0, 255.0, 300.0, -1.0, 3000000000.0, -3000000000.0]> : tensor<14xbf16>
  %result = stablehlo.convert %operand : (tensor<14xbf16>) -> tensor<14xi8>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 127, -128, 127, -128, 127, 127, -1, 127, -128]> : tensor<14xi8>
  return
}

// -----

// bf16 to i16: towards zero, saturating.
func.func @bf16_to_i16() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC0, 0x7F80, 0xFF80, 127.5, -129.0, 255.0, 300.0, -1.0, 3000000000.0, -3000000000.0]> : tensor<14xbf16>
  %result = stablehlo.convert %operand : (tensor<14xbf16>) -> tensor<14xi16>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 32767, -32768, 127, -129, 255, 300, -1, 32767, -32768]> : tensor<14xi16>
  return
}

// -----

// bf16 to i32: towards zero, saturating.
func.func @bf16_to_i32() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC0, 0x7F80, 0xFF80, 127.5, -129.0, 255.0, 300.0, -1.0, 3000000000.0, -3000000000.0]> : tensor<14xbf16>
  %result = stablehlo.convert %operand : (tensor<14xbf16>) -> tensor<14xi32>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 2147483647, -2147483648, 127, -129, 255, 300, -1, 2147483647, -2147483648]> : tensor<14xi32>
  return
}

// -----

// bf16 to i64: towards zero, saturating.
func.func @bf16_to_i64() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC0, 0x7F80, 0xFF80, 127.5, -129.0, 255.0, 300.0, -1.0, 3000000000.0, -3000000000.0]> : tensor<14xbf16>
  %result = stablehlo.convert %operand : (tensor<14xbf16>) -> tensor<14xi64>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 9223372036854775807, -9223372036854775808, 127, -129, 255, 300, -1, 3003121664, -3003121664]> : tensor<14xi64>
  return
}

// -----

// bf16 to ui8: towards zero, saturating.
func.func @bf16_to_ui8() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC0, 0x7F80, 0xFF80, 127.5, -129.0, 255.0, 300.0, -1.0, 3000000000.0, -3000000000.0]> : tensor<14xbf16>
  %result = stablehlo.convert %operand : (tensor<14xbf16>) -> tensor<14xui8>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 255, 0, 127, 0, 255, 255, 0, 255, 0]> : tensor<14xui8>
  return
}

// -----

// bf16 to ui16: towards zero, saturating.
func.func @bf16_to_ui16() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC0, 0x7F80, 0xFF80, 127.5, -129.0, 255.0, 300.0, -1.0, 3000000000.0, -3000000000.0]> : tensor<14xbf16>
  %result = stablehlo.convert %operand : (tensor<14xbf16>) -> tensor<14xui16>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 65535, 0, 127, 0, 255, 300, 0, 65535, 0]> : tensor<14xui16>
  return
}

// -----

// bf16 to ui32: towards zero, saturating.
func.func @bf16_to_ui32() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC0, 0x7F80, 0xFF80, 127.5, -129.0, 255.0, 300.0, -1.0, 3000000000.0, -3000000000.0]> : tensor<14xbf16>
  %result = stablehlo.convert %operand : (tensor<14xbf16>) -> tensor<14xui32>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 4294967295, 0, 127, 0, 255, 300, 0, 3003121664, 0]> : tensor<14xui32>
  return
}

// -----

// bf16 to ui64: towards zero, saturating.
func.func @bf16_to_ui64() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC0, 0x7F80, 0xFF80, 127.5, -129.0, 255.0, 300.0, -1.0, 3000000000.0, -3000000000.0]> : tensor<14xbf16>
  %result = stablehlo.convert %operand : (tensor<14xbf16>) -> tensor<14xui64>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 18446744073709551615, 0, 127, 0, 255, 300, 0, 3003121664, 0]> : tensor<14xui64>
  return
}

// -----

// bf16 to i4: towards zero, saturating.
func.func @bf16_to_i4() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC0, 0x7F80, 0xFF80, 127.5, -129.0, 255.0, 300.0, -1.0, 3000000000.0, -3000000000.0]> : tensor<14xbf16>
  %result = stablehlo.convert %operand : (tensor<14xbf16>) -> tensor<14xi4>
  check.expect_eq_const %result, dense<[1, -1, 0, 0, 0, 7, -8, 7, -8, 7, 7, -1, 7, -8]> : tensor<14xi4>
  return
}

// -----

// bf16 to ui4: towards zero, saturating.
func.func @bf16_to_ui4() {
  %operand = stablehlo.constant dense<[1.9, -1.9, 0.5, -0.0, 0x7FC0, 0x7F80, 0xFF80, 127.5, -129.0, 255.0, 300.0, -1.0, 3000000000.0, -3000000000.0]> : tensor<14xbf16>
  %result = stablehlo.convert %operand : (tensor<14xbf16>) -> tensor<14xui4>
  check.expect_eq_const %result, dense<[1, 0, 0, 0, 0, 15, 0, 15, 0, 15, 15, 0, 15, 0]> : tensor<14xui4>
  return
}

// -----

// bf16 to bool: only zeros are false.
func.func @bf16_to_i1() {
  %operand = stablehlo.constant dense<[0.0, -0.0, 1.0, -0.5, 9.0e-41, 0x7FC0, 0x7F80]> : tensor<7xbf16>
  %result = stablehlo.convert %operand : (tensor<7xbf16>) -> tensor<7xi1>
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

// ui8 to i8, modulo 2^8.
func.func @ui8_to_i8() {
  %operand = stablehlo.constant dense<[0, 1, 255, 0, 128]> : tensor<5xui8>
  %result = stablehlo.convert %operand : (tensor<5xui8>) -> tensor<5xi8>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, -128]> : tensor<5xi8>
  return
}

// -----

// ui8 to i32, zeros come in.
func.func @ui8_to_i32() {
  %operand = stablehlo.constant dense<[0, 1, 255, 0, 128]> : tensor<5xui8>
  %result = stablehlo.convert %operand : (tensor<5xui8>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 1, 255, 0, 128]> : tensor<5xi32>
  return
}

// -----

// ui8 to i64, zeros come in.
func.func @ui8_to_i64() {
  %operand = stablehlo.constant dense<[0, 1, 255, 0, 128]> : tensor<5xui8>
  %result = stablehlo.convert %operand : (tensor<5xui8>) -> tensor<5xi64>
  check.expect_eq_const %result, dense<[0, 1, 255, 0, 128]> : tensor<5xi64>
  return
}

// -----

// ui8 to ui32, zeros come in.
func.func @ui8_to_ui32() {
  %operand = stablehlo.constant dense<[0, 1, 255, 0, 128]> : tensor<5xui8>
  %result = stablehlo.convert %operand : (tensor<5xui8>) -> tensor<5xui32>
  check.expect_eq_const %result, dense<[0, 1, 255, 0, 128]> : tensor<5xui32>
  return
}

// -----

// ui8 to ui64, zeros come in.
func.func @ui8_to_ui64() {
  %operand = stablehlo.constant dense<[0, 1, 255, 0, 128]> : tensor<5xui8>
  %result = stablehlo.convert %operand : (tensor<5xui8>) -> tensor<5xui64>
  check.expect_eq_const %result, dense<[0, 1, 255, 0, 128]> : tensor<5xui64>
  return
}

// -----

// ui8 to i4, modulo 2^4.
func.func @ui8_to_i4() {
  %operand = stablehlo.constant dense<[0, 1, 255, 0, 128]> : tensor<5xui8>
  %result = stablehlo.convert %operand : (tensor<5xui8>) -> tensor<5xi4>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, 0]> : tensor<5xi4>
  return
}

// -----

// ui8 to ui4, modulo 2^4.
func.func @ui8_to_ui4() {
  %operand = stablehlo.constant dense<[0, 1, 255, 0, 128]> : tensor<5xui8>
  %result = stablehlo.convert %operand : (tensor<5xui8>) -> tensor<5xui4>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 0]> : tensor<5xui4>
  return
}

// -----

// ui32 to i8, modulo 2^8.
func.func @ui32_to_i8() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 0, 2147483648]> : tensor<5xui32>
  %result = stablehlo.convert %operand : (tensor<5xui32>) -> tensor<5xi8>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, 0]> : tensor<5xi8>
  return
}

// -----

// ui32 to i16, modulo 2^16.
func.func @ui32_to_i16() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 0, 2147483648]> : tensor<5xui32>
  %result = stablehlo.convert %operand : (tensor<5xui32>) -> tensor<5xi16>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, 0]> : tensor<5xi16>
  return
}

// -----

// ui32 to i32, modulo 2^32.
func.func @ui32_to_i32() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 0, 2147483648]> : tensor<5xui32>
  %result = stablehlo.convert %operand : (tensor<5xui32>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, -2147483648]> : tensor<5xi32>
  return
}

// -----

// ui32 to i64, zeros come in.
func.func @ui32_to_i64() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 0, 2147483648]> : tensor<5xui32>
  %result = stablehlo.convert %operand : (tensor<5xui32>) -> tensor<5xi64>
  check.expect_eq_const %result, dense<[0, 1, 4294967295, 0, 2147483648]> : tensor<5xi64>
  return
}

// -----

// ui32 to ui8, modulo 2^8.
func.func @ui32_to_ui8() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 0, 2147483648]> : tensor<5xui32>
  %result = stablehlo.convert %operand : (tensor<5xui32>) -> tensor<5xui8>
  check.expect_eq_const %result, dense<[0, 1, 255, 0, 0]> : tensor<5xui8>
  return
}

// -----

// ui32 to ui16, modulo 2^16.
func.func @ui32_to_ui16() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 0, 2147483648]> : tensor<5xui32>
  %result = stablehlo.convert %operand : (tensor<5xui32>) -> tensor<5xui16>
  check.expect_eq_const %result, dense<[0, 1, 65535, 0, 0]> : tensor<5xui16>
  return
}

// -----

// ui32 to ui64, zeros come in.
func.func @ui32_to_ui64() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 0, 2147483648]> : tensor<5xui32>
  %result = stablehlo.convert %operand : (tensor<5xui32>) -> tensor<5xui64>
  check.expect_eq_const %result, dense<[0, 1, 4294967295, 0, 2147483648]> : tensor<5xui64>
  return
}

// -----

// ui32 to i4, modulo 2^4.
func.func @ui32_to_i4() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 0, 2147483648]> : tensor<5xui32>
  %result = stablehlo.convert %operand : (tensor<5xui32>) -> tensor<5xi4>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, 0]> : tensor<5xi4>
  return
}

// -----

// ui32 to ui4, modulo 2^4.
func.func @ui32_to_ui4() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 0, 2147483648]> : tensor<5xui32>
  %result = stablehlo.convert %operand : (tensor<5xui32>) -> tensor<5xui4>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 0]> : tensor<5xui4>
  return
}

// -----

// ui64 to i8, modulo 2^8.
func.func @ui64_to_i8() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 0, 9223372036854775808]> : tensor<5xui64>
  %result = stablehlo.convert %operand : (tensor<5xui64>) -> tensor<5xi8>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, 0]> : tensor<5xi8>
  return
}

// -----

// ui64 to i32, modulo 2^32.
func.func @ui64_to_i32() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 0, 9223372036854775808]> : tensor<5xui64>
  %result = stablehlo.convert %operand : (tensor<5xui64>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, 0]> : tensor<5xi32>
  return
}

// -----

// ui64 to i64, modulo 2^64.
func.func @ui64_to_i64() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 0, 9223372036854775808]> : tensor<5xui64>
  %result = stablehlo.convert %operand : (tensor<5xui64>) -> tensor<5xi64>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, -9223372036854775808]> : tensor<5xi64>
  return
}

// -----

// ui64 to ui8, modulo 2^8.
func.func @ui64_to_ui8() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 0, 9223372036854775808]> : tensor<5xui64>
  %result = stablehlo.convert %operand : (tensor<5xui64>) -> tensor<5xui8>
  check.expect_eq_const %result, dense<[0, 1, 255, 0, 0]> : tensor<5xui8>
  return
}

// -----

// ui64 to ui32, modulo 2^32.
func.func @ui64_to_ui32() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 0, 9223372036854775808]> : tensor<5xui64>
  %result = stablehlo.convert %operand : (tensor<5xui64>) -> tensor<5xui32>
  check.expect_eq_const %result, dense<[0, 1, 4294967295, 0, 0]> : tensor<5xui32>
  return
}

// -----

// ui64 to i4, modulo 2^4.
func.func @ui64_to_i4() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 0, 9223372036854775808]> : tensor<5xui64>
  %result = stablehlo.convert %operand : (tensor<5xui64>) -> tensor<5xi4>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, 0]> : tensor<5xi4>
  return
}

// -----

// ui64 to ui4, modulo 2^4.
func.func @ui64_to_ui4() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 0, 9223372036854775808]> : tensor<5xui64>
  %result = stablehlo.convert %operand : (tensor<5xui64>) -> tensor<5xui4>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 0]> : tensor<5xui4>
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

// ui4 to i8, zeros come in.
func.func @ui4_to_i8() {
  %operand = stablehlo.constant dense<[0, 1, 15, 0, 8]> : tensor<5xui4>
  %result = stablehlo.convert %operand : (tensor<5xui4>) -> tensor<5xi8>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 8]> : tensor<5xi8>
  return
}

// -----

// ui4 to i32, zeros come in.
func.func @ui4_to_i32() {
  %operand = stablehlo.constant dense<[0, 1, 15, 0, 8]> : tensor<5xui4>
  %result = stablehlo.convert %operand : (tensor<5xui4>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 8]> : tensor<5xi32>
  return
}

// -----

// ui4 to i64, zeros come in.
func.func @ui4_to_i64() {
  %operand = stablehlo.constant dense<[0, 1, 15, 0, 8]> : tensor<5xui4>
  %result = stablehlo.convert %operand : (tensor<5xui4>) -> tensor<5xi64>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 8]> : tensor<5xi64>
  return
}

// -----

// ui4 to ui8, zeros come in.
func.func @ui4_to_ui8() {
  %operand = stablehlo.constant dense<[0, 1, 15, 0, 8]> : tensor<5xui4>
  %result = stablehlo.convert %operand : (tensor<5xui4>) -> tensor<5xui8>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 8]> : tensor<5xui8>
  return
}

// -----

// ui4 to ui32, zeros come in.
func.func @ui4_to_ui32() {
  %operand = stablehlo.constant dense<[0, 1, 15, 0, 8]> : tensor<5xui4>
  %result = stablehlo.convert %operand : (tensor<5xui4>) -> tensor<5xui32>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 8]> : tensor<5xui32>
  return
}

// -----

// ui4 to ui64, zeros come in.
func.func @ui4_to_ui64() {
  %operand = stablehlo.constant dense<[0, 1, 15, 0, 8]> : tensor<5xui4>
  %result = stablehlo.convert %operand : (tensor<5xui4>) -> tensor<5xui64>
  check.expect_eq_const %result, dense<[0, 1, 15, 0, 8]> : tensor<5xui64>
  return
}

// -----

// ui4 to i4, modulo 2^4.
func.func @ui4_to_i4() {
  %operand = stablehlo.constant dense<[0, 1, 15, 0, 8]> : tensor<5xui4>
  %result = stablehlo.convert %operand : (tensor<5xui4>) -> tensor<5xi4>
  check.expect_eq_const %result, dense<[0, 1, -1, 0, -8]> : tensor<5xi4>
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

// ui8 to bool.
func.func @ui8_to_i1() {
  %operand = stablehlo.constant dense<[0, 1, 255, 0]> : tensor<4xui8>
  %result = stablehlo.convert %operand : (tensor<4xui8>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, false]> : tensor<4xi1>
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

// ui64 to bool.
func.func @ui64_to_i1() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 0]> : tensor<4xui64>
  %result = stablehlo.convert %operand : (tensor<4xui64>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, false]> : tensor<4xi1>
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

// -----

// Bool to i8: 0 and 1.
func.func @i1_to_i8() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xi8>
  check.expect_eq_const %result, dense<[0, 1]> : tensor<2xi8>
  return
}

// -----

// Bool to ui8: 0 and 1.
func.func @i1_to_ui8() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<[0, 1]> : tensor<2xui8>
  return
}

// -----

// Bool to i32: 0 and 1.
func.func @i1_to_i32() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[0, 1]> : tensor<2xi32>
  return
}

// -----

// Bool to ui64: 0 and 1.
func.func @i1_to_ui64() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xui64>
  check.expect_eq_const %result, dense<[0, 1]> : tensor<2xui64>
  return
}

// -----

// Bool to i4: 0 and 1.
func.func @i1_to_i4() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xi4>
  check.expect_eq_const %result, dense<[0, 1]> : tensor<2xi4>
  return
}

// -----

// Bool to f64: 0 and 1.
func.func @i1_to_f64() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0]> : tensor<2xf64>
  return
}

// -----

// Bool to f32: 0 and 1.
func.func @i1_to_f32() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0]> : tensor<2xf32>
  return
}

// -----

// Bool to f16: 0 and 1.
func.func @i1_to_f16() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0]> : tensor<2xf16>
  return
}

// -----

// Bool to bf16: 0 and 1.
func.func @i1_to_bf16() {
  %operand = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0]> : tensor<2xbf16>
  return
}

// -----

// i8 to f64, rounded once.
func.func @i8_to_f64() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, 64, -1]> : tensor<6xi8>
  %result = stablehlo.convert %operand : (tensor<6xi8>) -> tensor<6xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 127.0, -128.0, 64.0, -1.0]> : tensor<6xf64>
  return
}

// -----

// i8 to f32, rounded once.
func.func @i8_to_f32() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, 64, -1]> : tensor<6xi8>
  %result = stablehlo.convert %operand : (tensor<6xi8>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 127.0, -128.0, 64.0, -1.0]> : tensor<6xf32>
  return
}

// -----

// i8 to f16, rounded once.
func.func @i8_to_f16() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, 64, -1]> : tensor<6xi8>
  %result = stablehlo.convert %operand : (tensor<6xi8>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 127.0, -128.0, 64.0, -1.0]> : tensor<6xf16>
  return
}

// -----

// i8 to bf16, rounded once.
func.func @i8_to_bf16() {
  %operand = stablehlo.constant dense<[0, 1, 127, -128, 64, -1]> : tensor<6xi8>
  %result = stablehlo.convert %operand : (tensor<6xi8>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 127.0, -128.0, 64.0, -1.0]> : tensor<6xbf16>
  return
}

// -----

// ui8 to f64, rounded once.
func.func @ui8_to_f64() {
  %operand = stablehlo.constant dense<[0, 1, 255, 128]> : tensor<4xui8>
  %result = stablehlo.convert %operand : (tensor<4xui8>) -> tensor<4xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 255.0, 128.0]> : tensor<4xf64>
  return
}

// -----

// ui8 to f32, rounded once.
func.func @ui8_to_f32() {
  %operand = stablehlo.constant dense<[0, 1, 255, 128]> : tensor<4xui8>
  %result = stablehlo.convert %operand : (tensor<4xui8>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 255.0, 128.0]> : tensor<4xf32>
  return
}

// -----

// ui8 to f16, rounded once.
func.func @ui8_to_f16() {
  %operand = stablehlo.constant dense<[0, 1, 255, 128]> : tensor<4xui8>
  %result = stablehlo.convert %operand : (tensor<4xui8>) -> tensor<4xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 255.0, 128.0]> : tensor<4xf16>
  return
}

// -----

// ui8 to bf16, rounded once.
func.func @ui8_to_bf16() {
  %operand = stablehlo.constant dense<[0, 1, 255, 128]> : tensor<4xui8>
  %result = stablehlo.convert %operand : (tensor<4xui8>) -> tensor<4xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 255.0, 128.0]> : tensor<4xbf16>
  return
}

// -----

// i16 to f64, rounded once.
func.func @i16_to_f64() {
  %operand = stablehlo.constant dense<[0, 1, 32767, -32768, 2049, 2051, 257, 259, 16384, -1]> : tensor<10xi16>
  %result = stablehlo.convert %operand : (tensor<10xi16>) -> tensor<10xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 32767.0, -32768.0, 2049.0, 2051.0, 257.0, 259.0, 16384.0, -1.0]> : tensor<10xf64>
  return
}

// -----

// i16 to f32, rounded once.
func.func @i16_to_f32() {
  %operand = stablehlo.constant dense<[0, 1, 32767, -32768, 2049, 2051, 257, 259, 16384, -1]> : tensor<10xi16>
  %result = stablehlo.convert %operand : (tensor<10xi16>) -> tensor<10xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 32767.0, -32768.0, 2049.0, 2051.0, 257.0, 259.0, 16384.0, -1.0]> : tensor<10xf32>
  return
}

// -----

// i16 to f16, rounded once.
func.func @i16_to_f16() {
  %operand = stablehlo.constant dense<[0, 1, 32767, -32768, 2049, 2051, 257, 259, 16384, -1]> : tensor<10xi16>
  %result = stablehlo.convert %operand : (tensor<10xi16>) -> tensor<10xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 32770.0, -32770.0, 2048.0, 2052.0, 257.0, 259.0, 16380.0, -1.0]> : tensor<10xf16>
  return
}

// -----

// i16 to bf16, rounded once.
func.func @i16_to_bf16() {
  %operand = stablehlo.constant dense<[0, 1, 32767, -32768, 2049, 2051, 257, 259, 16384, -1]> : tensor<10xi16>
  %result = stablehlo.convert %operand : (tensor<10xi16>) -> tensor<10xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 32800.0, -32800.0, 2050.0, 2050.0, 256.0, 260.0, 16400.0, -1.0]> : tensor<10xbf16>
  return
}

// -----

// ui16 to f64, rounded once.
func.func @ui16_to_f64() {
  %operand = stablehlo.constant dense<[0, 1, 65535, 2049, 2051, 257, 259, 65519, 65520, 32768]> : tensor<10xui16>
  %result = stablehlo.convert %operand : (tensor<10xui16>) -> tensor<10xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 65535.0, 2049.0, 2051.0, 257.0, 259.0, 65519.0, 65520.0, 32768.0]> : tensor<10xf64>
  return
}

// -----

// ui16 to f32, rounded once.
func.func @ui16_to_f32() {
  %operand = stablehlo.constant dense<[0, 1, 65535, 2049, 2051, 257, 259, 65519, 65520, 32768]> : tensor<10xui16>
  %result = stablehlo.convert %operand : (tensor<10xui16>) -> tensor<10xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 65535.0, 2049.0, 2051.0, 257.0, 259.0, 65519.0, 65520.0, 32768.0]> : tensor<10xf32>
  return
}

// -----

// ui16 to f16, rounded once.
func.func @ui16_to_f16() {
  %operand = stablehlo.constant dense<[0, 1, 65535, 2049, 2051, 257, 259, 65519, 65520, 32768]> : tensor<10xui16>
  %result = stablehlo.convert %operand : (tensor<10xui16>) -> tensor<10xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 0x7C00, 2048.0, 2052.0, 257.0, 259.0, 65500.0, 0x7C00, 32770.0]> : tensor<10xf16>
  return
}

// -----

// ui16 to bf16, rounded once.
func.func @ui16_to_bf16() {
  %operand = stablehlo.constant dense<[0, 1, 65535, 2049, 2051, 257, 259, 65519, 65520, 32768]> : tensor<10xui16>
  %result = stablehlo.convert %operand : (tensor<10xui16>) -> tensor<10xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 65500.0, 2050.0, 2050.0, 256.0, 260.0, 65500.0, 65500.0, 32800.0]> : tensor<10xbf16>
  return
}

// -----

// i32 to f64, rounded once.
func.func @i32_to_f64() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 1073741824, -1]> : tensor<14xi32>
  %result = stablehlo.convert %operand : (tensor<14xi32>) -> tensor<14xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2147483647.0, -2147483648.0, 2049.0, 2051.0, 257.0, 259.0, 16777217.0, 16777219.0, 65519.0, 65520.0, 1073741824.0, -1.0]> : tensor<14xf64>
  return
}

// -----

// i32 to f32, rounded once.
func.func @i32_to_f32() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 1073741824, -1]> : tensor<14xi32>
  %result = stablehlo.convert %operand : (tensor<14xi32>) -> tensor<14xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.1474836e9, -2.1474836e9, 2049.0, 2051.0, 257.0, 259.0, 1.6777216e7, 1.677722e7, 65519.0, 65520.0, 1.0737418e9, -1.0]> : tensor<14xf32>
  return
}

// -----

// i32 to f16, rounded once.
func.func @i32_to_f16() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 1073741824, -1]> : tensor<14xi32>
  %result = stablehlo.convert %operand : (tensor<14xi32>) -> tensor<14xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 0x7C00, 0xFC00, 2048.0, 2052.0, 257.0, 259.0, 0x7C00, 0x7C00, 65500.0, 0x7C00, 0x7C00, -1.0]> : tensor<14xf16>
  return
}

// -----

// i32 to bf16, rounded once.
func.func @i32_to_bf16() {
  %operand = stablehlo.constant dense<[0, 1, 2147483647, -2147483648, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 1073741824, -1]> : tensor<14xi32>
  %result = stablehlo.convert %operand : (tensor<14xi32>) -> tensor<14xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2150000000.0, -2150000000.0, 2050.0, 2050.0, 256.0, 260.0, 16800000.0, 16800000.0, 65500.0, 65500.0, 1074000000.0, -1.0]> : tensor<14xbf16>
  return
}

// -----

// ui32 to f64, rounded once.
func.func @ui32_to_f64() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 2147483648]> : tensor<12xui32>
  %result = stablehlo.convert %operand : (tensor<12xui32>) -> tensor<12xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 4294967295.0, 2049.0, 2051.0, 257.0, 259.0, 16777217.0, 16777219.0, 65519.0, 65520.0, 2147483648.0]> : tensor<12xf64>
  return
}

// -----

// ui32 to f32, rounded once.
func.func @ui32_to_f32() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 2147483648]> : tensor<12xui32>
  %result = stablehlo.convert %operand : (tensor<12xui32>) -> tensor<12xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 4.2949673e9, 2049.0, 2051.0, 257.0, 259.0, 1.6777216e7, 1.677722e7, 65519.0, 65520.0, 2.1474836e9]> : tensor<12xf32>
  return
}

// -----

// ui32 to f16, rounded once.
func.func @ui32_to_f16() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 2147483648]> : tensor<12xui32>
  %result = stablehlo.convert %operand : (tensor<12xui32>) -> tensor<12xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 0x7C00, 2048.0, 2052.0, 257.0, 259.0, 0x7C00, 0x7C00, 65500.0, 0x7C00, 0x7C00]> : tensor<12xf16>
  return
}

// -----

// ui32 to bf16, rounded once.
func.func @ui32_to_bf16() {
  %operand = stablehlo.constant dense<[0, 1, 4294967295, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 2147483648]> : tensor<12xui32>
  %result = stablehlo.convert %operand : (tensor<12xui32>) -> tensor<12xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 4300000000.0, 2050.0, 2050.0, 256.0, 260.0, 16800000.0, 16800000.0, 65500.0, 65500.0, 2150000000.0]> : tensor<12xbf16>
  return
}

// -----

// i64 to f64, rounded once.
func.func @i64_to_f64() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 9007199254740993, 9007199254740995, 4611686018427387904, -1]> : tensor<16xi64>
  %result = stablehlo.convert %operand : (tensor<16xi64>) -> tensor<16xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 9.223372036854776e18, -9.223372036854776e18, 2049.0, 2051.0, 257.0, 259.0, 16777217.0, 16777219.0, 65519.0, 65520.0, 9007199254740992.0, 9007199254740996.0, 4.611686018427388e18, -1.0]> : tensor<16xf64>
  return
}

// -----

// i64 to f32, rounded once.
func.func @i64_to_f32() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 9007199254740993, 9007199254740995, 4611686018427387904, -1]> : tensor<16xi64>
  %result = stablehlo.convert %operand : (tensor<16xi64>) -> tensor<16xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 9.223372e18, -9.223372e18, 2049.0, 2051.0, 257.0, 259.0, 1.6777216e7, 1.677722e7, 65519.0, 65520.0, 9.007199e15, 9.007199e15, 4.611686e18, -1.0]> : tensor<16xf32>
  return
}

// -----

// i64 to f16, rounded once.
func.func @i64_to_f16() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 9007199254740993, 9007199254740995, 4611686018427387904, -1]> : tensor<16xi64>
  %result = stablehlo.convert %operand : (tensor<16xi64>) -> tensor<16xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 0x7C00, 0xFC00, 2048.0, 2052.0, 257.0, 259.0, 0x7C00, 0x7C00, 65500.0, 0x7C00, 0x7C00, 0x7C00, 0x7C00, -1.0]> : tensor<16xf16>
  return
}

// -----

// i64 to bf16, rounded once.
func.func @i64_to_bf16() {
  %operand = stablehlo.constant dense<[0, 1, 9223372036854775807, -9223372036854775808, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 9007199254740993, 9007199254740995, 4611686018427387904, -1]> : tensor<16xi64>
  %result = stablehlo.convert %operand : (tensor<16xi64>) -> tensor<16xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 9.22e18, -9.22e18, 2050.0, 2050.0, 256.0, 260.0, 16800000.0, 16800000.0, 65500.0, 65500.0, 9000000000000000.0, 9000000000000000.0, 4.61e18, -1.0]> : tensor<16xbf16>
  return
}

// -----

// ui64 to f64, rounded once.
func.func @ui64_to_f64() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 9007199254740993, 9007199254740995, 9223372036854775808]> : tensor<14xui64>
  %result = stablehlo.convert %operand : (tensor<14xui64>) -> tensor<14xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 1.8446744073709552e19, 2049.0, 2051.0, 257.0, 259.0, 16777217.0, 16777219.0, 65519.0, 65520.0, 9007199254740992.0, 9007199254740996.0, 9.223372036854776e18]> : tensor<14xf64>
  return
}

// -----

// ui64 to f32, rounded once.
func.func @ui64_to_f32() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 9007199254740993, 9007199254740995, 9223372036854775808]> : tensor<14xui64>
  %result = stablehlo.convert %operand : (tensor<14xui64>) -> tensor<14xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 1.8446744e19, 2049.0, 2051.0, 257.0, 259.0, 1.6777216e7, 1.677722e7, 65519.0, 65520.0, 9.007199e15, 9.007199e15, 9.223372e18]> : tensor<14xf32>
  return
}

// -----

// ui64 to f16, rounded once.
func.func @ui64_to_f16() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 9007199254740993, 9007199254740995, 9223372036854775808]> : tensor<14xui64>
  %result = stablehlo.convert %operand : (tensor<14xui64>) -> tensor<14xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 0x7C00, 2048.0, 2052.0, 257.0, 259.0, 0x7C00, 0x7C00, 65500.0, 0x7C00, 0x7C00, 0x7C00, 0x7C00]> : tensor<14xf16>
  return
}

// -----

// ui64 to bf16, rounded once.
func.func @ui64_to_bf16() {
  %operand = stablehlo.constant dense<[0, 1, 18446744073709551615, 2049, 2051, 257, 259, 16777217, 16777219, 65519, 65520, 9007199254740993, 9007199254740995, 9223372036854775808]> : tensor<14xui64>
  %result = stablehlo.convert %operand : (tensor<14xui64>) -> tensor<14xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 1.845e19, 2050.0, 2050.0, 256.0, 260.0, 16800000.0, 16800000.0, 65500.0, 65500.0, 9000000000000000.0, 9000000000000000.0, 9.22e18]> : tensor<14xbf16>
  return
}

// -----

// i4 to f64, rounded once.
func.func @i4_to_f64() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, 4, -1]> : tensor<6xi4>
  %result = stablehlo.convert %operand : (tensor<6xi4>) -> tensor<6xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 7.0, -8.0, 4.0, -1.0]> : tensor<6xf64>
  return
}

// -----

// i4 to f32, rounded once.
func.func @i4_to_f32() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, 4, -1]> : tensor<6xi4>
  %result = stablehlo.convert %operand : (tensor<6xi4>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 7.0, -8.0, 4.0, -1.0]> : tensor<6xf32>
  return
}

// -----

// i4 to f16, rounded once.
func.func @i4_to_f16() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, 4, -1]> : tensor<6xi4>
  %result = stablehlo.convert %operand : (tensor<6xi4>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 7.0, -8.0, 4.0, -1.0]> : tensor<6xf16>
  return
}

// -----

// i4 to bf16, rounded once.
func.func @i4_to_bf16() {
  %operand = stablehlo.constant dense<[0, 1, 7, -8, 4, -1]> : tensor<6xi4>
  %result = stablehlo.convert %operand : (tensor<6xi4>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 7.0, -8.0, 4.0, -1.0]> : tensor<6xbf16>
  return
}

// -----

// ui4 to f64, rounded once.
func.func @ui4_to_f64() {
  %operand = stablehlo.constant dense<[0, 1, 15, 8]> : tensor<4xui4>
  %result = stablehlo.convert %operand : (tensor<4xui4>) -> tensor<4xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 15.0, 8.0]> : tensor<4xf64>
  return
}

// -----

// ui4 to f32, rounded once.
func.func @ui4_to_f32() {
  %operand = stablehlo.constant dense<[0, 1, 15, 8]> : tensor<4xui4>
  %result = stablehlo.convert %operand : (tensor<4xui4>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 15.0, 8.0]> : tensor<4xf32>
  return
}

// -----

// ui4 to f16, rounded once.
func.func @ui4_to_f16() {
  %operand = stablehlo.constant dense<[0, 1, 15, 8]> : tensor<4xui4>
  %result = stablehlo.convert %operand : (tensor<4xui4>) -> tensor<4xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 15.0, 8.0]> : tensor<4xf16>
  return
}

// -----

// ui4 to bf16, rounded once.
func.func @ui4_to_bf16() {
  %operand = stablehlo.constant dense<[0, 1, 15, 8]> : tensor<4xui4>
  %result = stablehlo.convert %operand : (tensor<4xui4>) -> tensor<4xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 15.0, 8.0]> : tensor<4xbf16>
  return
}

// -----

// Rounding first to f64 would give another result.
func.func @i64_to_f32_once() {
  %operand = stablehlo.constant dense<[2305843146652647425, -2305843146652647425, 1099511693313]> : tensor<3xi64>
  %result = stablehlo.convert %operand : (tensor<3xi64>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[2.3058433e18, -2.3058433e18, 1.0995118e12]> : tensor<3xf32>
  return
}

// -----

// Rounding first to f32 would give another result.
func.func @i32_to_bf16_once() {
  %operand = stablehlo.constant dense<[1077936129, -1077936129, 16842753]> : tensor<3xi32>
  %result = stablehlo.convert %operand : (tensor<3xi32>) -> tensor<3xbf16>
  check.expect_eq_const %result, dense<[1080000000.0, -1080000000.0, 16900000.0]> : tensor<3xbf16>
  return
}

// -----

// Rounding first to f64 or f32 would give another result.
func.func @i64_to_bf16_once() {
  %operand = stablehlo.constant dense<[4629700416936869889, -4629700416936869889, 1103806595073, 9042383626829825, -9042383626829825, 5, -9223372036854775808]> : tensor<7xi64>
  %result = stablehlo.convert %operand : (tensor<7xi64>) -> tensor<7xbf16>
  check.expect_eq_const %result, dense<[4.65e18, -4.65e18, 1110000000000.0, 9100000000000000.0, -9100000000000000.0, 5.0, -9.22e18]> : tensor<7xbf16>
  return
}

// -----

// Rounding first to f64 or f32 would give another result.
func.func @ui64_to_bf16_once() {
  %operand = stablehlo.constant dense<[4629700416936869889, 1103806595073, 9259400833873739777, 18446744073709551615, 3]> : tensor<5xui64>
  %result = stablehlo.convert %operand : (tensor<5xui64>) -> tensor<5xbf16>
  check.expect_eq_const %result, dense<[4.65e18, 1110000000000.0, 9.3e18, 1.845e19, 3.0]> : tensor<5xbf16>
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

// f16 to f32 is exact.
func.func @f16_to_f32() {
  %operand = stablehlo.constant dense<[65500.0, 6.0e-8, -1.5, 0x7C00, 0x7E00]> : tensor<5xf16>
  %result = stablehlo.convert %operand : (tensor<5xf16>) -> tensor<5xf32>
  check.expect_eq_const %result, dense<[65504.0, 5.9604645e-8, -1.5, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  return
}

// -----

// f16 to f64 is exact.
func.func @f16_to_f64() {
  %operand = stablehlo.constant dense<[65500.0, 6.0e-8, -1.5, 0x7C00, 0x7E00]> : tensor<5xf16>
  %result = stablehlo.convert %operand : (tensor<5xf16>) -> tensor<5xf64>
  check.expect_eq_const %result, dense<[65504.0, 5.960464477539063e-8, -1.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<5xf64>
  return
}

// -----

// f16 to bf16.
func.func @f16_to_bf16() {
  %operand = stablehlo.constant dense<[65500.0, 6.0e-8, 257.0, 0x7C00, 0x7E00]> : tensor<5xf16>
  %result = stablehlo.convert %operand : (tensor<5xf16>) -> tensor<5xbf16>
  check.expect_eq_const %result, dense<[65500.0, 5.96e-8, 256.0, 0x7F80, 0x7FC0]> : tensor<5xbf16>
  return
}

// -----

// bf16 to f32 is exact.
func.func @bf16_to_f32() {
  %operand = stablehlo.constant dense<[3.39e38, 9.0e-41, -1.5, 0xFF80, 0x7FC0]> : tensor<5xbf16>
  %result = stablehlo.convert %operand : (tensor<5xbf16>) -> tensor<5xf32>
  check.expect_eq_const %result, dense<[3.3895314e38, 9.1835e-41, -1.5, 0xFF800000, 0x7FC00000]> : tensor<5xf32>
  return
}

// -----

// bf16 to f64 is exact.
func.func @bf16_to_f64() {
  %operand = stablehlo.constant dense<[3.39e38, 9.0e-41, -1.5, 0x7FC0]> : tensor<4xbf16>
  %result = stablehlo.convert %operand : (tensor<4xbf16>) -> tensor<4xf64>
  check.expect_eq_const %result, dense<[3.3895313892515355e38, 9.183549615799121e-41, -1.5, 0x7FF8000000000000]> : tensor<4xf64>
  return
}

// -----

// bf16 to f16.
func.func @bf16_to_f16() {
  %operand = stablehlo.constant dense<[65500.0, 1.5, 1.0e-7, 0x7FC0]> : tensor<4xbf16>
  %result = stablehlo.convert %operand : (tensor<4xbf16>) -> tensor<4xf16>
  check.expect_eq_const %result, dense<[0x7C00, 1.5, 1.0e-7, 0x7E00]> : tensor<4xf16>
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

// f8E4M3FN to f32 is exact.
func.func @f8E4M3FN_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7F]> : tensor<6xf8E4M3FN>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FN>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E4M3FN to f16 is exact.
func.func @f8E4M3FN_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7F]> : tensor<6xf8E4M3FN>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FN>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E4M3FN to bf16 is exact.
func.func @f8E4M3FN_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7F]> : tensor<6xf8E4M3FN>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FN>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E5M2 to f32 is exact.
func.func @f8E5M2_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7E]> : tensor<6xf8E5M2>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E5M2 to f16 is exact.
func.func @f8E5M2_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7E]> : tensor<6xf8E5M2>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E5M2 to bf16 is exact.
func.func @f8E5M2_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7E]> : tensor<6xf8E5M2>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E4M3FNUZ to f32 is exact.
func.func @f8E4M3FNUZ_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E4M3FNUZ to f16 is exact.
func.func @f8E4M3FNUZ_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E4M3FNUZ to bf16 is exact.
func.func @f8E4M3FNUZ_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FNUZ>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E5M2FNUZ to f32 is exact.
func.func @f8E5M2FNUZ_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E5M2FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E5M2FNUZ to f16 is exact.
func.func @f8E5M2FNUZ_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E5M2FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E5M2FNUZ to bf16 is exact.
func.func @f8E5M2FNUZ_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E5M2FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2FNUZ>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E4M3B11FNUZ to f32 is exact.
func.func @f8E4M3B11FNUZ_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3B11FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E4M3B11FNUZ to f16 is exact.
func.func @f8E4M3B11FNUZ_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3B11FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E4M3B11FNUZ to bf16 is exact.
func.func @f8E4M3B11FNUZ_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3B11FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E3M4 to f32 is exact.
func.func @f8E3M4_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x78]> : tensor<6xf8E3M4>
  %result = stablehlo.convert %operand : (tensor<6xf8E3M4>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E3M4 to f16 is exact.
func.func @f8E3M4_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x78]> : tensor<6xf8E3M4>
  %result = stablehlo.convert %operand : (tensor<6xf8E3M4>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E3M4 to bf16 is exact.
func.func @f8E3M4_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x78]> : tensor<6xf8E3M4>
  %result = stablehlo.convert %operand : (tensor<6xf8E3M4>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E4M3 to f32 is exact.
func.func @f8E4M3_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7C]> : tensor<6xf8E4M3>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E4M3 to f16 is exact.
func.func @f8E4M3_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7C]> : tensor<6xf8E4M3>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E4M3 to bf16 is exact.
func.func @f8E4M3_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7C]> : tensor<6xf8E4M3>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// Between formats of 8 bits.
func.func @f8E4M3FN_to_f8E5M2() {
  %operand = stablehlo.constant dense<[1.0, 1.1, 450.0, 420.0, 0x7F]> : tensor<5xf8E4M3FN>
  %result = stablehlo.convert %operand : (tensor<5xf8E4M3FN>) -> tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[1.0, 1.0, 450.0, 400.0, 0x7E]> : tensor<5xf8E5M2>
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

// f8E5M2 to i32.
func.func @f8E5M2_to_i32() {
  %operand = stablehlo.constant dense<[1.5, -3.5, 60000.0, 0x7C, 0x7E]> : tensor<5xf8E5M2>
  %result = stablehlo.convert %operand : (tensor<5xf8E5M2>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[1, -3, 57344, 2147483647, 0]> : tensor<5xi32>
  return
}

// -----

// i32 to f8E5M2.
func.func @i32_to_f8E5M2() {
  %operand = stablehlo.constant dense<[1, 9, 11, 60000, 70000]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[1.0, 8.0, 12.0, 60000.0, 0x7C]> : tensor<5xf8E5M2>
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

// f4E2M1FN to f32 is exact.
func.func @f4E2M1FN_to_f32() {
  %operand = stablehlo.constant dense<[0.5, -1.5, 6.0, 0.0]> : tensor<4xf4E2M1FN>
  %result = stablehlo.convert %operand : (tensor<4xf4E2M1FN>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.5, -1.5, 6.0, 0.0]> : tensor<4xf32>
  return
}

// -----

// f6E2M3FN to f32 is exact.
func.func @f6E2M3FN_to_f32() {
  %operand = stablehlo.constant dense<[0.1, -8.0, 1.1, 0.0]> : tensor<4xf6E2M3FN>
  %result = stablehlo.convert %operand : (tensor<4xf6E2M3FN>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.125, -7.5, 1.125, 0.0]> : tensor<4xf32>
  return
}

// -----

// f6E3M2FN to f32 is exact.
func.func @f6E3M2FN_to_f32() {
  %operand = stablehlo.constant dense<[0.06, -30.0, 1.2, 0.0]> : tensor<4xf6E3M2FN>
  %result = stablehlo.convert %operand : (tensor<4xf6E3M2FN>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0625, -28.0, 1.25, 0.0]> : tensor<4xf32>
  return
}

// -----

// f8E8M0FNU to f32 is exact.
func.func @f8E8M0FNU_to_f32() {
  %operand = stablehlo.constant dense<[1.0, 0.5, 2.0e38, 5.877e-39, 0xFF]> : tensor<5xf8E8M0FNU>
  %result = stablehlo.convert %operand : (tensor<5xf8E8M0FNU>) -> tensor<5xf32>
  check.expect_eq_const %result, dense<[1.0, 0.5, 1.7014118e38, 5.877472e-39, 0x7FC00000]> : tensor<5xf32>
  return
}

// -----

// Both parts.
func.func @complex_f32_to_complex_f64() {
  %operand = stablehlo.constant dense<[(1.5, -2.5), (0x7F800000, 0x7FC00000)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.5, -2.5), (0x7FF0000000000000, 0x7FF8000000000000)]> : tensor<2xcomplex<f64>>
  return
}

// -----

// Both parts are rounded.
func.func @complex_f64_to_complex_f32() {
  %operand = stablehlo.constant dense<[(0.1, 1.0e39), (1.0, -2.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.1, 0x7F800000), (1.0, -2.0)]> : tensor<2xcomplex<f32>>
  return
}

// -----

// The imaginary part is dropped.
func.func @complex_f32_to_f32() {
  %operand = stablehlo.constant dense<[(1.5, -2.5), (0xFF800000, 0x7FC00000)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[1.5, 0xFF800000]> : tensor<2xf32>
  return
}

// -----

// The imaginary part is dropped.
func.func @complex_f64_to_i32() {
  %operand = stablehlo.constant dense<[(1.5, -2.5), (-3000000000.0, 1.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.convert %operand : (tensor<2xcomplex<f64>>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[1, -2147483648]> : tensor<2xi32>
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

// -----

// The imaginary part is 0.
func.func @i32_to_complex_f64() {
  %operand = stablehlo.constant dense<[7, -1]> : tensor<2xi32>
  %result = stablehlo.convert %operand : (tensor<2xi32>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(7.0, 0.0), (-1.0, 0.0)]> : tensor<2xcomplex<f64>>
  return
}

// -----

// Bool to complex.
func.func @i1_to_complex_f32() {
  %operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// -----

// No conversion.
func.func @same_type() {
  %operand = stablehlo.constant dense<[1.5, 0x7FC00000]> : tensor<2xf32>
  %result = stablehlo.convert %operand : tensor<2xf32>
  check.expect_eq_const %result, dense<[1.5, 0x7FC00000]> : tensor<2xf32>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<-2.7> : tensor<f32>
  %result = stablehlo.convert %operand : (tensor<f32>) -> tensor<i32>
  check.expect_eq_const %result, dense<-2> : tensor<i32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0x3xf32>
  %result = stablehlo.convert %operand : (tensor<0x3xf32>) -> tensor<0x3xi32>
  check.expect_eq_const %result, dense<> : tensor<0x3xi32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %result = stablehlo.convert %operand : (tensor<2x3x2xi32>) -> tensor<2x3x2xf32>
  check.expect_eq_const %result, dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]]]> : tensor<2x3x2xf32>
  return
}
