// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `broadcast`: new dimensions of the given sizes come first.

// A scalar to rank 2.
func.func @scalar() {
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %result = stablehlo.broadcast %operand, sizes = [2, 3] : (tensor<i32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<7> : tensor<2x3xi32>
  return
}

// -----

// No new dimensions.
func.func @no_sizes() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result = stablehlo.broadcast %operand, sizes = [] : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 2, 3]> : tensor<3xi32>
  return
}

// -----

// Rank 0 stays.
func.func @scalar_no_sizes() {
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %result = stablehlo.broadcast %operand, sizes = [] : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<7> : tensor<i32>
  return
}

// -----

// A vector.
func.func @vector() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3], [1, 2, 3]]> : tensor<2x3xi32>
  return
}

// -----

// A matrix, two new dimensions.
func.func @matrix() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %result = stablehlo.broadcast %operand, sizes = [2, 1] : (tensor<2x2xi32>) -> tensor<2x1x2x2xi32>
  check.expect_eq_const %result, dense<[[[[1, 2], [3, 4]]], [[[1, 2], [3, 4]]]]> : tensor<2x1x2x2xi32>
  return
}

// -----

// Sizes of 1.
func.func @size_1() {
  %operand = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %result = stablehlo.broadcast %operand, sizes = [1, 1] : (tensor<1x2xi32>) -> tensor<1x1x1x2xi32>
  check.expect_eq_const %result, dense<[[[[1, 2]]]]> : tensor<1x1x1x2xi32>
  return
}

// -----

// A new dimension of size 0.
func.func @empty_result() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result = stablehlo.broadcast %operand, sizes = [0] : (tensor<3xi32>) -> tensor<0x3xi32>
  check.expect_eq_const %result, dense<> : tensor<0x3xi32>
  return
}

// -----

// An operand of size 0.
func.func @empty_operand() {
  %operand = stablehlo.constant dense<> : tensor<0x2xi32>
  %result = stablehlo.broadcast %operand, sizes = [3] : (tensor<0x2xi32>) -> tensor<3x0x2xi32>
  check.expect_eq_const %result, dense<> : tensor<3x0x2xi32>
  return
}

// -----

// i1.
func.func @i1() {
  %operand = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xi1>) -> tensor<2x3xi1>
  check.expect_eq_const %result, dense<[[true, false, true], [true, false, true]]> : tensor<2x3xi1>
  return
}

// -----

// i2.
func.func @i2() {
  %operand = stablehlo.constant dense<[1, -2, 1]> : tensor<3xi2>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xi2>) -> tensor<2x3xi2>
  check.expect_eq_const %result, dense<[[1, -2, 1], [1, -2, 1]]> : tensor<2x3xi2>
  return
}

// -----

// ui2.
func.func @ui2() {
  %operand = stablehlo.constant dense<[3, 0, 2]> : tensor<3xui2>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xui2>) -> tensor<2x3xui2>
  check.expect_eq_const %result, dense<[[3, 0, 2], [3, 0, 2]]> : tensor<2x3xui2>
  return
}

// -----

// i4.
func.func @i4() {
  %operand = stablehlo.constant dense<[7, -8, 0]> : tensor<3xi4>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xi4>) -> tensor<2x3xi4>
  check.expect_eq_const %result, dense<[[7, -8, 0], [7, -8, 0]]> : tensor<2x3xi4>
  return
}

// -----

// ui4.
func.func @ui4() {
  %operand = stablehlo.constant dense<[15, 0, 2]> : tensor<3xui4>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xui4>) -> tensor<2x3xui4>
  check.expect_eq_const %result, dense<[[15, 0, 2], [15, 0, 2]]> : tensor<2x3xui4>
  return
}

// -----

// i8.
func.func @i8() {
  %operand = stablehlo.constant dense<[127, -128, 2]> : tensor<3xi8>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %result, dense<[[127, -128, 2], [127, -128, 2]]> : tensor<2x3xi8>
  return
}

