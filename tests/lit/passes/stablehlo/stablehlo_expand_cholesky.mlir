// RUN: xla-opt %s -p stablehlo-expand-cholesky | filecheck %s

// A matrix of one block: a loop over its columns.

// CHECK-LABEL: func.func @small
// CHECK-SAME:    ([[A:%.+]]: tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:    stablehlo.reshape [[A]] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<1x4x4xf32>
// CHECK:         cond {
// CHECK:           [[N:%.+]] = stablehlo.constant dense<4> : tensor<i32>
// CHECK:           stablehlo.compare LT, %{{.+}}, [[N]], SIGNED
// CHECK:         } do {
// CHECK:           [[COLUMN:%.+]] = stablehlo.dynamic_slice {{.*}} sizes = [1, 4, 1]
// CHECK:           stablehlo.dynamic_slice [[COLUMN]], {{.*}} sizes = [1, 1, 1]
// CHECK:           stablehlo.sqrt
// CHECK:           stablehlo.divide [[COLUMN]],
// CHECK-NOT:       stablehlo.while
// CHECK-NOT:     dot_general
// CHECK:         func.return
func.func @small(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// Several blocks: a product for each of three, the last one padded.

// CHECK-LABEL: func.func @blocks
// CHECK:         stablehlo.pad %{{.+}}, %{{.+}}, low = [0, 0, 0], high = [0, 26, 26], interior = [0, 0, 0] : (tensor<2x70x70xf64>, tensor<f64>) -> tensor<2x96x96xf64>
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<2x96x96xf64>
// CHECK:         } do {
// CHECK:           [[ROWS:%.+]] = stablehlo.dynamic_slice {{.*}} sizes = [2, 32, 96]
// CHECK-NEXT:      stablehlo.dot_general %{{.+}}, [[ROWS]], batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x96x96xf64>, tensor<2x32x96xf64>) -> tensor<2x96x32xf64>
// CHECK:           stablehlo.while({{.*}}) : tensor<i32>, tensor<2x96x32xf64>
// CHECK:           stablehlo.dynamic_update_slice
// CHECK:         stablehlo.slice %{{.+}} [0:2, 0:70, 0:70]
func.func @blocks(%a: tensor<2x70x70xf64>) -> tensor<2x70x70xf64> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x70x70xf64>
  return %0 : tensor<2x70x70xf64>
}

// The upper factor is the adjoint of the lower one; f16 is computed in f32.

// CHECK-LABEL: func.func @upper
// CHECK-NEXT:    [[W:%.+]] = stablehlo.convert %{{.+}} : (tensor<3x3xf16>) -> tensor<3x3xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[W]]
// CHECK-NEXT:    stablehlo.transpose [[R]], dims = [0, 2, 1]
// CHECK:         [[T:%.+]] = stablehlo.transpose %{{.+}}, dims = [0, 2, 1]
// CHECK-NEXT:    [[S:%.+]] = stablehlo.reshape [[T]]
// CHECK-NEXT:    stablehlo.convert [[S]] : (tensor<3x3xf32>) -> tensor<3x3xf16>
func.func @upper(%a: tensor<3x3xf16>) -> tensor<3x3xf16> {
  %0 = stablehlo.cholesky %a : tensor<3x3xf16>
  return %0 : tensor<3x3xf16>
}

// CHECK-LABEL: func.func @empty
// CHECK-SAME:    ([[A:%.+]]: tensor<0x3x3xf32>)
// CHECK-NEXT:    func.return [[A]]
func.func @empty(%a: tensor<0x3x3xf32>) -> tensor<0x3x3xf32> {
  %0 = stablehlo.cholesky %a : tensor<0x3x3xf32>
  return %0 : tensor<0x3x3xf32>
}
