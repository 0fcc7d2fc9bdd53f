// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `pad`: low and high elements of padding at the edges, and interior between elements; negative ones cut off.

// Before the first element.
func.func @low() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [2], high = [0], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 0, 1, 2, 3]> : tensor<5xi32>
  return
}

// -----

// After the last element.
func.func @high() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [0], high = [2], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[1, 2, 3, 0, 0]> : tensor<5xi32>
  return
}

// -----

// Between elements only.
func.func @interior() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [0], high = [0], interior = [2] : (tensor<3xi32>, tensor<i32>) -> tensor<7xi32>
  check.expect_eq_const %result, dense<[1, 0, 0, 2, 0, 0, 3]> : tensor<7xi32>
  return
}

// -----

// All three.
func.func @all() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [1], high = [2], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %result, dense<[0, 1, 0, 2, 0, 3, 0, 0]> : tensor<8xi32>
  return
}

// -----

// No padding.
func.func @nothing() {
  %operand = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  return
}

// -----

// Rank 0.
func.func @scalar() {
  %operand = stablehlo.constant dense<7> : tensor<i32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [], high = [], interior = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<7> : tensor<i32>
  return
}

// -----

// The first elements are cut off.
func.func @negative_low() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [-2], high = [0], interior = [0] : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[3, 4, 5]> : tensor<3xi32>
  return
}

// -----

// The last elements are cut off.
func.func @negative_high() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [0], high = [-2], interior = [0] : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 2, 3]> : tensor<3xi32>
  return
}

// -----

// Both ends are cut off.
func.func @negative_both() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [-1], high = [-3], interior = [0] : (tensor<5xi32>, tensor<i32>) -> tensor<1xi32>
  check.expect_eq_const %result, dense<[2]> : tensor<1xi32>
  return
}

// -----

// Interior padding is cut off too.
func.func @negative_and_interior() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [-1], high = [-2], interior = [2] : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[0, 0, 2, 0]> : tensor<4xi32>
  return
}

// -----

// Cut off at one end, padded at the other.
func.func @negative_low_positive_high() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [-1], high = [2], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[2, 3, 0, 0]> : tensor<4xi32>
  return
}

// -----

// Nothing remains.
func.func @all_cut_off() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [-3], high = [0], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<0xi32>
  check.expect_eq_const %result, dense<> : tensor<0xi32>
  return
}

// -----

// More is cut off than the operand has.
func.func @cut_into_padding() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [-3], high = [4], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<0> : tensor<3xi32>
  return
}

// -----

// Rank 2, another amount in each dimension.
func.func @matrix() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [1, 0], high = [0, 2], interior = [1, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<4x5xi32>
  check.expect_eq_const %result, dense<[[0, 0, 0, 0, 0], [1, 2, 3, 0, 0], [0, 0, 0, 0, 0], [4, 5, 6, 0, 0]]> : tensor<4x5xi32>
  return
}

// -----

// Rank 2, of both signs.
func.func @matrix_mixed() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [-1, 1], high = [1, -1], interior = [0, 1] : (tensor<3x3xi32>, tensor<i32>) -> tensor<3x5xi32>
  check.expect_eq_const %result, dense<[[0, 4, 0, 5, 0], [0, 7, 0, 8, 0], [0, 0, 0, 0, 0]]> : tensor<3x5xi32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [0, 1, 0], high = [1, 0, 0], interior = [0, 2, 1] : (tensor<2x1x2xi32>, tensor<i32>) -> tensor<3x2x3xi32>
  check.expect_eq_const %result, dense<[[[0, 0, 0], [1, 0, 2]], [[0, 0, 0], [3, 0, 4]], [[0, 0, 0], [0, 0, 0]]]> : tensor<3x2x3xi32>
  return
}

// -----

// Size 0 becomes all padding.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0xi32>
  %value = stablehlo.constant dense<5> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [1], high = [2], interior = [3] : (tensor<0xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<5> : tensor<3xi32>
  return
}

// -----

