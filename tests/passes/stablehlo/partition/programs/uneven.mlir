func.func @main(%a: tensor<5x7xf32>, %b: tensor<5x7xf32>) -> (tensor<7x5xf32>) {
 %0 = stablehlo.add %a, %b : tensor<5x7xf32>
 %1 = stablehlo.transpose %0, dims = [1,0] : (tensor<5x7xf32>) -> tensor<7x5xf32>
 %2 = stablehlo.tanh %1 : tensor<7x5xf32>
 return %2 : tensor<7x5xf32> }
