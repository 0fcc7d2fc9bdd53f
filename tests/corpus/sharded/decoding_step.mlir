module @jit_step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["model"=4]> {stablehlo.mesh = {axes = [{name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<2x2x8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"model"}, {}]>, tf.aliasing_output = 1 : i32}, %arg1: tensor<2x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, %arg2: tensor<2x2x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, %arg3: tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) -> (tensor<2x4x4xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}, {}]>}, tensor<2x2x8x4x4xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"model"}, {}]>}) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<2x2x4x4xf32>) -> tensor<2x2x1x4x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<8> : tensor<i32>
    %2 = stablehlo.add %arg3, %c_0 : tensor<i32>
    %3 = stablehlo.select %1, %2, %arg3 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.dynamic_update_slice %arg0, %0, %c_1, %c_2, %3, %c_3, %c_4 : (tensor<2x2x8x4x4xf32>, tensor<2x2x1x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x2x8x4x4xf32>
    %5 = stablehlo.slice %4 [0:1, 0:2, 0:8, 0:4, 0:4] : (tensor<2x2x8x4x4xf32>) -> tensor<1x2x8x4x4xf32>
    %6 = stablehlo.reshape %5 : (tensor<1x2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
    %7 = stablehlo.slice %4 [1:2, 0:2, 0:8, 0:4, 0:4] : (tensor<2x2x8x4x4xf32>) -> tensor<1x2x8x4x4xf32>
    %8 = stablehlo.reshape %7 : (tensor<1x2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
    %9 = stablehlo.dot_general %arg1, %6, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf32>, tensor<2x8x4x4xf32>) -> tensor<2x4x8xf32>
    %10 = stablehlo.iota dim = 0 : tensor<8xi32>
    %11 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %12 = stablehlo.compare LE, %10, %11, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %13 = call @_where(%12, %9, %cst) : (tensor<8xi1>, tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_5) applies stablehlo.maximum across dimensions = [2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %16 = stablehlo.maximum %15, %14 : tensor<2x4xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
    %19 = stablehlo.subtract %13, %18 : tensor<2x4x8xf32>
    %20 = stablehlo.exponential %19 : tensor<2x4x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
    %24 = stablehlo.divide %20, %23 : tensor<2x4x8xf32>
    %25 = stablehlo.dot_general %24, %8, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xf32>, tensor<2x8x4x4xf32>) -> tensor<2x4x4xf32>
    return %25, %4 : tensor<2x4x4xf32>, tensor<2x2x8x4x4xf32>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<2x4x8xf32>, %arg2: tensor<f32>) -> tensor<2x4x8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2] : (tensor<8xi1>) -> tensor<2x4x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x4x8xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x8xi1>, tensor<2x4x8xf32>
    return %3 : tensor<2x4x8xf32>
  }
}
