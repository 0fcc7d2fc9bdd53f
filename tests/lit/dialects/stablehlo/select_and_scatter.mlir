// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `select_and_scatter`: the gradient of pooling, and other selections.

// Example of the specification.
func.func @specification() {
  %operand = stablehlo.constant dense<[[1, 5], [2, 5], [3, 6], [4, 4]]> : tensor<4x2xi64>
  %source = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %init = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %keep = stablehlo.compare GE, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %keep : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %combined = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %combined : tensor<i64>
  }) : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  check.expect_eq_const %result, dense<[[0, 0], [0, 0], [5, 14], [7, 0]]> : tensor<4x2xi64>
  return
}

// Windows of 2 x 2 that do not overlap.
func.func @windows() {
  %operand = stablehlo.constant dense<[
      [1.0, 2.0, 0.0, 0.0],
      [4.0, 3.0, 0.0, 9.0],
      [5.0, 5.0, -1.0, -2.0],
      [5.0, 5.0, -4.0, -3.0]
    ]> : tensor<4x4xf32>
  %source = stablehlo.constant dense<[[10.0, 20.0], [30.0, 40.0]]> : tensor<2x2xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %keep = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %keep : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %combined = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %combined : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  check.expect_eq_const %result, dense<[
      [0.0, 0.0, 0.0, 0.0],
      [10.0, 0.0, 0.0, 20.0],
      [30.0, 0.0, 40.0, 0.0],
      [0.0, 0.0, 0.0, 0.0]
    ]> : tensor<4x4xf32>
  return
}

// Windows overlap: one element gets the sum of several.
func.func @overlap() {
  %operand = stablehlo.constant dense<[1, 9, 2]> : tensor<3xi32>
  %source = stablehlo.constant dense<[10, 100]> : tensor<2xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %keep = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %keep : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %combined = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %combined : tensor<i32>
  }) : (tensor<3xi32>, tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[0, 110, 0]> : tensor<3xi32>
  return
}

// GT replaces equal elements by later ones.
func.func @last_of_equals() {
  %operand = stablehlo.constant dense<7> : tensor<3xi32>
  %source = stablehlo.constant dense<[5]> : tensor<1xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %keep = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %keep : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %combined = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %combined : tensor<i32>
  }) : (tensor<3xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[0, 0, 5]> : tensor<3xi32>
  return
}

// LE selects the least element.
func.func @minimum() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0.0, 3.0]> : tensor<4xf32>
  %source = stablehlo.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %keep = stablehlo.compare LE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %keep : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %combined = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %combined : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, 5.0, 6.0, 0.0]> : tensor<4xf32>
  return
}

// An initial value that is not neutral, and a product as scatter.
func.func @init_and_multiply() {
  %operand = stablehlo.constant dense<[1, 9, 2]> : tensor<3xi32>
  %source = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
  %init = stablehlo.constant dense<2> : tensor<i32>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %keep = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %keep : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %combined = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %combined : tensor<i32>
  }) : (tensor<3xi32>, tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[2, 30, 2]> : tensor<3xi32>
  return
}

// Padding is not selected, even where all elements are negative.
func.func @padding() {
  %operand = stablehlo.constant dense<[-5.0, -3.0, -4.0]> : tensor<3xf32>
  %source = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %keep = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %keep : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %combined = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %combined : tensor<f32>
  }) : (tensor<3xf32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0, 2.0, 0.0]> : tensor<3xf32>
  return
}

// Nothing to scatter: the initial value everywhere.
func.func @empty_source() {
  %operand = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %source = stablehlo.constant dense<> : tensor<0xf32>
  %init = stablehlo.constant dense<4.0> : tensor<f32>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %keep = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %keep : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %combined = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %combined : tensor<f32>
  }) : (tensor<2xf32>, tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[4.0, 4.0]> : tensor<2xf32>
  return
}

// Signed integers.
func.func @i8() {
  %operand = stablehlo.constant dense<[-1, 1]> : tensor<2xi8>
  %source = stablehlo.constant dense<[7]> : tensor<1xi8>
  %init = stablehlo.constant dense<0> : tensor<i8>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %keep = stablehlo.compare GE, %a, %b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %keep : tensor<i1>
  }, {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %combined = stablehlo.add %a, %b : tensor<i8>
    stablehlo.return %combined : tensor<i8>
  }) : (tensor<2xi8>, tensor<1xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %result, dense<[0, 7]> : tensor<2xi8>
  return
}

// Unsigned integers.
func.func @ui8() {
  %operand = stablehlo.constant dense<[255, 1]> : tensor<2xui8>
  %source = stablehlo.constant dense<[7]> : tensor<1xui8>
  %init = stablehlo.constant dense<0> : tensor<ui8>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %keep = stablehlo.compare GE, %a, %b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %keep : tensor<i1>
  }, {
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %combined = stablehlo.add %a, %b : tensor<ui8>
    stablehlo.return %combined : tensor<ui8>
  }) : (tensor<2xui8>, tensor<1xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<[7, 0]> : tensor<2xui8>
  return
}

// Narrow floats.
func.func @bf16() {
  %operand = stablehlo.constant dense<[0.5, 1.0]> : tensor<2xbf16>
  %source = stablehlo.constant dense<[1.5]> : tensor<1xbf16>
  %init = stablehlo.constant dense<0.0> : tensor<bf16>
  %result = "stablehlo.select_and_scatter"(%operand, %source, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %keep = stablehlo.compare GE, %a, %b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %keep : tensor<i1>
  }, {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %combined = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %combined : tensor<bf16>
  }) : (tensor<2xbf16>, tensor<1xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.5]> : tensor<2xbf16>
  return
}