// One dimension of size 0.
func.func @empty_matrix() {
  %operand = stablehlo.constant dense<> : tensor<2x0xi32>
  %value = stablehlo.constant dense<5> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [0, 1], high = [0, 1], interior = [1, 1] : (tensor<2x0xi32>, tensor<i32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<5> : tensor<3x2xi32>
  return
}

// -----

// Size 0 stays.
func.func @empty_stays() {
  %operand = stablehlo.constant dense<> : tensor<0x2xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [0, 0], high = [0, 0], interior = [2, 1] : (tensor<0x2xi32>, tensor<i32>) -> tensor<0x3xi32>
  check.expect_eq_const %result, dense<> : tensor<0x3xi32>
  return
}

// -----

// One element has nothing between.
func.func @single_interior() {
  %operand = stablehlo.constant dense<[1]> : tensor<1xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [0], high = [0], interior = [3] : (tensor<1xi32>, tensor<i32>) -> tensor<1xi32>
  check.expect_eq_const %result, dense<[1]> : tensor<1xi32>
  return
}

// -----

// i1.
func.func @i1() {
  %operand = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %value = stablehlo.constant dense<false> : tensor<i1>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xi1>, tensor<i1>) -> tensor<6xi1>
  check.expect_eq_const %result, dense<[false, true, false, false, false, true]> : tensor<6xi1>
  return
}

// -----

// i2.
func.func @i2() {
  %operand = stablehlo.constant dense<[1, -2, 1]> : tensor<3xi2>
  %value = stablehlo.constant dense<-2> : tensor<i2>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xi2>, tensor<i2>) -> tensor<6xi2>
  check.expect_eq_const %result, dense<[-2, 1, -2, -2, -2, 1]> : tensor<6xi2>
  return
}

// -----

// ui2.
func.func @ui2() {
  %operand = stablehlo.constant dense<[3, 0, 2]> : tensor<3xui2>
  %value = stablehlo.constant dense<0> : tensor<ui2>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xui2>, tensor<ui2>) -> tensor<6xui2>
  check.expect_eq_const %result, dense<[0, 3, 0, 0, 0, 2]> : tensor<6xui2>
  return
}

// -----

// i4.
func.func @i4() {
  %operand = stablehlo.constant dense<[7, -8, 0]> : tensor<3xi4>
  %value = stablehlo.constant dense<-8> : tensor<i4>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xi4>, tensor<i4>) -> tensor<6xi4>
  check.expect_eq_const %result, dense<[-8, 7, -8, -8, -8, 0]> : tensor<6xi4>
  return
}

// -----

// ui4.
func.func @ui4() {
  %operand = stablehlo.constant dense<[15, 0, 2]> : tensor<3xui4>
  %value = stablehlo.constant dense<0> : tensor<ui4>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xui4>, tensor<ui4>) -> tensor<6xui4>
  check.expect_eq_const %result, dense<[0, 15, 0, 0, 0, 2]> : tensor<6xui4>
  return
}

// -----

// i8.
func.func @i8() {
  %operand = stablehlo.constant dense<[127, -128, 2]> : tensor<3xi8>
  %value = stablehlo.constant dense<-128> : tensor<i8>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xi8>, tensor<i8>) -> tensor<6xi8>
  check.expect_eq_const %result, dense<[-128, 127, -128, -128, -128, 2]> : tensor<6xi8>
  return
}

// -----

// ui8.
func.func @ui8() {
  %operand = stablehlo.constant dense<[255, 0, 2]> : tensor<3xui8>
  %value = stablehlo.constant dense<0> : tensor<ui8>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xui8>, tensor<ui8>) -> tensor<6xui8>
  check.expect_eq_const %result, dense<[0, 255, 0, 0, 0, 2]> : tensor<6xui8>
  return
}

// -----

// i16.
func.func @i16() {
  %operand = stablehlo.constant dense<[32767, -32768, 2]> : tensor<3xi16>
  %value = stablehlo.constant dense<-32768> : tensor<i16>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xi16>, tensor<i16>) -> tensor<6xi16>
  check.expect_eq_const %result, dense<[-32768, 32767, -32768, -32768, -32768, 2]> : tensor<6xi16>
  return
}

// -----

// ui16.
func.func @ui16() {
  %operand = stablehlo.constant dense<[65535, 0, 2]> : tensor<3xui16>
  %value = stablehlo.constant dense<0> : tensor<ui16>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xui16>, tensor<ui16>) -> tensor<6xui16>
  check.expect_eq_const %result, dense<[0, 65535, 0, 0, 0, 2]> : tensor<6xui16>
  return
}

// -----

