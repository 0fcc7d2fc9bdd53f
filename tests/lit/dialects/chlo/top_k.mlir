// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.top_k`: the k greatest elements of the last dimension and their places.

// A vector.
func.func @vector() {
  %operand = stablehlo.constant dense<[3.0, 1.0, 4.0, 1.5, 5.0]> : tensor<5xf32>
  %values, %places = chlo.top_k(%operand, k = 3) : tensor<5xf32> -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %values, dense<[5.0, 4.0, 3.0]> : tensor<3xf32>
  check.expect_eq_const %places, dense<[4, 2, 0]> : tensor<3xi32>
  return
}

// Of equal elements the first comes first.
func.func @ties() {
  %operand = stablehlo.constant dense<[7, 9, 7, 9, 7]> : tensor<5xi32>
  %values, %places = chlo.top_k(%operand, k = 4) : tensor<5xi32> -> (tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %values, dense<[9, 9, 7, 7]> : tensor<4xi32>
  check.expect_eq_const %places, dense<[1, 3, 0, 2]> : tensor<4xi32>
  return
}

// Rows of a matrix.
func.func @rows() {
  %operand = stablehlo.constant dense<[[1, 3, 2], [6, 5, 4]]> : tensor<2x3xi32>
  %values, %places = chlo.top_k(%operand, k = 1) : tensor<2x3xi32> -> (tensor<2x1xi32>, tensor<2x1xi32>)
  check.expect_eq_const %values, dense<[[3], [6]]> : tensor<2x1xi32>
  check.expect_eq_const %places, dense<[[1], [0]]> : tensor<2x1xi32>
  return
}

// All elements: sorted.
func.func @all() {
  %operand = stablehlo.constant dense<[-1.0, -3.0, -2.0]> : tensor<3xf64>
  %values, %places = chlo.top_k(%operand, k = 3) : tensor<3xf64> -> (tensor<3xf64>, tensor<3xi32>)
  check.expect_eq_const %values, dense<[-1.0, -2.0, -3.0]> : tensor<3xf64>
  check.expect_eq_const %places, dense<[0, 2, 1]> : tensor<3xi32>
  return
}

// No element.
func.func @none() {
  %operand = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %values, %places = chlo.top_k(%operand, k = 0) : tensor<2x3xf32> -> (tensor<2x0xf32>, tensor<2x0xi32>)
  check.expect_eq_const %values, dense<> : tensor<2x0xf32>
  check.expect_eq_const %places, dense<> : tensor<2x0xi32>
  return
}

// Unsigned integers.
func.func @unsigned() {
  %operand = stablehlo.constant dense<[1, 200, 100]> : tensor<3xui8>
  %values, %places = chlo.top_k(%operand, k = 2) : tensor<3xui8> -> (tensor<2xui8>, tensor<2xi32>)
  check.expect_eq_const %values, dense<[200, 100]> : tensor<2xui8>
  check.expect_eq_const %places, dense<[1, 2]> : tensor<2xi32>
  return
}

// NaN is greatest, infinities follow.
func.func @nan() {
  %operand = stablehlo.constant dense<[1.0, 0x7F800000, 0x7FC00000, 0xFF800000]> : tensor<4xf32>
  %values, %places = chlo.top_k(%operand, k = 3) : tensor<4xf32> -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %values, dense<[0x7FC00000, 0x7F800000, 1.0]> : tensor<3xf32>
  check.expect_eq_const %places, dense<[2, 1, 0]> : tensor<3xi32>
  return
}

// Narrow floats.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.0, 2.0, 1.5]> : tensor<3xbf16>
  %values, %places = chlo.top_k(%operand, k = 2) : tensor<3xbf16> -> (tensor<2xbf16>, tensor<2xi32>)
  check.expect_eq_const %values, dense<[2.0, 1.5]> : tensor<2xbf16>
  check.expect_eq_const %places, dense<[1, 2]> : tensor<2xi32>
  return
}
