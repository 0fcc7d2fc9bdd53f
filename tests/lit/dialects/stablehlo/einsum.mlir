// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `einsum`: sums over the labels that the result does not have.

// Matrix product.
func.func @product() {
  %lhs = stablehlo.constant dense<[[3.0, -4.0, -3.0], [-2.0, -3.0, 3.0]]> : tensor<2x3xf32>
  %rhs = stablehlo.constant dense<[[2.0, 4.0], [3.0, 0.0], [4.0, 4.0]]> : tensor<3x2xf32>
  %result = "stablehlo.einsum"(%lhs, %rhs) <{einsum_config = "ij,jk->ik"}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[-18.0, 0.0], [-1.0, 4.0]]> : tensor<2x2xf32>
  return
}

// The result is transposed.
func.func @transposed_result() {
  %lhs = stablehlo.constant dense<[[3, -4, -3], [-2, -3, 3]]> : tensor<2x3xi32>
  %rhs = stablehlo.constant dense<[[2, 4], [3, 0], [4, 4]]> : tensor<3x2xi32>
  %result = "stablehlo.einsum"(%lhs, %rhs) <{einsum_config = "ij,jk->ki"}> : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[-18, -1], [0, 4]]> : tensor<2x2xi32>
  return
}

// A batch of products.
func.func @batch() {
  %lhs = stablehlo.constant dense<[[[3, -4, -3], [-2, -3, 3]], [[3, 1, -4], [-4, -2, -1]]]> : tensor<2x2x3xi32>
  %rhs = stablehlo.constant dense<[[[2], [4], [3]], [[0], [4], [4]]]> : tensor<2x3x1xi32>
  %result = "stablehlo.einsum"(%lhs, %rhs) <{einsum_config = "bij,bjk->bik"}> : (tensor<2x2x3xi32>, tensor<2x3x1xi32>) -> tensor<2x2x1xi32>
  check.expect_eq_const %result, dense<[[[-19], [-7]], [[-12], [-12]]]> : tensor<2x2x1xi32>
  return
}

// Outer product.
func.func @outer() {
  %lhs = stablehlo.constant dense<[3.0, -4.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[2.0, 4.0, 3.0]> : tensor<3xf32>
  %result = "stablehlo.einsum"(%lhs, %rhs) <{einsum_config = "i,j->ij"}> : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  check.expect_eq_const %result, dense<[[6.0, 12.0, 9.0], [-8.0, -16.0, -12.0]]> : tensor<2x3xf32>
  return
}

// Inner product.
func.func @inner() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %rhs = stablehlo.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %result = "stablehlo.einsum"(%lhs, %rhs) <{einsum_config = "i,i->"}> : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  check.expect_eq_const %result, dense<32.0> : tensor<f32>
  return
}

// A label of one operand that the result does not have is summed.
func.func @sum_of_free_label() {
  %lhs = stablehlo.constant dense<[[3, -4, -3], [-2, -3, 3]]> : tensor<2x3xi32>
  %rhs = stablehlo.constant dense<[[2, 4], [3, 0], [4, 4]]> : tensor<3x2xi32>
  %result = "stablehlo.einsum"(%lhs, %rhs) <{einsum_config = "ij,jk->i"}> : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[-18, 3]> : tensor<2xi32>
  return
}

// A product by elements.
func.func @hadamard() {
  %lhs = stablehlo.constant dense<[[3, -4], [-3, -2]]> : tensor<2x2xi32>
  %rhs = stablehlo.constant dense<[[2, 4], [3, 0]]> : tensor<2x2xi32>
  %result = "stablehlo.einsum"(%lhs, %rhs) <{einsum_config = "ij,ij->ij"}> : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[6, -16], [-9, 0]]> : tensor<2x2xi32>
  return
}

// `...` stands for the leading dimensions.
func.func @ellipsis() {
  %lhs = stablehlo.constant dense<[[[[3, -4], [-3, -2]]], [[[-3, 3], [3, 1]]]]> : tensor<2x1x2x2xi32>
  %rhs = stablehlo.constant dense<[[[[2, 4, 3], [0, 4, 4]]], [[[4, -4, 0], [1, -2, -1]]]]> : tensor<2x1x2x3xi32>
  %result = "stablehlo.einsum"(%lhs, %rhs) <{einsum_config = "...ij,...jk->...ik"}> : (tensor<2x1x2x2xi32>, tensor<2x1x2x3xi32>) -> tensor<2x1x2x3xi32>
  check.expect_eq_const %result, dense<[[[[6, -4, -7], [-6, -20, -17]]], [[[-9, 6, -3], [13, -14, -1]]]]> : tensor<2x1x2x3xi32>
  return
}

// Complex numbers.
func.func @complex() {
  %lhs = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(0.0, 1.0), (3.0, 0.0)]> : tensor<2xcomplex<f32>>
  %result = "stablehlo.einsum"(%lhs, %rhs) <{einsum_config = "i,i->"}> : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<complex<f32>>
  check.expect_eq_const %result, dense<(5.0, 0.0)> : tensor<complex<f32>>
  return
}