// i32.
func.func @i32() {
  %operand = stablehlo.constant dense<[2147483647, -2147483648, 2]> : tensor<3xi32>
  %value = stablehlo.constant dense<-2147483648> : tensor<i32>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xi32>, tensor<i32>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[-2147483648, 2147483647, -2147483648, -2147483648, -2147483648, 2]> : tensor<6xi32>
  return
}

// -----

// ui32.
func.func @ui32() {
  %operand = stablehlo.constant dense<[4294967295, 0, 2]> : tensor<3xui32>
  %value = stablehlo.constant dense<0> : tensor<ui32>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xui32>, tensor<ui32>) -> tensor<6xui32>
  check.expect_eq_const %result, dense<[0, 4294967295, 0, 0, 0, 2]> : tensor<6xui32>
  return
}

// -----

// i64.
func.func @i64() {
  %operand = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, 2]> : tensor<3xi64>
  %value = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xi64>, tensor<i64>) -> tensor<6xi64>
  check.expect_eq_const %result, dense<[-9223372036854775808, 9223372036854775807, -9223372036854775808, -9223372036854775808, -9223372036854775808, 2]> : tensor<6xi64>
  return
}

// -----

// ui64.
func.func @ui64() {
  %operand = stablehlo.constant dense<[18446744073709551615, 0, 2]> : tensor<3xui64>
  %value = stablehlo.constant dense<0> : tensor<ui64>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xui64>, tensor<ui64>) -> tensor<6xui64>
  check.expect_eq_const %result, dense<[0, 18446744073709551615, 0, 0, 0, 2]> : tensor<6xui64>
  return
}

// -----

// f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf16>
  %value = stablehlo.constant dense<-0.75> : tensor<f16>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf16>, tensor<f16>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[-0.75, 0.5, -0.75, -0.75, -0.75, 1.0]> : tensor<6xf16>
  return
}

// -----

// bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xbf16>
  %value = stablehlo.constant dense<-0.75> : tensor<bf16>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xbf16>, tensor<bf16>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[-0.75, 0.5, -0.75, -0.75, -0.75, 1.0]> : tensor<6xbf16>
  return
}

// -----

// f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf32>
  %value = stablehlo.constant dense<-0.75> : tensor<f32>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[-0.75, 0.5, -0.75, -0.75, -0.75, 1.0]> : tensor<6xf32>
  return
}

// -----

// f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf64>
  %value = stablehlo.constant dense<-0.75> : tensor<f64>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf64>, tensor<f64>) -> tensor<6xf64>
  check.expect_eq_const %result, dense<[-0.75, 0.5, -0.75, -0.75, -0.75, 1.0]> : tensor<6xf64>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf8E4M3FN>
  %value = stablehlo.constant dense<-0.75> : tensor<f8E4M3FN>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<6xf8E4M3FN>
  check.expect_eq_const %result, dense<[-0.75, 0.5, -0.75, -0.75, -0.75, 1.0]> : tensor<6xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0]> : tensor<3xf8E5M2>
  %value = stablehlo.constant dense<-0.8> : tensor<f8E5M2>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf8E5M2>, tensor<f8E5M2>) -> tensor<6xf8E5M2>
  check.expect_eq_const %result, dense<[-0.8, 0.5, -0.8, -0.8, -0.8, 1.0]> : tensor<6xf8E5M2>
  return
}

// -----

// f8E4M3FNUZ.
func.func @f8E4M3FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf8E4M3FNUZ>
  %value = stablehlo.constant dense<-0.75> : tensor<f8E4M3FNUZ>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<6xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[-0.75, 0.5, -0.75, -0.75, -0.75, 1.0]> : tensor<6xf8E4M3FNUZ>
  return
}

// -----

// f8E5M2FNUZ.
func.func @f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0]> : tensor<3xf8E5M2FNUZ>
  %value = stablehlo.constant dense<-0.8> : tensor<f8E5M2FNUZ>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf8E5M2FNUZ>, tensor<f8E5M2FNUZ>) -> tensor<6xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[-0.8, 0.5, -0.8, -0.8, -0.8, 1.0]> : tensor<6xf8E5M2FNUZ>
  return
}

// -----

// f8E4M3B11FNUZ.
func.func @f8E4M3B11FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf8E4M3B11FNUZ>
  %value = stablehlo.constant dense<-0.75> : tensor<f8E4M3B11FNUZ>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf8E4M3B11FNUZ>, tensor<f8E4M3B11FNUZ>) -> tensor<6xf8E4M3B11FNUZ>
  check.expect_eq_const %result, dense<[-0.75, 0.5, -0.75, -0.75, -0.75, 1.0]> : tensor<6xf8E4M3B11FNUZ>
  return
}

