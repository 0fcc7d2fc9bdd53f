// RUN: xla-opt %s -p stablehlo-partition-spmd | filecheck %s

// CHECK: builtin.module attributes {mhlo.num_partitions = 4 : i32}
// CHECK: sdy.mesh @mesh
sdy.mesh @mesh = <["x"=2, "y"=2]>

// A contracting dimension that is split leaves parts of a sum; who wants a part of it gets that.
// CHECK-LABEL: func.func @product
// CHECK-SAME: ({{%.+}}: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}
// CHECK-SAME: -> (tensor<2x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>})
// CHECK-SAME: xrt.global_type = (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
// CHECK-NEXT: [[PART:%.+]] = stablehlo.dot_general {{.*}} : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: "stablehlo.reduce_scatter"([[PART]])
// CHECK-SAME: scatter_dimension = 0
// CHECK-SAME: replica_groups = dense<[[0, 2], [1, 3]]>
// CHECK-NOT: all_reduce
func.func @product(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
                   %w: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"y", "x"}, {}]> : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// Padding behind the seventh element is 0 in a sum; constants are made in the size that is needed.
// CHECK-LABEL: func.func @uneven
// CHECK-SAME: ({{%.+}}: tensor<2xf32>
// CHECK: stablehlo.partition_id
// CHECK: [[COUNTS:%.+]] = stablehlo.compare LT
// CHECK: [[MASKED:%.+]] = stablehlo.select [[COUNTS]]
// CHECK: [[SUM:%.+]] = stablehlo.reduce([[MASKED]]
// CHECK: "stablehlo.all_reduce"([[SUM]])
// CHECK-SAME: dense<[[0, 1, 2, 3]]>
func.func @uneven(%x: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %two = stablehlo.constant dense<2.0> : tensor<7xf32>
  %0 = stablehlo.multiply %x, %two {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>} : tensor<7xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// What a computation does by itself stays; over the other axis the partitioner works as outside.
// CHECK-LABEL: func.func @manual
// CHECK-NEXT: "stablehlo.collective_permute"
// CHECK-SAME: (tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: stablehlo.negate {{%.+}} : tensor<4x3xf32>
// CHECK-NEXT: func.return
func.func @manual(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%a: tensor<4x6xf32>) {
    %1 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = stablehlo.negate %1 : tensor<4x6xf32>
    sdy.return %2 : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// An axis that moves to another dimension.
// CHECK-LABEL: func.func @moved
// CHECK-NEXT: "stablehlo.all_to_all"
// CHECK-SAME: split_dimension = 1
// CHECK-SAME: concat_dimension = 0
// CHECK-SAME: replica_groups = dense<[[0, 2], [1, 3]]>
// CHECK-SAME: (tensor<4x8xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: func.return
func.func @moved(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  return %x : tensor<8x8xf32>
}

// What a loop reads from outside is gathered in front of it.
// CHECK-LABEL: func.func @loop
// CHECK: "stablehlo.all_gather"
// CHECK: stablehlo.while
// CHECK-NOT: all_gather
// CHECK: stablehlo.dot_general {{.*}} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
// CHECK: func.return
func.func @loop(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%y = %x, %i = %zero) : tensor<8x8xf32>, tensor<i32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, []>]>}
    cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %z = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      stablehlo.return %z, %j : tensor<8x8xf32>, tensor<i32>
    }
  return %0#0 : tensor<8x8xf32>
}

// Collectives of the program act on parts over the other axis; dimensions that they join are whole.
// CHECK-LABEL: func.func @collectives
// CHECK: stablehlo.replica_id
// CHECK: "stablehlo.all_reduce"({{.*}})
// CHECK: (tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: (tensor<4x3xf32>) -> tensor<8x3xf32>
// CHECK: "stablehlo.reduce_scatter"
// CHECK: (tensor<8x3xf32>) -> tensor<4x3xf32>
// CHECK: "stablehlo.all_gather"
// CHECK-SAME: all_gather_dim = 1
// CHECK: "stablehlo.all_to_all"
// CHECK-SAME: (tensor<4x6xf32>) -> tensor<2x12xf32>
// CHECK-NOT: sdy.named_computation
// CHECK: stablehlo.negate {{%.+}} : tensor<2x12xf32>
func.func @collectives(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  sdy.sharding_group %x group_id=1 : tensor<8x6xf32>
  %id = stablehlo.replica_id : tensor<ui32>
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<4x6xf32>) {
    %1 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%b: tensor<f32>, %c: tensor<f32>):
      %s = stablehlo.add %b, %c : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids}> {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<4x6xf32>) -> tensor<8x6xf32>
    %3 = "stablehlo.reduce_scatter"(%2) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids}> ({
    ^bb0(%b: tensor<f32>, %c: tensor<f32>):
      %s = stablehlo.add %b, %c : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : (tensor<8x6xf32>) -> tensor<4x6xf32>
    %4 = "stablehlo.all_to_all"(%3) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>}> : (tensor<4x6xf32>) -> tensor<2x12xf32>
    sdy.return %4 : tensor<2x12xf32>
  } : (tensor<8x6xf32>) -> tensor<4x12xf32>
  %5 = sdy.named_computation<"negated">(%0) (%v: tensor<4x12xf32>) {
    %6 = stablehlo.negate %v : tensor<4x12xf32>
    sdy.return %6 : tensor<4x12xf32>
  } : (tensor<4x12xf32>) -> tensor<4x12xf32>
  return %5 : tensor<4x12xf32>
}

// Of a broadcast each device makes its part. As terms of a sum they stay where they are.
// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT: [[PART:%.+]] = stablehlo.broadcast_in_dim {{%.+}}, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: [[ZEROS:%.+]] = stablehlo.constant dense<0.000000e+00> : tensor<8x6xf32>
// CHECK: stablehlo.dynamic_update_slice [[ZEROS]], [[PART]]
func.func @broadcast(%x: tensor<6xf32>)
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"x"}>}) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<6xf32>) -> tensor<8x6xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {}], unreduced={"x"}> : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}
