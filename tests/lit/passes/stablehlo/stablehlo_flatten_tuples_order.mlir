// RUN: xla-opt %s -p stablehlo-flatten-tuples | filecheck %s

// Both infeeds take the same token: the order of the program is the order of reading, before and after.

// CHECK-LABEL: func.func @main() -> (tensor<f32>, tensor<f32>)
// CHECK-NEXT: %[[TOKEN:[0-9a-z]+]] = stablehlo.create_token
// CHECK-NEXT: %[[FIRST:[0-9a-z]+]], %{{[0-9a-z_]+}} = "stablehlo.infeed"(%[[TOKEN]]) <{infeed_config = "first"}>
// CHECK-NEXT: %[[SECOND:[0-9a-z]+]], %{{[0-9a-z_]+}} = "stablehlo.infeed"(%[[TOKEN]]) <{infeed_config = "second"}>
// CHECK-NEXT: func.return %[[SECOND]], %[[FIRST]]
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %token = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.infeed"(%token) <{infeed_config = "first"}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %1:2 = "stablehlo.infeed"(%token) <{infeed_config = "second"}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %1#0, %0#0 : tensor<f32>, tensor<f32>
}
