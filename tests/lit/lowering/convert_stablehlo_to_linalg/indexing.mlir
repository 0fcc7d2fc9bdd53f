// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// Start indices are operands of rank 0, clamped in the body; a dimension taken whole has no start.
// CHECK-LABEL: func.func @dynamic_slice
// CHECK: [[LIMIT:%.+]] = arith.constant 6 : i32
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<i32>) outs({{%.+}} : tensor<2x4xf32>)
// CHECK-NEXT: ^bb{{.*}}([[I:%.+]]: i32, {{%.+}}: f32):
// CHECK-NEXT: [[RAISED:%.+]] = arith.maxsi [[I]], {{%.+}} : i32
// CHECK-NEXT: [[LOWERED:%.+]] = arith.minsi [[RAISED]], [[LIMIT]] : i32
// CHECK-NEXT: [[START:%.+]] = arith.index_cast [[LOWERED]] : i32 to index
// CHECK-NEXT: [[D0:%.+]] = linalg.index 0 : index
// CHECK-NEXT: [[ROW:%.+]] = arith.addi [[START]], [[D0]] : index
// CHECK-NEXT: [[D1:%.+]] = linalg.index 1 : index
// CHECK-NEXT: tensor.extract %x{{\[}}[[ROW]], [[D1]]] : tensor<8x4xf32>
func.func @dynamic_slice(%x: tensor<8x4xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x4xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Known starts are clamped at compile time and make it a slice.
// CHECK-LABEL: func.func @known_slice
// CHECK-NOT: tensor.extract
// CHECK: affine_map<(d0, d1) -> ((d0 + 6), d1)>
func.func @known_slice(%x: tensor<8x4xf32>) -> tensor<2x4xf32> {
  %i = stablehlo.constant dense<9> : tensor<i32>
  %j = stablehlo.constant dense<-1> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Offsets of an update are scalars of the function; unsigned ones are clamped as such.
// CHECK-LABEL: func.func @dynamic_update_slice
// CHECK: [[I:%.+]] = tensor.extract %i[] : tensor<i8>
// CHECK-NEXT: [[CLAMPED:%.+]] = arith.minui [[I]], {{%.+}} : i8
// CHECK-NEXT: [[WIDE:%.+]] = arith.extui [[CLAMPED]] : i8 to i64
// CHECK-NEXT: [[START:%.+]] = arith.index_cast [[WIDE]] : i64 to index
// CHECK-NEXT: tensor.insert_slice %y into %x{{\[}}[[START]], 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
func.func @dynamic_update_slice(%x: tensor<8x4xf32>, %y: tensor<2x4xf32>, %i: tensor<ui8>) -> tensor<8x4xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %y, %i, %i : (tensor<8x4xf32>, tensor<2x4xf32>, tensor<ui8>, tensor<ui8>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Rows by index: the index vector comes in as an operand.
// CHECK-LABEL: func.func @take_rows
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<5x1xi32>)
// CHECK: arith.minsi
// CHECK-NEXT: [[START:%.+]] = arith.index_cast
// CHECK-NEXT: [[COLUMN:%.+]] = linalg.index 1 : index
// CHECK-NEXT: tensor.extract %x{{\[}}[[START]], [[COLUMN]]] : tensor<11x4xf32>
func.func @take_rows(%x: tensor<11x4xf32>, %i: tensor<5x1xi32>) -> tensor<5x4xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}>
      : (tensor<11x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// One operand per component of the index vector, wherever it lies; offsets are added to the start.
// CHECK-LABEL: func.func @components
// CHECK: indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (1, d1)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK-SAME: ins(%i, %i : tensor<2x5xi32>, tensor<2x5xi32>)
// CHECK: arith.minsi
// CHECK-NEXT: [[J:%.+]] = arith.index_cast
// CHECK: arith.minsi
// CHECK-NEXT: [[I:%.+]] = arith.index_cast
// CHECK: [[OFFSET:%.+]] = linalg.index 0 : index
// CHECK-NEXT: [[ROW:%.+]] = arith.addi [[I]], [[OFFSET]] : index
// CHECK-NEXT: tensor.extract %x{{\[}}[[ROW]], [[J]]] : tensor<11x4xf32>
func.func @components(%x: tensor<11x4xf32>, %i: tensor<2x5xi32>) -> tensor<3x5xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1, 0], index_vector_dim = 0>, slice_sizes = array<i64: 3, 1>}>
      : (tensor<11x4xf32>, tensor<2x5xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// Batching dimensions are indexed by their loop; a missing index vector dimension makes each index a scalar.
// CHECK-LABEL: func.func @batching
// CHECK: indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK: arith.minsi
// CHECK-NEXT: [[START:%.+]] = arith.index_cast
// CHECK-NEXT: [[BATCH:%.+]] = linalg.index 1 : index
// CHECK-NEXT: tensor.extract %x{{\[}}[[BATCH]], [[START]]] : tensor<3x11xf32>
func.func @batching(%x: tensor<3x11xf32>, %i: tensor<5x3xi32>) -> tensor<5x3xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<3x11xf32>, tensor<5x3xi32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// Rows by index, added up: a row out of bounds is skipped as a whole.
// CHECK-LABEL: func.func @add_rows
// CHECK: scf.for [[N:%.+]] = {{.*}} iter_args([[R:%.+]] = %x) -> (tensor<11x4xf32>)
// CHECK-NEXT: [[I:%.+]] = tensor.extract %i{{\[}}[[N]], {{%.+}}] : tensor<5x1xi32>
// CHECK-NEXT: [[ROW:%.+]] = arith.index_cast [[I]] : i32 to index
// CHECK-NEXT: [[INSIDE:%.+]] = arith.cmpi ult, [[ROW]], {{%.+}} : index
// CHECK-NEXT: scf.if [[INSIDE]] -> (tensor<11x4xf32>)
// CHECK-NEXT: scf.for [[J:%.+]] = {{.*}} iter_args([[S:%.+]] = [[R]]) -> (tensor<11x4xf32>)
// CHECK-NEXT: [[OLD:%.+]] = tensor.extract [[S]]{{\[}}[[ROW]], [[J]]] : tensor<11x4xf32>
// CHECK-NEXT: [[UPDATE:%.+]] = tensor.extract %u{{\[}}[[N]], [[J]]] : tensor<5x4xf32>
// CHECK-NEXT: [[NEW:%.+]] = arith.addf [[OLD]], [[UPDATE]] : f32
// CHECK-NEXT: tensor.insert [[NEW]] into [[S]]{{\[}}[[ROW]], [[J]]] : tensor<11x4xf32>
// CHECK: } else {
// CHECK-NEXT: scf.yield [[R]] : tensor<11x4xf32>
func.func @add_rows(%x: tensor<11x4xf32>, %i: tensor<5x1xi32>, %u: tensor<5x4xf32>) -> tensor<11x4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<11x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<11x4xf32>
  return %0 : tensor<11x4xf32>
}

