// RUN: not xla-run %s --engine native 2>&1 | filecheck %s
// RUN: not xla-run %s --engine reference 2>&1 | filecheck %s

// A test is of one block.

// CHECK: xla_run_blocks.mlir:{{[0-9]+}}:1: error: @branches has 2 blocks; one can be run
// CHECK: 1 of 1 functions failed
func.func @branches() -> tensor<i32> {
  %x = stablehlo.constant dense<1> : tensor<i32>
  cf.br ^next(%x : tensor<i32>)
^next(%y: tensor<i32>):
  check.expect_eq_const %y, dense<1> : tensor<i32>
  return %y : tensor<i32>
}
