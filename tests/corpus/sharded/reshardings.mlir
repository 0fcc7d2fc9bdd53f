module @jit_apply attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}, {name = "z", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", "y", "x"}, {}]>}) -> (tensor<8x8xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "z", "y"}]>}) {
    %0 = stablehlo.sine %arg0 : tensor<8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
    %4 = stablehlo.sine %3 : tensor<8x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %6 = stablehlo.add %4, %5 : tensor<8x8xf32>
    %7 = sdy.sharding_constraint %6 <@mesh, [{"y"}, {"x"}]> : tensor<8x8xf32>
    %8 = stablehlo.sine %7 : tensor<8x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %10 = stablehlo.add %8, %9 : tensor<8x8xf32>
    %11 = sdy.sharding_constraint %10 <@mesh, [{"x", "y"}, {}]> : tensor<8x8xf32>
    %12 = stablehlo.sine %11 : tensor<8x8xf32>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %14 = stablehlo.add %12, %13 : tensor<8x8xf32>
    %15 = sdy.sharding_constraint %14 <@mesh, [{"y", "x"}, {"z"}]> : tensor<8x8xf32>
    %16 = stablehlo.sine %15 : tensor<8x8xf32>
    %cst_3 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %18 = stablehlo.add %16, %17 : tensor<8x8xf32>
    %19 = sdy.sharding_constraint %18 <@mesh, [{}, {"z", "x"}]> : tensor<8x8xf32>
    %20 = stablehlo.sine %19 : tensor<8x8xf32>
    %cst_4 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %22 = stablehlo.add %20, %21 : tensor<8x8xf32>
    %23 = sdy.sharding_constraint %22 <@mesh, [{"z"}, {}]> : tensor<8x8xf32>
    return %23 : tensor<8x8xf32>
  }
}
