// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `optimization_barrier`: its operands.

// Operands of different types.
func.func @two() {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = stablehlo.constant dense<3> : tensor<i32>
  %results:2 = stablehlo.optimization_barrier %a, %b : tensor<2xf32>, tensor<i32>
  check.expect_eq_const %results#0, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %results#1, dense<3> : tensor<i32>
  return
}

// No operand.
func.func @none() {
  %a = stablehlo.constant dense<3> : tensor<i32>
  stablehlo.optimization_barrier ()
  check.expect_eq_const %a, dense<3> : tensor<i32>
  return
}
