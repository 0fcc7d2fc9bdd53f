module @jit__fun attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<2x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<2x5xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<2x2x5xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<2x5xf32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<2x5xf32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0:4 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<1x5xf32>) {
      %1 = stablehlo.reshape %arg1 : (tensor<1x5xf32>) -> tensor<5xf32>
      %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %17 = stablehlo.add %arg2, %arg3 : tensor<f32>
        stablehlo.return %17 : tensor<f32>
      }) : (tensor<5xf32>) -> tensor<5xf32>
      %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
      %4 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<1x5xf32>) -> tensor<2x5xf32>
      %5 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<5xf32>) -> tensor<5xf32>
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<2> : tensor<ui32>
      %6 = stablehlo.partition_id : tensor<ui32>
      %7 = stablehlo.divide %6, %c : tensor<ui32>
      %8 = stablehlo.remainder %7, %c_0 : tensor<ui32>
      %9 = stablehlo.convert %8 : (tensor<ui32>) -> tensor<i32>
      %10 = stablehlo.convert %9 : (tensor<i32>) -> tensor<f32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<5xf32>
      %12 = stablehlo.add %11, %1 : tensor<5xf32>
      %13 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
      %14 = stablehlo.broadcast_in_dim %4, dims = [1, 2] : (tensor<2x5xf32>) -> tensor<1x2x5xf32>
      %15 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
      %16 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
      sdy.return %13, %14, %15, %16 : tensor<1x5xf32>, tensor<1x2x5xf32>, tensor<1x5xf32>, tensor<1x5xf32>
    } : (tensor<2x5xf32>) -> (tensor<2x5xf32>, tensor<2x2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<2x5xf32>, tensor<2x2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>
  }
}
