// RUN: xla-opt %s -p stablehlo-simplify | filecheck %s

// Constant start indices are clamped now.

// CHECK-LABEL: func.func @dynamic_slice
// CHECK-SAME:  ([[X:%.+]]: tensor<8x4xf32>, [[I:%.+]]: tensor<i32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.slice [[X]] [5:8, 0:2] : (tensor<8x4xf32>) -> tensor<3x2xf32>
// CHECK-NEXT:    [[ZERO:%.+]] = stablehlo.constant dense<0>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.dynamic_slice [[X]], [[I]], [[ZERO]], sizes = [3, 4]
// CHECK-NEXT:    func.return [[A]], [[B]], [[X]]
func.func @dynamic_slice(%x: tensor<8x4xf32>, %i: tensor<i32>) -> (tensor<3x2xf32>, tensor<3x4xf32>, tensor<8x4xf32>) {
  %c7 = stablehlo.constant dense<7> : tensor<i32>
  %cm1 = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %c7, %cm1, sizes = [3, 2] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.dynamic_slice %x, %i, %c0, sizes = [3, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  %2 = stablehlo.dynamic_slice %x, %i, %i, sizes = [8, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<8x4xf32>
  func.return %0, %1, %2 : tensor<3x2xf32>, tensor<3x4xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @dynamic_update_slice
// CHECK-SAME:  ([[X:%.+]]: tensor<8xf32>, [[U:%.+]]: tensor<8xf32>, [[V:%.+]]: tensor<3xf32>
// CHECK-NEXT:    [[I:%.+]] = stablehlo.constant dense<2>
// CHECK-NEXT:    [[A:%.+]] = stablehlo.dynamic_update_slice [[X]], [[V]], [[I]]
// CHECK-NEXT:    func.return [[U]], [[A]]
func.func @dynamic_update_slice(%x: tensor<8xf32>, %u: tensor<8xf32>, %v: tensor<3xf32>, %i: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<8xf32>, tensor<8xf32>, tensor<i32>) -> tensor<8xf32>
  %c2 = stablehlo.constant dense<2> : tensor<i32>
  %1 = stablehlo.dynamic_update_slice %x, %v, %c2 : (tensor<8xf32>, tensor<3xf32>, tensor<i32>) -> tensor<8xf32>
  func.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// A gather at one index vector: a slice, and a dynamic slice.

// CHECK-LABEL: func.func @gather_of_one
// CHECK-SAME:  ([[X:%.+]]: tensor<8x4xf32>, [[I:%.+]]: tensor<2xi32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.slice [[X]] [3:4, 1:3]
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[A]] : (tensor<1x2xf32>) -> tensor<2xf32>
// CHECK:         [[B:%.+]] = stablehlo.dynamic_slice [[X]], {{%.+}}, {{%.+}}, sizes = [1, 2]
// CHECK-NEXT:    [[S:%.+]] = stablehlo.reshape [[B]] : (tensor<1x2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    func.return [[R]], [[S]]
func.func @gather_of_one(%x: tensor<8x4xf32>, %i: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c = stablehlo.constant dense<[3, 1]> : tensor<2xi32>
  %0 = "stablehlo.gather"(%x, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 1]>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x4xf32>, tensor<2xi32>) -> tensor<2xf32>
  %1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 1]>, slice_sizes = array<i64: 1, 2>}> : (tensor<8x4xf32>, tensor<2xi32>) -> tensor<2xf32>
  func.return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @gather_of_many
// CHECK-NEXT:    "stablehlo.gather"
func.func @gather_of_many(%x: tensor<8xf32>, %i: tensor<5x1xi32>) -> tensor<5xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<8xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  func.return %0 : tensor<5xf32>
}

// CHECK-LABEL: func.func @scatter_of_window
// CHECK-SAME:  ([[X:%.+]]: tensor<8x4xf32>, [[U:%.+]]: tensor<2xf32>)
// CHECK-NEXT:    [[W:%.+]] = stablehlo.reshape [[U]] : (tensor<2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT:    [[I:%.+]] = stablehlo.constant dense<6> : tensor<i32>
// CHECK-NEXT:    [[J:%.+]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK-NEXT:    [[A:%.+]] = stablehlo.dynamic_update_slice [[X]], [[W]], [[I]], [[J]]
// CHECK-NEXT:    func.return [[A]]
func.func @scatter_of_window(%x: tensor<8x4xf32>, %u: tensor<2xf32>) -> tensor<8x4xf32> {
  %c = stablehlo.constant dense<6> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %c, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8x4xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<8x4xf32>
  func.return %0 : tensor<8x4xf32>
}

// Out of bounds: a scatter drops the update, a dynamic_update_slice would move it.

// CHECK-LABEL: func.func @scatter_out_of_bounds
// CHECK:         "stablehlo.scatter"
func.func @scatter_out_of_bounds(%x: tensor<8xf32>, %u: tensor<3xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<6> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %c, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}

// The index is not known, or the old value is combined with the update.

// CHECK-LABEL: func.func @scatter_stays
// CHECK:         "stablehlo.scatter"
// CHECK:         "stablehlo.scatter"
func.func @scatter_stays(%x: tensor<8xf32>, %u: tensor<3xf32>, %i: tensor<1xi32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<8xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<8xf32>
  %c = stablehlo.constant dense<2> : tensor<1xi32>
  %1 = "stablehlo.scatter"(%x, %c, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<8xf32>, tensor<1xi32>, tensor<3xf32>) -> tensor<8xf32>
  func.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
