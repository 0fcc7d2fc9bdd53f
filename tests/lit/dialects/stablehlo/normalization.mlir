// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @normalization
// CHECK-NEXT: %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} = "stablehlo.batch_norm_grad"(%a, %s, %s, %s, %a) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.batch_norm_inference"(%a, %s, %s, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} = "stablehlo.batch_norm_training"(%a, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @normalization(%a: tensor<2x3x4xf32>, %s: tensor<4xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%a, %s, %s, %s, %a) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1 = "stablehlo.batch_norm_inference"(%a, %s, %s, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %2:3 = "stablehlo.batch_norm_training"(%a, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
