// RUN: xla-opt %s -p stablehlo-simplify | filecheck %s

// A tile: what is computed of all its copies is computed once.

// CHECK-LABEL: func.func @tile
// CHECK-SAME:  ([[X:%.+]]: tensor<8x9xf32>)
// CHECK-NEXT:    [[T:%.+]] = stablehlo.tanh [[X]] : tensor<8x9xf32>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.constant dense<2.500000e-01> : tensor<8x9xf32>
// CHECK-NEXT:    [[M:%.+]] = stablehlo.multiply [[T]], [[C]] : tensor<8x9xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.broadcast_in_dim [[M]], dims = [1, 2] : (tensor<8x9xf32>) -> tensor<4x8x9xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[B]] : (tensor<4x8x9xf32>) -> tensor<32x9xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @tile(%x: tensor<8x9xf32>) -> tensor<32x9xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<8x9xf32>) -> tensor<4x8x9xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x8x9xf32>) -> tensor<32x9xf32>
  %2 = stablehlo.tanh %1 : tensor<32x9xf32>
  %c = stablehlo.constant dense<0.25> : tensor<32x9xf32>
  %3 = stablehlo.multiply %2, %c : tensor<32x9xf32>
  func.return %3 : tensor<32x9xf32>
}

// Operands that are repeated in the same way; a comparison has another element type.

// CHECK-LABEL: func.func @pair
// CHECK-SAME:  ([[X:%.+]]: tensor<8xf32>, [[Y:%.+]]: tensor<8xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.atan2 [[X]], [[Y]] : tensor<8xf32>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.compare LT, [[A]], [[X]] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.broadcast_in_dim [[C]], dims = [0] : (tensor<8xi1>) -> tensor<8x5xi1>
// CHECK-NEXT:    func.return [[B]]
func.func @pair(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8x5xi1> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>) -> tensor<8x5xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<8xf32>) -> tensor<8x5xf32>
  %2 = stablehlo.atan2 %0, %1 : tensor<8x5xf32>
  %3 = stablehlo.compare LT, %2, %0 : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
  func.return %3 : tensor<8x5xi1>
}

// The attributes of the op stay.

// CHECK-LABEL: func.func @accuracy
// CHECK:         stablehlo.exponential %x {{.*}}HIGHEST{{.*}} : tensor<8xf32>
// CHECK-NEXT:    stablehlo.broadcast_in_dim
func.func @accuracy(%x: tensor<8xf32>) -> tensor<5x8xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<8xf32>) -> tensor<5x8xf32>
  %1 = "stablehlo.exponential"(%0) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<5x8xf32>) -> tensor<5x8xf32>
  func.return %1 : tensor<5x8xf32>
}

// Not where operands are repeated in different ways, or one is not, or nothing is.

// CHECK-LABEL: func.func @others
// CHECK:         stablehlo.add {{.*}} : tensor<8x8xf32>
// CHECK-NEXT:    stablehlo.multiply {{.*}} : tensor<8x8xf32>
// CHECK-NEXT:    stablehlo.add {{.*}} : tensor<8x8xf32>
// CHECK-NEXT:    stablehlo.add {{.*}} : tensor<8x8xf32>
// CHECK-NEXT:    func.return
func.func @others(%x: tensor<8xf32>, %y: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
  %3 = stablehlo.multiply %0, %y : tensor<8x8xf32>
  %4 = stablehlo.add %y, %y : tensor<8x8xf32>
  %5 = stablehlo.add %2, %4 : tensor<8x8xf32>
  func.return %5, %3 : tensor<8x8xf32>, tensor<8x8xf32>
}

// Operands of any number: constants of rank 0 beside others are for all places.

// CHECK-LABEL: func.func @clamped
// CHECK-SAME:  ([[X:%.+]]: tensor<8xf32>, [[Y:%.+]]: tensor<8x5xf32>)
// CHECK:         [[C:%.+]] = stablehlo.clamp {{%.+}}, [[X]], {{%.+}} : tensor<8xf32>
// CHECK-NEXT:    [[A:%.+]] = stablehlo.broadcast_in_dim [[C]], dims = [0] : (tensor<8xf32>) -> tensor<8x5xf32>
// CHECK:         [[D:%.+]] = stablehlo.clamp {{%.+}}, {{%.+}}, [[Y]] : {{.*}}tensor<8x5xf32>
// CHECK-NEXT:    func.return [[A]], [[D]]
func.func @clamped(%x: tensor<8xf32>, %y: tensor<8x5xf32>) -> (tensor<8x5xf32>, tensor<8x5xf32>) {
  %low = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>) -> tensor<8x5xf32>
  %top = stablehlo.constant dense<6.0> : tensor<f32>
  %1 = stablehlo.clamp %low, %0, %top : (tensor<f32>, tensor<8x5xf32>, tensor<f32>) -> tensor<8x5xf32>
  %lows = stablehlo.constant dense<0.0> : tensor<8x5xf32>
  %2 = stablehlo.clamp %lows, %0, %y : tensor<8x5xf32>
  func.return %1, %2 : tensor<8x5xf32>, tensor<8x5xf32>
}

// What is quantised along a dimension stays where it is: its type names the dimension.

// CHECK-LABEL: func.func @quantized
// CHECK:         stablehlo.transpose
// CHECK-NEXT:    stablehlo.uniform_dequantize
func.func @quantized(%x: tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x1xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<1x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x1x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x1x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x1xf32>
  func.return %1 : tensor<2x1xf32>
}
