// Ops, each with the rule that it should have. `own`: Shardy has no rule for it.

// ([i, j], [i, j])->([i, j]) {i=4, j=8}
func.func @add(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
  %result = stablehlo.add %a, %b : tensor<4x8xf32>
  func.return
}

// ([])->([])
func.func @scalar(%a: tensor<f32>) {
  %result = stablehlo.negate %a : tensor<f32>
  func.return
}

// ([i])->([i]) {i=4}
func.func @convert(%a: tensor<4xf32>) {
  %result = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi32>
  func.return
}

// ([], [i, j], [i, j])->([i, j]) {i=4, j=8}
func.func @select_of_scalar(%a: tensor<i1>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>) {
  %result = stablehlo.select %a, %b, %c : tensor<i1>, tensor<4x8xf32>
  func.return
}

// ([], [i], [])->([i]) {i=4}
func.func @clamp(%a: tensor<f32>, %b: tensor<4xf32>, %c: tensor<f32>) {
  %result = stablehlo.clamp %a, %b, %c : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return
}

// ([i], [i])->([i]) {i=4}
func.func @compare(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  %result = stablehlo.compare LT, %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  func.return
}

// ([i])->([i]) {i=4}, own
func.func @erf_inv(%a: tensor<4xf32>) {
  %result = chlo.erf_inv %a : tensor<4xf32> -> tensor<4xf32>
  func.return
}

// ([k, i, j])->([i, j, k]) {i=3, j=4, k=2}
func.func @transpose(%a: tensor<2x3x4xf32>) {
  %result = stablehlo.transpose %a, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  func.return
}

// ([l, i])->([j, k, l]) {i=1, j=3, k=4, l=8}
func.func @broadcast_in_dim(%a: tensor<8x1xf32>) {
  %result = stablehlo.broadcast_in_dim %a, dims = [2, 0] : (tensor<8x1xf32>) -> tensor<3x4x8xf32>
  func.return
}

// ([])->([i, j]) {i=3, j=4}
func.func @broadcast_of_scalar(%a: tensor<f32>) {
  %result = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
  func.return
}

// ([i, j])->([i, j]) {i=4, j=8} permutation={j}
func.func @reverse(%a: tensor<4x8xf32>) {
  %result = stablehlo.reverse %a, dims = [1] : tensor<4x8xf32>
  func.return
}

// ([i, j])->([i, j, k]) {i=4, j=8, k=4} need_replication={k}
func.func @bitcast_convert_to_narrower(%a: tensor<4x8xf32>) {
  %result = stablehlo.bitcast_convert %a : (tensor<4x8xf32>) -> tensor<4x8x4xi8>
  func.return
}

// ([i, j, k])->([i, j]) {i=4, j=8, k=4} need_replication={k}
func.func @bitcast_convert_to_wider(%a: tensor<4x8x4xi8>) {
  %result = stablehlo.bitcast_convert %a : (tensor<4x8x4xi8>) -> tensor<4x8xf32>
  func.return
}

// ()->([i, j]) {i=4, j=8}, own
func.func @iota(%a: tensor<f32>) {
  %result = stablehlo.iota dim = 0 : tensor<4x8xi32>
  func.return
}

// ([ij, k])->([i, j, k]) {i=2, j=4, k=32}
func.func @split(%a: tensor<8x32xf32>) {
  %result = stablehlo.reshape %a : (tensor<8x32xf32>) -> tensor<2x4x32xf32>
  func.return
}

// ([i, j, k])->([ij, k]) {i=2, j=4, k=32}
func.func @merge(%a: tensor<2x4x32xf32>) {
  %result = stablehlo.reshape %a : (tensor<2x4x32xf32>) -> tensor<8x32xf32>
  func.return
}

// ([ij, k])->([i, jk]) {i=2, j=4, k=4}
func.func @split_and_merge(%a: tensor<8x4xf32>) {
  %result = stablehlo.reshape %a : (tensor<8x4xf32>) -> tensor<2x16xf32>
  func.return
}

