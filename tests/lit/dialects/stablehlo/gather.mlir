// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `gather`: slices at indices, which are moved into the operand where they would reach out of it.

// Example of the specification: batching dimensions of operand and indices, negative and large indices.
func.func @specification() {
  %operand = stablehlo.constant dense<[
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
    ]> : tensor<2x3x4x2xi32>
  %indices = stablehlo.constant dense<[
      [[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]],
      [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]
    ]> : tensor<2x2x3x2xi64>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [3, 4], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [2, 1], index_vector_dim = 3>,
    slice_sizes = array<i64: 1, 1, 2, 2>
  }> : (tensor<2x3x4x2xi32>, tensor<2x2x3x2xi64>) -> tensor<2x2x3x2x2xi32>
  check.expect_eq_const %result, dense<[
      [
        [[[1, 2], [3, 4]], [[3, 4], [5, 6]], [[13, 14], [15, 16]]],
        [[[33, 34], [35, 36]], [[35, 36], [37, 38]], [[41, 42], [43, 44]]]
      ],
      [
        [[[1, 2], [3, 4]], [[13, 14], [15, 16]], [[21, 22], [23, 24]]],
        [[[43, 44], [45, 46]], [[33, 34], [35, 36]], [[27, 28], [29, 30]]]
      ]
    ]> : tensor<2x2x3x2x2xi32>
  return
}

// Rows of a matrix, some twice.
func.func @rows() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %indices = stablehlo.constant dense<[2, 0, 0, 1]> : tensor<4xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>
  }> : (tensor<3x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  check.expect_eq_const %result, dense<[[4.0, 5.0], [0.0, 1.0], [0.0, 1.0], [2.0, 3.0]]> : tensor<4x2xf32>
  return
}

// Columns of a matrix.
func.func @columns() {
  %operand = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %indices = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>,
    slice_sizes = array<i64: 2, 1>
  }> : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[2, 0], [5, 3]]> : tensor<2x2xi32>
  return
}

// Single elements by index vectors.
func.func @elements() {
  %operand = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8]]> : tensor<3x3xi32>
  %indices = stablehlo.constant dense<[[0, 0], [1, 2], [2, 1]]> : tensor<3x2xi64>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>
  }> : (tensor<3x3xi32>, tensor<3x2xi64>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[0, 5, 7]> : tensor<3xi32>
  return
}

// The components of an index vector address dimensions in another order.
func.func @swapped_index_map() {
  %operand = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8]]> : tensor<3x3xi32>
  %indices = stablehlo.constant dense<[[0, 0], [1, 2], [2, 1]]> : tensor<3x2xi64>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>
  }> : (tensor<3x3xi32>, tensor<3x2xi64>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[0, 7, 5]> : tensor<3xi32>
  return
}

// Index vectors along the first dimension of the indices.
func.func @index_vector_first() {
  %operand = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5], [6, 7, 8]]> : tensor<3x3xi32>
  %indices = stablehlo.constant dense<[[0, 1, 2], [0, 2, 1]]> : tensor<2x3xi64>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>,
    slice_sizes = array<i64: 1, 1>
  }> : (tensor<3x3xi32>, tensor<2x3xi64>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[0, 5, 7]> : tensor<3xi32>
  return
}

// Indices are clamped one by one, so that a whole slice fits.
func.func @out_of_range() {
  %operand = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %indices = stablehlo.constant dense<[[-7], [4], [100], [3]]> : tensor<4x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 2>
  }> : (tensor<5xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  check.expect_eq_const %result, dense<[[0, 1], [3, 4], [3, 4], [3, 4]]> : tensor<4x2xi32>
  return
}

// Unsigned indices: the greatest is large, not negative.
func.func @unsigned_indices() {
  %operand = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %indices = stablehlo.constant dense<[[255], [2]]> : tensor<2x1xui8>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  }> : (tensor<5xi32>, tensor<2x1xui8>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[4, 2]> : tensor<2xi32>
  return
}

// Indices of eight bits.
func.func @narrow_indices() {
  %operand = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %indices = stablehlo.constant dense<[[-1], [3]]> : tensor<2x1xi8>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  }> : (tensor<5xi32>, tensor<2x1xi8>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[0, 3]> : tensor<2xi32>
  return
}

// A single index vector: a slice at an offset in two dimensions.
func.func @one_slice() {
  %operand = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %indices = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>,
    slice_sizes = array<i64: 2, 2>
  }> : (tensor<3x4xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[5, 6], [9, 10]]> : tensor<2x2xi32>
  return
}

// A scalar index, whose index vector dimension is one past its rank.
func.func @scalar_index() {
  %operand = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi32>
  %indices = stablehlo.constant dense<1> : tensor<i32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>,
    slice_sizes = array<i64: 1, 2>
  }> : (tensor<3x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[2, 3]> : tensor<2xi32>
  return
}

// Dimensions that no index addresses start at 0.
func.func @partial_index_map() {
  %operand = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %indices = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>,
    slice_sizes = array<i64: 2, 1, 2>
  }> : (tensor<2x3x2xi32>, tensor<2x1xi32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %result, dense<[[[4, 5], [10, 11]], [[0, 1], [6, 7]]]> : tensor<2x2x2xi32>
  return
}

