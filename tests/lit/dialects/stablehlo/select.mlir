// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `select`: on_true where the predicate is true, else on_false; a predicate of rank 0 decides for all elements.

// Booleans.
func.func @i1() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[true, true, false]> : tensor<3xi1>
  %on_false = stablehlo.constant dense<[false, false, true]> : tensor<3xi1>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xi1>
  check.expect_eq_const %result, dense<[true, false, false]> : tensor<3xi1>
  return
}

// -----

// i8.
func.func @i8() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 127, -128]> : tensor<3xi8>
  %on_false = stablehlo.constant dense<[-1, -128, 127]> : tensor<3xi8>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xi8>
  check.expect_eq_const %result, dense<[1, -128, -128]> : tensor<3xi8>
  return
}

// -----

// i16.
func.func @i16() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 32767, -32768]> : tensor<3xi16>
  %on_false = stablehlo.constant dense<[-1, -32768, 32767]> : tensor<3xi16>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xi16>
  check.expect_eq_const %result, dense<[1, -32768, -32768]> : tensor<3xi16>
  return
}

// -----

// i32.
func.func @i32() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 2147483647, -2147483648]> : tensor<3xi32>
  %on_false = stablehlo.constant dense<[-1, -2147483648, 2147483647]> : tensor<3xi32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xi32>
  check.expect_eq_const %result, dense<[1, -2147483648, -2147483648]> : tensor<3xi32>
  return
}

// -----

// i64.
func.func @i64() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 9223372036854775807, -9223372036854775808]> : tensor<3xi64>
  %on_false = stablehlo.constant dense<[-1, -9223372036854775808, 9223372036854775807]> : tensor<3xi64>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xi64>
  check.expect_eq_const %result, dense<[1, -9223372036854775808, -9223372036854775808]> : tensor<3xi64>
  return
}

// -----

// i4.
func.func @i4() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 7, -8]> : tensor<3xi4>
  %on_false = stablehlo.constant dense<[-1, -8, 7]> : tensor<3xi4>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xi4>
  check.expect_eq_const %result, dense<[1, -8, -8]> : tensor<3xi4>
  return
}

// -----

// i2.
func.func @i2() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 1, -2]> : tensor<3xi2>
  %on_false = stablehlo.constant dense<[-1, -2, 1]> : tensor<3xi2>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xi2>
  check.expect_eq_const %result, dense<[1, -2, -2]> : tensor<3xi2>
  return
}

// -----

// ui8.
func.func @ui8() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 255, 0]> : tensor<3xui8>
  %on_false = stablehlo.constant dense<[0, 1, 255]> : tensor<3xui8>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xui8>
  check.expect_eq_const %result, dense<[1, 1, 0]> : tensor<3xui8>
  return
}

// -----

// ui16.
func.func @ui16() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 65535, 0]> : tensor<3xui16>
  %on_false = stablehlo.constant dense<[0, 1, 65535]> : tensor<3xui16>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xui16>
  check.expect_eq_const %result, dense<[1, 1, 0]> : tensor<3xui16>
  return
}

// -----

// ui32.
func.func @ui32() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 4294967295, 0]> : tensor<3xui32>
  %on_false = stablehlo.constant dense<[0, 1, 4294967295]> : tensor<3xui32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xui32>
  check.expect_eq_const %result, dense<[1, 1, 0]> : tensor<3xui32>
  return
}

// -----

// ui64.
func.func @ui64() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 18446744073709551615, 0]> : tensor<3xui64>
  %on_false = stablehlo.constant dense<[0, 1, 18446744073709551615]> : tensor<3xui64>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xui64>
  check.expect_eq_const %result, dense<[1, 1, 0]> : tensor<3xui64>
  return
}

// -----

// ui4.
func.func @ui4() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[1, 15, 0]> : tensor<3xui4>
  %on_false = stablehlo.constant dense<[0, 1, 15]> : tensor<3xui4>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xui4>
  check.expect_eq_const %result, dense<[1, 1, 0]> : tensor<3xui4>
  return
}

// -----

// f64: what is not chosen does not matter, even NaN.
func.func @f64() {
  %pred = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %on_true = stablehlo.constant dense<[1.5, 0x7FF8000000000000, -0.0, 2.0]> : tensor<4xf64>
  %on_false = stablehlo.constant dense<[0x7FF8000000000000, -2.5, 0x7FF8000000000000, 0.0]> : tensor<4xf64>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<4xi1>, tensor<4xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf64>) -> tensor<4xui64>
  check.expect_eq_const %bits, dense<[0x3FF8000000000000, 0xC004000000000000, 0x8000000000000000, 0]> : tensor<4xui64>
  return
}

// -----

// f32: what is not chosen does not matter, even NaN.
func.func @f32() {
  %pred = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %on_true = stablehlo.constant dense<[1.5, 0x7FC00000, -0.0, 2.0]> : tensor<4xf32>
  %on_false = stablehlo.constant dense<[0x7FC00000, -2.5, 0x7FC00000, 0.0]> : tensor<4xf32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<4xi1>, tensor<4xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf32>) -> tensor<4xui32>
  check.expect_eq_const %bits, dense<[0x3FC00000, 0xC0200000, 0x80000000, 0]> : tensor<4xui32>
  return
}

// -----

