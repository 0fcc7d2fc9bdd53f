// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid() {
  // expected-error @below {{stablehlo.iota' op: stablehlo.iota (C1): iota_dimension 2 is outside the 2 dimensions of the result}}
  %0 = stablehlo.iota dim = 2 : tensor<4x6xi32>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{stablehlo.iota' op: stablehlo.iota (C1): iota_dimension 0 is outside the 0 dimensions of the result}}
  %0 = stablehlo.iota dim = 0 : tensor<i32>
  return
}

// -----

func.func @invalid(%v: tensor<6xf32>) {
  // expected-error @below {{stablehlo.broadcast' op: stablehlo.broadcast (shape): expected result shape [2, 6], got [3, 6]}}
  %0 = stablehlo.broadcast %v, sizes = [2] : (tensor<6xf32>) -> tensor<3x6xf32>
  return
}

// -----

func.func @invalid(%v: tensor<6xf32>) {
  // expected-error @below {{stablehlo.broadcast_in_dim' op: stablehlo.broadcast_in_dim (C1): expected one element type: (tensor<6xf32>, tensor<4x6xf64>)}}
  %0 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf64>
  return
}

// -----

func.func @invalid(%v: tensor<6xf32>) {
  // expected-error @below {{stablehlo.broadcast_in_dim' op: stablehlo.broadcast_in_dim (C2): 2 broadcast_dimensions for an operand of rank 1}}
  %0 = stablehlo.broadcast_in_dim %v, dims = [0, 1] : (tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%v: tensor<6xf32>) {
  // expected-error @below {{stablehlo.broadcast_in_dim' op: stablehlo.broadcast_in_dim (C3): broadcast_dimensions [2] exceed the result rank 2}}
  %0 = stablehlo.broadcast_in_dim %v, dims = [2] : (tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.broadcast_in_dim' op: stablehlo.broadcast_in_dim (C4): broadcast_dimensions [0, 0] are not unique}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 0] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%v: tensor<6xf32>) {
  // expected-error @below {{stablehlo.broadcast_in_dim' op: stablehlo.broadcast_in_dim (C5): operand shape [6] does not fit result shape [4, 6] at result dimension 0}}
  %0 = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.reshape' op: stablehlo.reshape (C1): expected one element type: (tensor<4x6xf32>, tensor<24xf64>)}}
  %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf64>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.reshape' op: stablehlo.reshape (C2): tensor<4x6xf32> has 24 elements, tensor<5x5xf32> has 25}}
  %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<5x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.transpose' op: stablehlo.transpose (C1): expected one element type: (tensor<4x6xf32>, tensor<6x4xi32>)}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.transpose' op: stablehlo.transpose (C2): expected a permutation of 2 dimensions, got [0, 0]}}
  %0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<4x6xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.transpose' op: stablehlo.transpose (C2): expected a permutation of 2 dimensions, got [0]}}
  %0 = stablehlo.transpose %x, dims = [0] : (tensor<4x6xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.transpose' op: stablehlo.transpose (C3): expected result shape [6, 4], got [4, 6]}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.reverse' op: stablehlo.reverse (C1): expected result type tensor<4x6xf32>, got tensor<6x4xf32>}}
  %0 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.reverse' op: stablehlo.reverse (C2): dimensions [0, 0] are not unique}}
  %0 = stablehlo.reverse %x, dims = [0, 0] : tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.reverse' op: stablehlo.reverse (C3): dimensions [2] exceed the operand rank 2}}
  %0 = stablehlo.reverse %x, dims = [2] : tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<4x6xf64>) {
  // expected-error @below {{stablehlo.concatenate' op: stablehlo.concatenate (C1): expected one element type, got (tensor<4x6xf32>, tensor<4x6xf64>)}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x6xf32>, tensor<4x6xf64>) -> tensor<8x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %y: tensor<4x5xf32>) {
  // expected-error @below {{stablehlo.concatenate' op: stablehlo.concatenate (C2): inputs differ outside dimension 0: [4, 6], [4, 5]}}
  %0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<4x6xf32>, tensor<4x5xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.concatenate' op: stablehlo.concatenate (C4): dimension 2 is outside the 2 dimensions of the inputs}}
  %0 = stablehlo.concatenate %x, %x, dim = 2 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.concatenate' op: stablehlo.concatenate (C6): expected result shape [8, 6], got [7, 6]}}
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<7x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.slice' op: stablehlo.slice (C1): expected one element type, got (tensor<4x6xf32>, tensor<2x2xi32>)}}
  %0 = stablehlo.slice %x [0:2, 0:2] : (tensor<4x6xf32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.slice' op: stablehlo.slice (C2): 1 start_indices for an operand of rank 2}}
  %0 = stablehlo.slice %x [0:2] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.slice' op: stablehlo.slice (C3): range 0:5 is not inside a dimension of size 4}}
  %0 = stablehlo.slice %x [0:5, 0:2] : (tensor<4x6xf32>) -> tensor<5x2xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.slice' op: stablehlo.slice (C3): range 3:2 is not inside a dimension of size 4}}
  %0 = stablehlo.slice %x [3:2, 0:2] : (tensor<4x6xf32>) -> tensor<0x2xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.slice' op: stablehlo.slice (C4): strides must be positive, got [0, 1]}}
  %0 = stablehlo.slice %x [0:2:0, 0:2] : (tensor<4x6xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.slice' op: stablehlo.slice (C5): expected result shape [2, 2], got [2, 3]}}
  %0 = stablehlo.slice %x [0:2, 0:2] : (tensor<4x6xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f64>) {
  // expected-error @below {{stablehlo.pad' op: stablehlo.pad (C1): expected one element type, got (tensor<4x6xf32>, tensor<f64>, tensor<4x6xf32>)}}
  %0 = stablehlo.pad %x, %f, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>) {
  // expected-error @below {{stablehlo.pad' op: stablehlo.pad (C2): low, high and interior padding of lengths 1, 2 and 2 for an operand of rank 2}}
  %0 = stablehlo.pad %x, %f, low = [0], high = [0, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>) {
  // expected-error @below {{stablehlo.pad' op: stablehlo.pad (C3): interior_padding must not be negative, got [0, -1]}}
  %0 = stablehlo.pad %x, %f, low = [0, 0], high = [0, 0], interior = [0, -1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>) {
  // expected-error @below {{stablehlo.pad' op: stablehlo.pad (C4): expected result shape [4, 7], got [4, 6]}}
  %0 = stablehlo.pad %x, %f, low = [0, 1], high = [0, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %f: tensor<f32>) {
  // expected-error @below {{stablehlo.pad' op: stablehlo.pad (C4): padding gives the negative shape [-1, 6]}}
  %0 = stablehlo.pad %x, %f, low = [-5, 0], high = [0, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<?x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{stablehlo.bitcast_convert' op: stablehlo.bitcast_convert (C1): tensor<4x6xf32> of 32-bit elements does not fit tensor<4x6x2xui8> of 8-bit elements}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xf32>) -> tensor<4x6x2xui8>
  return
}

// -----

func.func @invalid(%x: tensor<4xi8>) {
  // expected-error @below {{stablehlo.bitcast_convert' op: stablehlo.bitcast_convert (C1): tensor<4xi8> of 8-bit elements does not fit tensor<4x1xf6E2M3FN> of 6-bit elements}}
  %0 = stablehlo.bitcast_convert %x : (tensor<4xi8>) -> tensor<4x1xf6E2M3FN>
  return
}

// -----

func.func @invalid(%z: tensor<2xcomplex<f32>>) {
  // expected-error @below {{stablehlo.bitcast_convert' op: stablehlo.bitcast_convert (C2): cannot convert between real and complex: tensor<2xcomplex<f32>> -> tensor<2xf64>}}
  %0 = stablehlo.bitcast_convert %z : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>) {
  // expected-error @below {{expected an array of i64, got array<i32: 1, 0>}}
  %0 = "stablehlo.transpose"(%x) <{permutation = array<i32: 1, 0>}> : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{stablehlo.concatenate' op: stablehlo.concatenate (C3): expected at least one input}}
  %0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<0xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.broadcast' op: stablehlo.broadcast (element_type): expected one element type, got (tensor<4xf32>, tensor<2x4xf64>)}}
  %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<4xf32>) -> tensor<2x4xf64>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.broadcast' op: stablehlo.broadcast (broadcast_sizes): negative sizes [-2]}}
  %0 = stablehlo.broadcast %x, sizes = [-2] : (tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{stablehlo.concatenate' op: stablehlo.concatenate (C5): expected one element type, got (tensor<4xf32>, tensor<8xf64>)}}
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf64>
  return
}
