// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// A broadcast is a projection; an expanded dimension of size 1 is read at 0.
// CHECK-LABEL: func.func @broadcast
// CHECK: indexing_maps = [affine_map<(d0, d1, d2) -> (d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
// CHECK-SAME: ins(%x : tensor<3x1xf32>)
func.func @broadcast(%x: tensor<3x1xf32>) -> tensor<2x3x4xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<3x1xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// Dimensions may be permuted, and a dimension of size 1 that stays is no expansion.
// CHECK-LABEL: func.func @broadcast_permuted
// CHECK: indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
func.func @broadcast_permuted(%x: tensor<3x1xf32>) -> tensor<1x2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<3x1xf32>) -> tensor<1x2x3xf32>
  return %0 : tensor<1x2x3xf32>
}

// CHECK-LABEL: func.func @transpose
// CHECK: indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>]
func.func @transpose(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return %0 : tensor<4x2x3xf32>
}

// The first elements of a dimension are read modulo its size: linalg wants an operand that is indexed by a plain loop
// dimension to have the extent of that loop.
// CHECK-LABEL: func.func @slice
// CHECK: indexing_maps = [affine_map<(d0, d1, d2, d3) -> (((d0 * 2) + 1), (d1 mod 8), d2, 5)>,
func.func @slice(%x: tensor<8x8x8x8xf32>) -> tensor<3x4x8x1xf32> {
  %0 = stablehlo.slice %x [1:7:2, 0:4, 0:8, 5:6] : (tensor<8x8x8x8xf32>) -> tensor<3x4x8x1xf32>
  return %0 : tensor<3x4x8x1xf32>
}

