// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `cross-replica-sum`: sums over replicas.

// All replicas.
func.func @all() {
  %x0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %x2 = stablehlo.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %results:3 = "interpreter.run_parallel"(%x0, %x1, %x2) <{programs = [[@all_process], [@all_process], [@all_process]]}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %results#0, dense<[9.0, 12.0]> : tensor<2xf32>
  check.expect_eq_const %results#1, dense<[9.0, 12.0]> : tensor<2xf32>
  check.expect_eq_const %results#2, dense<[9.0, 12.0]> : tensor<2xf32>
  return
}

func.func private @all_process(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Two groups.
func.func @groups() {
  %x0 = stablehlo.constant dense<1> : tensor<i32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %x2 = stablehlo.constant dense<4> : tensor<i32>
  %x3 = stablehlo.constant dense<8> : tensor<i32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@groups_process], [@groups_process], [@groups_process], [@groups_process]]}> : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<9> : tensor<i32>
  check.expect_eq_const %results#1, dense<6> : tensor<i32>
  check.expect_eq_const %results#2, dense<6> : tensor<i32>
  check.expect_eq_const %results#3, dense<9> : tensor<i32>
  return
}

func.func private @groups_process(%x: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>}> : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// Partitions stay apart.
func.func @per_partition() {
  %x0 = stablehlo.constant dense<1> : tensor<i32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %x2 = stablehlo.constant dense<4> : tensor<i32>
  %x3 = stablehlo.constant dense<8> : tensor<i32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@per_partition_process, @per_partition_process], [@per_partition_process, @per_partition_process]]}> : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<5> : tensor<i32>
  check.expect_eq_const %results#1, dense<10> : tensor<i32>
  check.expect_eq_const %results#2, dense<5> : tensor<i32>
  check.expect_eq_const %results#3, dense<10> : tensor<i32>
  return
}

func.func private @per_partition_process(%x: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
