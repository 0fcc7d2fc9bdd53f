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