// ([i, k, m])->([j, l, m]) {i=2, j=3, k=3, l=2, m=5}
func.func @nothing_in_common(%a: tensor<2x3x5xf32>) {
  %result = stablehlo.reshape %a : (tensor<2x3x5xf32>) -> tensor<3x2x5xf32>
  func.return
}

// ([i, j, k])->([j, l, m]) {i=1, j=4, k=1, l=1, m=1}
func.func @sizes_of_one(%a: tensor<1x4x1xf32>) {
  %result = stablehlo.reshape %a : (tensor<1x4x1xf32>) -> tensor<4x1x1xf32>
  func.return
}

// none
func.func @without_elements(%a: tensor<0x4xf32>) {
  %result = stablehlo.reshape %a : (tensor<0x4xf32>) -> tensor<4x0xf32>
  func.return
}

// ([i, j])->([i, j]) {i=8, j=8} permutation={j}
func.func @slice(%a: tensor<8x8xf32>) {
  %result = stablehlo.slice %a [0:8, 2:6] : (tensor<8x8xf32>) -> tensor<8x4xf32>
  func.return
}

// ([i, j], [])->([i, j]) {i=8, j=8} permutation={j}
func.func @pad(%a: tensor<8x8xf32>, %b: tensor<f32>) {
  %result = stablehlo.pad %a, %b, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x10xf32>
  func.return
}

// ([i, j], [], [])->([i, j]) {i=8, j=8} need_replication={j} blocked_propagation={j}
func.func @dynamic_slice(%a: tensor<8x8xf32>, %b: tensor<i32>, %c: tensor<i32>) {
  %result = stablehlo.dynamic_slice %a, %b, %c, sizes = [8, 2] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>
  func.return
}

// ([i, j], [i, k], [], [])->([i, j]) {i=8, j=8, k=2} need_replication={k}
func.func @dynamic_update_slice(%a: tensor<8x8xf32>, %b: tensor<8x2xf32>, %c: tensor<i32>, %d: tensor<i32>) {
  %result = stablehlo.dynamic_update_slice %a, %b, %c, %d : (tensor<8x8xf32>, tensor<8x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x8xf32>
  func.return
}

// ([i, j], [i, j])->([i, j]) {i=8, j=8} need_replication={j}
func.func @concatenate(%a: tensor<8x3xf32>, %b: tensor<8x5xf32>) {
  %result = stablehlo.concatenate %a, %b, dim = 1 : (tensor<8x3xf32>, tensor<8x5xf32>) -> tensor<8x8xf32>
  func.return
}

// ([i, j, l], [i, l, k])->([i, j, k]) {i=2, j=8, k=16, l=4} reduction={l}
func.func @dot_general(%a: tensor<2x8x4xf32>, %b: tensor<2x4x16xf32>) {
  %result = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x8x4xf32>, tensor<2x4x16xf32>) -> tensor<2x8x16xf32>
  func.return
}

// ([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}
func.func @dot_of_matrices(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>) {
  %result = stablehlo.dot %a, %b : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  func.return
}

// ([i], [i])->([]) {i=4} reduction={i}
func.func @dot_of_vectors(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  %result = stablehlo.dot %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  func.return
}

// ([i, k], [j, k])->([i, j]) {i=8, j=16, k=4} reduction={k}, own
func.func @einsum(%a: tensor<8x4xf32>, %b: tensor<16x4xf32>) {
  %result = stablehlo.einsum %a, %b, config = "ik,jk->ij" : (tensor<8x4xf32>, tensor<16x4xf32>) -> tensor<8x16xf32>
  func.return
}

// ([i, j, k, l], [n, o, l, m])->([i, j, k, m]) {i=2, j=16, k=16, l=3, m=8, n=1, o=1} reduction={l} permutation={j, k}
func.func @convolution(%a: tensor<2x16x16x3xf32>, %b: tensor<3x3x3x8xf32>) {
  %result = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x16x3xf32>, tensor<3x3x3x8xf32>) -> tensor<2x16x16x8xf32>
  func.return
}

