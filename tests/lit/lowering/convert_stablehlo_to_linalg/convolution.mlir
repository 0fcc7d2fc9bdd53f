// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// A convolution without padding reads its input directly.
// CHECK-LABEL: func.func @convolution
// CHECK-NOT: tensor.insert_slice
// CHECK: indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, ((d1 * 2) + d4), (d2 + (d5 * 3)), d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
func.func @convolution(%x: tensor<2x9x10x4xf32>, %k: tensor<3x3x4x6xf32>) -> tensor<2x4x4x6xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], rhs_dilate = [1, 3]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x10x4xf32>, tensor<3x3x4x6xf32>) -> tensor<2x4x4x6xf32>
  return %0 : tensor<2x4x4x6xf32>
}

// Padding is written around the input; a reversed window runs backwards through the input.
// CHECK-LABEL: func.func @reversed_convolution
// CHECK: tensor.insert_slice %x into {{%.+}}[0, 0, 2] [2, 4, 5] [1, 1, 1] : tensor<2x4x5xf32> into tensor<2x4x8xf32>
// CHECK: indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, (d2 + ((d3 * -1) + 2)))>, affine_map<(d0, d1, d2, d3, d4) -> (d1, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>]
func.func @reversed_convolution(%x: tensor<2x4x5xf32>, %k: tensor<6x4x3xf32>) -> tensor<2x6x6xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[2, 1]], reverse = [true]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x5xf32>, tensor<6x4x3xf32>) -> tensor<2x6x6xf32>
  return %0 : tensor<2x6x6xf32>
}

// Even and odd outputs of an input dilated by two see every other position of the kernel: a loop over both.
// CHECK-LABEL: func.func @one_loop_of_phases
// CHECK: tensor.insert_slice %x into {{%.+}}[0, 1, 0] [2, 5, 4] [1, 1, 1] : tensor<2x5x4xf32> into tensor<2x7x4xf32>
// CHECK: [[BOUND:%.+]] = tensor.empty() : tensor<2xi32>
// CHECK: [[R:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, ((d1 + d4) + d2), d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (((d4 * 2) + d2), d5, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]{{.*}} ins({{%.+}}, %k, [[BOUND]] :
// CHECK: tensor.collapse_shape [[R]] {{.*}} : tensor<2x5x2x6xf32> into tensor<2x10x6xf32>
func.func @one_loop_of_phases(%x: tensor<2x5x4xf32>, %k: tensor<4x4x6xf32>) -> tensor<2x10x6xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 2]], lhs_dilate = [2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x4xf32>, tensor<4x4x6xf32>) -> tensor<2x10x6xf32>
  return %0 : tensor<2x10x6xf32>
}

// With a kernel of three, even outputs see two positions and odd ones one.
// CHECK-LABEL: func.func @two_phases
// CHECK: [[EVEN:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, (d1 + d3), d4)>, affine_map<(d0, d1, d2, d3, d4) -> ((d3 * 2), d4, d2)>
// CHECK: [[FIRST:%.+]] = tensor.insert_slice [[EVEN]] into {{%.+}}[0, 0, 0] [2, 5, 6] [1, 2, 1]
// CHECK: [[ODD:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, (d1 + 1), d3)>, affine_map<(d0, d1, d2, d3) -> (1, d3, d2)>
// CHECK: tensor.insert_slice [[ODD]] into [[FIRST]][0, 1, 0] [2, 4, 6] [1, 2, 1]
func.func @two_phases(%x: tensor<2x5x4xf32>, %k: tensor<3x4x6xf32>) -> tensor<2x9x6xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[2, 0]], lhs_dilate = [2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x4xf32>, tensor<3x4x6xf32>) -> tensor<2x9x6xf32>
  return %0 : tensor<2x9x6xf32>
}

// Of a kernel of one, odd outputs see nothing.
// CHECK-LABEL: func.func @empty_phase
// CHECK: [[ZERO:%.+]] = linalg.fill {{.*}} -> tensor<2x9x6xf32>
// CHECK: [[EVEN:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (0, d3, d2)>
// CHECK: tensor.insert_slice [[EVEN]] into [[ZERO]][0, 0, 0] [2, 5, 6] [1, 2, 1]
// CHECK-NEXT: return
func.func @empty_phase(%x: tensor<2x5x4xf32>, %k: tensor<1x4x6xf32>) -> tensor<2x9x6xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x5x4xf32>, tensor<1x4x6xf32>) -> tensor<2x9x6xf32>
  return %0 : tensor<2x9x6xf32>
}

