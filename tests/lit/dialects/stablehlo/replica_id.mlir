// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `replica_id` and `partition_id`: the place of a process in its grid.

// Three replicas of two partitions.
func.func @ids() {
  %results:12 = "interpreter.run_parallel"() <{programs = [[@ids_process, @ids_process], [@ids_process, @ids_process], [@ids_process, @ids_process]]}> : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
  check.expect_eq_const %results#0, dense<0> : tensor<ui32>
  check.expect_eq_const %results#1, dense<0> : tensor<ui32>
  check.expect_eq_const %results#2, dense<0> : tensor<ui32>
  check.expect_eq_const %results#3, dense<1> : tensor<ui32>
  check.expect_eq_const %results#4, dense<1> : tensor<ui32>
  check.expect_eq_const %results#5, dense<0> : tensor<ui32>
  check.expect_eq_const %results#6, dense<1> : tensor<ui32>
  check.expect_eq_const %results#7, dense<1> : tensor<ui32>
  check.expect_eq_const %results#8, dense<2> : tensor<ui32>
  check.expect_eq_const %results#9, dense<0> : tensor<ui32>
  check.expect_eq_const %results#10, dense<2> : tensor<ui32>
  check.expect_eq_const %results#11, dense<1> : tensor<ui32>
  return
}

func.func private @ids_process() -> (tensor<ui32>, tensor<ui32>) {
  %r = stablehlo.replica_id : tensor<ui32>
  %s = stablehlo.partition_id : tensor<ui32>
  return %r, %s : tensor<ui32>, tensor<ui32>
}

// -----

// A program outside of a grid is replica 0 and partition 0.
func.func @alone() {
  %replica = stablehlo.replica_id : tensor<ui32>
  check.expect_eq_const %replica, dense<0> : tensor<ui32>
  %partition = stablehlo.partition_id : tensor<ui32>
  check.expect_eq_const %partition, dense<0> : tensor<ui32>
  return
}