// -----

// ui8.
func.func @ui8() {
  %operand = stablehlo.constant dense<[255, 0, 2]> : tensor<3xui8>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xui8>) -> tensor<2x3xui8>
  check.expect_eq_const %result, dense<[[255, 0, 2], [255, 0, 2]]> : tensor<2x3xui8>
  return
}

// -----

// i16.
func.func @i16() {
  %operand = stablehlo.constant dense<[32767, -32768, 2]> : tensor<3xi16>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xi16>) -> tensor<2x3xi16>
  check.expect_eq_const %result, dense<[[32767, -32768, 2], [32767, -32768, 2]]> : tensor<2x3xi16>
  return
}

// -----

// ui16.
func.func @ui16() {
  %operand = stablehlo.constant dense<[65535, 0, 2]> : tensor<3xui16>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xui16>) -> tensor<2x3xui16>
  check.expect_eq_const %result, dense<[[65535, 0, 2], [65535, 0, 2]]> : tensor<2x3xui16>
  return
}

// -----

// i32.
func.func @i32() {
  %operand = stablehlo.constant dense<[2147483647, -2147483648, 2]> : tensor<3xi32>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[2147483647, -2147483648, 2], [2147483647, -2147483648, 2]]> : tensor<2x3xi32>
  return
}

// -----

// ui32.
func.func @ui32() {
  %operand = stablehlo.constant dense<[4294967295, 0, 2]> : tensor<3xui32>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xui32>) -> tensor<2x3xui32>
  check.expect_eq_const %result, dense<[[4294967295, 0, 2], [4294967295, 0, 2]]> : tensor<2x3xui32>
  return
}

// -----

// i64.
func.func @i64() {
  %operand = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, 2]> : tensor<3xi64>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xi64>) -> tensor<2x3xi64>
  check.expect_eq_const %result, dense<[[9223372036854775807, -9223372036854775808, 2], [9223372036854775807, -9223372036854775808, 2]]> : tensor<2x3xi64>
  return
}

// -----

// ui64.
func.func @ui64() {
  %operand = stablehlo.constant dense<[18446744073709551615, 0, 2]> : tensor<3xui64>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xui64>) -> tensor<2x3xui64>
  check.expect_eq_const %result, dense<[[18446744073709551615, 0, 2], [18446744073709551615, 0, 2]]> : tensor<2x3xui64>
  return
}

// -----

// f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf16>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf16>) -> tensor<2x3xf16>
  check.expect_eq_const %result, dense<[[0.5, -0.75, 1.0], [0.5, -0.75, 1.0]]> : tensor<2x3xf16>
  return
}

// -----

// bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xbf16>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xbf16>) -> tensor<2x3xbf16>
  check.expect_eq_const %result, dense<[[0.5, -0.75, 1.0], [0.5, -0.75, 1.0]]> : tensor<2x3xbf16>
  return
}

// -----

// f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf32>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %result, dense<[[0.5, -0.75, 1.0], [0.5, -0.75, 1.0]]> : tensor<2x3xf32>
  return
}

// -----

// f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf64>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf64>) -> tensor<2x3xf64>
  check.expect_eq_const %result, dense<[[0.5, -0.75, 1.0], [0.5, -0.75, 1.0]]> : tensor<2x3xf64>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf8E4M3FN>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf8E4M3FN>) -> tensor<2x3xf8E4M3FN>
  check.expect_eq_const %result, dense<[[0.5, -0.75, 1.0], [0.5, -0.75, 1.0]]> : tensor<2x3xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0]> : tensor<3xf8E5M2>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf8E5M2>) -> tensor<2x3xf8E5M2>
  check.expect_eq_const %result, dense<[[0.5, -0.8, 1.0], [0.5, -0.8, 1.0]]> : tensor<2x3xf8E5M2>
  return
}

// -----