// Where the output's spatial dimension is contiguous, phases are apart.
// CHECK-LABEL: func.func @channels_first
// CHECK-COUNT-2: tensor.insert_slice {{%.+}} into {{%.+}} [2, 6, 5] [1, 1, 2]
func.func @channels_first(%x: tensor<2x4x5xf32>, %k: tensor<6x4x4xf32>) -> tensor<2x6x10xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[2, 2]], lhs_dilate = [2]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x5xf32>, tensor<6x4x4xf32>) -> tensor<2x6x10xf32>
  return %0 : tensor<2x6x10xf32>
}

// A kernel dimension of size 1 is no loop: a 1x1 convolution is a matrix product.
// CHECK-LABEL: func.func @pointwise_convolution
// CHECK: indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]
func.func @pointwise_convolution(%x: tensor<2x9x4xf32>, %k: tensor<1x4x6xf32>) -> tensor<2x9x6xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x9x4xf32>, tensor<1x4x6xf32>) -> tensor<2x9x6xf32>
  return %0 : tensor<2x9x6xf32>
}

// The group is a parallel loop of all three tensors, which are split by views.
// CHECK-LABEL: func.func @feature_groups
// CHECK-DAG: [[K:%.+]] = tensor.expand_shape %k {{.*}} output_shape [3, 2, 2, 3] : tensor<3x2x6xf32> into tensor<3x2x2x3xf32>
// CHECK-DAG: [[X:%.+]] = tensor.expand_shape %x {{.*}} output_shape [2, 9, 2, 2] : tensor<2x9x4xf32> into tensor<2x9x2x2xf32>
// CHECK: [[R:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, (d1 + d4), d2, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d2, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins([[X]], [[K]] :
// CHECK: tensor.collapse_shape [[R]] {{.*}} : tensor<2x7x2x3xf32> into tensor<2x7x6xf32>
func.func @feature_groups(%x: tensor<2x9x4xf32>, %k: tensor<3x2x6xf32>) -> tensor<2x7x6xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<2x9x4xf32>, tensor<3x2x6xf32>) -> tensor<2x7x6xf32>
  return %0 : tensor<2x7x6xf32>
}

// Groups of one feature are the dimensions as they are.
// CHECK-LABEL: func.func @depthwise
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, (d1 + d3), d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>], {{.*}} ins(%x, %k :
// CHECK-NOT: collapse_shape
func.func @depthwise(%x: tensor<2x9x4xf32>, %k: tensor<3x1x4xf32>) -> tensor<2x7x4xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<2x9x4xf32>, tensor<3x1x4xf32>) -> tensor<2x7x4xf32>
  return %0 : tensor<2x7x4xf32>
}

// CHECK-LABEL: func.func @batch_groups
// CHECK: [[X:%.+]] = tensor.expand_shape %x {{.*}} output_shape [2, 3, 9, 4] : tensor<6x9x4xf32> into tensor<2x3x9x4xf32>
// CHECK: [[R:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d0, (d1 + d4), d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d2, d3)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>]
// CHECK: tensor.collapse_shape [[R]] {{.*}} : tensor<3x7x2x5xf32> into tensor<3x7x10xf32>
func.func @batch_groups(%x: tensor<6x9x4xf32>, %k: tensor<3x4x10xf32>) -> tensor<3x7x10xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
      {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<6x9x4xf32>, tensor<3x4x10xf32>) -> tensor<3x7x10xf32>
  return %0 : tensor<3x7x10xf32>
}

// Short rows of places, many features: features are contiguous, and a transpose follows.
// CHECK-LABEL: func.func @short_rows
// CHECK: [[R:%.+]] = linalg.generic {{.*}} ins({{.*}}) outs({{%.+}} : tensor<2x5x5x32xf32>)
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins([[R]] :
func.func @short_rows(%x: tensor<2x4x7x7xf32>, %k: tensor<32x4x3x3xf32>) -> tensor<2x32x5x5xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x4x7x7xf32>, tensor<32x4x3x3xf32>) -> tensor<2x32x5x5xf32>
  return %0 : tensor<2x32x5x5xf32>
}

// Images with features in front: transposed into the padded input, and so are the results.
// CHECK-LABEL: func.func @moved_features
// CHECK: [[X:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x :
// CHECK: [[PADDED:%.+]] = tensor.insert_slice [[X]] into {{%.+}} [2, 20, 28, 16] {{.*}} : tensor<2x20x28x16xf32> into tensor<2x22x30x16xf32>
// CHECK: [[R:%.+]] = linalg.generic {{.*}} ins([[PADDED]], %k :{{.*}}) outs({{%.+}} : tensor<2x20x28x32xf32>)
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins([[R]] :
func.func @moved_features(%x: tensor<2x16x20x28xf32>, %k: tensor<32x16x3x3xf32>) -> tensor<2x32x20x28xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x16x20x28xf32>, tensor<32x16x3x3xf32>) -> tensor<2x32x20x28xf32>
  return %0 : tensor<2x32x20x28xf32>
}
