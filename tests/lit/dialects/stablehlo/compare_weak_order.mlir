// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-opt %s --split-input-file | xla-opt --split-input-file | filecheck %s

// `compare` with WEAKORDER: all NaNs are equal and greatest, zeros are equal.

// f64.
func.func @f64() {
  %lhs = stablehlo.constant dense<[0x7FF8000000000000, 0xFFF8000000000000, 0xFFF0000000000000, -0.0, 1.0, 0x7FF0000000000000, 0x7FF0000000000000, 0xFFF8000000000000, 0.0, -2.0]> : tensor<10xf64>
  %rhs = stablehlo.constant dense<[0xFFF8000000000000, 0x7FF8000000000000, 0xFFF0000000000000, 0.0, 2.0, 0x7FF0000000000000, 0x7FF8000000000000, 0x7FF0000000000000, -0.0, -3.0]> : tensor<10xf64>
  %eq = stablehlo.compare EQ, %lhs, %rhs, WEAKORDER : (tensor<10xf64>, tensor<10xf64>) -> tensor<10xi1>
  check.expect_eq_const %eq, dense<[true, true, true, true, false, true, false, false, true, false]> : tensor<10xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, WEAKORDER : (tensor<10xf64>, tensor<10xf64>) -> tensor<10xi1>
  check.expect_eq_const %ne, dense<[false, false, false, false, true, false, true, true, false, true]> : tensor<10xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, WEAKORDER : (tensor<10xf64>, tensor<10xf64>) -> tensor<10xi1>
  check.expect_eq_const %lt, dense<[false, false, false, false, true, false, true, false, false, false]> : tensor<10xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, WEAKORDER : (tensor<10xf64>, tensor<10xf64>) -> tensor<10xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, true, true, true, false, true, false]> : tensor<10xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, WEAKORDER : (tensor<10xf64>, tensor<10xf64>) -> tensor<10xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, false, false, false, true, false, true]> : tensor<10xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, WEAKORDER : (tensor<10xf64>, tensor<10xf64>) -> tensor<10xi1>
  check.expect_eq_const %ge, dense<[true, true, true, true, false, true, false, true, true, true]> : tensor<10xi1>
  return
}

// -----

// f32.
func.func @f32() {
  %lhs = stablehlo.constant dense<[0x7FC00000, 0xFFC00000, 0xFF800000, -0.0, 1.0, 0x7F800000, 0x7F800000, 0xFFC00000, 0.0, -2.0]> : tensor<10xf32>
  %rhs = stablehlo.constant dense<[0xFFC00000, 0x7FC00000, 0xFF800000, 0.0, 2.0, 0x7F800000, 0x7FC00000, 0x7F800000, -0.0, -3.0]> : tensor<10xf32>
  // CHECK: stablehlo.compare EQ, %{{.*}}, %{{.*}}, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  %eq = stablehlo.compare EQ, %lhs, %rhs, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  check.expect_eq_const %eq, dense<[true, true, true, true, false, true, false, false, true, false]> : tensor<10xi1>
  // CHECK: stablehlo.compare NE, %{{.*}}, %{{.*}}, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  check.expect_eq_const %ne, dense<[false, false, false, false, true, false, true, true, false, true]> : tensor<10xi1>
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  check.expect_eq_const %lt, dense<[false, false, false, false, true, false, true, false, false, false]> : tensor<10xi1>
  // CHECK: stablehlo.compare LE, %{{.*}}, %{{.*}}, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, true, true, true, false, true, false]> : tensor<10xi1>
  // CHECK: stablehlo.compare GT, %{{.*}}, %{{.*}}, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, false, false, false, true, false, true]> : tensor<10xi1>
  // CHECK: stablehlo.compare GE, %{{.*}}, %{{.*}}, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, WEAKORDER : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xi1>
  check.expect_eq_const %ge, dense<[true, true, true, true, false, true, false, true, true, true]> : tensor<10xi1>
  return
}

// -----

