module @jit_local attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=8]> {stablehlo.mesh = {axes = [{name = "x", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<16x12xf32>) -> (tensor<16x12xf32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<i32> {jax.result_info = "result[2]"}) {
    %0:3 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, []>, <@mesh, []>] manual_axes={"x"} (%arg1: tensor<2x12xf32>) {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1:3 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %cst, %iterArg_1 = %c) : tensor<2x12xf32>, tensor<f32>, tensor<i32>
      cond {
        %cst_2 = stablehlo.constant dense<0.00999999977> : tensor<f32>
        %2 = stablehlo.compare GT, %iterArg_0, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %c_3 = stablehlo.constant dense<25> : tensor<i32>
        %3 = stablehlo.compare LT, %iterArg_1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %c_4 = stablehlo.constant dense<false> : tensor<i1>
        %4 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i1>) -> tensor<i1>
        %5 = stablehlo.compare NE, %3, %4, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
        %6 = stablehlo.convert %5 : tensor<i1>
        %7 = stablehlo.and %2, %6 : tensor<i1>
        stablehlo.return %7 : tensor<i1>
      } do {
        %2 = stablehlo.slice %iterArg [1:2, 0:12] : (tensor<2x12xf32>) -> tensor<1x12xf32>
        %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7]]> : tensor<7x2xi64>}> : (tensor<1x12xf32>) -> tensor<1x12xf32>
        %4 = stablehlo.slice %iterArg [0:1, 0:12] : (tensor<2x12xf32>) -> tensor<1x12xf32>
        %5 = "stablehlo.collective_permute"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [2, 1], [3, 2], [4, 3], [5, 4], [6, 5], [7, 6]]> : tensor<7x2xi64>}> : (tensor<1x12xf32>) -> tensor<1x12xf32>
        %6 = stablehlo.concatenate %3, %iterArg, %5, dim = 0 : (tensor<1x12xf32>, tensor<2x12xf32>, tensor<1x12xf32>) -> tensor<4x12xf32>
        %c_2 = stablehlo.constant dense<0> : tensor<i32>
        %7 = func.call @_pad(%6, %c_2) : (tensor<4x12xf32>, tensor<i32>) -> tensor<4x14xf32>
        %8 = stablehlo.slice %7 [0:2, 1:13] : (tensor<4x14xf32>) -> tensor<2x12xf32>
        %9 = stablehlo.slice %7 [2:4, 1:13] : (tensor<4x14xf32>) -> tensor<2x12xf32>
        %10 = stablehlo.add %8, %9 : tensor<2x12xf32>
        %11 = stablehlo.slice %7 [1:3, 0:12] : (tensor<4x14xf32>) -> tensor<2x12xf32>
        %12 = stablehlo.add %10, %11 : tensor<2x12xf32>
        %13 = stablehlo.slice %7 [1:3, 2:14] : (tensor<4x14xf32>) -> tensor<2x12xf32>
        %14 = stablehlo.add %12, %13 : tensor<2x12xf32>
        %cst_3 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
        %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x12xf32>
        %16 = stablehlo.divide %14, %15 : tensor<2x12xf32>
        %17 = stablehlo.subtract %16, %iterArg : tensor<2x12xf32>
        %18 = stablehlo.abs %17 : tensor<2x12xf32>
        %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
        %19 = stablehlo.reduce(%18 init: %cst_4) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x12xf32>, tensor<f32>) -> tensor<f32>
        %20 = "stablehlo.all_reduce"(%19) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
        ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
          %22 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
          stablehlo.return %22 : tensor<f32>
        }) : (tensor<f32>) -> tensor<f32>
        %c_5 = stablehlo.constant dense<1> : tensor<i32>
        %21 = stablehlo.add %iterArg_1, %c_5 : tensor<i32>
        stablehlo.return %16, %20, %21 : tensor<2x12xf32>, tensor<f32>, tensor<i32>
      }
      sdy.return %1#0, %1#1, %1#2 : tensor<2x12xf32>, tensor<f32>, tensor<i32>
    } : (tensor<16x12xf32>) -> (tensor<16x12xf32>, tensor<f32>, tensor<i32>)
    return %0#0, %0#1, %0#2 : tensor<16x12xf32>, tensor<f32>, tensor<i32>
  }
  func.func private @_pad(%arg0: tensor<4x12xf32>, %arg1: tensor<i32>) -> tensor<4x14xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<4x12xf32>, tensor<f32>) -> tensor<4x14xf32>
    return %1 : tensor<4x14xf32>
  }
}
