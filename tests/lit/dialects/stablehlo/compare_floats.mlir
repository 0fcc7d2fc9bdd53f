// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `compare` of floats and complex numbers in every direction. NaN is unequal to all and not ordered; TOTALORDER orders
// all floats:
// -NaN < -inf < -1 < -0 < +0 < 1 < inf < NaN.

// f64, with zeros, infinities and NaN.
func.func @f64() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, -1.0, 0.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 1.0, 0x7FF8000000000000, 5.0e-324]> : tensor<11xf64>
  %rhs = stablehlo.constant dense<[2.0, 2.0, -2.0, -0.0, 0x7FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 1.0, 0x7FF8000000000000, 0x7FF0000000000000, 0.0]> : tensor<11xf64>
  %eq = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %eq, dense<[false, true, false, true, true, false, false, false, false, false, false]> : tensor<11xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %ne, dense<[true, false, true, false, false, true, true, true, true, true, true]> : tensor<11xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %lt, dense<[true, false, false, false, false, true, false, false, false, false, false]> : tensor<11xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %le, dense<[true, true, false, true, true, true, false, false, false, false, false]> : tensor<11xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %gt, dense<[false, false, true, false, false, false, false, false, false, false, true]> : tensor<11xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %ge, dense<[false, true, true, true, true, false, false, false, false, false, true]> : tensor<11xi1>
  return
}

// -----

// f32, with zeros, infinities and NaN.
func.func @f32() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, -1.0, 0.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FC00000, 1.0, 0x7FC00000, 1.0e-45]> : tensor<11xf32>
  %rhs = stablehlo.constant dense<[2.0, 2.0, -2.0, -0.0, 0x7F800000, 0x7F800000, 0x7FC00000, 1.0, 0x7FC00000, 0x7F800000, 0.0]> : tensor<11xf32>
  %eq = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %eq, dense<[false, true, false, true, true, false, false, false, false, false, false]> : tensor<11xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %ne, dense<[true, false, true, false, false, true, true, true, true, true, true]> : tensor<11xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %lt, dense<[true, false, false, false, false, true, false, false, false, false, false]> : tensor<11xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %le, dense<[true, true, false, true, true, true, false, false, false, false, false]> : tensor<11xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %gt, dense<[false, false, true, false, false, false, false, false, false, false, true]> : tensor<11xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %ge, dense<[false, true, true, true, true, false, false, false, false, false, true]> : tensor<11xi1>
  return
}

// -----

// f16, with zeros, infinities and NaN.
func.func @f16() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, -1.0, 0.0, 0x7C00, 0xFC00, 0x7E00, 0x7E00, 1.0, 0x7E00, 6.0e-8]> : tensor<11xf16>
  %rhs = stablehlo.constant dense<[2.0, 2.0, -2.0, -0.0, 0x7C00, 0x7C00, 0x7E00, 1.0, 0x7E00, 0x7C00, 0.0]> : tensor<11xf16>
  %eq = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %eq, dense<[false, true, false, true, true, false, false, false, false, false, false]> : tensor<11xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %ne, dense<[true, false, true, false, false, true, true, true, true, true, true]> : tensor<11xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %lt, dense<[true, false, false, false, false, true, false, false, false, false, false]> : tensor<11xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %le, dense<[true, true, false, true, true, true, false, false, false, false, false]> : tensor<11xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %gt, dense<[false, false, true, false, false, false, false, false, false, false, true]> : tensor<11xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %ge, dense<[false, true, true, true, true, false, false, false, false, false, true]> : tensor<11xi1>
  return
}

// -----