// -----

// f8E3M4.
func.func @f8E3M4() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf8E3M4>
  %value = stablehlo.constant dense<-0.75> : tensor<f8E3M4>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf8E3M4>, tensor<f8E3M4>) -> tensor<6xf8E3M4>
  check.expect_eq_const %result, dense<[-0.75, 0.5, -0.75, -0.75, -0.75, 1.0]> : tensor<6xf8E3M4>
  return
}

// -----

// f8E4M3.
func.func @f8E4M3() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0]> : tensor<3xf8E4M3>
  %value = stablehlo.constant dense<-0.75> : tensor<f8E4M3>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf8E4M3>, tensor<f8E4M3>) -> tensor<6xf8E4M3>
  check.expect_eq_const %result, dense<[-0.75, 0.5, -0.75, -0.75, -0.75, 1.0]> : tensor<6xf8E4M3>
  return
}

// -----

// f8E8M0FNU.
func.func @f8E8M0FNU() {
  %operand = stablehlo.constant dense<[0.5, 1.0, 2.0]> : tensor<3xf8E8M0FNU>
  %value = stablehlo.constant dense<1.0> : tensor<f8E8M0FNU>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<6xf8E8M0FNU>
  check.expect_eq_const %result, dense<[1.0, 0.5, 1.0, 1.0, 1.0, 2.0]> : tensor<6xf8E8M0FNU>
  return
}

// -----

// f6E2M3FN.
func.func @f6E2M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0]> : tensor<3xf6E2M3FN>
  %value = stablehlo.constant dense<-0.8> : tensor<f6E2M3FN>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf6E2M3FN>, tensor<f6E2M3FN>) -> tensor<6xf6E2M3FN>
  check.expect_eq_const %result, dense<[-0.8, 0.5, -0.8, -0.8, -0.8, 1.0]> : tensor<6xf6E2M3FN>
  return
}

// -----

// f6E3M2FN.
func.func @f6E3M2FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0]> : tensor<3xf6E3M2FN>
  %value = stablehlo.constant dense<-0.8> : tensor<f6E3M2FN>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf6E3M2FN>, tensor<f6E3M2FN>) -> tensor<6xf6E3M2FN>
  check.expect_eq_const %result, dense<[-0.8, 0.5, -0.8, -0.8, -0.8, 1.0]> : tensor<6xf6E3M2FN>
  return
}

// -----

// f4E2M1FN.
func.func @f4E2M1FN() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 1.0]> : tensor<3xf4E2M1FN>
  %value = stablehlo.constant dense<-1.0> : tensor<f4E2M1FN>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xf4E2M1FN>, tensor<f4E2M1FN>) -> tensor<6xf4E2M1FN>
  check.expect_eq_const %result, dense<[-1.0, 0.5, -1.0, -1.0, -1.0, 1.0]> : tensor<6xf4E2M1FN>
  return
}

// -----

// complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5)]> : tensor<3xcomplex<f32>>
  %value = stablehlo.constant dense<(2.0, -1.5)> : tensor<complex<f32>>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_eq_const %result, dense<[(2.0, -1.5), (1.0, -0.5), (2.0, -1.5), (2.0, -1.5), (2.0, -1.5), (3.0, -2.5)]> : tensor<6xcomplex<f32>>
  return
}

// -----

// complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5)]> : tensor<3xcomplex<f64>>
  %value = stablehlo.constant dense<(2.0, -1.5)> : tensor<complex<f64>>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<3xcomplex<f64>>, tensor<complex<f64>>) -> tensor<6xcomplex<f64>>
  check.expect_eq_const %result, dense<[(2.0, -1.5), (1.0, -0.5), (2.0, -1.5), (2.0, -1.5), (2.0, -1.5), (3.0, -2.5)]> : tensor<6xcomplex<f64>>
  return
}

// -----

// A padding value of NaN; infinities inside.
func.func @f32_nan() {
  %operand = stablehlo.constant dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  %value = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %result = stablehlo.pad %operand, %value, low = [1], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7F800000, 0x7FC00000, 0xFF800000]> : tensor<4xf32>
  return
}
