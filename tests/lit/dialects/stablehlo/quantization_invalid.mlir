// RUN: xla-opt %s --split-input-file --verify-diagnostics

// Constraints of quantised element types and of tensors of them.

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C3): bounds <-200:7> of storage type i8}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-200:7>:f32, 1.0>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C3): bounds <7:7> of storage type i8}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<7:7>:f32, 1.0>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C5): scales must be positive, got -1.0}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, -1.0>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C5): scales must be positive, got 0.0}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.0>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C7): a zero point lies outside of the storage range}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-7:7>:f32, 1.0:8>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C7): a zero point lies outside of the storage range}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<u8:f32, 1.0:-1>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{stablehlo.uniform_quantize' op: result 'result' at position 0 does not verify: tensor<2x!quant.uniform<i8:f32:1, {1.0, 2.0}>> (C12): quantised along dimension 1, the rank is 1}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{stablehlo.uniform_quantize' op: result 'result' at position 0 does not verify: tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>> (C13): 3 scales for a dimension of size 2}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.broadcast_in_dim' op: stablehlo.broadcast_in_dim (C1): expected one element type: (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<4x2x3x!quant.uniform<i8:f32, 0.25>>)}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x2x3x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) {
  // expected-error @below {{stablehlo.broadcast_in_dim' op: stablehlo.broadcast_in_dim (C1): expected one element type: (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>, tensor<4x2x3x!quant.uniform<i16:f32:2, {0.1, 0.2, 0.3}>>)}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) -> tensor<4x2x3x!quant.uniform<i16:f32:2, {0.1, 0.2, 0.3}>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) {
  // expected-error @below {{stablehlo.broadcast_in_dim' op: stablehlo.broadcast_in_dim (C6): quantised along another dimension: (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>, tensor<4x2x3x!quant.uniform<i8:f32:1, {0.1, 0.2}>>)}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) -> tensor<4x2x3x!quant.uniform<i8:f32:1, {0.1, 0.2}>>
  return
}

// -----

func.func @invalid(%x: tensor<1x3x!quant.uniform<i8:f32:0, {0.1}>>) {
  // expected-error @below {{stablehlo.broadcast_in_dim' op: stablehlo.broadcast_in_dim (C6): scales and zero points are not those of the operand: (tensor<1x3x!quant.uniform<i8:f32:0, {0.1}>>, tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>)}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<1x3x!quant.uniform<i8:f32:0, {0.1}>>) -> tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.reshape' op: stablehlo.reshape (C1): expected one element type: (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<6x!quant.uniform<i8:f32, 0.25>>)}}
  %0 = stablehlo.reshape %x : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<6x!quant.uniform<i8:f32, 0.25>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) {
  // expected-error @below {{stablehlo.reshape' op: stablehlo.reshape (C1): expected one element type: (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>, tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.4}>>)}}
  %0 = stablehlo.reshape %x : (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.4}>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) {
  // expected-error @below {{stablehlo.reshape' op: stablehlo.reshape (C3): the quantised dimension is not kept: (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>, tensor<3x2x!quant.uniform<i8:f32:0, {0.1, 0.2, 0.3}>>)}}
  %0 = stablehlo.reshape %x : (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {0.1, 0.2, 0.3}>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.transpose' op: stablehlo.transpose (C1): expected one element type: (tensor<2x3x!quant.uniform<i8:f32, 0.5>>, tensor<3x2x!quant.uniform<i8:f32, 0.5:1>>)}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:1>>
  return
}

// -----

func.func @invalid(%x: tensor<2x2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>) {
  // expected-error @below {{stablehlo.transpose' op: stablehlo.transpose (C4): quantised along another dimension: !quant.uniform<i8:f32:1, {0.1, 0.2}> -> !quant.uniform<i8:f32:1, {0.1, 0.2}>}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.bitcast_convert' op: stablehlo.bitcast_convert (C1): tensor<2x3x!quant.uniform<i8:f32, 0.5>> of 8-bit elements does not fit tensor<2x3x!quant.uniform<i16:f32, 0.5>> of 16-bit elements}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x!quant.uniform<i16:f32, 0.5>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_broadcast_in_dim' op: stablehlo.dynamic_broadcast_in_dim (C6): quantised along another dimension: (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>, tensor<4x2x3x!quant.uniform<i8:f32:1, {0.1, 0.2}>>)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 2] : (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>, tensor<3xi32>) -> tensor<4x2x3x!quant.uniform<i8:f32:1, {0.1, 0.2}>>
  return
}

// -----

func.func @invalid(%x: tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>, %s: tensor<2xi32>) {
  // expected-error @below {{stablehlo.dynamic_reshape' op: stablehlo.dynamic_reshape (C3): the quantised dimension is not kept: (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>, tensor<3x2x!quant.uniform<i8:f32:0, {0.1, 0.2, 0.3}>>)}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>, tensor<2xi32>) -> tensor<3x2x!quant.uniform<i8:f32:0, {0.1, 0.2, 0.3}>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C4): 100000.0 is out of the range of f16}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f16, 1.0e5>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C11): negative dimension -1}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:-1, {1.0}>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (expressed_type): expected a float, got i32}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:i32, 1.0>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{stablehlo.uniform_quantize' op: result 'result' at position 0 does not verify: tensor<2x!quant.uniform<i7:f32, 1.0>> (storage_type): i7 is none of (2, 4, 8, 16, 32) bits wide}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i7:f32, 1.0>>
  return
}

// -----

func.func @invalid(%a: tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) {
  // expected-error @below {{stablehlo.abs' op: operand 'operand' at position 0 does not verify: expected a tensor of signed integer, floating-point, complex or quantised type, got tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>}}
  %0 = stablehlo.abs %a : tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  return
}

// -----

func.func @invalid(%a: tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) {
  // expected-error @below {{stablehlo.reverse' op: operand 'operand' at position 0 does not verify: expected a ranked tensor, not quantised per axis, got tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>}}
  %0 = stablehlo.reverse %a, dims = [0] : tensor<2x3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  return
}
