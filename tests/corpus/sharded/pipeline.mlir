module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["stage"=4]> {stablehlo.mesh = {axes = [{name = "stage", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"stage"}, {}, {}]>}, %arg1: tensor<6x2x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6x6xf32> {jax.result_info = "result[1]"}) {
    %0:9 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"stage"}, {}, {}]>, <@mesh, [{}, {}, {}]>] out_shardings=[<@mesh, [{"stage"}]>, <@mesh, [{"stage"}, {}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}]>, <@mesh, [{}, {}, {}]>] manual_axes={"stage"} (%arg2: tensor<1x6x6xf32>, %arg3: tensor<6x2x6xf32>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_4 = stablehlo.constant dense<4> : tensor<ui32>
      %10 = stablehlo.partition_id : tensor<ui32>
      %11 = stablehlo.divide %10, %c : tensor<ui32>
      %12 = stablehlo.remainder %11, %c_4 : tensor<ui32>
      %13 = stablehlo.convert %12 : (tensor<ui32>) -> tensor<i32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %15 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6x2x6xf32>
      %16 = stablehlo.iota dim = 0 : tensor<9xi32>
      %c_7 = stablehlo.constant dense<0> : tensor<i32>
      %17 = stablehlo.compare EQ, %13, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %c_9 = stablehlo.constant dense<0> : tensor<i32>
      %18 = stablehlo.compare LT, %c_8, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_10 = stablehlo.constant dense<0> : tensor<i32>
      %c_11 = stablehlo.constant dense<2> : tensor<i32>
      %19 = stablehlo.add %c_10, %c_11 : tensor<i32>
      %c_12 = stablehlo.constant dense<0> : tensor<i32>
      %20 = stablehlo.select %18, %19, %c_12 : tensor<i1>, tensor<i32>
      %c_13 = stablehlo.constant dense<0> : tensor<i32>
      %c_14 = stablehlo.constant dense<0> : tensor<i32>
      %21 = stablehlo.compare LT, %c_13, %c_14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_15 = stablehlo.constant dense<0> : tensor<i32>
      %c_16 = stablehlo.constant dense<6> : tensor<i32>
      %22 = stablehlo.add %c_15, %c_16 : tensor<i32>
      %c_17 = stablehlo.constant dense<0> : tensor<i32>
      %23 = stablehlo.select %21, %22, %c_17 : tensor<i1>, tensor<i32>
      %24 = stablehlo.reshape %arg2 : (tensor<1x6x6xf32>) -> tensor<6x6xf32>
      %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %c_19 = stablehlo.constant dense<3> : tensor<i32>
      %25 = stablehlo.compare EQ, %13, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %26 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<9x2x6xf32>
      %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %27 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<9x2x6xf32>
      %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %28 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<9x2x6xf32>
      %c_23 = stablehlo.constant dense<0> : tensor<i32>
      %29 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<9x1xi32>
      %c_24 = stablehlo.constant dense<false> : tensor<i1>
      %30 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<i1>) -> tensor<9xi1>
      %c_25 = stablehlo.constant dense<0> : tensor<i32>
      %31:16 = stablehlo.while(%iterArg = %16, %iterArg_28 = %arg3, %iterArg_29 = %20, %iterArg_30 = %23, %iterArg_31 = %17, %iterArg_32 = %24, %iterArg_33 = %25, %iterArg_34 = %cst_18, %iterArg_35 = %c_25, %iterArg_36 = %14, %iterArg_37 = %15, %iterArg_38 = %26, %iterArg_39 = %27, %iterArg_40 = %28, %iterArg_41 = %29, %iterArg_42 = %30) : tensor<9xi32>, tensor<6x2x6xf32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<6x6xf32>, tensor<i1>, tensor<f32>, tensor<i32>, tensor<2x6xf32>, tensor<6x2x6xf32>, tensor<9x2x6xf32>, tensor<9x2x6xf32>, tensor<9x2x6xf32>, tensor<9x1xi32>, tensor<9xi1>
      cond {
        %c_43 = stablehlo.constant dense<9> : tensor<i32>
        %37 = stablehlo.compare LT, %iterArg_35, %c_43, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %37 : tensor<i1>
      } do {
        %37 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_35) : (tensor<9xi32>, tensor<i32>) -> tensor<i32>
        %38:7 = func.call @closed_call(%iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_36, %iterArg_37, %37) : (tensor<6x2x6xf32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<6x6xf32>, tensor<i1>, tensor<f32>, tensor<2x6xf32>, tensor<6x2x6xf32>, tensor<i32>) -> (tensor<2x6xf32>, tensor<6x2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<1xi32>, tensor<i1>)
        %39 = func.call @dynamic_update_index_in_dim(%iterArg_38, %38#2, %iterArg_35) : (tensor<9x2x6xf32>, tensor<2x6xf32>, tensor<i32>) -> tensor<9x2x6xf32>
        %40 = func.call @dynamic_update_index_in_dim(%iterArg_39, %38#3, %iterArg_35) : (tensor<9x2x6xf32>, tensor<2x6xf32>, tensor<i32>) -> tensor<9x2x6xf32>
        %41 = func.call @dynamic_update_index_in_dim(%iterArg_40, %38#4, %iterArg_35) : (tensor<9x2x6xf32>, tensor<2x6xf32>, tensor<i32>) -> tensor<9x2x6xf32>
        %42 = func.call @dynamic_update_index_in_dim_1(%iterArg_41, %38#5, %iterArg_35) : (tensor<9x1xi32>, tensor<1xi32>, tensor<i32>) -> tensor<9x1xi32>
        %43 = func.call @dynamic_update_index_in_dim_2(%iterArg_42, %38#6, %iterArg_35) : (tensor<9xi1>, tensor<i1>, tensor<i32>) -> tensor<9xi1>
        %c_43 = stablehlo.constant dense<1> : tensor<i32>
        %44 = stablehlo.add %iterArg_35, %c_43 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %44, %38#0, %38#1, %39, %40, %41, %42, %43 : tensor<9xi32>, tensor<6x2x6xf32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<6x6xf32>, tensor<i1>, tensor<f32>, tensor<i32>, tensor<2x6xf32>, tensor<6x2x6xf32>, tensor<9x2x6xf32>, tensor<9x2x6xf32>, tensor<9x2x6xf32>, tensor<9x1xi32>, tensor<9xi1>
      }
      %c_26 = stablehlo.constant dense<3> : tensor<i32>
      %32 = stablehlo.compare EQ, %13, %c_26, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_27 = stablehlo.constant dense<0> : tensor<i32>
      %33 = func.call @_where_3(%32, %31#10, %c_27) : (tensor<i1>, tensor<6x2x6xf32>, tensor<i32>) -> tensor<6x2x6xf32>
      %34 = "stablehlo.all_reduce"(%33) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %37 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %37 : tensor<f32>
      }) : (tensor<6x2x6xf32>) -> tensor<6x2x6xf32>
      %35 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<i1>) -> tensor<1xi1>
      %36 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<i1>) -> tensor<1xi1>
      sdy.return %35, %24, %31#11, %31#12, %31#13, %31#14, %31#15, %36, %34 : tensor<1xi1>, tensor<6x6xf32>, tensor<9x2x6xf32>, tensor<9x2x6xf32>, tensor<9x2x6xf32>, tensor<9x1xi32>, tensor<9xi1>, tensor<1xi1>, tensor<6x2x6xf32>
    } : (tensor<4x6x6xf32>, tensor<6x2x6xf32>) -> (tensor<4xi1>, tensor<24x6xf32>, tensor<36x2x6xf32>, tensor<36x2x6xf32>, tensor<36x2x6xf32>, tensor<36x1xi32>, tensor<36xi1>, tensor<4xi1>, tensor<6x2x6xf32>)
    %1 = stablehlo.multiply %0#8, %0#8 : tensor<6x2x6xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x6xf32>
    %3 = stablehlo.multiply %2, %0#8 : tensor<6x2x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<6x2x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<7.200000e+01> : tensor<f32>
    %5 = stablehlo.divide %4, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<7.200000e+01> : tensor<f32>
    %6 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<6x2x6xf32>
    %8 = stablehlo.multiply %7, %3 : tensor<6x2x6xf32>
    %9 = sdy.manual_computation(%8, %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7) in_shardings=[<@mesh, [{}, {}, {}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}, {}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}, {}]>, <@mesh, [{"stage"}, {}]>, <@mesh, [{"stage"}]>, <@mesh, [{"stage"}]>] out_shardings=[<@mesh, [{"stage"}, {}, {}]>] manual_axes={"stage"} (%arg2: tensor<6x2x6xf32>, %arg3: tensor<1xi1>, %arg4: tensor<6x6xf32>, %arg5: tensor<9x2x6xf32>, %arg6: tensor<9x2x6xf32>, %arg7: tensor<9x2x6xf32>, %arg8: tensor<9x1xi32>, %arg9: tensor<9xi1>, %arg10: tensor<1xi1>) {
      %10 = stablehlo.reshape %arg3 : (tensor<1xi1>) -> tensor<i1>
      %11 = stablehlo.reshape %arg10 : (tensor<1xi1>) -> tensor<i1>
      %12 = func.call @_where_4(%11, %arg2) : (tensor<i1>, tensor<6x2x6xf32>) -> tensor<6x2x6xf32>
      %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %13 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x6x6xf32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %15:11 = stablehlo.while(%iterArg = %arg5, %iterArg_6 = %arg6, %iterArg_7 = %arg7, %iterArg_8 = %arg8, %iterArg_9 = %arg9, %iterArg_10 = %10, %iterArg_11 = %arg4, %iterArg_12 = %c, %iterArg_13 = %14, %iterArg_14 = %13, %iterArg_15 = %12) : tensor<9x2x6xf32>, tensor<9x2x6xf32>, tensor<9x2x6xf32>, tensor<9x1xi32>, tensor<9xi1>, tensor<i1>, tensor<6x6xf32>, tensor<i32>, tensor<1x6x6xf32>, tensor<2x6xf32>, tensor<6x2x6xf32>
      cond {
        %c_16 = stablehlo.constant dense<9> : tensor<i32>
        %16 = stablehlo.compare LT, %iterArg_12, %c_16, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %16 : tensor<i1>
      } do {
        %c_16 = stablehlo.constant dense<9> : tensor<i32>
        %16 = stablehlo.subtract %c_16, %iterArg_12 : tensor<i32>
        %c_17 = stablehlo.constant dense<1> : tensor<i32>
        %17 = stablehlo.subtract %16, %c_17 : tensor<i32>
        %18 = func.call @dynamic_index_in_dim_5(%iterArg, %17) : (tensor<9x2x6xf32>, tensor<i32>) -> tensor<2x6xf32>
        %19 = func.call @dynamic_index_in_dim_5(%iterArg_6, %17) : (tensor<9x2x6xf32>, tensor<i32>) -> tensor<2x6xf32>
        %20 = func.call @dynamic_index_in_dim_5(%iterArg_7, %17) : (tensor<9x2x6xf32>, tensor<i32>) -> tensor<2x6xf32>
        %21 = func.call @dynamic_index_in_dim_6(%iterArg_8, %17) : (tensor<9x1xi32>, tensor<i32>) -> tensor<1xi32>
        %22 = func.call @dynamic_index_in_dim_7(%iterArg_9, %17) : (tensor<9xi1>, tensor<i32>) -> tensor<i1>
        %23:3 = func.call @closed_call_8(%iterArg_10, %iterArg_11, %iterArg_13, %iterArg_14, %iterArg_15, %18, %19, %20, %21, %22) : (tensor<i1>, tensor<6x6xf32>, tensor<1x6x6xf32>, tensor<2x6xf32>, tensor<6x2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<1xi32>, tensor<i1>) -> (tensor<1x6x6xf32>, tensor<2x6xf32>, tensor<6x2x6xf32>)
        %c_18 = stablehlo.constant dense<1> : tensor<i32>
        %24 = stablehlo.add %iterArg_12, %c_18 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11, %24, %23#0, %23#1, %23#2 : tensor<9x2x6xf32>, tensor<9x2x6xf32>, tensor<9x2x6xf32>, tensor<9x1xi32>, tensor<9xi1>, tensor<i1>, tensor<6x6xf32>, tensor<i32>, tensor<1x6x6xf32>, tensor<2x6xf32>, tensor<6x2x6xf32>
      }
      sdy.return %15#8 : tensor<1x6x6xf32>
    } : (tensor<6x2x6xf32>, tensor<4xi1>, tensor<24x6xf32>, tensor<36x2x6xf32>, tensor<36x2x6xf32>, tensor<36x2x6xf32>, tensor<36x1xi32>, tensor<36xi1>, tensor<4xi1>) -> tensor<4x6x6xf32>
    return %5, %9 : tensor<f32>, tensor<4x6x6xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<9xi32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<9xi32>, tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<6x2x6xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i1>, %arg4: tensor<6x6xf32>, %arg5: tensor<i1>, %arg6: tensor<f32>, %arg7: tensor<2x6xf32>, %arg8: tensor<6x2x6xf32>, %arg9: tensor<i32>) -> (tensor<2x6xf32>, tensor<6x2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<1xi32>, tensor<i1>) {
    %c = stablehlo.constant dense<5> : tensor<i32>
    %0 = stablehlo.minimum %arg9, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<6> : tensor<i32>
    %2 = stablehlo.add %0, %c_1 : tensor<i32>
    %3 = stablehlo.select %1, %2, %0 : tensor<i1>, tensor<i32>
    %4 = stablehlo.dynamic_slice %arg0, %3, %arg1, %arg2, sizes = [1, 2, 6] : (tensor<6x2x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x6xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    %6 = call @_where(%5, %arg7, %arg3) : (tensor<2x6xf32>, tensor<2x6xf32>, tensor<i1>) -> tensor<2x6xf32>
    %7 = stablehlo.dot_general %6, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x6xf32>) -> tensor<2x6xf32>
    %8 = stablehlo.tanh %7 : tensor<2x6xf32>
    %9 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<2x6xf32>
    %c_2 = stablehlo.constant dense<3> : tensor<i32>
    %11 = stablehlo.compare GE, %arg9, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %12 = stablehlo.and %arg5, %11 : tensor<i1>
    %c_3 = stablehlo.constant dense<3> : tensor<i32>
    %13 = stablehlo.subtract %arg9, %c_3 : tensor<i32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.maximum %13, %c_4 : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.compare LT, %14, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<6> : tensor<i32>
    %16 = stablehlo.add %14, %c_6 : tensor<i32>
    %17 = stablehlo.select %15, %16, %14 : tensor<i1>, tensor<i32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %19 = "stablehlo.scatter"(%arg8, %18, %8) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      stablehlo.return %arg11 : tensor<f32>
    }) : (tensor<6x2x6xf32>, tensor<1xi32>, tensor<2x6xf32>) -> tensor<6x2x6xf32>
    %20 = call @_where_0(%12, %19, %arg8) : (tensor<i1>, tensor<6x2x6xf32>, tensor<6x2x6xf32>) -> tensor<6x2x6xf32>
    %21 = "stablehlo.collective_permute"(%8) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<2x6xf32>) -> tensor<2x6xf32>
    return %21, %20, %6, %8, %10, %18, %12 : tensor<2x6xf32>, tensor<6x2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<1xi32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<2x6xf32>, %arg1: tensor<2x6xf32>, %arg2: tensor<i1>) -> tensor<2x6xf32> {
    %0 = stablehlo.select %arg2, %arg0, %arg1 : tensor<i1>, tensor<2x6xf32>
    return %0 : tensor<2x6xf32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<6x2x6xf32>, %arg2: tensor<6x2x6xf32>) -> tensor<6x2x6xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<6x2x6xf32>
    return %0 : tensor<6x2x6xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<9x2x6xf32>, %arg1: tensor<2x6xf32>, %arg2: tensor<i32>) -> tensor<9x2x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<2x6xf32>) -> tensor<1x2x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<9x2x6xf32>, tensor<1x2x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<9x2x6xf32>
    return %1 : tensor<9x2x6xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<9x1xi32>, %arg1: tensor<1xi32>, %arg2: tensor<i32>) -> tensor<9x1xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<9x1xi32>, tensor<1x1xi32>, tensor<i32>, tensor<i32>) -> tensor<9x1xi32>
    return %1 : tensor<9x1xi32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<9xi1>, %arg1: tensor<i1>, %arg2: tensor<i32>) -> tensor<9xi1> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<9xi1>, tensor<1xi1>, tensor<i32>) -> tensor<9xi1>
    return %1 : tensor<9xi1>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<6x2x6xf32>, %arg2: tensor<i32>) -> tensor<6x2x6xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x2x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<6x2x6xf32>
    return %2 : tensor<6x2x6xf32>
  }
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<6x2x6xf32>) -> tensor<6x2x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x6xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<6x2x6xf32>
    return %1 : tensor<6x2x6xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<9x2x6xf32>, %arg1: tensor<i32>) -> tensor<2x6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 6] : (tensor<9x2x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x6xf32>) -> tensor<2x6xf32>
    return %1 : tensor<2x6xf32>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<9x1xi32>, %arg1: tensor<i32>) -> tensor<1xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 1] : (tensor<9x1xi32>, tensor<i32>, tensor<i32>) -> tensor<1x1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1x1xi32>) -> tensor<1xi32>
    return %1 : tensor<1xi32>
  }
  func.func private @dynamic_index_in_dim_7(%arg0: tensor<9xi1>, %arg1: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<9xi1>, tensor<i32>) -> tensor<1xi1>
    %1 = stablehlo.reshape %0 : (tensor<1xi1>) -> tensor<i1>
    return %1 : tensor<i1>
  }
  func.func private @closed_call_8(%arg0: tensor<i1>, %arg1: tensor<6x6xf32>, %arg2: tensor<1x6x6xf32>, %arg3: tensor<2x6xf32>, %arg4: tensor<6x2x6xf32>, %arg5: tensor<2x6xf32>, %arg6: tensor<2x6xf32>, %arg7: tensor<2x6xf32>, %arg8: tensor<1xi32>, %arg9: tensor<i1>) -> (tensor<1x6x6xf32>, tensor<2x6xf32>, tensor<6x2x6xf32>) {
    %0 = "stablehlo.collective_permute"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [2, 1], [3, 2]]> : tensor<3x2xi64>}> : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %1:2 = call @_where_9(%arg9, %arg4) : (tensor<i1>, tensor<6x2x6xf32>) -> (tensor<6x2x6xf32>, tensor<6x2x6xf32>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %3 = "stablehlo.scatter"(%1#0, %arg8, %2) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      stablehlo.return %arg11 : tensor<f32>
    }) : (tensor<6x2x6xf32>, tensor<1xi32>, tensor<2x6xf32>) -> tensor<6x2x6xf32>
    %c = stablehlo.constant dense<5> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.compare GE, %arg8, %4, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %6 = stablehlo.compare LE, %arg8, %c, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %7 = stablehlo.and %5, %6 : tensor<1xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %8 = stablehlo.reduce(%7 init: %c_1) applies stablehlo.and across dimensions = [0] : (tensor<1xi1>, tensor<i1>) -> tensor<i1>
    %9 = "stablehlo.gather"(%1#0, %arg8) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2, 6>}> : (tensor<6x2x6xf32>, tensor<1xi32>) -> tensor<2x6xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<i1>) -> tensor<2x6xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %12 = stablehlo.select %10, %9, %11 : tensor<2x6xi1>, tensor<2x6xf32>
    %13 = stablehlo.add %1#1, %3 : tensor<6x2x6xf32>
    %14 = stablehlo.add %0, %12 : tensor<2x6xf32>
    %15 = stablehlo.multiply %14, %arg7 : tensor<2x6xf32>
    %16 = stablehlo.multiply %15, %arg6 : tensor<2x6xf32>
    %17 = stablehlo.add %15, %16 : tensor<2x6xf32>
    %18 = stablehlo.dot_general %17, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<6x6xf32>
    %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
    %20 = stablehlo.dot_general %17, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf32>, tensor<6x6xf32>) -> tensor<2x6xf32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [1, 2] : (tensor<6x6xf32>) -> tensor<1x6x6xf32>
    %22 = stablehlo.add %arg2, %21 : tensor<1x6x6xf32>
    %23 = call @_where_10(%arg0, %20) : (tensor<i1>, tensor<2x6xf32>) -> tensor<2x6xf32>
    return %22, %23, %13 : tensor<1x6x6xf32>, tensor<2x6xf32>, tensor<6x2x6xf32>
  }
  func.func private @_where_9(%arg0: tensor<i1>, %arg1: tensor<6x2x6xf32>) -> (tensor<6x2x6xf32>, tensor<6x2x6xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x2x6xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<i1>, tensor<6x2x6xf32>
    %2 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<6x2x6xf32>
    return %2, %1 : tensor<6x2x6xf32>, tensor<6x2x6xf32>
  }
  func.func private @_where_10(%arg0: tensor<i1>, %arg1: tensor<2x6xf32>) -> tensor<2x6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<i1>, tensor<2x6xf32>
    return %1 : tensor<2x6xf32>
  }
}
