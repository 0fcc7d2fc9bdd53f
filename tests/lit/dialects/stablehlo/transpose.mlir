// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `transpose`: dimension i of the result is dimension dims[i] of the operand.

// A matrix.
func.func @matrix() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  return
}

// -----

// Nothing moves.
func.func @identity() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.transpose %operand, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  return
}

// -----

// Rank 0.
func.func @scalar() {
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %result = stablehlo.transpose %operand, dims = [] : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<7> : tensor<i32>
  return
}

// -----

// Rank 1.
func.func @vector() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result = stablehlo.transpose %operand, dims = [0] : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 2, 3]> : tensor<3xi32>
  return
}

// -----

// Rank 3, [0, 1, 2].
func.func @rank_3_012() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %result = stablehlo.transpose %operand, dims = [0, 1, 2] : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  return
}

// -----

// Rank 3, [0, 2, 1].
func.func @rank_3_021() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %result = stablehlo.transpose %operand, dims = [0, 2, 1] : (tensor<2x3x2xi32>) -> tensor<2x2x3xi32>
  check.expect_eq_const %result, dense<[[[1, 3, 5], [2, 4, 6]], [[7, 9, 11], [8, 10, 12]]]> : tensor<2x2x3xi32>
  return
}

// -----

// Rank 3, [1, 0, 2].
func.func @rank_3_102() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %result = stablehlo.transpose %operand, dims = [1, 0, 2] : (tensor<2x3x2xi32>) -> tensor<3x2x2xi32>
  check.expect_eq_const %result, dense<[[[1, 2], [7, 8]], [[3, 4], [9, 10]], [[5, 6], [11, 12]]]> : tensor<3x2x2xi32>
  return
}

// -----

// Rank 3, [1, 2, 0].
func.func @rank_3_120() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %result = stablehlo.transpose %operand, dims = [1, 2, 0] : (tensor<2x3x2xi32>) -> tensor<3x2x2xi32>
  check.expect_eq_const %result, dense<[[[1, 7], [2, 8]], [[3, 9], [4, 10]], [[5, 11], [6, 12]]]> : tensor<3x2x2xi32>
  return
}

// -----

// Rank 3, [2, 0, 1].
func.func @rank_3_201() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %result = stablehlo.transpose %operand, dims = [2, 0, 1] : (tensor<2x3x2xi32>) -> tensor<2x2x3xi32>
  check.expect_eq_const %result, dense<[[[1, 3, 5], [7, 9, 11]], [[2, 4, 6], [8, 10, 12]]]> : tensor<2x2x3xi32>
  return
}

// -----

// Rank 3, [2, 1, 0].
func.func @rank_3_210() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %result = stablehlo.transpose %operand, dims = [2, 1, 0] : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[1, 7], [3, 9], [5, 11]], [[2, 8], [4, 10], [6, 12]]]> : tensor<2x3x2xi32>
  return
}

// -----

// Rank 4.
func.func @rank_4() {
  %operand = stablehlo.constant dense<[[[[1, 2], [3, 4], [5, 6]]], [[[7, 8], [9, 10], [11, 12]]]]> : tensor<2x1x3x2xi32>
  %result = stablehlo.transpose %operand, dims = [3, 0, 2, 1] : (tensor<2x1x3x2xi32>) -> tensor<2x2x3x1xi32>
  check.expect_eq_const %result, dense<[[[[1], [3], [5]], [[7], [9], [11]]], [[[2], [4], [6]], [[8], [10], [12]]]]> : tensor<2x2x3x1xi32>
  return
}

// -----

// Rank 5, a cycle.
func.func @rank_5() {
  %operand = stablehlo.constant dense<[[[[[1], [2], [3]], [[4], [5], [6]]]], [[[[7], [8], [9]], [[10], [11], [12]]]]]> : tensor<2x1x2x3x1xi32>
  %result = stablehlo.transpose %operand, dims = [4, 0, 1, 2, 3] : (tensor<2x1x2x3x1xi32>) -> tensor<1x2x1x2x3xi32>
  check.expect_eq_const %result, dense<[[[[[1, 2, 3], [4, 5, 6]]], [[[7, 8, 9], [10, 11, 12]]]]]> : tensor<1x2x1x2x3xi32>
  return
}

// -----

// A column to a row.
func.func @size_1() {
  %operand = stablehlo.constant dense<[[1], [2], [3]]> : tensor<3x1xi32>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<3x1xi32>) -> tensor<1x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3]]> : tensor<1x3xi32>
  return
}

// -----

