// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `broadcast_in_dim`: dimension i of the operand becomes dimension dims[i] of the result; sizes of 1 and new dimensions are repeated.

// A scalar to rank 2.
func.func @scalar() {
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [] : (tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<7> : tensor<2x3xi32>
  return
}

// -----

// Rank 0 to rank 0.
func.func @scalar_to_scalar() {
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [] : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<7> : tensor<i32>
  return
}

// -----

// A vector as each row.
func.func @vector_to_rows() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3], [1, 2, 3]]> : tensor<2x3xi32>
  return
}

// -----

// A vector as each column.
func.func @vector_to_columns() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [0] : (tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 1, 1], [2, 2, 2]]> : tensor<2x3xi32>
  return
}

// -----

// A size of 1 is repeated.
func.func @size_1() {
  %operand = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 1, 1], [2, 2, 2]]> : tensor<2x3xi32>
  return
}

// -----

// A size of 1 that stays.
func.func @size_1_kept() {
  %operand = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [0, 1] : (tensor<1x3xi32>) -> tensor<1x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3]]> : tensor<1x3xi32>
  return
}

// -----

// All sizes of 1.
func.func @both_sizes_1() {
  %operand = stablehlo.constant dense<[[1]]> : tensor<1x1xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<1> : tensor<2x3xi32>
  return
}

// -----

// Nothing to repeat.
func.func @same_shape() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [0, 1] : (tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  return
}

// -----

// Dimensions in another order, as in a transpose.
func.func @transposed() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  return
}

// -----

// In another order, with a new dimension between them.
func.func @transposed_and_repeated() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [2, 0] : (tensor<2x3xi32>) -> tensor<3x2x2xi32>
  check.expect_eq_const %result, dense<[[[1, 4], [1, 4]], [[2, 5], [2, 5]], [[3, 6], [3, 6]]]> : tensor<3x2x2xi32>
  return
}

// -----

// Rank 2 to rank 4.
func.func @rank_2_to_rank_4() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 3] : (tensor<2x3xi32>) -> tensor<2x2x1x3xi32>
  check.expect_eq_const %result, dense<[[[[1, 2, 3]], [[4, 5, 6]]], [[[1, 2, 3]], [[4, 5, 6]]]]> : tensor<2x2x1x3xi32>
  return
}

// -----

// Rank 3 to rank 5, with a size of 1.
func.func @rank_3_to_rank_5() {
  %operand = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [0, 2, 4] : (tensor<2x1x2xi32>) -> tensor<2x1x3x1x2xi32>
  check.expect_eq_const %result, dense<[[[[[1, 2]], [[1, 2]], [[1, 2]]]], [[[[3, 4]], [[3, 4]], [[3, 4]]]]]> : tensor<2x1x3x1x2xi32>
  return
}

// -----

// A result of size 0.
func.func @empty_result() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<3xi32>) -> tensor<0x3xi32>
  check.expect_eq_const %result, dense<> : tensor<0x3xi32>
  return
}

// -----

// A size of 1 becomes 0.
func.func @size_1_to_0() {
  %operand = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [0, 1] : (tensor<2x1xi32>) -> tensor<2x0xi32>
  check.expect_eq_const %result, dense<> : tensor<2x0xi32>
  return
}

// -----

// An operand of size 0.
func.func @empty_operand() {
  %operand = stablehlo.constant dense<> : tensor<0x2xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [0, 2] : (tensor<0x2xi32>) -> tensor<0x3x2xi32>
  check.expect_eq_const %result, dense<> : tensor<0x3x2xi32>
  return
}

// -----

// A scalar to size 0.
func.func @scalar_to_empty() {
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [] : (tensor<i32>) -> tensor<2x0xi32>
  check.expect_eq_const %result, dense<> : tensor<2x0xi32>
  return
}

// -----

// i1.
func.func @i1() {
  %operand = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xi1>) -> tensor<2x2x3xi1>
  check.expect_eq_const %result, dense<[[[true, true, true], [false, false, false]], [[true, true, true], [false, false, false]]]> : tensor<2x2x3xi1>
  return
}

// -----

