module @jit_step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<8x16xf32> {jax.result_info = "result[1][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, tensor<16x8xf32> {jax.result_info = "result[1][1]", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) {
    %0 = stablehlo.convert %arg0 : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %1 = stablehlo.convert %arg1 : (tensor<16x8xf32>) -> tensor<16x8xbf16>
    %2 = stablehlo.convert %arg2 : (tensor<8x8xf32>) -> tensor<8x8xbf16>
    %3 = stablehlo.dot_general %2, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %4 = call @relu(%3) : (tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<8x16xbf16>
    %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xi1>
    %7 = stablehlo.dot_general %4, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xbf16>, tensor<16x8xbf16>) -> tensor<8x8xbf16>
    %8 = stablehlo.convert %7 : (tensor<8x8xbf16>) -> tensor<8x8xf32>
    %9 = stablehlo.multiply %8, %8 : tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %11 = stablehlo.multiply %10, %8 : tensor<8x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %13 = stablehlo.divide %12, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %14 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %16 = stablehlo.multiply %15, %11 : tensor<8x8xf32>
    %17 = stablehlo.convert %16 : (tensor<8x8xf32>) -> tensor<8x8xbf16>
    %18 = stablehlo.dot_general %17, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
    %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<8x16xbf16>) -> tensor<16x8xbf16>
    %20 = stablehlo.dot_general %17, %1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8xbf16>, tensor<16x8xbf16>) -> tensor<8x16xbf16>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<8x16xbf16>
    %22 = stablehlo.select %6, %20, %21 : tensor<8x16xi1>, tensor<8x16xbf16>
    %23 = stablehlo.dot_general %22, %2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xbf16>, tensor<8x8xbf16>) -> tensor<16x8xbf16>
    %24 = stablehlo.transpose %23, dims = [1, 0] : (tensor<16x8xbf16>) -> tensor<8x16xbf16>
    %25 = stablehlo.convert %19 : (tensor<16x8xbf16>) -> tensor<16x8xf32>
    %26 = stablehlo.convert %24 : (tensor<8x16xbf16>) -> tensor<8x16xf32>
    return %13, %26, %25 : tensor<f32>, tensor<8x16xf32>, tensor<16x8xf32>
  }
  func.func private @relu(%arg0: tensor<8x16xbf16>) -> tensor<8x16xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<8x16xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x16xbf16>
    return %1 : tensor<8x16xbf16>
  }
}
