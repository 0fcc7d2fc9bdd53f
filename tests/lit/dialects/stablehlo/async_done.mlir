// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `async_done`: the result of a collective that was started before.

// Two in flight, awaited in the other order.
func.func @two() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@process], [@process]]}> : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<[4, 6]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[3, 4]> : tensor<2xi32>
  check.expect_eq_const %results#2, dense<[4, 6]> : tensor<2xi32>
  check.expect_eq_const %results#3, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func private @process(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %sum_later = "stablehlo.async_start"(%x) ({
  ^bb0(%operand: tensor<2xi32>):
    %total = "stablehlo.all_reduce"(%operand) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
    }) : (tensor<2xi32>) -> tensor<2xi32>
    stablehlo.return %total : tensor<2xi32>
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>>
  %other_later = "stablehlo.async_start"(%x) ({
  ^bb0(%operand: tensor<2xi32>):
    %moved = "stablehlo.collective_permute"(%operand) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
    stablehlo.return %moved : tensor<2xi32>
  }) : (tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>>
  %other = "stablehlo.async_done"(%other_later) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  %sum = "stablehlo.async_done"(%sum_later) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  return %sum, %other : tensor<2xi32>, tensor<2xi32>
}