// i2.
func.func @i2() {
  %operand = stablehlo.constant dense<[[1], [-2]]> : tensor<2x1xi2>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xi2>) -> tensor<2x2x3xi2>
  check.expect_eq_const %result, dense<[[[1, 1, 1], [-2, -2, -2]], [[1, 1, 1], [-2, -2, -2]]]> : tensor<2x2x3xi2>
  return
}

// -----

// ui2.
func.func @ui2() {
  %operand = stablehlo.constant dense<[[3], [0]]> : tensor<2x1xui2>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xui2>) -> tensor<2x2x3xui2>
  check.expect_eq_const %result, dense<[[[3, 3, 3], [0, 0, 0]], [[3, 3, 3], [0, 0, 0]]]> : tensor<2x2x3xui2>
  return
}

// -----

// i4.
func.func @i4() {
  %operand = stablehlo.constant dense<[[7], [-8]]> : tensor<2x1xi4>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xi4>) -> tensor<2x2x3xi4>
  check.expect_eq_const %result, dense<[[[7, 7, 7], [-8, -8, -8]], [[7, 7, 7], [-8, -8, -8]]]> : tensor<2x2x3xi4>
  return
}

// -----

// ui4.
func.func @ui4() {
  %operand = stablehlo.constant dense<[[15], [0]]> : tensor<2x1xui4>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xui4>) -> tensor<2x2x3xui4>
  check.expect_eq_const %result, dense<[[[15, 15, 15], [0, 0, 0]], [[15, 15, 15], [0, 0, 0]]]> : tensor<2x2x3xui4>
  return
}

// -----

// i8.
func.func @i8() {
  %operand = stablehlo.constant dense<[[127], [-128]]> : tensor<2x1xi8>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xi8>) -> tensor<2x2x3xi8>
  check.expect_eq_const %result, dense<[[[127, 127, 127], [-128, -128, -128]], [[127, 127, 127], [-128, -128, -128]]]> : tensor<2x2x3xi8>
  return
}

// -----

// ui8.
func.func @ui8() {
  %operand = stablehlo.constant dense<[[255], [0]]> : tensor<2x1xui8>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xui8>) -> tensor<2x2x3xui8>
  check.expect_eq_const %result, dense<[[[255, 255, 255], [0, 0, 0]], [[255, 255, 255], [0, 0, 0]]]> : tensor<2x2x3xui8>
  return
}

// -----

// i16.
func.func @i16() {
  %operand = stablehlo.constant dense<[[32767], [-32768]]> : tensor<2x1xi16>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xi16>) -> tensor<2x2x3xi16>
  check.expect_eq_const %result, dense<[[[32767, 32767, 32767], [-32768, -32768, -32768]], [[32767, 32767, 32767], [-32768, -32768, -32768]]]> : tensor<2x2x3xi16>
  return
}

// -----

// ui16.
func.func @ui16() {
  %operand = stablehlo.constant dense<[[65535], [0]]> : tensor<2x1xui16>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xui16>) -> tensor<2x2x3xui16>
  check.expect_eq_const %result, dense<[[[65535, 65535, 65535], [0, 0, 0]], [[65535, 65535, 65535], [0, 0, 0]]]> : tensor<2x2x3xui16>
  return
}

// -----

// i32.
func.func @i32() {
  %operand = stablehlo.constant dense<[[2147483647], [-2147483648]]> : tensor<2x1xi32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xi32>) -> tensor<2x2x3xi32>
  check.expect_eq_const %result, dense<[[[2147483647, 2147483647, 2147483647], [-2147483648, -2147483648, -2147483648]], [[2147483647, 2147483647, 2147483647], [-2147483648, -2147483648, -2147483648]]]> : tensor<2x2x3xi32>
  return
}

// -----

// ui32.
func.func @ui32() {
  %operand = stablehlo.constant dense<[[4294967295], [0]]> : tensor<2x1xui32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xui32>) -> tensor<2x2x3xui32>
  check.expect_eq_const %result, dense<[[[4294967295, 4294967295, 4294967295], [0, 0, 0]], [[4294967295, 4294967295, 4294967295], [0, 0, 0]]]> : tensor<2x2x3xui32>
  return
}

// -----

