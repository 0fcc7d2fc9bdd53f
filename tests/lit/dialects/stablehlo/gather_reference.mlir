// RUN: xla-run %s --engine reference --split-input-file

// `gather`: slices at indices, which are moved into the operand where they would reach out of it.
// These cases run on the reference interpreter only.

// Elements of type complex<f32>.
func.func @elements_complexf32() {
  %operand = stablehlo.constant dense<[(0.0, 1.0), (2.0, 0.0), (3.0, -1.0)]> : tensor<3xcomplex<f32>>
  %indices = stablehlo.constant dense<[[2], [0], [1]]> : tensor<3x1xi32>
  %result = "stablehlo.gather"(%operand, %indices) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1>
  }> : (tensor<3xcomplex<f32>>, tensor<3x1xi32>) -> tensor<3xcomplex<f32>>
  check.expect_eq_const %result, dense<[(3.0, -1.0), (0.0, 1.0), (2.0, 0.0)]> : tensor<3xcomplex<f32>>
  return
}