// Size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0x3x2xi32>
  %result = stablehlo.transpose %operand, dims = [2, 0, 1] : (tensor<0x3x2xi32>) -> tensor<2x0x3xi32>
  check.expect_eq_const %result, dense<> : tensor<2x0x3xi32>
  return
}

// -----

// Sizes that no vector length divides.
func.func @odd_sizes() {
  %operand = stablehlo.constant dense<[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15], [16, 17, 18, 19, 20], [21, 22, 23, 24, 25], [26, 27, 28, 29, 30], [31, 32, 33, 34, 35], [36, 37, 38, 39, 40], [41, 42, 43, 44, 45], [46, 47, 48, 49, 50], [51, 52, 53, 54, 55], [56, 57, 58, 59, 60], [61, 62, 63, 64, 65], [66, 67, 68, 69, 70], [71, 72, 73, 74, 75], [76, 77, 78, 79, 80], [81, 82, 83, 84, 85]]> : tensor<17x5xi32>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<17x5xi32>) -> tensor<5x17xi32>
  check.expect_eq_const %result, dense<[[1, 6, 11, 16, 21, 26, 31, 36, 41, 46, 51, 56, 61, 66, 71, 76, 81], [2, 7, 12, 17, 22, 27, 32, 37, 42, 47, 52, 57, 62, 67, 72, 77, 82], [3, 8, 13, 18, 23, 28, 33, 38, 43, 48, 53, 58, 63, 68, 73, 78, 83], [4, 9, 14, 19, 24, 29, 34, 39, 44, 49, 54, 59, 64, 69, 74, 79, 84], [5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85]]> : tensor<5x17xi32>
  return
}

// -----

// i1.
func.func @i1() {
  %operand = stablehlo.constant dense<[[true, false, true], [false, true, true]]> : tensor<2x3xi1>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xi1>) -> tensor<3x2xi1>
  check.expect_eq_const %result, dense<[[true, false], [false, true], [true, true]]> : tensor<3x2xi1>
  return
}

// -----

// i2.
func.func @i2() {
  %operand = stablehlo.constant dense<[[1, -2, 1], [1, -1, 0]]> : tensor<2x3xi2>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xi2>) -> tensor<3x2xi2>
  check.expect_eq_const %result, dense<[[1, 1], [-2, -1], [1, 0]]> : tensor<3x2xi2>
  return
}

// -----

// ui2.
func.func @ui2() {
  %operand = stablehlo.constant dense<[[3, 0, 2], [3, 0, 1]]> : tensor<2x3xui2>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xui2>) -> tensor<3x2xui2>
  check.expect_eq_const %result, dense<[[3, 3], [0, 0], [2, 1]]> : tensor<3x2xui2>
  return
}

// -----

// i4.
func.func @i4() {
  %operand = stablehlo.constant dense<[[7, -8, 0], [1, 2, 3]]> : tensor<2x3xi4>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xi4>) -> tensor<3x2xi4>
  check.expect_eq_const %result, dense<[[7, 1], [-8, 2], [0, 3]]> : tensor<3x2xi4>
  return
}

// -----

// ui4.
func.func @ui4() {
  %operand = stablehlo.constant dense<[[15, 0, 2], [3, 4, 5]]> : tensor<2x3xui4>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xui4>) -> tensor<3x2xui4>
  check.expect_eq_const %result, dense<[[15, 3], [0, 4], [2, 5]]> : tensor<3x2xui4>
  return
}

// -----

// i8.
func.func @i8() {
  %operand = stablehlo.constant dense<[[127, -128, 2], [-3, 4, -5]]> : tensor<2x3xi8>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xi8>) -> tensor<3x2xi8>
  check.expect_eq_const %result, dense<[[127, -3], [-128, 4], [2, -5]]> : tensor<3x2xi8>
  return
}

// -----

// ui8.
func.func @ui8() {
  %operand = stablehlo.constant dense<[[255, 0, 2], [3, 4, 5]]> : tensor<2x3xui8>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xui8>) -> tensor<3x2xui8>
  check.expect_eq_const %result, dense<[[255, 3], [0, 4], [2, 5]]> : tensor<3x2xui8>
  return
}

// -----

// i16.
func.func @i16() {
  %operand = stablehlo.constant dense<[[32767, -32768, 2], [-3, 4, -5]]> : tensor<2x3xi16>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xi16>) -> tensor<3x2xi16>
  check.expect_eq_const %result, dense<[[32767, -3], [-32768, 4], [2, -5]]> : tensor<3x2xi16>
  return
}

// -----

