// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @broadcasting
// CHECK-NEXT: %add = chlo.broadcast_add %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %atan2 = chlo.broadcast_atan2 %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %divide = chlo.broadcast_divide %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %maximum = chlo.broadcast_maximum %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %minimum = chlo.broadcast_minimum %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %multiply = chlo.broadcast_multiply %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %next_after = chlo.broadcast_next_after %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %polygamma = chlo.broadcast_polygamma %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %power = chlo.broadcast_power %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %remainder = chlo.broadcast_remainder %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %subtract = chlo.broadcast_subtract %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %zeta = chlo.broadcast_zeta %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %and = chlo.broadcast_and %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
// CHECK-NEXT: %or = chlo.broadcast_or %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
// CHECK-NEXT: %xor = chlo.broadcast_xor %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
// CHECK-NEXT: %shift_left = chlo.broadcast_shift_left %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
// CHECK-NEXT: %shift_right_arithmetic = chlo.broadcast_shift_right_arithmetic %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
// CHECK-NEXT: %shift_right_logical = chlo.broadcast_shift_right_logical %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
// CHECK-NEXT: %placed = chlo.broadcast_add %x, %w {broadcast_dimensions = array<i64: 0>, note} : (tensor<4x6xf32>, tensor<4xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %complex = chlo.broadcast_complex %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xcomplex<f32>>
// CHECK-NEXT: %compare = chlo.broadcast_compare %x, %v {compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction EQ>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xi1>
// CHECK-NEXT: %select = chlo.broadcast_select %p, %x, %v : (tensor<i1>, tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
func.func @broadcasting(%x: tensor<4x6xf32>, %v: tensor<6xf32>, %w: tensor<4xf32>, %i: tensor<4x6xi32>, %j: tensor<1xi32>, %p: tensor<i1>) {
  %add = chlo.broadcast_add %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %atan2 = chlo.broadcast_atan2 %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %divide = chlo.broadcast_divide %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %maximum = chlo.broadcast_maximum %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %minimum = chlo.broadcast_minimum %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %multiply = chlo.broadcast_multiply %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %next_after = chlo.broadcast_next_after %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %polygamma = chlo.broadcast_polygamma %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %power = chlo.broadcast_power %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %remainder = chlo.broadcast_remainder %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %subtract = chlo.broadcast_subtract %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %zeta = chlo.broadcast_zeta %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %and = chlo.broadcast_and %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
  %or = chlo.broadcast_or %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
  %xor = chlo.broadcast_xor %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
  %shift_left = chlo.broadcast_shift_left %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
  %shift_right_arithmetic = chlo.broadcast_shift_right_arithmetic %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
  %shift_right_logical = chlo.broadcast_shift_right_logical %i, %j : (tensor<4x6xi32>, tensor<1xi32>) -> tensor<4x6xi32>
  %placed = chlo.broadcast_add %x, %w {broadcast_dimensions = array<i64: 0>, note} : (tensor<4x6xf32>, tensor<4xf32>) -> tensor<4x6xf32>
  %complex = chlo.broadcast_complex %x, %v : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xcomplex<f32>>
  %compare = chlo.broadcast_compare %x, %v {compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction EQ>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xi1>
  %select = chlo.broadcast_select %p, %x, %v : (tensor<i1>, tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}
