module @jit__lambda attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["vocabulary"=2]> {stablehlo.mesh = {axes = [{name = "vocabulary", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<6x8xf32>, %arg1: tensor<20x8xf32>, %arg2: tensor<6xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<6x8xf32> {jax.result_info = "result[1][0]"}, tensor<20x8xf32> {jax.result_info = "result[1][1]"}) {
    %0:7 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"vocabulary"}, {}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"vocabulary"}, {}]>, <@mesh, [{"vocabulary"}, {}]>, <@mesh, [{"vocabulary"}, {}]>, <@mesh, [{"vocabulary"}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{"vocabulary"}]>, <@mesh, [{}]>] manual_axes={"vocabulary"} (%arg3: tensor<6x8xf32>, %arg4: tensor<10x8xf32>, %arg5: tensor<6xi32>) {
      %6 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
      %7 = stablehlo.dot_general %arg3, %6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x8xf32>, tensor<8x10xf32>) -> tensor<6x10xf32>
      %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %8 = stablehlo.reduce(%7 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<6x10xf32>, tensor<f32>) -> tensor<6xf32>
      %9 = "stablehlo.all_reduce"(%8) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %37 = stablehlo.maximum %arg6, %arg7 : tensor<f32>
        stablehlo.return %37 : tensor<f32>
      }) : (tensor<6xf32>) -> tensor<6xf32>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x10xf32>
      %12 = stablehlo.subtract %7, %11 : tensor<6x10xf32>
      %13 = stablehlo.exponential %12 : tensor<6x10xf32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %14 = stablehlo.reduce(%13 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<6x10xf32>, tensor<f32>) -> tensor<6xf32>
      %15 = "stablehlo.all_reduce"(%14) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %37 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %37 : tensor<f32>
      }) : (tensor<6xf32>) -> tensor<6xf32>
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_5 = stablehlo.constant dense<2> : tensor<ui32>
      %16 = stablehlo.partition_id : tensor<ui32>
      %17 = stablehlo.divide %16, %c : tensor<ui32>
      %18 = stablehlo.remainder %17, %c_5 : tensor<ui32>
      %19 = stablehlo.convert %18 : (tensor<ui32>) -> tensor<i32>
      %c_6 = stablehlo.constant dense<10> : tensor<i32>
      %20 = stablehlo.multiply %19, %c_6 : tensor<i32>
      %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<i32>) -> tensor<6xi32>
      %22 = stablehlo.subtract %arg5, %21 : tensor<6xi32>
      %c_7 = stablehlo.constant dense<0> : tensor<i32>
      %23 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<6xi32>
      %24 = stablehlo.compare GE, %22, %23, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
      %c_8 = stablehlo.constant dense<10> : tensor<i32>
      %25 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<6xi32>
      %26 = stablehlo.compare LT, %22, %25, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
      %27 = stablehlo.and %24, %26 : tensor<6xi1>
      %c_9 = stablehlo.constant dense<0> : tensor<i32>
      %28 = func.call @_where(%27, %22, %c_9) : (tensor<6xi1>, tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
      %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
      %30:2 = func.call @take_along_axis(%7, %29) : (tensor<6x10xf32>, tensor<6x1xi32>) -> (tensor<6x1xf32>, tensor<6x1x1xi32>)
      %31 = stablehlo.reshape %30#0 : (tensor<6x1xf32>) -> tensor<6xf32>
      %32 = stablehlo.log %15 : tensor<6xf32>
      %33 = stablehlo.add %32, %9 : tensor<6xf32>
      %c_10 = stablehlo.constant dense<0> : tensor<i32>
      %34 = func.call @_where_0(%27, %31, %c_10) : (tensor<6xi1>, tensor<6xf32>, tensor<i32>) -> tensor<6xf32>
      %35 = "stablehlo.all_reduce"(%34) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %37 = stablehlo.add %arg6, %arg7 : tensor<f32>
        stablehlo.return %37 : tensor<f32>
      }) : (tensor<6xf32>) -> tensor<6xf32>
      %36 = stablehlo.subtract %33, %35 : tensor<6xf32>
      sdy.return %6, %arg3, %13, %30#1, %15, %27, %36 : tensor<8x10xf32>, tensor<6x8xf32>, tensor<6x10xf32>, tensor<6x1x1xi32>, tensor<6xf32>, tensor<6xi1>, tensor<6xf32>
    } : (tensor<6x8xf32>, tensor<20x8xf32>, tensor<6xi32>) -> (tensor<16x10xf32>, tensor<12x8xf32>, tensor<12x10xf32>, tensor<12x1x1xi32>, tensor<6xf32>, tensor<12xi1>, tensor<6xf32>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0#6 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.divide %1, %cst_0 : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %3 = stablehlo.divide %cst_1, %cst_2 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %5:2 = sdy.manual_computation(%4, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5) in_shardings=[<@mesh, [{}]>, <@mesh, [{"vocabulary"}, {}]>, <@mesh, [{"vocabulary"}, {}]>, <@mesh, [{"vocabulary"}, {}]>, <@mesh, [{"vocabulary"}, {}, {}]>, <@mesh, [{}]>, <@mesh, [{"vocabulary"}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"vocabulary"}, {}]>] manual_axes={"vocabulary"} (%arg3: tensor<6xf32>, %arg4: tensor<8x10xf32>, %arg5: tensor<6x8xf32>, %arg6: tensor<6x10xf32>, %arg7: tensor<6x1x1xi32>, %arg8: tensor<6xf32>, %arg9: tensor<6xi1>) {
      %6 = stablehlo.negate %arg3 : tensor<6xf32>
      %7 = func.call @_where_1(%arg9, %6) : (tensor<6xi1>, tensor<6xf32>) -> tensor<6xf32>
      %8 = stablehlo.divide %arg3, %arg8 : tensor<6xf32>
      %9 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
      %10 = func.call @take_along_axis_2(%arg7, %9) : (tensor<6x1x1xi32>, tensor<6x1xf32>) -> tensor<6x10xf32>
      %11 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<6xf32>) -> tensor<6x10xf32>
      %12 = stablehlo.multiply %11, %arg6 : tensor<6x10xf32>
      %13 = stablehlo.add %10, %12 : tensor<6x10xf32>
      %14 = stablehlo.dot_general %13, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<6x10xf32>, tensor<6x8xf32>) -> tensor<10x8xf32>
      %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
      %16 = stablehlo.dot_general %13, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<6x10xf32>, tensor<8x10xf32>) -> tensor<6x8xf32>
      %17 = "stablehlo.all_reduce"(%16) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %19 = stablehlo.add %arg10, %arg11 : tensor<f32>
        stablehlo.return %19 : tensor<f32>
      }) : (tensor<6x8xf32>) -> tensor<6x8xf32>
      %18 = stablehlo.transpose %15, dims = [1, 0] : (tensor<8x10xf32>) -> tensor<10x8xf32>
      sdy.return %17, %18 : tensor<6x8xf32>, tensor<10x8xf32>
    } : (tensor<6xf32>, tensor<16x10xf32>, tensor<12x8xf32>, tensor<12x10xf32>, tensor<12x1x1xi32>, tensor<6xf32>, tensor<12xi1>) -> (tensor<6x8xf32>, tensor<20x8xf32>)
    return %2, %5#0, %5#1 : tensor<f32>, tensor<6x8xf32>, tensor<20x8xf32>
  }
  func.func private @_where(%arg0: tensor<6xi1>, %arg1: tensor<6xi32>, %arg2: tensor<i32>) -> tensor<6xi32> {
    %0 = stablehlo.convert %arg2 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<6xi1>, tensor<6xi32>
    return %2 : tensor<6xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<6x10xf32>, %arg1: tensor<6x1xi32>) -> (tensor<6x1xf32>, tensor<6x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
    %c_0 = stablehlo.constant dense<10> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<6x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<6x1xi1>, tensor<6x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<6x1xi32>) -> tensor<6x1x1xi32>
    %c_1 = stablehlo.constant dense<9> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<6x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<6x1x1xi32>, tensor<6x1x1xi32>) -> tensor<6x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<6x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<6x1x1xi32>, tensor<6x1x1xi32>) -> tensor<6x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<6x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<6x1x1xi1>, tensor<i1>) -> tensor<6x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<6x10xf32>, tensor<6x1x1xi32>) -> tensor<6x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<6x1xi1>, tensor<6x1xf32>
    return %15, %5 : tensor<6x1xf32>, tensor<6x1x1xi32>
  }
  func.func private @_where_0(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>, %arg2: tensor<i32>) -> tensor<6xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<6xi1>, tensor<6xf32>
    return %2 : tensor<6xf32>
  }
  func.func private @_where_1(%arg0: tensor<6xi1>, %arg1: tensor<6xf32>) -> tensor<6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<6xi1>, tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @take_along_axis_2(%arg0: tensor<6x1x1xi32>, %arg1: tensor<6x1xf32>) -> tensor<6x10xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x10xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<6x10xf32>, tensor<6x1x1xi32>, tensor<6x1xf32>) -> tensor<6x10xf32>
    return %1 : tensor<6x10xf32>
  }
}
