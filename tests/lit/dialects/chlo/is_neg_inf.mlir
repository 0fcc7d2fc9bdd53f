// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.is_neg_inf`: which elements are infinite and negative.

// Elements of type f32.
func.func @f32() {
  %x = stablehlo.constant dense<[1.0, 0x7F800000, 0xFF800000, 0x7FC00000, 0.0]> : tensor<5xf32>
  %result = chlo.is_neg_inf %x : tensor<5xf32> -> tensor<5xi1>
  check.expect_eq_const %result, dense<[false, false, true, false, false]> : tensor<5xi1>
  return
}

// Elements of type f64.
func.func @f64() {
  %x = stablehlo.constant dense<[1.0, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0]> : tensor<5xf64>
  %result = chlo.is_neg_inf %x : tensor<5xf64> -> tensor<5xi1>
  check.expect_eq_const %result, dense<[false, false, true, false, false]> : tensor<5xi1>
  return
}

// Elements of type f16.
func.func @f16() {
  %x = stablehlo.constant dense<[1.0, 0x7C00, 0xFC00, 0x7E00, 0.0]> : tensor<5xf16>
  %result = chlo.is_neg_inf %x : tensor<5xf16> -> tensor<5xi1>
  check.expect_eq_const %result, dense<[false, false, true, false, false]> : tensor<5xi1>
  return
}

// Elements of type bf16.
func.func @bf16() {
  %x = stablehlo.constant dense<[1.0, 0x7F80, 0xFF80, 0x7FC0, 0.0]> : tensor<5xbf16>
  %result = chlo.is_neg_inf %x : tensor<5xbf16> -> tensor<5xi1>
  check.expect_eq_const %result, dense<[false, false, true, false, false]> : tensor<5xi1>
  return
}

// A scalar.
func.func @scalar() {
  %x = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %result = chlo.is_neg_inf %x : tensor<f32> -> tensor<i1>
  check.expect_eq_const %result, dense<true> : tensor<i1>
  return
}

// No element.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0xf32>
  %result = chlo.is_neg_inf %x : tensor<0xf32> -> tensor<0xi1>
  check.expect_eq_const %result, dense<> : tensor<0xi1>
  return
}
