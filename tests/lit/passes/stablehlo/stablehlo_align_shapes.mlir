// RUN: xla-opt %s -p stablehlo-align-shapes,stablehlo-simplify | filecheck %s

// What follows a matrix product runs on its shape.

// CHECK-LABEL: func.func @linear
// CHECK:         [[D:%.+]] = stablehlo.dot_general {{.*}} -> tensor<256x512xf32>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.broadcast_in_dim {{%.+}}, dims = [1] : (tensor<512xf32>) -> tensor<256x512xf32>
// CHECK-NEXT:    [[S:%.+]] = stablehlo.add [[D]], [[C]] : tensor<256x512xf32>
// CHECK-NEXT:    [[T:%.+]] = stablehlo.tanh [[S]] : tensor<256x512xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[T]] : (tensor<256x512xf32>) -> tensor<4x64x512xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @linear(%x: tensor<256x128xf32>, %w: tensor<128x512xf32>, %b: tensor<512xf32>) -> tensor<4x64x512xf32> {
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x128xf32>, tensor<128x512xf32>) -> tensor<256x512xf32>
  %r = stablehlo.reshape %d : (tensor<256x512xf32>) -> tensor<4x64x512xf32>
  %c = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<512xf32>) -> tensor<4x64x512xf32>
  %s = stablehlo.add %r, %c : tensor<4x64x512xf32>
  %t = stablehlo.tanh %s : tensor<4x64x512xf32>
  return %t : tensor<4x64x512xf32>
}

// Groups of channels, then a factor per channel: the shape that has both, and reductions along it.

// CHECK-LABEL: func.func @group_norm
// CHECK-SAME:    ([[X:%.+]]: tensor<4x64x49xf32>, [[W:%.+]]: tensor<64xf32>)
// CHECK-DAG:     [[V:%.+]] = stablehlo.reshape [[W]] : (tensor<64xf32>) -> tensor<8x8xf32>
// CHECK-DAG:     [[G:%.+]] = stablehlo.reshape [[X]] : (tensor<4x64x49xf32>) -> tensor<4x8x8x49xf32>
// CHECK-DAG:     [[F:%.+]] = stablehlo.broadcast_in_dim [[V]], dims = [1, 2] : (tensor<8x8xf32>) -> tensor<4x8x8x49xf32>
// CHECK-DAG:     [[S:%.+]] = stablehlo.reduce([[G]] init: {{.*}}) applies stablehlo.add across dimensions = [2, 3] {{.*}} -> tensor<4x8xf32>
// CHECK-DAG:     [[M:%.+]] = stablehlo.broadcast_in_dim [[S]], dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x8x49xf32>
// CHECK-DAG:     [[D:%.+]] = stablehlo.subtract [[G]], [[M]] : tensor<4x8x8x49xf32>
// CHECK:         [[P:%.+]] = stablehlo.multiply [[D]], [[F]] : tensor<4x8x8x49xf32>
// CHECK:         stablehlo.reshape [[P]] : (tensor<4x8x8x49xf32>) -> tensor<4x64x49xf32>
func.func @group_norm(%x: tensor<4x64x49xf32>, %w: tensor<64xf32>) -> tensor<4x64x49xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %g = stablehlo.reshape %x : (tensor<4x64x49xf32>) -> tensor<4x8x392xf32>
  %s = stablehlo.reduce(%g init: %z) applies stablehlo.add across dimensions = [2]
      : (tensor<4x8x392xf32>, tensor<f32>) -> tensor<4x8xf32>
  %m = stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x392xf32>
  %d = stablehlo.subtract %g, %m : tensor<4x8x392xf32>
  %r = stablehlo.reshape %d : (tensor<4x8x392xf32>) -> tensor<4x64x49xf32>
  %f = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<64xf32>) -> tensor<4x64x49xf32>
  %p = stablehlo.multiply %r, %f : tensor<4x64x49xf32>
  return %p : tensor<4x64x49xf32>
}

// A chain of ops whose reshape is in the middle, all on the shape that a transpose reads.

