// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `reduce_scatter`: a part of the combined values for each member of a group.

// Example of the specification.
func.func @specification() {
  %x0 = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>
  %x1 = stablehlo.constant dense<[[9, 10, 11, 12], [13, 14, 15, 16]]> : tensor<2x4xi64>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@specification_process], [@specification_process]]}> : (tensor<2x4xi64>, tensor<2x4xi64>) -> (tensor<2x2xi64>, tensor<2x2xi64>)
  check.expect_eq_const %results#0, dense<[[10, 12], [18, 20]]> : tensor<2x2xi64>
  check.expect_eq_const %results#1, dense<[[14, 16], [22, 24]]> : tensor<2x2xi64>
  return
}

func.func private @specification_process(%x: tensor<2x4xi64>) -> tensor<2x2xi64> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %sum = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<2x4xi64>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// -----

// Parts go to members in the order of the group.
func.func @order_of_group() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@order_of_group_process], [@order_of_group_process]]}> : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xi32>, tensor<1xi32>)
  check.expect_eq_const %results#0, dense<[22]> : tensor<1xi32>
  check.expect_eq_const %results#1, dense<[11]> : tensor<1xi32>
  return
}

func.func private @order_of_group_process(%x: tensor<2xi32>) -> tensor<1xi32> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<2xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// Another body, along the first dimension.
func.func @multiply() {
  %x0 = stablehlo.constant dense<[[2.0], [3.0]]> : tensor<2x1xf32>
  %x1 = stablehlo.constant dense<[[5.0], [7.0]]> : tensor<2x1xf32>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@multiply_process], [@multiply_process]]}> : (tensor<2x1xf32>, tensor<2x1xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>)
  check.expect_eq_const %results#0, dense<[[10.0]]> : tensor<1x1xf32>
  check.expect_eq_const %results#1, dense<[[21.0]]> : tensor<1x1xf32>
  return
}

func.func private @multiply_process(%x: tensor<2x1xf32>) -> tensor<1x1xf32> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<2x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// -----

// With a channel.
func.func @replicas_and_partitions() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@replicas_and_partitions_process, @replicas_and_partitions_process]]}> : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xi32>, tensor<1xi32>)
  check.expect_eq_const %results#0, dense<[11]> : tensor<1xi32>
  check.expect_eq_const %results#1, dense<[22]> : tensor<1xi32>
  return
}

func.func private @replicas_and_partitions_process(%x: tensor<2xi32>) -> tensor<1xi32> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<2xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// With global ids.
func.func @global_ids() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %x1 = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %x2 = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %x3 = stablehlo.constant dense<[30, 40]> : tensor<2xi32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@global_ids_process, @global_ids_process], [@global_ids_process, @global_ids_process]]}> : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
  check.expect_eq_const %results#0, dense<[42]> : tensor<1xi32>
  check.expect_eq_const %results#1, dense<[13]> : tensor<1xi32>
  check.expect_eq_const %results#2, dense<[24]> : tensor<1xi32>
  check.expect_eq_const %results#3, dense<[31]> : tensor<1xi32>
  return
}

func.func private @global_ids_process(%x: tensor<2xi32>) -> tensor<1xi32> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<2xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// A group of one.
func.func @alone() {
  %x0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %results = "interpreter.run_parallel"(%x0) <{programs = [[@alone_process]]}> : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %results, dense<[1, 2]> : tensor<2xi32>
  return
}

func.func private @alone_process(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}
