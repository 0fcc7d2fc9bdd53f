// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --pipeline xla-cpu-O0 --split-input-file

// `uniform_quantize`: stored integers are round(x / scale) + zero_point within the storage range.

// Example of the specification: each element of the axis has a scale and zero point of its own.
func.func @specification() {
  %operand = stablehlo.constant dense<[4.0, 15.0]> : tensor<2xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<2x!quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[10, 10]> : tensor<2xi8>
  return
}

// The first dimension of a matrix is the axis.
func.func @first_axis() {
  %operand = stablehlo.constant dense<[[4.0, 15.0], [5.0, 50.0]]> : tensor<2x2xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5:-30, 0.25}>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5:-30, 0.25}>>) -> tensor<2x2xi8>
  check.expect_eq_const %stored, dense<[[-22, 0], [20, 127]]> : tensor<2x2xi8>
  return
}

// A scale alone.
func.func @scale() {
  %operand = stablehlo.constant dense<[0.0, 1.0, -1.5, 3.0]> : tensor<4xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xi8>
  check.expect_eq_const %stored, dense<[0, 2, -3, 6]> : tensor<4xi8>
  return
}

// A zero point.
func.func @zero_point() {
  %operand = stablehlo.constant dense<[0.0, 4.0, -64.0]> : tensor<3xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 2.0:16>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<3x!quant.uniform<i8:f32, 2.0:16>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[16, 18, -16]> : tensor<3xi8>
  return
}

// Halfway cases go to the even number.
func.func @halfway() {
  %operand = stablehlo.constant dense<[0.5, 1.5, 2.5, -0.5, -1.5, 0.75]> : tensor<6xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<6xf32>) -> tensor<6x!quant.uniform<i8:f32, 1.0>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<6x!quant.uniform<i8:f32, 1.0>>) -> tensor<6xi8>
  check.expect_eq_const %stored, dense<[0, 2, 2, 0, -2, 1]> : tensor<6xi8>
  return
}

// Values out of range become the ends of the storage range, infinities too.
func.func @saturation() {
  %operand = stablehlo.constant dense<[1000.0, -1000.0, 117.4, 0x7F800000, 0xFF800000]> : tensor<5xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<5xf32>) -> tensor<5x!quant.uniform<i8:f32, 1.0:10>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<5x!quant.uniform<i8:f32, 1.0:10>>) -> tensor<5xi8>
  check.expect_eq_const %stored, dense<[127, -128, 127, 127, -128]> : tensor<5xi8>
  return
}

// A storage range that is narrower than the type.
func.func @storage_range() {
  %operand = stablehlo.constant dense<[-9.0, -7.0, 7.0, 8.0]> : tensor<4xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8<-7:7>:f32, 1.0>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<4x!quant.uniform<i8<-7:7>:f32, 1.0>>) -> tensor<4xi8>
  check.expect_eq_const %stored, dense<[-7, -7, 7, 7]> : tensor<4xi8>
  return
}

// Unsigned storage.
func.func @unsigned() {
  %operand = stablehlo.constant dense<[0.0, 31.75, -32.0, -40.0]> : tensor<4xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<4xf32>) -> tensor<4x!quant.uniform<u8:f32, 0.25:128>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<4x!quant.uniform<u8:f32, 0.25:128>>) -> tensor<4xui8>
  check.expect_eq_const %stored, dense<[128, 255, 0, 0]> : tensor<4xui8>
  return
}

// Storage of 16 bits.
func.func @sixteen_bits() {
  %operand = stablehlo.constant dense<[1.0, -32.768, 40.0]> : tensor<3xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<3xf32>) -> tensor<3x!quant.uniform<i16:f32, 0.001>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<3x!quant.uniform<i16:f32, 0.001>>) -> tensor<3xi16>
  check.expect_eq_const %stored, dense<[1000, -32768, 32767]> : tensor<3xi16>
  return
}

// Storage of 32 bits, which is exact in double precision.
func.func @thirty_two_bits() {
  %operand = stablehlo.constant dense<[2147483647.0, -2147483648.0]> : tensor<2xf64>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<2xf64>) -> tensor<2x!quant.uniform<i32:f64, 1.0>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<2x!quant.uniform<i32:f64, 1.0>>) -> tensor<2xi32>
  check.expect_eq_const %stored, dense<[2147483647, -2147483648]> : tensor<2xi32>
  return
}

// Half precision.
func.func @f16() {
  %operand = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf16>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<2xf16>) -> tensor<2x!quant.uniform<i8:f16, 0.5>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<2x!quant.uniform<i8:f16, 0.5>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[3, -4]> : tensor<2xi8>
  return
}

// Narrow floats.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xbf16>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<2xbf16>) -> tensor<2x!quant.uniform<i8:bf16, 0.5>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<2x!quant.uniform<i8:bf16, 0.5>>) -> tensor<2xi8>
  check.expect_eq_const %stored, dense<[3, -4]> : tensor<2xi8>
  return
}

// The second dimension is the axis.
func.func @second_axis() {
  %operand = stablehlo.constant dense<[[1.0, 1.0, 2.0], [2.0, 2.0, 4.0]]> : tensor<2x3xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 0.5, 2.0:1}>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 0.5, 2.0:1}>>) -> tensor<2x3xi8>
  check.expect_eq_const %stored, dense<[[1, 2, 2], [2, 4, 3]]> : tensor<2x3xi8>
  return
}

// A scalar.
func.func @scalar() {
  %operand = stablehlo.constant dense<3.0> : tensor<f32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<f32>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i8>
  check.expect_eq_const %stored, dense<7> : tensor<i8>
  return
}

// No element.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0xf32>
  %quantized = stablehlo.uniform_quantize %operand : (tensor<0xf32>) -> tensor<0x!quant.uniform<i8:f32, 0.5>>
  %stored = stablehlo.bitcast_convert %quantized : (tensor<0x!quant.uniform<i8:f32, 0.5>>) -> tensor<0xi8>
  check.expect_eq_const %stored, dense<> : tensor<0xi8>
  return
}

// From quantised values to other parameters: the same real numbers, as far as they can be stored.
func.func @requantize() {
  %operand = stablehlo.constant dense<[1.0, -2.0, 100.0]> : tensor<3xf32>
  %first = stablehlo.uniform_quantize %operand : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8:f32, 1.0:5>>
  %second = stablehlo.uniform_quantize %first : (tensor<3x!quant.uniform<i8:f32, 1.0:5>>) -> tensor<3x!quant.uniform<i8:f32, 0.5:-5>>
  %stored = stablehlo.bitcast_convert %second : (tensor<3x!quant.uniform<i8:f32, 0.5:-5>>) -> tensor<3xi8>
  check.expect_eq_const %stored, dense<[-3, -9, 127]> : tensor<3xi8>
  return
}

// From parameters of the whole tensor to those of an axis.
func.func @to_per_axis() {
  %operand = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %first = stablehlo.uniform_quantize %operand : (tensor<2x1xf32>) -> tensor<2x1x!quant.uniform<i8:f32, 1.0>>
  %second = stablehlo.uniform_quantize %first : (tensor<2x1x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x1x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>
  %stored = stablehlo.bitcast_convert %second : (tensor<2x1x!quant.uniform<i8:f32:0, {0.5, 0.25:1}>>) -> tensor<2x1xi8>
  check.expect_eq_const %stored, dense<[[2], [9]]> : tensor<2x1xi8>
  return
}
