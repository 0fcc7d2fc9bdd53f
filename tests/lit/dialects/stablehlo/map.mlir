// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `map`: a body for every element.

// Example of the specification.
func.func @multiply() {
  %a = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %b = stablehlo.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>
  %result = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %c = stablehlo.multiply %x, %y : tensor<i64>
    stablehlo.return %c : tensor<i64>
  }) : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[0, 1], [4, 9]]> : tensor<2x2xi64>
  return
}

// One operand.
func.func @one_operand() {
  %a = stablehlo.constant dense<[1.0, 4.0, 9.0]> : tensor<3xf32>
  %result = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    %c = stablehlo.sqrt %x : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return
}

// Three operands of different types.
func.func @three_operands() {
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %result = "stablehlo.map"(%p, %a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<f32>, %z: tensor<f32>):
    %c = stablehlo.select %x, %y, %z : tensor<i1>, tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[1.0, 4.0]> : tensor<2xf32>
  return
}

// A result of another type.
func.func @result_type() {
  %a = stablehlo.constant dense<[1.5, -2.5]> : tensor<2xf32>
  %result = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    %c = stablehlo.convert %x : (tensor<f32>) -> tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<2xf32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[1, -2]> : tensor<2xi32>
  return
}

// A body that ignores its arguments.
func.func @constant_body() {
  %a = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %result = "stablehlo.map"(%a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>):
    %c = stablehlo.constant dense<7> : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<7> : tensor<2x3xi32>
  return
}

// A scalar.
func.func @scalar() {
  %a = stablehlo.constant dense<2.0> : tensor<f32>
  %result = "stablehlo.map"(%a) <{dimensions = array<i64>}> ({
  ^bb0(%x: tensor<f32>):
    %c = stablehlo.negate %x : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>
  check.expect_eq_const %result, dense<-2.0> : tensor<f32>
  return
}

// No element.
func.func @empty() {
  %a = stablehlo.constant dense<> : tensor<0x2xf32>
  %result = "stablehlo.map"(%a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>):
    %c = stablehlo.negate %x : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<0x2xf32>) -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}

// Control flow in the body: each element halves until it is odd.
func.func @control_flow() {
  %a = stablehlo.constant dense<[12, 7, -6, 1]> : tensor<4xi32>
  %result = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>):
    %two = stablehlo.constant dense<2> : tensor<i32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %odd = stablehlo.while(%v = %x) : tensor<i32>
      cond {
        %rest = stablehlo.remainder %v, %two : tensor<i32>
        %even = stablehlo.compare EQ, %rest, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %even : tensor<i1>
      } do {
        %half = stablehlo.divide %v, %two : tensor<i32>
        stablehlo.return %half : tensor<i32>
      }
    stablehlo.return %odd : tensor<i32>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[3, 7, -3, 1]> : tensor<4xi32>
  return
}
