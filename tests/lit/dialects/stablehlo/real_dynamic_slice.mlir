// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `real_dynamic_slice`: starts, limits and strides are values.

// The lower right part of a matrix.
func.func @matrix() {
  %operand = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>
  %start = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %limit = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %strides = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %result = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides : (tensor<3x4xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[6, 7], [10, 11]]> : tensor<2x2xi64>
  return
}

// Every second, every third.
func.func @strides() {
  %operand = stablehlo.constant dense<[
      [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
      [7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0],
      [14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0],
      [21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0]
    ]> : tensor<4x7xf32>
  %start = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %limit = stablehlo.constant dense<[4, 7]> : tensor<2xi32>
  %strides = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %result = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides : (tensor<4x7xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[1.0, 4.0], [15.0, 18.0]]> : tensor<2x2xf32>
  return
}

// Start and limit are equal.
func.func @empty() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %start = stablehlo.constant dense<[2]> : tensor<1xi64>
  %limit = stablehlo.constant dense<[2]> : tensor<1xi64>
  %strides = stablehlo.constant dense<[1]> : tensor<1xi64>
  %result = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides : (tensor<3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<0xf32>
  check.expect_eq_const %result, dense<> : tensor<0xf32>
  return
}

// The whole operand.
func.func @all() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %start = stablehlo.constant dense<[0]> : tensor<1xi64>
  %limit = stablehlo.constant dense<[3]> : tensor<1xi64>
  %strides = stablehlo.constant dense<[1]> : tensor<1xi64>
  %result = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides : (tensor<3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return
}

// A stride that is longer than the operand.
func.func @large_stride() {
  %operand = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %start = stablehlo.constant dense<[1]> : tensor<1xi64>
  %limit = stablehlo.constant dense<[3]> : tensor<1xi64>
  %strides = stablehlo.constant dense<[100]> : tensor<1xi64>
  %result = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides : (tensor<3xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi32>
  check.expect_eq_const %result, dense<[2]> : tensor<1xi32>
  return
}

// A scalar.
func.func @scalar() {
  %operand = stablehlo.constant dense<5.0> : tensor<f32>
  %start = stablehlo.constant dense<> : tensor<0xi64>
  %limit = stablehlo.constant dense<> : tensor<0xi64>
  %strides = stablehlo.constant dense<> : tensor<0xi64>
  %result = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides : (tensor<f32>, tensor<0xi64>, tensor<0xi64>, tensor<0xi64>) -> tensor<f32>
  check.expect_eq_const %result, dense<5.0> : tensor<f32>
  return
}

// A result whose shape the type does not tell.
func.func @dynamic_result() {
  %operand = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %start = stablehlo.constant dense<[1]> : tensor<1xi32>
  %limit = stablehlo.constant dense<[4]> : tensor<1xi32>
  %strides = stablehlo.constant dense<[1]> : tensor<1xi32>
  %result = stablehlo.real_dynamic_slice %operand, %start, %limit, %strides : (tensor<5xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  %shape = stablehlo.constant dense<[3]> : tensor<1xi64>
  %static = stablehlo.dynamic_reshape %result, %shape : (tensor<?xi32>, tensor<1xi64>) -> tensor<3xi32>
  check.expect_eq_const %static, dense<[1, 2, 3]> : tensor<3xi32>
  return
}
