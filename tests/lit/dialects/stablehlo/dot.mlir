// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `dot`: the last dimension of lhs with the first of rhs.

// Matrix times matrix.
func.func @matrices() {
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %rhs = stablehlo.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %result = stablehlo.dot %lhs, %rhs : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[19.0, 22.0], [43.0, 50.0]]> : tensor<2x2xf32>
  return
}

// Matrix times vector.
func.func @matrix_vector() {
  %lhs = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %rhs = stablehlo.constant dense<[1, 0, -1]> : tensor<3xi32>
  %result = stablehlo.dot %lhs, %rhs : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[-2, -2]> : tensor<2xi32>
  return
}

// Vector times matrix.
func.func @vector_matrix() {
  %lhs = stablehlo.constant dense<[1, -1]> : tensor<2xi64>
  %rhs = stablehlo.constant dense<[[1, 2, 3], [4, 5, 7]]> : tensor<2x3xi64>
  %result = stablehlo.dot %lhs, %rhs : (tensor<2xi64>, tensor<2x3xi64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[-3, -3, -4]> : tensor<3xi64>
  return
}

// Vector times vector.
func.func @vectors() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %rhs = stablehlo.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf64>
  %result = stablehlo.dot %lhs, %rhs : (tensor<3xf64>, tensor<3xf64>) -> tensor<f64>
  check.expect_eq_const %result, dense<32.0> : tensor<f64>
  return
}

// Nothing to sum.
func.func @empty() {
  %lhs = stablehlo.constant dense<> : tensor<0xf32>
  %rhs = stablehlo.constant dense<> : tensor<0xf32>
  %result = stablehlo.dot %lhs, %rhs : (tensor<0xf32>, tensor<0xf32>) -> tensor<f32>
  check.expect_eq_const %result, dense<0.0> : tensor<f32>
  return
}

// Complex numbers, not conjugated.
func.func @complex() {
  %lhs = stablehlo.constant dense<[(0.0, 1.0)]> : tensor<1xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(0.0, 1.0)]> : tensor<1xcomplex<f32>>
  %result = stablehlo.dot %lhs, %rhs : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %result, dense<(-1.0, 0.0)> : tensor<complex<f32>>
  return
}

// With a precision.
func.func @precision() {
  %lhs = stablehlo.constant dense<[3.0]> : tensor<1xf32>
  %rhs = stablehlo.constant dense<[4.0]> : tensor<1xf32>
  %result = stablehlo.dot %lhs, %rhs, precision = [HIGHEST, HIGHEST] : (tensor<1xf32>, tensor<1xf32>) -> tensor<f32>
  check.expect_eq_const %result, dense<12.0> : tensor<f32>
  return
}

// A wider result.
func.func @i8_to_i32() {
  %lhs = stablehlo.constant dense<[127, 127]> : tensor<2xi8>
  %rhs = stablehlo.constant dense<[127, 127]> : tensor<2xi8>
  %result = stablehlo.dot %lhs, %rhs : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>
  check.expect_eq_const %result, dense<32258> : tensor<i32>
  return
}
