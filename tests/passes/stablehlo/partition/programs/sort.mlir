func.func @main(%a: tensor<8x6xf32>) -> (tensor<8x6xf32>) {
 %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({ ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
   stablehlo.return %1 : tensor<i1> }) : (tensor<8x6xf32>) -> tensor<8x6xf32>
 return %0 : tensor<8x6xf32> }
