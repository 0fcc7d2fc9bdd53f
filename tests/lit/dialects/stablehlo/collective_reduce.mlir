// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0

// `collective_reduce`: the combined values for the first of a group; zeros for the others.

// One group of two.
func.func @one_group() {
  %x0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %x1 = stablehlo.constant dense<[5, 6, 7, 8]> : tensor<4xi64>
  %results:2 = "interpreter.run_parallel"(%x0, %x1) <{programs = [[@one_group_process], [@one_group_process]]}> : (tensor<4xi64>, tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>)
  check.expect_eq_const %results#0, dense<[6, 8, 10, 12]> : tensor<4xi64>
  check.expect_eq_const %results#1, dense<0> : tensor<4xi64>
  return
}

func.func private @one_group_process(%x: tensor<4xi64>) -> tensor<4xi64> {
  %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%s: tensor<i64>, %t: tensor<i64>):
    %sum = stablehlo.add %s, %t : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) : (tensor<4xi64>) -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// -----

// Two groups whose first members are not the least; two operands, the greatest of each.
func.func @two_groups() {
  %x0 = stablehlo.constant dense<[1.0, 8.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<[2.0, 7.0]> : tensor<2xf32>
  %x2 = stablehlo.constant dense<[3.0, 6.0]> : tensor<2xf32>
  %x3 = stablehlo.constant dense<[4.0, 5.0]> : tensor<2xf32>
  %results:4 = "interpreter.run_parallel"(%x0, %x1, %x2, %x3) <{programs = [[@two_groups_process], [@two_groups_process], [@two_groups_process], [@two_groups_process]]}> : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %results#0, dense<0.0> : tensor<2xf32>
  check.expect_eq_const %results#1, dense<[2.0, 8.0]> : tensor<2xf32>
  check.expect_eq_const %results#2, dense<0.0> : tensor<2xf32>
  check.expect_eq_const %results#3, dense<[4.0, 6.0]> : tensor<2xf32>
  return
}

func.func private @two_groups_process(%x: tensor<2xf32>) -> tensor<2xf32> {
  %n = stablehlo.negate %x : tensor<2xf32>
  %r:2 = "stablehlo.collective_reduce"(%x, %n) <{replica_groups = dense<[[1, 0], [3, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %most = stablehlo.maximum %s, %t : tensor<f32>
    stablehlo.return %most : tensor<f32>
  }) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0 : tensor<2xf32>
}

// -----

// Two operands with a root each: the second of the group gets the sum of the first operand, the first of it the other.
func.func @dynamic_roots() {
  %roots = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %x0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %x1 = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %results:4 = "interpreter.run_parallel"(%x0, %roots, %x1, %roots) <{programs = [[@dynamic_roots_process], [@dynamic_roots_process]]}> : (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  check.expect_eq_const %results#0, dense<0.0> : tensor<2xf32>
  check.expect_eq_const %results#1, dense<[-4.0, -6.0]> : tensor<2xf32>
  check.expect_eq_const %results#2, dense<[4.0, 6.0]> : tensor<2xf32>
  check.expect_eq_const %results#3, dense<0.0> : tensor<2xf32>
  return
}

func.func private @dynamic_roots_process(%x: tensor<2xf32>, %roots: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %n = stablehlo.negate %x : tensor<2xf32>
  %r:2 = "stablehlo.collective_reduce"(%x, %n, %roots) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// Alone, a program has what it gives, if it is the root.
func.func @dynamic_roots_alone() {
  %roots = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %x = stablehlo.constant dense<[7, 8]> : tensor<2xi64>
  %r:2 = "stablehlo.collective_reduce"(%x, %x, %roots) ({
  ^bb0(%s: tensor<i64>, %t: tensor<i64>):
    %sum = stablehlo.add %s, %t : tensor<i64>
    stablehlo.return %sum : tensor<i64>
  }) {replica_groups = dense<[[0]]> : tensor<1x1xi64>, has_dynamic_root} : (tensor<2xi64>, tensor<2xi64>, tensor<2xi32>) -> (tensor<2xi64>, tensor<2xi64>)
  check.expect_eq_const %r#0, dense<[7, 8]> : tensor<2xi64>
  check.expect_eq_const %r#1, dense<0> : tensor<2xi64>
  return
}
