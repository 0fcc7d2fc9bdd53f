// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `dynamic_update_slice`: a part at computed indices is replaced; indices are clamped so that the part lies inside.

// Rank 1.
func.func @vector() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2, -3]> : tensor<3xi32>
  %start0 = stablehlo.constant dense<2> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<3xi32>, tensor<i64>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[1, 2, -1, -2, -3, 6]> : tensor<6xi32>
  return
}

// -----

// Rank 2.
func.func @matrix() {
  %operand = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi32>
  %update = stablehlo.constant dense<[[-1, -2], [-3, -4]]> : tensor<2x2xi32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %start1 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1 : (tensor<3x4xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<3x4xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3, 4], [5, -1, -2, 8], [9, -3, -4, 12]]> : tensor<3x4xi32>
  return
}

// -----

// All is replaced: indices do not matter.
func.func @all() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %update = stablehlo.constant dense<[[-1, -2, -3], [-4, -5, -6]]> : tensor<2x3xi32>
  %start0 = stablehlo.constant dense<5> : tensor<i64>
  %start1 = stablehlo.constant dense<-5> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1 : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i64>, tensor<i64>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[-1, -2, -3], [-4, -5, -6]]> : tensor<2x3xi32>
  return
}

// -----

// Rank 0: no indices.
func.func @scalar() {
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %update = stablehlo.constant dense<-7> : tensor<i32>
  %result = stablehlo.dynamic_update_slice %operand, %update : (tensor<i32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<-7> : tensor<i32>
  return
}

// -----

// Clamped so that the part ends at the end.
func.func @past_the_end() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2, -3]> : tensor<3xi32>
  %start0 = stablehlo.constant dense<5> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<3xi32>, tensor<i64>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[1, 2, 3, -1, -2, -3]> : tensor<6xi32>
  return
}

// -----

// A negative index is 0, not counted from the end.
func.func @negative() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2, -3]> : tensor<3xi32>
  %start0 = stablehlo.constant dense<-2> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<3xi32>, tensor<i64>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[-1, -2, -3, 4, 5, 6]> : tensor<6xi32>
  return
}

// -----

// Far out on both sides.
func.func @far_out() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %update = stablehlo.constant dense<[[-1, -2], [-3, -4]]> : tensor<2x2xi32>
  %start0 = stablehlo.constant dense<4611686018427387904> : tensor<i64>
  %start1 = stablehlo.constant dense<-4611686018427387904> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1 : (tensor<3x3xi32>, tensor<2x2xi32>, tensor<i64>, tensor<i64>) -> tensor<3x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3], [-1, -2, 6], [-3, -4, 9]]> : tensor<3x3xi32>
  return
}

// -----

// The least i64.
func.func @least_i64() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %start0 = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<2xi32>, tensor<i64>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[-1, -2, 3, 4, 5, 6]> : tensor<6xi32>
  return
}

// -----

// The greatest i64.
func.func @greatest_i64() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %start0 = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<2xi32>, tensor<i64>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[1, 2, 3, 4, -1, -2]> : tensor<6xi32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]], [[13, 14, 15], [16, 17, 18]]]> : tensor<3x2x3xi32>
  %update = stablehlo.constant dense<[[[-1]], [[-2]]]> : tensor<2x1x1xi32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %start1 = stablehlo.constant dense<0> : tensor<i64>
  %start2 = stablehlo.constant dense<2> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1, %start2 : (tensor<3x2x3xi32>, tensor<2x1x1xi32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<3x2x3xi32>
  check.expect_eq_const %result, dense<[[[1, 2, 3], [4, 5, 6]], [[7, 8, -1], [10, 11, 12]], [[13, 14, -2], [16, 17, 18]]]> : tensor<3x2x3xi32>
  return
}

// -----

// One element.
func.func @one_element() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %update = stablehlo.constant dense<[[-1]]> : tensor<1x1xi32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %start1 = stablehlo.constant dense<2> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1 : (tensor<3x3xi32>, tensor<1x1xi32>, tensor<i64>, tensor<i64>) -> tensor<3x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, 3], [4, 5, -1], [7, 8, 9]]> : tensor<3x3xi32>
  return
}

// -----

// A part of size 0.
func.func @nothing() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %update = stablehlo.constant dense<> : tensor<0xi32>
  %start0 = stablehlo.constant dense<3> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xi32>, tensor<0xi32>, tensor<i64>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[1, 2, 3, 4]> : tensor<4xi32>
  return
}

// -----

// An operand of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0x2xi32>
  %update = stablehlo.constant dense<> : tensor<0x1xi32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %start1 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0, %start1 : (tensor<0x2xi32>, tensor<0x1xi32>, tensor<i64>, tensor<i64>) -> tensor<0x2xi32>
  check.expect_eq_const %result, dense<> : tensor<0x2xi32>
  return
}

// -----

// Indices of type i8: -1.
func.func @index_i8() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %start0 = stablehlo.constant dense<-1> : tensor<i8>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<2xi32>, tensor<i8>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[-1, -2, 3, 4, 5, 6]> : tensor<6xi32>
  return
}

// -----

// Indices of type ui8: 255.
func.func @index_ui8() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %start0 = stablehlo.constant dense<255> : tensor<ui8>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<2xi32>, tensor<ui8>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[1, 2, 3, 4, -1, -2]> : tensor<6xi32>
  return
}

// -----

// Indices of type i16: 3.
func.func @index_i16() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %start0 = stablehlo.constant dense<3> : tensor<i16>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<2xi32>, tensor<i16>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[1, 2, 3, -1, -2, 6]> : tensor<6xi32>
  return
}

// -----

// Indices of type ui16: 65535.
func.func @index_ui16() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %start0 = stablehlo.constant dense<65535> : tensor<ui16>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<2xi32>, tensor<ui16>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[1, 2, 3, 4, -1, -2]> : tensor<6xi32>
  return
}

// -----

// Indices of type i32: -2147483648.
func.func @index_i32() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %start0 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<2xi32>, tensor<i32>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[-1, -2, 3, 4, 5, 6]> : tensor<6xi32>
  return
}

// -----

// Indices of type ui32: 4294967295.
func.func @index_ui32() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %start0 = stablehlo.constant dense<4294967295> : tensor<ui32>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<2xi32>, tensor<ui32>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[1, 2, 3, 4, -1, -2]> : tensor<6xi32>
  return
}

// -----

// Indices of type ui64: 18446744073709551615.
func.func @index_ui64() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %start0 = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<6xi32>, tensor<2xi32>, tensor<ui64>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[1, 2, 3, 4, -1, -2]> : tensor<6xi32>
  return
}

// -----

// The operand is another value, and stays.
func.func @operand_stays() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %shape = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %computed = stablehlo.add %operand, %shape : tensor<4xi32>
  %update = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %result = stablehlo.dynamic_update_slice %computed, %update, %one : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
  %sum = stablehlo.add %computed, %result : tensor<4xi32>
  check.expect_eq_const %computed, dense<[2, 3, 4, 5]> : tensor<4xi32>
  check.expect_eq_const %result, dense<[2, -1, -2, 5]> : tensor<4xi32>
  check.expect_eq_const %sum, dense<[4, 2, 2, 10]> : tensor<4xi32>
  return
}
