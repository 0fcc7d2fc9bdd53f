func.func @main(%a: tensor<7x6xf32>) -> (tensor<6xf32>, tensor<6xi32>) {
 %m = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %z = stablehlo.constant dense<0> : tensor<i32>
 %i = stablehlo.iota dim = 0 : tensor<7x6xi32>
 %0:2 = stablehlo.reduce(%a init: %m), (%i init: %z) across dimensions = [0] : (tensor<7x6xf32>, tensor<7x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %1 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %x, %y : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
   }
 return %0#0, %0#1 : tensor<6xf32>, tensor<6xi32> }