// i64.
func.func @i64() {
  %operand = stablehlo.constant dense<[[9223372036854775807], [-9223372036854775808]]> : tensor<2x1xi64>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xi64>) -> tensor<2x2x3xi64>
  check.expect_eq_const %result, dense<[[[9223372036854775807, 9223372036854775807, 9223372036854775807], [-9223372036854775808, -9223372036854775808, -9223372036854775808]], [[9223372036854775807, 9223372036854775807, 9223372036854775807], [-9223372036854775808, -9223372036854775808, -9223372036854775808]]]> : tensor<2x2x3xi64>
  return
}

// -----

// ui64.
func.func @ui64() {
  %operand = stablehlo.constant dense<[[18446744073709551615], [0]]> : tensor<2x1xui64>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xui64>) -> tensor<2x2x3xui64>
  check.expect_eq_const %result, dense<[[[18446744073709551615, 18446744073709551615, 18446744073709551615], [0, 0, 0]], [[18446744073709551615, 18446744073709551615, 18446744073709551615], [0, 0, 0]]]> : tensor<2x2x3xui64>
  return
}

// -----

// f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[[0.5], [-0.75]]> : tensor<2x1xf16>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf16>) -> tensor<2x2x3xf16>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]], [[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]]]> : tensor<2x2x3xf16>
  return
}

// -----

// bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[[0.5], [-0.75]]> : tensor<2x1xbf16>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xbf16>) -> tensor<2x2x3xbf16>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]], [[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]]]> : tensor<2x2x3xbf16>
  return
}

// -----

// f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[[0.5], [-0.75]]> : tensor<2x1xf32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf32>) -> tensor<2x2x3xf32>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]], [[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]]]> : tensor<2x2x3xf32>
  return
}

// -----

// f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[[0.5], [-0.75]]> : tensor<2x1xf64>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf64>) -> tensor<2x2x3xf64>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]], [[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]]]> : tensor<2x2x3xf64>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[[0.5], [-0.75]]> : tensor<2x1xf8E4M3FN>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf8E4M3FN>) -> tensor<2x2x3xf8E4M3FN>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]], [[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]]]> : tensor<2x2x3xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[[0.5], [-0.8]]> : tensor<2x1xf8E5M2>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf8E5M2>) -> tensor<2x2x3xf8E5M2>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.8, -0.8, -0.8]], [[0.5, 0.5, 0.5], [-0.8, -0.8, -0.8]]]> : tensor<2x2x3xf8E5M2>
  return
}

// -----

// f8E4M3FNUZ.
func.func @f8E4M3FNUZ() {
  %operand = stablehlo.constant dense<[[0.5], [-0.75]]> : tensor<2x1xf8E4M3FNUZ>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf8E4M3FNUZ>) -> tensor<2x2x3xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]], [[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]]]> : tensor<2x2x3xf8E4M3FNUZ>
  return
}

// -----

// f8E5M2FNUZ.
func.func @f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[[0.5], [-0.8]]> : tensor<2x1xf8E5M2FNUZ>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf8E5M2FNUZ>) -> tensor<2x2x3xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.8, -0.8, -0.8]], [[0.5, 0.5, 0.5], [-0.8, -0.8, -0.8]]]> : tensor<2x2x3xf8E5M2FNUZ>
  return
}

// -----

// f8E4M3B11FNUZ.
func.func @f8E4M3B11FNUZ() {
  %operand = stablehlo.constant dense<[[0.5], [-0.75]]> : tensor<2x1xf8E4M3B11FNUZ>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf8E4M3B11FNUZ>) -> tensor<2x2x3xf8E4M3B11FNUZ>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]], [[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]]]> : tensor<2x2x3xf8E4M3B11FNUZ>
  return
}

// -----

// f8E3M4.
func.func @f8E3M4() {
  %operand = stablehlo.constant dense<[[0.5], [-0.75]]> : tensor<2x1xf8E3M4>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf8E3M4>) -> tensor<2x2x3xf8E3M4>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]], [[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]]]> : tensor<2x2x3xf8E3M4>
  return
}

// -----

