// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --split-input-file

// A window that reaches over an empty dimension covers nothing. Buffers without elements take no memory, but a function
// that has them is called with as many arguments as it takes.

func.func @window_of_padding_alone() {
  %operand = stablehlo.constant dense<> : tensor<3x0xi32>
  %source = stablehlo.constant dense<1> : tensor<3x2xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) <{
    window_dimensions = array<i64: 1, 3>,
    padding = dense<[[0, 0], [2, 2]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %at_least = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %at_least : tensor<i1>
    }, {
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
    }) : (tensor<3x0xi32>, tensor<3x2xi32>, tensor<i32>) -> tensor<3x0xi32>
  check.expect_eq_const %0, dense<> : tensor<3x0xi32>
  return
}

// -----

func.func @product_without_elements() {
  %lhs = stablehlo.constant dense<> : tensor<7x0x33x5xi2>
  %rhs = stablehlo.constant dense<1> : tensor<33x2xi2>
  %source = stablehlo.constant dense<1> : tensor<18x4x1x6x2xi2>
  %operand = stablehlo.dot_general %lhs, %rhs, batching_dims = [2] x [0], contracting_dims = [] x []
      : (tensor<7x0x33x5xi2>, tensor<33x2xi2>) -> tensor<33x7x0x5x2xi2>
  %init = stablehlo.constant dense<1> : tensor<i2>
  %0 = "stablehlo.select_and_scatter"(%operand, %source, %init) <{
    window_dimensions = array<i64: 3, 3, 3, 2, 3>,
    window_strides = array<i64: 2, 2, 1, 1, 2>,
    padding = dense<[[2, 2], [1, 2], [2, 1], [1, 1], [1, 2]]> : tensor<5x2xi64>}> ({
    ^bb0(%a: tensor<i2>, %b: tensor<i2>):
      %at_most = stablehlo.compare LE, %a, %b : (tensor<i2>, tensor<i2>) -> tensor<i1>
      stablehlo.return %at_most : tensor<i1>
    }, {
    ^bb0(%a: tensor<i2>, %b: tensor<i2>):
      %both = stablehlo.and %a, %b : tensor<i2>
      stablehlo.return %both : tensor<i2>
    }) : (tensor<33x7x0x5x2xi2>, tensor<18x4x1x6x2xi2>, tensor<i2>) -> tensor<33x7x0x5x2xi2>
  check.expect_eq_const %0, dense<> : tensor<33x7x0x5x2xi2>
  return
}
