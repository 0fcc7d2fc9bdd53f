// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `dynamic_conv`: a convolution whose padding is a value.

// One zero in front, two behind.
func.func @padding() {
  %lhs = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %rhs = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  %padding = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %result = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) <{
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  }> : (tensor<1x3x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x5x1xf32>
  check.expect_eq_const %result, dense<[[[10.0], [21.0], [32.0], [3.0], [0.0]]]> : tensor<1x5x1xf32>
  return
}

// Negative padding removes elements.
func.func @negative_padding() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3], [4], [5]]]> : tensor<1x5x1xi32>
  %rhs = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %padding = stablehlo.constant dense<[[-1, -1]]> : tensor<1x2xi64>
  %result = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) <{
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  }> : (tensor<1x5x1xi32>, tensor<2x1x1xi32>, tensor<1x2xi64>) -> tensor<1x2x1xi32>
  check.expect_eq_const %result, dense<[[[32], [43]]]> : tensor<1x2x1xi32>
  return
}

// Strides, dilations and a reversal: the dilated lhs is 0 1 0 2 0 3, and windows start at 0 and 3.
func.func @attributes() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi32>
  %rhs = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %padding = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi64>
  %result = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) <{
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 3>, lhs_dilation = array<i64: 2>, rhs_dilation = array<i64: 2>, window_reversal = array<i1: true>
  }> : (tensor<1x3x1xi32>, tensor<2x1x1xi32>, tensor<1x2xi64>) -> tensor<1x2x1xi32>
  check.expect_eq_const %result, dense<[[[0], [23]]]> : tensor<1x2x1xi32>
  return
}

// The size of the result is known only when the program runs.
func.func @dynamic_result() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi32>
  %rhs = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %padding = stablehlo.constant dense<[[0, 1]]> : tensor<1x2xi32>
  %result = "stablehlo.dynamic_conv"(%lhs, %rhs, %padding) <{
    dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
    feature_group_count = 1 : i64, batch_group_count = 1 : i64
  }> : (tensor<1x3x1xi32>, tensor<2x1x1xi32>, tensor<1x2xi32>) -> tensor<1x?x1xi32>
  %size = stablehlo.get_dimension_size %result, dim = 1 : (tensor<1x?x1xi32>) -> tensor<i32>
  check.expect_eq_const %size, dense<3> : tensor<i32>
  %shape = stablehlo.constant dense<[1, 3, 1]> : tensor<3xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<1x?x1xi32>, tensor<3xi64>) -> tensor<1x3x1xi32>
  check.expect_eq_const %static, dense<[[[21], [32], [3]]]> : tensor<1x3x1xi32>
  return
}
