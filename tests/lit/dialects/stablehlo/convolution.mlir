// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s
// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `convolution`: layouts, strides, dilations, padding, reversal and groups.

// CHECK-LABEL: func.func private @convolution
// CHECK-NEXT: %full = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2], pad = {{\[\[}}1, 0], [0, -1]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x5x6x4xf32>
// CHECK-NEXT: %defaults = stablehlo.convolution(%l, %m) dim_numbers = [b, 0, f]x[0, i, o]->[f, b, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x2xf32>, tensor<3x2x4xf32>) -> tensor<4x1x6xf32>
func.func private @convolution(%x: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %l: tensor<1x8x2xf32>, %m: tensor<3x2x4xf32>) {
  %full = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 2], pad = [[1, 0], [0, -1]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x5x6x4xf32>
  %defaults = stablehlo.convolution(%l, %m) dim_numbers = [b, 0, f]x[0, i, o]->[f, b, 0], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x2xf32>, tensor<3x2x4xf32>) -> tensor<4x1x6xf32>
  return
}

// A window of 2 x 2 over one feature: sums of neighbours.
func.func @window() {
  %lhs = stablehlo.constant dense<[[[[0.0], [1.0], [2.0]], [[3.0], [4.0], [5.0]], [[6.0], [7.0], [8.0]]]]> : tensor<1x3x3x1xf32>
  %rhs = stablehlo.constant dense<1.0> : tensor<2x2x1x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x3x3x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x1xf32>
  check.expect_eq_const %result, dense<[[[[8.0], [12.0]], [[20.0], [24.0]]]]> : tensor<1x2x2x1xf32>
  return
}

// Example of the specification: strides of 4, base dilation of 2.
func.func @specification() {
  %lhs = stablehlo.constant dense<[
      [
        [[1], [2], [5], [6]],
        [[3], [4], [7], [8]],
        [[10], [11], [14], [15]],
        [[12], [13], [16], [17]]
      ]
    ]> : tensor<1x4x4x1xi64>
  %rhs = stablehlo.constant dense<1> : tensor<3x3x1x1xi64>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [4, 4], lhs_dilate = [2, 2]} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x4x4x1xi64>, tensor<3x3x1x1xi64>) -> tensor<1x2x2x1xi64>
  check.expect_eq_const %result, dense<[[[[10], [26]], [[46], [62]]]]> : tensor<1x2x2x1xi64>
  return
}

// Two input and three output features, a batch of two.
func.func @features() {
  %lhs = stablehlo.constant dense<[[[2.0, 3.0], [-4.0, 3.0], [0.0, 0.0]], [[1.0, -2.0], [4.0, -4.0], [-2.0, -1.0]]]> : tensor<2x3x2xf32>
  %rhs = stablehlo.constant dense<[[[0.0, 0.0, 0.0], [-1.0, 2.0, -1.0]], [[1.0, -1.0, 0.0], [2.0, -2.0, 1.0]]]> : tensor<2x2x3xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<2x3x2xf32>, tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
  check.expect_eq_const %result, dense<[[[-1.0, 4.0, 0.0], [-3.0, 6.0, -3.0]], [[-2.0, 0.0, -2.0], [0.0, -4.0, 3.0]]]> : tensor<2x2x3xf32>
  return
}

// Without spatial dimensions a convolution is a matrix product.
func.func @no_spatial_dimensions() {
  %lhs = stablehlo.constant dense<[[2.0, 3.0, -4.0], [3.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %rhs = stablehlo.constant dense<[[0.0, 0.0], [0.0, -1.0], [2.0, -1.0]]> : tensor<3x2xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, f]x[i, o]->[b, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[-8.0, 1.0], [0.0, 0.0]]> : tensor<2x2xf32>
  return
}

// Three spatial dimensions.
func.func @three_spatial_dimensions() {
  %lhs = stablehlo.constant dense<[[[[[2], [3], [-4]], [[3], [0], [0]]], [[[1], [-2], [4]], [[-4], [-2], [-1]]]]]> : tensor<1x2x2x3x1xi32>
  %rhs = stablehlo.constant dense<[[[[[0, 0]], [[0, -1]]], [[[2, -1]], [[1, -1]]]]]> : tensor<1x2x2x1x2xi32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x2x2x3x1xi32>, tensor<1x2x2x1x2xi32>) -> tensor<1x2x1x2x2xi32>
  check.expect_eq_const %result, dense<[[[[[6, -6], [0, 4]]], [[[-10, 8], [-5, -1]]]]]> : tensor<1x2x1x2x2xi32>
  return
}

