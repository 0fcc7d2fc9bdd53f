// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `torch_index_select`: the elements of one dimension that a list names.

// Rows, one of them twice.
func.func @rows() {
  %operand = stablehlo.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %index = stablehlo.constant dense<[2, 0, 2]> : tensor<3xi32>
  %result = "stablehlo.torch_index_select"(%operand, %index) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<3x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  check.expect_eq_const %result, dense<[[4.0, 5.0], [0.0, 1.0], [4.0, 5.0]]> : tensor<3x2xf32>
  return
}

// Columns.
func.func @columns() {
  %operand = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %index = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %result = "stablehlo.torch_index_select"(%operand, %index) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[2, 1], [5, 4]]> : tensor<2x2xi32>
  return
}

// An index of its own for each batch.
func.func @batch() {
  %operand = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %index = stablehlo.constant dense<[[2, 1], [0, 0]]> : tensor<2x2xi32>
  %result = "stablehlo.torch_index_select"(%operand, %index) <{dim = 1 : i64, batch_dims = 1 : i64}> : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[2, 1], [3, 3]]> : tensor<2x2xi32>
  return
}

// The selected dimension after a batching one and before another.
func.func @batch_of_rows() {
  %operand = stablehlo.constant dense<[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]> : tensor<2x2x2xi32>
  %index = stablehlo.constant dense<[[1], [0]]> : tensor<2x1xi32>
  %result = "stablehlo.torch_index_select"(%operand, %index) <{dim = 1 : i64, batch_dims = 1 : i64}> : (tensor<2x2x2xi32>, tensor<2x1xi32>) -> tensor<2x1x2xi32>
  check.expect_eq_const %result, dense<[[[2, 3]], [[4, 5]]]> : tensor<2x1x2xi32>
  return
}

// An index with two dimensions puts both in the place of the selected one.
func.func @index_of_rank_two() {
  %operand = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi32>
  %index = stablehlo.constant dense<[[0, 1], [2, 0]]> : tensor<2x2xi32>
  %result = "stablehlo.torch_index_select"(%operand, %index) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<3x2xi32>, tensor<2x2xi32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %result, dense<[[[0, 1], [2, 3]], [[4, 5], [0, 1]]]> : tensor<2x2x2xi32>
  return
}

// Nothing is selected.
func.func @empty() {
  %operand = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %index = stablehlo.constant dense<> : tensor<0xi32>
  %result = "stablehlo.torch_index_select"(%operand, %index) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<2x3xf32>, tensor<0xi32>) -> tensor<2x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0xf32>
  return
}
