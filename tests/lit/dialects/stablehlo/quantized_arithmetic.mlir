// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --split-input-file

// Ops on quantised tensors: as on the real numbers, with operands dequantised and results quantised.

// 1 + 0.25, -2 + 1 and 60 + 20; the last saturates.
func.func @add() {
  %x = stablehlo.constant dense<[1.0, -2.0, 60.0]> : tensor<3xf32>
  %y = stablehlo.constant dense<[0.25, 1.0, 20.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %b = stablehlo.uniform_quantize %y : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.add %a, %b : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[2, -2, 127]> : tensor<3xi8>
  return
}

// Subtraction.
func.func @subtract() {
  %x = stablehlo.constant dense<[1.0, -2.0, 60.0]> : tensor<3xf32>
  %y = stablehlo.constant dense<[0.25, 1.0, -20.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %b = stablehlo.uniform_quantize %y : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.subtract %a, %b : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[2, -6, 127]> : tensor<3xi8>
  return
}

// Multiplication.
func.func @multiply() {
  %x = stablehlo.constant dense<[1.0, -2.0, 4.0]> : tensor<3xf32>
  %y = stablehlo.constant dense<[0.5, 1.5, -3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %b = stablehlo.uniform_quantize %y : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.multiply %a, %b : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[1, -6, -24]> : tensor<3xi8>
  return
}

// Maximum.
func.func @maximum() {
  %x = stablehlo.constant dense<[1.0, -2.0, 0.0]> : tensor<3xf32>
  %y = stablehlo.constant dense<[0.5, 1.5, -3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %b = stablehlo.uniform_quantize %y : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.25:-2>>
  %result = stablehlo.maximum %a, %b : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.25:-2>>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[2, 3, 0]> : tensor<3xi8>
  return
}

// One operand.
func.func @negate() {
  %x = stablehlo.constant dense<[1.0, -2.0, 0.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.negate %a : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  %stored = stablehlo.bitcast_convert %result : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[-2, 4, 0]> : tensor<3xi8>
  return
}

// A function that is not linear: tanh 1 = 0.76, in steps of 1/128.
func.func @tanh() {
  %x = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.tanh %a : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 7.8125e-3>>
  %stored = stablehlo.bitcast_convert %result : (tensor<2x!quant.uniform<i8:f32, 7.8125e-3>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[97, -97]> : tensor<2xi8>
  return
}

// Comparisons give booleans.
func.func @compare() {
  %x = stablehlo.constant dense<[1.0, -2.0, 3.0]> : tensor<3xf32>
  %y = stablehlo.constant dense<[1.0, 0.0, -3.0]> : tensor<3xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %b = stablehlo.uniform_quantize %y : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 0.5:1>>
  %result = stablehlo.compare GE, %a, %b : (tensor<3x!quant.uniform<i8:f32, 0.5:1>>, tensor<3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<3xi1>
  check.expect_eq_const %result, dense<[true, false, true]> : tensor<3xi1>
  return
}

// Ops that move elements keep what is stored.
func.func @moved() {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %transposed = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %flat = stablehlo.reshape %transposed : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %flat : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xi8>
  check.expect_eq_const %stored, dense<[3, 7, 5, 9]> : tensor<4xi8>
  return
}

// A product with weights quantised along their columns.
func.func @per_axis() {
  %x = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %w = stablehlo.constant dense<[[1.0, 0.5], [3.0, -0.25]]> : tensor<2x2xf32>
  %a = stablehlo.uniform_quantize %x : (tensor<1x2xf32>) -> tensor<1x2x!quant.uniform<i8:f32, 0.5>>
  %b = stablehlo.uniform_quantize %w : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:1, {1.0, 0.25}>>
  %result = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32:1, {1.0, 0.25}>>) -> tensor<1x2x!quant.uniform<i32:f32:1, {0.5, 0.125}>>
  %stored = stablehlo.bitcast_convert %result : (tensor<1x2x!quant.uniform<i32:f32:1, {0.5, 0.125}>>) -> tensor<1x2xi32>
  check.expect_eq_const %stored, dense<[[14, 0]]> : tensor<1x2xi32>
  return
}

// Real activations, quantised weights.
func.func @hybrid() {
  %x = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %w = stablehlo.constant dense<[[1.5], [-2.0]]> : tensor<2x1xf32>
  %b = stablehlo.uniform_quantize %w : (tensor<2x1xf32>) -> tensor<2x1x!quant.uniform<i8:f32, 0.5>>
  %result = stablehlo.dot_general %x, %b, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x1x!quant.uniform<i8:f32, 0.5>>) -> tensor<1x1xf32>
  check.expect_eq_const %result, dense<[[-2.5]]> : tensor<1x1xf32>
  return
}

// A sum of quantised elements.
func.func @reduce() {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0, -0.5]> : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  %z = stablehlo.uniform_quantize %zero : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  %result = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%l: tensor<!quant.uniform<i8:f32, 0.5>>, %r: tensor<!quant.uniform<i8:f32, 0.5>>):
    %sum = stablehlo.add %l, %r : tensor<!quant.uniform<i8:f32, 0.5>>
    stablehlo.return %sum : tensor<!quant.uniform<i8:f32, 0.5>>
  }) : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  %real = stablehlo.uniform_dequantize %result : (tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<f32>
  check.expect_eq_const %real, dense<5.5> : tensor<f32>
  return
}
