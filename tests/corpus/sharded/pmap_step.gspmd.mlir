module @jit__fun attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6x3xf32> {mhlo.sharding = "{devices=[4,1,1]<=[4]}"}, %arg1: tensor<4x5x6xf32> {mhlo.sharding = "{devices=[4,1,1]<=[4]}"}, %arg2: tensor<4x5x3xf32> {mhlo.sharding = "{devices=[4,1,1]<=[4]}"}) -> (tensor<4xf32> {jax.result_info = "result[0]", mhlo.sharding = "{devices=[4]<=[4]}"}, tensor<4x6x3xf32> {jax.result_info = "result[1]", mhlo.sharding = "{devices=[4,1,1]<=[4]}"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[4,1,1]<=[4]}"} : (tensor<4x6x3xf32>) -> tensor<4x6x3xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x6x3xf32>) -> tensor<1x6x3xf32>
    %2 = stablehlo.custom_call @Sharding(%arg1) {backend_config = "", mhlo.sharding = "{devices=[4,1,1]<=[4]}"} : (tensor<4x5x6xf32>) -> tensor<4x5x6xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x5x6xf32>) -> tensor<1x5x6xf32>
    %4 = stablehlo.custom_call @Sharding(%arg2) {backend_config = "", mhlo.sharding = "{devices=[4,1,1]<=[4]}"} : (tensor<4x5x3xf32>) -> tensor<4x5x3xf32>
    %5 = stablehlo.custom_call @SPMDFullToShardShape(%4) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x5x3xf32>) -> tensor<1x5x3xf32>
    %6:2 = call @shmap_body(%1, %3, %5) : (tensor<1x6x3xf32>, tensor<1x5x6xf32>, tensor<1x5x3xf32>) -> (tensor<1xf32>, tensor<1x6x3xf32>)
    %7 = stablehlo.custom_call @Sharding(%6#0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<1xf32>) -> tensor<1xf32>
    %8 = stablehlo.custom_call @SPMDShardToFullShape(%7) {backend_config = "", mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<1xf32>) -> tensor<4xf32>
    %9 = stablehlo.custom_call @Sharding(%6#1) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<1x6x3xf32>) -> tensor<1x6x3xf32>
    %10 = stablehlo.custom_call @SPMDShardToFullShape(%9) {backend_config = "", mhlo.sharding = "{devices=[4,1,1]<=[4]}"} : (tensor<1x6x3xf32>) -> tensor<4x6x3xf32>
    return %8, %10 : tensor<4xf32>, tensor<4x6x3xf32>
  }
  func.func private @shmap_body(%arg0: tensor<1x6x3xf32>, %arg1: tensor<1x5x6xf32>, %arg2: tensor<1x5x3xf32>) -> (tensor<1xf32> {jax.result_info = "[('i',)]"}, tensor<1x6x3xf32> {jax.result_info = "[('i',), None, None]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<1x6x3xf32>) -> tensor<6x3xf32>
    %1 = stablehlo.reshape %arg1 : (tensor<1x5x6xf32>) -> tensor<5x6xf32>
    %2 = stablehlo.reshape %arg2 : (tensor<1x5x3xf32>) -> tensor<5x3xf32>
    %3 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x3xf32>) -> tensor<5x3xf32>
    %4 = stablehlo.tanh %3 : tensor<5x3xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x3xf32>
    %7 = stablehlo.subtract %4, %2 : tensor<5x3xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<5x3xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<5x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.500000e+01> : tensor<f32>
    %12 = stablehlo.divide %11, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.500000e+01> : tensor<f32>
    %13 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %15 = stablehlo.multiply %14, %10 : tensor<5x3xf32>
    %16 = stablehlo.multiply %15, %6 : tensor<5x3xf32>
    %17 = stablehlo.multiply %16, %4 : tensor<5x3xf32>
    %18 = stablehlo.add %16, %17 : tensor<5x3xf32>
    %19 = stablehlo.dot_general %18, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
    %20 = stablehlo.transpose %19, dims = [1, 0] : (tensor<3x6xf32>) -> tensor<6x3xf32>
    %21 = "stablehlo.all_reduce"(%12) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %31 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %31 : tensor<f32>
    }) : (tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %22 = stablehlo.divide %21, %cst_5 : tensor<f32>
    %23 = "stablehlo.all_reduce"(%20) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %31 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %31 : tensor<f32>
    }) : (tensor<6x3xf32>) -> tensor<6x3xf32>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x3xf32>
    %25 = stablehlo.divide %23, %24 : tensor<6x3xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x3xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<6x3xf32>
    %28 = stablehlo.subtract %0, %27 : tensor<6x3xf32>
    %29 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %30 = stablehlo.broadcast_in_dim %28, dims = [1, 2] : (tensor<6x3xf32>) -> tensor<1x6x3xf32>
    return %29, %30 : tensor<1xf32>, tensor<1x6x3xf32>
  }
}
