module @jit__fun attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["i"=4]> {stablehlo.mesh = {axes = [{name = "i", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"i"}, {}, {}]>}, %arg1: tensor<4x5x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"i"}, {}, {}]>}, %arg2: tensor<4x5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"i"}, {}, {}]>}) -> (tensor<4xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"i"}]>}, tensor<4x6x3xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"i"}, {}, {}]>}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"i"}, {}, {}]>, <@mesh, [{"i"}, {}, {}]>, <@mesh, [{"i"}, {}, {}]>] out_shardings=[<@mesh, [{"i"}]>, <@mesh, [{"i"}, {}, {}]>] manual_axes={"i"} (%arg3: tensor<1x6x3xf32>, %arg4: tensor<1x5x6xf32>, %arg5: tensor<1x5x3xf32>) {
      %1 = stablehlo.reshape %arg3 : (tensor<1x6x3xf32>) -> tensor<6x3xf32>
      %2 = stablehlo.reshape %arg4 : (tensor<1x5x6xf32>) -> tensor<5x6xf32>
      %3 = stablehlo.reshape %arg5 : (tensor<1x5x3xf32>) -> tensor<5x3xf32>
      %4 = stablehlo.dot_general %2, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x3xf32>) -> tensor<5x3xf32>
      %5 = stablehlo.tanh %4 : tensor<5x3xf32>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
      %7 = stablehlo.subtract %6, %5 : tensor<5x3xf32>
      %8 = stablehlo.subtract %5, %3 : tensor<5x3xf32>
      %9 = stablehlo.multiply %8, %8 : tensor<5x3xf32>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
      %11 = stablehlo.multiply %10, %8 : tensor<5x3xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x3xf32>, tensor<f32>) -> tensor<f32>
      %cst_2 = stablehlo.constant dense<1.500000e+01> : tensor<f32>
      %13 = stablehlo.divide %12, %cst_2 : tensor<f32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %cst_4 = stablehlo.constant dense<1.500000e+01> : tensor<f32>
      %14 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
      %16 = stablehlo.multiply %15, %11 : tensor<5x3xf32>
      %17 = stablehlo.multiply %16, %7 : tensor<5x3xf32>
      %18 = stablehlo.multiply %17, %5 : tensor<5x3xf32>
      %19 = stablehlo.add %17, %18 : tensor<5x3xf32>
      %20 = stablehlo.dot_general %19, %2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x3xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
      %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<3x6xf32>) -> tensor<6x3xf32>
      %22 = "stablehlo.all_reduce"(%13) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %32 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %32 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %23 = stablehlo.divide %22, %cst_5 : tensor<f32>
      %24 = "stablehlo.all_reduce"(%21) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %32 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %32 : tensor<f32>
      }) : (tensor<6x3xf32>) -> tensor<6x3xf32>
      %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
      %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x3xf32>
      %26 = stablehlo.divide %24, %25 : tensor<6x3xf32>
      %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6x3xf32>
      %28 = stablehlo.multiply %27, %26 : tensor<6x3xf32>
      %29 = stablehlo.subtract %1, %28 : tensor<6x3xf32>
      %30 = stablehlo.broadcast_in_dim %23, dims = [] : (tensor<f32>) -> tensor<1xf32>
      %31 = stablehlo.broadcast_in_dim %29, dims = [1, 2] : (tensor<6x3xf32>) -> tensor<1x6x3xf32>
      sdy.return %30, %31 : tensor<1xf32>, tensor<1x6x3xf32>
    } : (tensor<4x6x3xf32>, tensor<4x5x6xf32>, tensor<4x5x3xf32>) -> (tensor<4xf32>, tensor<4x6x3xf32>)
    return %0#0, %0#1 : tensor<4xf32>, tensor<4x6x3xf32>
  }
}