// CHECK-LABEL: func.func @moved
// CHECK-SAME:    ([[X:%.+]]: tensor<240xf32>)
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[X]] : (tensor<240xf32>) -> tensor<12x20xf32>
// CHECK-NEXT:    [[E:%.+]] = stablehlo.exponential [[R]] : tensor<12x20xf32>
// CHECK-NEXT:    [[N:%.+]] = stablehlo.negate [[E]] : tensor<12x20xf32>
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose [[N]], dims = [1, 0]
// CHECK-NEXT:    func.return [[T]]
func.func @moved(%x: tensor<240xf32>) -> tensor<20x12xf32> {
  %e = stablehlo.exponential %x : tensor<240xf32>
  %r = stablehlo.reshape %e : (tensor<240xf32>) -> tensor<12x20xf32>
  %n = stablehlo.negate %r : tensor<12x20xf32>
  %t = stablehlo.transpose %n, dims = [1, 0] : (tensor<12x20xf32>) -> tensor<20x12xf32>
  return %t : tensor<20x12xf32>
}

// Left alone: dimensions that overlap; ops that move elements on both shapes; ops of one shape.

// CHECK-LABEL: func.func @overlapping
// CHECK:         stablehlo.add {{.*}} : tensor<6x4xf32>
// CHECK:         stablehlo.multiply {{.*}} : tensor<4x6xf32>
func.func @overlapping(%x: tensor<6x4xf32>, %a: tensor<4xf32>, %b: tensor<6xf32>) -> tensor<4x6xf32> {
  %c = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<4xf32>) -> tensor<6x4xf32>
  %s = stablehlo.add %x, %c : tensor<6x4xf32>
  %r = stablehlo.reshape %s : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %d = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
  %p = stablehlo.multiply %r, %d : tensor<4x6xf32>
  return %p : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @moved_twice
// CHECK:         stablehlo.exponential {{.*}} : tensor<20x12xf32>
// CHECK:         stablehlo.negate {{.*}} : tensor<2x120xf32>
func.func @moved_twice(%x: tensor<12x20xf32>) -> tensor<120x2xf32> {
  %s = stablehlo.transpose %x, dims = [1, 0] : (tensor<12x20xf32>) -> tensor<20x12xf32>
  %e = stablehlo.exponential %s : tensor<20x12xf32>
  %r = stablehlo.reshape %e : (tensor<20x12xf32>) -> tensor<2x120xf32>
  %n = stablehlo.negate %r : tensor<2x120xf32>
  %t = stablehlo.transpose %n, dims = [1, 0] : (tensor<2x120xf32>) -> tensor<120x2xf32>
  return %t : tensor<120x2xf32>
}

// CHECK-LABEL: func.func @same
// CHECK-SAME:    ([[X:%.+]]: tensor<12x20xf32>)
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[X]] : (tensor<12x20xf32>) -> tensor<240xf32>
// CHECK-NEXT:    stablehlo.exponential [[R]] : tensor<240xf32>
func.func @same(%x: tensor<12x20xf32>) -> tensor<240xf32> {
  %r = stablehlo.reshape %x : (tensor<12x20xf32>) -> tensor<240xf32>
  %e = stablehlo.exponential %r : tensor<240xf32>
  return %e : tensor<240xf32>
}

// Three rows of five are rows of all dimensions around; what is between a reduction and a broadcast is one value a row.

// CHECK-LABEL: func.func @short_rows
// CHECK-SAME:    ([[X:%.+]]: tensor<4096x3x5xf32>)
// CHECK:         [[J:%.+]] = stablehlo.reshape [[X]] : (tensor<4096x3x5xf32>) -> tensor<12288x5xf32>
// CHECK:         [[S:%.+]] = stablehlo.reduce([[J]] init: {{.*}}) applies stablehlo.add across dimensions = [1] {{.*}} -> tensor<12288xf32>
// CHECK-NEXT:    [[L:%.+]] = stablehlo.log [[S]] : tensor<12288xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.broadcast_in_dim [[L]], dims = [0] : (tensor<12288xf32>) -> tensor<12288x5xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.subtract [[J]], [[B]] : tensor<12288x5xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[D]] : (tensor<12288x5xf32>) -> tensor<4096x3x5xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @short_rows(%x: tensor<4096x3x5xf32>) -> tensor<4096x3x5xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [2]
      : (tensor<4096x3x5xf32>, tensor<f32>) -> tensor<4096x3xf32>
  %k = stablehlo.reshape %s : (tensor<4096x3xf32>) -> tensor<4096x3x1xf32>
  %l = stablehlo.log %k : tensor<4096x3x1xf32>
  %b = stablehlo.broadcast_in_dim %l, dims = [0, 1, 2] : (tensor<4096x3x1xf32>) -> tensor<4096x3x5xf32>
  %d = stablehlo.subtract %x, %b : tensor<4096x3x5xf32>
  return %d : tensor<4096x3x5xf32>
}

