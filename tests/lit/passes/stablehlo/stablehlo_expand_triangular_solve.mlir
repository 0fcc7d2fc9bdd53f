// RUN: xla-opt %s -p stablehlo-expand-triangular-solve | filecheck %s

// A small system stays.

// CHECK-LABEL: func.func @lower
// CHECK-NEXT:    "stablehlo.triangular_solve"
// CHECK-NEXT:    func.return
func.func @lower(%a: tensor<4x4xf32>, %b: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// x a^H = b is conj(a) x^T = b^T.

// CHECK-LABEL: func.func @right_adjoint_unit
// CHECK:         stablehlo.imag
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    stablehlo.complex
// CHECK-NEXT:    [[B:%.+]] = stablehlo.transpose %{{.+}}, dims = [1, 0] : (tensor<2x40xcomplex<f32>>) -> tensor<40x2xcomplex<f32>>
// CHECK-NEXT:    "stablehlo.triangular_solve"(%{{.+}}, [[B]]) <{{.*}}left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>
// CHECK-NEXT:    stablehlo.transpose %{{.+}}, dims = [1, 0] : (tensor<40x2xcomplex<f32>>) -> tensor<2x40xcomplex<f32>>
func.func @right_adjoint_unit(%a: tensor<40x40xcomplex<f32>>, %b: tensor<2x40xcomplex<f32>>) -> tensor<2x40xcomplex<f32>> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<40x40xcomplex<f32>>, tensor<2x40xcomplex<f32>>) -> tensor<2x40xcomplex<f32>>
  return %0 : tensor<2x40xcomplex<f32>>
}

// Blocks of rows: three, the last one padded.

// CHECK-LABEL: func.func @blocks
// CHECK:         stablehlo.pad {{.*}} high = [0, 84, 84]{{.*}} -> tensor<3x384x384xf32>
// CHECK:         stablehlo.pad {{.*}} high = [0, 84, 0]{{.*}} -> tensor<3x384x5xf32>
// CHECK:         stablehlo.while({{.*}}) : tensor<i32>, tensor<3x384x5xf32>
// CHECK:           stablehlo.dot_general {{.*}} batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x128x384xf32>, tensor<3x384x5xf32>) -> tensor<3x128x5xf32>
// CHECK:           "stablehlo.triangular_solve"({{.*}}) {{.*}} : (tensor<3x128x128xf32>, tensor<3x128x5xf32>) -> tensor<3x128x5xf32>
// CHECK:           stablehlo.dynamic_update_slice
// CHECK:         stablehlo.slice %{{.+}} [0:3, 0:300, 0:5]
func.func @blocks(%a: tensor<3x300x300xf32>, %b: tensor<3x300x5xf32>) -> tensor<3x300x5xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<3x300x300xf32>, tensor<3x300x5xf32>) -> tensor<3x300x5xf32>
  return %0 : tensor<3x300x5xf32>
}
