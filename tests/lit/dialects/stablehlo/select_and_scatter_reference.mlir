// RUN: xla-run %s --engine reference --split-input-file

// `select_and_scatter`: the gradient of pooling, and other selections.
// These cases run on the reference interpreter only.

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