// Batch and features first, kernels with output features first.
func.func @channels_first() {
  %lhs = stablehlo.constant dense<[
      [
        [[2.0, 3.0, -4.0], [3.0, 0.0, 0.0], [1.0, -2.0, 4.0]],
        [[-4.0, -2.0, -1.0], [1.0, -1.0, -3.0], [-4.0, -4.0, -4.0]]
      ],
      [
        [[-3.0, 4.0, -3.0], [1.0, 2.0, -2.0], [-2.0, -1.0, -2.0]],
        [[4.0, -3.0, 4.0], [3.0, 3.0, -3.0], [-1.0, 1.0, 0.0]]
      ]
    ]> : tensor<2x2x3x3xf32>
  %rhs = stablehlo.constant dense<[
      [[[0.0, 0.0], [0.0, -1.0]], [[2.0, -1.0], [1.0, -1.0]]],
      [[[0.0, 2.0], [-2.0, 1.0]], [[0.0, 1.0], [1.0, -1.0]]],
      [[[1.0, 1.0], [0.0, -2.0]], [[1.0, -2.0], [2.0, 2.0]]]
    ]> : tensor<3x2x2x2xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<2x2x3x3xf32>, tensor<3x2x2x2xf32>) -> tensor<2x3x2x2xf32>
  check.expect_eq_const %result, dense<[
      [
        [[-4.0, -1.0], [5.0, -3.0]],
        [[0.0, -7.0], [-5.0, 5.0]],
        [[5.0, -9.0], [-6.0, -19.0]]
      ],
      [
        [[9.0, -2.0], [2.0, 12.0]],
        [[5.0, -2.0], [8.0, -6.0]],
        [[19.0, -6.0], [2.0, 15.0]]
      ]
    ]> : tensor<2x3x2x2xf32>
  return
}

// Dimensions in unusual places: the batch is last, the second spatial dimension first.
func.func @mixed_layout() {
  %lhs = stablehlo.constant dense<[
      [[[2], [3], [-4], [3]], [[0], [0], [1], [-2]]],
      [[[4], [-4], [-2], [-1]], [[1], [-1], [-3], [-4]]],
      [[[-4], [-4], [-3], [4]], [[-3], [1], [2], [-2]]]
    ]> : tensor<3x2x4x1xi32>
  %rhs = stablehlo.constant dense<[
      [[[0, 0, 0], [-1, 2, -1]], [[1, -1, 0], [2, -2, 1]]],
      [[[0, 1, 1], [-1, 1, 1]], [[0, -2, 1], [-2, 2, 2]]]
    ]> : tensor<2x2x2x3xi32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [1, f, 0, b]x[i, 1, 0, o]->[0, 1, b, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<3x2x4x1xi32>, tensor<2x2x2x3xi32>) -> tensor<3x2x1x3xi32>
  check.expect_eq_const %result, dense<[
      [[[-5, 6, -8]], [[-9, 12, -1]]],
      [[[1, -3, -4]], [[-9, 4, 0]]],
      [[[3, 7, -16]], [[14, -22, -4]]]
    ]> : tensor<3x2x1x3xi32>
  return
}

// Padding adds zeros, a different number on every side.
func.func @padding() {
  %lhs = stablehlo.constant dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>
  %rhs = stablehlo.constant dense<[[[[1.0]], [[10.0]]], [[[100.0]], [[1000.0]]]]> : tensor<2x2x1x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {pad = [[1, 1], [0, 3]]} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x2x2x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x4x1xf32>
  check.expect_eq_const %result, dense<[
      [
        [[2100.0], [200.0], [0.0], [0.0]],
        [[4321.0], [402.0], [0.0], [0.0]],
        [[43.0], [4.0], [0.0], [0.0]]
      ]
    ]> : tensor<1x3x4x1xf32>
  return
}

// Negative padding removes elements.
func.func @negative_padding() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3], [4], [5]]]> : tensor<1x5x1xi32>
  %rhs = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[-1, -1]]} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x5x1xi32>, tensor<2x1x1xi32>) -> tensor<1x2x1xi32>
  check.expect_eq_const %result, dense<[[[32], [43]]]> : tensor<1x2x1xi32>
  return
}

// Strides, different in each dimension; the last column does not fit.
func.func @strides() {
  %lhs = stablehlo.constant dense<[
      [
        [[0], [1], [2], [3], [4], [5]],
        [[6], [7], [8], [9], [10], [11]],
        [[12], [13], [14], [15], [16], [17]]
      ]
    ]> : tensor<1x3x6x1xi32>
  %rhs = stablehlo.constant dense<[[[[1]], [[1]]]]> : tensor<1x2x1x1xi32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [2, 3]} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x3x6x1xi32>, tensor<1x2x1x1xi32>) -> tensor<1x2x2x1xi32>
  check.expect_eq_const %result, dense<[[[[1], [7]], [[25], [31]]]]> : tensor<1x2x2x1xi32>
  return
}

