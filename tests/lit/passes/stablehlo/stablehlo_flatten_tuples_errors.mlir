// RUN: not xla-opt %s -p stablehlo-flatten-tuples 2>&1 | filecheck %s

// Both infeeds take the same token: which reads first?

// CHECK: stablehlo_flatten_tuples_errors.mlir:9:{{[0-9]+}}: error: 'stablehlo.infeed' op: infeeds need a total order, but this one does not depend on the one before it
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %token = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.infeed"(%token) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %1:2 = "stablehlo.infeed"(%token) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %0#0, %1#0 : tensor<f32>, tensor<f32>
}
