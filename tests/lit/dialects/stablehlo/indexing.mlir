// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @indexing
// CHECK-NEXT: %slice = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 6] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x6xf32>
// CHECK-NEXT: %update = stablehlo.dynamic_update_slice %x, %u, %i, %i {note} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
// CHECK-NEXT: %rank = stablehlo.dynamic_slice %i, sizes = [] : (tensor<i32>) -> tensor<i32>
// CHECK-NEXT: %gather = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
// CHECK-NEXT: %batched = "stablehlo.gather"(%x, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<4x5x1xi64>) -> tensor<4x5xf32>
// CHECK-NEXT: %scatter, %scatter_1 = "stablehlo.scatter"(%x, %x, %j, %r, %r) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
// CHECK-NEXT: ^bb0(%s: tensor<f32>, %t: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
// CHECK-NEXT: stablehlo.return %y, %z : tensor<f32>, tensor<f32>
// CHECK-NEXT: }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>, tensor<5x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
// CHECK-NEXT: %scatter_b = "stablehlo.scatter"(%x, %b, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
// CHECK-NEXT: ^bb0(%s_1: tensor<f32>, %y_1: tensor<f32>):
// CHECK-NEXT: %sum = stablehlo.add %s_1, %y_1 : tensor<f32>
// CHECK-NEXT: stablehlo.return %sum : tensor<f32>
// CHECK-NEXT: }) : (tensor<4x6xf32>, tensor<4x5x1xi64>, tensor<4x5xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %torch = "stablehlo.torch_index_select"(%x, %k) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<2x6xf32>
func.func @indexing(%x: tensor<4x6xf32>, %i: tensor<i32>, %u: tensor<2x3xf32>, %j: tensor<5x1xi32>, %r: tensor<5x6xf32>, %b: tensor<4x5x1xi64>, %w: tensor<4x5xf32>, %k: tensor<2xi32>) {
  %slice = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 6] : (tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x6xf32>
  %update = stablehlo.dynamic_update_slice %x, %u, %i, %i {note} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
  %rank_0 = stablehlo.dynamic_slice %i, sizes = [] : (tensor<i32>) -> tensor<i32>
  %gather = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  %batched = "stablehlo.gather"(%x, %b) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<4x5x1xi64>) -> tensor<4x5xf32>
  %scatter:2 = "stablehlo.scatter"(%x, %x, %j, %r, %r) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
    stablehlo.return %y, %z : tensor<f32>, tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>, tensor<5x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  %scatter_b = "stablehlo.scatter"(%x, %b, %w) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%s: tensor<f32>, %y: tensor<f32>):
    %sum = stablehlo.add %s, %y : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x5x1xi64>, tensor<4x5xf32>) -> tensor<4x6xf32>
  %torch = "stablehlo.torch_index_select"(%x, %k) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<2x6xf32>
  return
}