// Zeros between the elements of lhs: a transposed convolution.
func.func @lhs_dilation() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3]]]> : tensor<1x3x1xi32>
  %rhs = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[1, 1]], lhs_dilate = [2]} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x3x1xi32>, tensor<2x1x1xi32>) -> tensor<1x6x1xi32>
  check.expect_eq_const %result, dense<[[[10], [1], [20], [2], [30], [3]]]> : tensor<1x6x1xi32>
  return
}

// A window with holes.
func.func @rhs_dilation() {
  %lhs = stablehlo.constant dense<[[[1], [2], [3], [4], [5]]]> : tensor<1x5x1xi32>
  %rhs = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {rhs_dilate = [3]} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x5x1xi32>, tensor<2x1x1xi32>) -> tensor<1x2x1xi32>
  check.expect_eq_const %result, dense<[[[41], [52]]]> : tensor<1x2x1xi32>
  return
}

// The window is reversed in the second dimension only.
func.func @reversal() {
  %lhs = stablehlo.constant dense<[[[[1], [2], [3]], [[4], [5], [6]]]]> : tensor<1x2x3x1xi32>
  %rhs = stablehlo.constant dense<[[[[1]], [[10]]], [[[100]], [[1000]]]]> : tensor<2x2x1x1xi32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {reverse = [false, true]} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x2x3x1xi32>, tensor<2x2x1x1xi32>) -> tensor<1x1x2x1xi32>
  check.expect_eq_const %result, dense<[[[[4512], [5623]]]]> : tensor<1x1x2x1xi32>
  return
}

// Strides, padding, both dilations and a reversal together.
func.func @everything() {
  %lhs = stablehlo.constant dense<[
      [
        [[2, 3], [-4, 3], [0, 0], [1, -2], [4, -4]],
        [[-2, -1], [1, -1], [-3, -4], [-4, -4], [-3, 4]],
        [[-3, 1], [2, -2], [-2, -1], [-2, 4], [-3, 4]],
        [[3, 3], [-3, -1], [1, 0], [1, 2], [1, -4]]
      ]
    ]> : tensor<1x4x5x2xi32>
  %rhs = stablehlo.constant dense<[
      [[[0, 0], [0, -1]], [[2, -1], [1, -1]], [[0, 2], [-2, 1]]],
      [[[0, 1], [1, -1]], [[1, 1], [0, -2]], [[1, -2], [2, 2]]]
    ]> : tensor<2x3x2x2xi32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [2, 3], pad = [[2, 3], [-1, 2]], lhs_dilate = [3, 2], rhs_dilate = [2, 1], reverse = [true, true]} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x4x5x2xi32>, tensor<2x3x2x2xi32>) -> tensor<1x7x3x2xi32>
  check.expect_eq_const %result, dense<[
      [
        [[-5, 1], [0, 2], [4, 0]],
        [[-4, -10], [-2, 3], [4, 12]],
        [[0, 0], [0, 0], [0, 0]],
        [[2, 0], [2, -9], [-2, -1]],
        [[2, 6], [0, -4], [-3, -11]],
        [[0, 0], [0, 0], [0, 0]],
        [[0, 0], [0, 0], [0, 0]]
      ]
    ]> : tensor<1x7x3x2xi32>
  return
}

// Two groups of features: each half of the outputs sees a half of the inputs.
func.func @feature_groups() {
  %lhs = stablehlo.constant dense<[[[2.0, 3.0, -4.0, 3.0], [0.0, 0.0, 1.0, -2.0], [4.0, -4.0, -2.0, -1.0]]]> : tensor<1x3x4xf32>
  %rhs = stablehlo.constant dense<[
      [[0.0, 0.0, 0.0, -1.0], [2.0, -1.0, 1.0, -1.0]],
      [[0.0, 2.0, -2.0, 1.0], [0.0, 1.0, 1.0, -1.0]]
    ]> : tensor<2x2x4xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 2 : i64
    } : (tensor<1x3x4xf32>, tensor<2x2x4xf32>) -> tensor<1x2x4xf32>
  check.expect_eq_const %result, dense<[[[6.0, -3.0, -1.0, 4.0], [0.0, 4.0, 1.0, 0.0]]]> : tensor<1x2x4xf32>
  return
}

