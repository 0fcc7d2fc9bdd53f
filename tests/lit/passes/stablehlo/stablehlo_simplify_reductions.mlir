// RUN: xla-opt %s -p stablehlo-simplify | filecheck %s

// CHECK-LABEL: func.func @units_only
// CHECK-SAME:  ([[X:%.+]]: tensor<4x1xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.reshape [[X]] : (tensor<4x1xf32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return [[A]], [[A]]
func.func @units_only(%x: tensor<4x1xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  %minus_infinity = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %1 = stablehlo.reduce(%x init: %minus_infinity) applies stablehlo.maximum across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// An initial value that is not neutral counts.

// CHECK-LABEL: func.func @not_neutral
// CHECK:         stablehlo.reduce
func.func @not_neutral(%x: tensor<4x1xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @some_units
// CHECK-SAME:  ([[X:%.+]]: tensor<4x1x3xf32>, [[I:%.+]]: tensor<f32>)
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[X]] : (tensor<4x1x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT:    [[A:%.+]] = stablehlo.reduce([[R]] init: [[I]]) applies stablehlo.add across dimensions = [1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return [[A]]
func.func @some_units(%x: tensor<4x1x3xf32>, %init: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1, 2] : (tensor<4x1x3xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
