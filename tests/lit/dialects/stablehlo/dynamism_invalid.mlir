// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_broadcast_in_dim' op: stablehlo.dynamic_broadcast_in_dim (C1): expected one element type: (tensor<4x6xf32>, tensor<?x?xf64>)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %d, dims = [0, 1] : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf64>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_broadcast_in_dim' op: stablehlo.dynamic_broadcast_in_dim (C2): 1 broadcast_dimensions for rank 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %d, dims = [0] : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_broadcast_in_dim' op: stablehlo.dynamic_broadcast_in_dim (C3): broadcast_dimensions [0, 2] exceed rank 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %d, dims = [0, 2] : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_broadcast_in_dim' op: stablehlo.dynamic_broadcast_in_dim (C4): broadcast_dimensions [0, 0] are not unique}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %d, dims = [0, 0] : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_broadcast_in_dim' op: stablehlo.dynamic_broadcast_in_dim (C5): tensor<4x6xf32> does not fit tensor<5x?xf32>}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %d, dims = [0, 1] : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<5x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_broadcast_in_dim' op: stablehlo.dynamic_broadcast_in_dim (C7): output_dimensions of type tensor<3xi32> for 2 dimensions}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %e, dims = [0, 1] : (tensor<4x6xf32>, tensor<3xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_broadcast_in_dim' op: stablehlo.dynamic_broadcast_in_dim (C8): known dimensions [0, 0] repeat}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %d, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_broadcast_in_dim' op: stablehlo.dynamic_broadcast_in_dim (C9): known expanding dimensions [3] exceed rank 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %d, dims = [0, 1] {known_expanding_dimensions = array<i64: 3>} : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_iota' op: stablehlo.dynamic_iota (C1): iota_dimension 2 exceeds the rank 2}}
  %0 = stablehlo.dynamic_iota %d, dim = 2 : (tensor<2xi32>) -> tensor<?x?xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_iota' op: stablehlo.dynamic_iota (C2): output_shape of type tensor<3xi32> for 2 dimensions}}
  %0 = stablehlo.dynamic_iota %e, dim = 1 : (tensor<3xi32>) -> tensor<?x?xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_pad' op: stablehlo.dynamic_pad (C2): edge_padding_low of type tensor<3xi32> for 2 dimensions}}
  %0 = stablehlo.dynamic_pad %x, %f, %e, %d, %d : (tensor<4x6xf32>, tensor<f32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_pad' op: stablehlo.dynamic_pad (C4): expected rank 2 of the result, got tensor<?xf32>}}
  %0 = stablehlo.dynamic_pad %x, %f, %d, %d, %d : (tensor<4x6xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_reshape' op: stablehlo.dynamic_reshape (C1): expected one element type: (tensor<4x6xf32>, tensor<?x?xi32>)}}
  %0 = stablehlo.dynamic_reshape %x, %d : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<?x?xi32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_reshape' op: stablehlo.dynamic_reshape (C4): output_shape of type tensor<3xi32> for 2 dimensions}}
  %0 = stablehlo.dynamic_reshape %x, %e : (tensor<4x6xf32>, tensor<3xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.real_dynamic_slice' op: stablehlo.real_dynamic_slice (size): start_indices of type tensor<3xi32> for 2 dimensions}}
  %0 = stablehlo.real_dynamic_slice %x, %e, %e, %e : (tensor<4x6xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.get_dimension_size' op: stablehlo.get_dimension_size (C1): dimension 2 exceeds the rank 2}}
  %0 = stablehlo.get_dimension_size %x, dim = 2 : (tensor<4x6xf32>) -> tensor<i32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.set_dimension_size' op: stablehlo.set_dimension_size (dimension): dimension 2 exceeds the rank 2}}
  %0 = stablehlo.set_dimension_size %x, %i, dim = 2 : (tensor<4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.set_dimension_size' op: stablehlo.set_dimension_size (shape): expected shape [4, ?], got [5, ?]}}
  %0 = stablehlo.set_dimension_size %x, %i, dim = 1 : (tensor<4x6xf32>, tensor<i32>) -> tensor<5x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %d: tensor<2xi32>, %e: tensor<3xi32>, %f: tensor<f32>, %i: tensor<i32>, %l: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>, %pads: tensor<3x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C4): padding of type tensor<3x2xi64> for rank 4}}
  %0 = "stablehlo.dynamic_conv"(%l, %k, %pads) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<3x2xi64>) -> tensor<1x?x?x4xf32>
  return
}

// -----

