// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `collective_broadcast`: the value of the first of a group; zeros for who is in no group.

// Example of the specification: from replica 2 to replica 1.
func.func @specification() {
  %x0 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %x1 = stablehlo.constant dense<[[3, 4]]> : tensor<1x2xi64>
  %x2 = stablehlo.constant dense<[[5, 6]]> : tensor<1x2xi64>
  %x3 = stablehlo.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@specification_process], [@specification_process], [@specification_process], [@specification_process]]}> : (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>) -> (tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>, tensor<1x2xi64>)
  check.expect_eq_const %results#0, dense<[[0, 0]]> : tensor<1x2xi64>
  check.expect_eq_const %results#1, dense<[[5, 6]]> : tensor<1x2xi64>
  check.expect_eq_const %results#2, dense<[[5, 6]]> : tensor<1x2xi64>
  check.expect_eq_const %results#3, dense<[[0, 0]]> : tensor<1x2xi64>
  return
}

func.func private @specification_process(%x: tensor<1x2xi64>) -> tensor<1x2xi64> {
  %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[2, 1]]> : tensor<1x2xi64>}> : (tensor<1x2xi64>) -> tensor<1x2xi64>
  return %r : tensor<1x2xi64>
}

// -----

// Two groups.
func.func @two_groups() {
  %x0 = stablehlo.constant dense<1> : tensor<i32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %x2 = stablehlo.constant dense<3> : tensor<i32>
  %x3 = stablehlo.constant dense<4> : tensor<i32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@two_groups_process], [@two_groups_process], [@two_groups_process], [@two_groups_process]]}> : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<2> : tensor<i32>
  check.expect_eq_const %results#1, dense<2> : tensor<i32>
  check.expect_eq_const %results#2, dense<3> : tensor<i32>
  check.expect_eq_const %results#3, dense<3> : tensor<i32>
  return
}

func.func private @two_groups_process(%x: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[1, 0], [2, 3]]> : tensor<2x2xi64>}> : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// With a channel partitions of the same replica.
func.func @partitions() {
  %x0 = stablehlo.constant dense<1> : tensor<i32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %x2 = stablehlo.constant dense<3> : tensor<i32>
  %x3 = stablehlo.constant dense<4> : tensor<i32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@partitions_process, @partitions_process], [@partitions_process, @partitions_process]]}> : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<2> : tensor<i32>
  check.expect_eq_const %results#1, dense<2> : tensor<i32>
  check.expect_eq_const %results#2, dense<4> : tensor<i32>
  check.expect_eq_const %results#3, dense<4> : tensor<i32>
  return
}

func.func private @partitions_process(%x: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// Two operands with a root each: the second of the group has what the first operand sends, the first of it the other.
func.func @dynamic_roots() {
  %roots = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %x1 = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %x2 = stablehlo.constant dense<[5, 6]> : tensor<2xi64>
  %results:6 = "interpreter.run_parallel"(%x0, %roots, %x1, %roots, %x2, %roots) <{programs = [[@dynamic_roots_process], [@dynamic_roots_process], [@dynamic_roots_process]]}> : (tensor<2xi64>, tensor<2xi32>, tensor<2xi64>, tensor<2xi32>, tensor<2xi64>, tensor<2xi32>) -> (tensor<2xi64>, tensor<2xf32>, tensor<2xi64>, tensor<2xf32>, tensor<2xi64>, tensor<2xf32>)
  check.expect_eq_const %results#0, dense<[1, 2]> : tensor<2xi64>
  check.expect_eq_const %results#1, dense<[5.0, 6.0]> : tensor<2xf32>
  check.expect_eq_const %results#2, dense<0> : tensor<2xi64>
  check.expect_eq_const %results#3, dense<0.0> : tensor<2xf32>
  check.expect_eq_const %results#4, dense<[1, 2]> : tensor<2xi64>
  check.expect_eq_const %results#5, dense<[5.0, 6.0]> : tensor<2xf32>
  return
}

func.func private @dynamic_roots_process(%x: tensor<2xi64>, %roots: tensor<2xi32>) -> (tensor<2xi64>, tensor<2xf32>) {
  %y = stablehlo.convert %x : (tensor<2xi64>) -> tensor<2xf32>
  %r:2 = "stablehlo.collective_broadcast"(%x, %y, %roots) <{replica_groups = dense<[[2, 0]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<2xi64>, tensor<2xf32>, tensor<2xi32>) -> (tensor<2xi64>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xi64>, tensor<2xf32>
}

// -----

// Alone, a program is the root.
func.func @dynamic_root_alone() {
  %root = stablehlo.constant dense<0> : tensor<1xi32>
  %x = stablehlo.constant dense<[7, 8]> : tensor<2xi64>
  %r = "stablehlo.collective_broadcast"(%x, %root) {replica_groups = dense<[[0]]> : tensor<1x1xi64>, has_dynamic_root} : (tensor<2xi64>, tensor<1xi32>) -> tensor<2xi64>
  check.expect_eq_const %r, dense<[7, 8]> : tensor<2xi64>
  return
}
