// Rows divided by their lengths.
func.func @main(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>) {
  %squares = stablehlo.multiply %x, %x : tensor<8x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %lengths = stablehlo.sqrt %sums : tensor<8xf32>
  %wide = stablehlo.broadcast_in_dim %lengths, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
  %result = stablehlo.divide %x, %wide : tensor<8x4xf32>
  return %result, %lengths : tensor<8x4xf32>, tensor<8xf32>
}
