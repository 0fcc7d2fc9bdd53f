// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.ragged_dot`: `dot_general` group by group; groups are ranges of a dimension of lhs.

// Rows of lhs in three groups, each with an rhs of its own; one group is empty.
func.func @free_dimension() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %rhs = stablehlo.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, 3.0]], [[0.0, 1.0], [1.0, 0.0]]]> : tensor<3x2x2xf32>
  %sizes = stablehlo.constant dense<[1, 0, 3]> : tensor<3xi64>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  }> : (tensor<4x2xf32>, tensor<3x2x2xf32>, tensor<3xi64>) -> tensor<4x2xf32>
  check.expect_eq_const %result, dense<[[1.0, 2.0], [4.0, 3.0], [6.0, 5.0], [8.0, 7.0]]> : tensor<4x2xf32>
  return
}

// Rows that no group has are zero.
func.func @rows_left_over() {
  %lhs = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  %rhs = stablehlo.constant dense<[[[1, 0], [0, 1]], [[2, 0], [0, 3]], [[0, 1], [1, 0]]]> : tensor<3x2x2xi32>
  %sizes = stablehlo.constant dense<[1, 1, 0]> : tensor<3xi32>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  }> : (tensor<4x2xi32>, tensor<3x2x2xi32>, tensor<3xi32>) -> tensor<4x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [6, 12], [0, 0], [0, 0]]> : tensor<4x2xi32>
  return
}

// The contracted dimension in groups: one result each.
func.func @contracting_dimension() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
  %rhs = stablehlo.constant dense<[[1.0], [1.0], [10.0], [100.0]]> : tensor<4x1xf32>
  %sizes = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>
  }> : (tensor<2x4xf32>, tensor<4x1xf32>, tensor<2xi64>) -> tensor<2x2x1xf32>
  check.expect_eq_const %result, dense<[[[3.0], [11.0]], [[430.0], [870.0]]]> : tensor<2x2x1xf32>
  return
}

// Group sizes of their own for each batch.
func.func @sizes_for_each_batch() {
  %lhs = stablehlo.constant dense<[[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]]> : tensor<2x3x1xf32>
  %rhs = stablehlo.constant dense<[[[[1.0]], [[10.0]]], [[[100.0]], [[1000.0]]]]> : tensor<2x2x1x1xf32>
  %sizes = stablehlo.constant dense<[[1, 2], [2, 0]]> : tensor<2x2xi32>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>
  }> : (tensor<2x3x1xf32>, tensor<2x2x1x1xf32>, tensor<2x2xi32>) -> tensor<2x3x1xf32>
  check.expect_eq_const %result, dense<[[[1.0], [200.0], [300.0]], [[40.0], [50.0], [0.0]]]> : tensor<2x3x1xf32>
  return
}

// What other groups own stays out of a result, even infinite.
func.func @infinite_matrix_of_another_group() {
  %lhs = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %rhs = stablehlo.constant dense<[[[3.0]], [[0x7F800000]]]> : tensor<2x1x1xf32>
  %sizes = stablehlo.constant dense<1> : tensor<2xi64>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  }> : (tensor<2x1xf32>, tensor<2x1x1xf32>, tensor<2xi64>) -> tensor<2x1xf32>
  check.expect_eq_const %result, dense<[[3.0], [0x7F800000]]> : tensor<2x1xf32>
  return
}

func.func @infinite_terms_of_another_group() {
  %lhs = stablehlo.constant dense<[[1.0, 0x7F800000]]> : tensor<1x2xf32>
  %rhs = stablehlo.constant dense<[[3.0], [0.0]]> : tensor<2x1xf32>
  %sizes = stablehlo.constant dense<1> : tensor<2xi64>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>
  }> : (tensor<1x2xf32>, tensor<2x1xf32>, tensor<2xi64>) -> tensor<2x1x1xf32>
  check.expect_eq_const %result, dense<[[[3.0]], [[0x7FC00000]]]> : tensor<2x1x1xf32>
  return
}

// The groups are of batches: a product as without them.
func.func @batch_dimension() {
  %lhs = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %rhs = stablehlo.constant dense<[[[1], [1]], [[10], [1]]]> : tensor<2x2x1xi32>
  %sizes = stablehlo.constant dense<[0, 2]> : tensor<2xi32>
  %result = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>
  }> : (tensor<2x1x2xi32>, tensor<2x2x1xi32>, tensor<2xi32>) -> tensor<2x1x1xi32>
  check.expect_eq_const %result, dense<[[[3]], [[34]]]> : tensor<2x1x1xi32>
  return
}
