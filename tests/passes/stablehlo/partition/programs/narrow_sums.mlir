// Parts of sums are rounded to the narrow type once, when they have been added.
func.func @main(%x: tensor<4x24xf32>, %w: tensor<24x3xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.convert %x : (tensor<4x24xf32>) -> tensor<4x24xbf16>
  %1 = stablehlo.convert %w : (tensor<24x3xf32>) -> tensor<24x3xbf16>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0]
      : (tensor<4x24xbf16>, tensor<24x3xbf16>) -> tensor<4x3xbf16>
  %3 = stablehlo.convert %2 : (tensor<4x3xbf16>) -> tensor<4x3xf32>
  return %3 : tensor<4x3xf32>
}
