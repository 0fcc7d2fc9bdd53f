// RUN: xla-opt %s -p stablehlo-expand-map | filecheck %s

// CHECK-LABEL: func.func @elementwise
// CHECK-SAME:    ([[X:%.+]]: tensor<2x3xf32>, [[Y:%.+]]: tensor<2x3xf32>, [[S:%.+]]: tensor<f32>)
// CHECK-NEXT:    [[C:%.+]] = stablehlo.constant dense<5.000000e-01> : tensor<2x3xf32>
// CHECK-NEXT:    [[A:%.+]] = stablehlo.multiply [[X]], [[C]] : tensor<2x3xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.broadcast_in_dim [[S]], dims = [] : (tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.add [[A]], [[B]] : tensor<2x3xf32>
// CHECK-NEXT:    [[E:%.+]] = stablehlo.compare LT, [[D]], [[Y]] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:    func.return [[E]]
func.func @elementwise(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %s: tensor<f32>) -> tensor<2x3xi1> {
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %half = stablehlo.constant dense<0.5> : tensor<f32>
    %1 = stablehlo.multiply %a, %half : tensor<f32>
    %2 = stablehlo.add %1, %s : tensor<f32>
    %3 = stablehlo.compare LT, %2, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// The argument itself, and a value from outside.

// CHECK-LABEL: func.func @trivial
// CHECK-SAME:    ([[X:%.+]]: tensor<3xf32>, [[S:%.+]]: tensor<f32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.broadcast_in_dim [[S]], dims = [] : (tensor<f32>) -> tensor<3xf32>
// CHECK-NEXT:    func.return [[X]], [[A]]
func.func @trivial(%x: tensor<3xf32>, %s: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// A body that is more than elementwise stays.

// CHECK-LABEL: func.func @reshape
// CHECK-NEXT:    "stablehlo.map"
func.func @reshape(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    %1 = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