// ([i, j, kl], [n, l, km])->([i, j, km]) {i=2, j=16, k=2, l=2, m=4, n=1} reduction={l} permutation={j}
func.func @convolution_of_groups(%a: tensor<2x16x4xf32>, %b: tensor<3x2x8xf32>) {
  %result = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x16x4xf32>, tensor<3x2x8xf32>) -> tensor<2x16x8xf32>
  func.return
}

// ([ij, k, l], [n, l, im])->([j, k, im]) {i=2, j=2, k=16, l=4, m=4, n=1} reduction={l} permutation={k}
func.func @convolution_of_batch_groups(%a: tensor<4x16x4xf32>, %b: tensor<3x4x8xf32>) {
  %result = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<4x16x4xf32>, tensor<3x4x8xf32>) -> tensor<2x16x8xf32>
  func.return
}

// ([i, j, k], [j, k, l])->([i, m, l]) {i=2, j=13, k=4, l=8, m=1} reduction={j, k}
func.func @convolution_of_a_large_window(%a: tensor<2x16x4xf32>, %b: tensor<13x4x8xf32>) {
  %result = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x4xf32>, tensor<13x4x8xf32>) -> tensor<2x4x8xf32>
  func.return
}

// ([i, j, k], [])->([i, k]) {i=4, j=8, k=2} reduction={j}
func.func @reduce(%a: tensor<4x8x2xf32>, %b: tensor<f32>) {
  %result = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  func.return
}

// ([i, j], [i, j], [], [])->([j], [j]) {i=4, j=8} reduction={i}
func.func @reduce_of_two(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  %result:2 = "stablehlo.reduce"(%a, %b, %c, %d) <{dimensions = array<i64: 0>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<f32>, %t: tensor<f32>):
    %s = stablehlo.add %p, %r : tensor<f32>
    "stablehlo.return"(%s, %q) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
  func.return
}

// ([i, j])->([i, j]) {i=4, j=8} need_replication={j}
func.func @sort(%a: tensor<4x8xf32>) {
  %result = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return
}

// ([i])->([i]) {i=8} need_replication={i} blocked_propagation={i}
func.func @sort_of_one_dimension(%a: tensor<8xf32>) {
  %result = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}

// ([i, j])->([i, j], [i, j]) {i=4, j=8} need_replication={j} blocked_propagation={j}, own
func.func @top_k(%a: tensor<4x8xf32>) {
  %result:2 = chlo.top_k(%a, k = 2) : tensor<4x8xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  func.return
}

// ([i, j], [])->([i, j]) {i=4, j=4} permutation={j}
func.func @reduce_window(%a: tensor<4x8xf32>, %b: tensor<f32>) {
  %result = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return
}

// ([i], [])->([i]) {i=8} permutation={i}
func.func @cumulative_sum(%a: tensor<8xf32>, %b: tensor<f32>) {
  %result = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 8>, padding = dense<[[7, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  func.return
}

// ([i, k], [i, j], [])->([i, k]) {i=4, j=4, k=8} need_replication={j} permutation={k}
func.func @select_and_scatter(%a: tensor<4x8xf32>, %b: tensor<4x4xf32>, %c: tensor<f32>) {
  %result = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }, {
   ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x8xf32>
  func.return
}

// ([k, j], [i, l])->([i, j]) {i=4, j=8, k=16, l=1} reduction={k} need_replication={l}
func.func @gather_of_rows(%a: tensor<16x8xf32>, %b: tensor<4x1xi32>) {
  %result = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
  func.return
}

// ([i, l, k], [i, j, m])->([i, j, k]) {i=3, j=4, k=8, l=16, m=1} reduction={l} need_replication={m}
func.func @gather_of_a_batch(%a: tensor<3x16x8xf32>, %b: tensor<3x4x1xi32>) {
  %result = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 8>}> : (tensor<3x16x8xf32>, tensor<3x4x1xi32>) -> tensor<3x4x8xf32>
  func.return
}

// ([j, k], [i, l])->([i, j, k]) {i=4, j=16, k=8, l=1} need_replication={k, l} blocked_propagation={k}
func.func @gather_of_parts(%a: tensor<16x8xf32>, %b: tensor<4x1xi32>) {
  %result = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 16, 2>}> : (tensor<16x8xf32>, tensor<4x1xi32>) -> tensor<4x16x2xf32>
  func.return
}

