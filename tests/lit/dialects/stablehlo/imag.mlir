// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `imag`: the imaginary part.

// complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, -2.0), (-0.5, 3.0), (0x7FC00000, 1.0), (1.0, 0x7FC00000), (0x7F800000, 0xFF800000)]> : tensor<5xcomplex<f32>>
  %result = stablehlo.imag %operand : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  check.expect_eq_const %result, dense<[-2.0, 3.0, 1.0, 0x7FC00000, 0xFF800000]> : tensor<5xf32>
  return
}

// -----

// Zeros keep their sign.
func.func @complex_f32_signed_zeros() {
  %operand = stablehlo.constant dense<[(0.0, -0.0), (-0.0, 0.0)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.imag %operand : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %bits, dense<[0x80000000, 0]> : tensor<2xui32>
  return
}

// -----

// complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, -2.0), (-0.5, 3.0), (0x7FF8000000000000, 1.0), (1.0, 0x7FF8000000000000), (0x7FF0000000000000, 0xFFF0000000000000)]> : tensor<5xcomplex<f64>>
  %result = stablehlo.imag %operand : (tensor<5xcomplex<f64>>) -> tensor<5xf64>
  check.expect_eq_const %result, dense<[-2.0, 3.0, 1.0, 0x7FF8000000000000, 0xFFF0000000000000]> : tensor<5xf64>
  return
}

// -----

// Zeros keep their sign.
func.func @complex_f64_signed_zeros() {
  %operand = stablehlo.constant dense<[(0.0, -0.0), (-0.0, 0.0)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.imag %operand : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %bits = stablehlo.bitcast_convert %result : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %bits, dense<[0x8000000000000000, 0]> : tensor<2xui64>
  return
}

// -----

// f64: zero.
func.func @f64() {
  %operand = stablehlo.constant dense<[1.5, -2.5, 0x7FF0000000000000, 0x7FF8000000000000]> : tensor<4xf64>
  %result = stablehlo.imag %operand : tensor<4xf64>
  check.expect_eq_const %result, dense<0.0> : tensor<4xf64>
  return
}

// -----

// f32: zero.
func.func @f32() {
  %operand = stablehlo.constant dense<[1.5, -2.5, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
  %result = stablehlo.imag %operand : tensor<4xf32>
  check.expect_eq_const %result, dense<0.0> : tensor<4xf32>
  return
}

// -----

// f16: zero.
func.func @f16() {
  %operand = stablehlo.constant dense<[1.5, -2.5, 0x7C00, 0x7E00]> : tensor<4xf16>
  %result = stablehlo.imag %operand : tensor<4xf16>
  check.expect_eq_const %result, dense<0.0> : tensor<4xf16>
  return
}

// -----

// bf16: zero.
func.func @bf16() {
  %operand = stablehlo.constant dense<[1.5, -2.5, 0x7F80, 0x7FC0]> : tensor<4xbf16>
  %result = stablehlo.imag %operand : tensor<4xbf16>
  check.expect_eq_const %result, dense<0.0> : tensor<4xbf16>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[1.5, -2.5, 0.25]> : tensor<3xf8E4M3FN>
  %result = stablehlo.imag %operand : tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<0.0> : tensor<3xf8E4M3FN>
  return
}

// -----

// Rank 0.
func.func @complex_rank_0() {
  %operand = stablehlo.constant dense<(2.0, -3.0)> : tensor<complex<f32>>
  %result = stablehlo.imag %operand : (tensor<complex<f32>>) -> tensor<f32>
  check.expect_eq_const %result, dense<-3.0> : tensor<f32>
  return
}

// -----

// A dimension of size 0.
func.func @complex_empty() {
  %operand = stablehlo.constant dense<> : tensor<0x2xcomplex<f32>>
  %result = stablehlo.imag %operand : (tensor<0x2xcomplex<f32>>) -> tensor<0x2xf32>
  check.expect_eq_const %result, dense<> : tensor<0x2xf32>
  return
}

// -----

// Rank 3.
func.func @complex_rank_3() {
  %operand = stablehlo.constant dense<[[[(0.0, -6.0), (1.0, -5.0)], [(2.0, -4.0), (3.0, -3.0)], [(4.0, -2.0), (5.0, -1.0)]], [[(6.0, 0.0), (7.0, 1.0)], [(8.0, 2.0), (9.0, 3.0)], [(10.0, 4.0), (11.0, 5.0)]]]> : tensor<2x3x2xcomplex<f32>>
  %result = stablehlo.imag %operand : (tensor<2x3x2xcomplex<f32>>) -> tensor<2x3x2xf32>
  check.expect_eq_const %result, dense<[[[-6.0, -5.0], [-4.0, -3.0], [-2.0, -1.0]], [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]]> : tensor<2x3x2xf32>
  return
}
