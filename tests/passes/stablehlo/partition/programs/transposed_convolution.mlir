func.func @main(%x: tensor<2x8x5x4xf32>, %k: tensor<3x2x4x4xf32>, %s: tensor<2x2x4x3xf32>)
    -> (tensor<2x16x5x4xf32>, tensor<2x16x10x3xf32>, tensor<2x12x5x4xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b,0,1,f]x[0,1,i,o]->[b,0,1,f],
      window = {pad = [[1, 2], [1, 0]], lhs_dilate = [2, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x8x5x4xf32>, tensor<3x2x4x4xf32>) -> tensor<2x16x5x4xf32>
  %1 = stablehlo.convolution(%x, %s) dim_numbers = [b,0,1,f]x[0,1,i,o]->[b,0,1,f],
      window = {pad = [[1, 1], [1, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x8x5x4xf32>, tensor<2x2x4x3xf32>) -> tensor<2x16x10x3xf32>
  %2 = stablehlo.convolution(%x, %k) dim_numbers = [b,0,1,f]x[0,1,i,o]->[b,0,1,f],
      window = {stride = [2, 1], pad = [[2, 3], [0, 1]], lhs_dilate = [3, 1], rhs_dilate = [2, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x8x5x4xf32>, tensor<3x2x4x4xf32>) -> tensor<2x12x5x4xf32>
  return %0, %1, %2 : tensor<2x16x5x4xf32>, tensor<2x16x10x3xf32>, tensor<2x12x5x4xf32>
}
