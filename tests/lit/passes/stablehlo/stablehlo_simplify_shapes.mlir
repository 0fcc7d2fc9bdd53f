// RUN: xla-opt %s -p stablehlo-simplify | filecheck %s

// Adding a dimension of size 1 is a reshape; a broadcast of it takes the original.

// CHECK-LABEL: func.func @broadcast_of_unit
// CHECK-SAME:  ([[X:%.+]]: tensor<8xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.reshape [[X]] : (tensor<8xf32>) -> tensor<8x1xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.broadcast_in_dim [[X]], dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    func.return [[A]], [[B]]
func.func @broadcast_of_unit(%x: tensor<8xf32>) -> (tensor<8x1xf32>, tensor<8x4xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
  func.return %0, %1 : tensor<8x1xf32>, tensor<8x4xf32>
}

// A size of 1 that is repeated stays in the broadcast.

// CHECK-LABEL: func.func @broadcast_repeats
// CHECK-NEXT:    stablehlo.broadcast_in_dim {{%.+}}, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    func.return
func.func @broadcast_repeats(%x: tensor<8x1xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x4xf32>
  func.return %0 : tensor<8x4xf32>
}

// A broadcast that transposes is no reshape.

// CHECK-LABEL: func.func @broadcast_transposes
// CHECK-NEXT:    stablehlo.broadcast_in_dim {{%.+}}, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
func.func @broadcast_transposes(%x: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  func.return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @broadcast_chain
// CHECK-NEXT:    [[A:%.+]] = stablehlo.broadcast_in_dim {{%.+}}, dims = [2] : (tensor<4xf32>) -> tensor<3x2x4xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.broadcast_in_dim {{%.+}}, dims = [3] : (tensor<4xf32>) -> tensor<3x1x2x4xf32>
// CHECK-NEXT:    func.return [[A]], [[B]]
func.func @broadcast_chain(%x: tensor<4xf32>) -> (tensor<3x2x4xf32>, tensor<3x1x2x4xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<3x2x4xf32>
  %2 = stablehlo.reshape %1 : (tensor<3x2x4xf32>) -> tensor<3x1x2x4xf32>
  func.return %1, %2 : tensor<3x2x4xf32>, tensor<3x1x2x4xf32>
}

// A reshape that merges repeated dimensions does not combine with the broadcast.

// CHECK-LABEL: func.func @reshape_merges
// CHECK-NEXT:    stablehlo.broadcast_in_dim
// CHECK-NEXT:    stablehlo.reshape
func.func @reshape_merges(%x: tensor<4xf32>) -> tensor<8xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x4xf32>) -> tensor<8xf32>
  func.return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @identities
