module @jit_forward attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=8]> {stablehlo.mesh = {axes = [{name = "x", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<24xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<16x4xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<16x4xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<16x4xf32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<16x4xf32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<24xi32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<16x4xf32> {jax.result_info = "result[5]", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = call @cumsum(%arg0) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %1 = call @cummax(%arg0) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %2 = call @cumprod(%arg0) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %3 = call @cumlogsumexp(%arg0) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    %4 = stablehlo.reverse %arg1, dims = [0] : tensor<24xi32>
    %5 = call @cumsum_1(%4) : (tensor<24xi32>) -> tensor<24xi32>
    %6 = stablehlo.slice %arg0 [0:15:2, 0:4] : (tensor<16x4xf32>) -> tensor<8x4xf32>
    %7 = stablehlo.slice %arg0 [1:16:2, 0:4] : (tensor<16x4xf32>) -> tensor<8x4xf32>
    %8 = stablehlo.add %6, %7 : tensor<8x4xf32>
    %9 = stablehlo.slice %8 [0:7:2, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %10 = stablehlo.slice %8 [1:8:2, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %11 = stablehlo.add %9, %10 : tensor<4x4xf32>
    %12 = stablehlo.slice %11 [0:3:2, 0:4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %13 = stablehlo.slice %11 [1:4:2, 0:4] : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %14 = stablehlo.add %12, %13 : tensor<2x4xf32>
    %15 = stablehlo.slice %14 [0:1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %16 = stablehlo.slice %14 [1:2:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %17 = stablehlo.add %15, %16 : tensor<1x4xf32>
    %18 = stablehlo.slice %17 [0:0, 0:4] : (tensor<1x4xf32>) -> tensor<0x4xf32>
    %19 = stablehlo.slice %14 [2:2:2, 0:4] : (tensor<2x4xf32>) -> tensor<0x4xf32>
    %20 = stablehlo.add %18, %19 : tensor<0x4xf32>
    %21 = stablehlo.slice %14 [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %22 = stablehlo.concatenate %21, %20, dim = 0 : (tensor<1x4xf32>, tensor<0x4xf32>) -> tensor<1x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.pad %22, %cst, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.pad %17, %cst_0, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %25 = stablehlo.add %23, %24 : tensor<2x4xf32>
    %26 = stablehlo.slice %25 [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
    %27 = stablehlo.slice %11 [2:4:2, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %28 = stablehlo.add %26, %27 : tensor<1x4xf32>
    %29 = stablehlo.slice %11 [0:1, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %30 = stablehlo.concatenate %29, %28, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.pad %30, %cst_1, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.pad %25, %cst_2, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %33 = stablehlo.add %31, %32 : tensor<4x4xf32>
    %34 = stablehlo.slice %33 [0:3, 0:4] : (tensor<4x4xf32>) -> tensor<3x4xf32>
    %35 = stablehlo.slice %8 [2:8:2, 0:4] : (tensor<8x4xf32>) -> tensor<3x4xf32>
    %36 = stablehlo.add %34, %35 : tensor<3x4xf32>
    %37 = stablehlo.slice %8 [0:1, 0:4] : (tensor<8x4xf32>) -> tensor<1x4xf32>
    %38 = stablehlo.concatenate %37, %36, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.pad %38, %cst_3, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.pad %33, %cst_4, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %41 = stablehlo.add %39, %40 : tensor<8x4xf32>
    %42 = stablehlo.slice %41 [0:7, 0:4] : (tensor<8x4xf32>) -> tensor<7x4xf32>
    %43 = stablehlo.slice %arg0 [2:16:2, 0:4] : (tensor<16x4xf32>) -> tensor<7x4xf32>
    %44 = stablehlo.add %42, %43 : tensor<7x4xf32>
    %45 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<16x4xf32>) -> tensor<1x4xf32>
    %46 = stablehlo.concatenate %45, %44, dim = 0 : (tensor<1x4xf32>, tensor<7x4xf32>) -> tensor<8x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.pad %46, %cst_5, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.pad %41, %cst_6, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    %49 = stablehlo.add %47, %48 : tensor<16x4xf32>
    return %0, %1, %2, %3, %5, %49 : tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<24xi32>, tensor<16x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<16x4xf32>) -> tensor<16x4xf32>
    return %0 : tensor<16x4xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[15, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 16, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    return %1 : tensor<16x4xf32>
  }
  func.func private @cummax(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[15, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 16, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    return %1 : tensor<16x4xf32>
  }
  func.func private @cumprod(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 15], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 16, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    return %0 : tensor<16x4xf32>
  }
  func.func private @cumlogsumexp(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %5 = stablehlo.abs %2 : tensor<f32>
      %6 = stablehlo.negate %5 : tensor<f32>
      %7 = stablehlo.exponential %6 : tensor<f32>
      %8 = stablehlo.log_plus_one %7 : tensor<f32>
      %9 = stablehlo.add %1, %8 : tensor<f32>
      %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    return %0 : tensor<16x4xf32>
  }
  func.func private @cumsum_1(%arg0: tensor<24xi32>) -> tensor<24xi32> {
    %0 = call @cumsum_2(%arg0) : (tensor<24xi32>) -> tensor<24xi32>
    return %0 : tensor<24xi32>
  }
  func.func private @cumsum_2(%arg0: tensor<24xi32>) -> tensor<24xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[23, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 24>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<24xi32>, tensor<i32>) -> tensor<24xi32>
    return %1 : tensor<24xi32>
  }
}
