// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `reduce_precision`: the nearest number with so many exponent and mantissa bits, of two the even one. Overflow gives
// infinity; what is below the least normal number of the format becomes zero.

// As f16.
func.func @f32_e5m10() {
  %operand = stablehlo.constant dense<[1.0, 1.0004883, 1.0014648, 1.0004884, 65504.0, 65519.0, 65520.0, -1.0e10, 6.1035156e-5, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<12xf32>
  %result = stablehlo.reduce_precision %operand, format = e5m10 : tensor<12xf32>
  check.expect_eq_const %result, dense<[1.0, 1.0, 1.0019531, 1.0009766, 65504.0, 65504.0, 0x7F800000, 0xFF800000, 6.1035156e-5, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<12xf32>
  return
}

// -----

// Below 2^-14 there is zero, with the sign.
func.func @f32_e5m10_underflow() {
  %operand = stablehlo.constant dense<[6.0e-5, -6.0e-5, 1.0e-30, 0.0, -0.0]> : tensor<5xf32>
  %result = stablehlo.reduce_precision %operand, format = e5m10 : tensor<5xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %bits, dense<[0, 0x80000000, 0, 0, 0x80000000]> : tensor<5xui32>
  return
}

// -----

// As bf16; numbers below the least normal one stay, as the exponent is the same.
func.func @f32_e8m7() {
  %operand = stablehlo.constant dense<[1.0039062, 1.0117188, 3.4028235e38, 3.39e38, 0.1, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<8xf32>
  %result = stablehlo.reduce_precision %operand, format = e8m7 : tensor<8xf32>
  check.expect_eq_const %result, dense<[1.0, 1.015625, 0x7F800000, 3.3895314e38, 0.100097656, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<8xf32>
  return
}

// -----

// The format itself: nothing changes.
func.func @f32_e8m23() {
  %operand = stablehlo.constant dense<[0.1, 3.4028235e38, 1.0e-38, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<6xf32>
  %result = stablehlo.reduce_precision %operand, format = e8m23 : tensor<6xf32>
  check.expect_eq_const %result, dense<[0.1, 3.4028235e38, 1.0e-38, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<6xf32>
  return
}

// -----

// A wider format: nothing changes.
func.func @f32_e11m52() {
  %operand = stablehlo.constant dense<[0.1, 3.4028235e38, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<5xf32>
  %result = stablehlo.reduce_precision %operand, format = e11m52 : tensor<5xf32>
  check.expect_eq_const %result, dense<[0.1, 3.4028235e38, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<5xf32>
  return
}

// -----

// 5 exponent bits, 2 mantissa bits.
func.func @f32_e5m2() {
  %operand = stablehlo.constant dense<[1.125, 1.375, 57344.0, 61439.0, 61440.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<8xf32>
  %result = stablehlo.reduce_precision %operand, format = e5m2 : tensor<8xf32>
  check.expect_eq_const %result, dense<[1.0, 1.5, 57344.0, 57344.0, 0x7F800000, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<8xf32>
  return
}

// -----

// 4 exponent bits, 3 mantissa bits, as in IEEE 754.
func.func @f32_e4m3() {
  %operand = stablehlo.constant dense<[1.0625, 1.1875, 240.0, 247.0, 248.0, 0.015625, 0.01, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<10xf32>
  %result = stablehlo.reduce_precision %operand, format = e4m3 : tensor<10xf32>
  check.expect_eq_const %result, dense<[1.0, 1.25, 240.0, 240.0, 0x7F800000, 0.015625, 0.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<10xf32>
  return
}

// -----

// No mantissa bits: powers of two; of two equally near, the one with the even exponent field.
func.func @f32_e8m0() {
  %operand = stablehlo.constant dense<[1.0, 1.4, 1.5, 3.0, 2.9, -5.0, 6.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<10xf32>
  %result = stablehlo.reduce_precision %operand, format = e8m0 : tensor<10xf32>
  check.expect_eq_const %result, dense<[1.0, 1.0, 2.0, 2.0, 2.0, -4.0, 8.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<10xf32>
  return
}

// -----

// 2 exponent bits, 1 mantissa bit.
func.func @f32_e2m1() {
  %operand = stablehlo.constant dense<[1.0, 1.25, 1.75, 3.0, 3.4, 3.5, 0.5, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<10xf32>
  %result = stablehlo.reduce_precision %operand, format = e2m1 : tensor<10xf32>
  check.expect_eq_const %result, dense<[1.0, 1.0, 2.0, 3.0, 3.0, 0x7F800000, 0.0, 0x7FC00000, 0x7F800000, 0xFF800000]> : tensor<10xf32>
  return
}

// -----

// As f32.
func.func @f64_e8m23() {
  %operand = stablehlo.constant dense<[0.1, 1.0000000596046448, 1.0000001788139343, 1.0e39, 1.0e-40, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<8xf64>
  %result = stablehlo.reduce_precision %operand, format = e8m23 : tensor<8xf64>
  check.expect_eq_const %result, dense<[0.10000000149011612, 1.0, 1.000000238418579, 0x7FF0000000000000, 0.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<8xf64>
  return
}

// -----

// As f16.
func.func @f64_e5m10() {
  %operand = stablehlo.constant dense<[1.00048828125, 1.0004882812500009, 65520.0, 65519.99, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<7xf64>
  %result = stablehlo.reduce_precision %operand, format = e5m10 : tensor<7xf64>
  check.expect_eq_const %result, dense<[1.0, 1.0009765625, 0x7FF0000000000000, 65504.0, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<7xf64>
  return
}

// -----

// Fewer mantissa bits only.
func.func @f64_e11m10() {
  %operand = stablehlo.constant dense<[1.00048828125, 1.00146484375, 1.7976931348623157e308, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<6xf64>
  %result = stablehlo.reduce_precision %operand, format = e11m10 : tensor<6xf64>
  check.expect_eq_const %result, dense<[1.0, 1.001953125, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<6xf64>
  return
}

// -----

// f16 as f8E5M2.
func.func @f16_e5m2() {
  %operand = stablehlo.constant dense<[1.125, 1.375, 57340.0, 61440.0, 0x7E00, 0x7C00, 0xFC00]> : tensor<7xf16>
  %result = stablehlo.reduce_precision %operand, format = e5m2 : tensor<7xf16>
  check.expect_eq_const %result, dense<[1.0, 1.5, 57340.0, 0x7C00, 0x7E00, 0x7C00, 0xFC00]> : tensor<7xf16>
  return
}

// -----

// Fewer exponent bits.
func.func @f16_e4m3() {
  %operand = stablehlo.constant dense<[1.0625, 1.1875, 240.0, 248.0, 0.01, 0x7E00, 0x7C00, 0xFC00]> : tensor<8xf16>
  %result = stablehlo.reduce_precision %operand, format = e4m3 : tensor<8xf16>
  check.expect_eq_const %result, dense<[1.0, 1.25, 240.0, 0x7C00, 0.0, 0x7E00, 0x7C00, 0xFC00]> : tensor<8xf16>
  return
}

// -----

// bf16 with fewer bits.
func.func @bf16_e5m3() {
  %operand = stablehlo.constant dense<[1.06, 1.19, 65500.0, 61400.0, 1.0e-5, 0x7FC0, 0x7F80, 0xFF80]> : tensor<8xbf16>
  %result = stablehlo.reduce_precision %operand, format = e5m3 : tensor<8xbf16>
  check.expect_eq_const %result, dense<[1.0, 1.25, 0x7F80, 61400.0, 0.0, 0x7FC0, 0x7F80, 0xFF80]> : tensor<8xbf16>
  return
}

// -----

// f8E5M2 with fewer bits.
func.func @f8E5M2_e4m1() {
  %operand = stablehlo.constant dense<[1.2, 1.8, 1.5, 200.0, 260.0, 0x7E]> : tensor<6xf8E5M2>
  %result = stablehlo.reduce_precision %operand, format = e4m1 : tensor<6xf8E5M2>
  check.expect_eq_const %result, dense<[1.0, 2.0, 1.5, 200.0, 0x7C, 0x7E]> : tensor<6xf8E5M2>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<65520.0> : tensor<f32>
  %result = stablehlo.reduce_precision %operand, format = e5m10 : tensor<f32>
  check.expect_eq_const %result, dense<0x7F800000> : tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<2x0xf32>
  %result = stablehlo.reduce_precision %operand, format = e5m10 : tensor<2x0xf32>
  check.expect_eq_const %result, dense<> : tensor<2x0xf32>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[1.0, 1.0625]], [[1.1875, 300.0]]]> : tensor<2x1x2xf32>
  %result = stablehlo.reduce_precision %operand, format = e4m3 : tensor<2x1x2xf32>
  check.expect_eq_const %result, dense<[[[1.0, 1.0]], [[1.25, 0x7F800000]]]> : tensor<2x1x2xf32>
  return
}
