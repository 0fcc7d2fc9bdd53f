// RUN: xla-opt %s | filecheck %s

// Lists of numbers as tensors, and ops, attributes and types of mhlo: what was printed before StableHLO had its present form.

// CHECK-LABEL: func.func @lists
func.func @lists(%x: tensor<4x4xf32>, %i: tensor<i32>, %w: tensor<1x1x4x4xf32>, %z: tensor<f32>) {
  // CHECK-NEXT: stablehlo.slice %x [0:1, 1:3]
  %0 = "stablehlo.slice"(%x) {start_indices = dense<[0, 1]> : tensor<2xi64>, limit_indices = dense<[1, 3]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} : (tensor<4x4xf32>) -> tensor<1x2xf32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %z, dims = []
  %1 = "stablehlo.broadcast_in_dim"(%z) {broadcast_dimensions = dense<> : tensor<0xi64>} : (tensor<f32>) -> tensor<4x4xf32>
  // CHECK-NEXT: slice_sizes = array<i64: 1, 4>
  %2 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = dense<[1, 4]> : tensor<2xi64>} : (tensor<4x4xf32>, tensor<i32>) -> tensor<4xf32>
  // CHECK: window_dimensions = array<i64: 1, 1, 2, 2>, padding = dense<0> : tensor<4x2xi64>
  %3 = "stablehlo.reduce_window"(%w, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %4 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) {padding = dense<0> : tensor<4x2xi64>, window_dimensions = dense<[1, 1, 2, 2]> : tensor<4xi64>} : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x3x3xf32>
  return
}

// CHECK-LABEL: func.func @lists_in_attribute_dictionaries
func.func @lists_in_attribute_dictionaries(%x: tensor<4xf32>, %y: tensor<3x4xf32>, %s: tensor<2xi32>) {
  // CHECK-NEXT: stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] {known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0>}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] {known_expanding_dimensions = dense<> : tensor<0xi64>, known_nonexpanding_dimensions = dense<0> : tensor<1xi64>} : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  // CHECK-NEXT: chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 1>}
  %1 = chlo.broadcast_add %x, %y {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  // CHECK-NEXT: chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 1>}
  %2 = "chlo.broadcast_add"(%x, %y) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: func.func @mhlo
func.func @mhlo(%x: tensor<4x4xf32>, %i: tensor<i32>, %t: !mhlo.token) -> !mhlo.token {
  // CHECK-SAME: !stablehlo.token
  // CHECK-NEXT: stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %z = mhlo.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]
  %0 = "mhlo.dot_general"(%x, %x) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1]
  %1 = mhlo.reduce(%0 init: %z) applies mhlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK-NEXT: stablehlo.compare LT, %0, %x, FLOAT
  %2 = "mhlo.compare"(%0, %x) {comparison_direction = #mhlo<comparison_direction LT>, compare_type = #mhlo<comparison_type FLOAT>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
  // CHECK-NEXT: chlo.erf %x : tensor<4x4xf32> -> tensor<4x4xf32>
  %3 = mhlo.erf %x : tensor<4x4xf32>
  // CHECK-NEXT: stablehlo.while(%iterArg = %i)
  %4 = mhlo.while(%iterArg = %i) : tensor<i32>
   cond {
    %5 = mhlo.compare LT, %iterArg, %iterArg, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    mhlo.return %5 : tensor<i1>
  } do {
    mhlo.return %iterArg : tensor<i32>
  }
  return %t : !mhlo.token
}
