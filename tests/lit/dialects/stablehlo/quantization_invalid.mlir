// RUN: xla-opt %s --split-input-file --verify-diagnostics

// Constraints of quantised element types and of tensors of them.

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C4): bounds <-200:7> of storage type i8}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-200:7>:f32, 1.0>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C4): bounds <7:7> of storage type i8}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<7:7>:f32, 1.0>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C6, C7): scales must be positive and finite, got [#builtin.float_data<-1.0>]}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, -1.0>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C6, C7): scales must be positive and finite, got [#builtin.float_data<0.0>]}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.0>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C8): a zero point lies outside of the storage range}}
  %0 = stablehlo.uniform_quantize %a : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8<-7:7>:f32, 1.0:8>>
  return
}

// -----

func.func @invalid(%a: tensor<2xf32>) {
  // expected-error @below {{quant.uniform (C8): a zero point lies outside of the storage range}}
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
