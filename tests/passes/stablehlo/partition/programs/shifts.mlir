func.func @main(%a: tensor<22x3xf32>, %b: tensor<5x3xf32>) -> (tensor<9x3xf32>, tensor<27x3xf32>, tensor<26x3xf32>, tensor<22x3xf32>, tensor<16x3xf32>, tensor<22x3xf32>) {
 %c = stablehlo.constant dense<9.0> : tensor<f32>
 %1 = stablehlo.slice %a [3:20:2, 0:3] : (tensor<22x3xf32>) -> tensor<9x3xf32>
 %2 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<22x3xf32>, tensor<5x3xf32>) -> tensor<27x3xf32>
 %3 = stablehlo.pad %a, %c, low = [3,0], high = [1,0], interior = [0,0] : (tensor<22x3xf32>, tensor<f32>) -> tensor<26x3xf32>
 %4 = stablehlo.reverse %a, dims = [0] : tensor<22x3xf32>
 %5 = stablehlo.pad %a, %c, low = [-4,0], high = [-2,0], interior = [0,0] : (tensor<22x3xf32>, tensor<f32>) -> tensor<16x3xf32>
 %6 = stablehlo.slice %a [1:22, 0:3] : (tensor<22x3xf32>) -> tensor<21x3xf32>
 %7 = stablehlo.slice %a [0:1, 0:3] : (tensor<22x3xf32>) -> tensor<1x3xf32>
 %8 = stablehlo.concatenate %6, %7, dim = 0 : (tensor<21x3xf32>, tensor<1x3xf32>) -> tensor<22x3xf32>
 return %1, %2, %3, %4, %5, %8 : tensor<9x3xf32>, tensor<27x3xf32>, tensor<26x3xf32>, tensor<22x3xf32>, tensor<16x3xf32>, tensor<22x3xf32> }