// ui16.
func.func @ui16() {
  %operand = stablehlo.constant dense<[[65535, 0, 2], [3, 4, 5]]> : tensor<2x3xui16>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xui16>) -> tensor<3x2xui16>
  check.expect_eq_const %result, dense<[[65535, 3], [0, 4], [2, 5]]> : tensor<3x2xui16>
  return
}

// -----

// i32.
func.func @i32() {
  %operand = stablehlo.constant dense<[[2147483647, -2147483648, 2], [-3, 4, -5]]> : tensor<2x3xi32>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[2147483647, -3], [-2147483648, 4], [2, -5]]> : tensor<3x2xi32>
  return
}

// -----

// ui32.
func.func @ui32() {
  %operand = stablehlo.constant dense<[[4294967295, 0, 2], [3, 4, 5]]> : tensor<2x3xui32>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xui32>) -> tensor<3x2xui32>
  check.expect_eq_const %result, dense<[[4294967295, 3], [0, 4], [2, 5]]> : tensor<3x2xui32>
  return
}

// -----

// i64.
func.func @i64() {
  %operand = stablehlo.constant dense<[[9223372036854775807, -9223372036854775808, 2], [-3, 4, -5]]> : tensor<2x3xi64>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %result, dense<[[9223372036854775807, -3], [-9223372036854775808, 4], [2, -5]]> : tensor<3x2xi64>
  return
}

// -----

// ui64.
func.func @ui64() {
  %operand = stablehlo.constant dense<[[18446744073709551615, 0, 2], [3, 4, 5]]> : tensor<2x3xui64>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xui64>) -> tensor<3x2xui64>
  check.expect_eq_const %result, dense<[[18446744073709551615, 3], [0, 4], [2, 5]]> : tensor<3x2xui64>
  return
}

// -----

// f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[[0.5, -0.75, 1.0], [-1.25, 1.5, -1.75]]> : tensor<2x3xf16>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf16>) -> tensor<3x2xf16>
  check.expect_eq_const %result, dense<[[0.5, -1.25], [-0.75, 1.5], [1.0, -1.75]]> : tensor<3x2xf16>
  return
}

// -----

// bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[[0.5, -0.75, 1.0], [-1.25, 1.5, -1.75]]> : tensor<2x3xbf16>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  check.expect_eq_const %result, dense<[[0.5, -1.25], [-0.75, 1.5], [1.0, -1.75]]> : tensor<3x2xbf16>
  return
}

// -----

// f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[[0.5, -0.75, 1.0], [-1.25, 1.5, -1.75]]> : tensor<2x3xf32>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %result, dense<[[0.5, -1.25], [-0.75, 1.5], [1.0, -1.75]]> : tensor<3x2xf32>
  return
}

// -----

// f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[[0.5, -0.75, 1.0], [-1.25, 1.5, -1.75]]> : tensor<2x3xf64>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf64>) -> tensor<3x2xf64>
  check.expect_eq_const %result, dense<[[0.5, -1.25], [-0.75, 1.5], [1.0, -1.75]]> : tensor<3x2xf64>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[[0.5, -0.75, 1.0], [-1.2, 1.5, -1.8]]> : tensor<2x3xf8E4M3FN>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf8E4M3FN>) -> tensor<3x2xf8E4M3FN>
  check.expect_eq_const %result, dense<[[0.5, -1.2], [-0.75, 1.5], [1.0, -1.8]]> : tensor<3x2xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[[0.5, -0.8, 1.0], [-1.2, 1.5, -1.8]]> : tensor<2x3xf8E5M2>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf8E5M2>) -> tensor<3x2xf8E5M2>
  check.expect_eq_const %result, dense<[[0.5, -1.2], [-0.8, 1.5], [1.0, -1.8]]> : tensor<3x2xf8E5M2>
  return
}

// -----

// f8E4M3FNUZ.
func.func @f8E4M3FNUZ() {
  %operand = stablehlo.constant dense<[[0.5, -0.75, 1.0], [-1.2, 1.5, -1.8]]> : tensor<2x3xf8E4M3FNUZ>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf8E4M3FNUZ>) -> tensor<3x2xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[[0.5, -1.2], [-0.75, 1.5], [1.0, -1.8]]> : tensor<3x2xf8E4M3FNUZ>
  return
}

// -----

// f8E5M2FNUZ.
func.func @f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[[0.5, -0.8, 1.0], [-1.2, 1.5, -1.8]]> : tensor<2x3xf8E5M2FNUZ>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf8E5M2FNUZ>) -> tensor<3x2xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[[0.5, -1.2], [-0.8, 1.5], [1.0, -1.8]]> : tensor<3x2xf8E5M2FNUZ>
  return
}

// -----