// bf16, with zeros, infinities and NaN.
func.func @bf16() {
  %lhs = stablehlo.constant dense<[1.0, 2.0, -1.0, 0.0, 0x7F80, 0xFF80, 0x7FC0, 0x7FC0, 1.0, 0x7FC0, 9.0e-41]> : tensor<11xbf16>
  %rhs = stablehlo.constant dense<[2.0, 2.0, -2.0, -0.0, 0x7F80, 0x7F80, 0x7FC0, 1.0, 0x7FC0, 0x7F80, 0.0]> : tensor<11xbf16>
  %eq = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %eq, dense<[false, true, false, true, true, false, false, false, false, false, false]> : tensor<11xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %ne, dense<[true, false, true, false, false, true, true, true, true, true, true]> : tensor<11xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %lt, dense<[true, false, false, false, false, true, false, false, false, false, false]> : tensor<11xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %le, dense<[true, true, false, true, true, true, false, false, false, false, false]> : tensor<11xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %gt, dense<[false, false, true, false, false, false, false, false, false, false, true]> : tensor<11xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %ge, dense<[false, true, true, true, true, false, false, false, false, false, true]> : tensor<11xi1>
  return
}

// -----

// Without a type floats are compared as FLOAT.
func.func @f32_default() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 0.0]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[0x7FC00000, -0.0]> : tensor<2xf32>
  %eq = stablehlo.compare EQ, %lhs, %rhs : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %eq, dense<[false, true]> : tensor<2xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %ne, dense<[true, false]> : tensor<2xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %lt, dense<[false, false]> : tensor<2xi1>
  %le = stablehlo.compare LE, %lhs, %rhs : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %le, dense<[false, true]> : tensor<2xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %gt, dense<[false, false]> : tensor<2xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %ge, dense<[false, true]> : tensor<2xi1>
  return
}

// -----

// f64 in total order, NaN of both signs.
func.func @f64_total_order() {
  %lhs = stablehlo.constant dense<[0xFFF8000000000000, 0xFFF8000000000000, 0xFFF0000000000000, -0.0, 0.0, -1.0, 1.0, 0x7FF0000000000000, 0x7FF8000000000000, 0xFFF8000000000000, 0x7FF8000000000000]> : tensor<11xf64>
  %rhs = stablehlo.constant dense<[0xFFF0000000000000, 0x7FF8000000000000, -1.0, 0.0, -0.0, -0.0, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF8000000000000, 0xFFF8000000000000, 0xFFF8000000000000]> : tensor<11xf64>
  %eq = stablehlo.compare EQ, %lhs, %rhs, TOTALORDER : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %eq, dense<[false, false, false, false, false, false, false, false, true, true, false]> : tensor<11xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, TOTALORDER : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %ne, dense<[true, true, true, true, true, true, true, true, false, false, true]> : tensor<11xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %lt, dense<[true, true, true, true, false, true, true, true, false, false, false]> : tensor<11xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, TOTALORDER : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, false, true, true, true, true, true, false]> : tensor<11xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, TOTALORDER : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, true, false, false, false, false, false, true]> : tensor<11xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, TOTALORDER : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
  check.expect_eq_const %ge, dense<[false, false, false, false, true, false, false, false, true, true, true]> : tensor<11xi1>
  return
}

// -----

// f32 in total order, NaN of both signs.
func.func @f32_total_order() {
  %lhs = stablehlo.constant dense<[0xFFC00000, 0xFFC00000, 0xFF800000, -0.0, 0.0, -1.0, 1.0, 0x7F800000, 0x7FC00000, 0xFFC00000, 0x7FC00000]> : tensor<11xf32>
  %rhs = stablehlo.constant dense<[0xFF800000, 0x7FC00000, -1.0, 0.0, -0.0, -0.0, 0x7F800000, 0x7FC00000, 0x7FC00000, 0xFFC00000, 0xFFC00000]> : tensor<11xf32>
  %eq = stablehlo.compare EQ, %lhs, %rhs, TOTALORDER : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %eq, dense<[false, false, false, false, false, false, false, false, true, true, false]> : tensor<11xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, TOTALORDER : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %ne, dense<[true, true, true, true, true, true, true, true, false, false, true]> : tensor<11xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %lt, dense<[true, true, true, true, false, true, true, true, false, false, false]> : tensor<11xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, TOTALORDER : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, false, true, true, true, true, true, false]> : tensor<11xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, TOTALORDER : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, true, false, false, false, false, false, true]> : tensor<11xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, TOTALORDER : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
  check.expect_eq_const %ge, dense<[false, false, false, false, true, false, false, false, true, true, true]> : tensor<11xi1>
  return
}

