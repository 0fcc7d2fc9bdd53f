module @jit_forward attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %arg2: tensor<16x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<16x2xf32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<16x6xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<16x6xf32> {jax.result_info = "result[2]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<16x6xf32> {jax.result_info = "result[3]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<6xf32> {jax.result_info = "result[4]", sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<4x6xf32> {jax.result_info = "result[5]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<6x3xf32> {jax.result_info = "result[6]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16xi32> {jax.result_info = "result[7]", sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}) {
    %0 = call @take_along_axis(%arg0, %arg2) : (tensor<16x6xf32>, tensor<16x2xi32>) -> tensor<16x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %4 = stablehlo.add %arg1, %3 : tensor<16xi32>
    %5 = stablehlo.select %2, %4, %arg1 : tensor<16xi1>, tensor<16xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<16x6xf32>, tensor<16x1xi32>) -> tensor<16x6xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %9 = stablehlo.compare LT, %arg1, %8, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_2 = stablehlo.constant dense<16> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %11 = stablehlo.add %arg1, %10 : tensor<16xi32>
    %12 = stablehlo.select %9, %11, %arg1 : tensor<16xi1>, tensor<16xi32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x6xf32>
    %15 = "stablehlo.scatter"(%arg0, %13, %14) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %59 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %59 : tensor<f32>
    }) : (tensor<16x6xf32>, tensor<16x1xi32>, tensor<16x6xf32>) -> tensor<16x6xf32>
    %16 = stablehlo.slice %arg1 [0:4] : (tensor<16xi32>) -> tensor<4xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %18 = stablehlo.compare LT, %16, %17, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_4 = stablehlo.constant dense<16> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %20 = stablehlo.add %16, %19 : tensor<4xi32>
    %21 = stablehlo.select %18, %20, %16 : tensor<4xi1>, tensor<4xi32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %24 = stablehlo.concatenate %22, %23, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %26 = "stablehlo.scatter"(%arg0, %24, %25) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<16x6xf32>, tensor<4x2xi32>, tensor<4x3xf32>) -> tensor<16x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %28 = stablehlo.slice %arg2 [0:16, 0:1] : (tensor<16x2xi32>) -> tensor<16x1xi32>
    %29 = stablehlo.reshape %28 : (tensor<16x1xi32>) -> tensor<16xi32>
    %30 = stablehlo.slice %arg0 [0:16, 0:1] : (tensor<16x6xf32>) -> tensor<16x1xf32>
    %31 = stablehlo.reshape %30 : (tensor<16x1xf32>) -> tensor<16xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %32 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %33 = stablehlo.compare LT, %29, %32, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_9 = stablehlo.constant dense<6> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %35 = stablehlo.add %29, %34 : tensor<16xi32>
    %36 = stablehlo.select %33, %35, %29 : tensor<16xi1>, tensor<16xi32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %38 = "stablehlo.scatter"(%27, %37, %31) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %59 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %59 : tensor<f32>
    }) : (tensor<6xf32>, tensor<16x1xi32>, tensor<16xf32>) -> tensor<6xf32>
    %c_10 = stablehlo.constant dense<4> : tensor<i32>
    %39 = call @remainder(%arg1, %c_10) : (tensor<16xi32>, tensor<i32>) -> tensor<16xi32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %41 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %42 = "stablehlo.scatter"(%40, %41, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %59 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %59 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<16x1xi32>, tensor<16x6xf32>) -> tensor<4x6xf32>
    %43 = stablehlo.slice %arg1 [0:1] : (tensor<16xi32>) -> tensor<1xi32>
    %44 = stablehlo.reshape %43 : (tensor<1xi32>) -> tensor<i32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %45 = stablehlo.compare LT, %44, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_13 = stablehlo.constant dense<16> : tensor<i32>
    %46 = stablehlo.add %44, %c_13 : tensor<i32>
    %47 = stablehlo.select %45, %46, %44 : tensor<i1>, tensor<i32>
    %c_14 = stablehlo.constant dense<1> : tensor<i32>
    %48 = stablehlo.dynamic_slice %arg0, %47, %c_14, sizes = [6, 3] : (tensor<16x6xf32>, tensor<i32>, tensor<i32>) -> tensor<6x3xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %50 = call @clip(%arg1, %c_16) : (tensor<16xi32>, tensor<i32>) -> tensor<16xi32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %52 = stablehlo.compare LT, %50, %51, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_18 = stablehlo.constant dense<16> : tensor<i32>
    %53 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %54 = stablehlo.add %50, %53 : tensor<16xi32>
    %55 = stablehlo.select %52, %54, %50 : tensor<16xi1>, tensor<16xi32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %c_19 = stablehlo.constant dense<1> : tensor<i32>
    %57 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %58 = "stablehlo.scatter"(%49, %56, %57) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      %59 = stablehlo.add %arg3, %arg4 : tensor<i32>
      stablehlo.return %59 : tensor<i32>
    }) : (tensor<16xi32>, tensor<16x1xi32>, tensor<16xi32>) -> tensor<16xi32>
    return %0, %7, %15, %26, %38, %42, %48, %58 : tensor<16x2xf32>, tensor<16x6xf32>, tensor<16x6xf32>, tensor<16x6xf32>, tensor<6xf32>, tensor<4x6xf32>, tensor<6x3xf32>, tensor<16xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<16x6xf32>, %arg1: tensor<16x2xi32>) -> tensor<16x2xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x2xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<16x2xi32>, tensor<16x2xi32>) -> tensor<16x2xi1>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x2xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<16x2xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<16x2xi1>, tensor<16x2xi32>
    %5 = stablehlo.reshape %4 : (tensor<16x2xi32>) -> tensor<16x2x1xi32>
    %c_1 = stablehlo.constant dense<5> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16x2x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<16x2x1xi32>, tensor<16x2x1xi32>) -> tensor<16x2x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<16x2x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<16x2x1xi32>, tensor<16x2x1xi32>) -> tensor<16x2x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<16x2x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<16x2x1xi1>, tensor<i1>) -> tensor<16x2xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<16x6xf32>, tensor<16x2x1xi32>) -> tensor<16x2xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x2xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<16x2xi1>, tensor<16x2xf32>
    return %15 : tensor<16x2xf32>
  }
  func.func private @remainder(%arg0: tensor<16xi32>, %arg1: tensor<i32>) -> tensor<16xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<16xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<16xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<16xi1>, tensor<16xi1>) -> tensor<16xi1>
    %12 = stablehlo.and %11, %6 : tensor<16xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %14 = stablehlo.add %4, %13 : tensor<16xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<16xi1>, tensor<16xi32>
    return %15 : tensor<16xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @clip(%arg0: tensor<16xi32>, %arg1: tensor<i32>) -> tensor<16xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<16xi32>
    return %2 : tensor<16xi32>
  }
}
