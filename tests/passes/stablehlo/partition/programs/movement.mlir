func.func @main(%a: tensor<8x6xf32>, %b: tensor<6xf32>, %i: tensor<i32>) -> (tensor<8x6xf32>, tensor<4x6xf32>, tensor<16x6xf32>, tensor<10x6xf32>, tensor<8x6xf32>, tensor<4x6xf32>, tensor<8x6xf32>) {
 %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<6xf32>) -> tensor<8x6xf32>
 %c = stablehlo.constant dense<0.0> : tensor<f32>
 %1 = stablehlo.slice %a [1:8:2, 0:6] : (tensor<8x6xf32>) -> tensor<4x6xf32>
 %2 = stablehlo.concatenate %a, %0, dim = 0 : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<16x6xf32>
 %3 = stablehlo.pad %a, %c, low = [1,0], high = [1,0], interior = [0,0] : (tensor<8x6xf32>, tensor<f32>) -> tensor<10x6xf32>
 %4 = stablehlo.reverse %a, dims = [0] : tensor<8x6xf32>
 %5 = stablehlo.dynamic_slice %a, %i, %i, sizes = [4,6] : (tensor<8x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
 %6 = stablehlo.dynamic_update_slice %a, %5, %i, %i : (tensor<8x6xf32>, tensor<4x6xf32>, tensor<i32>, tensor<i32>) -> tensor<8x6xf32>
 return %0, %1, %2, %3, %4, %5, %6 : tensor<8x6xf32>, tensor<4x6xf32>, tensor<16x6xf32>, tensor<10x6xf32>, tensor<8x6xf32>, tensor<4x6xf32>, tensor<8x6xf32> }
