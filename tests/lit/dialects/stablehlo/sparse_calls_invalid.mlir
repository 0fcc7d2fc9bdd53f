// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @too_few(%e: tensor<5xf32>, %p: tensor<4xi32>, %d: tensor<6xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{expected 4 tensors and 1 result, got}}
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %p, %d) : (tensor<5xf32>, tensor<4xi32>, tensor<6xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----
func.func @types(%e: tensor<5xf32>, %p: tensor<4xi32>, %c: tensor<5xi32>, %d: tensor<6xf64>) -> tensor<3xf32> {
  // expected-error @+1 {{expected numbers of one type}}
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %p, %c, %d) : (tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<6xf64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----
func.func @indices(%e: tensor<5xf32>, %p: tensor<4xi32>, %c: tensor<5xi64>, %d: tensor<6xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{expected ends and columns of integers}}
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %p, %c, %d) : (tensor<5xf32>, tensor<4xi32>, tensor<5xi64>, tensor<6xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----
func.func @rows(%e: tensor<5xf32>, %p: tensor<0xi32>, %c: tensor<5xi32>, %d: tensor<6xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{expected a matrix of compressed rows}}
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %p, %c, %d) : (tensor<5xf32>, tensor<0xi32>, tensor<5xi32>, tensor<6xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----
func.func @result(%e: tensor<5xf32>, %p: tensor<4xi32>, %c: tensor<5xi32>, %d: tensor<6x2xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{expected a result of shape (3, 2), got}}
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%e, %p, %c, %d) : (tensor<5xf32>, tensor<4xi32>, tensor<5xi32>, tensor<6x2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----
func.func @tridiagonal(%a: tensor<3xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4x2xf32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{expected tensor<3xf32>, got tensor<4xf32>}}
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%a, %b, %c, %d) : (tensor<3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
