// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `reverse` along the given dimensions.

// Rank 1.
func.func @vector() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<5xi32>
  check.expect_eq_const %result, dense<[5, 4, 3, 2, 1]> : tensor<5xi32>
  return
}

// -----

// The rows.
func.func @rows() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[4, 5, 6], [1, 2, 3]]> : tensor<2x3xi32>
  return
}

// -----

// The columns.
func.func @columns() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.reverse %operand, dims = [1] : tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[3, 2, 1], [6, 5, 4]]> : tensor<2x3xi32>
  return
}

// -----

// Both dimensions.
func.func @both() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.reverse %operand, dims = [0, 1] : tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[6, 5, 4], [3, 2, 1]]> : tensor<2x3xi32>
  return
}

// -----

// The order in which dimensions are named does not matter.
func.func @both_named_backwards() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.reverse %operand, dims = [1, 0] : tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[6, 5, 4], [3, 2, 1]]> : tensor<2x3xi32>
  return
}

// -----

// No dimension.
func.func @none() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.reverse %operand, dims = [] : tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  return
}

// -----

// Rank 0.
func.func @scalar() {
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %result = stablehlo.reverse %operand, dims = [] : tensor<i32>
  check.expect_eq_const %result, dense<7> : tensor<i32>
  return
}

// -----

// The outer dimensions of rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]]> : tensor<2x2x3xi32>
  %result = stablehlo.reverse %operand, dims = [0, 2] : tensor<2x2x3xi32>
  check.expect_eq_const %result, dense<[[[9, 8, 7], [12, 11, 10]], [[3, 2, 1], [6, 5, 4]]]> : tensor<2x2x3xi32>
  return
}

// -----

// A dimension of size 1.
func.func @size_1() {
  %operand = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<1x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3]]> : tensor<1x3xi32>
  return
}

// -----

// Size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0x3xi32>
  %result = stablehlo.reverse %operand, dims = [0, 1] : tensor<0x3xi32>
  check.expect_eq_const %result, dense<> : tensor<0x3xi32>
  return
}

// -----

// More than a vector register holds.
func.func @odd_size() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37]> : tensor<37xi32>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<37xi32>
  check.expect_eq_const %result, dense<[37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]> : tensor<37xi32>
  return
}

// -----

// i1.
func.func @i1() {
  %operand = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xi1>
  check.expect_eq_const %result, dense<[false, true, false, true]> : tensor<4xi1>
  return
}

// -----

// i2.
func.func @i2() {
  %operand = stablehlo.constant dense<[1, -2, 1, 1]> : tensor<4xi2>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xi2>
  check.expect_eq_const %result, dense<[1, 1, -2, 1]> : tensor<4xi2>
  return
}

// -----

// ui2.
func.func @ui2() {
  %operand = stablehlo.constant dense<[3, 0, 2, 3]> : tensor<4xui2>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xui2>
  check.expect_eq_const %result, dense<[3, 2, 0, 3]> : tensor<4xui2>
  return
}

// -----

// i4.
func.func @i4() {
  %operand = stablehlo.constant dense<[7, -8, 0, 1]> : tensor<4xi4>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xi4>
  check.expect_eq_const %result, dense<[1, 0, -8, 7]> : tensor<4xi4>
  return
}

// -----

// ui4.
func.func @ui4() {
  %operand = stablehlo.constant dense<[15, 0, 2, 3]> : tensor<4xui4>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xui4>
  check.expect_eq_const %result, dense<[3, 2, 0, 15]> : tensor<4xui4>
  return
}

// -----

// i8.
func.func @i8() {
  %operand = stablehlo.constant dense<[127, -128, 2, -3]> : tensor<4xi8>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xi8>
  check.expect_eq_const %result, dense<[-3, 2, -128, 127]> : tensor<4xi8>
  return
}

// -----

// ui8.
func.func @ui8() {
  %operand = stablehlo.constant dense<[255, 0, 2, 3]> : tensor<4xui8>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xui8>
  check.expect_eq_const %result, dense<[3, 2, 0, 255]> : tensor<4xui8>
  return
}

// -----

// i16.
func.func @i16() {
  %operand = stablehlo.constant dense<[32767, -32768, 2, -3]> : tensor<4xi16>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xi16>
  check.expect_eq_const %result, dense<[-3, 2, -32768, 32767]> : tensor<4xi16>
  return
}

// -----

// ui16.
func.func @ui16() {
  %operand = stablehlo.constant dense<[65535, 0, 2, 3]> : tensor<4xui16>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xui16>
  check.expect_eq_const %result, dense<[3, 2, 0, 65535]> : tensor<4xui16>
  return
}

// -----

// i32.
func.func @i32() {
  %operand = stablehlo.constant dense<[2147483647, -2147483648, 2, -3]> : tensor<4xi32>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xi32>
  check.expect_eq_const %result, dense<[-3, 2, -2147483648, 2147483647]> : tensor<4xi32>
  return
}

