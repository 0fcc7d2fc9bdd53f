// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `sort`: stable, along any dimension, by any comparator, several operands together.

// Example of the specification: rows in descending order of the first operand.
func.func @specification() {
  %x = stablehlo.constant dense<[[1, 2, 3], [3, 2, 1]]> : tensor<2x3xi64>
  %y = stablehlo.constant dense<[[3, 2, 1], [1, 2, 3]]> : tensor<2x3xi64>
  %result:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x_a: tensor<i64>, %x_b: tensor<i64>, %y_a: tensor<i64>, %y_b: tensor<i64>):
    %before = stablehlo.compare GT, %x_a, %x_b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<2x3xi64>, tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>)
  check.expect_eq_const %result#0, dense<[[3, 2, 3], [1, 2, 1]]> : tensor<2x3xi64>
  check.expect_eq_const %result#1, dense<[[1, 2, 1], [3, 2, 3]]> : tensor<2x3xi64>
  return
}

// Numbers, the last dimension by default.
func.func @ascending() {
  %x = stablehlo.constant dense<[[3.0, 1.0, -2.0, 0.0], [0.5, 0.25, 8.0, -8.0]]> : tensor<2x4xf32>
  %result = "stablehlo.sort"(%x) <{}> ({
  ^bb0(%x_a: tensor<f32>, %x_b: tensor<f32>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  check.expect_eq_const %result, dense<[[-2.0, 0.0, 1.0, 3.0], [-8.0, 0.25, 0.5, 8.0]]> : tensor<2x4xf32>
  return
}

// The first dimension.
func.func @first_dimension() {
  %x = stablehlo.constant dense<[[3, 1], [2, 9], [1, 5]]> : tensor<3x2xi32>
  %result = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<i32>, %x_b: tensor<i32>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<3x2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[1, 1], [2, 5], [3, 9]]> : tensor<3x2xi32>
  return
}

// The dimension in the middle.
func.func @middle_dimension() {
  %x = stablehlo.constant dense<[[[3, 1], [2, 9], [1, 5]], [[0, 0], [-1, 4], [7, -4]]]> : tensor<2x3x2xi32>
  %result = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<i32>, %x_b: tensor<i32>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<2x3x2xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[1, 1], [2, 5], [3, 9]], [[-1, -4], [0, 0], [7, 4]]]> : tensor<2x3x2xi32>
  return
}

// A negative dimension counts from the end.
func.func @negative_dimension() {
  %x = stablehlo.constant dense<[[4, 3], [2, 1]]> : tensor<2x2xi32>
  %result = "stablehlo.sort"(%x) <{dimension = -2 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<i32>, %x_b: tensor<i32>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[2, 1], [4, 3]]> : tensor<2x2xi32>
  return
}

// Equal keys keep their order.
func.func @ties() {
  %key = stablehlo.constant dense<[1, 0, 1, 0, 1, 0]> : tensor<6xi32>
  %value = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %result:2 = "stablehlo.sort"(%key, %value) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%key_a: tensor<i32>, %key_b: tensor<i32>, %value_a: tensor<i32>, %value_b: tensor<i32>):
    %before = stablehlo.compare LT, %key_a, %key_b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>)
  check.expect_eq_const %result#0, dense<[0, 0, 0, 1, 1, 1]> : tensor<6xi32>
  check.expect_eq_const %result#1, dense<[1, 3, 5, 0, 2, 4]> : tensor<6xi32>
  return
}

// Equal keys keep their order when the order is descending, too.
func.func @ties_descending() {
  %key = stablehlo.constant dense<[1, 0, 1, 0, 1]> : tensor<5xi32>
  %value = stablehlo.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  %result:2 = "stablehlo.sort"(%key, %value) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%key_a: tensor<i32>, %key_b: tensor<i32>, %value_a: tensor<i32>, %value_b: tensor<i32>):
    %before = stablehlo.compare GT, %key_a, %key_b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)
  check.expect_eq_const %result#0, dense<[1, 1, 1, 0, 0]> : tensor<5xi32>
  check.expect_eq_const %result#1, dense<[0, 2, 4, 1, 3]> : tensor<5xi32>
  return
}

// Twenty elements with three keys: an odd length that is no power of two.
func.func @many_ties() {
  %key = stablehlo.constant dense<[0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1]> : tensor<21xi8>
  %value = stablehlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]> : tensor<21xi8>
  %result:2 = "stablehlo.sort"(%key, %value) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%key_a: tensor<i8>, %key_b: tensor<i8>, %value_a: tensor<i8>, %value_b: tensor<i8>):
    %before = stablehlo.compare LT, %key_a, %key_b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<21xi8>, tensor<21xi8>) -> (tensor<21xi8>, tensor<21xi8>)
  check.expect_eq_const %result#0, dense<[0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]> : tensor<21xi8>
  check.expect_eq_const %result#1, dense<[0, 3, 6, 9, 12, 15, 18, 2, 5, 8, 11, 14, 17, 20, 1, 4, 7, 10, 13, 16, 19]> : tensor<21xi8>
  return
}