// f16.
func.func @f16() {
  %lhs = stablehlo.constant dense<[0x7E00, 0xFE00, 0xFC00, -0.0, 1.0, 0x7C00, 0x7C00, 0xFE00, 0.0, -2.0]> : tensor<10xf16>
  %rhs = stablehlo.constant dense<[0xFE00, 0x7E00, 0xFC00, 0.0, 2.0, 0x7C00, 0x7E00, 0x7C00, -0.0, -3.0]> : tensor<10xf16>
  %eq = stablehlo.compare EQ, %lhs, %rhs, WEAKORDER : (tensor<10xf16>, tensor<10xf16>) -> tensor<10xi1>
  check.expect_eq_const %eq, dense<[true, true, true, true, false, true, false, false, true, false]> : tensor<10xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, WEAKORDER : (tensor<10xf16>, tensor<10xf16>) -> tensor<10xi1>
  check.expect_eq_const %ne, dense<[false, false, false, false, true, false, true, true, false, true]> : tensor<10xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, WEAKORDER : (tensor<10xf16>, tensor<10xf16>) -> tensor<10xi1>
  check.expect_eq_const %lt, dense<[false, false, false, false, true, false, true, false, false, false]> : tensor<10xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, WEAKORDER : (tensor<10xf16>, tensor<10xf16>) -> tensor<10xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, true, true, true, false, true, false]> : tensor<10xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, WEAKORDER : (tensor<10xf16>, tensor<10xf16>) -> tensor<10xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, false, false, false, true, false, true]> : tensor<10xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, WEAKORDER : (tensor<10xf16>, tensor<10xf16>) -> tensor<10xi1>
  check.expect_eq_const %ge, dense<[true, true, true, true, false, true, false, true, true, true]> : tensor<10xi1>
  return
}

// -----

// bf16.
func.func @bf16() {
  %lhs = stablehlo.constant dense<[0x7FC0, 0xFFC0, 0xFF80, -0.0, 1.0, 0x7F80, 0x7F80, 0xFFC0, 0.0, -2.0]> : tensor<10xbf16>
  %rhs = stablehlo.constant dense<[0xFFC0, 0x7FC0, 0xFF80, 0.0, 2.0, 0x7F80, 0x7FC0, 0x7F80, -0.0, -3.0]> : tensor<10xbf16>
  %eq = stablehlo.compare EQ, %lhs, %rhs, WEAKORDER : (tensor<10xbf16>, tensor<10xbf16>) -> tensor<10xi1>
  check.expect_eq_const %eq, dense<[true, true, true, true, false, true, false, false, true, false]> : tensor<10xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, WEAKORDER : (tensor<10xbf16>, tensor<10xbf16>) -> tensor<10xi1>
  check.expect_eq_const %ne, dense<[false, false, false, false, true, false, true, true, false, true]> : tensor<10xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, WEAKORDER : (tensor<10xbf16>, tensor<10xbf16>) -> tensor<10xi1>
  check.expect_eq_const %lt, dense<[false, false, false, false, true, false, true, false, false, false]> : tensor<10xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, WEAKORDER : (tensor<10xbf16>, tensor<10xbf16>) -> tensor<10xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, true, true, true, false, true, false]> : tensor<10xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, WEAKORDER : (tensor<10xbf16>, tensor<10xbf16>) -> tensor<10xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, false, false, false, true, false, true]> : tensor<10xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, WEAKORDER : (tensor<10xbf16>, tensor<10xbf16>) -> tensor<10xi1>
  check.expect_eq_const %ge, dense<[true, true, true, true, false, true, false, true, true, true]> : tensor<10xi1>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %lhs = stablehlo.constant dense<[0x7E, 0xFE, 0xFC, -0.0, 1.0, 0x7C, 0x7C, 0xFE, 0.0, -2.0]> : tensor<10xf8E5M2>
  %rhs = stablehlo.constant dense<[0xFE, 0x7E, 0xFC, 0.0, 2.0, 0x7C, 0x7E, 0x7C, -0.0, -3.0]> : tensor<10xf8E5M2>
  %eq = stablehlo.compare EQ, %lhs, %rhs, WEAKORDER : (tensor<10xf8E5M2>, tensor<10xf8E5M2>) -> tensor<10xi1>
  check.expect_eq_const %eq, dense<[true, true, true, true, false, true, false, false, true, false]> : tensor<10xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, WEAKORDER : (tensor<10xf8E5M2>, tensor<10xf8E5M2>) -> tensor<10xi1>
  check.expect_eq_const %ne, dense<[false, false, false, false, true, false, true, true, false, true]> : tensor<10xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, WEAKORDER : (tensor<10xf8E5M2>, tensor<10xf8E5M2>) -> tensor<10xi1>
  check.expect_eq_const %lt, dense<[false, false, false, false, true, false, true, false, false, false]> : tensor<10xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, WEAKORDER : (tensor<10xf8E5M2>, tensor<10xf8E5M2>) -> tensor<10xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, true, true, true, false, true, false]> : tensor<10xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, WEAKORDER : (tensor<10xf8E5M2>, tensor<10xf8E5M2>) -> tensor<10xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, false, false, false, true, false, true]> : tensor<10xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, WEAKORDER : (tensor<10xf8E5M2>, tensor<10xf8E5M2>) -> tensor<10xi1>
  check.expect_eq_const %ge, dense<[true, true, true, true, false, true, false, true, true, true]> : tensor<10xi1>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %lhs = stablehlo.constant dense<[0x7F, 0xFF, -0.0, 1.0, 0.0, -2.0, 1.0, 0xFF]> : tensor<8xf8E4M3FN>
  %rhs = stablehlo.constant dense<[0xFF, 0x7F, 0.0, 2.0, -0.0, -3.0, 0x7F, 2.0]> : tensor<8xf8E4M3FN>
  %eq = stablehlo.compare EQ, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN>) -> tensor<8xi1>
  check.expect_eq_const %eq, dense<[true, true, true, false, true, false, false, false]> : tensor<8xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN>) -> tensor<8xi1>
  check.expect_eq_const %ne, dense<[false, false, false, true, false, true, true, true]> : tensor<8xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN>) -> tensor<8xi1>
  check.expect_eq_const %lt, dense<[false, false, false, true, false, false, true, false]> : tensor<8xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN>) -> tensor<8xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, true, false, true, false]> : tensor<8xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN>) -> tensor<8xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, false, true, false, true]> : tensor<8xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN>) -> tensor<8xi1>
  check.expect_eq_const %ge, dense<[true, true, true, false, true, true, false, true]> : tensor<8xi1>
  return
}

