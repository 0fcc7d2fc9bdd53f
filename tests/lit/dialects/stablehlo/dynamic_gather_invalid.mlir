// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C1): offset_dims, collapsed_slice_dims and operand_batching_dims name 1 + 1 + 0 of the 3 operand dimensions}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C2): index_vector_dim 4 exceeds start_indices of rank 3}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 4>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C3): start_index_map [1] for indices of 2 coordinates}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C4): offset_dims [3, 2] are not unique and sorted}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [3, 2], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C5): offset_dims [2, 4] exceed the result rank 4}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 4], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C6): collapsed_slice_dims [1, 0] are not sorted}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1, 0], start_index_map = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C7): collapsed_slice_dims [3] exceed the operand rank 3}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [3], start_index_map = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>) {
  %s = stablehlo.constant dense<[2, 2, 2]> : tensor<3xi32>
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C8): slice size 2 in dimension 0, which the result lacks}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C9): start_index_map and operand_batching_dims [1, 1] repeat}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 1], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C10): start_index_map [1, 3] exceeds the operand rank 3}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 3], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>) {
  %s = stablehlo.constant dense<[1, 5, 2]> : tensor<3xi32>
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C12): slice_sizes [1, 5, 2] do not fit operand shape [3, 4, 2]}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>) {
  %s = stablehlo.constant dense<[1, 2, 2]> : tensor<3xi32>
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C13): expected result shape [2, 3, 2, 2], got [2, 3, 3, 2]}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x3x2xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C13): expected result shape [2, 3, ?, ?], got [3, 3, ?, ?]}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2, 3], collapsed_slice_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<3x3x?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (operand_batching_dims): operand_batching_dims [3] exceed the operand rank 3}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [3], start_indices_batching_dims = [0], start_index_map = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<3x4x2xf32>, %i: tensor<2x3x2xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (start_indices_batching_dims): start_indices_batching_dims [5] exceed rank 3}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) {
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [1], start_indices_batching_dims = [5], start_index_map = [1, 0], index_vector_dim = 2>
  } : (tensor<3x4x2xf32>, tensor<2x3x2xi32>, tensor<3xi32>) -> tensor<2x3x?xf32>
  return
}
