// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --split-input-file

// The updates of a scatter are its operand: what has been updated already is not read as an update.
func.func @scatter_of_itself() {
  %start = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %x = stablehlo.negate %start : tensor<3xf64>
  %indices = stablehlo.constant dense<[[1], [2], [0]]> : tensor<3x1xi64>
  %sum = "stablehlo.scatter"(%x, %indices, %x) <{
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f64>, %b: tensor<f64>):
      %0 = stablehlo.add %a, %b : tensor<f64>
      stablehlo.return %0 : tensor<f64>
    }) : (tensor<3xf64>, tensor<3x1xi64>, tensor<3xf64>) -> tensor<3xf64>
  check.expect_eq_const %sum, dense<[-4.0, -3.0, -5.0]> : tensor<3xf64>
  return
}

// -----

func.func @slice_of_itself() {
  %start = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %x = stablehlo.negate %start : tensor<3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %same = stablehlo.dynamic_update_slice %x, %x, %zero : (tensor<3xi32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %same, dense<[-1, -2, -3]> : tensor<3xi32>
  return
}

// -----

// Several operands of a scatter are one tensor.
func.func @scatter_into_one_tensor_twice() {
  %start = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi4>
  %x = stablehlo.negate %start : tensor<3xi4>
  %index = stablehlo.constant dense<[1]> : tensor<1xi64>
  %a = stablehlo.constant dense<4> : tensor<i4>
  %b = stablehlo.constant dense<5> : tensor<i4>
  %r:2 = "stablehlo.scatter"(%x, %x, %index, %a, %b) <{
    scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0]>}> ({
    ^bb0(%0: tensor<i4>, %1: tensor<i4>, %2: tensor<i4>, %3: tensor<i4>):
      stablehlo.return %2, %3 : tensor<i4>, tensor<i4>
    }) : (tensor<3xi4>, tensor<3xi4>, tensor<1xi64>, tensor<i4>, tensor<i4>) -> (tensor<3xi4>, tensor<3xi4>)
  check.expect_eq_const %r#0, dense<[-1, 4, -3]> : tensor<3xi4>
  check.expect_eq_const %r#1, dense<[-1, 5, -3]> : tensor<3xi4>
  return
}
