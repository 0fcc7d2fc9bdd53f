// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @collectives
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
// CHECK-NEXT: %{{[0-9]+}}, %{{[0-9]+}} = "stablehlo.all_reduce"(%a, %a) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> ({
// CHECK-NEXT: ^bb0(%x: tensor<f32>, %y: tensor<f32>):
// CHECK-NEXT: %s = stablehlo.add %x, %y : tensor<f32>
// CHECK-NEXT: stablehlo.return %s : tensor<f32>
// CHECK-NEXT: }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.all_to_all"(%a) <{concat_dimension = 0 : i64, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %{{[0-9]+}} = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
// CHECK-NEXT: ^bb0(%x_1: tensor<f32>, %y_1: tensor<f32>):
// CHECK-NEXT: %s_1 = stablehlo.add %x_1, %y_1 : tensor<f32>
// CHECK-NEXT: stablehlo.return %s_1 : tensor<f32>
// CHECK-NEXT: }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.partition_id : tensor<ui32>
// CHECK-NEXT: %{{[0-9]+}} = stablehlo.replica_id : tensor<ui32>
// CHECK-NEXT: %mesh = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
func.func @collectives(%a: tensor<4x6xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  %1:2 = "stablehlo.all_reduce"(%a, %a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  %2 = "stablehlo.all_to_all"(%a) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  %3 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %6 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %7 = stablehlo.partition_id : tensor<ui32>
  %8 = stablehlo.replica_id : tensor<ui32>
  %mesh = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}
