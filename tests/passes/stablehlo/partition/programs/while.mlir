func.func @main(%a: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>) {
 %i = stablehlo.constant dense<0> : tensor<i32>
 %0:2 = stablehlo.while(%x = %a, %k = %i) : tensor<8x8xf32>, tensor<i32>
  cond { %n = stablehlo.constant dense<3> : tensor<i32>
    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1> }
  do { %one = stablehlo.constant dense<1> : tensor<i32>
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %t = stablehlo.tanh %d : tensor<8x8xf32>
    stablehlo.return %t, %k1 : tensor<8x8xf32>, tensor<i32> }
 %1 = func.call @g(%0#0) : (tensor<8x8xf32>) -> tensor<8xf32>
 return %0#0, %1 : tensor<8x8xf32>, tensor<8xf32> }
 func.func private @g(%a: tensor<8x8xf32>) -> tensor<8xf32> {
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
 %p = stablehlo.compare GT, %z, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
 %1 = "stablehlo.if"(%p) ({ %q = stablehlo.tanh %0 : tensor<8xf32>
    stablehlo.return %q : tensor<8xf32> }, {%r = stablehlo.negate %0 : tensor<8xf32>
    stablehlo.return %r : tensor<8xf32> }) : (tensor<i1>) -> tensor<8xf32>
 return %1 : tensor<8xf32> }
