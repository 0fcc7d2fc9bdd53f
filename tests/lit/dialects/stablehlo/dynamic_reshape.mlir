// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `dynamic_reshape`: the shape of the result is a value.

// Example of the specification.
func.func @specification() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %output_shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %result = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<3x2xi64>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  return
}

// To a vector, by a shape of 32-bit integers.
func.func @flatten() {
  %operand = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %output_shape = stablehlo.constant dense<[6]> : tensor<1xi32>
  %result = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<6xf32>
  return
}

// To a scalar.
func.func @to_scalar() {
  %operand = stablehlo.constant dense<[[3.0]]> : tensor<1x1xf32>
  %output_shape = stablehlo.constant dense<> : tensor<0xi32>
  %result = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<1x1xf32>, tensor<0xi32>) -> tensor<f32>
  check.expect_eq_const %result, dense<3.0> : tensor<f32>
  return
}

// A scalar to three dimensions.
func.func @from_scalar() {
  %operand = stablehlo.constant dense<3> : tensor<i8>
  %output_shape = stablehlo.constant dense<1> : tensor<3xi64>
  %result = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<i8>, tensor<3xi64>) -> tensor<1x1x1xi8>
  check.expect_eq_const %result, dense<[[[3]]]> : tensor<1x1x1xi8>
  return
}

// No element.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0x3xf32>
  %output_shape = stablehlo.constant dense<[2, 0]> : tensor<2xi64>
  %result = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<2x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0xf32>
  return
}

// A result whose shape the type does not tell.
func.func @dynamic_result() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %output_shape = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %result = stablehlo.dynamic_reshape %operand, %output_shape : (tensor<4xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  %shape = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<?x?xi32>, tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %static, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  return
}
