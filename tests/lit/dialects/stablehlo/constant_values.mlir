// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `constant`, in all the forms of literals.

// One value for all elements.
func.func @splat() {
  %result0 = stablehlo.constant dense<7> : tensor<2x2xi32>
  check.expect_eq_const %result0, dense<[[7, 7], [7, 7]]> : tensor<2x2xi32>
  %result1 = stablehlo.constant dense<true> : tensor<3xi1>
  check.expect_eq_const %result1, dense<[true, true, true]> : tensor<3xi1>
  %result2 = stablehlo.constant dense<-1.5> : tensor<2xf32>
  check.expect_eq_const %result2, dense<[-1.5, -1.5]> : tensor<2xf32>
  return
}

// -----

// One complex number for all elements.
func.func @complex_splat() {
  %result0 = stablehlo.constant dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>
  check.expect_eq_const %result0, dense<[(1.0, -2.0), (1.0, -2.0)]> : tensor<2xcomplex<f32>>
  return
}

// -----

// Rank 0.
func.func @scalar() {
  %result0 = stablehlo.constant dense<42> : tensor<i64>
  %bits0 = stablehlo.bitcast_convert %result0 : (tensor<i64>) -> tensor<2xui32>
  check.expect_eq_const %bits0, dense<[42, 0]> : tensor<2xui32>
  %result1 = stablehlo.constant dense<1.0> : tensor<f32>
  %bits1 = stablehlo.bitcast_convert %result1 : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %bits1, dense<0x3F800000> : tensor<ui32>
  return
}

// -----

// Rank 3.
func.func @nested() {
  %result0 = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi8>
  %bits0 = stablehlo.bitcast_convert %result0 : (tensor<2x2x2xi8>) -> tensor<2x2xui16>
  check.expect_eq_const %bits0, dense<[[0x0201, 0x0403], [0x0605, 0x0807]]> : tensor<2x2xui16>
  return
}

// -----

// Size 0, with and without brackets.
func.func @empty() {
  %result0 = stablehlo.constant dense<> : tensor<0xf32>
  check.expect_eq_const %result0, dense<> : tensor<0xf32>
  %result1 = stablehlo.constant dense<> : tensor<2x0xi1>
  check.expect_eq_const %result1, dense<> : tensor<2x0xi1>
  return
}

// -----

// Decimal, with exponents, and the sign of zero.
func.func @floats() {
  %result0 = stablehlo.constant dense<[1.0, -0.0, 1.5e3, 2.5E-1, 1.0e-45]> : tensor<5xf32>
  %bits0 = stablehlo.bitcast_convert %result0 : (tensor<5xf32>) -> tensor<5xui32>
  check.expect_eq_const %bits0, dense<[0x3F800000, 0x80000000, 0x44BB8000, 0x3E800000, 1]> : tensor<5xui32>
  return
}

// -----

// Hexadecimal literals are bits: infinity, NaN with payload.
func.func @float_bits() {
  %result0 = stablehlo.constant dense<[0x7F800000, 0xFFC00001, 0x00000001]> : tensor<3xf32>
  %bits0 = stablehlo.bitcast_convert %result0 : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %bits0, dense<[0x7F800000, 0xFFC00001, 1]> : tensor<3xui32>
  %result1 = stablehlo.constant dense<[0x7FF0000000000000, 0xFFF8000000000001]> : tensor<2xf64>
  %bits1 = stablehlo.bitcast_convert %result1 : (tensor<2xf64>) -> tensor<2xui64>
  check.expect_eq_const %bits1, dense<[0x7FF0000000000000, 0xFFF8000000000001]> : tensor<2xui64>
  %result2 = stablehlo.constant dense<[0x7C00, 0x3C00]> : tensor<2xf16>
  %bits2 = stablehlo.bitcast_convert %result2 : (tensor<2xf16>) -> tensor<2xui16>
  check.expect_eq_const %bits2, dense<[0x7C00, 0x3C00]> : tensor<2xui16>
  %result3 = stablehlo.constant dense<[0x7F80, 0x3F80]> : tensor<2xbf16>
  %bits3 = stablehlo.bitcast_convert %result3 : (tensor<2xbf16>) -> tensor<2xui16>
  check.expect_eq_const %bits3, dense<[0x7F80, 0x3F80]> : tensor<2xui16>
  return
}

// -----

// Decimal literals are rounded to nearest, of two the even one.
func.func @rounding() {
  %result0 = stablehlo.constant dense<[0.1, 16777217.0, 3.4028235e38]> : tensor<3xf32>
  %bits0 = stablehlo.bitcast_convert %result0 : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %bits0, dense<[0x3DCCCCCD, 0x4B800000, 0x7F7FFFFF]> : tensor<3xui32>
  %result1 = stablehlo.constant dense<[0.1, 2049.0, 2051.0]> : tensor<3xf16>
  %bits1 = stablehlo.bitcast_convert %result1 : (tensor<3xf16>) -> tensor<3xui16>
  check.expect_eq_const %bits1, dense<[0x2E66, 0x6800, 0x6802]> : tensor<3xui16>
  %result2 = stablehlo.constant dense<[0.1, 257.0, 259.0]> : tensor<3xbf16>
  %bits2 = stablehlo.bitcast_convert %result2 : (tensor<3xbf16>) -> tensor<3xui16>
  check.expect_eq_const %bits2, dense<[0x3DCD, 0x4380, 0x4382]> : tensor<3xui16>
  return
}

// -----

