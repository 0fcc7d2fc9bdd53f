// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `scatter`: updates at indices; those that reach out of the input are dropped.

// Example of the specification: batching dimensions, windows, and an update outside of the input.
func.func @specification() {
  %input = stablehlo.constant dense<[
      [
        [[1, 2], [3, 4], [5, 6], [7, 8]],
        [[9, 10], [11, 12], [13, 14], [15, 16]],
        [[17, 18], [19, 20], [21, 22], [23, 24]]
      ],
      [
        [[25, 26], [27, 28], [29, 30], [31, 32]],
        [[33, 34], [35, 36], [37, 38], [39, 40]],
        [[41, 42], [43, 44], [45, 46], [47, 48]]
      ]
    ]> : tensor<2x3x4x2xi64>
  %indices = stablehlo.constant dense<[
      [[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]],
      [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]
    ]> : tensor<2x2x3x2xi64>
  %updates = stablehlo.constant dense<1> : tensor<2x2x3x2x2xi64>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>
  }> ({
  ^bb0(%old: tensor<i64>, %update: tensor<i64>):
    %new = stablehlo.add %old, %update : tensor<i64>
    stablehlo.return %new : tensor<i64>
  }) : (tensor<2x3x4x2xi64>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xi64>) -> tensor<2x3x4x2xi64>
  check.expect_eq_const %result, dense<[
      [
        [[3, 4], [6, 7], [6, 7], [7, 8]],
        [[9, 10], [11, 12], [15, 16], [17, 18]],
        [[17, 18], [19, 20], [22, 23], [24, 25]]
      ],
      [
        [[25, 26], [28, 29], [30, 31], [31, 32]],
        [[35, 36], [38, 39], [38, 39], [39, 40]],
        [[41, 42], [44, 45], [46, 47], [47, 48]]
      ]
    ]> : tensor<2x3x4x2xi64>
  return
}

// The body returns the update.
func.func @replace() {
  %input = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %indices = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xi32>
  %updates = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    stablehlo.return %update : tensor<i32>
  }) : (tensor<4xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[0, 20, 2, 10]> : tensor<4xi32>
  return
}

// Updates of one element are combined.
func.func @repeated() {
  %input = stablehlo.constant dense<[0.0, 0.0, 1.0]> : tensor<3xf32>
  %indices = stablehlo.constant dense<[[2], [0], [2], [2]]> : tensor<4x1xi32>
  %updates = stablehlo.constant dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %new = stablehlo.add %old, %update : tensor<f32>
    stablehlo.return %new : tensor<f32>
  }) : (tensor<3xf32>, tensor<4x1xi32>, tensor<4xf32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[2.0, 0.0, 14.0]> : tensor<3xf32>
  return
}

// Index vectors take part in order: of several the last replaces.
func.func @last_wins() {
  %input = stablehlo.constant dense<0> : tensor<3xi32>
  %indices = stablehlo.constant dense<1> : tensor<3x1xi32>
  %updates = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    stablehlo.return %update : tensor<i32>
  }) : (tensor<3xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[0, 7, 0]> : tensor<3xi32>
  return
}

// Negative and large indices are dropped, not moved.
func.func @out_of_range() {
  %input = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %indices = stablehlo.constant dense<[[-1], [3], [1], [1000]]> : tensor<4x1xi32>
  %updates = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<3xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 32, 3]> : tensor<3xi32>
  return
}

// Rows of a matrix.
func.func @rows() {
  %input = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi32>
  %indices = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %updates = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<3x2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[30, 41], [2, 3], [14, 25]]> : tensor<3x2xi32>
  return
}

// Columns of a matrix.
func.func @columns() {
  %input = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %indices = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %updates = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[20, 1, 12], [43, 4, 35]]> : tensor<2x3xi32>
  return
}

// Single elements by index vectors.
func.func @elements() {
  %input = stablehlo.constant dense<0> : tensor<2x3xi32>
  %indices = stablehlo.constant dense<[[0, 2], [1, 0], [0, 2]]> : tensor<3x2xi64>
  %updates = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<3x2xi64>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[0, 0, 4], [2, 0, 0]]> : tensor<2x3xi32>
  return
}

// The components of an index vector address dimensions in another order.
func.func @swapped_index_map() {
  %input = stablehlo.constant dense<0> : tensor<2x3xi32>
  %indices = stablehlo.constant dense<[[2, 0], [0, 1]]> : tensor<2x2xi64>
  %updates = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x2xi64>, tensor<2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[0, 0, 1], [2, 0, 0]]> : tensor<2x3xi32>
  return
}

// Index vectors along the first dimension of the indices.
func.func @index_vector_first() {
  %input = stablehlo.constant dense<0> : tensor<2x3xi32>
  %indices = stablehlo.constant dense<[[0, 1, 1], [2, 0, 0]]> : tensor<2x3xi64>
  %updates = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x3xi64>, tensor<3xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[0, 0, 1], [5, 0, 0]]> : tensor<2x3xi32>
  return
}

