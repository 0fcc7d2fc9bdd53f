module @jit_forward attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<32xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, tensor<2x4x2x2xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}, tensor<4x8xf32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<8x2xf32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<12x6xf32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<8x4xf32> {jax.result_info = "result[5]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<16x4xf32> {jax.result_info = "result[6]", sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}, tensor<8x8xf32> {jax.result_info = "result[7]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<4x2xf32> {jax.result_info = "result[8]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<16x4xf32> {jax.result_info = "result[9]", sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
    %0 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<32xf32>
    %1 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<2x4x2x2xf32>
    %2 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.slice %arg0 [0:8, 0:4:2] : (tensor<8x4xf32>) -> tensor<8x2xf32>
    %4 = stablehlo.reverse %3, dims = [0] : tensor<8x2xf32>
    %c = stablehlo.constant dense<7> : tensor<i32>
    %5 = call @_pad(%arg0, %c) : (tensor<8x4xf32>, tensor<i32>) -> tensor<12x6xf32>
    %6 = call @_roll_static(%arg0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %7 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<1x8x1x4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x8x1x4xf32>) -> tensor<2x8x1x4xf32>
    %9 = stablehlo.reshape %8 : (tensor<2x8x1x4xf32>) -> tensor<16x4xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %11 = stablehlo.add %arg0, %10 : tensor<8x4xf32>
    %12 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<8x4xf32>) -> tensor<8x1x4xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 2] : (tensor<8x4xf32>) -> tensor<8x1x4xf32>
    %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<8x1x4xf32>, tensor<8x1x4xf32>) -> tensor<8x2x4xf32>
    %15 = stablehlo.reshape %14 : (tensor<8x2x4xf32>) -> tensor<8x8xf32>
    %16 = stablehlo.slice %arg0 [2:6, 1:3] : (tensor<8x4xf32>) -> tensor<4x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.pad %arg0, %cst_0, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    return %0, %1, %2, %4, %5, %6, %9, %15, %16, %17 : tensor<32xf32>, tensor<2x4x2x2xf32>, tensor<4x8xf32>, tensor<8x2xf32>, tensor<12x6xf32>, tensor<8x4xf32>, tensor<16x4xf32>, tensor<8x8xf32>, tensor<4x2xf32>, tensor<16x4xf32>
  }
  func.func private @_pad(%arg0: tensor<8x4xf32>, %arg1: tensor<i32>) -> tensor<12x6xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0], high = [3, 2], interior = [0, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<12x6xf32>
    return %1 : tensor<12x6xf32>
  }
  func.func private @_roll_static(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.slice %arg0 [5:8, 0:4] : (tensor<8x4xf32>) -> tensor<3x4xf32>
    %1 = stablehlo.slice %arg0 [0:5, 0:4] : (tensor<8x4xf32>) -> tensor<5x4xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}
