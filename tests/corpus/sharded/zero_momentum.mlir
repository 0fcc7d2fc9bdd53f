module @jit_step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg2: tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg3: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg4: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg5: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %arg6: tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg7: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %arg8: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg9: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<8x12xf32> {jax.result_info = "result[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<12xf32> {jax.result_info = "result[0][1]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<12x4xf32> {jax.result_info = "result[0][2]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4xf32> {jax.result_info = "result[0][3]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8x12xf32> {jax.result_info = "result[1][0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<12xf32> {jax.result_info = "result[1][1]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, tensor<12x4xf32> {jax.result_info = "result[1][2]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<4xf32> {jax.result_info = "result[1][3]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) {
    %0 = stablehlo.dot_general %arg8, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf32>, tensor<8x12xf32>) -> tensor<8x12xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<12xf32>) -> tensor<1x12xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x12xf32>) -> tensor<8x12xf32>
    %3 = stablehlo.add %0, %2 : tensor<8x12xf32>
    %4 = stablehlo.multiply %3, %3 : tensor<8x12xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<8x12xf32>
    %6 = stablehlo.multiply %3, %3 : tensor<8x12xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<8x12xf32>
    %cst_0 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %10 = stablehlo.multiply %9, %5 : tensor<8x12xf32>
    %11 = stablehlo.add %3, %10 : tensor<8x12xf32>
    %cst_1 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %13 = stablehlo.multiply %12, %11 : tensor<8x12xf32>
    %14 = stablehlo.tanh %13 : tensor<8x12xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<8x12xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %18 = stablehlo.add %17, %14 : tensor<8x12xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<8x12xf32>
    %21 = stablehlo.multiply %3, %20 : tensor<8x12xf32>
    %22 = stablehlo.dot_general %21, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xf32>, tensor<12x4xf32>) -> tensor<8x4xf32>
    %23 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<8x4xf32>
    %25 = stablehlo.add %22, %24 : tensor<8x4xf32>
    %26 = stablehlo.subtract %25, %arg9 : tensor<8x4xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<8x4xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %29 = stablehlo.divide %cst_6, %cst_7 : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %31 = stablehlo.multiply %30, %28 : tensor<8x4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<4xf32>
    %33 = stablehlo.reshape %32 : (tensor<4xf32>) -> tensor<1x4xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<4xf32>
    %35 = stablehlo.dot_general %31, %21, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<8x12xf32>) -> tensor<4x12xf32>
    %36 = stablehlo.transpose %35, dims = [1, 0] : (tensor<4x12xf32>) -> tensor<12x4xf32>
    %37 = stablehlo.dot_general %31, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf32>, tensor<12x4xf32>) -> tensor<8x12xf32>
    %38 = stablehlo.multiply %3, %37 : tensor<8x12xf32>
    %39 = stablehlo.multiply %37, %20 : tensor<8x12xf32>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %41 = stablehlo.multiply %40, %38 : tensor<8x12xf32>
    %42 = stablehlo.multiply %41, %16 : tensor<8x12xf32>
    %43 = stablehlo.multiply %42, %14 : tensor<8x12xf32>
    %44 = stablehlo.add %42, %43 : tensor<8x12xf32>
    %cst_11 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<8x12xf32>
    %47 = stablehlo.add %39, %46 : tensor<8x12xf32>
    %cst_12 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %49 = stablehlo.multiply %48, %46 : tensor<8x12xf32>
    %50 = stablehlo.multiply %49, %8 : tensor<8x12xf32>
    %51 = stablehlo.add %47, %50 : tensor<8x12xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%51 init: %cst_13) applies stablehlo.add across dimensions = [0] : (tensor<8x12xf32>, tensor<f32>) -> tensor<12xf32>
    %53 = stablehlo.reshape %52 : (tensor<12xf32>) -> tensor<1x12xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<1x12xf32>, tensor<f32>) -> tensor<12xf32>
    %55 = stablehlo.dot_general %51, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xf32>, tensor<8x8xf32>) -> tensor<12x8xf32>
    %56 = stablehlo.transpose %55, dims = [1, 0] : (tensor<12x8xf32>) -> tensor<8x12xf32>
    %cst_15 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %58 = stablehlo.multiply %57, %arg4 : tensor<8x12xf32>
    %59 = stablehlo.add %58, %56 : tensor<8x12xf32>
    %cst_16 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %61 = stablehlo.multiply %60, %arg5 : tensor<12xf32>
    %62 = stablehlo.add %61, %54 : tensor<12xf32>
    %cst_17 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<12x4xf32>
    %64 = stablehlo.multiply %63, %arg6 : tensor<12x4xf32>
    %65 = stablehlo.add %64, %36 : tensor<12x4xf32>
    %cst_18 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %67 = stablehlo.multiply %66, %arg7 : tensor<4xf32>
    %68 = stablehlo.add %67, %34 : tensor<4xf32>
    %cst_19 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %70 = stablehlo.multiply %69, %59 : tensor<8x12xf32>
    %71 = stablehlo.subtract %arg0, %70 : tensor<8x12xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %73 = stablehlo.multiply %72, %62 : tensor<12xf32>
    %74 = stablehlo.subtract %arg1, %73 : tensor<12xf32>
    %cst_21 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<12x4xf32>
    %76 = stablehlo.multiply %75, %65 : tensor<12x4xf32>
    %77 = stablehlo.subtract %arg2, %76 : tensor<12x4xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %79 = stablehlo.multiply %78, %68 : tensor<4xf32>
    %80 = stablehlo.subtract %arg3, %79 : tensor<4xf32>
    return %71, %74, %77, %80, %59, %62, %65, %68 : tensor<8x12xf32>, tensor<12xf32>, tensor<12x4xf32>, tensor<4xf32>, tensor<8x12xf32>, tensor<12xf32>, tensor<12x4xf32>, tensor<4xf32>
  }
}
