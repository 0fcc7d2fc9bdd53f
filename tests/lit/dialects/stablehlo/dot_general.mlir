// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `dot_general`: every grouping of dimensions, sizes 0 and 1, and every class of element types.

// Example of the specification: one batching and one contracting dimension.
func.func @batch() {
  %lhs = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  %rhs = stablehlo.constant dense<[[[1, 0], [0, 1]], [[1, 0], [0, 1]]]> : tensor<2x2x2xi64>
  %result = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
  check.expect_eq_const %result, dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>
  return
}

// Vectors: the result has rank 0.
func.func @inner_product() {
  %lhs = stablehlo.constant dense<[1.0, -2.0, 3.0, 0.5]> : tensor<4xf32>
  %rhs = stablehlo.constant dense<[2.0, 4.0, -1.0, 8.0]> : tensor<4xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  check.expect_eq_const %result, dense<-5.0> : tensor<f32>
  return
}

// Nothing is contracted: the outer product.
func.func @outer_product() {
  %lhs = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi32>
  %rhs = stablehlo.constant dense<[10, 7]> : tensor<2xi32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [] x [] : (tensor<3xi32>, tensor<2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[10, 7], [-20, -14], [30, 21]]> : tensor<3x2xi32>
  return
}

// Scalars.
func.func @scalars() {
  %lhs = stablehlo.constant dense<1.5> : tensor<f32>
  %rhs = stablehlo.constant dense<-2.0> : tensor<f32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [] x [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %result, dense<-3.0> : tensor<f32>
  return
}

// A scalar on the left scales.
func.func @scalar_times_matrix() {
  %lhs = stablehlo.constant dense<2.0> : tensor<f64>
  %rhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [] x [] : (tensor<f64>, tensor<2x2xf64>) -> tensor<2x2xf64>
  check.expect_eq_const %result, dense<[[2.0, 4.0], [6.0, 8.0]]> : tensor<2x2xf64>
  return
}

// Contraction of the first dimension of lhs with the last one of rhs.
func.func @transposed_operands() {
  %lhs = stablehlo.constant dense<[[0.0, 0.0], [2.0, 4.0], [-4.0, -3.0]]> : tensor<3x2xf32>
  %rhs = stablehlo.constant dense<[[3.0, -2.0, -4.0], [-2.0, -1.0, 3.0], [0.0, -4.0, -1.0], [1.0, 3.0, 2.0]]> : tensor<4x3xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [1] : (tensor<3x2xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %result, dense<[[12.0, -14.0, -4.0, -2.0], [4.0, -13.0, -13.0, 6.0]]> : tensor<2x4xf32>
  return
}

// The batching dimensions are neither first nor in the same place; in the result they are first.
func.func @batch_in_the_middle() {
  %lhs = stablehlo.constant dense<[
      [[0, 0, 2, 4], [-4, -3, 3, 4]],
      [[-2, -2, 3, -1], [-2, 3, -2, -1]],
      [[1, 0, -4, -4], [3, 2, 3, 0]]
    ]> : tensor<3x2x4xi32>
  %rhs = stablehlo.constant dense<[
      [[3, -2], [-4, -2], [-1, 3], [0, -4], [-1, 1]],
      [[3, 2], [4, -3], [3, -4], [1, -2], [-3, 1]],
      [[-2, 1], [-2, -3], [2, -1], [2, 2], [4, -1]],
      [[-3, 1], [4, 4], [3, 2], [-1, -1], [-4, -3]]
    ]> : tensor<4x5x2xi32>
  %result = stablehlo.dot_general %lhs, %rhs, batching_dims = [1] x [2], contracting_dims = [2] x [0] : (tensor<3x2x4xi32>, tensor<4x5x2xi32>) -> tensor<2x3x5xi32>
  check.expect_eq_const %result, dense<[
      [[-16, 12, 16, 0, -8], [-15, -10, -1, 5, 24], [23, -12, -21, -4, -1]],
      [[9, 24, 5, 24, -22], [7, -3, -18, -1, 6], [1, -21, -2, -10, 2]]
    ]> : tensor<2x3x5xi32>
  return
}

// Two batching dimensions in crossed order.
func.func @two_batching_dimensions() {
  %lhs = stablehlo.constant dense<[[[0, 0], [2, 4], [-4, -3]], [[3, 4], [-2, -2], [3, -1]]]> : tensor<2x3x2xi32>
  %rhs = stablehlo.constant dense<[[[3, -2], [-4, -2]], [[-1, 3], [0, -4]], [[-1, 1], [3, 2]]]> : tensor<3x2x2xi32>
  %result = stablehlo.dot_general %lhs, %rhs, batching_dims = [0, 1] x [1, 0], contracting_dims = [2] x [2] : (tensor<2x3x2xi32>, tensor<3x2x2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[0, 10, 1], [-20, 8, 7]]> : tensor<2x3xi32>
  return
}

// Two contracting dimensions in crossed order.
func.func @two_contracting_dimensions() {
  %lhs = stablehlo.constant dense<[[[0.0, 0.0], [2.0, 4.0], [-4.0, -3.0]], [[3.0, 4.0], [-2.0, -2.0], [3.0, -1.0]]]> : tensor<2x3x2xf32>
  %rhs = stablehlo.constant dense<[
      [[3.0, -2.0, -4.0, -2.0], [-1.0, 3.0, 0.0, -4.0], [-1.0, 1.0, 3.0, 2.0]],
      [[4.0, -3.0, 3.0, -4.0], [1.0, -2.0, -3.0, 1.0], [-2.0, 1.0, -2.0, -3.0]]
    ]> : tensor<2x3x4xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1, 2] x [1, 0] : (tensor<2x3x2xf32>, tensor<2x3x4xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %result, dense<[[12.0, -9.0, -18.0, -3.0], [24.0, -18.0, 17.0, -7.0]]> : tensor<2x4xf32>
  return
}

// Several free dimensions keep their order, those of lhs first.
func.func @free_dimensions_on_both_sides() {
  %lhs = stablehlo.constant dense<[[[[0], [0], [2]], [[4], [-4], [-3]]], [[[3], [4], [-2]], [[-2], [3], [-1]]]]> : tensor<2x2x3x1xi32>
  %rhs = stablehlo.constant dense<[[[3, -2], [-4, -2], [-1, 3]], [[0, -4], [-1, 1], [3, 2]]]> : tensor<2x3x2xi32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [2] x [1] : (tensor<2x2x3x1xi32>, tensor<2x3x2xi32>) -> tensor<2x2x1x2x2xi32>
  check.expect_eq_const %result, dense<[
      [[[[-2, 6], [6, 4]]], [[[31, -9], [-5, -26]]]],
      [[[[-5, -20], [-10, -12]]], [[[-17, -5], [-6, 9]]]]
    ]> : tensor<2x2x1x2x2xi32>
  return
}

// Only batching dimensions: a product by elements.
func.func @batch_only() {
  %lhs = stablehlo.constant dense<[[0, 0, 2], [4, -4, -3]]> : tensor<2x3xi32>
  %rhs = stablehlo.constant dense<[[3, -2, -4], [-2, -1, 3]]> : tensor<2x3xi32>
  %result = stablehlo.dot_general %lhs, %rhs, batching_dims = [0, 1] x [0, 1], contracting_dims = [] x [] : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[0, 0, -8], [-8, 4, -9]]> : tensor<2x3xi32>
  return
}

// A contracting dimension of size 0 gives zeros.
func.func @empty_contraction() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %rhs = stablehlo.constant dense<> : tensor<0x3xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %result, dense<0.0> : tensor<2x3xf32>
  return
}

