// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.constant` and `chlo.constant_like`.

// A constant.
func.func @constant() {
  %result = chlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi32>
  return
}

// A number in the shape of the operand.
func.func @floats() {
  %x = stablehlo.constant dense<0.0> : tensor<2x2xf32>
  %result = "chlo.constant_like"(%x) <{value = 1.500000e+00 : f32}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<1.5> : tensor<2x2xf32>
  return
}

// A number in the shape of the operand.
func.func @integers() {
  %x = stablehlo.constant dense<0> : tensor<3xi32>
  %result = "chlo.constant_like"(%x) <{value = 7 : i32}> : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<7> : tensor<3xi32>
  return
}

// A number in the shape of the operand.
func.func @scalar() {
  %x = stablehlo.constant dense<0.0> : tensor<f64>
  %result = "chlo.constant_like"(%x) <{value = -2.5 : f64}> : (tensor<f64>) -> tensor<f64>
  check.expect_eq_const %result, dense<-2.5> : tensor<f64>
  return
}