// f8E4M3B11FNUZ.
func.func @f8E4M3B11FNUZ() {
  %operand = stablehlo.constant dense<[[0.5, -0.75, 1.0], [-1.2, 1.5, -1.8]]> : tensor<2x3xf8E4M3B11FNUZ>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf8E4M3B11FNUZ>) -> tensor<3x2xf8E4M3B11FNUZ>
  check.expect_eq_const %result, dense<[[0.5, -1.2], [-0.75, 1.5], [1.0, -1.8]]> : tensor<3x2xf8E4M3B11FNUZ>
  return
}

// -----

// f8E3M4.
func.func @f8E3M4() {
  %operand = stablehlo.constant dense<[[0.5, -0.75, 1.0], [-1.25, 1.5, -1.75]]> : tensor<2x3xf8E3M4>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf8E3M4>) -> tensor<3x2xf8E3M4>
  check.expect_eq_const %result, dense<[[0.5, -1.25], [-0.75, 1.5], [1.0, -1.75]]> : tensor<3x2xf8E3M4>
  return
}

// -----

// f8E4M3.
func.func @f8E4M3() {
  %operand = stablehlo.constant dense<[[0.5, -0.75, 1.0], [-1.2, 1.5, -1.8]]> : tensor<2x3xf8E4M3>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf8E4M3>) -> tensor<3x2xf8E4M3>
  check.expect_eq_const %result, dense<[[0.5, -1.2], [-0.75, 1.5], [1.0, -1.8]]> : tensor<3x2xf8E4M3>
  return
}

// -----

// f8E8M0FNU.
func.func @f8E8M0FNU() {
  %operand = stablehlo.constant dense<[[0.5, 1.0, 2.0], [4.0, 8.0, 20.0]]> : tensor<2x3xf8E8M0FNU>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf8E8M0FNU>) -> tensor<3x2xf8E8M0FNU>
  check.expect_eq_const %result, dense<[[0.5, 4.0], [1.0, 8.0], [2.0, 20.0]]> : tensor<3x2xf8E8M0FNU>
  return
}

// -----

// f6E2M3FN.
func.func @f6E2M3FN() {
  %operand = stablehlo.constant dense<[[0.5, -0.8, 1.0], [-1.2, 1.5, -1.8]]> : tensor<2x3xf6E2M3FN>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf6E2M3FN>) -> tensor<3x2xf6E2M3FN>
  check.expect_eq_const %result, dense<[[0.5, -1.2], [-0.8, 1.5], [1.0, -1.8]]> : tensor<3x2xf6E2M3FN>
  return
}

// -----

// f6E3M2FN.
func.func @f6E3M2FN() {
  %operand = stablehlo.constant dense<[[0.5, -0.8, 1.0], [-1.2, 1.5, -1.8]]> : tensor<2x3xf6E3M2FN>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf6E3M2FN>) -> tensor<3x2xf6E3M2FN>
  check.expect_eq_const %result, dense<[[0.5, -1.2], [-0.8, 1.5], [1.0, -1.8]]> : tensor<3x2xf6E3M2FN>
  return
}

// -----

// f4E2M1FN.
func.func @f4E2M1FN() {
  %operand = stablehlo.constant dense<[[0.5, -1.0, 1.0], [-1.0, 1.5, -2.0]]> : tensor<2x3xf4E2M1FN>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xf4E2M1FN>) -> tensor<3x2xf4E2M1FN>
  check.expect_eq_const %result, dense<[[0.5, -1.0], [-1.0, 1.5], [1.0, -2.0]]> : tensor<3x2xf4E2M1FN>
  return
}

// -----

// complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5)], [(4.0, -3.5), (5.0, -4.5), (6.0, -5.5)]]> : tensor<2x3xcomplex<f32>>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  check.expect_eq_const %result, dense<[[(1.0, -0.5), (4.0, -3.5)], [(2.0, -1.5), (5.0, -4.5)], [(3.0, -2.5), (6.0, -5.5)]]> : tensor<3x2xcomplex<f32>>
  return
}

// -----

// complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5)], [(4.0, -3.5), (5.0, -4.5), (6.0, -5.5)]]> : tensor<2x3xcomplex<f64>>
  %result = stablehlo.transpose %operand, dims = [1, 0] : (tensor<2x3xcomplex<f64>>) -> tensor<3x2xcomplex<f64>>
  check.expect_eq_const %result, dense<[[(1.0, -0.5), (4.0, -3.5)], [(2.0, -1.5), (5.0, -4.5)], [(3.0, -2.5), (6.0, -5.5)]]> : tensor<3x2xcomplex<f64>>
  return
}