// By the first operand, then by the second.
func.func @two_keys() {
  %x = stablehlo.constant dense<[1, 0, 1, 0]> : tensor<4xi32>
  %y = stablehlo.constant dense<[2.0, 4.0, 1.0, 3.0]> : tensor<4xf32>
  %result:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<i32>, %x_b: tensor<i32>, %y_a: tensor<f32>, %y_b: tensor<f32>):
    %less = stablehlo.compare LT, %x_a, %x_b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %equal = stablehlo.compare EQ, %x_a, %x_b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %second = stablehlo.compare LT, %y_a, %y_b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %then = stablehlo.and %equal, %second : tensor<i1>
    %before = stablehlo.or %less, %then : tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>)
  check.expect_eq_const %result#0, dense<[0, 0, 1, 1]> : tensor<4xi32>
  check.expect_eq_const %result#1, dense<[3.0, 4.0, 1.0, 2.0]> : tensor<4xf32>
  return
}

// Three operands of different types.
func.func @three_operands() {
  %x = stablehlo.constant dense<[3, 1, 2]> : tensor<3xi32>
  %y = stablehlo.constant dense<[30.0, 10.0, 20.0]> : tensor<3xf64>
  %z = stablehlo.constant dense<[false, true, true]> : tensor<3xi1>
  %result:3 = "stablehlo.sort"(%x, %y, %z) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x_a: tensor<i32>, %x_b: tensor<i32>, %y_a: tensor<f64>, %y_b: tensor<f64>, %z_a: tensor<i1>, %z_b: tensor<i1>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<3xi32>, tensor<3xf64>, tensor<3xi1>) -> (tensor<3xi32>, tensor<3xf64>, tensor<3xi1>)
  check.expect_eq_const %result#0, dense<[1, 2, 3]> : tensor<3xi32>
  check.expect_eq_const %result#1, dense<[10.0, 20.0, 30.0]> : tensor<3xf64>
  check.expect_eq_const %result#2, dense<[true, true, false]> : tensor<3xi1>
  return
}

// The total order of floats: -NaN, -inf, -0, +0, inf, NaN.
func.func @total_order() {
  %x = stablehlo.constant dense<[0x7FC00000, 0.0, 0x7F800000, -0.0, 0xFF800000, 1.0]> : tensor<6xf32>
  %place = stablehlo.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
  %result:2 = "stablehlo.sort"(%x, %place) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x_a: tensor<f32>, %x_b: tensor<f32>, %place_a: tensor<i32>, %place_b: tensor<i32>):
    %before = stablehlo.compare LT, %x_a, %x_b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<6xf32>, tensor<6xi32>) -> (tensor<6xf32>, tensor<6xi32>)
  check.expect_eq_const %result#0, dense<[0xFF800000, -0.0, 0.0, 1.0, 0x7F800000, 0x7FC00000]> : tensor<6xf32>
  check.expect_eq_const %result#1, dense<[4, 3, 1, 5, 2, 0]> : tensor<6xi32>
  return
}

// Any function of the elements can be the key.
func.func @absolute_value() {
  %x = stablehlo.constant dense<[-3, 2, -1, 4]> : tensor<4xi32>
  %result = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<i32>, %x_b: tensor<i32>):
    %left = stablehlo.abs %x_a : tensor<i32>
    %right = stablehlo.abs %x_b : tensor<i32>
    %before = stablehlo.compare LT, %left, %right : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[-1, 2, -3, 4]> : tensor<4xi32>
  return
}

// Unsigned integers.
func.func @unsigned() {
  %x = stablehlo.constant dense<[200, 1, 128]> : tensor<3xui8>
  %result = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<ui8>, %x_b: tensor<ui8>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<3xui8>) -> tensor<3xui8>
  check.expect_eq_const %result, dense<[1, 128, 200]> : tensor<3xui8>
  return
}

// Signed integers.
func.func @signed() {
  %x = stablehlo.constant dense<[-56, 1, -128]> : tensor<3xi8>
  %result = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<i8>, %x_b: tensor<i8>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<3xi8>) -> tensor<3xi8>
  check.expect_eq_const %result, dense<[-128, -56, 1]> : tensor<3xi8>
  return
}

// Booleans: false first.
func.func @booleans() {
  %x = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %result = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<i1>, %x_b: tensor<i1>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<4xi1>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[false, false, true, true]> : tensor<4xi1>
  return
}

// Narrow floats.
func.func @bf16() {
  %x = stablehlo.constant dense<[1.5, -0.5, 1.0]> : tensor<3xbf16>
  %result = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<bf16>, %x_b: tensor<bf16>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<3xbf16>) -> tensor<3xbf16>
  check.expect_eq_const %result, dense<[-0.5, 1.0, 1.5]> : tensor<3xbf16>
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0xf32>
  %result = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<f32>, %x_b: tensor<f32>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<0xf32>) -> tensor<0xf32>
  check.expect_eq_const %result, dense<> : tensor<0xf32>
  return
}

// No row.
func.func @empty_other_dimension() {
  %x = stablehlo.constant dense<> : tensor<0x3xf32>
  %result = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<f32>, %x_b: tensor<f32>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<0x3xf32>) -> tensor<0x3xf32>
  check.expect_eq_const %result, dense<> : tensor<0x3xf32>
  return
}

// One element.
func.func @one() {
  %x = stablehlo.constant dense<[[2.0, 1.0]]> : tensor<1x2xf32>
  %result = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%x_a: tensor<f32>, %x_b: tensor<f32>):
    %before = stablehlo.compare LT, %x_a, %x_b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %before : tensor<i1>
  }) : (tensor<1x2xf32>) -> tensor<1x2xf32>
  check.expect_eq_const %result, dense<[[2.0, 1.0]]> : tensor<1x2xf32>
  return
}