// f16: what is not chosen does not matter, even NaN.
func.func @f16() {
  %pred = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %on_true = stablehlo.constant dense<[1.5, 0x7E00, -0.0, 2.0]> : tensor<4xf16>
  %on_false = stablehlo.constant dense<[0x7E00, -2.5, 0x7E00, 0.0]> : tensor<4xf16>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<4xi1>, tensor<4xf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0x3E00, 0xC100, 0x8000, 0]> : tensor<4xui16>
  return
}

// -----

// bf16: what is not chosen does not matter, even NaN.
func.func @bf16() {
  %pred = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %on_true = stablehlo.constant dense<[1.5, 0x7FC0, -0.0, 2.0]> : tensor<4xbf16>
  %on_false = stablehlo.constant dense<[0x7FC0, -2.5, 0x7FC0, 0.0]> : tensor<4xbf16>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<4xi1>, tensor<4xbf16>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %bits, dense<[0x3FC0, 0xC020, 0x8000, 0]> : tensor<4xui16>
  return
}

// -----

// f8E4M3FN: what is not chosen does not matter, even NaN.
func.func @f8E4M3FN() {
  %pred = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %on_true = stablehlo.constant dense<[1.5, 0x7F, -0.0, 2.0]> : tensor<4xf8E4M3FN>
  %on_false = stablehlo.constant dense<[0x7F, -2.5, 0x7F, 0.0]> : tensor<4xf8E4M3FN>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<4xi1>, tensor<4xf8E4M3FN>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf8E4M3FN>) -> tensor<4xui8>
  check.expect_eq_const %bits, dense<[0x3C, 0xC2, 0x80, 0]> : tensor<4xui8>
  return
}

// -----

// f8E5M2: what is not chosen does not matter, even NaN.
func.func @f8E5M2() {
  %pred = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %on_true = stablehlo.constant dense<[1.5, 0x7E, -0.0, 2.0]> : tensor<4xf8E5M2>
  %on_false = stablehlo.constant dense<[0x7E, -2.5, 0x7E, 0.0]> : tensor<4xf8E5M2>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<4xi1>, tensor<4xf8E5M2>
  %bits = stablehlo.bitcast_convert %result : (tensor<4xf8E5M2>) -> tensor<4xui8>
  check.expect_eq_const %bits, dense<[0x3E, 0xC1, 0x80, 0]> : tensor<4xui8>
  return
}

// -----

// Complex numbers.
func.func @complex_f32() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0), (0x7FC00000, 0.0)]> : tensor<3xcomplex<f32>>
  %on_false = stablehlo.constant dense<[(5.0, 6.0), (7.0, 8.0), (0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (7.0, 8.0), (0x7FC00000, 0.0)]> : tensor<3xcomplex<f32>>
  return
}

// -----

// Complex numbers.
func.func @complex_f64() {
  %pred = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %on_true = stablehlo.constant dense<[(1.0, 2.0), (3.0, 4.0), (0x7FF8000000000000, 0.0)]> : tensor<3xcomplex<f64>>
  %on_false = stablehlo.constant dense<[(5.0, 6.0), (7.0, 8.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<3xi1>, tensor<3xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (7.0, 8.0), (0x7FF8000000000000, 0.0)]> : tensor<3xcomplex<f64>>
  return
}

// -----

// A true predicate of rank 0.
func.func @scalar_true() {
  %pred = stablehlo.constant dense<true> : tensor<i1>
  %on_true = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %on_false = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  return
}

// -----

// A false predicate of rank 0.
func.func @scalar_false() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %on_true = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %on_false = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  return
}

// -----

// All of rank 0.
func.func @rank_0() {
  %pred = stablehlo.constant dense<false> : tensor<i1>
  %on_true = stablehlo.constant dense<1.0> : tensor<f32>
  %on_false = stablehlo.constant dense<2.0> : tensor<f32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<f32>
  check.expect_eq_const %result, dense<2.0> : tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %pred = stablehlo.constant dense<> : tensor<0x3xi1>
  %on_true = stablehlo.constant dense<> : tensor<0x3xf32>
  %on_false = stablehlo.constant dense<> : tensor<0x3xf32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<0x3xi1>, tensor<0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<0x3xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %pred = stablehlo.constant dense<[[[true, false], [false, true], [false, false]], [[true, false], [false, true], [false, false]]]> : tensor<2x3x2xi1>
  %on_true = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %on_false = stablehlo.constant dense<[[[0, -1], [-2, -3], [-4, -5]], [[-6, -7], [-8, -9], [-10, -11]]]> : tensor<2x3x2xi32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2x3x2xi1>, tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[0, -1], [-2, 3], [-4, -5]], [[6, -7], [-8, 9], [-10, -11]]]> : tensor<2x3x2xi32>
  return
}

// -----

// The bits of NaN stay what they are.
func.func @nan_payload() {
  %pred = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %on_true = stablehlo.constant dense<[0x7F812345, 0.0]> : tensor<2xf32>
  %on_false = stablehlo.constant dense<[0.0, 0xFFC54321]> : tensor<2xf32>
  %result = stablehlo.select %pred, %on_true, %on_false : tensor<2xi1>, tensor<2xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits, dense<[0x7F812345, 0xFFC54321]> : tensor<2xui32>
  return
}