// f8E4M3FNUZ.
func.func @f8E4M3FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf8E4M3FNUZ>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf8E4M3FNUZ>) -> tensor<2x3xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[[0.5, -0.75, 1.0], [0.5, -0.75, 1.0]]> : tensor<2x3xf8E4M3FNUZ>
  return
}

// -----

// f8E5M2FNUZ.
func.func @f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0]> : tensor<3xf8E5M2FNUZ>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf8E5M2FNUZ>) -> tensor<2x3xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[[0.5, -0.8, 1.0], [0.5, -0.8, 1.0]]> : tensor<2x3xf8E5M2FNUZ>
  return
}

// -----

// f8E4M3B11FNUZ.
func.func @f8E4M3B11FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf8E4M3B11FNUZ>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf8E4M3B11FNUZ>) -> tensor<2x3xf8E4M3B11FNUZ>
  check.expect_eq_const %result, dense<[[0.5, -0.75, 1.0], [0.5, -0.75, 1.0]]> : tensor<2x3xf8E4M3B11FNUZ>
  return
}

// -----

// f8E3M4.
func.func @f8E3M4() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf8E3M4>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf8E3M4>) -> tensor<2x3xf8E3M4>
  check.expect_eq_const %result, dense<[[0.5, -0.75, 1.0], [0.5, -0.75, 1.0]]> : tensor<2x3xf8E3M4>
  return
}

// -----

// f8E4M3.
func.func @f8E4M3() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf8E4M3>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf8E4M3>) -> tensor<2x3xf8E4M3>
  check.expect_eq_const %result, dense<[[0.5, -0.75, 1.0], [0.5, -0.75, 1.0]]> : tensor<2x3xf8E4M3>
  return
}

// -----

// f8E8M0FNU.
func.func @f8E8M0FNU() {
  %operand = stablehlo.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf8E8M0FNU>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf8E8M0FNU>) -> tensor<2x3xf8E8M0FNU>
  check.expect_eq_const %result, dense<[[0.5, 1.0, 2.0], [0.5, 1.0, 2.0]]> : tensor<2x3xf8E8M0FNU>
  return
}

// -----

// f6E2M3FN.
func.func @f6E2M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0]> : tensor<3xf6E2M3FN>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf6E2M3FN>) -> tensor<2x3xf6E2M3FN>
  check.expect_eq_const %result, dense<[[0.5, -0.8, 1.0], [0.5, -0.8, 1.0]]> : tensor<2x3xf6E2M3FN>
  return
}

// -----

// f6E3M2FN.
func.func @f6E3M2FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0]> : tensor<3xf6E3M2FN>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf6E3M2FN>) -> tensor<2x3xf6E3M2FN>
  check.expect_eq_const %result, dense<[[0.5, -0.8, 1.0], [0.5, -0.8, 1.0]]> : tensor<2x3xf6E3M2FN>
  return
}

// -----

// f4E2M1FN.
func.func @f4E2M1FN() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 1.0]> : tensor<3xf4E2M1FN>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xf4E2M1FN>) -> tensor<2x3xf4E2M1FN>
  check.expect_eq_const %result, dense<[[0.5, -1.0, 1.0], [0.5, -1.0, 1.0]]> : tensor<2x3xf4E2M1FN>
  return
}

// -----

// complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5)]> : tensor<3xcomplex<f32>>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  check.expect_eq_const %result, dense<[[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5)], [(1.0, -0.5), (2.0, -1.5), (3.0, -2.5)]]> : tensor<2x3xcomplex<f32>>
  return
}

// -----

// complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5)]> : tensor<3xcomplex<f64>>
  %result = stablehlo.broadcast %operand, sizes = [2] : (tensor<3xcomplex<f64>>) -> tensor<2x3xcomplex<f64>>
  check.expect_eq_const %result, dense<[[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5)], [(1.0, -0.5), (2.0, -1.5), (3.0, -2.5)]]> : tensor<2x3xcomplex<f64>>
  return
}
