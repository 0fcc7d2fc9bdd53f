// RUN: xla-opt %s --split-input-file --verify-diagnostics

// The elements of results are those of the accumulators.

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @below {{stablehlo.reduce' op: stablehlo.reduce (C8): expected result elements as body returns them, tensor<f64>, got f32}}
  %0 = "stablehlo.reduce"(%x, %i) ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %s = stablehlo.add %p, %q : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C16): expected result elements as body returns them, tensor<f64>, got f32}}
  %0 = "stablehlo.reduce_window"(%x, %i) ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %s = stablehlo.add %p, %q : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %i: tensor<f32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C14): results differ in shape: (tensor<3x5xf32>, tensor<4x5xf32>)}}
  %0:2 = "stablehlo.reduce_window"(%x, %x, %i, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<f32>, %s: tensor<f32>):
    stablehlo.return %p, %q : tensor<f32>, tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<3x5xf32>, tensor<4x5xf32>)
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C12): expected result elements as scatter returns them, tensor<f64>, got f32}}
  %0 = "stablehlo.select_and_scatter"(%x, %y, %i) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %c = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %s = stablehlo.add %p, %q : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}
