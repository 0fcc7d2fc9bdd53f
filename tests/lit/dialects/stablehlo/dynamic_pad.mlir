// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `dynamic_pad`: padding that is a value, of any sign.

// Example of the specification: all three kinds of padding.
func.func @specification() {
  %operand = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %value = stablehlo.constant dense<0> : tensor<i64>
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %high = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
  %interior = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %result = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<2x3xi64>, tensor<i64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<5x9xi64>
  check.expect_eq_const %result, dense<[
      [0, 1, 0, 0, 2, 0, 0, 3, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0, 4, 0, 0, 5, 0, 0, 6, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 0]
    ]> : tensor<5x9xi64>
  return
}

// Another value.
func.func @value() {
  %operand = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %value = stablehlo.constant dense<7.0> : tensor<f32>
  %low = stablehlo.constant dense<[1]> : tensor<1xi32>
  %high = stablehlo.constant dense<[2]> : tensor<1xi32>
  %interior = stablehlo.constant dense<[0]> : tensor<1xi32>
  %result = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<2xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xf32>
  check.expect_eq_const %result, dense<[7.0, 1.0, 2.0, 7.0, 7.0]> : tensor<5xf32>
  return
}

// Negative padding removes elements.
func.func @negative() {
  %operand = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %low = stablehlo.constant dense<[-1]> : tensor<1xi64>
  %high = stablehlo.constant dense<[-2]> : tensor<1xi64>
  %interior = stablehlo.constant dense<[0]> : tensor<1xi64>
  %result = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<5xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi32>
  return
}

// Interior padding comes first, then elements are removed, padding among them.
func.func @negative_after_interior() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %value = stablehlo.constant dense<9> : tensor<i32>
  %low = stablehlo.constant dense<[-1]> : tensor<1xi64>
  %high = stablehlo.constant dense<[-1]> : tensor<1xi64>
  %interior = stablehlo.constant dense<[1]> : tensor<1xi64>
  %result = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<3xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[9, 2, 9]> : tensor<3xi32>
  return
}

// Padding in front, removal behind.
func.func @mixed_signs() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %value = stablehlo.constant dense<0> : tensor<i32>
  %low = stablehlo.constant dense<[2]> : tensor<1xi64>
  %high = stablehlo.constant dense<[-2]> : tensor<1xi64>
  %interior = stablehlo.constant dense<[0]> : tensor<1xi64>
  %result = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<3xi32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[0, 0, 1]> : tensor<3xi32>
  return
}

// An empty operand is filled.
func.func @empty_operand() {
  %operand = stablehlo.constant dense<> : tensor<0xf32>
  %value = stablehlo.constant dense<4.0> : tensor<f32>
  %low = stablehlo.constant dense<[1]> : tensor<1xi64>
  %high = stablehlo.constant dense<[1]> : tensor<1xi64>
  %interior = stablehlo.constant dense<[3]> : tensor<1xi64>
  %result = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<0xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[4.0, 4.0]> : tensor<2xf32>
  return
}

// No padding.
func.func @nothing() {
  %operand = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %value = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<[0]> : tensor<1xi64>
  %high = stablehlo.constant dense<[0]> : tensor<1xi64>
  %interior = stablehlo.constant dense<[0]> : tensor<1xi64>
  %result = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

// A scalar has no dimensions to pad.
func.func @scalar() {
  %operand = stablehlo.constant dense<3.0> : tensor<f32>
  %value = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<> : tensor<0xi64>
  %high = stablehlo.constant dense<> : tensor<0xi64>
  %interior = stablehlo.constant dense<> : tensor<0xi64>
  %result = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<f32>, tensor<f32>, tensor<0xi64>, tensor<0xi64>, tensor<0xi64>) -> tensor<f32>
  check.expect_eq_const %result, dense<3.0> : tensor<f32>
  return
}

// A result whose shape the type does not tell.
func.func @dynamic_result() {
  %operand = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %value = stablehlo.constant dense<5> : tensor<i32>
  %low = stablehlo.constant dense<[1]> : tensor<1xi32>
  %high = stablehlo.constant dense<[1]> : tensor<1xi32>
  %interior = stablehlo.constant dense<[0]> : tensor<1xi32>
  %result = stablehlo.dynamic_pad %operand, %value, %low, %high, %interior : (tensor<2xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  %shape = stablehlo.constant dense<[4]> : tensor<1xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<?xi32>, tensor<1xi64>) -> tensor<4xi32>
  check.expect_eq_const %static, dense<[5, 1, 2, 5]> : tensor<4xi32>
  return
}
