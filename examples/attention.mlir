// One head of causal attention, as StableHLO: scores, mask, a softmax over rows, and the weighted sum of the values.
module @attention {
  func.func public @main(%query: tensor<8x4xf32>, %key: tensor<8x4xf32>, %value: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %scores = stablehlo.dot_general %query, %key, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %half = stablehlo.constant dense<5.000000e-01> : tensor<8x8xf32>
    %scaled = stablehlo.multiply %scores, %half : tensor<8x8xf32>
    %row = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %column = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %visible = stablehlo.compare GE, %row, %column, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %hidden = stablehlo.constant dense<0xFF800000> : tensor<8x8xf32>
    %masked = stablehlo.select %visible, %scaled, %hidden : tensor<8x8xi1>, tensor<8x8xf32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %max = stablehlo.reduce(%masked init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %maxes = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
    %shifted = stablehlo.subtract %masked, %maxes : tensor<8x8xf32>
    %exp = stablehlo.exponential %shifted : tensor<8x8xf32>
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
    %weights = stablehlo.divide %exp, %sums : tensor<8x8xf32>
    %result = stablehlo.dot_general %weights, %value, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    return %result : tensor<8x4xf32>
  }
}