// A window of more than one element is clipped to what falls into the result; several results are updated together.
// CHECK-LABEL: func.func @windows
// CHECK: [[I:%.+]] = arith.index_cast
// CHECK-NEXT: [[BEFORE:%.+]] = arith.subi {{%.+}}, [[I]] : index
// CHECK-NEXT: [[FIRST:%.+]] = arith.maxsi [[BEFORE]], {{%.+}} : index
// CHECK-NEXT: [[REST:%.+]] = arith.subi {{%.+}}, [[I]] : index
// CHECK-NEXT: [[LAST:%.+]] = arith.minsi [[REST]], {{%.+}} : index
// CHECK-NEXT: scf.for [[J:%.+]] = [[FIRST]] to [[LAST]] step {{%.+}} iter_args([[P:%.+]] = {{%.+}}, [[Q:%.+]] = {{%.+}}) -> (tensor<11xf32>, tensor<11xi32>)
// CHECK-NEXT: [[AT:%.+]] = arith.addi [[I]], [[J]] : index
// CHECK: tensor.insert {{%.+}} into [[P]]{{\[}}[[AT]]] : tensor<11xf32>
// CHECK-NEXT: tensor.insert {{%.+}} into [[Q]]{{\[}}[[AT]]] : tensor<11xi32>
func.func @windows(%x: tensor<11xf32>, %y: tensor<11xi32>, %i: tensor<5x1xi32>, %u: tensor<5x3xf32>, %v: tensor<5x3xi32>)
    -> (tensor<11xf32>, tensor<11xi32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    stablehlo.return %c, %d : tensor<f32>, tensor<i32>
  }) : (tensor<11xf32>, tensor<11xi32>, tensor<5x1xi32>, tensor<5x3xf32>, tensor<5x3xi32>) -> (tensor<11xf32>, tensor<11xi32>)
  return %0#0, %0#1 : tensor<11xf32>, tensor<11xi32>
}

// Components that are joined to index vectors are read where they were before.
// CHECK-LABEL: func.func @joined
// CHECK-NOT: tensor.insert_slice
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, 0)>, affine_map<(d0) -> (d0, 0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%i, %j : tensor<5x1xi32>, tensor<5x1xi32>)
func.func @joined(%x: tensor<11x4xf32>, %i: tensor<5x1xi32>, %j: tensor<5x1xi32>) -> tensor<5xf32> {
  %0 = stablehlo.concatenate %i, %j, dim = 1 : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x2xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
    : (tensor<11x4xf32>, tensor<5x2xi32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}
