// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `reduce_window`: windows with strides, dilations and padding of any sign.

// Example of the specification.
func.func @specification() {
  %input = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %init = stablehlo.constant dense<0> : tensor<i64>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 4, 1>, base_dilations = array<i64: 2, 1>, window_dilations = array<i64: 3, 1>, padding = dense<[[2, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %combined = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %combined : tensor<i64>
  }) : (tensor<3x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  check.expect_eq_const %result, dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>
  return
}

// Maxima of 2 x 2 windows that do not overlap.
func.func @max_pooling() {
  %input = stablehlo.constant dense<[
      [1.0, 2.0, 3.0, 4.0],
      [5.0, 6.0, 7.0, 8.0],
      [9.0, 10.0, 11.0, 12.0],
      [13.0, 14.0, 15.0, 16.0]
    ]> : tensor<4x4xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %combined = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %combined : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<2x2xf32>
  check.expect_eq_const %result, dense<[[6.0, 8.0], [14.0, 16.0]]> : tensor<2x2xf32>
  return
}

// Overlapping windows.
func.func @average_pooling_sums() {
  %input = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %combined = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %combined : tensor<f32>
  }) : (tensor<5xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[6.0, 9.0, 12.0]> : tensor<3xf32>
  return
}

// Padding in front as long as the operand: cumulative sums.
func.func @cumulative_sum() {
  %input = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 5>, padding = dense<[[4, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %combined = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %combined : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[1, 3, 6, 10, 15]> : tensor<5xi32>
  return
}

// Negative padding removes elements.
func.func @negative_padding() {
  %input = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2>, padding = dense<[[-1, -1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %combined = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %combined : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[5, 7]> : tensor<2xi32>
  return
}

// Windows with holes.
func.func @window_dilations() {
  %input = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 3>, window_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %combined = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %combined : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<1xi32>
  check.expect_eq_const %result, dense<[9]> : tensor<1xi32>
  return
}

// Holes between the elements are filled with the initial value.
func.func @base_dilations() {
  %input = stablehlo.constant dense<[2, 3, 5]> : tensor<3xi32>
  %init = stablehlo.constant dense<1> : tensor<i32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %combined = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %combined : tensor<i32>
  }) : (tensor<3xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[2, 3, 3, 5]> : tensor<4xi32>
  return
}

// All attributes at once in two dimensions.
func.func @everything() {
  %input = stablehlo.constant dense<[[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12, 13, 14, 15], [16, 17, 18, 19, 20]]> : tensor<4x5xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 3, 2>, base_dilations = array<i64: 2, 3>, window_dilations = array<i64: 3, 2>, padding = dense<[[1, 0], [-1, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %combined = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %combined : tensor<i32>
  }) : (tensor<4x5xi32>, tensor<i32>) -> tensor<2x5xi32>
  check.expect_eq_const %result, dense<[[7, 7, 9, 9, 9], [7, 7, 9, 9, 9]]> : tensor<2x5xi32>
  return
}

// A window over the dimension in the middle.
func.func @rank_three() {
  %input = stablehlo.constant dense<[[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]]> : tensor<2x3x2xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 1, 2, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %combined = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %combined : tensor<i32>
  }) : (tensor<2x3x2xi32>, tensor<i32>) -> tensor<2x2x2xi32>
  check.expect_eq_const %result, dense<[[[4, 6], [8, 10]], [[16, 18], [20, 22]]]> : tensor<2x2x2xi32>
  return
}

// A scalar: one window of one element.
func.func @rank_zero() {
  %input = stablehlo.constant dense<3.0> : tensor<f32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %combined = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %combined : tensor<f32>
  }) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %result, dense<3.0> : tensor<f32>
  return
}

// The window does not fit: an empty result.
func.func @window_larger_than_input() {
  %input = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %combined = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %combined : tensor<f32>
  }) : (tensor<2xf32>, tensor<f32>) -> tensor<0xf32>
  check.expect_eq_const %result, dense<> : tensor<0xf32>
  return
}

