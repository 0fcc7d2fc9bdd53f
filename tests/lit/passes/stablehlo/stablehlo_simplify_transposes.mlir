// RUN: xla-opt %s -p stablehlo-simplify | filecheck %s

// A product of the columns of a matrix, less their means: all of it goes through rows.

// CHECK-LABEL: func.func @covariance
// CHECK-SAME:  ([[X:%.+]]: tensor<200x70xf32>, [[M:%.+]]: tensor<70xf32>)
// CHECK-NEXT:    [[B:%.+]] = stablehlo.broadcast_in_dim [[M]], dims = [1] : (tensor<70xf32>) -> tensor<200x70xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.subtract [[X]], [[B]] : tensor<200x70xf32>
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose [[D]], dims = [1, 0]
// CHECK-NEXT:    [[P:%.+]] = stablehlo.dot_general [[T]], [[T]]
// CHECK-NEXT:    func.return [[P]]
func.func @covariance(%x: tensor<200x70xf32>, %mean: tensor<70xf32>) -> tensor<70x70xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<200x70xf32>) -> tensor<70x200xf32>
  %1 = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<70xf32>) -> tensor<70x200xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<70x200xf32>
  %3 = stablehlo.dot_general %2, %2, contracting_dims = [1] x [1] : (tensor<70x200xf32>, tensor<70x200xf32>) -> tensor<70x70xf32>
  func.return %3 : tensor<70x70xf32>
}

// CHECK-LABEL: func.func @reduced
// CHECK-SAME:  ([[X:%.+]]: tensor<2x3x5xf32>, [[I:%.+]]: tensor<f32>)
// CHECK-NEXT:    [[S:%.+]] = stablehlo.reduce([[X]] init: [[I]]) applies stablehlo.add across dimensions = [1] : (tensor<2x3x5xf32>, tensor<f32>) -> tensor<2x5xf32>
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose [[S]], dims = [1, 0]
// CHECK-NEXT:    func.return [[T]]
func.func @reduced(%x: tensor<2x3x5xf32>, %init: tensor<f32>) -> tensor<5x2xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x5xf32>) -> tensor<5x2x3xf32>
  %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.add across dimensions = [2] : (tensor<5x2x3xf32>, tensor<f32>) -> tensor<5x2xf32>
  func.return %1 : tensor<5x2xf32>
}

// What is a result stays as it is, and so does what reads a product.

// CHECK-LABEL: func.func @result
// CHECK:         stablehlo.transpose
// CHECK-NEXT:    stablehlo.exponential
// CHECK-LABEL: func.func @product
// CHECK:         stablehlo.dot_general
// CHECK-NEXT:    stablehlo.transpose
// CHECK-NEXT:    stablehlo.exponential
func.func @result(%x: tensor<200x70xf32>) -> tensor<70x200xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<200x70xf32>) -> tensor<70x200xf32>
  %1 = stablehlo.exponential %0 : tensor<70x200xf32>
  func.return %1 : tensor<70x200xf32>
}
func.func @product(%x: tensor<200x70xf32>, %y: tensor<70x7xf32>, %z: tensor<200x3xf32>) -> tensor<7x3xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<200x70xf32>, tensor<70x7xf32>) -> tensor<200x7xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<200x7xf32>) -> tensor<7x200xf32>
  %2 = stablehlo.exponential %1 : tensor<7x200xf32>
  %3 = stablehlo.dot_general %2, %z, contracting_dims = [1] x [0] : (tensor<7x200xf32>, tensor<200x3xf32>) -> tensor<7x3xf32>
  func.return %3 : tensor<7x3xf32>
}

// Bounds of sizes stay: equal ops become one where there are some, and no more.

// CHECK-LABEL: func.func @bounded
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reduce([[T]] init: {{%.+}}) applies stablehlo.add across dimensions = [0] : (tensor<64x?xf32, #stablehlo.bounds<?, 32>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<32>>
// CHECK-NEXT:    func.return [[R]], [[T]], [[T]]
func.func @bounded(%x: tensor<?x64xf32, #stablehlo.bounds<32, ?>>, %z: tensor<f32>) -> (tensor<?xf32, #stablehlo.bounds<32>>, tensor<64x?xf32, #stablehlo.bounds<?, 32>>, tensor<64x?xf32, #stablehlo.bounds<?, 32>>) {
  %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x64xf32, #stablehlo.bounds<32, ?>>) -> tensor<64x?xf32, #stablehlo.bounds<?, 32>>
  %u = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x64xf32, #stablehlo.bounds<32, ?>>) -> tensor<64x?xf32, #stablehlo.bounds<?, 32>>
  %0 = stablehlo.reduce(%t init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64x?xf32, #stablehlo.bounds<?, 32>>, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<32>>
  func.return %0, %t, %u : tensor<?xf32, #stablehlo.bounds<32>>, tensor<64x?xf32, #stablehlo.bounds<?, 32>>, tensor<64x?xf32, #stablehlo.bounds<?, 32>>
}