// A free dimension of size 0 gives an empty result.
func.func @empty_result() {
  %lhs = stablehlo.constant dense<> : tensor<0x3xf32>
  %rhs = stablehlo.constant dense<[[3.0, -2.0], [-4.0, -2.0], [-1.0, 3.0]]> : tensor<3x2xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<0x3xf32>, tensor<3x2xf32>) -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}

// A batching dimension of size 0.
func.func @empty_batch() {
  %lhs = stablehlo.constant dense<> : tensor<0x2x3xi32>
  %rhs = stablehlo.constant dense<> : tensor<0x3x2xi32>
  %result = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<0x2x3xi32>, tensor<0x3x2xi32>) -> tensor<0x2x2xi32>
  check.expect_eq_const %result, dense<> : tensor<0x2x2xi32>
  return
}

// Dimensions of size 1 of every kind.
func.func @ones() {
  %lhs = stablehlo.constant dense<[[[3.0]]]> : tensor<1x1x1xf32>
  %rhs = stablehlo.constant dense<[[[-2.0]]]> : tensor<1x1x1xf32>
  %result = stablehlo.dot_general %lhs, %rhs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  check.expect_eq_const %result, dense<[[[-6.0]]]> : tensor<1x1x1xf32>
  return
}

// Integers wrap around: 2 * 100 * 2 = 400 = -112 (mod 256).
func.func @i8_wraps() {
  %lhs = stablehlo.constant dense<[[100, 100]]> : tensor<1x2xi8>
  %rhs = stablehlo.constant dense<[[2], [2]]> : tensor<2x1xi8>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2xi8>, tensor<2x1xi8>) -> tensor<1x1xi8>
  check.expect_eq_const %result, dense<[[-112]]> : tensor<1x1xi8>
  return
}