// As many groups as features, two outputs each.
func.func @depthwise() {
  %lhs = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]]]> : tensor<1x3x2xi32>
  %rhs = stablehlo.constant dense<[[[1, 10, 100, 1000]], [[1, 10, 100, 1000]]]> : tensor<2x1x4xi32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 2 : i64
    } : (tensor<1x3x2xi32>, tensor<2x1x4xi32>) -> tensor<1x2x4xi32>
  check.expect_eq_const %result, dense<[[[4, 40, 600, 6000], [8, 80, 1000, 10000]]]> : tensor<1x2x4xi32>
  return
}

// Two groups of the batch: each half of the outputs sees a half of the batch.
func.func @batch_groups() {
  %lhs = stablehlo.constant dense<[
      [[2.0, 3.0], [-4.0, 3.0], [0.0, 0.0]],
      [[1.0, -2.0], [4.0, -4.0], [-2.0, -1.0]],
      [[1.0, -1.0], [-3.0, -4.0], [-4.0, -4.0]],
      [[-3.0, 4.0], [-3.0, 1.0], [2.0, -2.0]]
    ]> : tensor<4x3x2xf32>
  %rhs = stablehlo.constant dense<[
      [[0.0, 0.0, 0.0, -1.0], [2.0, -1.0, 1.0, -1.0]],
      [[0.0, 2.0, -2.0, 1.0], [0.0, 1.0, 1.0, -1.0]]
    ]> : tensor<2x2x4xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 2 : i64,
      feature_group_count = 1 : i64
    } : (tensor<4x3x2xf32>, tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
  check.expect_eq_const %result, dense<[
      [[6.0, -8.0, 1.0, 1.0], [6.0, -3.0, 0.0, 7.0]],
      [[-4.0, 6.0, 11.0, -5.0], [-8.0, -1.0, -5.0, 6.0]]
    ]> : tensor<2x2x4xf32>
  return
}

// The window does not fit: an empty result.
func.func @window_larger_than_input() {
  %lhs = stablehlo.constant dense<[[[2.0], [3.0]]]> : tensor<1x2x1xf32>
  %rhs = stablehlo.constant dense<0.0> : tensor<3x1x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x2x1xf32>, tensor<3x1x1xf32>) -> tensor<1x0x1xf32>
  check.expect_eq_const %result, dense<> : tensor<1x0x1xf32>
  return
}

// An empty batch.
func.func @empty_batch() {
  %lhs = stablehlo.constant dense<> : tensor<0x3x1xf32>
  %rhs = stablehlo.constant dense<[[[0.0]], [[0.0]]]> : tensor<2x1x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<0x3x1xf32>, tensor<2x1x1xf32>) -> tensor<0x2x1xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2x1xf32>
  return
}

// No input features: zeros.
func.func @no_features() {
  %lhs = stablehlo.constant dense<> : tensor<1x3x0xf32>
  %rhs = stablehlo.constant dense<> : tensor<2x0x2xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x3x0xf32>, tensor<2x0x2xf32>) -> tensor<1x2x2xf32>
  check.expect_eq_const %result, dense<0.0> : tensor<1x2x2xf32>
  return
}

// Double precision.
func.func @f64() {
  %lhs = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf64>
  %rhs = stablehlo.constant dense<[[[0.5]], [[0.25]]]> : tensor<2x1x1xf64>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x3x1xf64>, tensor<2x1x1xf64>) -> tensor<1x2x1xf64>
  check.expect_eq_const %result, dense<[[[1.0], [1.75]]]> : tensor<1x2x1xf64>
  return
}

// A wider result: 256 + 1 is exact.
func.func @bf16_to_f32() {
  %lhs = stablehlo.constant dense<[[[256.0], [1.0]]]> : tensor<1x2x1xbf16>
  %rhs = stablehlo.constant dense<[[[1.0]], [[1.0]]]> : tensor<2x1x1xbf16>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x2x1xbf16>, tensor<2x1x1xbf16>) -> tensor<1x1x1xf32>
  check.expect_eq_const %result, dense<[[[257.0]]]> : tensor<1x1x1xf32>
  return
}

// Narrow integers, a wider result.
func.func @i8_to_i32() {
  %lhs = stablehlo.constant dense<[[[-128], [127]]]> : tensor<1x2x1xi8>
  %rhs = stablehlo.constant dense<[[[-128]], [[127]]]> : tensor<2x1x1xi8>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x2x1xi8>, tensor<2x1x1xi8>) -> tensor<1x1x1xi32>
  check.expect_eq_const %result, dense<[[[32513]]]> : tensor<1x1x1xi32>
  return
}

