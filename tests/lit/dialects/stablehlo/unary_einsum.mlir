// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `unary_einsum`: sums over, reorders and takes diagonals of one operand.

// Sums of rows.
func.func @row_sums() {
  %operand = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %result = "stablehlo.unary_einsum"(%operand) <{einsum_config = "ab->a"}> : (tensor<2x3xf32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[6.0, 15.0]> : tensor<2xf32>
  return
}

// Transposition.
func.func @transpose() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %result = "stablehlo.unary_einsum"(%operand) <{einsum_config = "ab->ba"}> : (tensor<2x3xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  return
}

// The sum of all.
func.func @total() {
  %operand = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  %result = "stablehlo.unary_einsum"(%operand) <{einsum_config = "ab->"}> : (tensor<2x3xf64>) -> tensor<f64>
  check.expect_eq_const %result, dense<21.0> : tensor<f64>
  return
}

// Nothing happens.
func.func @identity() {
  %operand = stablehlo.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi8>
  %result = "stablehlo.unary_einsum"(%operand) <{einsum_config = "abc->abc"}> : (tensor<1x2x2xi8>) -> tensor<1x2x2xi8>
  check.expect_eq_const %result, dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi8>
  return
}

// A label that stands twice: the diagonal.
func.func @diagonal() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %result = "stablehlo.unary_einsum"(%operand) <{einsum_config = "aa->a"}> : (tensor<3x3xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 5, 9]> : tensor<3xi32>
  return
}

// The trace.
func.func @trace() {
  %operand = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]> : tensor<3x3xf32>
  %result = "stablehlo.unary_einsum"(%operand) <{einsum_config = "aa->"}> : (tensor<3x3xf32>) -> tensor<f32>
  check.expect_eq_const %result, dense<15.0> : tensor<f32>
  return
}

// The last dimension is summed, whatever comes before.
func.func @ellipsis() {
  %operand = stablehlo.constant dense<[[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]]> : tensor<2x2x3xi32>
  %result = "stablehlo.unary_einsum"(%operand) <{einsum_config = "...a->..."}> : (tensor<2x2x3xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[6, 15], [24, 33]]> : tensor<2x2xi32>
  return
}
