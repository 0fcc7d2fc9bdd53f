func.func @main(%x: tensor<6x8xf32>) -> (tensor<6x8xf32>, tensor<6x8xi32>, tensor<6x3xf32>, tensor<6x3xi32>) {
  %0:2 = chlo.top_k(%x, k = 8) : tensor<6x8xf32> -> (tensor<6x8xf32>, tensor<6x8xi32>)
  %1:2 = chlo.top_k(%x, k = 3) : tensor<6x8xf32> -> (tensor<6x3xf32>, tensor<6x3xi32>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<6x8xf32>, tensor<6x8xi32>, tensor<6x3xf32>, tensor<6x3xi32>
}
