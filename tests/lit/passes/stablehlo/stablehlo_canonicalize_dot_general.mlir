// RUN: xla-opt %s -p stablehlo-canonicalize-dot-general | filecheck %s

// One dimension of each kind: nothing to do, whatever their order.

// CHECK-LABEL: func.func @canonical
// CHECK-NEXT:    [[A:%.+]] = stablehlo.dot_general {{%.+}}, {{%.+}}, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, HIGHEST] : (tensor<4x8x5xf32>, tensor<4x6x8xf32>) -> tensor<4x5x6xf32>
// CHECK-NEXT:    func.return [[A]]
func.func @canonical(%a: tensor<4x8x5xf32>, %b: tensor<4x6x8xf32>) -> tensor<4x5x6xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, HIGHEST] : (tensor<4x8x5xf32>, tensor<4x6x8xf32>) -> tensor<4x5x6xf32>
  func.return %0 : tensor<4x5x6xf32>
}

// Two batch dimensions and a transposed operand.

// CHECK-LABEL: func.func @attention
// CHECK-SAME:  ([[Q:%.+]]: tensor<2x4x16x8xf32>, [[K:%.+]]: tensor<2x4x16x8xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.reshape [[Q]] : (tensor<2x4x16x8xf32>) -> tensor<8x16x8xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.reshape [[K]] : (tensor<2x4x16x8xf32>) -> tensor<8x16x8xf32>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.dot_general [[A]], [[B]], batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x16x8xf32>, tensor<8x16x8xf32>) -> tensor<8x16x16xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.reshape [[C]] : (tensor<8x16x16xf32>) -> tensor<2x4x16x16xf32>
// CHECK-NEXT:    func.return [[D]]
func.func @attention(%q: tensor<2x4x16x8xf32>, %k: tensor<2x4x16x8xf32>) -> tensor<2x4x16x16xf32> {
  %0 = stablehlo.transpose %k, dims = [0, 1, 3, 2] : (tensor<2x4x16x8xf32>) -> tensor<2x4x8x16xf32>
  %1 = stablehlo.dot_general %q, %0, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x16x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x16x16xf32>
  func.return %1 : tensor<2x4x16x16xf32>
}

// Folding the transpose would tear the batch dimensions apart: it stays.

// CHECK-LABEL: func.func @useful_transpose
// CHECK-SAME:  ([[A:%.+]]: tensor<2x16x4x8xf32>, [[B:%.+]]: tensor<2x4x8x5xf32>)
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose [[A]], dims = [0, 2, 1, 3]
// CHECK-NEXT:    [[L:%.+]] = stablehlo.reshape [[T]] : (tensor<2x4x16x8xf32>) -> tensor<8x16x8xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[B]] : (tensor<2x4x8x5xf32>) -> tensor<8x8x5xf32>
// CHECK-NEXT:    stablehlo.dot_general [[L]], [[R]], batching_dims = [0] x [0], contracting_dims = [2] x [1]
func.func @useful_transpose(%a: tensor<2x16x4x8xf32>, %b: tensor<2x4x8x5xf32>) -> tensor<2x4x16x5xf32> {
  %0 = stablehlo.transpose %a, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %1 = stablehlo.dot_general %0, %b, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x16x8xf32>, tensor<2x4x8x5xf32>) -> tensor<2x4x16x5xf32>
  func.return %1 : tensor<2x4x16x5xf32>
}

// Contracting dimensions may be listed in any order as long as both sides agree.

// CHECK-LABEL: func.func @contracting_order
// CHECK-SAME:  ([[A:%.+]]: tensor<3x4x5xf32>, [[B:%.+]]: tensor<4x5x6xf32>)
// CHECK-NEXT:    [[L:%.+]] = stablehlo.reshape [[A]] : (tensor<3x4x5xf32>) -> tensor<3x20xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[B]] : (tensor<4x5x6xf32>) -> tensor<20x6xf32>
// CHECK-NEXT:    stablehlo.dot_general [[L]], [[R]], contracting_dims = [1] x [0] : (tensor<3x20xf32>, tensor<20x6xf32>) -> tensor<3x6xf32>
// CHECK-NEXT:    func.return
func.func @contracting_order(%a: tensor<3x4x5xf32>, %b: tensor<4x5x6xf32>) -> tensor<3x6xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [2, 1] x [1, 0] : (tensor<3x4x5xf32>, tensor<4x5x6xf32>) -> tensor<3x6xf32>
  func.return %0 : tensor<3x6xf32>
}

// The contracting dimensions lie in different orders: the smaller side is transposed.

// CHECK-LABEL: func.func @contracting_transposed
// CHECK-SAME:  ([[A:%.+]]: tensor<3x4x5xf32>, [[B:%.+]]: tensor<5x4x2xf32>)
// CHECK-NEXT:    [[L:%.+]] = stablehlo.reshape [[A]] : (tensor<3x4x5xf32>) -> tensor<3x20xf32>
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose [[B]], dims = [2, 1, 0] : (tensor<5x4x2xf32>) -> tensor<2x4x5xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[T]] : (tensor<2x4x5xf32>) -> tensor<2x20xf32>
// CHECK-NEXT:    stablehlo.dot_general [[L]], [[R]], contracting_dims = [1] x [1] : (tensor<3x20xf32>, tensor<2x20xf32>) -> tensor<3x2xf32>
func.func @contracting_transposed(%a: tensor<3x4x5xf32>, %b: tensor<5x4x2xf32>) -> tensor<3x2xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1, 2] x [1, 0] : (tensor<3x4x5xf32>, tensor<5x4x2xf32>) -> tensor<3x2xf32>
  func.return %0 : tensor<3x2xf32>
}

