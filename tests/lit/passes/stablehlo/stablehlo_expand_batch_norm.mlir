// RUN: xla-opt %s -p stablehlo-expand-batch-norm | filecheck %s

// CHECK-LABEL: func.func @inference
// CHECK-SAME:    ([[X:%.+]]: tensor<8x4xf32>, [[SCALE:%.+]]: tensor<4xf32>, [[OFFSET:%.+]]: tensor<4xf32>, [[MEAN:%.+]]: tensor<4xf32>, [[VARIANCE:%.+]]: tensor<4xf32>)
// CHECK-NEXT:    [[M:%.+]] = stablehlo.broadcast_in_dim [[MEAN]], dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.subtract [[X]], [[M]] : tensor<8x4xf32>
// CHECK-NEXT:    [[E:%.+]] = stablehlo.constant dense<1.000000e-03> : tensor<4xf32>
// CHECK-NEXT:    [[V:%.+]] = stablehlo.add [[VARIANCE]], [[E]] : tensor<4xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.rsqrt [[V]] : tensor<4xf32>
// CHECK-NEXT:    [[S:%.+]] = stablehlo.multiply [[D]], [[SCALE]] : tensor<4xf32>
// CHECK-NEXT:    [[SS:%.+]] = stablehlo.broadcast_in_dim [[S]], dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    [[N:%.+]] = stablehlo.multiply [[C]], [[SS]] : tensor<8x4xf32>
// CHECK-NEXT:    [[O:%.+]] = stablehlo.broadcast_in_dim [[OFFSET]], dims = [1] : (tensor<4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.add [[N]], [[O]] : tensor<8x4xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @inference(%x: tensor<8x4xf32>, %scale: tensor<4xf32>, %offset: tensor<4xf32>, %mean: tensor<4xf32>, %variance: tensor<4xf32>) -> tensor<8x4xf32> {
  %0 = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Two sums over the batch, in f32 for f16.

// CHECK-LABEL: func.func @training
// CHECK-NEXT:    stablehlo.convert %{{.+}} : (tensor<2x4x3xf16>) -> tensor<2x4x3xf32>
// CHECK:         stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK:         [[N:%.+]] = stablehlo.constant dense<6.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    stablehlo.divide %{{.+}}, [[N]] : tensor<4xf32>
// CHECK:         stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x4x3xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK:         stablehlo.convert %{{.+}} : (tensor<2x4x3xf32>) -> tensor<2x4x3xf16>
func.func @training(%x: tensor<2x4x3xf16>, %scale: tensor<4xf16>, %offset: tensor<4xf16>) -> (tensor<2x4x3xf16>, tensor<4xf16>, tensor<4xf16>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<2x4x3xf16>, tensor<4xf16>, tensor<4xf16>) -> (tensor<2x4x3xf16>, tensor<4xf16>, tensor<4xf16>)
  return %0#0, %0#1, %0#2 : tensor<2x4x3xf16>, tensor<4xf16>, tensor<4xf16>
}

// Inside a region, and the gradient.

// CHECK-LABEL: func.func @grad
// CHECK:         "stablehlo.if"
// CHECK-COUNT-2:   stablehlo.reduce
// CHECK-NOT:     batch_norm
func.func @grad(%x: tensor<8x4xf32>, %f: tensor<4xf32>, %p: tensor<i1>) -> tensor<8x4xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1:3 = "stablehlo.batch_norm_grad"(%x, %f, %f, %f, %x) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
    stablehlo.return %1#0 : tensor<8x4xf32>
  }, {
    stablehlo.return %x : tensor<8x4xf32>
  }) : (tensor<i1>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