// The limits of integer types.
func.func @integers() {
  %result0 = stablehlo.constant dense<[127, -128]> : tensor<2xi8>
  %bits0 = stablehlo.bitcast_convert %result0 : (tensor<2xi8>) -> tensor<2xui8>
  check.expect_eq_const %bits0, dense<[0x7F, 0x80]> : tensor<2xui8>
  %result1 = stablehlo.constant dense<[9223372036854775807, -9223372036854775808]> : tensor<2xi64>
  %bits1 = stablehlo.bitcast_convert %result1 : (tensor<2xi64>) -> tensor<2xui64>
  check.expect_eq_const %bits1, dense<[0x7FFFFFFFFFFFFFFF, 0x8000000000000000]> : tensor<2xui64>
  %result2 = stablehlo.constant dense<[255, 0]> : tensor<2xui8>
  %bits2 = stablehlo.bitcast_convert %result2 : (tensor<2xui8>) -> tensor<2xi8>
  check.expect_eq_const %bits2, dense<[-1, 0]> : tensor<2xi8>
  %result3 = stablehlo.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %bits3 = stablehlo.bitcast_convert %result3 : (tensor<2xui64>) -> tensor<2xi64>
  check.expect_eq_const %bits3, dense<[-1, 0]> : tensor<2xi64>
  %result4 = stablehlo.constant dense<[7, -8]> : tensor<2xi4>
  %bits4 = stablehlo.bitcast_convert %result4 : (tensor<2xi4>) -> tensor<2xui4>
  check.expect_eq_const %bits4, dense<[7, 8]> : tensor<2xui4>
  %result5 = stablehlo.constant dense<[1, -2]> : tensor<2xi2>
  %bits5 = stablehlo.bitcast_convert %result5 : (tensor<2xi2>) -> tensor<2xui2>
  check.expect_eq_const %bits5, dense<[1, 2]> : tensor<2xui2>
  return
}

// -----

// Hexadecimal integers.
func.func @integers_hexadecimal() {
  %result0 = stablehlo.constant dense<[0x10, 0xFF]> : tensor<2xi32>
  check.expect_eq_const %result0, dense<[16, 255]> : tensor<2xi32>
  return
}

// -----

// A string holds the bytes of all elements.
func.func @bytes() {
  %result0 = stablehlo.constant dense<"0x0000803F000000C00000807F"> : tensor<3xf32>
  %bits0 = stablehlo.bitcast_convert %result0 : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %bits0, dense<[0x3F800000, 0xC0000000, 0x7F800000]> : tensor<3xui32>
  %result1 = stablehlo.constant dense<"0x01000200FFFF"> : tensor<3xi16>
  check.expect_eq_const %result1, dense<[1, 2, -1]> : tensor<3xi16>
  %result2 = stablehlo.constant dense<"0x01FE"> : tensor<2xi8>
  check.expect_eq_const %result2, dense<[1, -2]> : tensor<2xi8>
  return
}

// -----

// The bytes of one element stand for all.
func.func @bytes_splat() {
  %result0 = stablehlo.constant dense<"0x0000803F"> : tensor<4xf32>
  check.expect_eq_const %result0, dense<1.0> : tensor<4xf32>
  return
}

// -----

// Words, and 0 and 1.
func.func @booleans() {
  %result0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  check.expect_eq_const %result0, dense<[1, 0]> : tensor<2xi1>
  return
}

// -----

// Pairs of parts.
func.func @complex() {
  %result0 = stablehlo.constant dense<[(1.0, -2.0), (0x7F800000, 0.5)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %result0, dense<[(1.0, -2.0), (0x7F800000, 0.5)]> : tensor<2xcomplex<f32>>
  %result1 = stablehlo.constant dense<(0.1, 1.0e300)> : tensor<complex<f64>>
  check.expect_eq_const %result1, dense<(0.1, 1.0e300)> : tensor<complex<f64>>
  return
}

// -----

// Formats of 8 bits.
func.func @f8() {
  %result0 = stablehlo.constant dense<[1.0, -448.0, 0x7F]> : tensor<3xf8E4M3FN>
  %bits0 = stablehlo.bitcast_convert %result0 : (tensor<3xf8E4M3FN>) -> tensor<3xui8>
  check.expect_eq_const %bits0, dense<[0x38, 0xFE, 0x7F]> : tensor<3xui8>
  %result1 = stablehlo.constant dense<[1.0, -57344.0, 0x7C]> : tensor<3xf8E5M2>
  %bits1 = stablehlo.bitcast_convert %result1 : (tensor<3xf8E5M2>) -> tensor<3xui8>
  check.expect_eq_const %bits1, dense<[0x3C, 0xFB, 0x7C]> : tensor<3xui8>
  %result2 = stablehlo.constant dense<[1.0, 240.0, 0x80]> : tensor<3xf8E4M3FNUZ>
  %bits2 = stablehlo.bitcast_convert %result2 : (tensor<3xf8E4M3FNUZ>) -> tensor<3xui8>
  check.expect_eq_const %bits2, dense<[0x40, 0x7F, 0x80]> : tensor<3xui8>
  %result3 = stablehlo.constant dense<[1.0, 15.5]> : tensor<2xf8E3M4>
  %bits3 = stablehlo.bitcast_convert %result3 : (tensor<2xf8E3M4>) -> tensor<2xui8>
  check.expect_eq_const %bits3, dense<[0x30, 0x6F]> : tensor<2xui8>
  return
}
