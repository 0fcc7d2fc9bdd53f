// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `all_to_all`: part i of every member goes to member i.

// Example of the specification: columns are split, rows are put together.
func.func @specification() {
  %x0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %x1 = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@specification_process], [@specification_process]]}> : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<4x2xi64>)
  check.expect_eq_const %results#0, dense<[[1, 2], [5, 6], [9, 10], [13, 14]]> : tensor<4x2xi64>
  check.expect_eq_const %results#1, dense<[[3, 4], [7, 8], [11, 12], [15, 16]]> : tensor<4x2xi64>
  return
}

func.func private @specification_process(%x: tensor<2x4xi64>) -> tensor<4x2xi64> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xi64>) -> tensor<4x2xi64>
  return %r : tensor<4x2xi64>
}

// -----

// Split and put together along the same dimension: a transposition.
func.func @same_dimension() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@same_dimension_process], [@same_dimension_process]]}> : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<[1, 3]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[2, 4]> : tensor<2xi32>
  return
}

func.func private @same_dimension_process(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// The order of the group counts for both.
func.func @order_of_group() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@order_of_group_process], [@order_of_group_process]]}> : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<[4, 2]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[3, 1]> : tensor<2xi32>
  return
}

func.func private @order_of_group_process(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// With a channel partitions of the same replica exchange.
func.func @partitions() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@partitions_process, @partitions_process]]}> : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<[1, 3]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[2, 4]> : tensor<2xi32>
  return
}

func.func private @partitions_process(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// Two groups.
func.func @two_groups() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %x2 = stablehlo.constant dense<[5, 6]> : tensor<2xi32>
  %x3 = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@two_groups_process], [@two_groups_process], [@two_groups_process], [@two_groups_process]]}> : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<[1, 3]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[2, 4]> : tensor<2xi32>
  check.expect_eq_const %results#2, dense<[5, 7]> : tensor<2xi32>
  check.expect_eq_const %results#3, dense<[6, 8]> : tensor<2xi32>
  return
}

func.func private @two_groups_process(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// Two operands.
func.func @two_operands() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y0 = stablehlo.constant dense<[0.5, 1.5]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %y1 = stablehlo.constant dense<[2.5, 3.5]> : tensor<2xf32>
  %results:4 = "interpreter.run_parallel"(%x0, %y0, %x1, %y1) <{programs = [[@two_operands_process], [@two_operands_process]]}> : (tensor<2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<2xf32>) -> (tensor<2xi32>, tensor<2xf32>, tensor<2xi32>, tensor<2xf32>)
  check.expect_eq_const %results#0, dense<[1, 3]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[0.5, 2.5]> : tensor<2xf32>
  check.expect_eq_const %results#2, dense<[2, 4]> : tensor<2xi32>
  check.expect_eq_const %results#3, dense<[1.5, 3.5]> : tensor<2xf32>
  return
}

func.func private @two_operands_process(%x: tensor<2xi32>, %y: tensor<2xf32>) -> (tensor<2xi32>, tensor<2xf32>) {
  %r, %s = "stablehlo.all_to_all"(%x, %y) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xi32>, tensor<2xf32>) -> (tensor<2xi32>, tensor<2xf32>)
  return %r, %s : tensor<2xi32>, tensor<2xf32>
}
