// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `is_finite`: neither infinite nor NaN.

// f64, with the largest number and the least one above 0.
func.func @f64() {
  %operand = stablehlo.constant dense<[1.0, -0.0, 1.7976931348623157e308, 5.0e-324, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<7xf64>
  %result = stablehlo.is_finite %operand : (tensor<7xf64>) -> tensor<7xi1>
  check.expect_eq_const %result, dense<[true, true, true, true, false, false, false]> : tensor<7xi1>
  return
}

// -----

// f32, with the largest number and the least one above 0.
func.func @f32() {
  %operand = stablehlo.constant dense<[1.0, -0.0, 3.4028235e38, 1.0e-45, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<7xf32>
  %result = stablehlo.is_finite %operand : (tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %result, dense<[true, true, true, true, false, false, false]> : tensor<7xi1>
  return
}

// -----

// f16, with the largest number and the least one above 0.
func.func @f16() {
  %operand = stablehlo.constant dense<[1.0, -0.0, 65500.0, 6.0e-8, 0x7C00, 0xFC00, 0x7E00]> : tensor<7xf16>
  %result = stablehlo.is_finite %operand : (tensor<7xf16>) -> tensor<7xi1>
  check.expect_eq_const %result, dense<[true, true, true, true, false, false, false]> : tensor<7xi1>
  return
}

// -----

// bf16, with the largest number and the least one above 0.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.0, -0.0, 3.39e38, 9.0e-41, 0x7F80, 0xFF80, 0x7FC0]> : tensor<7xbf16>
  %result = stablehlo.is_finite %operand : (tensor<7xbf16>) -> tensor<7xi1>
  check.expect_eq_const %result, dense<[true, true, true, true, false, false, false]> : tensor<7xi1>
  return
}

// -----

// f8E5M2 has infinities.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[1.0, 60000.0, 0x7C, 0x7E]> : tensor<4xf8E5M2>
  %result = stablehlo.is_finite %operand : (tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, true, false, false]> : tensor<4xi1>
  return
}

// -----

// f8E4M3FN has NaN only.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.0, 450.0, 0.0, 0x7F]> : tensor<4xf8E4M3FN>
  %result = stablehlo.is_finite %operand : (tensor<4xf8E4M3FN>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, true, true, false]> : tensor<4xi1>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %result = stablehlo.is_finite %operand : (tensor<f32>) -> tensor<i1>
  check.expect_eq_const %result, dense<false> : tensor<i1>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<3x0xf32>
  %result = stablehlo.is_finite %operand : (tensor<3x0xf32>) -> tensor<3x0xi1>
  check.expect_eq_const %result, dense<> : tensor<3x0xi1>
  return
}

// -----

// Rank 3.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[1.0, 0x7F800000]], [[0x7FC00000, 0.0]]]> : tensor<2x1x2xf32>
  %result = stablehlo.is_finite %operand : (tensor<2x1x2xf32>) -> tensor<2x1x2xi1>
  check.expect_eq_const %result, dense<[[[true, false]], [[false, true]]]> : tensor<2x1x2xi1>
  return
}
