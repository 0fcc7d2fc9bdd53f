module @jit_local attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x2xf32>, %arg1: tensor<12xi32>, %arg2: tensor<8xcomplex<f32>>) -> (tensor<2x2xf32> {jax.result_info = "result[0]"}, tensor<3xi32> {jax.result_info = "result[1]"}, tensor<2x2xf32> {jax.result_info = "result[2]"}, tensor<2xcomplex<f32>> {jax.result_info = "result[3]"}, tensor<16x3xi32> {jax.result_info = "result[4]"}, tensor<8x8xf32> {jax.result_info = "result[5]"}, tensor<8x2xf32> {jax.result_info = "result[6]"}, tensor<32x1xf32> {jax.result_info = "result[7]"}, tensor<8xcomplex<f32>> {jax.result_info = "result[8]"}, tensor<3xi32> {jax.result_info = "result[9]"}, tensor<4xi32> {jax.result_info = "result[10]"}) {
    %0:11 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}]>, <@mesh, [{}]>, <@mesh, [{"x"}]>] manual_axes={"x"} (%arg3: tensor<2x2xf32>, %arg4: tensor<3xi32>, %arg5: tensor<2xcomplex<f32>>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<4> : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.divide %1, %c : tensor<ui32>
      %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
      %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
      %5 = "stablehlo.all_reduce"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %30 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %30 : tensor<f32>
      }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %6 = "stablehlo.all_reduce"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>):
        %30 = stablehlo.maximum %arg6, %arg7 : tensor<i32>
        stablehlo.return %30 : tensor<i32>
      }) : (tensor<3xi32>) -> tensor<3xi32>
      %7 = "stablehlo.all_reduce"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %30 = stablehlo.minimum %arg6, %arg7 : tensor<f32>
        stablehlo.return %30 : tensor<f32>
      }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %8 = "stablehlo.all_reduce"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<complex<f32>>, %arg7: tensor<complex<f32>>):
        %30 = stablehlo.add %arg6, %arg7 : tensor<complex<f32>>
        stablehlo.return %30 : tensor<complex<f32>>
      }) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
      %cst = stablehlo.constant dense<(4.000000e+00,0.000000e+00)> : tensor<complex<f32>>
      %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
      %10 = stablehlo.divide %8, %9 : tensor<2xcomplex<f32>>
      %11 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<3xi32>) -> tensor<1x3xi32>
      %12 = "stablehlo.all_gather"(%11) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x3xi32>) -> tensor<4x3xi32>
      %13 = "stablehlo.all_gather"(%arg3) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x2xf32>) -> tensor<2x8xf32>
      %14 = "stablehlo.all_gather"(%arg3) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x2xf32>) -> tensor<8x2xf32>
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.add %4, %c_1 : tensor<i32>
      %16 = stablehlo.convert %15 : (tensor<i32>) -> tensor<f32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
      %18 = stablehlo.multiply %14, %17 : tensor<8x2xf32>
      %19 = "stablehlo.reduce_scatter"(%18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %30 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %30 : tensor<f32>
      }) : (tensor<8x2xf32>) -> tensor<2x2xf32>
      %20 = stablehlo.reshape %arg3 : (tensor<2x2xf32>) -> tensor<1x2x1x2xf32>
      %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x2x1x2xf32>) -> tensor<1x2x2x2xf32>
      %22 = stablehlo.reshape %21 : (tensor<1x2x2x2xf32>) -> tensor<2x4xf32>
      %23 = "stablehlo.all_to_all"(%22) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<8x1xf32>
      %24 = "stablehlo.collective_permute"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 1], [1, 3]]> : tensor<3x2xi64>}> : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
      %c_2 = stablehlo.constant dense<0> : tensor<i32>
      %25 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<3xi32>
      %26 = stablehlo.compare GT, %arg4, %25, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
      %27 = stablehlo.convert %26 : (tensor<3xi1>) -> tensor<3xi32>
      %28 = "stablehlo.all_reduce"(%27) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>):
        %30 = stablehlo.add %arg6, %arg7 : tensor<i32>
        stablehlo.return %30 : tensor<i32>
      }) : (tensor<3xi32>) -> tensor<3xi32>
      %29 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<i32>) -> tensor<1xi32>
      sdy.return %5, %6, %7, %10, %12, %13, %19, %23, %24, %28, %29 : tensor<2x2xf32>, tensor<3xi32>, tensor<2x2xf32>, tensor<2xcomplex<f32>>, tensor<4x3xi32>, tensor<2x8xf32>, tensor<2x2xf32>, tensor<8x1xf32>, tensor<2xcomplex<f32>>, tensor<3xi32>, tensor<1xi32>
    } : (tensor<8x2xf32>, tensor<12xi32>, tensor<8xcomplex<f32>>) -> (tensor<2x2xf32>, tensor<3xi32>, tensor<2x2xf32>, tensor<2xcomplex<f32>>, tensor<16x3xi32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<32x1xf32>, tensor<8xcomplex<f32>>, tensor<3xi32>, tensor<4xi32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10 : tensor<2x2xf32>, tensor<3xi32>, tensor<2x2xf32>, tensor<2xcomplex<f32>>, tensor<16x3xi32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<32x1xf32>, tensor<8xcomplex<f32>>, tensor<3xi32>, tensor<4xi32>
  }
}
