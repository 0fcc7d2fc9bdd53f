// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `complex`: a complex number of its parts.

// Parts of f32; NaN and infinity in one part leave the other as it is.
func.func @complex_f32() {
  %lhs = stablehlo.constant dense<[1.0, -2.5, 0x7F800000, 0x7FC00000, 0.0]> : tensor<5xf32>
  %rhs = stablehlo.constant dense<[2.0, 0.5, 0x7FC00000, 0xFF800000, -0.0]> : tensor<5xf32>
  %result = stablehlo.complex %lhs, %rhs : tensor<5xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (-2.5, 0.5), (0x7F800000, 0x7FC00000), (0x7FC00000, 0xFF800000), (0.0, -0.0)]> : tensor<5xcomplex<f32>>
  return
}

// -----

// Zeros keep their sign.
func.func @complex_f32_signed_zeros() {
  %real = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %imag = stablehlo.constant dense<[-0.0, 0.0]> : tensor<2xf32>
  %result = stablehlo.complex %real, %imag : tensor<2xcomplex<f32>>
  %real_part = stablehlo.real %result : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %imag_part = stablehlo.imag %result : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %real_bits = stablehlo.bitcast_convert %real_part : (tensor<2xf32>) -> tensor<2xui32>
  %imag_bits = stablehlo.bitcast_convert %imag_part : (tensor<2xf32>) -> tensor<2xui32>
  check.expect_eq_const %real_bits, dense<[0, 0x80000000]> : tensor<2xui32>
  check.expect_eq_const %imag_bits, dense<[0x80000000, 0]> : tensor<2xui32>
  return
}

// -----

// Parts of f64; NaN and infinity in one part leave the other as it is.
func.func @complex_f64() {
  %lhs = stablehlo.constant dense<[1.0, -2.5, 0x7FF0000000000000, 0x7FF8000000000000, 0.0]> : tensor<5xf64>
  %rhs = stablehlo.constant dense<[2.0, 0.5, 0x7FF8000000000000, 0xFFF0000000000000, -0.0]> : tensor<5xf64>
  %result = stablehlo.complex %lhs, %rhs : tensor<5xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, 2.0), (-2.5, 0.5), (0x7FF0000000000000, 0x7FF8000000000000), (0x7FF8000000000000, 0xFFF0000000000000), (0.0, -0.0)]> : tensor<5xcomplex<f64>>
  return
}

// -----

// Zeros keep their sign.
func.func @complex_f64_signed_zeros() {
  %real = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf64>
  %imag = stablehlo.constant dense<[-0.0, 0.0]> : tensor<2xf64>
  %result = stablehlo.complex %real, %imag : tensor<2xcomplex<f64>>
  %real_part = stablehlo.real %result : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %imag_part = stablehlo.imag %result : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %real_bits = stablehlo.bitcast_convert %real_part : (tensor<2xf64>) -> tensor<2xui64>
  %imag_bits = stablehlo.bitcast_convert %imag_part : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %real_bits, dense<[0, 0x8000000000000000]> : tensor<2xui64>
  check.expect_eq_const %imag_bits, dense<[0x8000000000000000, 0]> : tensor<2xui64>
  return
}

// -----

// Rank 0.
func.func @complex_rank_0() {
  %lhs = stablehlo.constant dense<1.0> : tensor<f32>
  %rhs = stablehlo.constant dense<-2.0> : tensor<f32>
  %result = stablehlo.complex %lhs, %rhs : tensor<complex<f32>>
  check.expect_eq_const %result, dense<(1.0, -2.0)> : tensor<complex<f32>>
  return
}

// -----

// A dimension of size 0.
func.func @complex_empty() {
  %lhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %rhs = stablehlo.constant dense<> : tensor<2x0xf32>
  %result = stablehlo.complex %lhs, %rhs : tensor<2x0xcomplex<f32>>
  check.expect_eq_const %result, dense<> : tensor<2x0xcomplex<f32>>
  return
}

// -----

// Rank 3, with the types of the operands written out.
func.func @complex_rank_3() {
  %lhs = stablehlo.constant dense<[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]> : tensor<2x2x2xf32>
  %rhs = stablehlo.constant dense<[[[-0.0, -1.0], [-2.0, -3.0]], [[-4.0, -5.0], [-6.0, -7.0]]]> : tensor<2x2x2xf32>
  %result = stablehlo.complex %lhs, %rhs : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xcomplex<f32>>
  check.expect_eq_const %result, dense<[[[(0.0, 0.0), (1.0, -1.0)], [(2.0, -2.0), (3.0, -3.0)]], [[(4.0, -4.0), (5.0, -5.0)], [(6.0, -6.0), (7.0, -7.0)]]]> : tensor<2x2x2xcomplex<f32>>
  return
}
