// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// The `chlo.broadcast_*` ops: as the StableHLO ops on operands broadcast to one shape, aligned at the end.

// A row and a matrix.
func.func @add_row() {
  %lhs = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %rhs = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %result = chlo.broadcast_add %lhs, %rhs : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[10, 21, 32], [13, 24, 35]]> : tensor<2x3xi32>
  return
}

// A column and a row.
func.func @add_column_and_row() {
  %lhs = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %rhs = stablehlo.constant dense<[[10, 20, 30]]> : tensor<1x3xi32>
  %result = chlo.broadcast_add %lhs, %rhs : (tensor<2x1xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[11, 21, 31], [12, 22, 32]]> : tensor<2x3xi32>
  return
}

// `broadcast_dimensions` places the operand of lower rank.
func.func @add_by_dimensions() {
  %lhs = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %rhs = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %result = chlo.broadcast_add %lhs, %rhs {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[10, 11, 12], [23, 24, 25]]> : tensor<2x3xi32>
  return
}

// A scalar.
func.func @add_scalar() {
  %lhs = stablehlo.constant dense<1.0> : tensor<f32>
  %rhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %result = chlo.broadcast_add %lhs, %rhs : (tensor<f32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[2.0, 3.0], [4.0, 5.0]]> : tensor<2x2xf32>
  return
}

// Nothing to add.
func.func @add_empty() {
  %lhs = stablehlo.constant dense<> : tensor<0x3xf32>
  %rhs = stablehlo.constant dense<0.0> : tensor<1x3xf32>
  %result = chlo.broadcast_add %lhs, %rhs : (tensor<0x3xf32>, tensor<1x3xf32>) -> tensor<0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<0x3xf32>
  return
}

// `chlo.broadcast_subtract`.
func.func @subtract() {
  %lhs = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %rhs = stablehlo.constant dense<[[10], [20]]> : tensor<2x1xi32>
  %result = chlo.broadcast_subtract %lhs, %rhs : (tensor<2xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[-9, -8], [-19, -18]]> : tensor<2x2xi32>
  return
}

// `chlo.broadcast_multiply`.
func.func @multiply() {
  %lhs = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[[0.5], [3.0]]> : tensor<2x1xf32>
  %result = chlo.broadcast_multiply %lhs, %rhs : (tensor<2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[0.5, 1.0], [3.0, 6.0]]> : tensor<2x2xf32>
  return
}

// `chlo.broadcast_divide`.
func.func @divide() {
  %lhs = stablehlo.constant dense<[7, -7]> : tensor<2xi32>
  %rhs = stablehlo.constant dense<2> : tensor<i32>
  %result = chlo.broadcast_divide %lhs, %rhs : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[3, -3]> : tensor<2xi32>
  return
}

// `chlo.broadcast_remainder`.
func.func @remainder() {
  %lhs = stablehlo.constant dense<[7, -7]> : tensor<2xi32>
  %rhs = stablehlo.constant dense<4> : tensor<i32>
  %result = chlo.broadcast_remainder %lhs, %rhs : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[3, -3]> : tensor<2xi32>
  return
}

// `chlo.broadcast_maximum`.
func.func @maximum() {
  %lhs = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<0.0> : tensor<f32>
  %result = chlo.broadcast_maximum %lhs, %rhs : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[1.0, 0.0]> : tensor<2xf32>
  return
}

// `chlo.broadcast_minimum`.
func.func @minimum() {
  %lhs = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<0.0> : tensor<f32>
  %result = chlo.broadcast_minimum %lhs, %rhs : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[0.0, -2.0]> : tensor<2xf32>
  return
}

// `chlo.broadcast_power`.
func.func @power() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<2.0> : tensor<f32>
  %result = chlo.broadcast_power %lhs, %rhs : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_almost_eq_const %result, dense<[1.0, 4.0, 9.0]> : tensor<3xf32>, tolerance = 1.0e-05
  return
}

// `chlo.broadcast_atan2`.
func.func @atan2() {
  %lhs = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<f32>
  %result = chlo.broadcast_atan2 %lhs, %rhs : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_almost_eq_const %result, dense<[0.7853982, -0.7853982]> : tensor<2xf32>, tolerance = 1.0e-06
  return
}

// `chlo.broadcast_and`.
func.func @and() {
  %lhs = stablehlo.constant dense<[1, 6, 7]> : tensor<3xi32>
  %rhs = stablehlo.constant dense<3> : tensor<i32>
  %result = chlo.broadcast_and %lhs, %rhs : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 2, 3]> : tensor<3xi32>
  return
}

