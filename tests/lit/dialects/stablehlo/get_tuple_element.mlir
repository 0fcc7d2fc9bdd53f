// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `get_tuple_element`: one element of a tuple, by its index.

// Each of three elements of different rank and type, out of order.
func.func @by_index() {
  %a = stablehlo.constant dense<7> : tensor<i8>
  %b = stablehlo.constant dense<[[1.5], [-0.0]]> : tensor<2x1xf32>
  %c = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %all = stablehlo.tuple %a, %b, %c : tuple<tensor<i8>, tensor<2x1xf32>, tensor<2xi1>>
  %third = stablehlo.get_tuple_element %all[2] : (tuple<tensor<i8>, tensor<2x1xf32>, tensor<2xi1>>) -> tensor<2xi1>
  %first = stablehlo.get_tuple_element %all[0] : (tuple<tensor<i8>, tensor<2x1xf32>, tensor<2xi1>>) -> tensor<i8>
  %second = stablehlo.get_tuple_element %all[1] : (tuple<tensor<i8>, tensor<2x1xf32>, tensor<2xi1>>) -> tensor<2x1xf32>
  check.expect_eq_const %third, dense<[true, false]> : tensor<2xi1>
  check.expect_eq_const %first, dense<7> : tensor<i8>
  check.expect_eq_const %second, dense<[[1.5], [-0.0]]> : tensor<2x1xf32>
  return
}

// An element without elements.
func.func @empty_tensor() {
  %a = stablehlo.constant dense<> : tensor<0x3xf64>
  %one = stablehlo.tuple %a : tuple<tensor<0x3xf64>>
  %same = stablehlo.get_tuple_element %one[0] : (tuple<tensor<0x3xf64>>) -> tensor<0x3xf64>
  check.expect_eq_const %same, dense<> : tensor<0x3xf64>
  return
}
