func.func private @twice(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
  %0 = stablehlo.add %x, %x : tensor<8x3xf32>
  return %0 : tensor<8x3xf32>
}
func.func @main(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
  %0 = stablehlo.composite "my.twice" %x {decomposition = @twice} : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %1 = stablehlo.composite "my.twice" %0 {decomposition = @twice} : (tensor<8x3xf32>) -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}