// -----

// ui32.
func.func @ui32() {
  %operand = stablehlo.constant dense<[4294967295, 0, 2, 3]> : tensor<4xui32>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xui32>
  check.expect_eq_const %result, dense<[3, 2, 0, 4294967295]> : tensor<4xui32>
  return
}

// -----

// i64.
func.func @i64() {
  %operand = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, 2, -3]> : tensor<4xi64>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xi64>
  check.expect_eq_const %result, dense<[-3, 2, -9223372036854775808, 9223372036854775807]> : tensor<4xi64>
  return
}

// -----

// ui64.
func.func @ui64() {
  %operand = stablehlo.constant dense<[18446744073709551615, 0, 2, 3]> : tensor<4xui64>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xui64>
  check.expect_eq_const %result, dense<[3, 2, 0, 18446744073709551615]> : tensor<4xui64>
  return
}

// -----

// f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf16>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf16>
  check.expect_eq_const %result, dense<[-1.25, 1.0, -0.75, 0.5]> : tensor<4xf16>
  return
}

// -----

// bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xbf16>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xbf16>
  check.expect_eq_const %result, dense<[-1.25, 1.0, -0.75, 0.5]> : tensor<4xbf16>
  return
}

// -----

// f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf32>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf32>
  check.expect_eq_const %result, dense<[-1.25, 1.0, -0.75, 0.5]> : tensor<4xf32>
  return
}

// -----

// f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf64>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf64>
  check.expect_eq_const %result, dense<[-1.25, 1.0, -0.75, 0.5]> : tensor<4xf64>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3FN>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[-1.2, 1.0, -0.75, 0.5]> : tensor<4xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf8E5M2>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[-1.2, 1.0, -0.8, 0.5]> : tensor<4xf8E5M2>
  return
}

// -----

// f8E4M3FNUZ.
func.func @f8E4M3FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3FNUZ>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[-1.2, 1.0, -0.75, 0.5]> : tensor<4xf8E4M3FNUZ>
  return
}

// -----

// f8E5M2FNUZ.
func.func @f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf8E5M2FNUZ>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[-1.2, 1.0, -0.8, 0.5]> : tensor<4xf8E5M2FNUZ>
  return
}

// -----

// f8E4M3B11FNUZ.
func.func @f8E4M3B11FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3B11FNUZ>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf8E4M3B11FNUZ>
  check.expect_eq_const %result, dense<[-1.2, 1.0, -0.75, 0.5]> : tensor<4xf8E4M3B11FNUZ>
  return
}

// -----

// f8E3M4.
func.func @f8E3M4() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf8E3M4>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf8E3M4>
  check.expect_eq_const %result, dense<[-1.25, 1.0, -0.75, 0.5]> : tensor<4xf8E3M4>
  return
}

// -----

// f8E4M3.
func.func @f8E4M3() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[-1.2, 1.0, -0.75, 0.5]> : tensor<4xf8E4M3>
  return
}

// -----

// f8E8M0FNU.
func.func @f8E8M0FNU() {
  %operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf8E8M0FNU>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf8E8M0FNU>
  check.expect_eq_const %result, dense<[4.0, 2.0, 1.0, 0.5]> : tensor<4xf8E8M0FNU>
  return
}

// -----

// f6E2M3FN.
func.func @f6E2M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf6E2M3FN>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf6E2M3FN>
  check.expect_eq_const %result, dense<[-1.2, 1.0, -0.8, 0.5]> : tensor<4xf6E2M3FN>
  return
}

// -----

// f6E3M2FN.
func.func @f6E3M2FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf6E3M2FN>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf6E3M2FN>
  check.expect_eq_const %result, dense<[-1.2, 1.0, -0.8, 0.5]> : tensor<4xf6E3M2FN>
  return
}

// -----

// f4E2M1FN.
func.func @f4E2M1FN() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 1.0, -1.0]> : tensor<4xf4E2M1FN>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xf4E2M1FN>
  check.expect_eq_const %result, dense<[-1.0, 1.0, -1.0, 0.5]> : tensor<4xf4E2M1FN>
  return
}

// -----

// complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5), (4.0, -3.5)]> : tensor<4xcomplex<f32>>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xcomplex<f32>>
  check.expect_eq_const %result, dense<[(4.0, -3.5), (3.0, -2.5), (2.0, -1.5), (1.0, -0.5)]> : tensor<4xcomplex<f32>>
  return
}

// -----

// complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5), (4.0, -3.5)]> : tensor<4xcomplex<f64>>
  %result = stablehlo.reverse %operand, dims = [0] : tensor<4xcomplex<f64>>
  check.expect_eq_const %result, dense<[(4.0, -3.5), (3.0, -2.5), (2.0, -1.5), (1.0, -0.5)]> : tensor<4xcomplex<f64>>
  return
}