// An empty operand.
func.func @empty_input() {
  %input = stablehlo.constant dense<> : tensor<0x2xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %combined = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %combined : tensor<f32>
  }) : (tensor<0x2xf32>, tensor<f32>) -> tensor<0x1xf32>
  check.expect_eq_const %result, dense<> : tensor<0x1xf32>
  return
}

// Signed integers.
func.func @minimum_i8() {
  %input = stablehlo.constant dense<[1, -128, 3]> : tensor<3xi8>
  %init = stablehlo.constant dense<127> : tensor<i8>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %combined = stablehlo.minimum %a, %b : tensor<i8>
    stablehlo.return %combined : tensor<i8>
  }) : (tensor<3xi8>, tensor<i8>) -> tensor<2xi8>
  check.expect_eq_const %result, dense<[-128, -128]> : tensor<2xi8>
  return
}

// Unsigned integers.
func.func @maximum_ui8() {
  %input = stablehlo.constant dense<[1, 128, 3]> : tensor<3xui8>
  %init = stablehlo.constant dense<0> : tensor<ui8>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %combined = stablehlo.maximum %a, %b : tensor<ui8>
    stablehlo.return %combined : tensor<ui8>
  }) : (tensor<3xui8>, tensor<ui8>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<[128, 128]> : tensor<2xui8>
  return
}

// Booleans.
func.func @booleans() {
  %input = stablehlo.constant dense<[false, false, true]> : tensor<3xi1>
  %init = stablehlo.constant dense<false> : tensor<i1>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %combined = stablehlo.or %a, %b : tensor<i1>
    stablehlo.return %combined : tensor<i1>
  }) : (tensor<3xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  return
}

// Complex numbers.
func.func @complex() {
  %input = stablehlo.constant dense<[(0.0, 1.0), (0.0, 1.0)]> : tensor<2xcomplex<f32>>
  %init = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %combined = stablehlo.multiply %a, %b : tensor<complex<f32>>
    stablehlo.return %combined : tensor<complex<f32>>
  }) : (tensor<2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-1.0, 0.0)]> : tensor<1xcomplex<f32>>
  return
}

// Narrow floats.
func.func @bf16() {
  %input = stablehlo.constant dense<[0.5, 1.0, 2.0]> : tensor<3xbf16>
  %init = stablehlo.constant dense<0.0> : tensor<bf16>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %combined = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %combined : tensor<bf16>
  }) : (tensor<3xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %result, dense<[1.5, 3.0]> : tensor<2xbf16>
  return
}

// NaN reaches the windows it is in.
func.func @nan() {
  %input = stablehlo.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %combined = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %combined : tensor<f32>
  }) : (tensor<3xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[2.0, 0x7FC00000]> : tensor<2xf32>
  return
}

// Two operands: the greatest element of each window and its place.
func.func @several_operands() {
  %values = stablehlo.constant dense<[1.0, 7.0, 3.0, 9.0]> : tensor<4xf32>
  %places = stablehlo.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %nowhere = stablehlo.constant dense<-1> : tensor<i32>
  %result:2 = "stablehlo.reduce_window"(%values, %places, %lowest, %nowhere) <{
    window_dimensions = array<i64: 3>, padding = dense<[[1, 0]]> : tensor<1x2xi64>
  }> ({
  ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
    %left = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %value = stablehlo.select %left, %a, %b : tensor<i1>, tensor<f32>
    %place = stablehlo.select %left, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %value, %place : tensor<f32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  check.expect_eq_const %result#0, dense<[7.0, 7.0, 9.0]> : tensor<3xf32>
  check.expect_eq_const %result#1, dense<[1, 1, 3]> : tensor<3xi32>
  return
}

// The body may have a wider type than the operands: unsigned 200 + 200 does not wrap around.
func.func @wider_accumulation() {
  %input = stablehlo.constant dense<[200, 200, 1]> : tensor<3xui8>
  %init = stablehlo.constant dense<0> : tensor<ui8>
  %result = "stablehlo.reduce_window"(%input, %init) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %sum = stablehlo.add %a, %b : tensor<ui32>
    stablehlo.return %sum : tensor<ui32>
  }) : (tensor<3xui8>, tensor<ui8>) -> tensor<2xui32>
  check.expect_eq_const %result, dense<[400, 201]> : tensor<2xui32>
  return
}
