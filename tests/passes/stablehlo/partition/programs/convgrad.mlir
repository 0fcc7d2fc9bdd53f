func.func @main(%x: tensor<2x11x4xf32>, %g: tensor<2x11x8xf32>) -> tensor<4x3x8xf32> {
 %0 = stablehlo.convolution(%x, %g) dim_numbers = [f,0,b]x[i,0,o]->[b,0,f], window = {pad = [[1,1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x11x4xf32>, tensor<2x11x8xf32>) -> tensor<4x3x8xf32>
 return %0 : tensor<4x3x8xf32> }