// -----

// f8E4M3FNUZ.
func.func @f8E4M3FNUZ() {
  %lhs = stablehlo.constant dense<[0x80, 0x80, 0.0, 1.0, 0.0, -2.0, 1.0, 0x80]> : tensor<8xf8E4M3FNUZ>
  %rhs = stablehlo.constant dense<[0x80, 0x80, 0.0, 2.0, 0.0, -3.0, 0x80, 2.0]> : tensor<8xf8E4M3FNUZ>
  %eq = stablehlo.compare EQ, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FNUZ>, tensor<8xf8E4M3FNUZ>) -> tensor<8xi1>
  check.expect_eq_const %eq, dense<[true, true, true, false, true, false, false, false]> : tensor<8xi1>
  %ne = stablehlo.compare NE, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FNUZ>, tensor<8xf8E4M3FNUZ>) -> tensor<8xi1>
  check.expect_eq_const %ne, dense<[false, false, false, true, false, true, true, true]> : tensor<8xi1>
  %lt = stablehlo.compare LT, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FNUZ>, tensor<8xf8E4M3FNUZ>) -> tensor<8xi1>
  check.expect_eq_const %lt, dense<[false, false, false, true, false, false, true, false]> : tensor<8xi1>
  %le = stablehlo.compare LE, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FNUZ>, tensor<8xf8E4M3FNUZ>) -> tensor<8xi1>
  check.expect_eq_const %le, dense<[true, true, true, true, true, false, true, false]> : tensor<8xi1>
  %gt = stablehlo.compare GT, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FNUZ>, tensor<8xf8E4M3FNUZ>) -> tensor<8xi1>
  check.expect_eq_const %gt, dense<[false, false, false, false, false, true, false, true]> : tensor<8xi1>
  %ge = stablehlo.compare GE, %lhs, %rhs, WEAKORDER : (tensor<8xf8E4M3FNUZ>, tensor<8xf8E4M3FNUZ>) -> tensor<8xi1>
  check.expect_eq_const %ge, dense<[true, true, true, false, true, true, false, true]> : tensor<8xi1>
  return
}
