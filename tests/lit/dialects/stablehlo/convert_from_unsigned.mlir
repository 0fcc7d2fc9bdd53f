// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `convert` between element types. To bool by != 0; to an integer rounded towards zero and saturating, NaN as 0;
// integers modulo 2^width; to a float rounded once to nearest, of two the even one; a complex number loses its imaginary part.

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

// ui8 to bool.
func.func @ui8_to_i1() {
  %operand = stablehlo.constant dense<[0, 1, 255, 0]> : tensor<4xui8>
  %result = stablehlo.convert %operand : (tensor<4xui8>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, true, false]> : tensor<4xi1>
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

// Rounding first to f64 or f32 would give another result.
func.func @ui64_to_bf16_once() {
  %operand = stablehlo.constant dense<[4629700416936869889, 1103806595073, 9259400833873739777, 18446744073709551615, 3]> : tensor<5xui64>
  %result = stablehlo.convert %operand : (tensor<5xui64>) -> tensor<5xbf16>
  check.expect_eq_const %result, dense<[4.65e18, 1110000000000.0, 9.3e18, 1.845e19, 3.0]> : tensor<5xbf16>
  return
}
