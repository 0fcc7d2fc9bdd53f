// RUN: xla-opt %s -p stablehlo-simplify | filecheck %s

// Places 0, 0, 1, 1, ...: each element twice.

// CHECK-LABEL: func.func @nearest
// CHECK-SAME:  ([[X:%.+]]: tensor<3x50x4xf32>)
// CHECK-NEXT:    [[B:%.+]] = stablehlo.broadcast_in_dim [[X]], dims = [0, 1, 3] : (tensor<3x50x4xf32>) -> tensor<3x50x2x4xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[B]] : (tensor<3x50x2x4xf32>) -> tensor<3x100x4xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @nearest(%x: tensor<3x50x4xf32>) -> tensor<3x100x4xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<100xf32>
  %half = stablehlo.constant dense<0.5> : tensor<100xf32>
  %1 = stablehlo.add %0, %half : tensor<100xf32>
  %2 = stablehlo.multiply %1, %half : tensor<100xf32>
  %3 = stablehlo.floor %2 : tensor<100xf32>
  %4 = stablehlo.convert %3 : (tensor<100xf32>) -> tensor<100xi32>
  %5 = stablehlo.reshape %4 : (tensor<100xi32>) -> tensor<100x1xi32>
  %6 = "stablehlo.gather"(%x, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 1, 4>}> : (tensor<3x50x4xf32>, tensor<100x1xi32>) -> tensor<3x100x4xf32>
  func.return %6 : tensor<3x100x4xf32>
}

// Every third place, from the end on, becomes the first dimension.

// CHECK-LABEL: func.func @backwards
// CHECK-SAME:  ([[X:%.+]]: tensor<4x100xf32>)
// CHECK-NEXT:    [[S:%.+]] = stablehlo.slice [[X]] [0:4, 9:97:3] : (tensor<4x100xf32>) -> tensor<4x30xf32>
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reverse [[S]], dims = [1]
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose [[R]], dims = [1, 0]
// CHECK-NEXT:    func.return [[T]]
func.func @backwards(%x: tensor<4x100xf32>) -> tensor<30x4xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<30xi32>
  %three = stablehlo.constant dense<-3> : tensor<30xi32>
  %last = stablehlo.constant dense<96> : tensor<30xi32>
  %1 = stablehlo.multiply %0, %three : tensor<30xi32>
  %2 = stablehlo.add %1, %last : tensor<30xi32>
  %3 = "stablehlo.gather"(%x, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>}> : (tensor<4x100xf32>, tensor<30xi32>) -> tensor<30x4xf32>
  func.return %3 : tensor<30x4xf32>
}

// Places past the end are clamped: no equal steps any more. Nor are those of an argument known.

// CHECK-LABEL: func.func @clamped
// CHECK:         stablehlo.gather
// CHECK-LABEL: func.func @unknown
// CHECK:         stablehlo.gather
func.func @clamped(%x: tensor<4x100xf32>) -> tensor<30x4xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<30xi32>
  %start = stablehlo.constant dense<80> : tensor<30xi32>
  %1 = stablehlo.add %0, %start : tensor<30xi32>
  %2 = "stablehlo.gather"(%x, %1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>}> : (tensor<4x100xf32>, tensor<30xi32>) -> tensor<30x4xf32>
  func.return %2 : tensor<30x4xf32>
}
func.func @unknown(%x: tensor<4x100xf32>, %places: tensor<30xi32>) -> tensor<30x4xf32> {
  %0 = "stablehlo.gather"(%x, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>}> : (tensor<4x100xf32>, tensor<30xi32>) -> tensor<30x4xf32>
  func.return %0 : tensor<30x4xf32>
}

// `x[i, :, j]` as JAX writes it: elements are taken from where they are. With more results than elements, or another
// reader, the transpose stays.

