func.func @main(%x: tensor<4x11x4xf32>, %k: tensor<3x2x8xf32>, %l: tensor<3x4x8xf32>) -> (tensor<4x11x8xf32>, tensor<2x11x8xf32>) {
 %0 = stablehlo.convolution(%x, %k) dim_numbers = [b,0,f]x[0,i,o]->[b,0,f], window = {pad = [[2,2]], rhs_dilate=[2]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<4x11x4xf32>, tensor<3x2x8xf32>) -> tensor<4x11x8xf32>
 %1 = stablehlo.convolution(%x, %l) dim_numbers = [b,0,f]x[0,i,o]->[b,0,f], window = {pad = [[1,1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x11x4xf32>, tensor<3x4x8xf32>) -> tensor<2x11x8xf32>
 return %0, %1 : tensor<4x11x8xf32>, tensor<2x11x8xf32> }
