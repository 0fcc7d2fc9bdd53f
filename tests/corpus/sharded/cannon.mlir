module @jit_local attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["row"=2, "column"=2]> {stablehlo.mesh = {axes = [{name = "row", size = 2 : i64}, {name = "column", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<6x8xf32>, %arg1: tensor<8x4xf32>) -> (tensor<6x4xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"row"}, {"column"}]>, <@mesh, [{"row"}, {"column"}]>] out_shardings=[<@mesh, [{"row"}, {"column"}]>] manual_axes={"row", "column"} (%arg2: tensor<3x4xf32>, %arg3: tensor<4x2xf32>) {
      %1 = "stablehlo.collective_permute"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 0], [1, 1], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
      %2 = "stablehlo.collective_permute"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 0], [2, 2], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
      %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
      %4 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
      %5 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<4x2xf32>) -> tensor<4x2xf32>
      %6 = stablehlo.dot_general %4, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
      %7 = stablehlo.add %3, %6 : tensor<3x2xf32>
      sdy.return %7 : tensor<3x2xf32>
    } : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
    return %0 : tensor<6x4xf32>
  }
}
