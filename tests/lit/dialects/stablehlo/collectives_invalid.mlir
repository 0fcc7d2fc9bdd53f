// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_gather' op: stablehlo.all_gather (C1): all_gather_dim 2 exceeds the rank 2}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_gather' op: stablehlo.all_gather (C2): replica_groups [(0, 0)] repeat an id}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_gather' op: stablehlo.all_gather (C4): replica_groups [(0, 2)] are not numbered 0 to 1}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_gather' op: stablehlo.all_gather (C5): use_global_device_ids needs a positive channel handle}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_gather' op: stablehlo.all_gather (C6): expected result type tensor<4x12xf32>, got tensor<4x6xf32>}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_reduce' op: stablehlo.all_reduce (C1): replica_groups [(1, 1)] repeat an id}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_reduce' op: stablehlo.all_reduce (C3): replica_groups [(1, 2)] are not numbered 0 to 1}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[1, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_reduce' op: stablehlo.all_reduce (C4): use_global_device_ids needs a positive channel handle}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_reduce' op: stablehlo.all_reduce (C5): expected 2 arguments of computation, got 1}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%s: tensor<f32>):
    %sum = stablehlo.add %s, %s : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_reduce' op: stablehlo.all_reduce (C6): expected result type tensor<4x6xf32>, got tensor<6x4xf32>}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_to_all' op: stablehlo.all_to_all (C1): split_dimension 2 exceeds the rank 2}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_to_all' op: stablehlo.all_to_all (C2): dimension 1 of [4, 6] in 4 equal parts}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<4x6xf32>) -> tensor<16x1xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_to_all' op: stablehlo.all_to_all (C3): concat_dimension 2 exceeds the rank 2}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 2 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_to_all' op: stablehlo.all_to_all (C4): split_count must be positive, got 0}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_to_all' op: stablehlo.all_to_all (C5): replica_groups [(0, 0)] repeat an id}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_to_all' op: stablehlo.all_to_all (C8): groups of 2 for 3 parts}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 3 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<12x2xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.all_to_all' op: stablehlo.all_to_all (C9): expected result type tensor<8x3xf32>, got tensor<4x6xf32>}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.collective_broadcast' op: stablehlo.collective_broadcast (C1): replica_groups [(0, 0)] repeat an id}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.collective_broadcast' op: stablehlo.collective_broadcast (C3): expected result type tensor<4x6xf32>, got tensor<6x4xf32>}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.collective_permute' op: stablehlo.collective_permute (C1): expected pairs, got dense<[[0, 1, 2]]> : tensor<1x3xi64>}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.collective_permute' op: stablehlo.collective_permute (C2): source_target_pairs [(0, 1), (0, 2)] repeat a source}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.collective_permute' op: stablehlo.collective_permute (C3): source_target_pairs [(0, 1), (2, 1)] repeat a target}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.collective_permute' op: stablehlo.collective_permute (C4): source_target_pairs [(0, -1)] have a negative id}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.collective_permute' op: stablehlo.collective_permute (C5): expected result type tensor<4x6xf32>, got tensor<6x4xf32>}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.reduce_scatter' op: stablehlo.reduce_scatter (C1): dimension 0 of [4, 6] in 3 equal parts}}
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.reduce_scatter' op: stablehlo.reduce_scatter (C2): scatter_dimension 2 exceeds the rank 2}}
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 2 : i64}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.reduce_scatter' op: stablehlo.reduce_scatter (C3): replica_groups [(0, 0)] repeat an id}}
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.reduce_scatter' op: stablehlo.reduce_scatter (C7): expected 2 arguments of computation, got 1}}
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%s: tensor<f32>):
    %sum = stablehlo.add %s, %s : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %tok: !stablehlo.token) {
  // expected-error @below {{stablehlo.reduce_scatter' op: stablehlo.reduce_scatter (C8): expected result type tensor<4x3xf32>, got tensor<4x6xf32>}}
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.all_to_all' op: stablehlo.all_to_all (C7): replica_groups [(0, 2)] are not numbered 0 to 1}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.collective_broadcast' op: stablehlo.collective_broadcast (C2): replica_groups [(-1, 0)] have a negative id}}
  %0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[-1, 0]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.reduce_scatter' op: stablehlo.reduce_scatter (C5): replica_groups [(0, 3)] are not numbered 0 to 1}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 3]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.reduce_scatter' op: stablehlo.reduce_scatter (C6): use_global_device_ids needs a positive channel handle}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.cross-replica-sum' op: stablehlo.cross-replica-sum (type): (tensor<4x6xf32>) -> (tensor<6x4xf32>)}}
  %0 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.all_reduce' op: stablehlo.all_reduce (C7): expected result elements as computation returns them, tensor<f64>, got f32}}
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %s = stablehlo.add %p, %q : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.reduce_scatter' op: stablehlo.reduce_scatter (C9): expected result elements as computation returns them, tensor<f64>, got f32}}
  %0 = "stablehlo.reduce_scatter"(%x) ({
  ^bb0(%p: tensor<f64>, %q: tensor<f64>):
    %s = stablehlo.add %p, %q : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.collective_reduce' op: stablehlo.collective_reduce (replica_groups): replica_groups [(1, 1)] repeat an id}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.collective_reduce' op: stablehlo.collective_reduce (use_global_device_ids): use_global_device_ids needs a positive channel handle}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.collective_reduce' op: stablehlo.collective_reduce (computation): expected 2 arguments of computation, got 1}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%s: tensor<f32>):
    %sum = stablehlo.add %s, %s : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.collective_reduce' op: stablehlo.collective_reduce (result): expected result type tensor<4x6xf32>, got tensor<6x4xf32>}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%s: tensor<f32>, %t: tensor<f32>):
    %sum = stablehlo.add %s, %t : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.all_to_all (C5): expected a matrix of i64 ids, at most 1048576, or axes of a mesh, got dense<[0, 1]> : tensor<2xi64>}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[0, 1]> : tensor<2xi64>}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.collective_broadcast (C1): expected a matrix of i64 ids, at most 1048576, or axes of a mesh, got "all"}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = "all"}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.cross-replica-sum (replica_groups): expected a matrix of i64 ids, at most 1048576, got dense<0> : tensor<1xi64>}}
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<0> : tensor<1xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %roots: tensor<1xi64>) {
  // expected-error @below {{stablehlo.collective_broadcast (has_dynamic_root): expected roots of type tensor<1xi32> as last operand, got (tensor<1xi64>)}}
  %0 = "stablehlo.collective_broadcast"(%x, %roots) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<4x6xf32>, tensor<1xi64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %roots: tensor<1xi32>) {
  // expected-error @below {{stablehlo.collective_broadcast (has_dynamic_root): 2 operands to send, 1 results}}
  %0 = "stablehlo.collective_broadcast"(%x, %roots) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>, tensor<1xi32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{result 'result' at position 0 does not verify: expected tensor<ui32>, got tensor<ui64>}}
  %0 = stablehlo.replica_id : tensor<ui64>
  return
}

