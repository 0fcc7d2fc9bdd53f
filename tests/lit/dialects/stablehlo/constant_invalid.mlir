// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid() {
  // expected-error @below {{stablehlo.constant' op: stablehlo.constant (C1): value of type tensor<3xi32> for result of type tensor<4xi32>}}
  %0 = "stablehlo.constant"() <{value = dense<1> : tensor<3xi32>}> : () -> tensor<4xi32>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{elements of shape [2] for tensor<3xi32>}}
  %0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{256 is out of range for type i8 which supports values in the range [-128, 256)}}
  %0 = stablehlo.constant dense<256> : tensor<i8>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{negative element of ui8}}
  %0 = stablehlo.constant dense<-1> : tensor<ui8>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{expected integers for i8}}
  %0 = stablehlo.constant dense<1.5> : tensor<i8>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{1 bytes for tensor<2xi16> of 2 elements of 2 bytes}}
  %0 = stablehlo.constant dense<"0x00"> : tensor<2xi16>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{more than 16 bits}}
  %0 = stablehlo.constant dense<0x1FFFF> : tensor<f16>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{static shape, got tensor<?xf32>}}
  %0 = stablehlo.constant dense<1.0> : tensor<?xf32>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{stablehlo.constant (C1): value of type tensor<2xi16> for result of type tensor<2x!quant.uniform<i8:f32, 0.5>>}}
  %0 = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi16>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @invalid() {
  // expected-error @below {{stablehlo.constant (C1): value of type tensor<2xui8> for result of type tensor<2x!quant.uniform<i8:f32, 0.5>>}}
  %0 = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xui8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}
