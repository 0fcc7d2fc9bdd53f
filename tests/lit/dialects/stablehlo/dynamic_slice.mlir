// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `dynamic_slice`: a part of static size at computed indices, which are clamped so that the part lies inside.

// Rank 1.
func.func @vector() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<2> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [3] : (tensor<6xi32>, tensor<i64>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[3, 4, 5]> : tensor<3xi32>
  return
}

// -----

// Rank 2.
func.func @matrix() {
  %operand = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %start1 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [2, 2] : (tensor<3x4xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[6, 7], [10, 11]]> : tensor<2x2xi32>
  return
}

// -----

// All of it: indices do not matter.
func.func @all() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %start0 = stablehlo.constant dense<5> : tensor<i64>
  %start1 = stablehlo.constant dense<-5> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [2, 3] : (tensor<2x3xi32>, tensor<i64>, tensor<i64>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  return
}

// -----

// Rank 0: no indices.
func.func @scalar() {
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %result = stablehlo.dynamic_slice %operand, sizes = [] : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<7> : tensor<i32>
  return
}

// -----

// Clamped so that the part ends at the end.
func.func @past_the_end() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<5> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [3] : (tensor<6xi32>, tensor<i64>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[4, 5, 6]> : tensor<3xi32>
  return
}

// -----

// A negative index is 0, not counted from the end.
func.func @negative() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<-2> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [3] : (tensor<6xi32>, tensor<i64>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 2, 3]> : tensor<3xi32>
  return
}

// -----

// Far out on both sides.
func.func @far_out() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %start0 = stablehlo.constant dense<4611686018427387904> : tensor<i64>
  %start1 = stablehlo.constant dense<-4611686018427387904> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [2, 2] : (tensor<3x3xi32>, tensor<i64>, tensor<i64>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[4, 5], [7, 8]]> : tensor<2x2xi32>
  return
}

// -----

// The least i64.
func.func @least_i64() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<6xi32>, tensor<i64>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi32>
  return
}

// -----

// The greatest i64.
func.func @greatest_i64() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<6xi32>, tensor<i64>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[5, 6]> : tensor<2xi32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]], [[13, 14, 15], [16, 17, 18]]]> : tensor<3x2x3xi32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %start1 = stablehlo.constant dense<0> : tensor<i64>
  %start2 = stablehlo.constant dense<2> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, %start1, %start2, sizes = [2, 1, 1] : (tensor<3x2x3xi32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2x1x1xi32>
  check.expect_eq_const %result, dense<[[[9]], [[15]]]> : tensor<2x1x1xi32>
  return
}

// -----

// One element.
func.func @one_element() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %start1 = stablehlo.constant dense<2> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [1, 1] : (tensor<3x3xi32>, tensor<i64>, tensor<i64>) -> tensor<1x1xi32>
  check.expect_eq_const %result, dense<[[6]]> : tensor<1x1xi32>
  return
}

// -----

// A part of size 0.
func.func @nothing() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %start0 = stablehlo.constant dense<3> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [0] : (tensor<4xi32>, tensor<i64>) -> tensor<0xi32>
  check.expect_eq_const %result, dense<> : tensor<0xi32>
  return
}

// -----

// An operand of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0x2xi32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %start1 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, %start1, sizes = [0, 1] : (tensor<0x2xi32>, tensor<i64>, tensor<i64>) -> tensor<0x1xi32>
  check.expect_eq_const %result, dense<> : tensor<0x1xi32>
  return
}

// -----

// Indices of type i8: -1.
func.func @index_i8() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<-1> : tensor<i8>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<6xi32>, tensor<i8>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi32>
  return
}

// -----

// Indices of type ui8: 255.
func.func @index_ui8() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<255> : tensor<ui8>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<6xi32>, tensor<ui8>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[5, 6]> : tensor<2xi32>
  return
}

// -----

// Indices of type i16: 3.
func.func @index_i16() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<3> : tensor<i16>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<6xi32>, tensor<i16>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[4, 5]> : tensor<2xi32>
  return
}

// -----

// Indices of type ui16: 65535.
func.func @index_ui16() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<65535> : tensor<ui16>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<6xi32>, tensor<ui16>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[5, 6]> : tensor<2xi32>
  return
}

// -----

// Indices of type i32: -2147483648.
func.func @index_i32() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<6xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi32>
  return
}

// -----