func.func @invalid(%l: tensor<1x8x2xf32>, %r: tensor<3x2x4xf32>, %p: tensor<1x2xi64>) {
  // expected-error @below {{stablehlo.dynamic_conv' op: stablehlo.dynamic_conv (C26): expected a result of rank 3, got 2}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<1x8x2xf32>, tensor<3x2x4xf32>, tensor<1x2xi64>) -> tensor<1x?xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %i: tensor<5x1xi32>, %s: tensor<3xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C11): slice_sizes of type tensor<3xi32> for 2 dimensions}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<3xi32>) -> tensor<5x?xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %i: tensor<5x1xi32>, %s: tensor<2xi32>) {
  // expected-error @below {{stablehlo.dynamic_gather' op: stablehlo.dynamic_gather (C14): expected one element type, got (tensor<4x6xf32>, tensor<5x?xi32>)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<2xi32>) -> tensor<5x?xi32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %p: tensor<i32>, %d: tensor<2xi32>) {
  // expected-error @below {{stablehlo.dynamic_pad' op: stablehlo.dynamic_pad (C1): expected one element type, got (tensor<4x6xf32>, tensor<i32>, tensor<?x?xf32>)}}
  %0 = stablehlo.dynamic_pad %a, %p, %d, %d, %d : (tensor<4x6xf32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %n: tensor<i32>) {
  // expected-error @below {{stablehlo.set_dimension_size' op: stablehlo.set_dimension_size (element_type): expected one element type, got (tensor<4x6xf32>, tensor<4x?xi32, #stablehlo.bounds<?, 6>>)}}
  %0 = stablehlo.set_dimension_size %a, %n, dim = 1 : (tensor<4x6xf32>, tensor<i32>) -> tensor<4x?xi32, #stablehlo.bounds<?, 6>>
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>) {
  // expected-error @below {{stablehlo.uniform_quantize' op: stablehlo.uniform_quantize (C1): tensor<4xf32> -> tensor<5x!quant.uniform<i8:f32, 0.5>>}}
  %0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<5x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.uniform_dequantize' op: stablehlo.uniform_dequantize (C1): tensor<4x!quant.uniform<i8:f32, 0.5>> -> tensor<5xf32>}}
  %0 = stablehlo.uniform_dequantize %a : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<5xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4x6xf32>, %d: tensor<2xi32>) {
  // expected-error @below {{stablehlo.real_dynamic_slice' op: stablehlo.real_dynamic_slice (rank): expected rank 2 of the result, got tensor<?xf32>}}
  %0 = stablehlo.real_dynamic_slice %a, %d, %d, %d : (tensor<4x6xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%a: tensor<4xf16>) {
  // expected-error @below {{stablehlo.uniform_quantize' op: stablehlo.uniform_quantize (C2): tensor<4xf16> -> tensor<4x!quant.uniform<i8:f32, 0.5>>}}
  %0 = stablehlo.uniform_quantize %a : (tensor<4xf16>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid(%a: tensor<4xf32>) {
  // expected-error @below {{stablehlo.uniform_quantize' op: result 'result' at position 0 does not verify: expected a tensor of quantised type, got tensor<4xi8>}}
  %0 = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<4xi8>
  return
}

// -----

func.func @invalid(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error @below {{stablehlo.uniform_dequantize' op: stablehlo.uniform_dequantize (C2): tensor<4x!quant.uniform<i8:f32, 0.5>> -> tensor<4xf16>}}
  %0 = stablehlo.uniform_dequantize %a : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf16>
  return
}

// -----

func.func @invalid(%x: tensor<1x6xf32>, %s: tensor<2xi32>) {
  // expected-error @below {{stablehlo.dynamic_broadcast_in_dim' op: stablehlo.dynamic_broadcast_in_dim (C10): known nonexpanding dimensions [2] exceed rank 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 1] {known_nonexpanding_dimensions = array<i64: 2>} : (tensor<1x6xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4x6xf32>, %s: tensor<2xi32>) {
  // expected-error @below {{stablehlo.dynamic_reshape' op: stablehlo.dynamic_reshape (C2): tensor<4x6xf32> has 24 elements, tensor<5x5xf32> has 25}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<4x6xf32>, tensor<2xi32>) -> tensor<5x5xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %less = stablehlo.constant dense<-1> : tensor<1xi32>
  // expected-error @below {{stablehlo.dynamic_pad' op: stablehlo.dynamic_pad (C3): interior_padding must not be negative, got [-1]}}
  %0 = stablehlo.dynamic_pad %x, %p, %zero, %zero, %less : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %p: tensor<f32>) {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  // expected-error @below {{stablehlo.dynamic_pad' op: stablehlo.dynamic_pad (C4): expected result shape [9], got tensor<8xf32>}}
  %0 = stablehlo.dynamic_pad %x, %p, %one, %one, %one : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<8xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %a: tensor<1xi32>, %b: tensor<1xi64>) {
  // expected-error @below {{stablehlo.real_dynamic_slice' op: stablehlo.real_dynamic_slice (index_type): expected one index type, got (tensor<1xi32>, tensor<1xi32>, tensor<1xi64>)}}
  %0 = stablehlo.real_dynamic_slice %x, %a, %a, %b : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %a: tensor<1xi32>) {
  // expected-error @below {{stablehlo.real_dynamic_slice' op: stablehlo.real_dynamic_slice (element_type): expected one element type, got (tensor<4xf32>, tensor<?xf64>)}}
  %0 = stablehlo.real_dynamic_slice %x, %a, %a, %a : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf64>
  return
}