// -----

func.func @groups_of_one_size(%a: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @below {{stablehlo.all_gather (C4): expected groups of one size, got [(0, -1), (1, 2)]}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, -1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

func.func @parts_of_one_size(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{stablehlo.all_to_all (C7): expected groups of one size, got [(0, -1), (1, 2)]}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, -1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @a_group_of_nobody(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{stablehlo.cross-replica-sum (replica_groups): replica_groups [(-1, -1), (0, 1)] have a group without members}}
  %0 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[-1, -1], [0, 1]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @twice_in_a_sum(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{stablehlo.cross-replica-sum (replica_groups): replica_groups [(0, 0)] repeat an id}}
  %0 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @global_ids_need_groups(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{stablehlo.all_gather (C5): use_global_device_ids needs groups}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>, use_global_device_ids, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @ragged_without_sizes(%a: tensor<4x6xf32>, %i: tensor<2xi32>) -> tensor<4x6xf32> {
  // expected-error @below {{stablehlo.custom_call (ragged_all_to_all): expected 6 tensors and 1 result, got (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2xi32>) -> (tensor<4x6xf32>)}}
  %0 = stablehlo.custom_call @ragged_all_to_all(%a, %a, %i) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2xi32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @ragged_rows(%a: tensor<4x6xf32>, %b: tensor<4x5xf32>, %i: tensor<2xi32>) -> tensor<4x5xf32> {
  // expected-error @below {{stablehlo.custom_call (ragged_all_to_all): expected rows of one type, got tensor<4x6xf32> and tensor<4x5xf32>}}
  %0 = stablehlo.custom_call @ragged_all_to_all(%a, %b, %i, %i, %i, %i) : (tensor<4x6xf32>, tensor<4x5xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

func.func @ragged_result(%a: tensor<4x6xf32>, %i: tensor<2xi32>) -> tensor<2x6xf32> {
  // expected-error @below {{stablehlo.custom_call (ragged_all_to_all): expected a result of the type of output, tensor<4x6xf32>}}
  %0 = stablehlo.custom_call @ragged_all_to_all(%a, %a, %i, %i, %i, %i) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// -----

func.func @ragged_lists(%a: tensor<4x6xf32>, %i: tensor<2xi32>, %j: tensor<3xi32>) -> tensor<4x6xf32> {
  // expected-error @below {{stablehlo.custom_call (ragged_all_to_all): expected offsets and sizes of one length, got (tensor<2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>)}}
  %0 = stablehlo.custom_call @ragged_all_to_all(%a, %a, %i, %j, %i, %i) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @ragged_floats(%a: tensor<4x6xf32>, %i: tensor<2xf32>) -> tensor<4x6xf32> {
  // expected-error @below {{stablehlo.custom_call (ragged_all_to_all): expected offsets and sizes of integers, got (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)}}
  %0 = stablehlo.custom_call @ragged_all_to_all(%a, %a, %i, %i, %i, %i) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

func.func @groups_of_floats(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{stablehlo.collective_broadcast (C1): expected a matrix of i64 ids, at most 1048576, or axes of a mesh, got dense<[[0.000000e+00, 1.000000e+00]]> : tensor<1x2xf32>}}
  %0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0.0, 1.0]]> : tensor<1x2xf32>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// One number stands for ten million.
func.func @groups_of_many(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{stablehlo.collective_broadcast (C1): expected a matrix of i64 ids, at most 1048576, or axes of a mesh, got dense<0> : tensor<10000x1000xi64>}}
  %0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<0> : tensor<10000x1000xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.all_gather' op: stablehlo.all_gather (C6): expected a multiple of 6 along dimension 1, got tensor<4x20xf32>}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x20xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x0xf32>) {
  // expected-error @below {{stablehlo.all_gather' op: stablehlo.all_gather (C6): expected a multiple of 0 along dimension 1, got tensor<4x20xf32>}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x0xf32>) -> tensor<4x20xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.all_gather (C6): expected 1 results, one for each operand, got 2}}
  %0:2 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}> : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.all_to_all (C9): expected 1 results, one for each operand, got 2}}
  %0:2 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}> : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.all_reduce (C6): expected 1 results, one for each operand, got 0}}
  "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0]]> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> ()
  return
}