// Indices of type ui32: 4294967295.
func.func @index_ui32() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<4294967295> : tensor<ui32>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<6xi32>, tensor<ui32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[5, 6]> : tensor<2xi32>
  return
}

// -----

// Indices of type ui64: 18446744073709551615.
func.func @index_ui64() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<6xi32>, tensor<ui64>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[5, 6]> : tensor<2xi32>
  return
}

// -----

// Indices of type i4.
func.func @index_i4() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %start0 = stablehlo.constant dense<-3> : tensor<i4>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<6xi32>, tensor<i4>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi32>
  return
}

// -----

// i1.
func.func @i1() {
  %operand = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xi1>, tensor<i64>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  return
}

// -----

// i2.
func.func @i2() {
  %operand = stablehlo.constant dense<[1, -2, 1, 1]> : tensor<4xi2>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xi2>, tensor<i64>) -> tensor<2xi2>
  check.expect_eq_const %result, dense<[-2, 1]> : tensor<2xi2>
  return
}

// -----

// ui2.
func.func @ui2() {
  %operand = stablehlo.constant dense<[3, 0, 2, 3]> : tensor<4xui2>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xui2>, tensor<i64>) -> tensor<2xui2>
  check.expect_eq_const %result, dense<[0, 2]> : tensor<2xui2>
  return
}

// -----

// i4.
func.func @i4() {
  %operand = stablehlo.constant dense<[7, -8, 0, 1]> : tensor<4xi4>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xi4>, tensor<i64>) -> tensor<2xi4>
  check.expect_eq_const %result, dense<[-8, 0]> : tensor<2xi4>
  return
}

// -----

// ui4.
func.func @ui4() {
  %operand = stablehlo.constant dense<[15, 0, 2, 3]> : tensor<4xui4>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xui4>, tensor<i64>) -> tensor<2xui4>
  check.expect_eq_const %result, dense<[0, 2]> : tensor<2xui4>
  return
}

// -----

// i8.
func.func @i8() {
  %operand = stablehlo.constant dense<[127, -128, 2, -3]> : tensor<4xi8>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xi8>, tensor<i64>) -> tensor<2xi8>
  check.expect_eq_const %result, dense<[-128, 2]> : tensor<2xi8>
  return
}

// -----

// ui8.
func.func @ui8() {
  %operand = stablehlo.constant dense<[255, 0, 2, 3]> : tensor<4xui8>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xui8>, tensor<i64>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<[0, 2]> : tensor<2xui8>
  return
}

// -----

// i16.
func.func @i16() {
  %operand = stablehlo.constant dense<[32767, -32768, 2, -3]> : tensor<4xi16>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xi16>, tensor<i64>) -> tensor<2xi16>
  check.expect_eq_const %result, dense<[-32768, 2]> : tensor<2xi16>
  return
}

// -----

// ui16.
func.func @ui16() {
  %operand = stablehlo.constant dense<[65535, 0, 2, 3]> : tensor<4xui16>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xui16>, tensor<i64>) -> tensor<2xui16>
  check.expect_eq_const %result, dense<[0, 2]> : tensor<2xui16>
  return
}

// -----

// i32.
func.func @i32() {
  %operand = stablehlo.constant dense<[2147483647, -2147483648, 2, -3]> : tensor<4xi32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xi32>, tensor<i64>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[-2147483648, 2]> : tensor<2xi32>
  return
}

// -----

// ui32.
func.func @ui32() {
  %operand = stablehlo.constant dense<[4294967295, 0, 2, 3]> : tensor<4xui32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xui32>, tensor<i64>) -> tensor<2xui32>
  check.expect_eq_const %result, dense<[0, 2]> : tensor<2xui32>
  return
}

// -----

// i64.
func.func @i64() {
  %operand = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, 2, -3]> : tensor<4xi64>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xi64>, tensor<i64>) -> tensor<2xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808, 2]> : tensor<2xi64>
  return
}

// -----

// ui64.
func.func @ui64() {
  %operand = stablehlo.constant dense<[18446744073709551615, 0, 2, 3]> : tensor<4xui64>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xui64>, tensor<i64>) -> tensor<2xui64>
  check.expect_eq_const %result, dense<[0, 2]> : tensor<2xui64>
  return
}

// -----

// f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf16>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf16>, tensor<i64>) -> tensor<2xf16>
  check.expect_eq_const %result, dense<[-0.75, 1.0]> : tensor<2xf16>
  return
}