// CHECK-SAME:  ([[X:%.+]]: tensor<2x3xf32>
// CHECK-NEXT:    func.return [[X]], [[X]], [[X]], [[X]], [[X]], [[X]]
func.func @identities(%x: tensor<2x3xf32>, %p: tensor<f32>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.transpose %x, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.slice %x [0:2, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = stablehlo.pad %x, %p, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %4 = stablehlo.concatenate %x, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  %6 = stablehlo.reshape %5 : (tensor<6xf32>) -> tensor<2x3xf32>
  func.return %0, %1, %2, %3, %4, %6 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// Padding that moves elements although the shape stays.

// CHECK-LABEL: func.func @pad_shifts
// CHECK-NEXT:    stablehlo.pad
func.func @pad_shifts(%x: tensor<3xf32>, %p: tensor<f32>) -> tensor<3xf32> {
  %0 = stablehlo.pad %x, %p, low = [1], high = [-1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  func.return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @symmetric
// CHECK-COUNT-1: stablehlo.transpose
// CHECK-NEXT:    [[SUM:%.+]] = stablehlo.add
// CHECK:         [[HALF:%.+]] = stablehlo.multiply [[SUM]]
// CHECK-NOT:     transpose
// CHECK:         return [[HALF]]
func.func @symmetric(%x: tensor<8x3x3xf32>) -> tensor<8x3x3xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<8x3x3xf32>
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<8x3x3xf32>) -> tensor<8x3x3xf32>
  %1 = stablehlo.add %x, %0 : tensor<8x3x3xf32>
  %2 = stablehlo.divide %1, %two : tensor<8x3x3xf32>
  %3 = stablehlo.transpose %2, dims = [0, 2, 1] : (tensor<8x3x3xf32>) -> tensor<8x3x3xf32>
  return %3 : tensor<8x3x3xf32>
}

// A difference changes its sign, and other dimensions are not those of the sum.

// CHECK-LABEL: func.func @not_symmetric
// CHECK-COUNT-4: stablehlo.transpose
func.func @not_symmetric(%x: tensor<3x3x3xf32>) -> (tensor<3x3x3xf32>, tensor<3x3x3xf32>) {
  %0 = stablehlo.transpose %x, dims = [0, 2, 1] : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %1 = stablehlo.subtract %x, %0 : tensor<3x3x3xf32>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %3 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  %4 = stablehlo.add %x, %3 : tensor<3x3x3xf32>
  %5 = stablehlo.transpose %4, dims = [1, 2, 0] : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
  return %2, %5 : tensor<3x3x3xf32>, tensor<3x3x3xf32>
}

// CHECK-LABEL: func.func @transposes
// CHECK-SAME:  ([[X:%.+]]: tensor<2x3x4xf32>, [[Y:%.+]]: tensor<2x1x4xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.transpose [[X]], dims = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.reshape [[Y]] : (tensor<2x1x4xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT:    func.return [[X]], [[A]], [[B]]
func.func @transposes(%x: tensor<2x3x4xf32>, %y: tensor<2x1x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x4x3xf32>, tensor<1x2x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.transpose %0, dims = [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %2 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<4x2x3xf32>) -> tensor<2x4x3xf32>
  %3 = stablehlo.transpose %y, dims = [1, 0, 2] : (tensor<2x1x4xf32>) -> tensor<1x2x4xf32>
  func.return %1, %2, %3 : tensor<2x3x4xf32>, tensor<2x4x3xf32>, tensor<1x2x4xf32>
}

// CHECK-LABEL: func.func @reverses
// CHECK-SAME:  ([[X:%.+]]: tensor<3x1x4xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.reverse [[X]], dims = [0] : tensor<3x1x4xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.reverse [[X]], dims = [2] : tensor<3x1x4xf32>
// CHECK-NEXT:    func.return [[A]], [[B]], [[X]]
func.func @reverses(%x: tensor<3x1x4xf32>) -> (tensor<3x1x4xf32>, tensor<3x1x4xf32>, tensor<3x1x4xf32>) {
  %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<3x1x4xf32>
  %1 = stablehlo.reverse %0, dims = [0, 2] : tensor<3x1x4xf32>
  %2 = stablehlo.reverse %1, dims = [2] : tensor<3x1x4xf32>
  func.return %0, %1, %2 : tensor<3x1x4xf32>, tensor<3x1x4xf32>, tensor<3x1x4xf32>
}

// CHECK-LABEL: func.func @slices
// CHECK-SAME:  ([[X:%.+]]: tensor<20xf32>, [[Y:%.+]]: tensor<5xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.slice [[X]] [5:12:6] : (tensor<20xf32>) -> tensor<2xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.concatenate [[Y]], [[X]]
// CHECK-NEXT:    [[C:%.+]] = stablehlo.slice [[X]] [1:3] : (tensor<20xf32>) -> tensor<2xf32>
// CHECK-NEXT:    [[D:%.+]] = stablehlo.slice [[B]] [4:6]
// CHECK-NEXT:    func.return [[A]], [[C]], [[D]]
func.func @slices(%x: tensor<20xf32>, %y: tensor<5xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.slice %x [2:18:3] : (tensor<20xf32>) -> tensor<6xf32>
  %1 = stablehlo.slice %0 [1:4:2] : (tensor<6xf32>) -> tensor<2xf32>
  %2 = stablehlo.concatenate %y, %x, dim = 0 : (tensor<5xf32>, tensor<20xf32>) -> tensor<25xf32>
  %3 = stablehlo.slice %2 [6:8] : (tensor<25xf32>) -> tensor<2xf32>
  %4 = stablehlo.slice %2 [4:6] : (tensor<25xf32>) -> tensor<2xf32>
  func.return %1, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// Moving the elements of a splat constant leaves a splat constant.

// CHECK-LABEL: func.func @splats
// CHECK-NEXT:    [[A:%.+]] = stablehlo.constant dense<1.500000e+00> : tensor<1000x1000xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.constant dense<1> : tensor<2xi32>
// CHECK-NEXT:    func.return [[A]], [[B]]
func.func @splats() -> (tensor<1000x1000xf32>, tensor<2xi32>) {
  %cst = stablehlo.constant dense<1.5> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1000x1000xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %c = stablehlo.constant dense<1> : tensor<1xi32>
  %2 = stablehlo.concatenate %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  func.return %1, %2 : tensor<1000x1000xf32>, tensor<2xi32>
}

// Size 0 and rank 0.

// CHECK-LABEL: func.func @degenerate
// CHECK-SAME:  ([[X:%.+]]: tensor<0x3xf32>, [[Y:%.+]]: tensor<f32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.reshape [[X]] : (tensor<0x3xf32>) -> tensor<3x0xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.reshape [[Y]] : (tensor<f32>) -> tensor<1x1xf32>
// CHECK-NEXT:    func.return [[A]], [[B]], [[X]]
func.func @degenerate(%x: tensor<0x3xf32>, %y: tensor<f32>) -> (tensor<3x0xf32>, tensor<1x1xf32>, tensor<0x3xf32>) {
  %0 = stablehlo.reshape %x : (tensor<0x3xf32>) -> tensor<3x0xf32>
  %1 = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %2 = stablehlo.reverse %x, dims = [0] : tensor<0x3xf32>
  func.return %0, %1, %2 : tensor<3x0xf32>, tensor<1x1xf32>, tensor<0x3xf32>
}

// Columns that are rows, put below each other and transposed, are put side by side; longer parts are transposed.

// CHECK-LABEL: func.func @columns
// CHECK-SAME:  ([[X:%.+]]: tensor<7xf32>, [[Y:%.+]]: tensor<7xf32>, [[Z:%.+]]: tensor<2x7xf32>)
// CHECK-NEXT:    [[D:%.+]] = stablehlo.reshape [[X]] : (tensor<7xf32>) -> tensor<1x7xf32>
// CHECK-NEXT:    [[A:%.+]] = stablehlo.reshape [[X]] : (tensor<7xf32>) -> tensor<7x1xf32>
// CHECK-NEXT:    [[B:%.+]] = stablehlo.reshape [[Y]] : (tensor<7xf32>) -> tensor<7x1xf32>
// CHECK-NEXT:    [[C:%.+]] = stablehlo.concatenate [[A]], [[B]], dim = 1
// CHECK-NEXT:    [[E:%.+]] = stablehlo.concatenate [[D]], [[Z]], dim = 0
// CHECK-NEXT:    [[F:%.+]] = stablehlo.transpose [[E]], dims = [1, 0]
// CHECK-NEXT:    func.return [[C]], [[F]]
func.func @columns(%x: tensor<7xf32>, %y: tensor<7xf32>, %z: tensor<2x7xf32>) -> (tensor<7x2xf32>, tensor<7x3xf32>) {
  %0 = stablehlo.reshape %x : (tensor<7xf32>) -> tensor<1x7xf32>
  %1 = stablehlo.reshape %y : (tensor<7xf32>) -> tensor<1x7xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x7xf32>, tensor<1x7xf32>) -> tensor<2x7xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<2x7xf32>) -> tensor<7x2xf32>
  %4 = stablehlo.concatenate %0, %z, dim = 0 : (tensor<1x7xf32>, tensor<2x7xf32>) -> tensor<3x7xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<3x7xf32>) -> tensor<7x3xf32>
  func.return %3, %5 : tensor<7x2xf32>, tensor<7x3xf32>
}
