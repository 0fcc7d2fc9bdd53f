// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0

// `tuple` and `get_tuple_element`.

// The elements of a tuple.
func.func @elements() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<3> : tensor<i32>
  %pair = stablehlo.tuple %a, %b : tuple<tensor<2xf32>, tensor<i32>>
  %first = stablehlo.get_tuple_element %pair[0] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
  %second = stablehlo.get_tuple_element %pair[1] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %first, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %second, dense<3> : tensor<i32>
  return
}

// A tuple in a tuple, and an empty one.
func.func @nested() {
  %a = stablehlo.constant dense<3> : tensor<i32>
  %empty = stablehlo.tuple : tuple<>
  %inner = stablehlo.tuple %a : tuple<tensor<i32>>
  %outer = stablehlo.tuple %empty, %inner : tuple<tuple<>, tuple<tensor<i32>>>
  %inner_again = stablehlo.get_tuple_element %outer[1] : (tuple<tuple<>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
  %element = stablehlo.get_tuple_element %inner_again[0] : (tuple<tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %element, dense<3> : tensor<i32>
  return
}

// A token is an element like any other.
func.func @token() {
  %a = stablehlo.constant dense<3> : tensor<i32>
  %token = stablehlo.create_token : !stablehlo.token
  %pair = stablehlo.tuple %token, %a : tuple<!stablehlo.token, tensor<i32>>
  %same = stablehlo.get_tuple_element %pair[0] : (tuple<!stablehlo.token, tensor<i32>>) -> !stablehlo.token
  %all = stablehlo.after_all %same, %token : !stablehlo.token
  %element = stablehlo.get_tuple_element %pair[1] : (tuple<!stablehlo.token, tensor<i32>>) -> tensor<i32>
  check.expect_eq_const %element, dense<3> : tensor<i32>
  return
}
