module @jit_forward attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "sequence"=2, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "sequence", size = 2 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg1: tensor<4x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}, {}]>}, %arg2: tensor<8x3x4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"model"}, {}]>}, %arg3: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %arg4: tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"sequence"}, {}]>}) -> (tensor<4x6x8xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"sequence"}, {}]>}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg4 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x6x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %5 = stablehlo.subtract %arg4, %4 : tensor<4x6x8xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %7 = stablehlo.subtract %arg4, %6 : tensor<4x6x8xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<4x6x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x6x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %14 = stablehlo.add %12, %13 : tensor<4x6x1xf32>
    %15 = stablehlo.rsqrt %14 : tensor<4x6x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %17 = stablehlo.multiply %5, %16 : tensor<4x6x8xf32>
    %18 = stablehlo.dot_general %arg2, %17, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x3x4x2xf32>, tensor<4x6x8xf32>) -> tensor<3x4x2x4x6xf32>
    %19 = stablehlo.transpose %18, dims = [0, 3, 4, 1, 2] : (tensor<3x4x2x4x6xf32>) -> tensor<3x4x6x4x2xf32>
    %20 = stablehlo.slice %19 [0:1, 0:4, 0:6, 0:4, 0:2] : (tensor<3x4x6x4x2xf32>) -> tensor<1x4x6x4x2xf32>
    %21 = stablehlo.reshape %20 : (tensor<1x4x6x4x2xf32>) -> tensor<4x6x4x2xf32>
    %22 = stablehlo.slice %19 [1:2, 0:4, 0:6, 0:4, 0:2] : (tensor<3x4x6x4x2xf32>) -> tensor<1x4x6x4x2xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x4x6x4x2xf32>) -> tensor<4x6x4x2xf32>
    %24 = stablehlo.slice %19 [2:3, 0:4, 0:6, 0:4, 0:2] : (tensor<3x4x6x4x2xf32>) -> tensor<1x4x6x4x2xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x4x6x4x2xf32>) -> tensor<4x6x4x2xf32>
    %26 = stablehlo.dot_general %21, %23, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x2xf32>, tensor<4x6x4x2xf32>) -> tensor<4x4x6x6xf32>
    %cst_4 = stablehlo.constant dense<1.41421354> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %28 = stablehlo.divide %26, %27 : tensor<4x4x6x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %29 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %30 = call @tril(%29) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %cst_5 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %31 = call @_where(%30, %28, %cst_5) : (tensor<6x6xi1>, tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6x6xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_6) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
    %34 = stablehlo.maximum %33, %32 : tensor<4x4x6xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<4x4x6xf32>) -> tensor<4x4x6x1xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %37 = stablehlo.subtract %31, %36 : tensor<4x4x6x6xf32>
    %38 = stablehlo.exponential %37 : tensor<4x4x6x6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<4x4x6x6xf32>, tensor<f32>) -> tensor<4x4x6xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<4x4x6xf32>) -> tensor<4x4x6x1xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<4x4x6x1xf32>) -> tensor<4x4x6x6xf32>
    %42 = stablehlo.divide %38, %41 : tensor<4x4x6x6xf32>
    %43 = stablehlo.dot_general %25, %42, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x2xf32>, tensor<4x4x6x6xf32>) -> tensor<4x4x2x6xf32>
    %44 = stablehlo.transpose %43, dims = [0, 3, 1, 2] : (tensor<4x4x2x6xf32>) -> tensor<4x6x4x2xf32>
    %45 = stablehlo.dot_general %44, %arg1, contracting_dims = [3, 2] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x4x2xf32>, tensor<4x2x8xf32>) -> tensor<4x6x8xf32>
    %46 = stablehlo.add %arg4, %45 : tensor<4x6x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_10 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %50 = stablehlo.divide %48, %49 : tensor<4x6x1xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %52 = stablehlo.subtract %46, %51 : tensor<4x6x8xf32>
    %53 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %54 = stablehlo.subtract %46, %53 : tensor<4x6x8xf32>
    %55 = stablehlo.multiply %54, %54 : tensor<4x6x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<4x6x8xf32>, tensor<f32>) -> tensor<4x6xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<4x6xf32>) -> tensor<4x6x1xf32>
    %cst_12 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %59 = stablehlo.divide %57, %58 : tensor<4x6x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x6x1xf32>
    %61 = stablehlo.add %59, %60 : tensor<4x6x1xf32>
    %62 = stablehlo.rsqrt %61 : tensor<4x6x1xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1, 2] : (tensor<4x6x1xf32>) -> tensor<4x6x8xf32>
    %64 = stablehlo.multiply %52, %63 : tensor<4x6x8xf32>
    %65 = stablehlo.dot_general %64, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x8xf32>, tensor<8x16xf32>) -> tensor<4x6x16xf32>
    %66 = stablehlo.multiply %65, %65 : tensor<4x6x16xf32>
    %67 = stablehlo.multiply %66, %65 : tensor<4x6x16xf32>
    %cst_14 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %69 = stablehlo.multiply %68, %67 : tensor<4x6x16xf32>
    %70 = stablehlo.add %65, %69 : tensor<4x6x16xf32>
    %cst_15 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<4x6x16xf32>
    %73 = stablehlo.tanh %72 : tensor<4x6x16xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %75 = stablehlo.add %74, %73 : tensor<4x6x16xf32>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x6x16xf32>
    %77 = stablehlo.multiply %76, %75 : tensor<4x6x16xf32>
    %78 = stablehlo.multiply %65, %77 : tensor<4x6x16xf32>
    %79 = stablehlo.dot_general %78, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x16xf32>, tensor<16x8xf32>) -> tensor<4x6x8xf32>
    %80 = stablehlo.add %46, %79 : tensor<4x6x8xf32>
    return %80 : tensor<4x6x8xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xi1>
    return %6 : tensor<6x6xi1>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<4x4x6x6xf32>, %arg2: tensor<f32>) -> tensor<4x4x6x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<6x6xi1>) -> tensor<4x4x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x4x6x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x4x6x6xi1>, tensor<4x4x6x6xf32>
    return %3 : tensor<4x4x6x6xf32>
  }
}
