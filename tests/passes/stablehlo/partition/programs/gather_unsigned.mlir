// An unsigned index that is no signed one is beyond the end.
func.func @main(%x: tensor<9x3xf32>, %i: tensor<4x1xui64>) -> tensor<4x3xf32> {
  %large = stablehlo.constant dense<18446744073709551610> : tensor<4x1xui64>
  %0 = stablehlo.add %i, %large : tensor<4x1xui64>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}>
      : (tensor<9x3xf32>, tensor<4x1xui64>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}
