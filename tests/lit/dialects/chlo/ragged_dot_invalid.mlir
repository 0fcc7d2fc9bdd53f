// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<3xi32>) {
  // expected-error @below {{chlo.ragged_dot (dimension_numbers): contracting dimensions [1] x []}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<3xi32>) {
  // expected-error @below {{chlo.ragged_dot (dimension_numbers): contracting dimensions of sizes 6 and 5}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<3xi32>) {
  // expected-error @below {{chlo.ragged_dot (dimension_numbers): lhs dimensions [2] exceed the rank 2}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<3xi32>) {
  // expected-error @below {{chlo.ragged_dot (dimension_numbers): rhs dimensions [1, 1] are not unique}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0], rhs_batching_dimensions = [1], lhs_batching_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<3xi32>) {
  // expected-error @below {{chlo.ragged_dot (lhs_ragged_dimensions): expected one, got [0, 1]}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0, 1], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<3xi32>) {
  // expected-error @below {{chlo.ragged_dot (lhs_ragged_dimensions): dimension 2 exceeds the rank 2}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<3xi32>) {
  // expected-error @below {{chlo.ragged_dot (rhs_group_dimensions): expected one dimension, as the ragged one is free, got []}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<3xi32>) {
  // expected-error @below {{chlo.ragged_dot (rhs_group_dimensions): expected none, as the ragged one is not free, got [0]}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<3xi32>) {
  // expected-error @below {{chlo.ragged_dot (rhs_group_dimensions): dimension 1 is a batching or contracting dimension}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<3xi32>) {
  // expected-error @below {{chlo.ragged_dot (rhs_group_dimensions): dimension 3 exceeds the rank 3}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [3]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<2xi32>) {
  // expected-error @below {{chlo.ragged_dot (group_sizes): 2 groups for 3 matrices of rhs}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<2xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<i32>) {
  // expected-error @below {{chlo.ragged_dot (group_sizes): expected a tensor of rank 1 or more}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<i32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %b: tensor<3x6x5xf32>, %g: tensor<3xi32>) {
  // expected-error @below {{chlo.ragged_dot (result): expected shape [4, 5], got [3, 4, 5]}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<4x6xf32>, tensor<3x6x5xf32>, tensor<3xi32>) -> tensor<3x4x5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<2x4x6xf32>, %b: tensor<3x2x6x5xf32>, %g: tensor<4x3xi32>) {
  // expected-error @below {{chlo.ragged_dot (group_sizes): expected one dimension, or [2] before the groups, got [4]}}
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x4x6xf32>, tensor<3x2x6x5xf32>, tensor<4x3xi32>) -> tensor<2x4x5xf32>
  return
}
