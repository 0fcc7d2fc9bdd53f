func.func @collectives(%a: tensor<4x6xf32>, %tok: !stablehlo.token) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  %1:2 = "stablehlo.all_reduce"(%a, %a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
  %2 = "stablehlo.all_to_all"(%a) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  %3 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %6 = "stablehlo.reduce_scatter"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %7 = stablehlo.partition_id : tensor<ui32>
  %8 = stablehlo.replica_id : tensor<ui32>
  %9:2 = "stablehlo.infeed"(%tok) <{infeed_config = "x", layout = [[0, 1]]}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  %10 = "stablehlo.outfeed"(%a, %tok) <{outfeed_config = ""}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  %11 = "stablehlo.send"(%a, %tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  %12:2 = "stablehlo.recv"(%tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  %13 = "stablehlo.async_start"(%a) ({
  ^bb0(%arg0: tensor<4x6xf32>):
    %x = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    stablehlo.return %x : tensor<4x6xf32>
  }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<4x6xf32>>
  %14 = "stablehlo.async_done"(%13) : (!stablehlo.future<tensor<4x6xf32>>) -> tensor<4x6xf32>
  %15 = stablehlo.create_token : !stablehlo.token
  %16 = stablehlo.after_all %tok, %15 : !stablehlo.token
  %17 = "stablehlo.send"(%a, %tok) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  func.return
}
func.func @norm(%a: tensor<2x3x4xf32>, %s: tensor<4xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%a, %s, %s, %s, %a) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
  %1 = "stablehlo.batch_norm_inference"(%a, %s, %s, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %2:3 = "stablehlo.batch_norm_training"(%a, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
  func.return
}
func.func @dynamism(%a: tensor<4x6xf32>, %d: tensor<2xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %r: tensor<3x3x2x4xf32>, %pads: tensor<2x2xi64>, %idx: tensor<5x1xi32>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = "stablehlo.dynamic_conv"(%l, %r, %pads) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1, 1>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, true>}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi64>) -> tensor<1x?x?x4xf32>
  %sizes = stablehlo.constant dense<[1, 6]> : tensor<2xi32>
  %2 = "stablehlo.dynamic_gather"(%a, %idx, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x6xf32>
  %3 = stablehlo.dynamic_iota %d, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %4 = stablehlo.dynamic_pad %a, %f, %d, %d, %d : (tensor<4x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %5 = stablehlo.dynamic_reshape %a, %d : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %6 = stablehlo.real_dynamic_slice %a, %d, %d, %d : (tensor<4x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %7 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x6xf32>) -> tensor<i32>
  %8 = stablehlo.set_dimension_size %a, %i, dim = 1 : (tensor<4x6xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 6>>
  %9 = stablehlo.dynamic_broadcast_in_dim %a, %d, dims = [0, 1] : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %10 = stablehlo.add %9, %9 : tensor<?x?xf32>
  func.return
}
func.func @other(%a: tensor<4x6xf32>, %b: tensor<6xf32>, %s: tensor<3x3xf64>, %i: tensor<2xi32>) {
  %0 = stablehlo.cholesky %s, lower = true : tensor<3x3xf64>
  %1 = stablehlo.cholesky %s : tensor<3x3xf64>
  %2 = "stablehlo.triangular_solve"(%s, %s) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %3 = stablehlo.unary_einsum %a, config = "ab->a" : (tensor<4x6xf32>) -> tensor<4xf32>
  %4 = stablehlo.broadcast %b, sizes = [1, 2] : (tensor<6xf32>) -> tensor<1x2x6xf32>
  %5 = "stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<2x6xf32>
  %6 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %m = stablehlo.multiply %x, %y : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %lo = stablehlo.constant dense<0.0> : tensor<f32>
  %shape = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %7 = stablehlo.rng %lo, %lo, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
  %state = stablehlo.constant dense<0> : tensor<2xui64>
  %8, %9 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  %10 = stablehlo.custom_call @foo(%a) {api_version = 4 : i32, backend_config = {x = 1 : i32}, called_computations = [@dec], has_side_effect = true, operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  stablehlo.custom_call @"odd name"() : () -> ()
  %11:2 = stablehlo.custom_call @two(%a, %b) {mhlo.frontend_attributes = {k = "v"}} : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<f32>, tuple<tensor<f32>, tensor<2xi1>>)
  %c = stablehlo.constant dense<1.0> : tensor<1x8x2xf32>
  %k = stablehlo.constant dense<1.0> : tensor<3x2x4xf32>
  %12 = stablehlo.convolution(%c, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x2xf32>, tensor<3x2x4xf32>) -> tensor<1x6x4xf32>
  func.return
}
func.func private @dec(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  return %a : tensor<4x6xf32>
}