// ([k, j], [i, l], [i, j])->([k, j]) {i=4, j=8, k=16, l=1} reduction={i} need_replication={l}
func.func @scatter_of_sums(%a: tensor<16x8xf32>, %b: tensor<4x1xi32>, %c: tensor<4x8xf32>) {
  %result = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<16x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32>
  func.return
}

// ([k, j], [i, l], [i, j])->([k, j]) {i=4, j=8, k=16, l=1} need_replication={i, l}
func.func @scatter_that_overwrites(%a: tensor<16x8xf32>, %b: tensor<4x1xi32>, %c: tensor<4x8xf32>) {
  %result = "stablehlo.scatter"(%a, %b, %c) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %q : tensor<f32>
  }) : (tensor<16x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<16x8xf32>
  func.return
}

// ([i, j, k])->([i, j, k]) {i=4, j=8, k=8} need_replication={j, k}
func.func @cholesky(%a: tensor<4x8x8xf32>) {
  %result = stablehlo.cholesky %a, lower = true : tensor<4x8x8xf32>
  func.return
}

// ([i, j, l], [i, j, k])->([i, l, k]) {i=4, j=8, k=3, l=8} need_replication={j, k, l}
func.func @triangular_solve(%a: tensor<4x8x8xf32>, %b: tensor<4x8x3xf32>) {
  %result = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x8x8xf32>, tensor<4x8x3xf32>) -> tensor<4x8x3xf32>
  func.return
}

// ([i, k, l], [i, j, k])->([i, j, l]) {i=4, j=3, k=8, l=8} need_replication={j, k, l}
func.func @triangular_solve_from_the_right(%a: tensor<4x8x8xf32>, %b: tensor<4x3x8xf32>) {
  %result = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x8x8xf32>, tensor<4x3x8xf32>) -> tensor<4x3x8xf32>
  func.return
}

// ([i, j])->([i, j]) {i=4, j=8} need_replication={j}
func.func @fft(%a: tensor<4x8xcomplex<f32>>) {
  %result = stablehlo.fft %a, type = FFT, length = [8] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  func.return
}

// ([i, j])->([i, j]) {i=4, j=8} need_replication={j} blocked_propagation={j}
func.func @rfft(%a: tensor<4x8xf32>) {
  %result = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
  func.return
}

// ([i])->([i], [j, k]) {i=2, j=4, k=8} need_replication={i} blocked_propagation={i}
func.func @rng_bit_generator(%a: tensor<2xui64>) {
  %result:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x8xui32>)
  func.return
}

// ([i, j, k], [k], [k], [k], [k])->([i, j, k]) {i=2, j=8, k=4}
func.func @batch_norm_inference(%a: tensor<2x8x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) {
  %result = "stablehlo.batch_norm_inference"(%a, %b, %c, %d, %e) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x8x4xf32>
  func.return
}

// ([i, j, k], [k], [k])->([i, j, k], [k], [k]) {i=2, j=8, k=4} need_replication={i, j}, own
func.func @batch_norm_training(%a: tensor<2x8x4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) {
  %result:3 = "stablehlo.batch_norm_training"(%a, %b, %c) <{epsilon = 1.0e-3 : f32, feature_index = 2 : i64}> : (tensor<2x8x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x8x4xf32>, tensor<4xf32>, tensor<4xf32>)
  func.return
}

// ([i, j])->([i, k]) {i=4, j=8, k=16} need_replication={j, k}
func.func @all_gather(%a: tensor<4x8xf32>) {
  %result = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
  func.return
}

// ([i, j])->([i, j]) {i=4, j=8}
func.func @all_reduce(%a: tensor<4x8xf32>) {
  %result = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return
}

// ([k, i])->([l, j]) {i=8, j=4, k=4, l=8} need_replication={i, j, k, l}
func.func @all_to_all(%a: tensor<4x8xf32>) {
  %result = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  func.return
}

