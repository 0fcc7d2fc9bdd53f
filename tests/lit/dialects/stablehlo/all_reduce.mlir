// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `all_reduce`: the values of a group combined by any body.

// Example of the specification.
func.func @specification() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %x1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@specification_process], [@specification_process]]}> : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
  check.expect_eq_const %results#0, dense<[6, 8, 10, 12]> : tensor<4xi64>
  check.expect_eq_const %results#1, dense<[6, 8, 10, 12]> : tensor<4xi64>
  return
}

func.func private @specification_process(%x: tensor<4xi64>) -> tensor<4xi64> {
  %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %sum = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<4xi64>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// -----

// Another body.
func.func @maximum() {
  %x0 = stablehlo.constant dense<[1.0, 5.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<[3.0, -1.0]> : tensor<2xf32>
  %x2 = stablehlo.constant dense<[2.0, 7.0]> : tensor<2xf32>
  %results:3 = "interpreter.run_parallel"(%x0, %x1, %x2) <{programs = [[@maximum_process], [@maximum_process], [@maximum_process]]}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %results#0, dense<[3.0, 7.0]> : tensor<2xf32>
  check.expect_eq_const %results#1, dense<[3.0, 7.0]> : tensor<2xf32>
  check.expect_eq_const %results#2, dense<[3.0, 7.0]> : tensor<2xf32>
  return
}

func.func private @maximum_process(%x: tensor<2xf32>) -> tensor<2xf32> {
  %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

// Groups of different sizes are filled up with -1.
func.func @unequal_groups() {
  %x0 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %x1 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %x2 = stablehlo.constant dense<[4]> : tensor<1xi32>
  %results:3 = "interpreter.run_parallel"(%x0, %x1, %x2) <{programs = [[@unequal_groups_process], [@unequal_groups_process], [@unequal_groups_process]]}> : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>)
  check.expect_eq_const %results#0, dense<[5]> : tensor<1xi32>
  check.expect_eq_const %results#1, dense<[2]> : tensor<1xi32>
  check.expect_eq_const %results#2, dense<[5]> : tensor<1xi32>
  return
}

func.func private @unequal_groups_process(%x: tensor<1xi32>) -> tensor<1xi32> {
  %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<1xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// Without a channel replicas of the same partition are combined.
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
  %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// With a channel all partitions of the replicas are.
func.func @replicas_and_partitions() {
  %x0 = stablehlo.constant dense<1> : tensor<i32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %x2 = stablehlo.constant dense<4> : tensor<i32>
  %x3 = stablehlo.constant dense<8> : tensor<i32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@replicas_and_partitions_process, @replicas_and_partitions_process], [@replicas_and_partitions_process, @replicas_and_partitions_process]]}> : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<3> : tensor<i32>
  check.expect_eq_const %results#1, dense<3> : tensor<i32>
  check.expect_eq_const %results#2, dense<12> : tensor<i32>
  check.expect_eq_const %results#3, dense<12> : tensor<i32>
  return
}

func.func private @replicas_and_partitions_process(%x: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// With global ids any processes are.
func.func @global_ids() {
  %x0 = stablehlo.constant dense<1> : tensor<i32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %x2 = stablehlo.constant dense<4> : tensor<i32>
  %x3 = stablehlo.constant dense<8> : tensor<i32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@global_ids_process, @global_ids_process], [@global_ids_process, @global_ids_process]]}> : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<9> : tensor<i32>
  check.expect_eq_const %results#1, dense<6> : tensor<i32>
  check.expect_eq_const %results#2, dense<6> : tensor<i32>
  check.expect_eq_const %results#3, dense<9> : tensor<i32>
  return
}

func.func private @global_ids_process(%x: tensor<i32>) -> tensor<i32> {
  %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 3], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// -----

// Booleans.
func.func @booleans() {
  %x0 = stablehlo.constant dense<[true, true]> : tensor<2xi1>
  %x1 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@booleans_process], [@booleans_process]]}> : (tensor<2xi1>, tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi1>)
  check.expect_eq_const %results#0, dense<[false, true]> : tensor<2xi1>
  check.expect_eq_const %results#1, dense<[false, true]> : tensor<2xi1>
  return
}

func.func private @booleans_process(%x: tensor<2xi1>) -> tensor<2xi1> {
  %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %sum = stablehlo.and %a, %b : tensor<i1>
    stablehlo.return %sum : tensor<i1>
  }) : (tensor<2xi1>) -> tensor<2xi1>
  return %r : tensor<2xi1>
}

// -----

// The body may have a wider type than the operand.
func.func @wider() {
  %x0 = stablehlo.constant dense<[100]> : tensor<1xi8>
  %x1 = stablehlo.constant dense<[100]> : tensor<1xi8>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@wider_process], [@wider_process]]}> : (tensor<1xi8>, tensor<1xi8>) -> (tensor<1xi32>, tensor<1xi32>)
  check.expect_eq_const %results#0, dense<[200]> : tensor<1xi32>
  check.expect_eq_const %results#1, dense<[200]> : tensor<1xi32>
  return
}

func.func private @wider_process(%x: tensor<1xi8>) -> tensor<1xi32> {
  %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<1xi8>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// -----

// Two operands.
func.func @two_operands() {
  %x0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y0 = stablehlo.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %y1 = stablehlo.constant dense<[30.0, 40.0]> : tensor<2xf32>
  %results:4 = "interpreter.run_parallel"(%x0, %y0, %x1, %y1) <{programs = [[@two_operands_process], [@two_operands_process]]}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %results#0, dense<[4.0, 6.0]> : tensor<2xf32>
  check.expect_eq_const %results#1, dense<[40.0, 60.0]> : tensor<2xf32>
  check.expect_eq_const %results#2, dense<[4.0, 6.0]> : tensor<2xf32>
  check.expect_eq_const %results#3, dense<[40.0, 60.0]> : tensor<2xf32>
  return
}

func.func private @two_operands_process(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %r, %s = "stablehlo.all_reduce"(%x, %y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %r, %s : tensor<2xf32>, tensor<2xf32>
}

// -----

// Each use is a meeting of its own: powers of the number of processes.
func.func @twice() {
  %x0 = stablehlo.constant dense<1> : tensor<i32>
  %x1 = stablehlo.constant dense<2> : tensor<i32>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@twice_process], [@twice_process]]}> : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
  check.expect_eq_const %results#0, dense<6> : tensor<i32>
  check.expect_eq_const %results#1, dense<6> : tensor<i32>
  return
}

func.func private @twice_process(%x: tensor<i32>) -> tensor<i32> {
  %once = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %r = "stablehlo.all_reduce"(%once) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