// A wider result type: the products are exact.
func.func @i8_to_i32() {
  %lhs = stablehlo.constant dense<[[100, -128]]> : tensor<1x2xi8>
  %rhs = stablehlo.constant dense<[[2], [-128]]> : tensor<2x1xi8>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2xi8>, tensor<2x1xi8>) -> tensor<1x1xi32>
  check.expect_eq_const %result, dense<[[16584]]> : tensor<1x1xi32>
  return
}

// Unsigned operands of a wider result.
func.func @ui8_to_ui32() {
  %lhs = stablehlo.constant dense<[[255, 255]]> : tensor<1x2xui8>
  %rhs = stablehlo.constant dense<[[255], [1]]> : tensor<2x1xui8>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2xui8>, tensor<2x1xui8>) -> tensor<1x1xui32>
  check.expect_eq_const %result, dense<[[65280]]> : tensor<1x1xui32>
  return
}

// Unsigned integers wrap around: 2 * 40000 = 14464 (mod 65536).
func.func @ui16() {
  %lhs = stablehlo.constant dense<[[40000]]> : tensor<1x1xui16>
  %rhs = stablehlo.constant dense<[[2]]> : tensor<1x1xui16>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x1xui16>, tensor<1x1xui16>) -> tensor<1x1xui16>
  check.expect_eq_const %result, dense<[[14464]]> : tensor<1x1xui16>
  return
}

// Four bits: 7 * 7 = 49 = 1 (mod 16).
func.func @i4() {
  %lhs = stablehlo.constant dense<[[7]]> : tensor<1x1xi4>
  %rhs = stablehlo.constant dense<[[7]]> : tensor<1x1xi4>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x1xi4>, tensor<1x1xi4>) -> tensor<1x1xi4>
  check.expect_eq_const %result, dense<[[1]]> : tensor<1x1xi4>
  return
}

// Booleans: and, then or.
func.func @booleans() {
  %lhs = stablehlo.constant dense<[[true, true, false], [false, true, false]]> : tensor<2x3xi1>
  %rhs = stablehlo.constant dense<[[true, false], [true, false], [false, true]]> : tensor<3x2xi1>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<2x3xi1>, tensor<3x2xi1>) -> tensor<2x2xi1>
  check.expect_eq_const %result, dense<[[true, false], [true, false]]> : tensor<2x2xi1>
  return
}

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

// Narrow operands, wide result: 256 * 256 + 1 * 1 is exact in f32.
func.func @bf16_to_f32() {
  %lhs = stablehlo.constant dense<[[256.0, 1.0]]> : tensor<1x2xbf16>
  %rhs = stablehlo.constant dense<[[256.0], [1.0]]> : tensor<2x1xbf16>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2xbf16>, tensor<2x1xbf16>) -> tensor<1x1xf32>
  check.expect_eq_const %result, dense<[[65537.0]]> : tensor<1x1xf32>
  return
}

// Half precision: 2048 + 1 rounds to even when the result is narrow.
func.func @f16() {
  %lhs = stablehlo.constant dense<[[2048.0, 1.0]]> : tensor<1x2xf16>
  %rhs = stablehlo.constant dense<[[1.0], [1.0]]> : tensor<2x1xf16>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1x2xf16>, tensor<2x1xf16>) -> tensor<1x1xf16>
  check.expect_eq_const %result, dense<[[2048.0]]> : tensor<1x1xf16>
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

// NaN and infinities spread to the elements they contribute to; 0 * inf is NaN.
func.func @not_a_number() {
  %lhs = stablehlo.constant dense<[[0x7FC00000, 1.0], [1.0, 1.0], [0.0, 1.0]]> : tensor<3x2xf32>
  %rhs = stablehlo.constant dense<[[0x7F800000], [2.0]]> : tensor<2x1xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<3x2xf32>, tensor<2x1xf32>) -> tensor<3x1xf32>
  check.expect_eq_const %result, dense<[[0x7FC00000], [0x7F800000], [0x7FC00000]]> : tensor<3x1xf32>
  return
}

// `precision` is a hint; it does not change exact values.
func.func @precision() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %rhs = stablehlo.constant dense<[[1.0, 0.0], [0.0, -1.0]]> : tensor<2x2xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.0, -2.0], [3.0, -4.0]]> : tensor<2x2xf32>
  return
}

// An algorithm names the types of operands and of the sum.
func.func @algorithm() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %rhs = stablehlo.constant dense<[[1.0, 0.0], [0.0, -1.0]]> : tensor<2x2xf32>
  %result = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.0, -2.0], [3.0, -4.0]]> : tensor<2x2xf32>
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