// -----

// f16 in total order, NaN of both signs.
func.func @f16_total_order() {
  %lhs = stablehlo.constant dense<[0xFE00, 0xFE00, 0xFC00, -0.0, 0.0, -1.0, 1.0, 0x7C00, 0x7E00, 0xFE00, 0x7E00]> : tensor<11xf16>
  %rhs = stablehlo.constant dense<[0xFC00, 0x7E00, -1.0, 0.0, -0.0, -0.0, 0x7C00, 0x7E00, 0x7E00, 0xFE00, 0xFE00]> : tensor<11xf16>
  %eq = stablehlo.compare EQ, %lhs, %rhs, TOTALORDER : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %eq, dense<[false, false, false, false, false, false, false, false, true, true, false]> : tensor<11xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, TOTALORDER : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %ne, dense<[true, true, true, true, true, true, true, true, false, false, true]> : tensor<11xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %lt, dense<[true, true, true, true, false, true, true, true, false, false, false]> : tensor<11xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, TOTALORDER : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, false, true, true, true, true, true, false]> : tensor<11xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, TOTALORDER : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, true, false, false, false, false, false, true]> : tensor<11xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, TOTALORDER : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
  check.expect_eq_const %ge, dense<[false, false, false, false, true, false, false, false, true, true, true]> : tensor<11xi1>
  return
}

// -----

// bf16 in total order, NaN of both signs.
func.func @bf16_total_order() {
  %lhs = stablehlo.constant dense<[0xFFC0, 0xFFC0, 0xFF80, -0.0, 0.0, -1.0, 1.0, 0x7F80, 0x7FC0, 0xFFC0, 0x7FC0]> : tensor<11xbf16>
  %rhs = stablehlo.constant dense<[0xFF80, 0x7FC0, -1.0, 0.0, -0.0, -0.0, 0x7F80, 0x7FC0, 0x7FC0, 0xFFC0, 0xFFC0]> : tensor<11xbf16>
  %eq = stablehlo.compare EQ, %lhs, %rhs, TOTALORDER : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %eq, dense<[false, false, false, false, false, false, false, false, true, true, false]> : tensor<11xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, TOTALORDER : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %ne, dense<[true, true, true, true, true, true, true, true, false, false, true]> : tensor<11xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %lt, dense<[true, true, true, true, false, true, true, true, false, false, false]> : tensor<11xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, TOTALORDER : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, false, true, true, true, true, true, false]> : tensor<11xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, TOTALORDER : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, true, false, false, false, false, false, true]> : tensor<11xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, TOTALORDER : (tensor<11xbf16>, tensor<11xbf16>) -> tensor<11xi1>
  check.expect_eq_const %ge, dense<[false, false, false, false, true, false, false, false, true, true, true]> : tensor<11xi1>
  return
}

// -----

