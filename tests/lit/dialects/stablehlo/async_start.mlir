// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `async_start` and `async_done`: a collective op beside the program.

// The sum of two replicas, while each computes something else.
func.func @all_reduce() {
  %x0 = stablehlo.constant dense<1> : tensor<i32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@all_reduce_process], [@all_reduce_process]]}> : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<3> : tensor<i32>
  check.expect_eq_const %results#1, dense<1> : tensor<i32>
  check.expect_eq_const %results#2, dense<3> : tensor<i32>
  check.expect_eq_const %results#3, dense<4> : tensor<i32>
  return
}

func.func private @all_reduce_process(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %future = "stablehlo.async_start"(%x) ({
  ^bb0(%operand: tensor<i32>):
    %total = "stablehlo.all_reduce"(%operand) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %total : tensor<i32>
  }) : (tensor<i32>) -> !stablehlo.future<tensor<i32>>
  %s = stablehlo.multiply %x, %x : tensor<i32>
  %r = "stablehlo.async_done"(%future) : (!stablehlo.future<tensor<i32>>) -> tensor<i32>
  return %r, %s : tensor<i32>, tensor<i32>
}
