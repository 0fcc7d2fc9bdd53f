// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce' op: stablehlo.reduce (C1): inputs differ in shape: (tensor<4x6xf32>, tensor<4x5xf32>)}}
  %0:2 = "stablehlo.reduce"(%x, %y, %f, %f) <{dimensions = array<i64: 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>, %u: tensor<f32>, %v: tensor<f32>):
    stablehlo.return %s, %t : tensor<f32>, tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x5xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce' op: stablehlo.reduce (C3): 1 inputs, 1 init_values, 2 results}}
  %0:2 = "stablehlo.reduce"(%x, %f) <{dimensions = array<i64: 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce' op: stablehlo.reduce (C4): dimensions [2] exceed the rank 2}}
  %0 = "stablehlo.reduce"(%x, %f) <{dimensions = array<i64: 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce' op: stablehlo.reduce (C5): dimensions [1, 1] are not unique}}
  %0 = "stablehlo.reduce"(%x, %f) <{dimensions = array<i64: 1, 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce' op: stablehlo.reduce (C6): expected 2 arguments of body, got 1}}
  %0 = "stablehlo.reduce"(%x, %f) <{dimensions = array<i64: 1>}> ({
  ^bb0(%s: tensor<f32>):
    %sum = stablehlo.add %s, %s : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce' op: stablehlo.reduce (C6): expected body to return (tensor<f32>), got (tensor<f32>, tensor<f32>)}}
  %0 = "stablehlo.reduce"(%x, %f) <{dimensions = array<i64: 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum, %sum : tensor<f32>, tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce' op: stablehlo.reduce (C6): body takes tensor<i32>, which f32 cannot be promoted to}}
  %0 = "stablehlo.reduce"(%x, %f) <{dimensions = array<i64: 1>}> ({
  ^bb0(%s: tensor<i32>, %t: tensor<i32>):
    %r = stablehlo.add %s, %t : tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce' op: stablehlo.reduce (C7): expected result shape [4], got [6]}}
  %0 = "stablehlo.reduce"(%x, %f) <{dimensions = array<i64: 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{expected a commutative operation of two operands, got stablehlo.subtract}}
  %0 = stablehlo.reduce(%x init: %f) applies stablehlo.subtract across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C4): expected 2 window_dimensions, got 1}}
  %0 = "stablehlo.reduce_window"(%x, %f) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C5): window_dimensions must be positive, got [2, 0]}}
  %0 = "stablehlo.reduce_window"(%x, %f) <{window_dimensions = array<i64: 2, 0>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C6): expected 2 window_strides, got 1}}
  %0 = "stablehlo.reduce_window"(%x, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C7): window_strides must be positive, got [1, 0]}}
  %0 = "stablehlo.reduce_window"(%x, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 0>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C8): expected 2 base_dilations, got 1}}
  %0 = "stablehlo.reduce_window"(%x, %f) <{window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C9): base_dilations must be positive, got [1, 0]}}
  %0 = "stablehlo.reduce_window"(%x, %f) <{window_dimensions = array<i64: 2, 2>, base_dilations = array<i64: 1, 0>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C10): expected 2 window_dilations, got 1}}
  %0 = "stablehlo.reduce_window"(%x, %f) <{window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C11): window_dilations must be positive, got [1, 0]}}
  %0 = "stablehlo.reduce_window"(%x, %f) <{window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 1, 0>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C12): expected padding of shape [2, 2], got [1, 2]}}
  %0 = "stablehlo.reduce_window"(%x, %f) <{window_dimensions = array<i64: 2, 2>, padding = dense<0> : tensor<1x2xi64>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C13): expected 2 arguments of body, got 1}}
  %0 = "stablehlo.reduce_window"(%x, %f) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%s: tensor<f32>):
    %sum = stablehlo.add %s, %s : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C15): expected result shape [3, 5], got [4, 5]}}
  %0 = "stablehlo.reduce_window"(%x, %f) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>, %src64: tensor<2x3xf64>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C1): operand of type tensor<4x6xf32>, source of type tensor<2x3xf64>}}
  %0 = "stablehlo.select_and_scatter"(%x, %src64, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf64>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C2): expected source shape [2, 3], got [4, 5]}}
  %0 = "stablehlo.select_and_scatter"(%x, %y, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x5xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C4): expected 2 window_dimensions, got 1}}
  %0 = "stablehlo.select_and_scatter"(%x, %src, %f) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C5): window_dimensions must be positive, got [2, 0]}}
  %0 = "stablehlo.select_and_scatter"(%x, %src, %f) <{window_dimensions = array<i64: 2, 0>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C6): expected 2 window_strides, got 1}}
  %0 = "stablehlo.select_and_scatter"(%x, %src, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C7): window_strides must be positive, got [1, -1]}}
  %0 = "stablehlo.select_and_scatter"(%x, %src, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, -1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C8): expected padding of shape [2, 2], got [2, 1]}}
  %0 = "stablehlo.select_and_scatter"(%x, %src, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, padding = dense<0> : tensor<2x1xi64>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C9): expected select to return (tensor<i1>), got (tensor<f32>)}}
  %0 = "stablehlo.select_and_scatter"(%x, %src, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }, {
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C10): expected scatter to return (tensor<f32>), got (tensor<i1>)}}
  %0 = "stablehlo.select_and_scatter"(%x, %src, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C11): operand of type tensor<4x6xf32>, result of type tensor<6x4xf32>}}
  %0 = "stablehlo.select_and_scatter"(%x, %src, %f) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.map' op: stablehlo.map (C1): expected one shape, got (tensor<4x6xf32>, tensor<4x5xf32>) -> tensor<4x6xf32>}}
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x5xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.map' op: stablehlo.map (C3): expected dimensions [0, 1], got [1, 0]}}
  %0 = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 1, 0>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.map' op: stablehlo.map (C4): expected computation to take (tensor<f32>, tensor<f32>), got (tensor<f32>)}}
  %0 = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%s: tensor<f32>):
    %sum = stablehlo.add %s, %s : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.sort' op: stablehlo.sort (C2): expected results (tensor<4x6xf32>), got (tensor<6x4xf32>)}}
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.sort' op: stablehlo.sort (C4): dimension 2 is outside [-2, 2)}}
  %0 = "stablehlo.sort"(%x) <{dimension = 2 : i64}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>, %y: tensor<4x5xf32>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.sort' op: stablehlo.sort (C5): expected comparator to return (tensor<i1>), got (tensor<f32>)}}
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %g: tensor<f64>) {
  // expected-error @below {{stablehlo.reduce' op: stablehlo.reduce (C2): init_value of type tensor<f64> for input of type tensor<4x6xf32>}}
  %0 = stablehlo.reduce(%x init: %g) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f64>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %g: tensor<f64>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C3): init_value of type tensor<f64> for input of type tensor<4x6xf32>}}
  %0 = "stablehlo.reduce_window"(%x, %g) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f64>) -> tensor<3x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %g: tensor<f64>, %src: tensor<2x3xf32>) {
  // expected-error @below {{stablehlo.select_and_scatter' op: stablehlo.select_and_scatter (C3): init_value of type tensor<f64> for input of type tensor<4x6xf32>}}
  %0 = "stablehlo.select_and_scatter"(%x, %src, %g) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %r = stablehlo.compare GE, %s, %t : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, {
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C1): 0 inputs, 0 init_values, 0 results}}
  "stablehlo.reduce_window"() <{window_dimensions = array<i64>}> ({
  ^bb0:
    stablehlo.return
  }) : () -> ()
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %y: tensor<5xf32>, %i: tensor<f32>) {
  // expected-error @below {{stablehlo.reduce_window' op: stablehlo.reduce_window (C2): inputs differ in shape: (tensor<4xf32>, tensor<5xf32>)}}
  %0:2 = "stablehlo.reduce_window"(%x, %y, %i, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<f32>, %b: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<5xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{stablehlo.map' op: stablehlo.map (C2): expected at least one input}}
  %0 = "stablehlo.map"() <{dimensions = array<i64>}> ({
    %c = stablehlo.constant dense<1> : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : () -> tensor<i32>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{stablehlo.sort' op: stablehlo.sort (C1): expected at least one input}}
  "stablehlo.sort"() <{dimension = 0 : i64}> ({
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : () -> ()
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %y: tensor<5xf32>) {
  // expected-error @below {{stablehlo.sort' op: stablehlo.sort (C3): inputs and results differ in shape: (tensor<4xf32>, tensor<5xf32>)}}
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4xf32>, tensor<5xf32>) -> (tensor<4xf32>, tensor<5xf32>)
  return
}
