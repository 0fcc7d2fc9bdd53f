// RUN: xla-opt %s | filecheck %s

// The ragged dimension is free, contracting, or a batch dimension.

// CHECK-LABEL: func.func @modes
// CHECK:       -> tensor<2x4x5xf32>
// CHECK:       -> tensor<3x2x4x5xf32>
// CHECK:       -> tensor<2x4x5xf32>
func.func @modes(%x: tensor<2x4x6xf32>, %groups: tensor<3x2x6x5xf32>, %y: tensor<2x6x5xf32>, %sizes: tensor<2x3xi32>, %n: tensor<3xi32>) {
  %0 = "chlo.ragged_dot"(%x, %groups, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x4x6xf32>, tensor<3x2x6x5xf32>, tensor<2x3xi32>) -> tensor<2x4x5xf32>
  %1 = "chlo.ragged_dot"(%x, %y, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}> : (tensor<2x4x6xf32>, tensor<2x6x5xf32>, tensor<2x3xi32>) -> tensor<3x2x4x5xf32>
  %2 = "chlo.ragged_dot"(%x, %y, %n) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<2x4x6xf32>, tensor<2x6x5xf32>, tensor<3xi32>) -> tensor<2x4x5xf32>
  return
}
