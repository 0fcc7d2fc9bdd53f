// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_add' op: chlo.broadcast_add (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_add' op: chlo.broadcast_add (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_add %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_add' op: chlo.broadcast_add (broadcast): broadcast_dimensions [0, 1] for ranks 2 and 1}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi32>) {
  // expected-error @below {{chlo.broadcast_and' op: chlo.broadcast_and (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_and %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xi32>, tensor<6xi32>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi8>) {
  // expected-error @below {{chlo.broadcast_and' op: chlo.broadcast_and (type): expected one element type, got (tensor<4x6xi32>, tensor<6xi8>)}}
  %0 = chlo.broadcast_and %x, %y : (tensor<4x6xi32>, tensor<6xi8>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_atan2' op: chlo.broadcast_atan2 (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_atan2 %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_atan2' op: chlo.broadcast_atan2 (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_atan2 %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_compare' op: chlo.broadcast_compare (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction LT>, broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xi1>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_compare' op: chlo.broadcast_compare (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction LT>} : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xi1>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_compare' op: chlo.broadcast_compare (broadcast): broadcast_dimensions [0, 1] for ranks 2 and 1}}
  %0 = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction LT>, broadcast_dimensions = array<i64: 0, 1>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xi1>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_complex' op: chlo.broadcast_complex (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_complex %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xcomplex<f32>>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_complex' op: chlo.broadcast_complex (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_complex %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xcomplex<f32>>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_divide' op: chlo.broadcast_divide (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_divide %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_divide' op: chlo.broadcast_divide (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_divide %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_maximum' op: chlo.broadcast_maximum (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_maximum %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_maximum' op: chlo.broadcast_maximum (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_maximum %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_minimum' op: chlo.broadcast_minimum (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_minimum %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_minimum' op: chlo.broadcast_minimum (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_minimum %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_multiply' op: chlo.broadcast_multiply (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_multiply %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_multiply' op: chlo.broadcast_multiply (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_multiply %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_next_after' op: chlo.broadcast_next_after (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_next_after %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_next_after' op: chlo.broadcast_next_after (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_next_after %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi32>) {
  // expected-error @below {{chlo.broadcast_or' op: chlo.broadcast_or (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_or %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xi32>, tensor<6xi32>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi8>) {
  // expected-error @below {{chlo.broadcast_or' op: chlo.broadcast_or (type): expected one element type, got (tensor<4x6xi32>, tensor<6xi8>)}}
  %0 = chlo.broadcast_or %x, %y : (tensor<4x6xi32>, tensor<6xi8>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_polygamma' op: chlo.broadcast_polygamma (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_polygamma %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_polygamma' op: chlo.broadcast_polygamma (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_polygamma %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_power' op: chlo.broadcast_power (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_power %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_power' op: chlo.broadcast_power (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_power %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_remainder' op: chlo.broadcast_remainder (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_remainder %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_remainder' op: chlo.broadcast_remainder (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_remainder %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi32>) {
  // expected-error @below {{chlo.broadcast_shift_left' op: chlo.broadcast_shift_left (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_shift_left %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xi32>, tensor<6xi32>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi8>) {
  // expected-error @below {{chlo.broadcast_shift_left' op: chlo.broadcast_shift_left (type): expected one element type, got (tensor<4x6xi32>, tensor<6xi8>)}}
  %0 = chlo.broadcast_shift_left %x, %y : (tensor<4x6xi32>, tensor<6xi8>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi32>) {
  // expected-error @below {{chlo.broadcast_shift_right_arithmetic' op: chlo.broadcast_shift_right_arithmetic (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_shift_right_arithmetic %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xi32>, tensor<6xi32>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi8>) {
  // expected-error @below {{chlo.broadcast_shift_right_arithmetic' op: chlo.broadcast_shift_right_arithmetic (type): expected one element type, got (tensor<4x6xi32>, tensor<6xi8>)}}
  %0 = chlo.broadcast_shift_right_arithmetic %x, %y : (tensor<4x6xi32>, tensor<6xi8>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi32>) {
  // expected-error @below {{chlo.broadcast_shift_right_logical' op: chlo.broadcast_shift_right_logical (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_shift_right_logical %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xi32>, tensor<6xi32>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi8>) {
  // expected-error @below {{chlo.broadcast_shift_right_logical' op: chlo.broadcast_shift_right_logical (type): expected one element type, got (tensor<4x6xi32>, tensor<6xi8>)}}
  %0 = chlo.broadcast_shift_right_logical %x, %y : (tensor<4x6xi32>, tensor<6xi8>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_subtract' op: chlo.broadcast_subtract (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_subtract %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_subtract' op: chlo.broadcast_subtract (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_subtract %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi32>) {
  // expected-error @below {{chlo.broadcast_xor' op: chlo.broadcast_xor (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_xor %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xi32>, tensor<6xi32>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xi32>, %y: tensor<6xi8>) {
  // expected-error @below {{chlo.broadcast_xor' op: chlo.broadcast_xor (type): expected one element type, got (tensor<4x6xi32>, tensor<6xi8>)}}
  %0 = chlo.broadcast_xor %x, %y : (tensor<4x6xi32>, tensor<6xi8>) -> tensor<4x6xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_zeta' op: chlo.broadcast_zeta (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_zeta %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_zeta' op: chlo.broadcast_zeta (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_zeta %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%p: tensor<4x6xi1>, %x: tensor<6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_select' op: chlo.broadcast_select (type): expected one element type, got (tensor<4x6xi1>, tensor<6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_select %p, %x, %y : (tensor<4x6xi1>, tensor<6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}
