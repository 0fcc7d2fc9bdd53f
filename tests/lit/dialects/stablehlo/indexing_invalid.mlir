// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.dynamic_slice' op: stablehlo.dynamic_slice (C1): operand of type tensor<4x6xf32>, result of type tensor<2x3xi32>}}
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.dynamic_slice' op: stablehlo.dynamic_slice (C2): 1 start_indices and 2 slice_sizes for an operand of rank 2}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.dynamic_slice' op: stablehlo.dynamic_slice (C3): start_indices differ in type: (tensor<i32>, tensor<i64>)}}
  %0 = stablehlo.dynamic_slice %x, %i, %l, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.dynamic_slice' op: stablehlo.dynamic_slice (C4): slice_sizes [5, 3] do not fit operand shape [4, 6]}}
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [5, 3] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.dynamic_slice' op: stablehlo.dynamic_slice (C5): expected result shape [2, 3], got [3, 2]}}
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.dynamic_update_slice' op: stablehlo.dynamic_update_slice (C1): expected result type tensor<4x6xf32>, got tensor<6x4xf32>}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>, %v: tensor<2x3xf64>) {
  // expected-error @below {{stablehlo.dynamic_update_slice' op: stablehlo.dynamic_update_slice (C2): update of type tensor<2x3xf64> for operand of type tensor<4x6xf32>}}
  %0 = stablehlo.dynamic_update_slice %x, %v, %i, %i : (tensor<4x6xf32>, tensor<2x3xf64>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>, %v: tensor<2xf32>) {
  // expected-error @below {{stablehlo.dynamic_update_slice' op: stablehlo.dynamic_update_slice (C3): update of rank 1 for an operand of rank 2}}
  %0 = stablehlo.dynamic_update_slice %x, %v, %i, %i : (tensor<4x6xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.dynamic_update_slice' op: stablehlo.dynamic_update_slice (C4): 1 start_indices for an operand of rank 2}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.dynamic_update_slice' op: stablehlo.dynamic_update_slice (C5): start_indices differ in type: (tensor<i32>, tensor<i64>)}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %l : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.dynamic_update_slice' op: stablehlo.dynamic_update_slice (C6): update shape [5, 6] exceeds operand shape [4, 6]}}
  %0 = stablehlo.dynamic_update_slice %x, %r, %i, %i : (tensor<4x6xf32>, tensor<5x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C1): offset_dims, collapsed_slice_dims and operand_batching_dims name 1 + 0 + 0 of the 2 operand dimensions}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C2): index_vector_dim 3 exceeds start_indices of rank 2}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C3): start_index_map [0, 1] for indices of 1 coordinates}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C4): offset_dims [2, 1] are not unique and sorted}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x2x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C5): offset_dims [2] exceed the result rank 2}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C6): collapsed_slice_dims and operand_batching_dims [0, 0] repeat}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C7): collapsed_slice_dims [1, 0] are not sorted}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C8): collapsed_slice_dims [2] exceed the operand rank 2}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C9): slice size 2 in dimension 0, which the result lacks}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C11): operand_batching_dims [2] exceed the operand rank 2}}
  %0 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [2], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<4x5x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C12): slice size 2 in dimension 0, which the result lacks}}
  %0 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 2, 1>}> : (tensor<4x6xf32>, tensor<4x5x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C14): start_indices_batching_dims [3] exceed rank 3}}
  %0 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<4x5x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C15): index_vector_dim 2 is one of the start_indices_batching_dims}}
  %0 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<4x5x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C16): batching dimensions [0] and [0, 1] differ in number}}
  %0 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<4x5x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C17): batching dimensions of sizes 4 and 5}}
  %0 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<4x5x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C18): start_index_map and operand_batching_dims [0, 0] repeat}}
  %0 = "stablehlo.gather"(%x, %k) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<4x5x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C19): start_index_map [2] exceeds the operand rank 2}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C20): 1 slice_sizes for an operand of rank 2}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C21): slice_sizes [1, 7] do not fit operand shape [4, 6]}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 7>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C22): expected result shape [5, 6], got [6, 5]}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<6x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C23): operand of type tensor<4x6xf32>, result of type tensor<5x6xf64>}}
  %0 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf64>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C2): update_window_dims, inserted_window_dims and input_batching_dims name 1 + 0 + 0 of the 2 input dimensions}}
  %0 = "stablehlo.scatter"(%x, %j, %r) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C4): expected scatter dimensions [5] of updates, got [4]}}
  %0 = "stablehlo.scatter"(%x, %j, %w) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<4x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>, %v: tensor<5x6xf64>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C6): update of type tensor<5x6xf64> for input of type tensor<4x6xf32>}}
  %0 = "stablehlo.scatter"(%x, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C7): update_window_dims [1, 0] are not unique and sorted}}
  %0 = "stablehlo.scatter"(%x, %j, %r) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C8): update_window_dims [2] exceed the update rank 2}}
  %0 = "stablehlo.scatter"(%x, %j, %r) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>, %v: tensor<5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C9): inserted_window_dims and input_batching_dims [0, 0] repeat}}
  %0 = "stablehlo.scatter"(%x, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>, %v: tensor<5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C10): inserted_window_dims [1, 0] are not sorted}}
  %0 = "stablehlo.scatter"(%x, %j, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C11): inserted_window_dims [2] exceed the input rank 2}}
  %0 = "stablehlo.scatter"(%x, %j, %r) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C13): input_batching_dims [2] exceed the input rank 2}}
  %0 = "stablehlo.scatter"(%x, %k, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [2], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x5x1xi32>, tensor<4x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C15): scatter_indices_batching_dims [3] exceed rank 3}}
  %0 = "stablehlo.scatter"(%x, %k, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x5x1xi32>, tensor<4x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C16): index_vector_dim 2 is one of the scatter_indices_batching_dims}}
  %0 = "stablehlo.scatter"(%x, %k, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x5x1xi32>, tensor<4x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C17): batching dimensions [0] and [0, 1] differ in number}}
  %0 = "stablehlo.scatter"(%x, %k, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x5x1xi32>, tensor<4x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C18): batching dimensions of sizes 4 and 5}}
  %0 = "stablehlo.scatter"(%x, %k, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x5x1xi32>, tensor<4x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C19): scatter_dims_to_operand_dims [0, 1] for indices of 1 coordinates}}
  %0 = "stablehlo.scatter"(%x, %j, %r) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C20): scatter_dims_to_operand_dims and input_batching_dims [0, 0] repeat}}
  %0 = "stablehlo.scatter"(%x, %k, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x5x1xi32>, tensor<4x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C21): scatter_dims_to_operand_dims [2] exceeds the input rank 2}}
  %0 = "stablehlo.scatter"(%x, %j, %r) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C22): index_vector_dim 3 exceeds scatter_indices of rank 2}}
  %0 = "stablehlo.scatter"(%x, %j, %r) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 3>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C23): expected 2 arguments of update_computation, got 1}}
  %0 = "stablehlo.scatter"(%x, %j, %r) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>):
    %sum = stablehlo.add %s, %s : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<i32>, %l: tensor<i64>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %k: tensor<4x5x1xi32>, %r: tensor<5x6xf32>, %w: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C24): input of type tensor<4x6xf32>, result of type tensor<6x4xf32>}}
  %0 = "stablehlo.scatter"(%x, %j, %r) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x2x4xf32>, %i: tensor<2x2x1xi32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C10): operand_batching_dims [1, 0] are not sorted}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x2x4xf32>, tensor<2x2x1xi32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x2x4xf32>, %i: tensor<2x2x1xi32>) {
  // expected-error @below {{stablehlo.gather' op: stablehlo.gather (C13): start_indices_batching_dims [0, 0] are not unique}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<2x2x4xf32>, tensor<2x2x1xi32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %w: tensor<5xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C1): shapes differ: (tensor<4xf32>, tensor<5xf32>)}}
  %0:2 = "stablehlo.scatter"(%x, %w, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
    stablehlo.return %y, %z : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<5xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>, %v: tensor<3xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C3): shapes differ: (tensor<2xf32>, tensor<3xf32>)}}
  %0:2 = "stablehlo.scatter"(%x, %x, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
    stablehlo.return %y, %z : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C5): 1 inputs, 1 updates, 2 results}}
  %0:2 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%s: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @invalid(%x: tensor<2x2x4xf32>, %i: tensor<2x2x1xi32>, %u: tensor<2x2xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C12): input_batching_dims [1, 0] are not sorted}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [1, 0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%s: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<2x2x4xf32>, tensor<2x2x1xi32>, tensor<2x2xf32>) -> tensor<2x2x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<2x2x4xf32>, %i: tensor<2x2x1xi32>, %u: tensor<2x2xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C14): scatter_indices_batching_dims [0, 0] are not unique}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%s: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<2x2x4xf32>, tensor<2x2x1xi32>, tensor<2x2xf32>) -> tensor<2x2x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %i: tensor<1xi32>, %u: tensor<1xf32>) {
  // expected-error @below {{stablehlo.scatter' op: stablehlo.scatter (C25): expected result elements as update_computation returns them, tensor<f64>, got f32}}
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %s = stablehlo.add %p, %q : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>} : (tensor<4xf32>, tensor<1xi32>, tensor<1xf32>) -> tensor<4xf32>
  return
}
