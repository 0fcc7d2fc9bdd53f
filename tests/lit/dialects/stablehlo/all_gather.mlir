// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `all_gather`: the values of a group, one after the other.

// Example of the specification: two replicas, along columns.
func.func @specification() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %x1 = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@specification_process], [@specification_process]]}> : (tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
  check.expect_eq_const %results#0, dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi64>
  check.expect_eq_const %results#1, dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi64>
  return
}

func.func private @specification_process(%x: tensor<2x2xi64>) -> tensor<2x4xi64> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x2xi64>) -> tensor<2x4xi64>
  return %r : tensor<2x4xi64>
}

// -----

// The order is that of the group.
func.func @order_of_group() {
  %x0 = stablehlo.constant dense<[10]> : tensor<1xi32>
  %x1 = stablehlo.constant dense<[20]> : tensor<1xi32>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@order_of_group_process], [@order_of_group_process]]}> : (tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<[20, 10]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[20, 10]> : tensor<2xi32>
  return
}

func.func private @order_of_group_process(%x: tensor<1xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<1xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// Two groups of two.
func.func @two_groups() {
  %x0 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %x1 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %x2 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %x3 = stablehlo.constant dense<[3]> : tensor<1xi32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@two_groups_process], [@two_groups_process], [@two_groups_process], [@two_groups_process]]}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<[0, 2]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[3, 1]> : tensor<2xi32>
  check.expect_eq_const %results#2, dense<[0, 2]> : tensor<2xi32>
  check.expect_eq_const %results#3, dense<[3, 1]> : tensor<2xi32>
  return
}

func.func private @two_groups_process(%x: tensor<1xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> : (tensor<1xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// Without a channel replicas of the same partition exchange.
func.func @per_partition() {
  %x0 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %x1 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %x2 = stablehlo.constant dense<[10]> : tensor<1xi32>
  %x3 = stablehlo.constant dense<[11]> : tensor<1xi32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@per_partition_process, @per_partition_process], [@per_partition_process, @per_partition_process]]}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<[0, 10]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[1, 11]> : tensor<2xi32>
  check.expect_eq_const %results#2, dense<[0, 10]> : tensor<2xi32>
  check.expect_eq_const %results#3, dense<[1, 11]> : tensor<2xi32>
  return
}

func.func private @per_partition_process(%x: tensor<1xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// With a channel all partitions of the replicas exchange, partition by partition.
func.func @replicas_and_partitions() {
  %x0 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %x1 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %x2 = stablehlo.constant dense<[10]> : tensor<1xi32>
  %x3 = stablehlo.constant dense<[11]> : tensor<1xi32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@replicas_and_partitions_process, @replicas_and_partitions_process], [@replicas_and_partitions_process, @replicas_and_partitions_process]]}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
  check.expect_eq_const %results#0, dense<[0, 10, 1, 11]> : tensor<4xi32>
  check.expect_eq_const %results#1, dense<[0, 10, 1, 11]> : tensor<4xi32>
  check.expect_eq_const %results#2, dense<[0, 10, 1, 11]> : tensor<4xi32>
  check.expect_eq_const %results#3, dense<[0, 10, 1, 11]> : tensor<4xi32>
  return
}

func.func private @replicas_and_partitions_process(%x: tensor<1xi32>) -> tensor<4xi32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<1xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

// With global ids processes are counted replica by replica.
func.func @global_ids() {
  %x0 = stablehlo.constant dense<[0]> : tensor<1xi32>
  %x1 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %x2 = stablehlo.constant dense<[10]> : tensor<1xi32>
  %x3 = stablehlo.constant dense<[11]> : tensor<1xi32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@global_ids_process, @global_ids_process], [@global_ids_process, @global_ids_process]]}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
  check.expect_eq_const %results#0, dense<[0, 11]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[10, 1]> : tensor<2xi32>
  check.expect_eq_const %results#2, dense<[10, 1]> : tensor<2xi32>
  check.expect_eq_const %results#3, dense<[0, 11]> : tensor<2xi32>
  return
}

func.func private @global_ids_process(%x: tensor<1xi32>) -> tensor<2xi32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 3], [2, 1]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<1xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// -----

// A group of one.
func.func @alone() {
  %x0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@alone_process], [@alone_process]]}> : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %results#0, dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq_const %results#1, dense<[3.0, 4.0]> : tensor<2xf32>
  return
}

func.func private @alone_process(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Nothing to gather.
func.func @empty() {
  %x0 = stablehlo.constant dense<> : tensor<0x2xf32>
  %x1 = stablehlo.constant dense<> : tensor<0x2xf32>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@empty_process], [@empty_process]]}> : (tensor<0x2xf32>, tensor<0x2xf32>) -> (tensor<0x2xf32>, tensor<0x2xf32>)
  check.expect_eq_const %results#0, dense<> : tensor<0x2xf32>
  check.expect_eq_const %results#1, dense<> : tensor<0x2xf32>
  return
}

func.func private @empty_process(%x: tensor<0x2xf32>) -> tensor<0x2xf32> {
  %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<0x2xf32>) -> tensor<0x2xf32>
  return %r : tensor<0x2xf32>
}

// -----

// Two operands of different types, gathered along the first dimension.
func.func @two_operands() {
  %x0 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %y0 = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %x1 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %y1 = stablehlo.constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
  %results:4 = "interpreter.run_parallel"(%x0, %y0, %x1, %y1) <{programs = [[@two_operands_process], [@two_operands_process]]}> : (tensor<1xi32>, tensor<1x2xf32>, tensor<1xi32>, tensor<1x2xf32>) -> (tensor<2xi32>, tensor<2x2xf32>, tensor<2xi32>, tensor<2x2xf32>)
  check.expect_eq_const %results#0, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %results#1, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  check.expect_eq_const %results#2, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %results#3, dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  return
}

func.func private @two_operands_process(%x: tensor<1xi32>, %y: tensor<1x2xf32>) -> (tensor<2xi32>, tensor<2x2xf32>) {
  %r, %s = "stablehlo.all_gather"(%x, %y) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1xi32>, tensor<1x2xf32>) -> (tensor<2xi32>, tensor<2x2xf32>)
  return %r, %s : tensor<2xi32>, tensor<2x2xf32>
}
