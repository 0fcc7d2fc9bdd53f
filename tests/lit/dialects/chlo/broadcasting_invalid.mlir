// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{chlo.broadcast_add' op: chlo.broadcast_add (broadcast): shapes [4, 6], [4] do not fit}}
  %0 = chlo.broadcast_add %x, %y : (tensor<4x6xf32>, tensor<4xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  // expected-error @below {{chlo.broadcast_add' op: chlo.broadcast_add (broadcast): expected result shape [4, 6], got [6, 4]}}
  %0 = chlo.broadcast_add %x, %y : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<6xf64>) {
  // expected-error @below {{chlo.broadcast_multiply' op: chlo.broadcast_multiply (type): expected one element type, got (tensor<4x6xf32>, tensor<6xf64>)}}
  %0 = chlo.broadcast_multiply %x, %y : (tensor<4x6xf32>, tensor<6xf64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{chlo.broadcast_add' op: chlo.broadcast_add (broadcast): broadcast_dimensions [2] for ranks 2 and 1}}
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 2>} : (tensor<4x6xf32>, tensor<4xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %p: tensor<i1>, %y: tensor<4xf32>) {
  // expected-error @below {{chlo.broadcast_select' op: chlo.broadcast_select (broadcast): shapes [], [4, 6], [4] do not fit}}
  %0 = chlo.broadcast_select %p, %x, %y : (tensor<i1>, tensor<4x6xf32>, tensor<4xf32>) -> tensor<4x6xf32>
  return
}
