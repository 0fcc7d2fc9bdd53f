// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `dynamic_broadcast_in_dim`: the shape of the result is a value.

// Example of the specification: a row is repeated, dimensions are exchanged.
func.func @specification() {
  %operand = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %output_dimensions = stablehlo.constant dense<[2, 3, 2]> : tensor<3xi64>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [2, 1] : (tensor<1x3xi64>, tensor<3xi64>) -> tensor<2x3x2xi64>
  check.expect_eq_const %result, dense<[[[1, 1], [2, 2], [3, 3]], [[1, 1], [2, 2], [3, 3]]]> : tensor<2x3x2xi64>
  return
}

// A scalar.
func.func @scalar() {
  %operand = stablehlo.constant dense<2.5> : tensor<f32>
  %output_dimensions = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<2.5> : tensor<2x2xf32>
  return
}

// A dimension of size 1 expands, another one stays.
func.func @column() {
  %operand = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %output_dimensions = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1] {known_expanding_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<2x1xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 1, 1], [2, 2, 2]]> : tensor<2x3xi32>
  return
}

// A dimension of size 1 becomes empty.
func.func @to_empty() {
  %operand = stablehlo.constant dense<[1]> : tensor<1xi32>
  %output_dimensions = stablehlo.constant dense<[0]> : tensor<1xi32>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0] : (tensor<1xi32>, tensor<1xi32>) -> tensor<0xi32>
  check.expect_eq_const %result, dense<> : tensor<0xi32>
  return
}

// A result whose shape the type does not tell.
func.func @dynamic_result() {
  %operand = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %output_dimensions = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [1] : (tensor<2xf64>, tensor<2xi32>) -> tensor<?x?xf64>
  %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<?x?xf64>, tensor<2xi64>) -> tensor<3x2xf64>
  check.expect_eq_const %static, dense<[[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]> : tensor<3x2xf64>
  return
}

// Nothing to repeat.
func.func @same_shape() {
  %operand = stablehlo.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %output_dimensions = stablehlo.constant dense<[2, 2]> : tensor<2xi32>
  %result = stablehlo.dynamic_broadcast_in_dim %operand, %output_dimensions, dims = [0, 1] : (tensor<2x2xi1>, tensor<2xi32>) -> tensor<?x2xi1>
  %shape = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<?x2xi1>, tensor<2xi64>) -> tensor<2x2xi1>
  check.expect_eq_const %static, dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  return
}
