func.func @main(%a: tensor<8x7x6xf32>) -> (tensor<7xf32>, tensor<8x7xf32>, tensor<6xf32>) {
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %t = stablehlo.constant dense<2.0> : tensor<f32>
 %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0,2] : (tensor<8x7x6xf32>, tensor<f32>) -> tensor<7xf32>
 %1 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [2] : (tensor<8x7x6xf32>, tensor<f32>) -> tensor<8x7xf32>
 %2 = stablehlo.reduce(%a init: %t) applies stablehlo.add across dimensions = [0,1] : (tensor<8x7x6xf32>, tensor<f32>) -> tensor<6xf32>
 return %0, %1, %2 : tensor<7xf32>, tensor<8x7xf32>, tensor<6xf32> }
