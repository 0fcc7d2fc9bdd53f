func.func @main(%a: tensor<8x6xf32>, %b: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xi1>) {
 %0 = stablehlo.add %a, %b : tensor<8x6xf32>
 %1 = stablehlo.tanh %0 : tensor<8x6xf32>
 %c = stablehlo.constant dense<0.5> : tensor<8x6xf32>
 %2 = stablehlo.compare GT, %1, %c : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
 %3 = stablehlo.select %2, %0, %1 : tensor<8x6xi1>, tensor<8x6xf32>
 return %3, %2 : tensor<8x6xf32>, tensor<8x6xi1> }