// CHECK-LABEL: func.func @reverse
// CHECK: indexing_maps = [affine_map<(d0, d1) -> (d0, ((d1 * -1) + 4))>,
func.func @reverse(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @iota
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs
// CHECK: [[I:%.+]] = linalg.index 1 : index
// CHECK-NEXT: arith.index_cast [[I]] : index to i32
// CHECK: [[J:%.+]] = linalg.index 0 : index
// CHECK-NEXT: [[K:%.+]] = arith.index_cast [[J]] : index to i32
// CHECK-NEXT: arith.sitofp [[K]] : i32 to f32
func.func @iota() -> (tensor<3x5xui32>, tensor<3x5xf32>) {
  %0 = stablehlo.iota dim = 1 : tensor<3x5xui32>
  %1 = stablehlo.iota dim = 0 : tensor<3x5xf32>
  return %0, %1 : tensor<3x5xui32>, tensor<3x5xf32>
}

// Reshapes are views: one where one is enough, else the coarsest common shape lies in between.
// CHECK-LABEL: func.func @reshape
// CHECK-NEXT: tensor.collapse_shape %x {{\[}}[0 : i64, 1 : i64], [2 : i64]] : tensor<2x3x4xf32> into tensor<6x4xf32>
// CHECK-NEXT: tensor.expand_shape %x {{\[}}[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [2, 3, 2, 2] : tensor<2x3x4xf32> into tensor<2x3x2x2xf32>
// CHECK-NEXT: [[C:%.+]] = tensor.collapse_shape %x {{\[}}[0 : i64, 1 : i64], [2 : i64]] : tensor<2x3x4xf32> into tensor<6x4xf32>
// CHECK-NEXT: tensor.expand_shape [[C]] {{\[}}[0 : i64, 1 : i64], [2 : i64]] output_shape [3, 2, 4] : tensor<6x4xf32> into tensor<3x2x4xf32>
// CHECK-NEXT: [[F:%.+]] = tensor.collapse_shape %x {{\[}}[0 : i64, 1 : i64, 2 : i64]] : tensor<2x3x4xf32> into tensor<24xf32>
// CHECK-NEXT: tensor.expand_shape [[F]] {{\[}}[0 : i64, 1 : i64]] output_shape [8, 3] : tensor<24xf32> into tensor<8x3xf32>
func.func @reshape(%x: tensor<2x3x4xf32>) -> (tensor<6x4xf32>, tensor<2x3x2x2xf32>, tensor<3x2x4xf32>, tensor<8x3xf32>) {
  %0 = stablehlo.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.reshape %x : (tensor<2x3x4xf32>) -> tensor<2x3x2x2xf32>
  %2 = stablehlo.reshape %x : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %3 = stablehlo.reshape %x : (tensor<2x3x4xf32>) -> tensor<8x3xf32>
  return %0, %1, %2, %3 : tensor<6x4xf32>, tensor<2x3x2x2xf32>, tensor<3x2x4xf32>, tensor<8x3xf32>
}

// Dimensions are added to rank 0 by an indexing map: xDSL's tensor.expand_shape does not take rank 0.
// CHECK-LABEL: func.func @reshape_rank_0_and_empty
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK: tensor.collapse_shape %y [] : tensor<1x1xf32> into tensor<f32>
// CHECK-NEXT: tensor.empty() : tensor<5x0xf32>
func.func @reshape_rank_0_and_empty(%x: tensor<f32>, %y: tensor<1x1xf32>, %e: tensor<0x3xf32>)
    -> (tensor<1x1xf32>, tensor<f32>, tensor<5x0xf32>) {
  %0 = stablehlo.reshape %x : (tensor<f32>) -> tensor<1x1xf32>
  %1 = stablehlo.reshape %y : (tensor<1x1xf32>) -> tensor<f32>
  %2 = stablehlo.reshape %e : (tensor<0x3xf32>) -> tensor<5x0xf32>
  return %0, %1, %2 : tensor<1x1xf32>, tensor<f32>, tensor<5x0xf32>
}

// CHECK-LABEL: func.func @concatenate
// CHECK-NEXT: [[E:%.+]] = tensor.empty() : tensor<2x5xf32>
// CHECK-NEXT: [[R:%.+]] = tensor.insert_slice %x into [[E]][0, 0] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<2x5xf32>
// CHECK-NEXT: tensor.insert_slice %y into [[R]][0, 1] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<2x5xf32>
func.func @concatenate(%x: tensor<2x1xf32>, %e: tensor<2x0xf32>, %y: tensor<2x4xf32>) -> tensor<2x5xf32> {
  %0 = stablehlo.concatenate %x, %e, %y, dim = 1 : (tensor<2x1xf32>, tensor<2x0xf32>, tensor<2x4xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// Interior padding is the stride of the slice that is written.
// CHECK-LABEL: func.func @pad
// CHECK: [[V:%.+]] = arith.constant 1.500000e+00 : f32
// CHECK: [[F:%.+]] = linalg.fill ins([[V]] : f32) outs({{%.+}} : tensor<9x4xf32>) -> tensor<9x4xf32>
// CHECK-NEXT: tensor.insert_slice %x into [[F]][1, 0] [3, 4] [3, 1] : tensor<3x4xf32> into tensor<9x4xf32>
func.func @pad(%x: tensor<3x4xf32>) -> tensor<9x4xf32> {
  %v = stablehlo.constant dense<1.5> : tensor<f32>
  %0 = stablehlo.pad %x, %v, low = [1, 0], high = [1, 0], interior = [2, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}

// Negative padding cuts the operand first; with nothing to fill that is all.
// CHECK-LABEL: func.func @pad_negative
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ((d0 + 1), (d1 mod 4))>,
// CHECK-SAME: outs({{%.+}} : tensor<2x3xf32>)
// CHECK: tensor.insert_slice {{%.+}} into {{%.+}}[1, 0] [2, 3] [3, 1] : tensor<2x3xf32> into tensor<5x3xf32>
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ((d0 + 1), d1)>,
// CHECK-NOT: tensor.insert_slice
func.func @pad_negative(%x: tensor<3x4xf32>) -> (tensor<5x3xf32>, tensor<2x4xf32>) {
  %v = stablehlo.constant dense<1.5> : tensor<f32>
  %0 = stablehlo.pad %x, %v, low = [-2, 0], high = [0, -1], interior = [2, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<5x3xf32>
  %1 = stablehlo.pad %x, %v, low = [-1, 0], high = [0, 0], interior = [0, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<5x3xf32>, tensor<2x4xf32>
}

// A padding value that is not constant fills through a generic.
// CHECK-LABEL: func.func @pad_value
// CHECK: [[F:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v : tensor<f32>) outs({{%.+}} : tensor<5xf32>)
// CHECK: tensor.insert_slice %x into [[F]][2] [3] [1]
func.func @pad_value(%x: tensor<3xf32>, %v: tensor<f32>) -> tensor<5xf32> {
  %0 = stablehlo.pad %x, %v, low = [2], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// Constants that are no splat, and constants that leave the function, are tensors; unsigned ones lose their sign.
// A splat that the program did not spell out is filled.
// CHECK-LABEL: func.func @constants
// CHECK-DAG: arith.constant dense<[1, 2, -1]> : tensor<3xi8>
// CHECK-DAG: arith.constant dense<4.000000e+00> : tensor<2xf32>
// CHECK: linalg.fill {{.*}} -> tensor<2x2xf32>
func.func @constants() -> (tensor<3xui8>, tensor<2xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.constant dense<[1, 2, 255]> : tensor<3xui8>
  %1 = stablehlo.constant dense<4.0> : tensor<2xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<3xui8>, tensor<2xf32>, tensor<2x2xf32>
}

// Nothing is computed for a tensor without elements.
// CHECK-LABEL: func.func @slice_of_nothing
// CHECK-NEXT: %[[EMPTY:.*]] = tensor.empty() : tensor<0x8xf32>
// CHECK-NEXT: return %[[EMPTY]]
func.func @slice_of_nothing(%x: tensor<2x8xf32>) -> tensor<0x8xf32> {
  %0 = stablehlo.slice %x [2:2:2, 0:8] : (tensor<2x8xf32>) -> tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}
