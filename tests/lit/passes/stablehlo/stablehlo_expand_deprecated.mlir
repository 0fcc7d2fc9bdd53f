// RUN: xla-opt %s -p stablehlo-expand-deprecated | filecheck %s

// CHECK-LABEL: func.func @broadcast
// CHECK-NEXT:    stablehlo.broadcast_in_dim %{{.+}}, dims = [2] : (tensor<3xf32>) -> tensor<2x1x3xf32>
func.func @broadcast(%x: tensor<3xf32>) -> tensor<2x1x3xf32> {
  %0 = stablehlo.broadcast %x, sizes = [2, 1] : (tensor<3xf32>) -> tensor<2x1x3xf32>
  return %0 : tensor<2x1x3xf32>
}

// CHECK-LABEL: func.func @dot
// CHECK-NEXT:    stablehlo.dot_general %{{.+}}, %{{.+}}, contracting_dims = [1] x [0], precision = [HIGH, HIGH] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
func.func @dot(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.dot %x, %y, precision = [HIGH, HIGH] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @create_token
// CHECK-NEXT:    stablehlo.after_all : !stablehlo.token
func.func @create_token() -> !stablehlo.token {
  %0 = stablehlo.create_token : !stablehlo.token
  return %0 : !stablehlo.token
}

// CHECK-LABEL: func.func @einsum
// CHECK-NEXT:    [[A:%.+]] = stablehlo.dot_general %{{.+}}, %{{.+}}, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.transpose [[A]], dims = [0, 2, 1] : (tensor<2x3x5xf32>) -> tensor<2x5x3xf32>
// CHECK-NEXT:    func.return [[B]]
func.func @einsum(%x: tensor<2x3x4xf32>, %y: tensor<2x5x4xf32>) -> tensor<2x5x3xf32> {
  %0 = stablehlo.einsum %x, %y, config = "bij,bkj->bki" : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x3xf32>
  return %0 : tensor<2x5x3xf32>
}

// A dimension of one operand alone is summed first, in f32; a diagonal is a sum of a masked operand.

// CHECK-LABEL: func.func @einsum_of_a_diagonal
// CHECK-SAME:    ([[X:%.+]]: tensor<3x3xbf16>, [[Y:%.+]]: tensor<3x4xbf16>)
// CHECK:         [[P:%.+]] = stablehlo.compare EQ
// CHECK:         [[M:%.+]] = stablehlo.select [[P]], [[X]]
// CHECK:         [[D:%.+]] = stablehlo.reduce([[M]] init: %{{.+}}) applies stablehlo.add across dimensions = [1]
// CHECK:         [[W:%.+]] = stablehlo.convert [[Y]] : (tensor<3x4xbf16>) -> tensor<3x4xf32>
// CHECK:         [[S:%.+]] = stablehlo.reduce([[W]] init: %{{.+}}) applies stablehlo.add across dimensions = [1]
// CHECK-NEXT:    [[N:%.+]] = stablehlo.convert [[S]] : (tensor<3xf32>) -> tensor<3xbf16>
// CHECK-NEXT:    stablehlo.dot_general [[D]], [[N]], batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xbf16>
func.func @einsum_of_a_diagonal(%x: tensor<3x3xbf16>, %y: tensor<3x4xbf16>) -> tensor<3xbf16> {
  %0 = stablehlo.einsum %x, %y, config = "aa,ab->a" : (tensor<3x3xbf16>, tensor<3x4xbf16>) -> tensor<3xbf16>
  return %0 : tensor<3xbf16>
}

// CHECK-LABEL: func.func @unary_einsum
// CHECK:         [[A:%.+]] = stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x4xf32>
// CHECK-NEXT:    stablehlo.transpose [[A]], dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
func.func @unary_einsum(%x: tensor<2x3x4xf32>) -> tensor<4x2xf32> {
  %0 = stablehlo.unary_einsum %x, config = "abc->ca" : (tensor<2x3x4xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @torch_index_select
// CHECK-NEXT:    "stablehlo.gather"(%{{.+}}, %{{.+}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>
// CHECK-SAME:    slice_sizes = array<i64: 1, 3, 1, 6>
func.func @torch_index_select(%x: tensor<2x3x5x6xf32>, %i: tensor<2x4xi32>) -> tensor<2x3x4x6xf32> {
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 1 : i64, dim = 2 : i64}> : (tensor<2x3x5x6xf32>, tensor<2x4xi32>) -> tensor<2x3x4x6xf32>
  return %0 : tensor<2x3x4x6xf32>
}
