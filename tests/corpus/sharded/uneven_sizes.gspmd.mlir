module @jit_apply attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<10x6xf32> {mhlo.sharding = "{replicated}"}, %arg1: tensor<6x7xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<6xf32> {jax.result_info = "result[0]", mhlo.sharding = "{replicated}"}, tensor<10xf32> {jax.result_info = "result[1]", mhlo.sharding = "{replicated}"}, tensor<6x6xf32> {jax.result_info = "result[2]", mhlo.sharding = "{replicated}"}, tensor<10x6xf32> {jax.result_info = "result[3]", mhlo.sharding = "{replicated}"}, tensor<20x6xf32> {jax.result_info = "result[4]", mhlo.sharding = "{replicated}"}, tensor<6xi32> {jax.result_info = "result[5]", mhlo.sharding = "{replicated}"}, tensor<10x7xf32> {jax.result_info = "result[6]", mhlo.sharding = "{replicated}"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<10x6xf32>) -> tensor<10x6xf32>
    %1 = stablehlo.custom_call @Sharding(%arg1) {backend_config = "", mhlo.sharding = "{devices=[1,4]<=[4]}"} : (tensor<6x7xf32>) -> tensor<6x7xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<10x6xf32>, tensor<6x7xf32>) -> tensor<10x7xf32>
    %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "", mhlo.sharding = "{devices=[1,4]<=[4]}"} : (tensor<10x7xf32>) -> tensor<10x7xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<10x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %6 = stablehlo.divide %4, %5 : tensor<6xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<10x7xf32>
    %8 = stablehlo.subtract %3, %7 : tensor<10x7xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_2) applies stablehlo.maximum across dimensions = [1] : (tensor<10x7xf32>, tensor<f32>) -> tensor<10xf32>
    %10 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<10x6xf32>) -> tensor<6x10xf32>
    %11 = stablehlo.custom_call @Sharding(%10) {backend_config = "", mhlo.sharding = "{devices=[1,4]<=[4]}"} : (tensor<6x10xf32>) -> tensor<6x10xf32>
    %12 = stablehlo.dot_general %11, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x10xf32>, tensor<10x6xf32>) -> tensor<6x6xf32>
    %13 = call @sort(%0) : (tensor<10x6xf32>) -> tensor<10x6xf32>
    %14 = stablehlo.custom_call @Sharding(%13) {backend_config = "", mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<10x6xf32>) -> tensor<10x6xf32>
    %15 = stablehlo.reverse %0, dims = [0] : tensor<10x6xf32>
    %16 = stablehlo.concatenate %0, %15, dim = 0 : (tensor<10x6xf32>, tensor<10x6xf32>) -> tensor<20x6xf32>
    %17 = call @argmin(%0) : (tensor<10x6xf32>) -> tensor<6xi32>
    %18 = stablehlo.custom_call @Sharding(%3) {backend_config = "", mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<10x7xf32>) -> tensor<10x7xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.maximum across dimensions = [0] : (tensor<10x7xf32>, tensor<f32>) -> tensor<7xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %21 = stablehlo.maximum %20, %19 : tensor<7xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [1] : (tensor<7xf32>) -> tensor<1x7xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<1x7xf32>) -> tensor<10x7xf32>
    %24 = stablehlo.subtract %18, %23 : tensor<10x7xf32>
    %25 = stablehlo.exponential %24 : tensor<10x7xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<10x7xf32>, tensor<f32>) -> tensor<7xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [1] : (tensor<7xf32>) -> tensor<1x7xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<1x7xf32>) -> tensor<10x7xf32>
    %29 = stablehlo.divide %25, %28 : tensor<10x7xf32>
    return %6, %9, %12, %14, %16, %17, %29 : tensor<6xf32>, tensor<10xf32>, tensor<6x6xf32>, tensor<10x6xf32>, tensor<20x6xf32>, tensor<6xi32>, tensor<10x7xf32>
  }
  func.func private @sort(%arg0: tensor<10x6xf32>) -> tensor<10x6xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<10x6xf32>) -> tensor<10x6xf32>
    return %0 : tensor<10x6xf32>
  }
  func.func private @argmin(%arg0: tensor<10x6xf32>) -> tensor<6xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<10x6xi32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<10x6xf32>, tensor<10x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<6xi32>
  }
}
