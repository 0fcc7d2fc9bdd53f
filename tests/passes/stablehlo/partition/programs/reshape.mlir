func.func @main(%a: tensor<8x6xf32>) -> (tensor<2x4x6xf32>, tensor<48xf32>, tensor<4x12xf32>, tensor<8x1x6xf32>, tensor<3x16xf32>) {
 %0 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<2x4x6xf32>
 %1 = stablehlo.reshape %0 : (tensor<2x4x6xf32>) -> tensor<48xf32>
 %2 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<4x12xf32>
 %3 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<8x1x6xf32>
 %4 = stablehlo.reshape %a : (tensor<8x6xf32>) -> tensor<3x16xf32>
 return %0, %1, %2, %3, %4 : tensor<2x4x6xf32>, tensor<48xf32>, tensor<4x12xf32>, tensor<8x1x6xf32>, tensor<3x16xf32> }
