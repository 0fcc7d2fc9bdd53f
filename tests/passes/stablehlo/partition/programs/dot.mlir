func.func @main(%a: tensor<8x12xf32>, %b: tensor<12x16xf32>, %w: tensor<16x4xf32>) -> (tensor<8x4xf32>) {
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x12xf32>, tensor<12x16xf32>) -> tensor<8x16xf32>
 %c = stablehlo.tanh %0 : tensor<8x16xf32>
 %1 = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
 return %1 : tensor<8x4xf32> }
