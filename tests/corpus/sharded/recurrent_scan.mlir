module @jit_loss attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<5x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<6x6xf32> {jax.result_info = "result[1][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4x6xf32> {jax.result_info = "result[1][1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x4x6xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<5x4x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<5x4x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<5x4x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6:10 = stablehlo.while(%iterArg = %arg2, %iterArg_16 = %arg0, %iterArg_17 = %arg1, %iterArg_18 = %c, %iterArg_19 = %0, %iterArg_20 = %1, %iterArg_21 = %2, %iterArg_22 = %3, %iterArg_23 = %4, %iterArg_24 = %5) : tensor<5x4x4xf32>, tensor<6x6xf32>, tensor<4x6xf32>, tensor<i32>, tensor<4x6xf32>, tensor<5xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>
    cond {
      %c_25 = stablehlo.constant dense<5> : tensor<i32>
      %19 = stablehlo.compare LT, %iterArg_18, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %19 : tensor<i1>
    } do {
      %19 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_18) : (tensor<5x4x4xf32>, tensor<i32>) -> tensor<4x4xf32>
      %20:6 = func.call @closed_call(%iterArg_16, %iterArg_17, %iterArg_19, %19) : (tensor<6x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x4xf32>) -> (tensor<4x6xf32>, tensor<f32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>)
      %21 = func.call @dynamic_update_index_in_dim(%iterArg_20, %20#1, %iterArg_18) : (tensor<5xf32>, tensor<f32>, tensor<i32>) -> tensor<5xf32>
      %22 = func.call @dynamic_update_index_in_dim_0(%iterArg_21, %20#2, %iterArg_18) : (tensor<5x4x6xf32>, tensor<4x6xf32>, tensor<i32>) -> tensor<5x4x6xf32>
      %23 = func.call @dynamic_update_index_in_dim_0(%iterArg_22, %20#3, %iterArg_18) : (tensor<5x4x6xf32>, tensor<4x6xf32>, tensor<i32>) -> tensor<5x4x6xf32>
      %24 = func.call @dynamic_update_index_in_dim_0(%iterArg_23, %20#4, %iterArg_18) : (tensor<5x4x6xf32>, tensor<4x6xf32>, tensor<i32>) -> tensor<5x4x6xf32>
      %25 = func.call @dynamic_update_index_in_dim_0(%iterArg_24, %20#5, %iterArg_18) : (tensor<5x4x6xf32>, tensor<4x6xf32>, tensor<i32>) -> tensor<5x4x6xf32>
      %c_25 = stablehlo.constant dense<1> : tensor<i32>
      %26 = stablehlo.add %iterArg_18, %c_25 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %iterArg_17, %26, %20#0, %21, %22, %23, %24, %25 : tensor<5x4x4xf32>, tensor<6x6xf32>, tensor<4x6xf32>, tensor<i32>, tensor<4x6xf32>, tensor<5xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>
    }
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6#5 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %8 = stablehlo.divide %7, %cst_6 : tensor<f32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6#4 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %10 = stablehlo.divide %9, %cst_8 : tensor<f32>
    %11 = stablehlo.add %8, %10 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_10 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %12 = stablehlo.divide %cst_9, %cst_10 : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_12 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %14 = stablehlo.divide %cst_11, %cst_12 : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %18:11 = stablehlo.while(%iterArg = %15, %iterArg_16 = %6#6, %iterArg_17 = %arg2, %iterArg_18 = %6#7, %iterArg_19 = %6#8, %iterArg_20 = %6#9, %iterArg_21 = %arg0, %iterArg_22 = %c_15, %iterArg_23 = %16, %iterArg_24 = %17, %iterArg_25 = %13) : tensor<5xf32>, tensor<5x4x6xf32>, tensor<5x4x4xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>, tensor<6x6xf32>, tensor<i32>, tensor<6x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
    cond {
      %c_26 = stablehlo.constant dense<5> : tensor<i32>
      %19 = stablehlo.compare LT, %iterArg_22, %c_26, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %19 : tensor<i1>
    } do {
      %c_26 = stablehlo.constant dense<5> : tensor<i32>
      %19 = stablehlo.subtract %c_26, %iterArg_22 : tensor<i32>
      %c_27 = stablehlo.constant dense<1> : tensor<i32>
      %20 = stablehlo.subtract %19, %c_27 : tensor<i32>
      %21 = func.call @dynamic_index_in_dim_1(%iterArg, %20) : (tensor<5xf32>, tensor<i32>) -> tensor<f32>
      %22 = func.call @dynamic_index_in_dim_2(%iterArg_16, %20) : (tensor<5x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %23 = func.call @dynamic_index_in_dim(%iterArg_17, %20) : (tensor<5x4x4xf32>, tensor<i32>) -> tensor<4x4xf32>
      %24 = func.call @dynamic_index_in_dim_2(%iterArg_18, %20) : (tensor<5x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %25 = func.call @dynamic_index_in_dim_2(%iterArg_19, %20) : (tensor<5x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %26 = func.call @dynamic_index_in_dim_2(%iterArg_20, %20) : (tensor<5x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %27:3 = func.call @closed_call_3(%iterArg_21, %iterArg_23, %iterArg_24, %iterArg_25, %21, %22, %23, %24, %25, %26) : (tensor<6x6xf32>, tensor<6x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<4x6xf32>, tensor<4x4xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<6x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>)
      %c_28 = stablehlo.constant dense<1> : tensor<i32>
      %28 = stablehlo.add %iterArg_22, %c_28 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %28, %27#0, %27#1, %27#2 : tensor<5xf32>, tensor<5x4x6xf32>, tensor<5x4x4xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>, tensor<5x4x6xf32>, tensor<6x6xf32>, tensor<i32>, tensor<6x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
    }
    return %11, %18#8, %18#9 : tensor<f32>, tensor<6x6xf32>, tensor<4x6xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4x4xf32>, %arg1: tensor<i32>) -> tensor<4x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 4] : (tensor<5x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
  func.func private @closed_call(%arg0: tensor<6x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x6xf32>, %arg3: tensor<4x4xf32>) -> (tensor<4x6xf32>, tensor<f32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x6xf32>
    %3 = stablehlo.tanh %2 : tensor<4x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %5 = stablehlo.subtract %4, %3 : tensor<4x6xf32>
    %6 = stablehlo.multiply %3, %3 : tensor<4x6xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %8 = stablehlo.multiply %7, %3 : tensor<4x6xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    return %3, %9, %arg2, %3, %5, %8 : tensor<4x6xf32>, tensor<f32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
    return %1 : tensor<5xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<5x4x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<i32>) -> tensor<5x4x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<5x4x6xf32>, tensor<1x4x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x4x6xf32>
    return %1 : tensor<5x4x6xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<5xf32>, %arg1: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<5x4x6xf32>, %arg1: tensor<i32>) -> tensor<4x6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 6] : (tensor<5x4x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x6xf32>) -> tensor<4x6xf32>
    return %1 : tensor<4x6xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<6x6xf32>, %arg1: tensor<6x6xf32>, %arg2: tensor<4x6xf32>, %arg3: tensor<4x6xf32>, %arg4: tensor<f32>, %arg5: tensor<4x6xf32>, %arg6: tensor<4x4xf32>, %arg7: tensor<4x6xf32>, %arg8: tensor<4x6xf32>, %arg9: tensor<4x6xf32>) -> (tensor<6x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %1 = stablehlo.multiply %0, %arg9 : tensor<4x6xf32>
    %2 = stablehlo.add %arg3, %1 : tensor<4x6xf32>
    %3 = stablehlo.multiply %2, %arg8 : tensor<4x6xf32>
    %4 = stablehlo.multiply %3, %arg7 : tensor<4x6xf32>
    %5 = stablehlo.add %3, %4 : tensor<4x6xf32>
    %6 = stablehlo.dot_general %5, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<4x4xf32>) -> tensor<6x4xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %8 = stablehlo.add %arg2, %7 : tensor<4x6xf32>
    %9 = stablehlo.dot_general %5, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<6x6xf32>
    %10 = stablehlo.transpose %9, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
    %11 = stablehlo.add %arg1, %10 : tensor<6x6xf32>
    %12 = stablehlo.dot_general %5, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
    return %11, %8, %12 : tensor<6x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
  }
}
