// RUN: xla-opt %s -p stablehlo-join-groups,stablehlo-simplify | filecheck %s

// Channels in groups of two: sums over all other dimensions first, what is per group repeated in a small tensor.

// CHECK-LABEL: func.func @group_mean
// CHECK-SAME:    ([[X:%.+]]: tensor<64x32x16xf32>)
// CHECK:         [[C:%.+]] = stablehlo.reduce([[X]] init: {{.*}}) applies stablehlo.add across dimensions = [0, 1] {{.*}} -> tensor<16xf32>
// CHECK-NEXT:    [[G:%.+]] = stablehlo.reshape [[C]] : (tensor<16xf32>) -> tensor<8x2xf32>
// CHECK-NEXT:    [[S:%.+]] = stablehlo.reduce([[G]] init: {{.*}}) applies stablehlo.add across dimensions = [1] {{.*}} -> tensor<8xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.broadcast_in_dim [[S]], dims = [0] : (tensor<8xf32>) -> tensor<8x2xf32>
// CHECK-NEXT:    [[J:%.+]] = stablehlo.reshape [[R]] : (tensor<8x2xf32>) -> tensor<16xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.broadcast_in_dim [[J]], dims = [2] : (tensor<16xf32>) -> tensor<64x32x16xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.subtract [[X]], [[B]] : tensor<64x32x16xf32>
// CHECK-NEXT:    func.return [[D]]
func.func @group_mean(%x: tensor<64x32x16xf32>) -> tensor<64x32x16xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %g = stablehlo.reshape %x : (tensor<64x32x16xf32>) -> tensor<64x32x8x2xf32>
  %s = stablehlo.reduce(%g init: %z) applies stablehlo.add across dimensions = [0, 1, 3]
      : (tensor<64x32x8x2xf32>, tensor<f32>) -> tensor<8xf32>
  %m = stablehlo.broadcast_in_dim %s, dims = [2] : (tensor<8xf32>) -> tensor<64x32x8x2xf32>
  %d = stablehlo.subtract %g, %m : tensor<64x32x8x2xf32>
  %y = stablehlo.reshape %d : (tensor<64x32x8x2xf32>) -> tensor<64x32x16xf32>
  return %y : tensor<64x32x16xf32>
}

// Groups and their channels are reduced together.

// CHECK-LABEL: func.func @all
// CHECK:         [[S:%.+]] = stablehlo.reduce({{.*}}) applies stablehlo.maximum across dimensions = [1, 2] {{.*}} -> tensor<64xf32>
// CHECK-NEXT:    func.return [[S]]
func.func @all(%x: tensor<64x32x16xf32>) -> tensor<64xf32> {
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %g = stablehlo.reshape %x : (tensor<64x32x16xf32>) -> tensor<64x32x8x2xf32>
  %s = stablehlo.reduce(%g init: %z) applies stablehlo.maximum across dimensions = [1, 2, 3]
      : (tensor<64x32x8x2xf32>, tensor<f32>) -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// Left alone: a reduction of the channels of a group only; what is read in the shape of groups; a sum that would round to
// a narrow float in between; a value per group as large as what is computed with it.

// CHECK-LABEL: func.func @group_alone
// CHECK:         stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [3]
func.func @group_alone(%x: tensor<64x32x16xf32>) -> tensor<64x32x8xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %g = stablehlo.reshape %x : (tensor<64x32x16xf32>) -> tensor<64x32x8x2xf32>
  %s = stablehlo.reduce(%g init: %z) applies stablehlo.add across dimensions = [3]
      : (tensor<64x32x8x2xf32>, tensor<f32>) -> tensor<64x32x8xf32>
  return %s : tensor<64x32x8xf32>
}

// CHECK-LABEL: func.func @transposed
// CHECK:         stablehlo.negate {{.*}} : tensor<64x32x8x2xf32>
func.func @transposed(%x: tensor<64x32x16xf32>) -> tensor<64x32x2x8xf32> {
  %g = stablehlo.reshape %x : (tensor<64x32x16xf32>) -> tensor<64x32x8x2xf32>
  %n = stablehlo.negate %g : tensor<64x32x8x2xf32>
  %t = stablehlo.transpose %n, dims = [0, 1, 3, 2] : (tensor<64x32x8x2xf32>) -> tensor<64x32x2x8xf32>
  return %t : tensor<64x32x2x8xf32>
}

// CHECK-LABEL: func.func @narrow
// CHECK:         stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [0, 1, 3]
func.func @narrow(%x: tensor<64x32x16xbf16>) -> tensor<8xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %g = stablehlo.reshape %x : (tensor<64x32x16xbf16>) -> tensor<64x32x8x2xbf16>
  %s = stablehlo.reduce(%g init: %z) applies stablehlo.add across dimensions = [0, 1, 3]
      : (tensor<64x32x8x2xbf16>, tensor<bf16>) -> tensor<8xbf16>
  return %s : tensor<8xbf16>
}

// CHECK-LABEL: func.func @large_per_group
// CHECK:         stablehlo.subtract {{.*}} : tensor<64x32x8x2xf32>
func.func @large_per_group(%x: tensor<64x32x16xf32>, %m: tensor<64x32x8xf32>) -> tensor<64x32x16xf32> {
  %g = stablehlo.reshape %x : (tensor<64x32x16xf32>) -> tensor<64x32x8x2xf32>
  %b = stablehlo.broadcast_in_dim %m, dims = [0, 1, 2] : (tensor<64x32x8xf32>) -> tensor<64x32x8x2xf32>
  %d = stablehlo.subtract %g, %b : tensor<64x32x8x2xf32>
  %y = stablehlo.reshape %d : (tensor<64x32x8x2xf32>) -> tensor<64x32x16xf32>
  return %y : tensor<64x32x16xf32>
}
