// RUN: xla-opt %s -p stablehlo-adopt-constants | filecheck %s
// RUN: xla-run %s --engine reference --input 2xi32=5 --entry cast | filecheck %s --check-prefix VALUES
// RUN: xla-run %s --engine native --input 2xi32=5 --entry cast | filecheck %s --check-prefix VALUES

// VALUES: out0: tensor<2xi32> = [6 7]

// CHECK-LABEL: func.func @cast
// CHECK-NEXT:    [[C:%.+]] = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.convert [[C]] : (tensor<2xi32>) -> tensor<?xi32>
// CHECK-NEXT:    stablehlo.add [[D]], %x : (tensor<?xi32>, tensor<2xi32>) -> tensor<?xi32>
func.func @cast(%x: tensor<2xi32>) -> tensor<?xi32> {
  %0 = arith.constant dense<[1, 2]> : tensor<2xi32>
  %1 = tensor.cast %0 : tensor<2xi32> to tensor<?xi32>
  %2 = stablehlo.add %1, %x : (tensor<?xi32>, tensor<2xi32>) -> tensor<?xi32>
  return %2 : tensor<?xi32>
}

// In a region; constants that are no tensors stay.

// CHECK-LABEL: func.func @region
// CHECK:         arith.constant 1 : i64
// CHECK:         stablehlo.constant dense<2.000000e+00> : tensor<f32>
func.func @region(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %c = arith.constant 1 : i64
  %0 = "stablehlo.if"(%p) ({
    %1 = arith.constant dense<2.0> : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}

// What joins or splits dimensions, and tensors of any elements.

// CHECK-LABEL: func.func @shapes
// CHECK-NEXT:    [[A:%.+]] = stablehlo.constant dense<0.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.add %x, [[A]] : tensor<2x3xf32>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.reshape [[B]] : (tensor<2x3xf32>) -> tensor<6xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.reshape [[C]] : (tensor<6xf32>) -> tensor<3x1x2xf32>
// CHECK-NEXT:    [[E:%.+]] = tensor.collapse_shape %y
// CHECK-NEXT:    return [[D]], [[E]]
func.func @shapes(%x: tensor<2x3xf32>, %y: tensor<?x3xf32>) -> (tensor<3x1x2xf32>, tensor<?xf32>) {
  %0 = tensor.empty() : tensor<2x3xf32>
  %1 = stablehlo.add %x, %0 : tensor<2x3xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %3 = tensor.expand_shape %2 [[0, 1, 2]] output_shape [3, 1, 2] : tensor<6xf32> into tensor<3x1x2xf32>
  %4 = tensor.collapse_shape %y [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
  return %3, %4 : tensor<3x1x2xf32>, tensor<?xf32>
}
