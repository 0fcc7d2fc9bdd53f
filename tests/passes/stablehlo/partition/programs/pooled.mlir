func.func @main(%x: tensor<2x16x8xf32>, %a: tensor<2x8x4xf32>, %b: tensor<2x8x8xf32>, %c: tensor<2x5x8xf32>, %i: tensor<f32>)
    -> (tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>) {
  %0 = "stablehlo.select_and_scatter"(%x, %a, %i) <{window_dimensions = array<i64: 1, 2, 2>, window_strides = array<i64: 1, 2, 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x16x8xf32>, tensor<2x8x4xf32>, tensor<f32>) -> tensor<2x16x8xf32>
  %1 = "stablehlo.select_and_scatter"(%x, %b, %i) <{window_dimensions = array<i64: 1, 3, 3>, window_strides = array<i64: 1, 2, 1>, padding = dense<[[0, 0], [0, 1], [1, 1]]> : tensor<3x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.compare GT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x16x8xf32>, tensor<2x8x8xf32>, tensor<f32>) -> tensor<2x16x8xf32>
  %2 = "stablehlo.select_and_scatter"(%x, %c, %i) <{window_dimensions = array<i64: 1, 2, 1>, window_strides = array<i64: 1, 4, 1>, padding = dense<[[0, 0], [1, 1], [0, 0]]> : tensor<3x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.compare LE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.multiply %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x16x8xf32>, tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x16x8xf32>
  return %0, %1, %2 : tensor<2x16x8xf32>, tensor<2x16x8xf32>, tensor<2x16x8xf32>
}
