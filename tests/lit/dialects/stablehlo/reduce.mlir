// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `reduce`: every set of dimensions, several operands, and bodies of any kind.

// Example of the specification: sums of rows.
func.func @rows() {
  %input = stablehlo.constant dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xi64>
  %init = stablehlo.constant dense<0> : tensor<i64>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [1] : (tensor<1x6xi64>, tensor<i64>) -> tensor<1xi64>
  check.expect_eq_const %result, dense<[15]> : tensor<1xi64>
  return
}

// The first dimension.
func.func @columns() {
  %input = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[3.0, 5.0, 7.0]> : tensor<3xf32>
  return
}

// All dimensions, out of order: a scalar.
func.func @all() {
  %input = stablehlo.constant dense<[[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]> : tensor<2x3x2xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [2, 0, 1] : (tensor<2x3x2xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<66> : tensor<i32>
  return
}

// The dimension in the middle.
func.func @middle() {
  %input = stablehlo.constant dense<[[[4, 1], [2, 4], [1, 2]], [[3, -2], [-4, -2], [-2, 3]]]> : tensor<2x3x2xi32>
  %init = stablehlo.constant dense<-100> : tensor<i32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3x2xi32>, tensor<i32>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[4, 4], [3, 3]]> : tensor<2x2xi32>
  return
}

// The outermost and the innermost dimension.
func.func @outer_and_inner() {
  %input = stablehlo.constant dense<[[[4, 1], [2, 4], [1, 2]], [[3, -2], [-4, -2], [-2, 3]]]> : tensor<2x3x2xi32>
  %init = stablehlo.constant dense<100> : tensor<i32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.minimum across dimensions = [0, 2] : (tensor<2x3x2xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[-2, -4, -2]> : tensor<3xi32>
  return
}

// No dimension: nothing to combine.
func.func @none() {
  %input = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [] : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xi32>
  return
}

// A scalar has no dimensions.
func.func @scalar() {
  %input = stablehlo.constant dense<2.0> : tensor<f32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %result, dense<2.0> : tensor<f32>
  return
}

// How often an initial value takes part that is not neutral is not specified; here it is once.
func.func @init() {
  %input = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi32>
  %init = stablehlo.constant dense<10> : tensor<i32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.multiply across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %result, dense<240> : tensor<i32>
  return
}

// Nothing to reduce: the initial value.
func.func @empty_dimension() {
  %input = stablehlo.constant dense<> : tensor<2x0xf32>
  %init = stablehlo.constant dense<7.0> : tensor<f32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[7.0, 7.0]> : tensor<2xf32>
  return
}

// A kept dimension of size 0.
func.func @empty_result() {
  %input = stablehlo.constant dense<> : tensor<0x3xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [1] : (tensor<0x3xf32>, tensor<f32>) -> tensor<0xf32>
  check.expect_eq_const %result, dense<> : tensor<0xf32>
  return
}

// A dimension of size 1.
func.func @size_one() {
  %input = stablehlo.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3xf32>
  check.expect_eq_const %result, dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return
}

// Booleans: and.
func.func @booleans_and() {
  %input = stablehlo.constant dense<[[true, true], [true, false]]> : tensor<2x2xi1>
  %init = stablehlo.constant dense<true> : tensor<i1>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.and across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[true, false]> : tensor<2xi1>
  return
}

// Booleans: or.
func.func @booleans_or() {
  %input = stablehlo.constant dense<[[false, false], [true, false]]> : tensor<2x2xi1>
  %init = stablehlo.constant dense<false> : tensor<i1>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.or across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>
  check.expect_eq_const %result, dense<[false, true]> : tensor<2xi1>
  return
}

// Booleans: addition is or.
func.func @booleans_add() {
  %input = stablehlo.constant dense<[true, true, false]> : tensor<3xi1>
  %init = stablehlo.constant dense<false> : tensor<i1>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [0] : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %result, dense<true> : tensor<i1>
  return
}

// Bits: xor.
func.func @xor() {
  %input = stablehlo.constant dense<[1, 3, 128]> : tensor<3xui8>
  %init = stablehlo.constant dense<0> : tensor<ui8>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.xor across dimensions = [0] : (tensor<3xui8>, tensor<ui8>) -> tensor<ui8>
  check.expect_eq_const %result, dense<130> : tensor<ui8>
  return
}

// Integers wrap around.
func.func @i8_wraps() {
  %input = stablehlo.constant dense<100> : tensor<3xi8>
  %init = stablehlo.constant dense<0> : tensor<i8>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [0] : (tensor<3xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %result, dense<44> : tensor<i8>
  return
}

// Unsigned integers compare as such.
func.func @unsigned_maximum() {
  %input = stablehlo.constant dense<[1, 200, 100]> : tensor<3xui8>
  %init = stablehlo.constant dense<0> : tensor<ui8>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.maximum across dimensions = [0] : (tensor<3xui8>, tensor<ui8>) -> tensor<ui8>
  check.expect_eq_const %result, dense<200> : tensor<ui8>
  return
}

// Signed integers compare as such.
func.func @signed_minimum() {
  %input = stablehlo.constant dense<[1, -56, 100]> : tensor<3xi8>
  %init = stablehlo.constant dense<127> : tensor<i8>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.minimum across dimensions = [0] : (tensor<3xi8>, tensor<i8>) -> tensor<i8>
  check.expect_eq_const %result, dense<-56> : tensor<i8>
  return
}

// Complex numbers.
func.func @complex() {
  %input = stablehlo.constant dense<[[(0.0, 1.0), (0.0, 1.0)], [(1.0, 1.0), (1.0, -1.0)]]> : tensor<2x2xcomplex<f32>>
  %init = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.multiply across dimensions = [1] : (tensor<2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-1.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
  return
}

// Double precision keeps what single precision loses.
func.func @f64() {
  %input = stablehlo.constant dense<[1.0, 9.094947017729282e-13]> : tensor<2xf64>
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
  check.expect_eq_const %result, dense<1.0000000000009095> : tensor<f64>
  return
}

// Narrow floats.
func.func @bf16() {
  %input = stablehlo.constant dense<[0.5, 0.25, 1.0, 2.0]> : tensor<4xbf16>
  %init = stablehlo.constant dense<0.0> : tensor<bf16>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [0] : (tensor<4xbf16>, tensor<bf16>) -> tensor<bf16>
  check.expect_eq_const %result, dense<3.75> : tensor<bf16>
  return
}

// Half precision.
func.func @f16_maximum() {
  %input = stablehlo.constant dense<[-1.5, -65500.0, -2.0]> : tensor<3xf16>
  %init = stablehlo.constant dense<0xFC00> : tensor<f16>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.maximum across dimensions = [0] : (tensor<3xf16>, tensor<f16>) -> tensor<f16>
  check.expect_eq_const %result, dense<-1.5> : tensor<f16>
  return
}

// NaN is the maximum of whatever it is among.
func.func @maximum_nan() {
  %input = stablehlo.constant dense<[[1.0, 0x7FC00000], [1.0, 0x7F800000]]> : tensor<2x2xf32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.maximum across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7F800000]> : tensor<2xf32>
  return
}

// Infinities of both signs give NaN.
func.func @add_infinities() {
  %input = stablehlo.constant dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  check.expect_eq_const %result, dense<0x7FC00000> : tensor<f32>
  return
}

// Two operands of different types in one body: greatest element and its place; of equal ones the first.
func.func @several_operands() {
  %values = stablehlo.constant dense<[[1.0, 5.0, 5.0, 2.0], [3.0, -1.0, 0.0, 3.0]]> : tensor<2x4xf32>
  %places = stablehlo.constant dense<[[0, 1, 2, 3], [0, 1, 2, 3]]> : tensor<2x4xi32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %nowhere = stablehlo.constant dense<2147483647> : tensor<i32>
  %result:2 = stablehlo.reduce(%values init: %lowest), (%places init: %nowhere) across dimensions = [1]
      : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
    reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %greater = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %equal = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %before = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %first = stablehlo.and %equal, %before : tensor<i1>
      %left = stablehlo.or %greater, %first : tensor<i1>
      %value = stablehlo.select %left, %a, %b : tensor<i1>, tensor<f32>
      %place = stablehlo.select %left, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %value, %place : tensor<f32>, tensor<i32>
    }
  check.expect_eq_const %result#0, dense<[5.0, 3.0]> : tensor<2xf32>
  check.expect_eq_const %result#1, dense<[1, 0]> : tensor<2xi32>
  return
}

// The body uses a value from around the op, here a modulus.
func.func @captured_value() {
  %input = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %modulus = stablehlo.constant dense<10> : tensor<i32>
  %result = stablehlo.reduce(%input init: %init) across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
      %sum = stablehlo.add %a, %b : tensor<i32>
      %rest = stablehlo.remainder %sum, %modulus : tensor<i32>
      stablehlo.return %rest : tensor<i32>
    }
  check.expect_eq_const %result, dense<6> : tensor<i32>
  return
}

// The body in generic form.
func.func @generic_form() {
  %input = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %result = "stablehlo.reduce"(%input, %init) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[3, 7]> : tensor<2xi32>
  return
}

// The body may have a wider type than the operands: 300 does not wrap around.
func.func @wider_accumulation() {
  %input = stablehlo.constant dense<100> : tensor<3xi8>
  %init = stablehlo.constant dense<0> : tensor<i8>
  %result = "stablehlo.reduce"(%input, %init) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<3xi8>, tensor<i8>) -> tensor<i32>
  check.expect_eq_const %result, dense<300> : tensor<i32>
  return
}
