// Init values that are neutral for nothing, and a computation that is not one op.
func.func @main(%x: tensor<7x6xf32>, %y: tensor<7x6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<7xf32>) {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %0:2 = stablehlo.reduce(%x init: %two), (%y init: %three) across dimensions = [0]
      : (tensor<7x6xf32>, tensor<7x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<6xf32>, tensor<6xf32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
      %1 = stablehlo.add %a, %b : tensor<f32>
      %2 = stablehlo.maximum %c, %d : tensor<f32>
      stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
    }
  %3 = stablehlo.reduce(%x init: %two) applies stablehlo.multiply across dimensions = [1]
      : (tensor<7x6xf32>, tensor<f32>) -> tensor<7xf32>
  return %0#0, %0#1, %3 : tensor<6xf32>, tensor<6xf32>, tensor<7xf32>
}
