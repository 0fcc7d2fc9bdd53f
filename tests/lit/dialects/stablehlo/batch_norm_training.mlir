// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `batch_norm_training`: normalised by mean and variance of the batch, which are results, too.

// Example of the specification.
func.func @specification() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %offset = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %results:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %results#0, dense<[[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#1, dense<[2.0, 3.0]> : tensor<2xf64>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#2, dense<[1.0, 1.0]> : tensor<2xf64>, tolerance = 1.0e-05
  return
}

// Features along the first dimension, with an epsilon.
func.func @first_feature() {
  %operand = stablehlo.constant dense<[[0.0, 1.0, 5.0], [3.0, 3.0, 3.0]]> : tensor<2x3xf32>
  %scale = stablehlo.constant dense<[2.0, -1.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[0.0, 10.0]> : tensor<2xf32>
  %results:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 0.5 : f32, feature_index = 0 : i64}> : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %results#0, dense<[[-1.7597654, -0.8798827, 2.639648], [10.0, 10.0, 10.0]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#1, dense<[2.0, 3.0]> : tensor<2xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#2, dense<[4.6666665, 0.0]> : tensor<2xf32>, tolerance = 1.0e-05
  return
}

// Features in the middle.
func.func @middle_feature() {
  %operand = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]]]> : tensor<2x3x2xf32>
  %scale = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %offset = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf32>
  %results:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 1.0 : f32, feature_index = 1 : i64}> : (tensor<2x3x2xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x2xf32>, tensor<3xf32>, tensor<3xf32>)
  check.expect_almost_eq_const %results#0, dense<[
      [[-1.0932163, -0.7808688], [-1.1864327, -0.5617376], [-4.279649, -3.3426065]],
      [[0.7808688, 1.0932163], [2.5617375, 3.1864326], [1.3426064, 2.279649]]
    ]> : tensor<2x3x2xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#1, dense<[3.5, 5.5, 7.5]> : tensor<3xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#2, dense<9.25> : tensor<3xf32>, tolerance = 1.0e-05
  return
}

// Images with features last.
func.func @four_dimensions() {
  %operand = stablehlo.constant dense<[
      [[[1.5, 0.5], [0.0, -1.0]], [[-0.75, -2.0], [-1.75, -2.0]]],
      [[[-1.5, 1.25], [0.75, 1.75]], [[0.0, 0.5], [2.0, 1.0]]]
    ]> : tensor<2x2x2x2xf32>
  %scale = stablehlo.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[0.0, -1.0]> : tensor<2xf32>
  %results:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 0.001 : f32, feature_index = 3 : i64}> : (tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %results#0, dense<[
      [
        [[1.1662768, -0.81822985], [-0.0248144, -1.3635403]],
        [[-0.62036, -1.7270805], [-1.4144208, -1.7270805]]
      ],
      [
        [[-1.2159055, -0.5455747], [0.5707312, -0.36380458]],
        [[-0.0248144, -0.81822985], [1.5633072, -0.63645977]]
      ]
    ]> : tensor<2x2x2x2xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#1, dense<[0.03125, 0.0]> : tensor<2xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#2, dense<[1.5849609, 1.890625]> : tensor<2xf32>, tolerance = 1.0e-05
  return
}

// A single element a feature: its variance is 0.
func.func @one_element() {
  %operand = stablehlo.constant dense<[[5.0, -3.0]]> : tensor<1x2xf32>
  %scale = stablehlo.constant dense<[2.0, 2.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %results:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 0.25 : f32, feature_index = 1 : i64}> : (tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %results#0, dense<[[1.0, -1.0]]> : tensor<1x2xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#1, dense<[5.0, -3.0]> : tensor<2xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#2, dense<[0.0, 0.0]> : tensor<2xf32>, tolerance = 1.0e-05
  return
}

// A mean that is large against the variance.
func.func @large_mean() {
  %operand = stablehlo.constant dense<[[10000.0], [10001.0], [10002.0], [10003.0]]> : tensor<4x1xf32>
  %scale = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %offset = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  %results:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<4x1xf32>, tensor<1xf32>, tensor<1xf32>)
  check.expect_almost_eq_const %results#0, dense<[[-1.3416408], [-0.4472136], [0.4472136], [1.3416408]]> : tensor<4x1xf32>, tolerance = 0.001
  check.expect_almost_eq_const %results#1, dense<[10001.5]> : tensor<1xf32>, tolerance = 0.001
  check.expect_almost_eq_const %results#2, dense<[1.25]> : tensor<1xf32>, tolerance = 0.001
  return
}

// A vector: each element is a feature.
func.func @vector() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %scale = stablehlo.constant dense<1.0> : tensor<3xf32>
  %offset = stablehlo.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %results:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 1.0 : f32, feature_index = 0 : i64}> : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  check.expect_almost_eq_const %results#0, dense<[4.0, 5.0, 6.0]> : tensor<3xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#1, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#2, dense<0.0> : tensor<3xf32>, tolerance = 1.0e-05
  return
}

// Narrow floats.
func.func @bf16() {
  %operand = stablehlo.constant dense<[[1.0], [3.0]]> : tensor<2x1xbf16>
  %scale = stablehlo.constant dense<[2.0]> : tensor<1xbf16>
  %offset = stablehlo.constant dense<[1.0]> : tensor<1xbf16>
  %results:3 = "stablehlo.batch_norm_training"(%operand, %scale, %offset) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x1xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> (tensor<2x1xbf16>, tensor<1xbf16>, tensor<1xbf16>)
  check.expect_almost_eq_const %results#0, dense<[[-1.0], [3.0]]> : tensor<2x1xbf16>, tolerance = 0.01
  check.expect_almost_eq_const %results#1, dense<[2.0]> : tensor<1xbf16>, tolerance = 0.01
  check.expect_almost_eq_const %results#2, dense<[1.0]> : tensor<1xbf16>, tolerance = 0.01
  return
}
