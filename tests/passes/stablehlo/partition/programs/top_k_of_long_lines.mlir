func.func @main(%x: tensor<2x75xf32>, %n: tensor<130xi8>, %u: tensor<2x3x40xui16>)
    -> (tensor<2x3xf32>, tensor<2x3xi32>, tensor<7xi8>, tensor<7xi32>, tensor<2x3x2xui16>, tensor<2x3x2xi32>,
        tensor<2x70xf32>, tensor<2x70xi32>, tensor<101xi8>, tensor<101xi32>) {
  %two = stablehlo.constant dense<4> : tensor<130xi8>
  %ties = stablehlo.divide %n, %two : tensor<130xi8>
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x75xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %1:2 = chlo.top_k(%ties, k = 7) : tensor<130xi8> -> (tensor<7xi8>, tensor<7xi32>)
  %2:2 = chlo.top_k(%u, k = 2) : tensor<2x3x40xui16> -> (tensor<2x3x2xui16>, tensor<2x3x2xi32>)
  %3:2 = chlo.top_k(%x, k = 70) : tensor<2x75xf32> -> (tensor<2x70xf32>, tensor<2x70xi32>)
  %4:2 = chlo.top_k(%ties, k = 101) : tensor<130xi8> -> (tensor<101xi8>, tensor<101xi32>)
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1, %4#0, %4#1
    : tensor<2x3xf32>, tensor<2x3xi32>, tensor<7xi8>, tensor<7xi32>, tensor<2x3x2xui16>, tensor<2x3x2xi32>,
      tensor<2x70xf32>, tensor<2x70xi32>, tensor<101xi8>, tensor<101xi32>
}
