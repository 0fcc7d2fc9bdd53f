// RUN: xla-run %s --engine reference --split-input-file

// `reduce`: every set of dimensions, several operands, and bodies of any kind.
// These cases run on the reference interpreter only.

// Complex numbers.
func.func @complex() {
  %input = stablehlo.constant dense<[[(0.0, 1.0), (0.0, 1.0)], [(1.0, 1.0), (1.0, -1.0)]]> : tensor<2x2xcomplex<f32>>
  %init = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %result = stablehlo.reduce(%input init: %init) applies stablehlo.multiply across dimensions = [1] : (tensor<2x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %result, dense<[(-1.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f32>>
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
