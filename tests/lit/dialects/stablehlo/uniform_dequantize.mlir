// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --split-input-file

// `uniform_dequantize`: (stored - zero_point) * scale, in the expressed type.

// Example of the specification.
func.func @specification() {
  %stored = stablehlo.constant dense<10> : tensor<2x2xi8>
  %operand = stablehlo.bitcast_convert %stored : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>
  %real = stablehlo.uniform_dequantize %operand : (tensor<2x2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>) -> tensor<2x2xf32>
  check.expect_almost_eq_const %real, dense<[[4.0, 4.0], [15.0, 15.0]]> : tensor<2x2xf32>, tolerance = 1.0e-05
  return
}

// A zero point.
func.func @zero_point() {
  %stored = stablehlo.constant dense<[3, 4, -128]> : tensor<3xi8>
  %operand = stablehlo.bitcast_convert %stored : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:3>>
  %real = stablehlo.uniform_dequantize %operand : (tensor<3x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<3xf32>
  check.expect_eq_const %real, dense<[0.0, 0.5, -65.5]> : tensor<3xf32>
  return
}

// Unsigned storage.
func.func @unsigned() {
  %stored = stablehlo.constant dense<[255, 0]> : tensor<2xui8>
  %operand = stablehlo.bitcast_convert %stored : (tensor<2xui8>) -> tensor<2x!quant.uniform<u8:f32, 0.25:128>>
  %real = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<u8:f32, 0.25:128>>) -> tensor<2xf32>
  check.expect_eq_const %real, dense<[31.75, -32.0]> : tensor<2xf32>
  return
}

// Double precision.
func.func @f64() {
  %stored = stablehlo.constant dense<[3, -1]> : tensor<2xi32>
  %operand = stablehlo.bitcast_convert %stored : (tensor<2xi32>) -> tensor<2x!quant.uniform<i32:f64, 0.1>>
  %real = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<i32:f64, 0.1>>) -> tensor<2xf64>
  check.expect_eq_const %real, dense<[0.30000000000000004, -0.1]> : tensor<2xf64>
  return
}

// Narrow floats.
func.func @bf16() {
  %stored = stablehlo.constant dense<[3, -1]> : tensor<2xi8>
  %operand = stablehlo.bitcast_convert %stored : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:bf16, 0.5>>
  %real = stablehlo.uniform_dequantize %operand : (tensor<2x!quant.uniform<i8:bf16, 0.5>>) -> tensor<2xbf16>
  check.expect_eq_const %real, dense<[1.5, -0.5]> : tensor<2xbf16>
  return
}

// A scalar.
func.func @scalar() {
  %stored = stablehlo.constant dense<3> : tensor<i8>
  %operand = stablehlo.bitcast_convert %stored : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 2.0:-1>>
  %real = stablehlo.uniform_dequantize %operand : (tensor<!quant.uniform<i8:f32, 2.0:-1>>) -> tensor<f32>
  check.expect_eq_const %real, dense<8.0> : tensor<f32>
  return
}

// No element.
func.func @empty() {
  %stored = stablehlo.constant dense<> : tensor<0xi8>
  %operand = stablehlo.bitcast_convert %stored : (tensor<0xi8>) -> tensor<0x!quant.uniform<i8:f32, 0.5>>
  %real = stablehlo.uniform_dequantize %operand : (tensor<0x!quant.uniform<i8:f32, 0.5>>) -> tensor<0xf32>
  check.expect_eq_const %real, dense<> : tensor<0xf32>
  return
}

// Back and forth, within half a scale.
func.func @round_trip() {
  %operand = stablehlo.constant dense<[0.3, -0.7, 1.1, 2.9]> : tensor<4xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.25>>
  %real = stablehlo.uniform_dequantize %quantized : (tensor<4x!quant.uniform<i8:f32, 0.25>>) -> tensor<4xf32>
  check.expect_eq_const %real, dense<[0.25, -0.75, 1.0, 3.0]> : tensor<4xf32>
  return
}
