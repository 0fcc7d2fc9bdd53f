module @jit_step attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<24x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %arg1: tensor<4x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg2: tensor<4x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]", sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<24x8xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x5xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x5xi32>, tensor<4x5xi32>) -> tensor<4x5xi1>
    %c_0 = stablehlo.constant dense<24> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x5xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x5xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x5xi1>, tensor<4x5xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x5xi32>) -> tensor<4x5x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<24x8xf32>, tensor<4x5x1xi32>) -> tensor<4x5x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x5x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<4x5x8xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %14 = stablehlo.subtract %6, %13 : tensor<4x5x8xf32>
    %15 = stablehlo.multiply %14, %14 : tensor<4x5x8xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x5x8xf32>
    %17 = stablehlo.multiply %16, %14 : tensor<4x5x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %21 = stablehlo.divide %19, %20 : tensor<4x5x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %23 = stablehlo.add %21, %22 : tensor<4x5x1xf32>
    %24 = stablehlo.rsqrt %23 : tensor<4x5x1xf32>
    %25 = stablehlo.divide %24, %23 : tensor<4x5x1xf32>
    %cst_6 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<4x5x1xf32>
    %28 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %29 = stablehlo.multiply %12, %28 : tensor<4x5x8xf32>
    %30 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
    %31 = stablehlo.dot_general %29, %30, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x5x8xf32>, tensor<8x24xf32>) -> tensor<4x5x24xf32>
    %32 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<4x5xi32>) -> tensor<4x5x1xi32>
    %33:2 = call @take_along_axis(%31, %32) : (tensor<4x5x24xf32>, tensor<4x5x1xi32>) -> (tensor<4x5x1xf32>, tensor<4x5x1x1xi32>)
    %34 = stablehlo.reshape %33#0 : (tensor<4x5x1xf32>) -> tensor<4x5xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %35 = stablehlo.reduce(%31 init: %cst_7) applies stablehlo.maximum across dimensions = [2] : (tensor<4x5x24xf32>, tensor<f32>) -> tensor<4x5xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %37 = stablehlo.maximum %36, %35 : tensor<4x5xf32>
    %38 = stablehlo.is_finite %37 : (tensor<4x5xf32>) -> tensor<4x5xi1>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %40 = stablehlo.select %38, %37, %39 : tensor<4x5xi1>, tensor<4x5xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x24xf32>
    %43 = stablehlo.subtract %31, %42 : tensor<4x5x24xf32>
    %44 = stablehlo.exponential %43 : tensor<4x5x24xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<4x5x24xf32>, tensor<f32>) -> tensor<4x5xf32>
    %46 = stablehlo.abs %45 : tensor<4x5xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %48 = stablehlo.compare GE, %45, %47, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    %49 = stablehlo.log %46 : tensor<4x5xf32>
    %50 = stablehlo.add %49, %40 : tensor<4x5xf32>
    %51 = stablehlo.subtract %50, %34 : tensor<4x5xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.reduce(%51 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %53 = stablehlo.divide %52, %cst_13 : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_15 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %54 = stablehlo.divide %cst_14, %cst_15 : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %56 = stablehlo.negate %55 : tensor<4x5xf32>
    %57 = stablehlo.divide %55, %46 : tensor<4x5xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %59 = stablehlo.select %48, %58, %57 : tensor<4x5xi1>, tensor<4x5xf32>
    %60 = stablehlo.select %48, %57, %58 : tensor<4x5xi1>, tensor<4x5xf32>
    %61 = stablehlo.negate %59 : tensor<4x5xf32>
    %62 = stablehlo.add %60, %61 : tensor<4x5xf32>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x24xf32>
    %64 = stablehlo.multiply %63, %44 : tensor<4x5x24xf32>
    %65 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %66 = call @take_along_axis_0(%33#1, %65) : (tensor<4x5x1x1xi32>, tensor<4x5x1xf32>) -> tensor<4x5x24xf32>
    %67 = stablehlo.add %64, %66 : tensor<4x5x24xf32>
    %68 = stablehlo.dot_general %67, %29, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x24xf32>, tensor<4x5x8xf32>) -> tensor<24x8xf32>
    %69 = stablehlo.transpose %68, dims = [1, 0] : (tensor<24x8xf32>) -> tensor<8x24xf32>
    %70 = stablehlo.dot_general %67, %30, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x5x24xf32>, tensor<8x24xf32>) -> tensor<4x5x8xf32>
    %71 = stablehlo.transpose %69, dims = [1, 0] : (tensor<8x24xf32>) -> tensor<24x8xf32>
    %72 = stablehlo.multiply %12, %70 : tensor<4x5x8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.reduce(%72 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %74 = stablehlo.reshape %73 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %75 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x8xf32>
    %76 = stablehlo.multiply %70, %75 : tensor<4x5x8xf32>
    %77 = stablehlo.multiply %74, %27 : tensor<4x5x1xf32>
    %cst_18 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %79 = stablehlo.divide %77, %78 : tensor<4x5x1xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x8xf32>
    %82 = stablehlo.multiply %81, %17 : tensor<4x5x8xf32>
    %83 = stablehlo.negate %82 : tensor<4x5x8xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.reduce(%83 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %85 = stablehlo.reshape %84 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %86 = stablehlo.negate %76 : tensor<4x5x8xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.reduce(%86 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
    %88 = stablehlo.reshape %87 : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %89 = stablehlo.add %82, %76 : tensor<4x5x8xf32>
    %90 = stablehlo.add %85, %88 : tensor<4x5x1xf32>
    %cst_22 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %92 = stablehlo.divide %90, %91 : tensor<4x5x1xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.reduce(%92 init: %cst_23) applies stablehlo.add across dimensions = [2] : (tensor<4x5x1xf32>, tensor<f32>) -> tensor<4x5xf32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x8xf32>
    %95 = stablehlo.add %89, %94 : tensor<4x5x8xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %97 = "stablehlo.scatter"(%96, %5, %95) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %102 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %102 : tensor<f32>
    }) : (tensor<24x8xf32>, tensor<4x5x1xi32>, tensor<4x5x8xf32>) -> tensor<24x8xf32>
    %98 = stablehlo.add %71, %97 : tensor<24x8xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<24x8xf32>
    %100 = stablehlo.multiply %99, %98 : tensor<24x8xf32>
    %101 = stablehlo.subtract %arg0, %100 : tensor<24x8xf32>
    return %53, %101 : tensor<f32>, tensor<24x8xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x5x24xf32>, %arg1: tensor<4x5x1xi32>) -> (tensor<4x5x1xf32>, tensor<4x5x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x5x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x5x1xi32>, tensor<4x5x1xi32>) -> tensor<4x5x1xi1>
    %c_0 = stablehlo.constant dense<24> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x5x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x5x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x5x1xi1>, tensor<4x5x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x5x1xi32>) -> tensor<4x5x1x1xi32>
    %c_1 = stablehlo.constant dense<23> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x5x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x5x1x1xi32>, tensor<4x5x1x1xi32>) -> tensor<4x5x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x5x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x5x1x1xi32>, tensor<4x5x1x1xi32>) -> tensor<4x5x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x5x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x5x1x1xi1>, tensor<i1>) -> tensor<4x5x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x5x24xf32>, tensor<4x5x1x1xi32>) -> tensor<4x5x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x5x1xi1>, tensor<4x5x1xf32>
    return %15, %5 : tensor<4x5x1xf32>, tensor<4x5x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<4x5x1x1xi32>, %arg1: tensor<4x5x1xf32>) -> tensor<4x5x24xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5x24xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x5x24xf32>, tensor<4x5x1x1xi32>, tensor<4x5x1xf32>) -> tensor<4x5x24xf32>
    return %1 : tensor<4x5x24xf32>
  }
}