// -----

// bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xbf16>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xbf16>, tensor<i64>) -> tensor<2xbf16>
  check.expect_eq_const %result, dense<[-0.75, 1.0]> : tensor<2xbf16>
  return
}

// -----

// f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf32>, tensor<i64>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[-0.75, 1.0]> : tensor<2xf32>
  return
}

// -----

// f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf64>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf64>, tensor<i64>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[-0.75, 1.0]> : tensor<2xf64>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3FN>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf8E4M3FN>, tensor<i64>) -> tensor<2xf8E4M3FN>
  check.expect_eq_const %result, dense<[-0.75, 1.0]> : tensor<2xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf8E5M2>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf8E5M2>, tensor<i64>) -> tensor<2xf8E5M2>
  check.expect_eq_const %result, dense<[-0.8, 1.0]> : tensor<2xf8E5M2>
  return
}

// -----

// f8E4M3FNUZ.
func.func @f8E4M3FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3FNUZ>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf8E4M3FNUZ>, tensor<i64>) -> tensor<2xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[-0.75, 1.0]> : tensor<2xf8E4M3FNUZ>
  return
}

// -----

// f8E5M2FNUZ.
func.func @f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf8E5M2FNUZ>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf8E5M2FNUZ>, tensor<i64>) -> tensor<2xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[-0.8, 1.0]> : tensor<2xf8E5M2FNUZ>
  return
}

// -----

// f8E4M3B11FNUZ.
func.func @f8E4M3B11FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3B11FNUZ>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf8E4M3B11FNUZ>, tensor<i64>) -> tensor<2xf8E4M3B11FNUZ>
  check.expect_eq_const %result, dense<[-0.75, 1.0]> : tensor<2xf8E4M3B11FNUZ>
  return
}

// -----

// f8E3M4.
func.func @f8E3M4() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf8E3M4>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf8E3M4>, tensor<i64>) -> tensor<2xf8E3M4>
  check.expect_eq_const %result, dense<[-0.75, 1.0]> : tensor<2xf8E3M4>
  return
}

// -----

// f8E4M3.
func.func @f8E4M3() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf8E4M3>, tensor<i64>) -> tensor<2xf8E4M3>
  check.expect_eq_const %result, dense<[-0.75, 1.0]> : tensor<2xf8E4M3>
  return
}

// -----

// f8E8M0FNU.
func.func @f8E8M0FNU() {
  %operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf8E8M0FNU>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf8E8M0FNU>, tensor<i64>) -> tensor<2xf8E8M0FNU>
  check.expect_eq_const %result, dense<[1.0, 2.0]> : tensor<2xf8E8M0FNU>
  return
}

// -----

// f6E2M3FN.
func.func @f6E2M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf6E2M3FN>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf6E2M3FN>, tensor<i64>) -> tensor<2xf6E2M3FN>
  check.expect_eq_const %result, dense<[-0.8, 1.0]> : tensor<2xf6E2M3FN>
  return
}

// -----

// f6E3M2FN.
func.func @f6E3M2FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf6E3M2FN>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf6E3M2FN>, tensor<i64>) -> tensor<2xf6E3M2FN>
  check.expect_eq_const %result, dense<[-0.8, 1.0]> : tensor<2xf6E3M2FN>
  return
}

// -----

// f4E2M1FN.
func.func @f4E2M1FN() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 1.0, -1.0]> : tensor<4xf4E2M1FN>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xf4E2M1FN>, tensor<i64>) -> tensor<2xf4E2M1FN>
  check.expect_eq_const %result, dense<[-1.0, 1.0]> : tensor<2xf4E2M1FN>
  return
}

// -----

// complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5), (4.0, -3.5)]> : tensor<4xcomplex<f32>>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xcomplex<f32>>, tensor<i64>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(2.0, -1.5), (3.0, -2.5)]> : tensor<2xcomplex<f32>>
  return
}

// -----

// complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5), (4.0, -3.5)]> : tensor<4xcomplex<f64>>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_slice %operand, %start0, sizes = [2] : (tensor<4xcomplex<f64>>, tensor<i64>) -> tensor<2xcomplex<f64>>
  check.expect_eq_const %result, dense<[(2.0, -1.5), (3.0, -2.5)]> : tensor<2xcomplex<f64>>
  return
}
