// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @data_movement
// CHECK-NEXT: %iota = stablehlo.iota dim = 1 : tensor<4x6xui8>
// CHECK-NEXT: %iota_z = stablehlo.iota dim = 0 {note} : tensor<0xcomplex<f32>>
// CHECK-NEXT: %broadcast = stablehlo.broadcast %v, sizes = [1, 2] : (tensor<6xf32>) -> tensor<1x2x6xf32>
// CHECK-NEXT: %scalar = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
// CHECK-NEXT: %vector = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %swapped = stablehlo.broadcast_in_dim %x, dims = [2, 0] {note} : (tensor<4x6xf32>) -> tensor<6x1x4xf32>
// CHECK-NEXT: %reshape = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<2x3x4x1xf32>
// CHECK-NEXT: %empty = stablehlo.reshape %n : (tensor<0x3xi8>) -> tensor<5x0xi8>
// CHECK-NEXT: %transpose = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: %identity = stablehlo.transpose %f, dims = [] : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %reverse = stablehlo.reverse %x, dims = [0, 1] : tensor<4x6xf32>
// CHECK-NEXT: %none = stablehlo.reverse %x, dims = [] : tensor<4x6xf32>
// CHECK-NEXT: %concatenate = stablehlo.concatenate %x, %x, %x, dim = 1 : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x18xf32>
// CHECK-NEXT: %single = stablehlo.concatenate %d, dim = 0 : (tensor<?x6xf32>) -> tensor<?x6xf32>
// CHECK-NEXT: %slice = stablehlo.slice %x [0:4:2, 1:3] : (tensor<4x6xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: %nothing = stablehlo.slice %x [4:4, 1:3:5] {note} : (tensor<4x6xf32>) -> tensor<0x1xf32>
// CHECK-NEXT: %rank = stablehlo.slice %f [] : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %pad = stablehlo.pad %x, %f, low = [-1, 2], high = [0, -3], interior = [0, 2] : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x15xf32>
// CHECK-NEXT: %wider = stablehlo.bitcast_convert %x : (tensor<4x6xf32>) -> tensor<4x6x4xui8>
// CHECK-NEXT: %same = stablehlo.bitcast_convert %x : (tensor<4x6xf32>) -> tensor<4x6xi32>
func.func @data_movement(%x: tensor<4x6xf32>, %v: tensor<6xf32>, %f: tensor<f32>, %n: tensor<0x3xi8>, %d: tensor<?x6xf32>) {
  %iota = stablehlo.iota dim = 1 : tensor<4x6xui8>
  %iota_z = stablehlo.iota dim = 0 {note} : tensor<0xcomplex<f32>>
  %broadcast = stablehlo.broadcast %v, sizes = [1, 2] : (tensor<6xf32>) -> tensor<1x2x6xf32>
  %scalar = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %vector = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
  %swapped = stablehlo.broadcast_in_dim %x, dims = [2, 0] {note} : (tensor<4x6xf32>) -> tensor<6x1x4xf32>
  %reshape = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<2x3x4x1xf32>
  %empty = stablehlo.reshape %n : (tensor<0x3xi8>) -> tensor<5x0xi8>
  %transpose = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %identity = stablehlo.transpose %f, dims = [] : (tensor<f32>) -> tensor<f32>
  %reverse = stablehlo.reverse %x, dims = [0, 1] : tensor<4x6xf32>
  %none = stablehlo.reverse %x, dims = [] : tensor<4x6xf32>
  %concatenate = stablehlo.concatenate %x, %x, %x, dim = 1 : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x18xf32>
  %single = stablehlo.concatenate %d, dim = 0 : (tensor<?x6xf32>) -> tensor<?x6xf32>
  %slice = stablehlo.slice %x [0:4:2, 1:3] : (tensor<4x6xf32>) -> tensor<2x2xf32>
  %nothing = stablehlo.slice %x [4:4, 1:3:5] {note} : (tensor<4x6xf32>) -> tensor<0x1xf32>
  %rank_0 = stablehlo.slice %f [] : (tensor<f32>) -> tensor<f32>
  %pad = stablehlo.pad %x, %f, low = [-1, 2], high = [0, -3], interior = [0, 2] : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x15xf32>
  %wider = stablehlo.bitcast_convert %x : (tensor<4x6xf32>) -> tensor<4x6x4xui8>
  %same = stablehlo.bitcast_convert %x : (tensor<4x6xf32>) -> tensor<4x6xi32>
  return
}
