module @jit_local attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=8]> {stablehlo.mesh = {axes = [{name = "data", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<16x4xf32>, %arg1: tensor<16x4xf32>, %arg2: tensor<16x16xf32>, %arg3: tensor<16x4xf32>) -> (tensor<16x4xf32> {jax.result_info = "result[0]"}, tensor<16x4xf32> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"data"}, {}]>] manual_axes={"data"} (%arg4: tensor<16x4xf32>, %arg5: tensor<2x4xf32>, %arg6: tensor<2x16xf32>, %arg7: tensor<2x4xf32>) {
      %1 = stablehlo.dot_general %arg6, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16xf32>, tensor<16x4xf32>) -> tensor<2x4xf32>
      %2 = stablehlo.tanh %1 : tensor<2x4xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %4 = stablehlo.subtract %3, %2 : tensor<2x4xf32>
      %5 = stablehlo.subtract %2, %arg7 : tensor<2x4xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %7 = stablehlo.multiply %6, %5 : tensor<2x4xf32>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %9 = stablehlo.multiply %8, %7 : tensor<2x4xf32>
      %10 = stablehlo.multiply %9, %4 : tensor<2x4xf32>
      %11 = stablehlo.multiply %10, %2 : tensor<2x4xf32>
      %12 = stablehlo.add %10, %11 : tensor<2x4xf32>
      %13 = stablehlo.dot_general %12, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf32>, tensor<2x16xf32>) -> tensor<4x16xf32>
      %14 = stablehlo.transpose %13, dims = [1, 0] : (tensor<4x16xf32>) -> tensor<16x4xf32>
      %cst_2 = stablehlo.constant dense<0.899999976> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %16 = stablehlo.multiply %15, %arg5 : tensor<2x4xf32>
      %17 = "stablehlo.reduce_scatter"(%14) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
        %32 = stablehlo.add %arg8, %arg9 : tensor<f32>
        stablehlo.return %32 : tensor<f32>
      }) : (tensor<16x4xf32>) -> tensor<2x4xf32>
      %18 = stablehlo.add %16, %17 : tensor<2x4xf32>
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_3 = stablehlo.constant dense<8> : tensor<ui32>
      %19 = stablehlo.partition_id : tensor<ui32>
      %20 = stablehlo.divide %19, %c : tensor<ui32>
      %21 = stablehlo.remainder %20, %c_3 : tensor<ui32>
      %22 = stablehlo.convert %21 : (tensor<ui32>) -> tensor<i32>
      %c_4 = stablehlo.constant dense<2> : tensor<i32>
      %23 = stablehlo.multiply %22, %c_4 : tensor<i32>
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %24 = stablehlo.compare LT, %23, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_6 = stablehlo.constant dense<16> : tensor<i32>
      %25 = stablehlo.add %23, %c_6 : tensor<i32>
      %26 = stablehlo.select %24, %25, %23 : tensor<i1>, tensor<i32>
      %c_7 = stablehlo.constant dense<0> : tensor<i32>
      %27 = stablehlo.dynamic_slice %arg4, %26, %c_7, sizes = [2, 4] : (tensor<16x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
      %cst_8 = stablehlo.constant dense<0.00999999977> : tensor<f32>
      %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
      %29 = stablehlo.multiply %28, %18 : tensor<2x4xf32>
      %30 = stablehlo.subtract %27, %29 : tensor<2x4xf32>
      %31 = "stablehlo.all_gather"(%30) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<16x4xf32>
      sdy.return %31, %18 : tensor<16x4xf32>, tensor<2x4xf32>
    } : (tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x16xf32>, tensor<16x4xf32>) -> (tensor<16x4xf32>, tensor<16x4xf32>)
    return %0#0, %0#1 : tensor<16x4xf32>, tensor<16x4xf32>
  }
}
