// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `convert` from signed integers to floats, rounded once to nearest, of two the even one, and to complex numbers.

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

// i32 to f8E5M2.
func.func @i32_to_f8E5M2() {
  %operand = stablehlo.constant dense<[1, 9, 11, 60000, 70000]> : tensor<5xi32>
  %result = stablehlo.convert %operand : (tensor<5xi32>) -> tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[1.0, 8.0, 12.0, 60000.0, 0x7C]> : tensor<5xf8E5M2>
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
