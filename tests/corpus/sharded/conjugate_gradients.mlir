module @jit_solve attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<16xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %cst = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %3 = stablehlo.divide %1, %2 : tensor<16x16xf32>
    %4 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %5 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %7 = stablehlo.add %4, %6 : tensor<16x16xi32>
    %8 = stablehlo.compare EQ, %7, %5, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %9 = stablehlo.convert %8 : (tensor<16x16xi1>) -> tensor<16x16xf32>
    %10 = stablehlo.add %3, %9 : tensor<16x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %12 = stablehlo.dot_general %arg1, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %13:6 = stablehlo.while(%iterArg = %10, %iterArg_2 = %11, %iterArg_3 = %arg1, %iterArg_4 = %arg1, %iterArg_5 = %12, %iterArg_6 = %c_1) : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<i32>
    cond {
      %cst_7 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
      %14 = stablehlo.compare GT, %iterArg_5, %cst_7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_8 = stablehlo.constant dense<40> : tensor<i32>
      %15 = stablehlo.compare LT, %iterArg_6, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_9 = stablehlo.constant dense<false> : tensor<i1>
      %16 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i1>) -> tensor<i1>
      %17 = stablehlo.compare NE, %15, %16, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %18 = stablehlo.convert %17 : tensor<i1>
      %19 = stablehlo.and %14, %18 : tensor<i1>
      stablehlo.return %19 : tensor<i1>
    } do {
      %14 = stablehlo.dot_general %iterArg, %iterArg_4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %15 = stablehlo.dot_general %iterArg_4, %14, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      %16 = stablehlo.divide %iterArg_5, %15 : tensor<f32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %18 = stablehlo.multiply %17, %iterArg_4 : tensor<16xf32>
      %19 = stablehlo.add %iterArg_2, %18 : tensor<16xf32>
      %20 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %21 = stablehlo.multiply %20, %14 : tensor<16xf32>
      %22 = stablehlo.subtract %iterArg_3, %21 : tensor<16xf32>
      %23 = stablehlo.dot_general %22, %22, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      %24 = stablehlo.divide %23, %iterArg_5 : tensor<f32>
      %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f32>) -> tensor<16xf32>
      %26 = stablehlo.multiply %25, %iterArg_4 : tensor<16xf32>
      %27 = stablehlo.add %22, %26 : tensor<16xf32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %28 = stablehlo.add %iterArg_6, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %19, %22, %27, %23, %28 : tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<i32>
    }
    return %13#1 : tensor<16xf32>
  }
}