// `chlo.broadcast_or`.
func.func @or() {
  %lhs = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %rhs = stablehlo.constant dense<[[false], [true]]> : tensor<2x1xi1>
  %result = chlo.broadcast_or %lhs, %rhs : (tensor<2xi1>, tensor<2x1xi1>) -> tensor<2x2xi1>
  check.expect_eq_const %result, dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  return
}

// `chlo.broadcast_xor`.
func.func @xor() {
  %lhs = stablehlo.constant dense<[255, 1]> : tensor<2xui8>
  %rhs = stablehlo.constant dense<3> : tensor<ui8>
  %result = chlo.broadcast_xor %lhs, %rhs : (tensor<2xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<[252, 2]> : tensor<2xui8>
  return
}

// `chlo.broadcast_shift_left`.
func.func @shift_left() {
  %lhs = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %rhs = stablehlo.constant dense<4> : tensor<i32>
  %result = chlo.broadcast_shift_left %lhs, %rhs : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[16, 48]> : tensor<2xi32>
  return
}

// `chlo.broadcast_shift_right_arithmetic`.
func.func @shift_right_arithmetic() {
  %lhs = stablehlo.constant dense<[-16, 16]> : tensor<2xi32>
  %rhs = stablehlo.constant dense<2> : tensor<i32>
  %result = chlo.broadcast_shift_right_arithmetic %lhs, %rhs : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[-4, 4]> : tensor<2xi32>
  return
}

// `chlo.broadcast_shift_right_logical`.
func.func @shift_right_logical() {
  %lhs = stablehlo.constant dense<[-16, 16]> : tensor<2xi8>
  %rhs = stablehlo.constant dense<2> : tensor<i8>
  %result = chlo.broadcast_shift_right_logical %lhs, %rhs : (tensor<2xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %result, dense<[60, 4]> : tensor<2xi8>
  return
}

// `chlo.broadcast_next_after`.
func.func @next_after() {
  %lhs = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<0.0> : tensor<f32>
  %result = chlo.broadcast_next_after %lhs, %rhs : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[0.99999994, -0.99999994]> : tensor<2xf32>
  return
}

// `chlo.broadcast_polygamma`.
func.func @polygamma() {
  %lhs = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf64>
  %rhs = stablehlo.constant dense<2.5> : tensor<f64>
  %result = chlo.broadcast_polygamma %lhs, %rhs : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0.7031566406452432, 0.4903577561002349]> : tensor<2xf64>, tolerance = 1.0e-08
  return
}

// `chlo.broadcast_zeta`.
func.func @zeta() {
  %lhs = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %rhs = stablehlo.constant dense<1.5> : tensor<f64>
  %result = chlo.broadcast_zeta %lhs, %rhs : (tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_almost_eq_const %result, dense<[0.9348022005446793, 0.41439832211716005]> : tensor<2xf64>, tolerance = 1.0e-08
  return
}

// `chlo.broadcast_complex`.
func.func @complex() {
  %lhs = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<3.0> : tensor<f32>
  %result = chlo.broadcast_complex %lhs, %rhs : (tensor<2xf32>, tensor<f32>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 3.0), (2.0, 3.0)]> : tensor<2xcomplex<f32>>
  return
}

// `chlo.broadcast_compare`.
func.func @compare() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<2.0> : tensor<f32>
  %result = chlo.broadcast_compare %lhs, %rhs {comparison_direction = #chlo<comparison_direction GE>} : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[false, true, false]> : tensor<3xi1>
  return
}

// Unsigned integers.
func.func @compare_unsigned() {
  %lhs = stablehlo.constant dense<[255, 1]> : tensor<2xui8>
  %rhs = stablehlo.constant dense<2> : tensor<ui8>
  %result = chlo.broadcast_compare %lhs, %rhs {compare_type = #chlo<comparison_type UNSIGNED>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<2xui8>, tensor<ui8>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  return
}

// `chlo.broadcast_select`: all three operands are broadcast.
func.func @select() {
  %p = stablehlo.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<9.0> : tensor<f32>
  %result = chlo.broadcast_select %p, %a, %b : (tensor<2x1xi1>, tensor<2xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.0, 2.0], [9.0, 9.0]]> : tensor<2x2xf32>
  return
}

// Quantised operands of different scales: 3.0 and [1.0, -2.0] added, stored in halves around 1.
func.func @quantized() {
  %x = stablehlo.constant dense<3.0> : tensor<1xf32>
  %y = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %xq = stablehlo.uniform_quantize %x : (tensor<1xf32>) -> tensor<1x!quant.uniform<i8:f32, 1.0:2>>
  %yq = stablehlo.uniform_quantize %y : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  %sum = chlo.broadcast_add %xq, %yq : (tensor<1x!quant.uniform<i8:f32, 1.0:2>>, tensor<2x!quant.uniform<i8:f32, 0.25>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %sum : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[9, 3]> : tensor<2xi8>
  return
}