// f8E4M3.
func.func @f8E4M3() {
  %operand = stablehlo.constant dense<[[0.5], [-0.75]]> : tensor<2x1xf8E4M3>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf8E4M3>) -> tensor<2x2x3xf8E4M3>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]], [[0.5, 0.5, 0.5], [-0.75, -0.75, -0.75]]]> : tensor<2x2x3xf8E4M3>
  return
}

// -----

// f8E8M0FNU.
func.func @f8E8M0FNU() {
  %operand = stablehlo.constant dense<[[0.5], [1.0]]> : tensor<2x1xf8E8M0FNU>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf8E8M0FNU>) -> tensor<2x2x3xf8E8M0FNU>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [1.0, 1.0, 1.0]], [[0.5, 0.5, 0.5], [1.0, 1.0, 1.0]]]> : tensor<2x2x3xf8E8M0FNU>
  return
}

// -----

// f6E2M3FN.
func.func @f6E2M3FN() {
  %operand = stablehlo.constant dense<[[0.5], [-0.8]]> : tensor<2x1xf6E2M3FN>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf6E2M3FN>) -> tensor<2x2x3xf6E2M3FN>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.8, -0.8, -0.8]], [[0.5, 0.5, 0.5], [-0.8, -0.8, -0.8]]]> : tensor<2x2x3xf6E2M3FN>
  return
}

// -----

// f6E3M2FN.
func.func @f6E3M2FN() {
  %operand = stablehlo.constant dense<[[0.5], [-0.8]]> : tensor<2x1xf6E3M2FN>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf6E3M2FN>) -> tensor<2x2x3xf6E3M2FN>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-0.8, -0.8, -0.8]], [[0.5, 0.5, 0.5], [-0.8, -0.8, -0.8]]]> : tensor<2x2x3xf6E3M2FN>
  return
}

// -----

// f4E2M1FN.
func.func @f4E2M1FN() {
  %operand = stablehlo.constant dense<[[0.5], [-1.0]]> : tensor<2x1xf4E2M1FN>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xf4E2M1FN>) -> tensor<2x2x3xf4E2M1FN>
  check.expect_eq_const %result, dense<[[[0.5, 0.5, 0.5], [-1.0, -1.0, -1.0]], [[0.5, 0.5, 0.5], [-1.0, -1.0, -1.0]]]> : tensor<2x2x3xf4E2M1FN>
  return
}

// -----

// complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[[(1.0, -0.5)], [(2.0, -1.5)]]> : tensor<2x1xcomplex<f32>>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xcomplex<f32>>) -> tensor<2x2x3xcomplex<f32>>
  check.expect_eq_const %result, dense<[[[(1.0, -0.5), (1.0, -0.5), (1.0, -0.5)], [(2.0, -1.5), (2.0, -1.5), (2.0, -1.5)]], [[(1.0, -0.5), (1.0, -0.5), (1.0, -0.5)], [(2.0, -1.5), (2.0, -1.5), (2.0, -1.5)]]]> : tensor<2x2x3xcomplex<f32>>
  return
}

// -----

// complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[[(1.0, -0.5)], [(2.0, -1.5)]]> : tensor<2x1xcomplex<f64>>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1, 2] : (tensor<2x1xcomplex<f64>>) -> tensor<2x2x3xcomplex<f64>>
  check.expect_eq_const %result, dense<[[[(1.0, -0.5), (1.0, -0.5), (1.0, -0.5)], [(2.0, -1.5), (2.0, -1.5), (2.0, -1.5)]], [[(1.0, -0.5), (1.0, -0.5), (1.0, -0.5)], [(2.0, -1.5), (2.0, -1.5), (2.0, -1.5)]]]> : tensor<2x2x3xcomplex<f64>>
  return
}

// -----

// The bits of NaN and of zeros stay what they are.
func.func @f32_bits() {
  %operand = stablehlo.constant dense<[0x7F812345, -0.0, 0xFFC54321, 0.0]> : tensor<4xf32>
  %result = stablehlo.broadcast_in_dim %operand, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<2x4xf32>) -> tensor<2x4xui32>
  check.expect_eq_const %bits, dense<[[0x7F812345, 0x80000000, 0xFFC54321, 0], [0x7F812345, 0x80000000, 0xFFC54321, 0]]> : tensor<2x4xui32>
  return
}