// NaNs are ordered by their payload.
func.func @f32_total_order_payloads() {
  %lhs = stablehlo.constant dense<[0x7F800001, 0xFFC00001]> : tensor<2xf32>
  %rhs = stablehlo.constant dense<[0x7FC00000, 0xFFC00000]> : tensor<2xf32>
  %eq = stablehlo.compare EQ, %lhs, %rhs, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %eq, dense<[false, false]> : tensor<2xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %ne, dense<[true, true]> : tensor<2xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %lt, dense<[true, true]> : tensor<2xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %le, dense<[true, true]> : tensor<2xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %gt, dense<[false, false]> : tensor<2xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %ge, dense<[false, false]> : tensor<2xi1>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %lhs = stablehlo.constant dense<[1.0, 0.0, 0x7F, -1.0]> : tensor<4xf8E4M3FN>
  %rhs = stablehlo.constant dense<[2.0, -0.0, 0x7F, -1.5]> : tensor<4xf8E4M3FN>
  %eq = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) -> tensor<4xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false]> : tensor<4xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) -> tensor<4xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true]> : tensor<4xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) -> tensor<4xi1>
  check.expect_eq_const %lt, dense<[true, false, false, false]> : tensor<4xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) -> tensor<4xi1>
  check.expect_eq_const %le, dense<[true, true, false, false]> : tensor<4xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) -> tensor<4xi1>
  check.expect_eq_const %gt, dense<[false, false, false, true]> : tensor<4xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN>) -> tensor<4xi1>
  check.expect_eq_const %ge, dense<[false, true, false, true]> : tensor<4xi1>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %lhs = stablehlo.constant dense<[1.0, 0.0, 0x7E, -1.0]> : tensor<4xf8E5M2>
  %rhs = stablehlo.constant dense<[2.0, -0.0, 0x7E, -1.5]> : tensor<4xf8E5M2>
  %eq = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %eq, dense<[false, true, false, false]> : tensor<4xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %ne, dense<[true, false, true, true]> : tensor<4xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, FLOAT : (tensor<4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %lt, dense<[true, false, false, false]> : tensor<4xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, FLOAT : (tensor<4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %le, dense<[true, true, false, false]> : tensor<4xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, FLOAT : (tensor<4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %gt, dense<[false, false, false, true]> : tensor<4xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, FLOAT : (tensor<4xf8E5M2>, tensor<4xf8E5M2>) -> tensor<4xi1>
  check.expect_eq_const %ge, dense<[false, true, false, true]> : tensor<4xi1>
  return
}

// -----

// Complex numbers are equal or not.
func.func @complex_f32() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (0.0, -0.0)]> : tensor<3xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (-0.0, 0.0)]> : tensor<3xcomplex<f32>>
  %eq = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %eq, dense<[true, false, true]> : tensor<3xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %ne, dense<[false, true, false]> : tensor<3xi1>
  return
}

// -----

// Complex numbers are equal or not.
func.func @complex_f64() {
  %lhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (0.0, -0.0)]> : tensor<3xcomplex<f64>>
  %rhs = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (-0.0, 0.0)]> : tensor<3xcomplex<f64>>
  %eq = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %eq, dense<[true, false, true]> : tensor<3xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xi1>
  check.expect_eq_const %ne, dense<[false, true, false]> : tensor<3xi1>
  return
}

// -----

// NaN in either part.
func.func @complex_f32_nan() {
  %lhs = stablehlo.constant dense<[(0x7FC00000, 0.0), (0.0, 0x7FC00000)]> : tensor<2xcomplex<f32>>
  %rhs = stablehlo.constant dense<[(0x7FC00000, 0.0), (0.0, 0x7FC00000)]> : tensor<2xcomplex<f32>>
  %eq = stablehlo.compare EQ, %lhs, %rhs, FLOAT : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  check.expect_eq_const %eq, dense<[false, false]> : tensor<2xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, FLOAT : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xi1>
  check.expect_eq_const %ne, dense<[true, true]> : tensor<2xi1>
  return
}

// -----

// A type of comparison that does not fit the elements is of no effect.
func.func @other_types() {
  %x = stablehlo.constant dense<[-1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %y = stablehlo.constant dense<[1.0, -2.0, 0x7FC00000]> : tensor<3xf32>
  %a = stablehlo.compare LT, %x, %y, SIGNED : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %a, dense<[true, false, false]> : tensor<3xi1>
  %b = stablehlo.compare NE, %x, %x, UNSIGNED : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %b, dense<[false, false, true]> : tensor<3xi1>
  %i = stablehlo.constant dense<[-1, 2]> : tensor<2xi32>
  %j = stablehlo.constant dense<[1, -2]> : tensor<2xi32>
  %c = stablehlo.compare LT, %i, %j, UNSIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  check.expect_eq_const %c, dense<[true, false]> : tensor<2xi1>
  %d = stablehlo.compare LT, %i, %j, TOTALORDER : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  check.expect_eq_const %d, dense<[true, false]> : tensor<2xi1>
  %k = stablehlo.constant dense<[255, 2]> : tensor<2xui8>
  %l = stablehlo.constant dense<[1, 254]> : tensor<2xui8>
  %e = stablehlo.compare LT, %k, %l, SIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  check.expect_eq_const %e, dense<[false, true]> : tensor<2xi1>
  return
}