// One window of a matrix: an update slice with an operation.
func.func @window() {
  %input = stablehlo.constant dense<0> : tensor<3x4xi32>
  %indices = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %updates = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 0>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<3x4xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<3x4xi32>
  check.expect_eq_const %result, dense<[[0, 0, 0, 0], [0, 0, 1, 2], [0, 0, 3, 4]]> : tensor<3x4xi32>
  return
}

// Indices of their own for each row.
func.func @batching() {
  %input = stablehlo.constant dense<0> : tensor<2x3xi32>
  %indices = stablehlo.constant dense<[[[2], [0]], [[1], [1]]]> : tensor<2x2x1xi32>
  %updates = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<2x2x1xi32>, tensor<2x2xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[2, 0, 1], [0, 7, 0]]> : tensor<2x3xi32>
  return
}

// Two batching dimensions, crossed between input and indices.
func.func @two_batching_dimensions() {
  %input = stablehlo.constant dense<0> : tensor<2x3x2xi32>
  %indices = stablehlo.constant dense<[[[0], [1]], [[1], [0]], [[0], [0]]]> : tensor<3x2x1xi32>
  %updates = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [1, 0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<2x3x2xi32>, tensor<3x2x1xi32>, tensor<3x2xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[1, 0], [0, 3], [5, 0]], [[0, 2], [4, 0], [6, 0]]]> : tensor<2x3x2xi32>
  return
}

// A scalar input, index vectors of size 0.
func.func @scalar() {
  %input = stablehlo.constant dense<1.0> : tensor<f32>
  %indices = stablehlo.constant dense<> : tensor<0xi32>
  %updates = stablehlo.constant dense<2.0> : tensor<f32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 0>
  }> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %new = stablehlo.add %old, %update : tensor<f32>
    stablehlo.return %new : tensor<f32>
  }) : (tensor<f32>, tensor<0xi32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %result, dense<3.0> : tensor<f32>
  return
}

// No index: the input as it was.
func.func @no_updates() {
  %input = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %indices = stablehlo.constant dense<> : tensor<0x1xi32>
  %updates = stablehlo.constant dense<> : tensor<0xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<2xi32>, tensor<0x1xi32>, tensor<0xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi32>
  return
}

// Windows of size 0.
func.func @empty_window() {
  %input = stablehlo.constant dense<> : tensor<2x0xf32>
  %indices = stablehlo.constant dense<[[1]]> : tensor<1x1xi32>
  %updates = stablehlo.constant dense<> : tensor<1x0xf32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %new = stablehlo.add %old, %update : tensor<f32>
    stablehlo.return %new : tensor<f32>
  }) : (tensor<2x0xf32>, tensor<1x1xi32>, tensor<1x0xf32>) -> tensor<2x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0xf32>
  return
}

// Any body: maxima.
func.func @maximum() {
  %input = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %indices = stablehlo.constant dense<[[0], [0], [2]]> : tensor<3x1xi32>
  %updates = stablehlo.constant dense<[5.0, 4.0, -1.0]> : tensor<3xf32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %new = stablehlo.maximum %old, %update : tensor<f32>
    stablehlo.return %new : tensor<f32>
  }) : (tensor<3xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[5.0, 2.0, 3.0]> : tensor<3xf32>
  return
}

// A body that is not commutative: what was there is its first argument.
func.func @subtract() {
  %input = stablehlo.constant dense<[100, 200]> : tensor<2xi32>
  %indices = stablehlo.constant dense<[[1], [1]]> : tensor<2x1xi32>
  %updates = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.subtract %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<2xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[100, 197]> : tensor<2xi32>
  return
}

// Booleans: and.
func.func @booleans() {
  %input = stablehlo.constant dense<[true, true, false]> : tensor<3xi1>
  %indices = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %updates = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i1>, %update: tensor<i1>):
    %new = stablehlo.and %old, %update : tensor<i1>
    stablehlo.return %new : tensor<i1>
  }) : (tensor<3xi1>, tensor<2x1xi32>, tensor<2xi1>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[false, true, false]> : tensor<3xi1>
  return
}

// Integers wrap around.
func.func @i8_wraps() {
  %input = stablehlo.constant dense<[100]> : tensor<1xi8>
  %indices = stablehlo.constant dense<[[0], [0]]> : tensor<2x1xi32>
  %updates = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i8>, %update: tensor<i8>):
    %new = stablehlo.add %old, %update : tensor<i8>
    stablehlo.return %new : tensor<i8>
  }) : (tensor<1xi8>, tensor<2x1xi32>, tensor<2xi8>) -> tensor<1xi8>
  check.expect_eq_const %result, dense<[44]> : tensor<1xi8>
  return
}

