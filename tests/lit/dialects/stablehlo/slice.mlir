// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `slice`: start:limit:stride in each dimension; the limit is excluded.

// Rank 1.
func.func @vector() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %result = stablehlo.slice %operand [1:4] : (tensor<6xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[2, 3, 4]> : tensor<3xi32>
  return
}

// -----

// All of it.
func.func @all() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.slice %operand [0:2, 0:3] : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  return
}

// -----

// Rank 0.
func.func @scalar() {
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %result = stablehlo.slice %operand [] : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<7> : tensor<i32>
  return
}

// -----

// Part of the columns.
func.func @matrix() {
  %operand = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi32>
  %result = stablehlo.slice %operand [1:3, 1:4] : (tensor<3x4xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[6, 7, 8], [10, 11, 12]]> : tensor<2x3xi32>
  return
}

// -----

// Every second element.
func.func @stride() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %result = stablehlo.slice %operand [0:6:2] : (tensor<6xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 3, 5]> : tensor<3xi32>
  return
}

// -----

// The last stride passes the limit.
func.func @stride_remainder() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7]> : tensor<7xi32>
  %result = stablehlo.slice %operand [1:6:3] : (tensor<7xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[2, 5]> : tensor<2xi32>
  return
}

// -----

// A stride longer than the range.
func.func @stride_beyond() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %result = stablehlo.slice %operand [1:4:10] : (tensor<4xi32>) -> tensor<1xi32>
  check.expect_eq_const %result, dense<[2]> : tensor<1xi32>
  return
}

// -----

// A stride in each dimension.
func.func @strides() {
  %operand = stablehlo.constant dense<[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15], [16, 17, 18, 19, 20]]> : tensor<4x5xi32>
  %result = stablehlo.slice %operand [0:4:3, 1:5:2] : (tensor<4x5xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[2, 4], [17, 19]]> : tensor<2x2xi32>
  return
}

// -----

// One element.
func.func @single() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %result = stablehlo.slice %operand [1:2, 2:3] : (tensor<3x3xi32>) -> tensor<1x1xi32>
  check.expect_eq_const %result, dense<[[6]]> : tensor<1x1xi32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[1, 2, 3, 4], [5, 6, 7, 8]], [[9, 10, 11, 12], [13, 14, 15, 16]], [[17, 18, 19, 20], [21, 22, 23, 24]]]> : tensor<3x2x4xi32>
  %result = stablehlo.slice %operand [1:3, 0:1, 0:4:2] : (tensor<3x2x4xi32>) -> tensor<2x1x2xi32>
  check.expect_eq_const %result, dense<[[[9, 11]], [[17, 19]]]> : tensor<2x1x2xi32>
  return
}

// -----

// Rank 4.
func.func @rank_4() {
  %operand = stablehlo.constant dense<[[[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[[9, 10], [11, 12]], [[13, 14], [15, 16]]]]> : tensor<2x2x2x2xi32>
  %result = stablehlo.slice %operand [1:2, 0:2, 1:2, 0:2] : (tensor<2x2x2x2xi32>) -> tensor<1x2x1x2xi32>
  check.expect_eq_const %result, dense<[[[[11, 12]], [[15, 16]]]]> : tensor<1x2x1x2xi32>
  return
}

// -----

// An empty range.
func.func @nothing() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %result = stablehlo.slice %operand [2:2] : (tensor<4xi32>) -> tensor<0xi32>
  check.expect_eq_const %result, dense<> : tensor<0xi32>
  return
}

// -----

// An empty range at the end.
func.func @nothing_at_the_end() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %result = stablehlo.slice %operand [4:4] : (tensor<4xi32>) -> tensor<0xi32>
  check.expect_eq_const %result, dense<> : tensor<0xi32>
  return
}

// -----

// An operand of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0x3xi32>
  %result = stablehlo.slice %operand [0:0, 1:3] : (tensor<0x3xi32>) -> tensor<0x2xi32>
  check.expect_eq_const %result, dense<> : tensor<0x2xi32>
  return
}

// -----

// i1.
func.func @i1() {
  %operand = stablehlo.constant dense<[true, false, true, false, true]> : tensor<5xi1>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xi1>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<true> : tensor<3xi1>
  return
}

// -----

// i2.
func.func @i2() {
  %operand = stablehlo.constant dense<[1, -2, 1, 1, -1]> : tensor<5xi2>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xi2>) -> tensor<3xi2>
  check.expect_eq_const %result, dense<[1, 1, -1]> : tensor<3xi2>
  return
}

// -----

// ui2.
func.func @ui2() {
  %operand = stablehlo.constant dense<[3, 0, 2, 3, 0]> : tensor<5xui2>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xui2>) -> tensor<3xui2>
  check.expect_eq_const %result, dense<[3, 2, 0]> : tensor<3xui2>
  return
}

// -----

// i4.
func.func @i4() {
  %operand = stablehlo.constant dense<[7, -8, 0, 1, 2]> : tensor<5xi4>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xi4>) -> tensor<3xi4>
  check.expect_eq_const %result, dense<[7, 0, 2]> : tensor<3xi4>
  return
}

// -----

// ui4.
func.func @ui4() {
  %operand = stablehlo.constant dense<[15, 0, 2, 3, 4]> : tensor<5xui4>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xui4>) -> tensor<3xui4>
  check.expect_eq_const %result, dense<[15, 2, 4]> : tensor<3xui4>
  return
}

// -----

// i8.
func.func @i8() {
  %operand = stablehlo.constant dense<[127, -128, 2, -3, 4]> : tensor<5xi8>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xi8>) -> tensor<3xi8>
  check.expect_eq_const %result, dense<[127, 2, 4]> : tensor<3xi8>
  return
}

