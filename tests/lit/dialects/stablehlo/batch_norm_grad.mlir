// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `batch_norm_grad`: gradients of `batch_norm_training`.

// Example of the specification.
func.func @specification() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %mean = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %variance = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %grad_output = stablehlo.constant dense<0.1> : tensor<2x2x2xf64>
  %results:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2x2x2xf64>) -> (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>)
  check.expect_almost_eq_const %results#0, dense<[
      [[0.0, -0.2], [-0.2, -0.6000000000000001]],
      [[-0.2, -0.6000000000000001], [0.0, -0.2]]
    ]> : tensor<2x2x2xf64>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#1, dense<[0.4, 0.8]> : tensor<2xf64>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#2, dense<[0.4, 0.4]> : tensor<2xf64>, tolerance = 1.0e-05
  return
}

// Features along the first dimension, with an epsilon, gradients that differ.
func.func @first_feature() {
  %operand = stablehlo.constant dense<[[0.0, 1.0, 5.0], [3.0, 3.0, 4.0]]> : tensor<2x3xf32>
  %scale = stablehlo.constant dense<[2.0, -1.0]> : tensor<2xf32>
  %mean = stablehlo.constant dense<[2.0, 3.25]> : tensor<2xf32>
  %variance = stablehlo.constant dense<[4.0, 0.5]> : tensor<2xf32>
  %grad_output = stablehlo.constant dense<[[1.0, 0.0, -1.0], [0.5, 2.0, 0.0]]> : tensor<2x3xf32>
  %results:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) <{epsilon = 0.5 : f32, feature_index = 0 : i64}> : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_almost_eq_const %results#0, dense<[[0.24443197, -0.34918854, 0.10475656], [0.38541666, -1.1145834, 0.6770833]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#1, dense<[-2.3570225, -0.625]> : tensor<2xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#2, dense<[0.0, 2.5]> : tensor<2xf32>, tolerance = 1.0e-05
  return
}

// Features in the middle.
func.func @middle_feature() {
  %operand = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]]]> : tensor<2x3x2xf32>
  %scale = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %mean = stablehlo.constant dense<[3.5, 5.5, 7.5]> : tensor<3xf32>
  %variance = stablehlo.constant dense<9.25> : tensor<3xf32>
  %grad_output = stablehlo.constant dense<[
      [[1.5, 0.5], [0.0, -1.0], [-0.75, -2.0]],
      [[-1.75, -2.0], [-1.5, 1.25], [0.75, 1.75]]
    ]> : tensor<2x3x2xf32>
  %results:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) <{epsilon = 1.0 : f32, feature_index = 1 : i64}> : (tensor<2x3x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x2xf32>) -> (tensor<2x3x2xf32>, tensor<3xf32>, tensor<3xf32>)
  check.expect_almost_eq_const %results#0, dense<[
      [[0.12855767, -0.047613952], [0.36186603, -0.31044295], [0.6056495, -0.9227584]],
      [[-0.06951637, -0.0114273485], [-0.8608602, 0.80943716], [-0.1314145, 0.44852343]]
    ]> : tensor<2x3x2xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#1, dense<[-5.583212, 0.976086, 4.88043]> : tensor<3xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#2, dense<[-1.75, -1.25, -0.25]> : tensor<3xf32>, tolerance = 1.0e-05
  return
}

// No gradient.
func.func @zero_gradient() {
  %operand = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %scale = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %mean = stablehlo.constant dense<[1.5]> : tensor<1xf32>
  %variance = stablehlo.constant dense<[0.25]> : tensor<1xf32>
  %grad_output = stablehlo.constant dense<[[0.0], [0.0]]> : tensor<2x1xf32>
  %results:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32>)
  check.expect_almost_eq_const %results#0, dense<[[0.0], [0.0]]> : tensor<2x1xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#1, dense<[0.0]> : tensor<1xf32>, tolerance = 1.0e-05
  check.expect_almost_eq_const %results#2, dense<[0.0]> : tensor<1xf32>, tolerance = 1.0e-05
  return
}

// Half precision.
func.func @f16() {
  %operand = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf16>
  %scale = stablehlo.constant dense<[1.0]> : tensor<1xf16>
  %mean = stablehlo.constant dense<[1.5]> : tensor<1xf16>
  %variance = stablehlo.constant dense<[0.25]> : tensor<1xf16>
  %grad_output = stablehlo.constant dense<[[1.0], [-1.0]]> : tensor<2x1xf16>
  %results:3 = "stablehlo.batch_norm_grad"(%operand, %scale, %mean, %variance, %grad_output) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x1xf16>, tensor<1xf16>, tensor<1xf16>, tensor<1xf16>, tensor<2x1xf16>) -> (tensor<2x1xf16>, tensor<1xf16>, tensor<1xf16>)
  check.expect_almost_eq_const %results#0, dense<[[0.0], [0.0]]> : tensor<2x1xf16>, tolerance = 0.01
  check.expect_almost_eq_const %results#1, dense<[-2.0]> : tensor<1xf16>, tolerance = 0.01
  check.expect_almost_eq_const %results#2, dense<[0.0]> : tensor<1xf16>, tolerance = 0.01
  return
}
