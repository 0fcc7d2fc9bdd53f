// RUN: xla-run %s --engine reference --split-input-file

// `convolution`: layouts, strides, dilations, padding, reversal and groups.
// These cases run on the reference interpreter only.

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