// Complex numbers.
func.func @complex() {
  %lhs = stablehlo.constant dense<[[[(0.0, 1.0)], [(2.0, 0.0)]]]> : tensor<1x2x1xcomplex<f32>>
  %rhs = stablehlo.constant dense<[[[(0.0, 1.0)]], [[(1.0, -1.0)]]]> : tensor<2x1x1xcomplex<f32>>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x2x1xcomplex<f32>>, tensor<2x1x1xcomplex<f32>>) -> tensor<1x1x1xcomplex<f32>>
  check.expect_eq_const %result, dense<[[[(1.0, -2.0)]]]> : tensor<1x1x1xcomplex<f32>>
  return
}

// NaN reaches the results whose window it is in; zeros of the padding times infinity are NaN.
func.func @not_a_number() {
  %lhs = stablehlo.constant dense<[[[1.0], [2.0], [0x7FC00000], [4.0]]]> : tensor<1x4x1xf32>
  %rhs = stablehlo.constant dense<[[[1.0]], [[0x7F800000]]]> : tensor<2x1x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {pad = [[1, 1]]} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x5x1xf32>
  check.expect_eq_const %result, dense<[[[0x7F800000], [0x7F800000], [0x7FC00000], [0x7FC00000], [0x7FC00000]]]> : tensor<1x5x1xf32>
  return
}

// A precision for each operand.
func.func @precision() {
  %lhs = stablehlo.constant dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %rhs = stablehlo.constant dense<[[[3.0]]]> : tensor<1x1x1xf32>
  %result = stablehlo.convolution(%lhs, %rhs)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64,
      precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]
    } : (tensor<1x2x1xf32>, tensor<1x1x1xf32>) -> tensor<1x2x1xf32>
  check.expect_eq_const %result, dense<[[[3.0], [6.0]]]> : tensor<1x2x1xf32>
  return
}

// Quantised operands: (0.5 * 2 + 1.0 * 4) = 5.0, stored in quarters around 0.
func.func @quantized() {
  %lhs = stablehlo.constant dense<[[[0.5], [1.0]]]> : tensor<1x2x1xf32>
  %rhs = stablehlo.constant dense<[[[2.0]], [[4.0]]]> : tensor<2x1x1xf32>
  %lhs_quantized = stablehlo.uniform_quantize %lhs : (tensor<1x2x1xf32>) -> tensor<1x2x1x!quant.uniform<i8:f32, 0.5:1>>
  %rhs_quantized = stablehlo.uniform_quantize %rhs : (tensor<2x1x1xf32>) -> tensor<2x1x1x!quant.uniform<i8:f32, 1.0>>
  %product = stablehlo.convolution(%lhs_quantized, %rhs_quantized)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x2x1x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x1x1x!quant.uniform<i8:f32, 1.0>>) -> tensor<1x1x1x!quant.uniform<i8:f32, 0.25>>
  %stored = stablehlo.bitcast_convert %product : (tensor<1x1x1x!quant.uniform<i8:f32, 0.25>>) -> tensor<1x1x1xi8>
  check.expect_eq_const %stored, dense<[[[20]]]> : tensor<1x1x1xi8>
  return
}

// A quantised kernel around another value than 0: (0.5 * 2 + 1.0 * 4) = 5.0, stored in quarters around 0.
func.func @quantized_around_another_value() {
  %lhs = stablehlo.constant dense<[[[0.5], [1.0]]]> : tensor<1x2x1xf32>
  %rhs = stablehlo.constant dense<[[[2.0]], [[4.0]]]> : tensor<2x1x1xf32>
  %lhs_quantized = stablehlo.uniform_quantize %lhs : (tensor<1x2x1xf32>) -> tensor<1x2x1x!quant.uniform<i8:f32, 0.5:-128>>
  %rhs_quantized = stablehlo.uniform_quantize %rhs : (tensor<2x1x1xf32>) -> tensor<2x1x1x!quant.uniform<i8:f32, 1.0:-128>>
  %product = stablehlo.convolution(%lhs_quantized, %rhs_quantized)
    dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {} {
      batch_group_count = 1 : i64,
      feature_group_count = 1 : i64
    } : (tensor<1x2x1x!quant.uniform<i8:f32, 0.5:-128>>, tensor<2x1x1x!quant.uniform<i8:f32, 1.0:-128>>) -> tensor<1x1x1x!quant.uniform<i32:f32, 0.25>>
  %stored = stablehlo.bitcast_convert %product : (tensor<1x1x1x!quant.uniform<i32:f32, 0.25>>) -> tensor<1x1x1xi32>
  check.expect_eq_const %stored, dense<[[[20]]]> : tensor<1x1x1xi32>
  return
}
