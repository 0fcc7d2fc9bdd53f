func.func @main(%x: tensor<4x23xf32>) -> (tensor<4x11xf32>, tensor<4x23xf32>) {
 %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %s = stablehlo.constant dense<0.0> : tensor<f32>
 %0 = "stablehlo.reduce_window"(%x, %z) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
   %1 = stablehlo.maximum %a, %b : tensor<f32>
   stablehlo.return %1 : tensor<f32> }) : (tensor<4x23xf32>, tensor<f32>) -> tensor<4x11xf32>
 %2 = "stablehlo.reduce_window"(%x, %s) <{window_dimensions = array<i64: 1, 23>, padding = dense<[[0,0],[22,0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
   %1 = stablehlo.add %a, %b : tensor<f32>
   stablehlo.return %1 : tensor<f32> }) : (tensor<4x23xf32>, tensor<f32>) -> tensor<4x23xf32>
 return %0, %2 : tensor<4x11xf32>, tensor<4x23xf32> }