// A term for each of the three rows stands along the dimension that would be joined.

// CHECK-LABEL: func.func @term_of_a_row
// CHECK:         stablehlo.add {{.*}} : tensor<4096x3x5xf32>
// CHECK:         stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [2] {{.*}} -> tensor<4096x3xf32>
func.func @term_of_a_row(%x: tensor<4096x3x5xf32>, %t: tensor<3xf32>) -> tensor<4096x3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.broadcast_in_dim %t, dims = [1] : (tensor<3xf32>) -> tensor<4096x3x5xf32>
  %a = stablehlo.add %x, %b : tensor<4096x3x5xf32>
  %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [2]
      : (tensor<4096x3x5xf32>, tensor<f32>) -> tensor<4096x3xf32>
  return %s : tensor<4096x3xf32>
}

// Rows longer than a vector stay.

// CHECK-LABEL: func.func @long_rows
// CHECK:         stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [2] {{.*}} -> tensor<4096x3xf32>
func.func @long_rows(%x: tensor<4096x3x17xf32>) -> tensor<4096x3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [2]
      : (tensor<4096x3x17xf32>, tensor<f32>) -> tensor<4096x3xf32>
  return %s : tensor<4096x3xf32>
}

// Slices that are gathered whole are one row, and so is what is computed of them.

// CHECK-LABEL: func.func @slices
// CHECK-SAME:    ([[X:%.+]]: tensor<17x30x4x8xf32>, [[I:%.+]]: tensor<9x1xi32>)
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[X]] : (tensor<17x30x4x8xf32>) -> tensor<17x960xf32>
// CHECK-NEXT:    [[G:%.+]] = "stablehlo.gather"([[R]], [[I]]) {{.*}}offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>{{.*}}slice_sizes = array<i64: 1, 960>{{.*}} -> tensor<9x960xf32>
// CHECK-NEXT:    [[T:%.+]] = stablehlo.tanh [[G]] : tensor<9x960xf32>
// CHECK-NEXT:    [[S:%.+]] = stablehlo.reshape [[T]] : (tensor<9x960xf32>) -> tensor<9x30x4x8xf32>
// CHECK-NEXT:    func.return [[S]]
func.func @slices(%x: tensor<17x30x4x8xf32>, %i: tensor<9x1xi32>) -> tensor<9x30x4x8xf32> {
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 30, 4, 8>}> : (tensor<17x30x4x8xf32>, tensor<9x1xi32>) -> tensor<9x30x4x8xf32>
  %t = stablehlo.tanh %g : tensor<9x30x4x8xf32>
  return %t : tensor<9x30x4x8xf32>
}

// A factor for each of the last elements keeps the dimension that it stands along.

// CHECK-LABEL: func.func @factors_of_slices
// CHECK:         "stablehlo.gather"{{.*}} -> tensor<9x30x4x8xf32>
// CHECK:         stablehlo.multiply {{.*}} : tensor<9x30x4x8xf32>
func.func @factors_of_slices(%x: tensor<17x30x4x8xf32>, %i: tensor<9x1xi32>, %f: tensor<8xf32>) -> tensor<9x30x4x8xf32> {
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 30, 4, 8>}> : (tensor<17x30x4x8xf32>, tensor<9x1xi32>) -> tensor<9x30x4x8xf32>
  %b = stablehlo.broadcast_in_dim %f, dims = [3] : (tensor<8xf32>) -> tensor<9x30x4x8xf32>
  %m = stablehlo.multiply %g, %b : tensor<9x30x4x8xf32>
  return %m : tensor<9x30x4x8xf32>
}
