// RUN: xla-opt %s -p stablehlo-expand-triangular-solve | filecheck %s

// One block: a loop over its rows, from the first.

// CHECK-LABEL: func.func @lower
// CHECK-SAME:    ([[A:%.+]]: tensor<4x4xf32>, [[B:%.+]]: tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:    [[A1:%.+]] = stablehlo.reshape [[A]] : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
// CHECK-NEXT:    [[B1:%.+]] = stablehlo.reshape [[B]] : (tensor<4x2xf32>) -> tensor<1x4x2xf32>
// CHECK:         stablehlo.while([[K:%.+]] = %{{.+}}, [[X:%.+]] = [[B1]]) : tensor<i32>, tensor<1x4x2xf32>
// CHECK:         } do {
// CHECK:           [[ROW:%.+]] = stablehlo.dynamic_slice [[X]], %{{.+}}, [[K]], %{{.+}}, sizes = [1, 1, 2]
// CHECK:           [[COLUMN:%.+]] = stablehlo.dynamic_slice [[A1]], {{.*}} sizes = [1, 4, 1]
// CHECK:           [[PIVOT:%.+]] = stablehlo.dynamic_slice [[COLUMN]], {{.*}} sizes = [1, 1, 1]
// CHECK:           stablehlo.divide [[ROW]],
// CHECK:           stablehlo.compare GT
// CHECK-NOT:     dot_general
func.func @lower(%a: tensor<4x4xf32>, %b: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// x a^H = b is conj(a) x^T = b^T; an upper triangle begins with the last row; ones on the diagonal are not divided by.

// CHECK-LABEL: func.func @right_adjoint_unit
// CHECK:         stablehlo.imag
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    stablehlo.complex
// CHECK-NEXT:    [[B:%.+]] = stablehlo.transpose %{{.+}}, dims = [0, 2, 1] : (tensor<1x2x4xcomplex<f32>>) -> tensor<1x4x2xcomplex<f32>>
// CHECK:         stablehlo.while(%{{.+}} = %{{.+}}, %{{.+}} = [[B]])
// CHECK:         } do {
// CHECK:           [[LAST:%.+]] = stablehlo.constant dense<3> : tensor<i32>
// CHECK:           stablehlo.subtract [[LAST]],
// CHECK-NOT:       stablehlo.divide
// CHECK:           stablehlo.compare LT
// CHECK:         stablehlo.transpose %{{.+}}, dims = [0, 2, 1] : (tensor<1x4x2xcomplex<f32>>) -> tensor<1x2x4xcomplex<f32>>
func.func @right_adjoint_unit(%a: tensor<4x4xcomplex<f32>>, %b: tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<4x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  return %0 : tensor<2x4xcomplex<f32>>
}

// Blocks of rows: two, the last one padded.

// CHECK-LABEL: func.func @blocks
// CHECK:         stablehlo.pad {{.*}} high = [0, 24, 24]{{.*}} -> tensor<3x64x64xf32>
// CHECK:         stablehlo.pad {{.*}} high = [0, 24, 0]{{.*}} -> tensor<3x64x5xf32>
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<3x64x5xf32>
// CHECK:           stablehlo.dot_general {{.*}} batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x32x64xf32>, tensor<3x64x5xf32>) -> tensor<3x32x5xf32>
// CHECK:           stablehlo.while({{.*}}) : tensor<i32>, tensor<3x32x5xf32>
// CHECK:           stablehlo.dynamic_update_slice
// CHECK:         stablehlo.slice %{{.+}} [0:3, 0:40, 0:5]
func.func @blocks(%a: tensor<3x40x40xf32>, %b: tensor<3x40x5xf32>) -> tensor<3x40x5xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x40x40xf32>, tensor<3x40x5xf32>) -> tensor<3x40x5xf32>
  return %0 : tensor<3x40x5xf32>
}
