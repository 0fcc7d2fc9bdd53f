// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `dynamic_iota`: the shape of the result is a value.

// Example of the specification.
func.func @specification() {
  %output_shape = stablehlo.constant dense<[4, 5]> : tensor<2xi64>
  %result = stablehlo.dynamic_iota %output_shape, dim = 0 : (tensor<2xi64>) -> tensor<4x5xi64>
  check.expect_eq_const %result, dense<[[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 3, 3]]> : tensor<4x5xi64>
  return
}

// Along the last dimension.
func.func @columns() {
  %output_shape = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %result = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
  return
}

// Along the dimension in the middle.
func.func @middle() {
  %output_shape = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %result = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<3xi64>) -> tensor<2x3x2xui8>
  check.expect_eq_const %result, dense<[[[0, 0], [1, 1], [2, 2]], [[0, 0], [1, 1], [2, 2]]]> : tensor<2x3x2xui8>
  return
}

// Floats.
func.func @floats() {
  %output_shape = stablehlo.constant dense<[3]> : tensor<1xi64>
  %result = stablehlo.dynamic_iota %output_shape, dim = 0 : (tensor<1xi64>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  return
}

// Narrow floats.
func.func @bf16() {
  %output_shape = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %result = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi64>) -> tensor<2x2xbf16>
  check.expect_eq_const %result, dense<[[0.0, 1.0], [0.0, 1.0]]> : tensor<2x2xbf16>
  return
}

// Complex numbers.
func.func @complex() {
  %output_shape = stablehlo.constant dense<[3]> : tensor<1xi64>
  %result = stablehlo.dynamic_iota %output_shape, dim = 0 : (tensor<1xi64>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}

// No element.
func.func @empty() {
  %output_shape = stablehlo.constant dense<[0, 2]> : tensor<2xi64>
  %result = stablehlo.dynamic_iota %output_shape, dim = 0 : (tensor<2xi64>) -> tensor<0x2xi32>
  check.expect_eq_const %result, dense<> : tensor<0x2xi32>
  return
}

// A result whose shape the type does not tell.
func.func @dynamic_result() {
  %output_shape = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %result = stablehlo.dynamic_iota %output_shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %static, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
  return
}