// Free dimensions on both sides of the contracting one.

// CHECK-LABEL: func.func @split_free
// CHECK-SAME:  ([[A:%.+]]: tensor<3x4x1x5xf32>, [[B:%.+]]: tensor<4xf32>)
// CHECK-NEXT:    [[U:%.+]] = stablehlo.reshape [[A]] : (tensor<3x4x1x5xf32>) -> tensor<3x4x5xf32>
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose [[U]], dims = [0, 2, 1] : (tensor<3x4x5xf32>) -> tensor<3x5x4xf32>
// CHECK-NEXT:    [[L:%.+]] = stablehlo.reshape [[T]] : (tensor<3x5x4xf32>) -> tensor<15x4xf32>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.dot_general [[L]], [[B]], contracting_dims = [1] x [0] : (tensor<15x4xf32>, tensor<4xf32>) -> tensor<15xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.reshape [[C]] : (tensor<15xf32>) -> tensor<3x1x5xf32>
// CHECK-NEXT:    func.return [[D]]
func.func @split_free(%a: tensor<3x4x1x5xf32>, %b: tensor<4xf32>) -> tensor<3x1x5xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x4x1x5xf32>, tensor<4xf32>) -> tensor<3x1x5xf32>
  func.return %0 : tensor<3x1x5xf32>
}

// A transposed result exchanges the operands, and their precisions with them.

// CHECK-LABEL: func.func @transposed_result
// CHECK-SAME:  ([[A:%.+]]: tensor<3x4xf32>, [[B:%.+]]: tensor<5x4xf32>)
// CHECK-NEXT:    [[C:%.+]] = stablehlo.dot_general [[B]], [[A]], contracting_dims = [1] x [1], precision = [HIGHEST, DEFAULT] : (tensor<5x4xf32>, tensor<3x4xf32>) -> tensor<5x3xf32>
// CHECK-NEXT:    func.return [[C]]
func.func @transposed_result(%a: tensor<3x4xf32>, %b: tensor<5x4xf32>) -> tensor<5x3xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1], precision = [DEFAULT, HIGHEST] : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
  func.return %1 : tensor<5x3xf32>
}

// Not if the product is used as it is, or the batch moves.

// CHECK-LABEL: func.func @transpose_stays
// CHECK:         stablehlo.dot_general
// CHECK-NEXT:    stablehlo.transpose
// CHECK:         stablehlo.dot_general
// CHECK-NEXT:    stablehlo.transpose
func.func @transpose_stays(%a: tensor<3x4xf32>, %b: tensor<5x4xf32>, %c: tensor<2x3x4xf32>, %d: tensor<2x4x5xf32>) -> (tensor<3x5xf32>, tensor<5x3xf32>, tensor<3x5x2xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %2 = stablehlo.dot_general %c, %d, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %3 = stablehlo.transpose %2, dims = [1, 2, 0] : (tensor<2x3x5xf32>) -> tensor<3x5x2xf32>
  func.return %0, %1, %3 : tensor<3x5xf32>, tensor<5x3xf32>, tensor<3x5x2xf32>
}

// Without contracting dimensions (or with some of size 1): a product of broadcasts.

// CHECK-LABEL: func.func @outer_product
// CHECK-SAME:  ([[A:%.+]]: tensor<3x1xf32>, [[B:%.+]]: tensor<1x5xf32>)
// CHECK-DAG:     [[X:%.+]] = stablehlo.reshape [[A]] : (tensor<3x1xf32>) -> tensor<3xf32>
// CHECK-DAG:     [[Y:%.+]] = stablehlo.reshape [[B]] : (tensor<1x5xf32>) -> tensor<5xf32>
// CHECK-NEXT:    [[L:%.+]] = stablehlo.broadcast_in_dim [[X]], dims = [0] : (tensor<3xf32>) -> tensor<3x5xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.broadcast_in_dim [[Y]], dims = [1] : (tensor<5xf32>) -> tensor<3x5xf32>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.multiply [[L]], [[R]]
// CHECK-NEXT:    func.return [[C]]
func.func @outer_product(%a: tensor<3x1xf32>, %b: tensor<1x5xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x1xf32>, tensor<1x5xf32>) -> tensor<3x5xf32>
  func.return %0 : tensor<3x5xf32>
}

// Elements that are converted on the way keep the product.

// CHECK-LABEL: func.func @widening_outer_product
// CHECK:         stablehlo.dot_general {{%.+}}, {{%.+}}, contracting_dims = [] x [] : (tensor<3xi8>, tensor<5xi8>) -> tensor<3x5xi32>
func.func @widening_outer_product(%a: tensor<3xi8>, %b: tensor<5xi8>) -> tensor<3x5xi32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<3xi8>, tensor<5xi8>) -> tensor<3x5xi32>
  func.return %0 : tensor<3x5xi32>
}

// An empty sum.

// CHECK-LABEL: func.func @contracting_nothing
// CHECK-NEXT:    stablehlo.dot_general {{%.+}}, {{%.+}}, contracting_dims = [1] x [0] : (tensor<3x0xf32>, tensor<0x5xf32>) -> tensor<3x5xf32>
func.func @contracting_nothing(%a: tensor<3x0xf32>, %b: tensor<0x5xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x0xf32>, tensor<0x5xf32>) -> tensor<3x5xf32>
  func.return %0 : tensor<3x5xf32>
}
