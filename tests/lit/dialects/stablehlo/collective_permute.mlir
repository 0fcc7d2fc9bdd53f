// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `collective_permute`: from sources to targets; zeros for who is no target.

// Example of the specification: a cycle would need the pair (2, 0); without it replica 0 gets zeros.
func.func @specification() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %x2 = stablehlo.constant dense<[[9, 10], [11, 12]]> : tensor<2x2xi64>
  %results:3 = "interpreter.run_parallel"(%x0, %x1, %x2) <{programs = [[@specification_process], [@specification_process], [@specification_process]]}> : (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>, tensor<2x2xi64>)
  check.expect_eq_const %results#0, dense<0> : tensor<2x2xi64>
  check.expect_eq_const %results#1, dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  check.expect_eq_const %results#2, dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  return
}

func.func private @specification_process(%x: tensor<2x2xi64>) -> tensor<2x2xi64> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2x2xi64>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// -----

// A cycle.
func.func @cycle() {
  %x0 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %x1 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %x2 = stablehlo.constant dense<[3]> : tensor<1xi32>
  %results:3 = "interpreter.run_parallel"(%x0, %x1, %x2) <{programs = [[@cycle_process], [@cycle_process], [@cycle_process]]}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
  check.expect_eq_const %results#0, dense<[3]> : tensor<1xi32>
  check.expect_eq_const %results#1, dense<[1]> : tensor<1xi32>
  check.expect_eq_const %results#2, dense<[2]> : tensor<1xi32>
  return
}

func.func private @cycle_process(%x: tensor<1xi32>) -> tensor<1xi32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}> : (tensor<1xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// A source that is its own target.
func.func @to_itself() {
  %x0 = stablehlo.constant dense<7> : tensor<i32>
  %x1 = stablehlo.constant dense<8> : tensor<i32>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@to_itself_process], [@to_itself_process]]}> : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<7> : tensor<i32>
  check.expect_eq_const %results#1, dense<0> : tensor<i32>
  return
}

func.func private @to_itself_process(%x: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// Without a channel replicas, partition by partition.
func.func @per_partition() {
  %x0 = stablehlo.constant dense<1> : tensor<i32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %x2 = stablehlo.constant dense<3> : tensor<i32>
  %x3 = stablehlo.constant dense<4> : tensor<i32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@per_partition_process, @per_partition_process], [@per_partition_process, @per_partition_process]]}> : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<0> : tensor<i32>
  check.expect_eq_const %results#1, dense<0> : tensor<i32>
  check.expect_eq_const %results#2, dense<1> : tensor<i32>
  check.expect_eq_const %results#3, dense<2> : tensor<i32>
  return
}

func.func private @per_partition_process(%x: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// With a channel partitions, replica by replica.
func.func @partitions() {
  %x0 = stablehlo.constant dense<1> : tensor<i32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %x2 = stablehlo.constant dense<3> : tensor<i32>
  %x3 = stablehlo.constant dense<4> : tensor<i32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@partitions_process, @partitions_process], [@partitions_process, @partitions_process]]}> : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<0> : tensor<i32>
  check.expect_eq_const %results#1, dense<1> : tensor<i32>
  check.expect_eq_const %results#2, dense<0> : tensor<i32>
  check.expect_eq_const %results#3, dense<3> : tensor<i32>
  return
}

func.func private @partitions_process(%x: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// Zeros of booleans are false.
func.func @booleans() {
  %x0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %x1 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@booleans_process], [@booleans_process]]}> : (tensor<2xi1>, tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi1>)
  check.expect_eq_const %results#0, dense<[false, false]> : tensor<2xi1>
  check.expect_eq_const %results#1, dense<[true, false]> : tensor<2xi1>
  return
}

func.func private @booleans_process(%x: tensor<2xi1>) -> tensor<2xi1> {
  %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}
