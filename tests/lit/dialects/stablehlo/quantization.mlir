// RUN: xla-opt %s | filecheck %s

// The element types are those of the `quant` dialect.

// CHECK-LABEL: func.func @quantization
// CHECK-NEXT: %quantized = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 34.0:16>>
// CHECK-NEXT: %back = stablehlo.uniform_dequantize %quantized : (tensor<4x!quant.uniform<i8:f32, 34.0:16>>) -> tensor<4xf32>
func.func @quantization(%x: tensor<4xf32>) {
  %quantized = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 34.0:16>>
  %back = stablehlo.uniform_dequantize %quantized : (tensor<4x!quant.uniform<i8:f32, 34.0:16>>) -> tensor<4xf32>
  return
}

// A constant holds the integers stored; upstream writes `u8` as `i8`, and brackets may be left out.

// CHECK-LABEL: func.func @constants
// CHECK-NEXT: %c = stablehlo.constant() <{value = dense<[1, -2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
// CHECK-NEXT: %d = stablehlo.constant() <{value = dense<-1> : tensor<i8>}> : () -> tensor<!quant.uniform<u8:f32, 0.5>>
// CHECK-NEXT: %e = stablehlo.constant() <{value = dense<[9, 4]> : tensor<2xi8>}> {label = 1 : i32, marked} : () -> tensor<2x!quant.uniform<i8:f32:0, {1.0:3, 2.0:-2}>>
func.func @constants() {
  %c = stablehlo.constant() {value = dense<[1, -2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  %d = "stablehlo.constant"() <{value = dense<-1> : tensor<i8>}> : () -> tensor<!quant.uniform<u8:f32, 0.5>>
  %e = stablehlo.constant() {value = dense<[9, 4]> : tensor<2xi8>, label = 1 : i32, marked} : () -> tensor<2x!quant.uniform<i8:f32:0, {1.0:3, 2.0:-2}>>
  return
}
