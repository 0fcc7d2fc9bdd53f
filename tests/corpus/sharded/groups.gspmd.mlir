module @jit_local attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x12xf32>) -> (tensor<2x12xf32> {jax.result_info = "result[0]"}, tensor<4x3xf32> {jax.result_info = "result[1]"}, tensor<2x3xf32> {jax.result_info = "result[2]"}, tensor<32x12xf32> {jax.result_info = "result[3]"}, tensor<4x24xf32> {jax.result_info = "result[4]"}, tensor<4x12xf32> {jax.result_info = "result[5]"}, tensor<4x12xf32> {jax.result_info = "result[6]"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<4x12xf32>) -> tensor<4x12xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x12xf32>) -> tensor<2x3xf32>
    %2:7 = call @shmap_body(%1) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<16x3xf32>, tensor<2x6xf32>, tensor<2x3xf32>, tensor<2x3xf32>)
    %3 = stablehlo.custom_call @Sharding(%2#0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {backend_config = "", mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<2x3xf32>) -> tensor<2x12xf32>
    %5 = stablehlo.custom_call @Sharding(%2#1) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {backend_config = "", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<2x3xf32>) -> tensor<4x3xf32>
    %7 = stablehlo.custom_call @Sharding(%2#2) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %8 = stablehlo.custom_call @SPMDShardToFullShape(%7) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %9 = stablehlo.custom_call @Sharding(%2#3) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<16x3xf32>) -> tensor<16x3xf32>
    %10 = stablehlo.custom_call @SPMDShardToFullShape(%9) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<16x3xf32>) -> tensor<32x12xf32>
    %11 = stablehlo.custom_call @Sharding(%2#4) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %12 = stablehlo.custom_call @SPMDShardToFullShape(%11) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<2x6xf32>) -> tensor<4x24xf32>
    %13 = stablehlo.custom_call @Sharding(%2#5) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %14 = stablehlo.custom_call @SPMDShardToFullShape(%13) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<2x3xf32>) -> tensor<4x12xf32>
    %15 = stablehlo.custom_call @Sharding(%2#6) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %16 = stablehlo.custom_call @SPMDShardToFullShape(%15) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<2x3xf32>) -> tensor<4x12xf32>
    return %4, %6, %8, %10, %12, %14, %16 : tensor<2x12xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<32x12xf32>, tensor<4x24xf32>, tensor<4x12xf32>, tensor<4x12xf32>
  }
  func.func private @shmap_body(%arg0: tensor<2x3xf32>) -> (tensor<2x3xf32> {jax.result_info = "[None, ('y',)]"}, tensor<2x3xf32> {jax.result_info = "[('x',), None]"}, tensor<2x3xf32> {jax.result_info = "[None, None]"}, tensor<16x3xf32> {jax.result_info = "[('x',), ('y',)]"}, tensor<2x6xf32> {jax.result_info = "[('x',), ('y',)]"}, tensor<2x3xf32> {jax.result_info = "[('x',), ('y',)]"}, tensor<2x3xf32> {jax.result_info = "[('x',), ('y',)]"}) {
    %0 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %35 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %35 : tensor<f32>
    }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %35 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %35 : tensor<f32>
    }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = "stablehlo.all_reduce"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4, 1, 5, 2, 6, 3, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %35 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %35 : tensor<f32>
    }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %3 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4, 1, 5, 2, 6, 3, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<2x3xf32>) -> tensor<16x3xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<1x2x1x3xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x2x1x3xf32>) -> tensor<2x2x1x3xf32>
    %6 = stablehlo.reshape %5 : (tensor<2x2x1x3xf32>) -> tensor<4x3xf32>
    %7 = "stablehlo.all_to_all"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x3xf32>) -> tensor<2x6xf32>
    %8 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<1x2x1x3xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x2x1x3xf32>) -> tensor<4x2x1x3xf32>
    %10 = stablehlo.reshape %9 : (tensor<4x2x1x3xf32>) -> tensor<8x3xf32>
    %11 = "stablehlo.reduce_scatter"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %35 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %35 : tensor<f32>
    }) : (tensor<8x3xf32>) -> tensor<2x3xf32>
    %c = stablehlo.constant dense<1> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4> : tensor<ui32>
    %12 = stablehlo.partition_id : tensor<ui32>
    %13 = stablehlo.divide %12, %c : tensor<ui32>
    %14 = stablehlo.remainder %13, %c_0 : tensor<ui32>
    %15 = stablehlo.convert %14 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<10> : tensor<i32>
    %16 = stablehlo.multiply %c_1, %15 : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<ui32>
    %c_3 = stablehlo.constant dense<4> : tensor<ui32>
    %17 = stablehlo.partition_id : tensor<ui32>
    %18 = stablehlo.divide %17, %c_2 : tensor<ui32>
    %19 = stablehlo.remainder %18, %c_3 : tensor<ui32>
    %20 = stablehlo.convert %19 : (tensor<ui32>) -> tensor<i32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %21 = stablehlo.multiply %20, %c_4 : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.add %c_5, %21 : tensor<i32>
    %c_6 = stablehlo.constant dense<4> : tensor<ui32>
    %c_7 = stablehlo.constant dense<2> : tensor<ui32>
    %23 = stablehlo.partition_id : tensor<ui32>
    %24 = stablehlo.divide %23, %c_6 : tensor<ui32>
    %25 = stablehlo.remainder %24, %c_7 : tensor<ui32>
    %26 = stablehlo.convert %25 : (tensor<ui32>) -> tensor<i32>
    %c_8 = stablehlo.constant dense<4> : tensor<i32>
    %27 = stablehlo.multiply %26, %c_8 : tensor<i32>
    %28 = stablehlo.add %22, %27 : tensor<i32>
    %29 = stablehlo.add %16, %28 : tensor<i32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %31 = stablehlo.multiply %arg0, %30 : tensor<2x3xf32>
    %32 = stablehlo.convert %29 : (tensor<i32>) -> tensor<f32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %34 = stablehlo.add %33, %31 : tensor<2x3xf32>
    return %0, %1, %2, %3, %7, %11, %34 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<16x3xf32>, tensor<2x6xf32>, tensor<2x3xf32>, tensor<2x3xf32>
  }
}