// ([i, j, k])->([i, j, k], [i, k]) {i=2, j=8, k=8}
func.func @eigh(%a: tensor<2x8x8xf32>) {
  %result:2 = stablehlo.custom_call @Eigh(%a) : (tensor<2x8x8xf32>) -> (tensor<2x8x8xf32>, tensor<2x8xf32>)
  func.return
}

// ([i, j, k])->([i, j, k], [i, l]) {i=2, j=8, k=4, l=4} need_replication={j, k, l}
func.func @qr(%a: tensor<2x8x4xf32>) {
  %result:2 = stablehlo.custom_call @Qr(%a) : (tensor<2x8x4xf32>) -> (tensor<2x8x4xf32>, tensor<2x4xf32>)
  func.return
}

// ([i, j], [i, j], [], [])->([i, k], [i, k]) {i=4, j=8, k=2} need_replication={k} blocked_propagation={k}
func.func @approximate_top_k(%a: tensor<4x8xf32>, %b: tensor<4x8xi32>, %c: tensor<f32>, %d: tensor<i32>) {
  %result:2 = stablehlo.custom_call @PartialReduce(%a, %b, %c, %d) : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  func.return
}

// ([i, j, k])->([i, l, m], [i, n]) {i=2, j=8, k=4, l=8, m=4, n=4} need_replication={j, k, l, m, n}, own
func.func @lapack(%a: tensor<2x8x4xf32>) {
  %result:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) : (tensor<2x8x4xf32>) -> (tensor<2x8x4xf32>, tensor<2x4xf32>)
  func.return
}

// none
func.func @unknown_call(%a: tensor<4xf32>) {
  %result = stablehlo.custom_call @mine(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// ([j], [i, j])->([i, j]) {i=4, j=8}, own
func.func @broadcast_add(%a: tensor<8xf32>, %b: tensor<4x8xf32>) {
  %result = chlo.broadcast_add %a, %b : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return
}

// ([], [j], [i, j])->([i, j]) {i=4, j=8}, own
func.func @broadcast_select(%a: tensor<i1>, %b: tensor<8xf32>, %c: tensor<4x8xf32>) {
  %result = chlo.broadcast_select %a, %b, %c : (tensor<i1>, tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return
}

// ([j])->([i, j]) {i=4, j=8}, own
func.func @broadcast(%a: tensor<8xf32>) {
  %result = stablehlo.broadcast %a, sizes = [4] : (tensor<8xf32>) -> tensor<4x8xf32>
  func.return
}

// ([i, k], [j])->([i, j]) {i=4, j=3, k=8} reduction={k}, own
func.func @torch_index_select(%a: tensor<4x8xf32>, %b: tensor<3xi32>) {
  %result = "stablehlo.torch_index_select"(%a, %b) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<4x3xf32>
  func.return
}

// ([ij], [k])->([i, j]) {i=4, j=2, k=1}, own
func.func @dynamic_reshape(%a: tensor<8xf32>, %b: tensor<2xi32>) {
  %result = stablehlo.dynamic_reshape %a, %b : (tensor<8xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  func.return
}

// ([i, j], [])->([i, j]) {i=4, j=8} need_replication={j} blocked_propagation={j}, own
func.func @set_dimension_size(%a: tensor<4x8xf32>, %b: tensor<i32>) {
  %result = stablehlo.set_dimension_size %a, %b, dim = 1 : (tensor<4x8xf32>, tensor<i32>) -> tensor<4x?xf32, #stablehlo.bounds<?, 8>>
  func.return
}

// ([i, k], [l, k, j], [m])->([i, j]) {i=6, j=5, k=4, l=3, m=3} reduction={k} need_replication={i, l, m}, own
func.func @ragged_dot(%a: tensor<6x4xf32>, %b: tensor<3x4x5xf32>, %c: tensor<3xi32>) {
  %result = "chlo.ragged_dot"(%a, %b, %c) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
  func.return
}

// ([i, j], [k])->() {i=4, j=8, k=3}, own
func.func @control_dep(%a: tensor<4x8xf32>, %b: tensor<3xf32>) {
  stablehlo.custom_call @control_dep(%a, %b) {has_side_effect = true} : (tensor<4x8xf32>, tensor<3xf32>) -> ()
  func.return
}
