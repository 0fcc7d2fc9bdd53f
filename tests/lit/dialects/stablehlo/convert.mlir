// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `convert` between element types. To bool by != 0; to an integer rounded towards zero and saturating, NaN as 0;
// integers modulo 2^width; to a float rounded once to nearest, of two the even one; a complex number loses its imaginary part.

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

// Bool to complex.
func.func @i1_to_complex_f32() {
  %operand = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %result = stablehlo.convert %operand : (tensor<2xi1>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 0.0), (0.0, 0.0)]> : tensor<2xcomplex<f32>>
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
