module @jit_local attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["expert"=4]> {stablehlo.mesh = {axes = [{name = "expert", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x6xf32>, %arg1: tensor<6x4xf32>, %arg2: tensor<4x6x6xf32>) -> (tensor<16x6xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"expert"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"expert"}, {}, {}]>] out_shardings=[<@mesh, [{"expert"}, {}]>] manual_axes={"expert"} (%arg3: tensor<4x6xf32>, %arg4: tensor<6x4xf32>, %arg5: tensor<1x6x6xf32>) {
      %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
      %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
      %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %4 = stablehlo.maximum %3, %2 : tensor<4xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
      %7 = stablehlo.subtract %1, %6 : tensor<4x4xf32>
      %8 = stablehlo.exponential %7 : tensor<4x4xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
      %12 = stablehlo.divide %8, %11 : tensor<4x4xf32>
      %13 = func.call @argmax(%12) : (tensor<4x4xf32>) -> tensor<4xi32>
      %14 = func.call @_one_hot(%13) : (tensor<4xi32>) -> tensor<4x4xf32>
      %15 = func.call @cumsum(%14) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %17 = stablehlo.subtract %15, %16 : tensor<4x4xf32>
      %18 = stablehlo.multiply %17, %14 : tensor<4x4xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
      %20 = stablehlo.convert %19 : (tensor<4xf32>) -> tensor<4xi32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x4x6xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %22 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %23 = stablehlo.compare LT, %13, %22, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %c_5 = stablehlo.constant dense<4> : tensor<i32>
      %24 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %25 = stablehlo.add %13, %24 : tensor<4xi32>
      %26 = stablehlo.select %23, %25, %13 : tensor<4xi1>, tensor<4xi32>
      %c_6 = stablehlo.constant dense<0> : tensor<i32>
      %27 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %28 = stablehlo.compare LT, %20, %27, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %c_7 = stablehlo.constant dense<4> : tensor<i32>
      %29 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %30 = stablehlo.add %20, %29 : tensor<4xi32>
      %31 = stablehlo.select %28, %30, %20 : tensor<4xi1>, tensor<4xi32>
      %32 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
      %33 = stablehlo.broadcast_in_dim %31, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
      %34 = stablehlo.concatenate %32, %33, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
      %35 = "stablehlo.scatter"(%21, %34, %arg3) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        stablehlo.return %arg7 : tensor<f32>
      }) : (tensor<4x4x6xf32>, tensor<4x2xi32>, tensor<4x6xf32>) -> tensor<4x4x6xf32>
      %36 = "stablehlo.all_to_all"(%35) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x4x6xf32>) -> tensor<4x4x6xf32>
      %37 = stablehlo.reshape %36 : (tensor<4x4x6xf32>) -> tensor<1x4x4x6xf32>
      %38 = stablehlo.dot_general %37, %arg5, batching_dims = [0] x [0], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x4x6xf32>, tensor<1x6x6xf32>) -> tensor<1x4x4x6xf32>
      %39 = func.call @relu(%38) : (tensor<1x4x4x6xf32>) -> tensor<1x4x4x6xf32>
      %40 = stablehlo.reshape %39 : (tensor<1x4x4x6xf32>) -> tensor<4x4x6xf32>
      %41 = "stablehlo.all_to_all"(%40) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x4x6xf32>) -> tensor<4x4x6xf32>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %42 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %43 = stablehlo.compare LT, %13, %42, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %c_9 = stablehlo.constant dense<4> : tensor<i32>
      %44 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %45 = stablehlo.add %13, %44 : tensor<4xi32>
      %46 = stablehlo.select %43, %45, %13 : tensor<4xi1>, tensor<4xi32>
      %c_10 = stablehlo.constant dense<0> : tensor<i32>
      %47 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %48 = stablehlo.compare LT, %20, %47, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %c_11 = stablehlo.constant dense<4> : tensor<i32>
      %49 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %50 = stablehlo.add %20, %49 : tensor<4xi32>
      %51 = stablehlo.select %48, %50, %20 : tensor<4xi1>, tensor<4xi32>
      %52 = stablehlo.broadcast_in_dim %46, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
      %53 = stablehlo.broadcast_in_dim %51, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
      %54 = stablehlo.concatenate %52, %53, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
      %55 = "stablehlo.gather"(%41, %54) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 6>}> : (tensor<4x4x6xf32>, tensor<4x2xi32>) -> tensor<4x6xf32>
      %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %56 = stablehlo.reduce(%12 init: %cst_12) applies stablehlo.maximum across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
      %57 = stablehlo.broadcast_in_dim %56, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
      %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
      %59 = stablehlo.multiply %55, %58 : tensor<4x6xf32>
      sdy.return %59 : tensor<4x6xf32>
    } : (tensor<16x6xf32>, tensor<6x4xf32>, tensor<4x6x6xf32>) -> tensor<16x6xf32>
    return %0 : tensor<16x6xf32>
  }
  func.func private @argmax(%arg0: tensor<4x4xf32>) -> tensor<4xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<4x4xf32>, tensor<4x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
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
    return %1#1 : tensor<4xi32>
  }
  func.func private @_one_hot(%arg0: tensor<4xi32>) -> tensor<4x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x4xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x4xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x4xi32>) -> tensor<4x4xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %5 = stablehlo.convert %4 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    return %5 : tensor<4x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
  func.func private @relu(%arg0: tensor<1x4x4x6xf32>) -> tensor<1x4x4x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x4x6xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x4x4x6xf32>
    return %1 : tensor<1x4x4x6xf32>
  }
}