// Offset dimensions before and between the batch dimensions of the result.
func.func @offset_dims_first() {
  %operand = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %indices = stablehlo.constant dense<[[[0, 0], [1, 1]], [[0, 1], [1, 0]]]> : tensor<2x2x2xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], start_index_map = [0, 1], index_vector_dim = 2>,
    slice_sizes = array<i64: 2, 3>
  }> : (tensor<3x4xi32>, tensor<2x2x2xi32>) -> tensor<2x2x2x3xi32>
  check.expect_eq_const %result, dense<[
      [[[0, 1, 2], [5, 6, 7]], [[4, 5, 6], [9, 10, 11]]],
      [[[1, 2, 3], [4, 5, 6]], [[5, 6, 7], [8, 9, 10]]]
    ]> : tensor<2x2x2x3xi32>
  return
}

// A list of indices for each row.
func.func @batching() {
  %operand = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %indices = stablehlo.constant dense<[[[2], [0]], [[1], [1]]]> : tensor<2x2x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1>
  }> : (tensor<2x3xi32>, tensor<2x2x1xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[2, 0], [4, 4]]> : tensor<2x2xi32>
  return
}

// Two batching dimensions, crossed between operand and indices.
func.func @two_batching_dimensions() {
  %operand = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %indices = stablehlo.constant dense<[[[0], [1]], [[1], [0]], [[0], [0]]]> : tensor<3x2x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [1, 0], start_index_map = [2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 1>
  }> : (tensor<2x3x2xi32>, tensor<3x2x1xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[0, 7], [3, 8], [4, 10]]> : tensor<3x2xi32>
  return
}

// Indices that are said to be sorted.
func.func @sorted() {
  %operand = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %indices = stablehlo.constant dense<[[0], [1], [3]]> : tensor<3x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>,
    indices_are_sorted = true
  }> : (tensor<4xi32>, tensor<3x1xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[0, 1, 3]> : tensor<3xi32>
  return
}

// No index: an empty result.
func.func @no_indices() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %indices = stablehlo.constant dense<> : tensor<0x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>
  }> : (tensor<3x2xf32>, tensor<0x1xi32>) -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}

// A slice of size 0.
func.func @empty_slice() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %indices = stablehlo.constant dense<[[0], [5]]> : tensor<2x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 0>
  }> : (tensor<3x2xf32>, tensor<2x1xi32>) -> tensor<2x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0xf32>
  return
}

// Index vectors of size 0: the same slice each time.
func.func @empty_index_vectors() {
  %operand = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %indices = stablehlo.constant dense<> : tensor<3x0xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [], index_vector_dim = 1>,
    slice_sizes = array<i64: 2>
  }> : (tensor<2xi32>, tensor<3x0xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[0, 1], [0, 1], [0, 1]]> : tensor<3x2xi32>
  return
}

// Elements of type i1.
func.func @elements_i1() {
  %operand = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %indices = stablehlo.constant dense<[[2], [0], [1]]> : tensor<3x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  }> : (tensor<3xi1>, tensor<3x1xi32>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[true, true, false]> : tensor<3xi1>
  return
}

// Elements of type ui16.
func.func @elements_ui16() {
  %operand = stablehlo.constant dense<[65535, 1, 2]> : tensor<3xui16>
  %indices = stablehlo.constant dense<[[2], [0], [1]]> : tensor<3x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  }> : (tensor<3xui16>, tensor<3x1xi32>) -> tensor<3xui16>
  check.expect_eq_const %result, dense<[2, 65535, 1]> : tensor<3xui16>
  return
}

// Elements of type f64.
func.func @elements_f64() {
  %operand = stablehlo.constant dense<[1.5, -0.0, 0x7FF0000000000000]> : tensor<3xf64>
  %indices = stablehlo.constant dense<[[2], [0], [1]]> : tensor<3x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  }> : (tensor<3xf64>, tensor<3x1xi32>) -> tensor<3xf64>
  check.expect_eq_const %result, dense<[0x7FF0000000000000, 1.5, -0.0]> : tensor<3xf64>
  return
}

// Elements of type bf16.
func.func @elements_bf16() {
  %operand = stablehlo.constant dense<[0.5, 1.0, 2.0]> : tensor<3xbf16>
  %indices = stablehlo.constant dense<[[2], [0], [1]]> : tensor<3x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  }> : (tensor<3xbf16>, tensor<3x1xi32>) -> tensor<3xbf16>
  check.expect_eq_const %result, dense<[2.0, 0.5, 1.0]> : tensor<3xbf16>
  return
}

// Elements of type complex<f32>.
func.func @elements_complexf32() {
  %operand = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0), (3.0, -1.0)]> : tensor<3xcomplex<f32>>
  %indices = stablehlo.constant dense<[[2], [0], [1]]> : tensor<3x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  }> : (tensor<3xcomplex<f32>>, tensor<3x1xi32>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(3.0, -1.0), (0.0, 1.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}
