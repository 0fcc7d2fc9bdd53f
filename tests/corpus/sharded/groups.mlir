module @jit_local attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x12xf32>) -> (tensor<2x12xf32> {jax.result_info = "result[0]"}, tensor<4x3xf32> {jax.result_info = "result[1]"}, tensor<2x3xf32> {jax.result_info = "result[2]"}, tensor<32x12xf32> {jax.result_info = "result[3]"}, tensor<4x24xf32> {jax.result_info = "result[4]"}, tensor<4x12xf32> {jax.result_info = "result[5]"}, tensor<4x12xf32> {jax.result_info = "result[6]"}) {
    %0:7 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg1: tensor<2x3xf32>) {
      %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %36 = stablehlo.add %arg2, %arg3 : tensor<f32>
        stablehlo.return %36 : tensor<f32>
      }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %2 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %36 = stablehlo.add %arg2, %arg3 : tensor<f32>
        stablehlo.return %36 : tensor<f32>
      }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %3 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4, 1, 5, 2, 6, 3, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %36 = stablehlo.add %arg2, %arg3 : tensor<f32>
        stablehlo.return %36 : tensor<f32>
      }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %4 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4, 1, 5, 2, 6, 3, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<2x3xf32>) -> tensor<16x3xf32>
      %5 = stablehlo.reshape %arg1 : (tensor<2x3xf32>) -> tensor<1x2x1x3xf32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x2x1x3xf32>) -> tensor<2x2x1x3xf32>
      %7 = stablehlo.reshape %6 : (tensor<2x2x1x3xf32>) -> tensor<4x3xf32>
      %8 = "stablehlo.all_to_all"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x3xf32>) -> tensor<2x6xf32>
      %9 = stablehlo.reshape %arg1 : (tensor<2x3xf32>) -> tensor<1x2x1x3xf32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x2x1x3xf32>) -> tensor<4x2x1x3xf32>
      %11 = stablehlo.reshape %10 : (tensor<4x2x1x3xf32>) -> tensor<8x3xf32>
      %12 = "stablehlo.reduce_scatter"(%11) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %36 = stablehlo.add %arg2, %arg3 : tensor<f32>
        stablehlo.return %36 : tensor<f32>
      }) : (tensor<8x3xf32>) -> tensor<2x3xf32>
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<4> : tensor<ui32>
      %13 = stablehlo.partition_id : tensor<ui32>
      %14 = stablehlo.divide %13, %c : tensor<ui32>
      %15 = stablehlo.remainder %14, %c_0 : tensor<ui32>
      %16 = stablehlo.convert %15 : (tensor<ui32>) -> tensor<i32>
      %c_1 = stablehlo.constant dense<10> : tensor<i32>
      %17 = stablehlo.multiply %c_1, %16 : tensor<i32>
      %c_2 = stablehlo.constant dense<1> : tensor<ui32>
      %c_3 = stablehlo.constant dense<4> : tensor<ui32>
      %18 = stablehlo.partition_id : tensor<ui32>
      %19 = stablehlo.divide %18, %c_2 : tensor<ui32>
      %20 = stablehlo.remainder %19, %c_3 : tensor<ui32>
      %21 = stablehlo.convert %20 : (tensor<ui32>) -> tensor<i32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %22 = stablehlo.multiply %21, %c_4 : tensor<i32>
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %23 = stablehlo.add %c_5, %22 : tensor<i32>
      %c_6 = stablehlo.constant dense<4> : tensor<ui32>
      %c_7 = stablehlo.constant dense<2> : tensor<ui32>
      %24 = stablehlo.partition_id : tensor<ui32>
      %25 = stablehlo.divide %24, %c_6 : tensor<ui32>
      %26 = stablehlo.remainder %25, %c_7 : tensor<ui32>
      %27 = stablehlo.convert %26 : (tensor<ui32>) -> tensor<i32>
      %c_8 = stablehlo.constant dense<4> : tensor<i32>
      %28 = stablehlo.multiply %27, %c_8 : tensor<i32>
      %29 = stablehlo.add %23, %28 : tensor<i32>
      %30 = stablehlo.add %17, %29 : tensor<i32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %31 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
      %32 = stablehlo.multiply %arg1, %31 : tensor<2x3xf32>
      %33 = stablehlo.convert %30 : (tensor<i32>) -> tensor<f32>
      %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
      %35 = stablehlo.add %34, %32 : tensor<2x3xf32>
      sdy.return %1, %2, %3, %4, %8, %12, %35 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<16x3xf32>, tensor<2x6xf32>, tensor<2x3xf32>, tensor<2x3xf32>
    } : (tensor<4x12xf32>) -> (tensor<2x12xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<32x12xf32>, tensor<4x24xf32>, tensor<4x12xf32>, tensor<4x12xf32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6 : tensor<2x12xf32>, tensor<4x3xf32>, tensor<2x3xf32>, tensor<32x12xf32>, tensor<4x24xf32>, tensor<4x12xf32>, tensor<4x12xf32>
  }
}
