// RUN: xla-run %s --engine reference --split-input-file

// `scatter`: updates at indices; those that reach out of the input are dropped.
// These cases run on the reference interpreter only.

// A scalar input, index vectors of size 0.
func.func @scalar() {
  %input = stablehlo.constant dense<1.0> : tensor<f32>
  %indices = stablehlo.constant dense<> : tensor<0xi32>
  %updates = stablehlo.constant dense<2.0> : tensor<f32>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 0>
  }> ({
  ^bb0(%old: tensor<f32>, %update: tensor<f32>):
    %new = stablehlo.add %old, %update : tensor<f32>
    stablehlo.return %new : tensor<f32>
  }) : (tensor<f32>, tensor<0xi32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %result, dense<3.0> : tensor<f32>
  return
}

// Double precision.
func.func @f64() {
  %input = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %indices = stablehlo.constant dense<[[1]]> : tensor<1x1xi64>
  %updates = stablehlo.constant dense<[9.094947017729282e-13]> : tensor<1xf64>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<f64>, %update: tensor<f64>):
    %new = stablehlo.add %old, %update : tensor<f64>
    stablehlo.return %new : tensor<f64>
  }) : (tensor<2xf64>, tensor<1x1xi64>, tensor<1xf64>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[1.0, 2.0000000000009095]> : tensor<2xf64>
  return
}

// Complex numbers.
func.func @complex() {
  %input = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  %indices = stablehlo.constant dense<[[0], [1]]> : tensor<2x1xi32>
  %updates = stablehlo.constant dense<[(0.0, 1.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %result = "stablehlo.scatter"(%input, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%old: tensor<complex<f32>>, %update: tensor<complex<f32>>):
    %new = stablehlo.multiply %old, %update : tensor<complex<f32>>
    stablehlo.return %new : tensor<complex<f32>>
  }) : (tensor<2xcomplex<f32>>, tensor<2x1xi32>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-1.0, 0.0), (0.0, 2.0)]> : tensor<2xcomplex<f32>>
  return
}