// -----

// ui8.
func.func @ui8() {
  %operand = stablehlo.constant dense<[255, 0, 2, 3, 4]> : tensor<5xui8>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xui8>) -> tensor<3xui8>
  check.expect_eq_const %result, dense<[255, 2, 4]> : tensor<3xui8>
  return
}

// -----

// i16.
func.func @i16() {
  %operand = stablehlo.constant dense<[32767, -32768, 2, -3, 4]> : tensor<5xi16>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xi16>) -> tensor<3xi16>
  check.expect_eq_const %result, dense<[32767, 2, 4]> : tensor<3xi16>
  return
}

// -----

// ui16.
func.func @ui16() {
  %operand = stablehlo.constant dense<[65535, 0, 2, 3, 4]> : tensor<5xui16>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xui16>) -> tensor<3xui16>
  check.expect_eq_const %result, dense<[65535, 2, 4]> : tensor<3xui16>
  return
}

// -----

// i32.
func.func @i32() {
  %operand = stablehlo.constant dense<[2147483647, -2147483648, 2, -3, 4]> : tensor<5xi32>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[2147483647, 2, 4]> : tensor<3xi32>
  return
}

// -----

// ui32.
func.func @ui32() {
  %operand = stablehlo.constant dense<[4294967295, 0, 2, 3, 4]> : tensor<5xui32>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xui32>) -> tensor<3xui32>
  check.expect_eq_const %result, dense<[4294967295, 2, 4]> : tensor<3xui32>
  return
}

// -----

// i64.
func.func @i64() {
  %operand = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, 2, -3, 4]> : tensor<5xi64>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xi64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[9223372036854775807, 2, 4]> : tensor<3xi64>
  return
}

// -----

// ui64.
func.func @ui64() {
  %operand = stablehlo.constant dense<[18446744073709551615, 0, 2, 3, 4]> : tensor<5xui64>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xui64>) -> tensor<3xui64>
  check.expect_eq_const %result, dense<[18446744073709551615, 2, 4]> : tensor<3xui64>
  return
}

// -----

// f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25, 1.5]> : tensor<5xf16>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf16>) -> tensor<3xf16>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf16>
  return
}

// -----

// bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25, 1.5]> : tensor<5xbf16>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xbf16>
  return
}

// -----

// f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25, 1.5]> : tensor<5xf32>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf32>
  return
}

// -----

// f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25, 1.5]> : tensor<5xf64>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf64>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf64>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2, 1.5]> : tensor<5xf8E4M3FN>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf8E4M3FN>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2, 1.5]> : tensor<5xf8E5M2>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf8E5M2>) -> tensor<3xf8E5M2>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf8E5M2>
  return
}

// -----

// f8E4M3FNUZ.
func.func @f8E4M3FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2, 1.5]> : tensor<5xf8E4M3FNUZ>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf8E4M3FNUZ>) -> tensor<3xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf8E4M3FNUZ>
  return
}

// -----

// f8E5M2FNUZ.
func.func @f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2, 1.5]> : tensor<5xf8E5M2FNUZ>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf8E5M2FNUZ>) -> tensor<3xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf8E5M2FNUZ>
  return
}

// -----

// f8E4M3B11FNUZ.
func.func @f8E4M3B11FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2, 1.5]> : tensor<5xf8E4M3B11FNUZ>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf8E4M3B11FNUZ>) -> tensor<3xf8E4M3B11FNUZ>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf8E4M3B11FNUZ>
  return
}

// -----

// f8E3M4.
func.func @f8E3M4() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25, 1.5]> : tensor<5xf8E3M4>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf8E3M4>) -> tensor<3xf8E3M4>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf8E3M4>
  return
}

// -----

// f8E4M3.
func.func @f8E4M3() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2, 1.5]> : tensor<5xf8E4M3>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf8E4M3>) -> tensor<3xf8E4M3>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf8E4M3>
  return
}

// -----

// f8E8M0FNU.
func.func @f8E8M0FNU() {
  %operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0, 8.0]> : tensor<5xf8E8M0FNU>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf8E8M0FNU>) -> tensor<3xf8E8M0FNU>
  check.expect_eq_const %result, dense<[0.5, 2.0, 8.0]> : tensor<3xf8E8M0FNU>
  return
}

// -----

// f6E2M3FN.
func.func @f6E2M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2, 1.5]> : tensor<5xf6E2M3FN>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf6E2M3FN>) -> tensor<3xf6E2M3FN>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf6E2M3FN>
  return
}

// -----

// f6E3M2FN.
func.func @f6E3M2FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2, 1.5]> : tensor<5xf6E3M2FN>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf6E3M2FN>) -> tensor<3xf6E3M2FN>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf6E3M2FN>
  return
}

// -----

// f4E2M1FN.
func.func @f4E2M1FN() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 1.0, -1.0, 1.5]> : tensor<5xf4E2M1FN>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xf4E2M1FN>) -> tensor<3xf4E2M1FN>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.5]> : tensor<3xf4E2M1FN>
  return
}

// -----

// complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5), (4.0, -3.5), (5.0, -4.5)]> : tensor<5xcomplex<f32>>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xcomplex<f32>>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, -0.5), (3.0, -2.5), (5.0, -4.5)]> : tensor<3xcomplex<f32>>
  return
}

// -----

// complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5), (4.0, -3.5), (5.0, -4.5)]> : tensor<5xcomplex<f64>>
  %result = stablehlo.slice %operand [0:5:2] : (tensor<5xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, -0.5), (3.0, -2.5), (5.0, -4.5)]> : tensor<3xcomplex<f64>>
  return
}
