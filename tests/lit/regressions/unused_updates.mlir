// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --split-input-file

// An update that nobody reads leaves the tensor it would have changed alone.

func.func @scatter_of_a_tensor_that_is_read() {
  %zeros = stablehlo.constant dense<[0, 1, 2]> : tensor<3xui16>
  %tensor = stablehlo.count_leading_zeros %zeros : tensor<3xui16>
  %indices = stablehlo.constant dense<[[1]]> : tensor<1x1xi32>
  %updates = stablehlo.constant dense<[5]> : tensor<1xui16>
  %unused = "stablehlo.scatter"(%tensor, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<ui16>, %b: tensor<ui16>):
      %sum = stablehlo.add %a, %b : tensor<ui16>
      stablehlo.return %sum : tensor<ui16>
    }) : (tensor<3xui16>, tensor<1x1xi32>, tensor<1xui16>) -> tensor<3xui16>
  check.expect_eq_const %tensor, dense<[16, 15, 14]> : tensor<3xui16>
  return
}

// -----

func.func @argument() {
  %x = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
  %start = stablehlo.constant dense<0> : tensor<i32>
  %new = stablehlo.constant dense<7> : tensor<1x1xi64>
  %init = stablehlo.constant dense<0> : tensor<i64>
  %updated = stablehlo.dynamic_update_slice %x, %new, %start, %start : (tensor<1x3xi64>, tensor<1x1xi64>, tensor<i32>, tensor<i32>) -> tensor<1x3xi64>
  %only_padding = "stablehlo.reduce_window"(%updated, %init) <{
      window_dimensions = array<i64: 1, 1>,
      base_dilations = array<i64: 1, 2>,
      window_dilations = array<i64: 1, 1>,
      window_strides = array<i64: 1, 2>,
      padding = dense<[[0, 0], [-1, -3]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<i64>, %b: tensor<i64>):
      %either = stablehlo.or %a, %b : tensor<i64>
      stablehlo.return %either : tensor<i64>
    }) : (tensor<1x3xi64>, tensor<i64>) -> tensor<1x1xi64>
  %reversed = stablehlo.reverse %x, dims = [1] : tensor<1x3xi64>
  check.expect_eq_const %reversed, dense<[[3, 2, 1]]> : tensor<1x3xi64>
  check.expect_eq_const %only_padding, dense<0> : tensor<1x1xi64>
  return
}
