// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `dynamic_gather`: a gather whose slice sizes are values.

// Rows of a matrix.
func.func @rows() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %indices = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %sizes = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %result = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<3x2xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[4.0, 5.0], [0.0, 1.0]]> : tensor<2x2xf32>
  return
}

// Slices are moved into the operand.
func.func @out_of_range() {
  %operand = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %indices = stablehlo.constant dense<[[-1], [4], [2]]> : tensor<3x1xi64>
  %sizes = stablehlo.constant dense<[2]> : tensor<1xi32>
  %result = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<5xi32>, tensor<3x1xi64>, tensor<1xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[0, 1], [3, 4], [2, 3]]> : tensor<3x2xi32>
  return
}

// Batching dimensions.
func.func @batching() {
  %operand = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %indices = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %sizes = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %result = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>
  }> : (tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[2, 3]> : tensor<2xi32>
  return
}

// The size of the slices is known only when the program runs.
func.func @dynamic_result() {
  %operand = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %indices = stablehlo.constant dense<[[1], [3]]> : tensor<2x1xi32>
  %sizes = stablehlo.constant dense<3> : tensor<1xi32>
  %result = "stablehlo.dynamic_gather"(%operand, %indices, %sizes) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<4xi32>, tensor<2x1xi32>, tensor<1xi32>) -> tensor<2x?xi32>
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<2x?xi32>, tensor<2xi64>) -> tensor<2x3xi32>
  check.expect_eq_const %static, dense<[[1, 2, 3], [1, 2, 3]]> : tensor<2x3xi32>
  return
}
