// RUN: xla-opt %s -p stablehlo-expand-cholesky | filecheck %s

// A small one stays.

// CHECK-LABEL: func.func @small
// CHECK-NEXT:    stablehlo.cholesky %{{.+}}, lower = true : tensor<4x4xf32>
func.func @small(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// A lower factor is the transpose of the upper one of the transpose.

// CHECK-LABEL: func.func @lower
// CHECK-NEXT:    [[A:%.+]] = stablehlo.transpose %{{.+}}, dims = [0, 2, 1]
// CHECK-NEXT:    [[U:%.+]] = stablehlo.cholesky [[A]]{{.*}} : tensor<2x70x70xf64>
// CHECK-NEXT:    stablehlo.transpose [[U]], dims = [0, 2, 1]
func.func @lower(%a: tensor<2x70x70xf64>) -> tensor<2x70x70xf64> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x70x70xf64>
  return %0 : tensor<2x70x70xf64>
}

// Several blocks, the last one padded: a loop over the blocks above, the block on the diagonal, the rest of the rows.

// CHECK-LABEL: func.func @blocks
// CHECK:         stablehlo.pad {{.*}} high = [0, 84, 84]{{.*}} -> tensor<1x384x384xf32>
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<1x384x384xf32>
// CHECK:         } do {
// CHECK:           stablehlo.while({{.*}}) : tensor<i32>, tensor<1x128x384xf32>
// CHECK:             stablehlo.dot_general {{.*}} contracting_dims = [1] x [1] : (tensor<1x128x128xf32>, tensor<1x128x384xf32>) -> tensor<1x128x384xf32>
// CHECK:           stablehlo.cholesky {{.*}} : tensor<1x128x128xf32>
// CHECK:           "stablehlo.triangular_solve"({{.*}}) {{.*}} : (tensor<1x128x128xf32>, tensor<1x128x384xf32>) -> tensor<1x128x384xf32>
// CHECK:           stablehlo.dynamic_update_slice
// CHECK:         stablehlo.slice %{{.+}} [0:1, 0:300, 0:300]
func.func @blocks(%a: tensor<300x300xf32>) -> tensor<300x300xf32> {
  %0 = stablehlo.cholesky %a : tensor<300x300xf32>
  return %0 : tensor<300x300xf32>
}

// f16 is computed in f32.

// CHECK-LABEL: func.func @half
// CHECK-NEXT:    [[W:%.+]] = stablehlo.convert %{{.+}} : (tensor<3x3xf16>) -> tensor<3x3xf32>
// CHECK-NEXT:    [[F:%.+]] = stablehlo.cholesky [[W]]{{.*}} : tensor<3x3xf32>
// CHECK-NEXT:    stablehlo.convert [[F]] : (tensor<3x3xf32>) -> tensor<3x3xf16>
func.func @half(%a: tensor<3x3xf16>) -> tensor<3x3xf16> {
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
