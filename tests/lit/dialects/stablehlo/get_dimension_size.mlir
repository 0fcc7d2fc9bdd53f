// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --split-input-file

// `get_dimension_size`: sizes, static or not.

// The first dimension.
func.func @first() {
  %operand = stablehlo.constant dense<0> : tensor<2x3xi64>
  %size = stablehlo.get_dimension_size %operand, dim = 0 : (tensor<2x3xi64>) -> tensor<i32>
  check.expect_eq_const %size, dense<2> : tensor<i32>
  return
}

// The last dimension; example of the specification.
func.func @last() {
  %operand = stablehlo.constant dense<0.0> : tensor<2x3xf32>
  %size = stablehlo.get_dimension_size %operand, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>
  check.expect_eq_const %size, dense<3> : tensor<i32>
  return
}

// An empty dimension.
func.func @zero() {
  %operand = stablehlo.constant dense<> : tensor<0x3xf32>
  %size = stablehlo.get_dimension_size %operand, dim = 0 : (tensor<0x3xf32>) -> tensor<i32>
  check.expect_eq_const %size, dense<0> : tensor<i32>
  return
}

// A vector of one boolean.
func.func @one() {
  %operand = stablehlo.constant dense<[false]> : tensor<1xi1>
  %size = stablehlo.get_dimension_size %operand, dim = 0 : (tensor<1xi1>) -> tensor<i32>
  check.expect_eq_const %size, dense<1> : tensor<i32>
  return
}

// Of a dimension whose size the type does not tell.
func.func @dynamic() {
  %shape = stablehlo.constant dense<[4, 2]> : tensor<2xi32>
  %operand = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x?xf32>
  %rows = stablehlo.get_dimension_size %operand, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %operand, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  check.expect_eq_const %rows, dense<4> : tensor<i32>
  check.expect_eq_const %columns, dense<2> : tensor<i32>
  return
}