// CHECK-LABEL: func.func @of_transpose
// CHECK-SAME:  ([[X:%.+]]: tensor<5x6x7xf32>, [[I:%.+]]: tensor<4x2xi32>, [[J:%.+]]: tensor<400x2xi32>)
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose [[X]], dims = [2, 1, 0]
// CHECK-NEXT:    [[A:%.+]] = "stablehlo.gather"([[X]], [[I]]) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [2, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6, 1>}>
// CHECK-NEXT:    [[B:%.+]] = "stablehlo.gather"([[T]], [[J]])
// CHECK-NEXT:    func.return [[A]], [[B]]
func.func @of_transpose(%x: tensor<5x6x7xf32>, %i: tensor<4x2xi32>, %j: tensor<400x2xi32>) -> (tensor<4x6xf32>, tensor<400x6xf32>) {
  %t = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<5x6x7xf32>) -> tensor<7x6x5xf32>
  %u = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<5x6x7xf32>) -> tensor<7x6x5xf32>
  %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6, 1>}> : (tensor<7x6x5xf32>, tensor<4x2xi32>) -> tensor<4x6xf32>
  %1 = "stablehlo.gather"(%u, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0, 2], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6, 1>}> : (tensor<7x6x5xf32>, tensor<400x2xi32>) -> tensor<400x6xf32>
  func.return %0, %1 : tensor<4x6xf32>, tensor<400x6xf32>
}

// Places that depend on the number of the device are not known.

// CHECK-LABEL: func.func @of_the_device
// CHECK:         stablehlo.gather
func.func @of_the_device(%x: tensor<4x100xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<i32>
  %places = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %2 = "stablehlo.gather"(%x, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>}> : (tensor<4x100xf32>, tensor<4xi32>) -> tensor<4x4xf32>
  func.return %2 : tensor<4x4xf32>
}

// Dimensions that are taken whole and read as one are taken as one.

// CHECK-LABEL: func.func @whole_dimensions
// CHECK-SAME:  ([[X:%.+]]: tensor<7x5x4x8xf32>, [[I:%.+]]: tensor<9x1xi32>)
// CHECK-NEXT:    [[R:%.+]] = stablehlo.reshape [[X]] : (tensor<7x5x4x8xf32>) -> tensor<7x5x32xf32>
// CHECK-NEXT:    [[G:%.+]] = "stablehlo.gather"([[R]], [[I]]) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5, 32>}>
// CHECK-NEXT:    func.return [[G]]
func.func @whole_dimensions(%x: tensor<7x5x4x8xf32>, %i: tensor<9x1xi32>) -> tensor<9x5x32xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5, 4, 8>}> : (tensor<7x5x4x8xf32>, tensor<9x1xi32>) -> tensor<9x5x4x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<9x5x4x8xf32>) -> tensor<9x5x32xf32>
  func.return %1 : tensor<9x5x32xf32>
}

// Not where a part of a dimension is taken, where an index says from where, or where somebody reads them apart.

// CHECK-LABEL: func.func @not_whole
// CHECK:         "stablehlo.gather"{{.*}} -> tensor<9x5x3x8xf32>
// CHECK:         "stablehlo.gather"{{.*}} -> tensor<9x5x4x8xf32>
// CHECK:         "stablehlo.gather"{{.*}} -> tensor<9x5x4x8xf32>
func.func @not_whole(%x: tensor<7x5x4x8xf32>, %i: tensor<9x1xi32>, %j: tensor<9x2xi32>) -> (tensor<9x5x24xf32>, tensor<9x5x32xf32>, tensor<9x5x32xf32>, tensor<9x5x4x8xf32>) {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5, 3, 8>}> : (tensor<7x5x4x8xf32>, tensor<9x1xi32>) -> tensor<9x5x3x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<9x5x3x8xf32>) -> tensor<9x5x24xf32>
  %2 = "stablehlo.gather"(%x, %j) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0, 2], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5, 4, 8>}> : (tensor<7x5x4x8xf32>, tensor<9x2xi32>) -> tensor<9x5x4x8xf32>
  %3 = stablehlo.reshape %2 : (tensor<9x5x4x8xf32>) -> tensor<9x5x32xf32>
  %4 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5, 4, 8>}> : (tensor<7x5x4x8xf32>, tensor<9x1xi32>) -> tensor<9x5x4x8xf32>
  %5 = stablehlo.reshape %4 : (tensor<9x5x4x8xf32>) -> tensor<9x5x32xf32>
  func.return %1, %3, %5, %4 : tensor<9x5x24xf32>, tensor<9x5x32xf32>, tensor<9x5x32xf32>, tensor<9x5x4x8xf32>
}