// Unsigned integers.
func.func @ui8() {
  %input = stablehlo.constant dense<[1, 255]> : tensor<2xui8>
  %indices = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %updates = stablehlo.constant dense<[200, 3]> : tensor<2xui8>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<ui8>, %update: tensor<ui8>):
    %new = stablehlo.maximum %old, %update : tensor<ui8>
    stablehlo.return %new : tensor<ui8>
  }) : (tensor<2xui8>, tensor<2x1xi32>, tensor<2xui8>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<[200, 255]> : tensor<2xui8>
  return
}

// Double precision.
func.func @f64() {
  %input = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %indices = stablehlo.constant dense<[[1]]> : tensor<1x1xi64>
  %updates = stablehlo.constant dense<[9.094947017729282e-13]> : tensor<1xf64>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<f64>, %update: tensor<f64>):
    %new = stablehlo.add %old, %update : tensor<f64>
    stablehlo.return %new : tensor<f64>
  }) : (tensor<2xf64>, tensor<1x1xi64>, tensor<1xf64>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[1.0, 2.0000000000009095]> : tensor<2xf64>
  return
}

// Narrow floats.
func.func @bf16() {
  %input = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %indices = stablehlo.constant dense<[[1], [0]]> : tensor<2x1xi32>
  %updates = stablehlo.constant dense<[0.5, 0.25]> : tensor<2xbf16>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<bf16>, %update: tensor<bf16>):
    %new = stablehlo.add %old, %update : tensor<bf16>
    stablehlo.return %new : tensor<bf16>
  }) : (tensor<2xbf16>, tensor<2x1xi32>, tensor<2xbf16>) -> tensor<2xbf16>
  check.expect_eq_const %result, dense<[1.25, 2.5]> : tensor<2xbf16>
  return
}

// Complex numbers.
func.func @complex() {
  %input = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %indices = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %updates = stablehlo.constant dense<[(0.0, 1.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<complex<f32>>, %update: tensor<complex<f32>>):
    %new = stablehlo.multiply %old, %update : tensor<complex<f32>>
    stablehlo.return %new : tensor<complex<f32>>
  }) : (tensor<2xcomplex<f32>>, tensor<2x1xi32>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-1.0, 0.0), (0.0, 2.0)]> : tensor<2xcomplex<f32>>
  return
}

// Indices that are said to be sorted and unique.
func.func @hints() {
  %input = stablehlo.constant dense<0> : tensor<4xi32>
  %indices = stablehlo.constant dense<[[1], [3]]> : tensor<2x1xi32>
  %updates = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
    indices_are_sorted = true, unique_indices = true
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<4xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[0, 1, 0, 2]> : tensor<4xi32>
  return
}

// The body and the result may have a wider type than the operands.
func.func @wider_accumulation() {
  %input = stablehlo.constant dense<[100, 1]> : tensor<2xi8>
  %indices = stablehlo.constant dense<[[0], [0]]> : tensor<2x1xi32>
  %updates = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<i32>, %update: tensor<i32>):
    %new = stablehlo.add %old, %update : tensor<i32>
    stablehlo.return %new : tensor<i32>
  }) : (tensor<2xi8>, tensor<2x1xi32>, tensor<2xi8>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[300, 1]> : tensor<2xi32>
  return
}

// Two inputs in one body: the update replaces both where its key is greater.
func.func @several_operands() {
  %keys = stablehlo.constant dense<[1, 5, 3]> : tensor<3xi32>
  %values = stablehlo.constant dense<[0.1, 0.5, 0.3]> : tensor<3xf32>
  %indices = stablehlo.constant dense<[[0], [1], [0]]> : tensor<3x1xi32>
  %new_keys = stablehlo.constant dense<[4, 2, 3]> : tensor<3xi32>
  %new_values = stablehlo.constant dense<[0.4, 0.2, 0.25]> : tensor<3xf32>
  %result:2 = "stablehlo.scatter"(%keys, %values, %indices, %new_keys, %new_values) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%key: tensor<i32>, %value: tensor<f32>, %new_key: tensor<i32>, %new_value: tensor<f32>):
    %greater = stablehlo.compare GT, %new_key, %key : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %k = stablehlo.select %greater, %new_key, %key : tensor<i1>, tensor<i32>
    %v = stablehlo.select %greater, %new_value, %value : tensor<i1>, tensor<f32>
    stablehlo.return %k, %v : tensor<i32>, tensor<f32>
  }) : (tensor<3xi32>, tensor<3xf32>, tensor<3x1xi32>, tensor<3xi32>, tensor<3xf32>) -> (tensor<3xi32>, tensor<3xf32>)
  check.expect_eq_const %result#0, dense<[4, 5, 3]> : tensor<3xi32>
  check.expect_eq_const %result#1, dense<[0.4, 0.5, 0.3]> : tensor<3xf32>
  return
}
