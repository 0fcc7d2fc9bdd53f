// RUN: xla-run %s --engine reference --split-input-file

// `dot_general`: every grouping of dimensions, sizes 0 and 1, and every class of element types.
// These cases run on the reference interpreter only.

// Complex numbers are not conjugated: (1 + 2i)^2 + (3 - i)(1 + i) = -3 + 4i + 4 + 2i.
func.func @complex() {
  %lhs = stablehlo.constant dense<[[(1.0, 2.0), (3.0, -1.0)]]> : tensor<1x2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[[(1.0, 2.0)], [(1.0, 1.0)]]> : tensor<2x1xcomplex<f32>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  check.expect_eq_const %result, dense<[[(1.0, 6.0)]]> : tensor<1x1xcomplex<f32>>
  return
}

// Complex numbers of double precision.
func.func @complex_f64() {
  %lhs = stablehlo.constant dense<[[(0.0, 1.0), (2.0, 0.0)], [(3.0, 0.0), (-0.0, -1.0)]]> : tensor<2x2xcomplex<f64>>
  %rhs = stablehlo.constant dense<[[(1.0, 0.0), (0.0, 1.0)], [(-0.0, -1.0), (2.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
  check.expect_eq_const %result, dense<[[(0.0, -1.0), (3.0, 0.0)], [(2.0, 0.0), (0.0, 1.0)]]> : tensor<2x2xcomplex<f64>>
  return
}

// Operands of eight bits.
func.func @f8() {
  %lhs = stablehlo.constant dense<[[1.5, -2.0]]> : tensor<1x2xf8E4M3FN>
  %rhs = stablehlo.constant dense<[[4.0], [0.5]]> : tensor<2x1xf8E4M3FN>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2xf8E4M3FN>, tensor<2x1xf8E4M3FN>) -> tensor<1x1xf32>
  check.expect_eq_const %result, dense<[[5.0]]> : tensor<1x1xf32>
  return
}

// Quantised operands are dequantised, multiplied as real numbers, and the result is quantised:
// [1.0, 1.5] . [2.0, -0.5] = 1.25; with scale 0.25 and zero point 3 that is stored as 8.
func.func @quantized() {
  %lhs = stablehlo.constant dense<[[1.0, 1.5]]> : tensor<1x2xf32>
  %rhs = stablehlo.constant dense<[[2.0], [-0.5]]> : tensor<2x1xf32>
  %lhs_quantized = stablehlo.uniform_quantize %lhs : (tensor<1x2xf32>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5>>
  %rhs_quantized = stablehlo.uniform_quantize %rhs : (tensor<2x1xf32>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5>>
  %product = stablehlo.dot_general %lhs_quantized, %rhs_quantized, contracting_dims = [1] x [0]
      : (tensor<1x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x1x!quant.uniform<i8:f32, 0.5>>)
      -> tensor<1x1x!quant.uniform<i8:f32, 0.25:3>>
  %stored = stablehlo.bitcast_convert %product : (tensor<1x1x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<1x1xi8>
  check.expect_eq_const %stored, dense<[[8]]> : tensor<1x1xi8>
  %real = stablehlo.uniform_dequantize %product : (tensor<1x1x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<1x1xf32>
  check.expect_eq_const %real, dense<[[1.25]]> : tensor<1x1xf32>
  return
}
