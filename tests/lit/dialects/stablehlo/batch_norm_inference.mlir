// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `batch_norm_inference`: given mean and variance; the result is scale * (x - mean) / sqrt(variance + epsilon) + offset.

// Example of the specification.
func.func @specification() {
  %operand = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]]> : tensor<2x2x2xf64>
  %scale = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %offset = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %mean = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf64>
  %variance = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf64>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<2x2x2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2x2x2xf64>
  check.expect_almost_eq_const %result, dense<[[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]> : tensor<2x2x2xf64>, tolerance = 1.0e-05
  return
}

// Features along the first dimension, with an epsilon.
func.func @first_feature() {
  %operand = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %scale = stablehlo.constant dense<[2.0, -1.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[0.0, 10.0]> : tensor<2xf32>
  %mean = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %variance = stablehlo.constant dense<[0.25, 0.0]> : tensor<2xf32>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) <{epsilon = 0.5 : f32, feature_index = 0 : i64}> : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  check.expect_almost_eq_const %result, dense<[[-2.309401, 0.0, 2.309401], [11.414213, 10.0, 8.585787]]> : tensor<2x3xf32>, tolerance = 1.0e-05
  return
}

// Features in the middle.
func.func @middle_feature() {
  %operand = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [[6.0, 7.0], [8.0, 9.0], [10.0, 11.0]]]> : tensor<2x3x2xf32>
  %scale = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %offset = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf32>
  %mean = stablehlo.constant dense<[3.0, 5.0, 7.0]> : tensor<3xf32>
  %variance = stablehlo.constant dense<[4.0, 1.0, 9.0]> : tensor<3xf32>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x3x2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x2xf32>
  check.expect_almost_eq_const %result, dense<[[[-1.5, -1.0], [-5.0, -3.0], [-4.0, -3.0]], [[1.5, 2.0], [7.0, 9.0], [2.0, 3.0]]]> : tensor<2x3x2xf32>, tolerance = 1.0e-05
  return
}

// Half precision.
func.func @f16() {
  %operand = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf16>
  %scale = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %offset = stablehlo.constant dense<[0.5, 0.0]> : tensor<2xf16>
  %mean = stablehlo.constant dense<[2.0, 3.0]> : tensor<2xf16>
  %variance = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf16>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<2x2xf16>
  check.expect_almost_eq_const %result, dense<[[-0.5, -1.0], [1.5, 1.0]]> : tensor<2x2xf16>, tolerance = 0.001
  return
}

// Narrow floats.
func.func @bf16() {
  %operand = stablehlo.constant dense<[[1.0], [3.0]]> : tensor<2x1xbf16>
  %scale = stablehlo.constant dense<[2.0]> : tensor<1xbf16>
  %offset = stablehlo.constant dense<[1.0]> : tensor<1xbf16>
  %mean = stablehlo.constant dense<[2.0]> : tensor<1xbf16>
  %variance = stablehlo.constant dense<[4.0]> : tensor<1xbf16>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x1xbf16>, tensor<1xbf16>, tensor<1xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<2x1xbf16>
  check.expect_almost_eq_const %result, dense<[[0.0], [2.0]]> : tensor<2x1xbf16>, tolerance = 0.01
  return
}

// An empty batch.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0x2xf32>
  %scale = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[0.0, 0.0]> : tensor<2xf32>
  %mean = stablehlo.constant dense<[0.0, 0.0]> : tensor<2xf32>
  %variance = stablehlo.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<0x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<0x2xf32>
  check.expect_almost_eq_const %result, dense<> : tensor<0x2xf32>, tolerance = 1.0e-05
  return
}

// A variance of 0 with an epsilon of 0: infinities and NaN.
func.func @zero_variance() {
  %operand = stablehlo.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %scale = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %offset = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  %mean = stablehlo.constant dense<[2.0]> : tensor<1xf32>
  %variance = stablehlo.constant dense<[0.0]> : tensor<1xf32>
  %result = "stablehlo.batch_norm_inference"(%operand, %scale, %offset, %mean, %variance) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<3x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<3x1xf32>
  check.expect_almost_eq_const %result, dense<[[0xFF800000], [0x7FC00000], [0x7F800000]]> : tensor<3x1xf32>, tolerance = 1.0e-05
  return
}
