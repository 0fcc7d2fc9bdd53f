// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `bitcast_convert`: the same bits as another type. Where the width changes, a dimension of the ratio is last, with the least
// significant part first.

// f32 as i32: one, -0, infinity, NaN.
func.func @f32_to_i32() {
  %operand = stablehlo.constant dense<[1.0, -0.0, 0x7F800000, 0x7FC00000, 1.0e-45]> : tensor<5xf32>
  %result = stablehlo.bitcast_convert %operand : (tensor<5xf32>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[1065353216, -2147483648, 2139095040, 2143289344, 1]> : tensor<5xi32>
  return
}

// -----

// i32 as f32.
func.func @i32_to_f32() {
  %operand = stablehlo.constant dense<[1065353216, 1073741824, -1082130432, 2139095040]> : tensor<4xi32>
  %result = stablehlo.bitcast_convert %operand : (tensor<4xi32>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[1.0, 2.0, -1.0, 0x7F800000]> : tensor<4xf32>
  return
}

// -----

// All bits of NaN stay, quiet or not.
func.func @f32_to_ui32_nan_payload() {
  %operand = stablehlo.constant dense<[0x7F800001, 0xFFC12345, 0x7FFFFFFF]> : tensor<3xf32>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xf32>) -> tensor<3xui32>
  check.expect_eq_const %result, dense<[0x7F800001, 0xFFC12345, 0x7FFFFFFF]> : tensor<3xui32>
  return
}

// -----

// f64 as i64.
func.func @f64_to_i64() {
  %operand = stablehlo.constant dense<[1.0, -0.0, -2.0]> : tensor<3xf64>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xf64>) -> tensor<3xi64>
  check.expect_eq_const %result, dense<[4607182418800017408, -9223372036854775808, -4611686018427387904]> : tensor<3xi64>
  return
}

// -----

// i64 as f64.
func.func @i64_to_f64() {
  %operand = stablehlo.constant dense<[4607182418800017408, 1]> : tensor<2xi64>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xi64>) -> tensor<2xf64>
  check.expect_eq_const %result, dense<[1.0, 5.0e-324]> : tensor<2xf64>
  return
}

// -----

// f16 as i16.
func.func @f16_to_i16() {
  %operand = stablehlo.constant dense<[1.0, -2.0, 0x7C00, 6.0e-8]> : tensor<4xf16>
  %result = stablehlo.bitcast_convert %operand : (tensor<4xf16>) -> tensor<4xi16>
  check.expect_eq_const %result, dense<[15360, -16384, 31744, 1]> : tensor<4xi16>
  return
}

// -----

// bf16 as ui16.
func.func @bf16_to_ui16() {
  %operand = stablehlo.constant dense<[1.0, -2.0, 0x7F80, 0x7FC1]> : tensor<4xbf16>
  %result = stablehlo.bitcast_convert %operand : (tensor<4xbf16>) -> tensor<4xui16>
  check.expect_eq_const %result, dense<[0x3F80, 0xC000, 0x7F80, 0x7FC1]> : tensor<4xui16>
  return
}

// -----

// f16 as bf16.
func.func @f16_to_bf16() {
  %operand = stablehlo.constant dense<[1.875, -2.0]> : tensor<2xf16>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xf16>) -> tensor<2xbf16>
  check.expect_eq_const %result, dense<[1.0, -2.0]> : tensor<2xbf16>
  return
}

// -----

// Signed as unsigned.
func.func @i32_to_ui32() {
  %operand = stablehlo.constant dense<[-1, 1, -2147483648]> : tensor<3xi32>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xi32>) -> tensor<3xui32>
  check.expect_eq_const %result, dense<[4294967295, 1, 2147483648]> : tensor<3xui32>
  return
}

// -----

// Unsigned as signed.
func.func @ui8_to_i8() {
  %operand = stablehlo.constant dense<[255, 127, 128]> : tensor<3xui8>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xui8>) -> tensor<3xi8>
  check.expect_eq_const %result, dense<[-1, 127, -128]> : tensor<3xi8>
  return
}

// -----

// i8 as f8E4M3FN.
func.func @i8_to_f8E4M3FN() {
  %operand = stablehlo.constant dense<[56, -72, 126]> : tensor<3xi8>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xi8>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %result, dense<[1.0, -1.0, 448.0]> : tensor<3xf8E4M3FN>
  return
}

// -----

// f8E5M2 as ui8.
func.func @f8E5M2_to_ui8() {
  %operand = stablehlo.constant dense<[1.0, -1.0, 0x7C]> : tensor<3xf8E5M2>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xf8E5M2>) -> tensor<3xui8>
  check.expect_eq_const %result, dense<[0x3C, 0xBC, 0x7C]> : tensor<3xui8>
  return
}

// -----

// Narrower: bytes, the lowest first.
func.func @i32_to_i8() {
  %operand = stablehlo.constant dense<[67305985, -2]> : tensor<2xi32>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xi32>) -> tensor<2x4xi8>
  check.expect_eq_const %result, dense<[[1, 2, 3, 4], [-2, -1, -1, -1]]> : tensor<2x4xi8>
  return
}

// -----

// Wider: bytes, the lowest first.
func.func @i8_to_i32() {
  %operand = stablehlo.constant dense<[[1, 2, 3, 4], [-2, -1, -1, -1]]> : tensor<2x4xi8>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x4xi8>) -> tensor<2xi32>
  check.expect_eq_const %result, dense<[67305985, -2]> : tensor<2xi32>
  return
}

// -----

// i64 as two i32.
func.func @i64_to_i32() {
  %operand = stablehlo.constant dense<[4294967298, -1]> : tensor<2xi64>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xi64>) -> tensor<2x2xi32>
  check.expect_eq_const %result, dense<[[2, 1], [-1, -1]]> : tensor<2x2xi32>
  return
}

// -----

// Two ui32 as ui64.
func.func @ui32_to_ui64() {
  %operand = stablehlo.constant dense<[[2, 1], [4294967295, 0]]> : tensor<2x2xui32>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x2xui32>) -> tensor<2xui64>
  check.expect_eq_const %result, dense<[4294967298, 4294967295]> : tensor<2xui64>
  return
}

// -----

// f64 as eight bytes.
func.func @f64_to_i8() {
  %operand = stablehlo.constant dense<1.0> : tensor<f64>
  %result = stablehlo.bitcast_convert %operand : (tensor<f64>) -> tensor<8xi8>
  check.expect_eq_const %result, dense<[0, 0, 0, 0, 0, 0, -16, 63]> : tensor<8xi8>
  return
}

// -----

// f32 as two i16.
func.func @f32_to_i16() {
  %operand = stablehlo.constant dense<[1.0, 1.0e-45]> : tensor<2xf32>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xf32>) -> tensor<2x2xi16>
  check.expect_eq_const %result, dense<[[0, 16256], [1, 0]]> : tensor<2x2xi16>
  return
}

// -----

// Two f16 as f32.
func.func @f16_to_f32() {
  %operand = stablehlo.constant dense<[0.0, 1.875]> : tensor<2xf16>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xf16>) -> tensor<f32>
  check.expect_eq_const %result, dense<1.0> : tensor<f32>
  return
}

// -----

// i8 as two i4.
func.func @i8_to_i4() {
  %operand = stablehlo.constant dense<[33, -8]> : tensor<2xi8>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xi8>) -> tensor<2x2xi4>
  check.expect_eq_const %result, dense<[[1, 2], [-8, -1]]> : tensor<2x2xi4>
  return
}

// -----

// Two ui4 as ui8.
func.func @ui4_to_ui8() {
  %operand = stablehlo.constant dense<[[1, 2], [15, 8]]> : tensor<2x2xui4>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x2xui4>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<[33, 143]> : tensor<2xui8>
  return
}

// -----

// ui8 as four ui2.
func.func @ui8_to_ui2() {
  %operand = stablehlo.constant dense<[228]> : tensor<1xui8>
  %result = stablehlo.bitcast_convert %operand : (tensor<1xui8>) -> tensor<1x4xui2>
  check.expect_eq_const %result, dense<[[0, 1, 2, 3]]> : tensor<1x4xui2>
  return
}

// -----

// Eight i4 as i32.
func.func @i4_to_i32() {
  %operand = stablehlo.constant dense<[1, 2, 3, 4, 5, 6, 7, 0]> : tensor<8xi4>
  %result = stablehlo.bitcast_convert %operand : (tensor<8xi4>) -> tensor<i32>
  check.expect_eq_const %result, dense<124076833> : tensor<i32>
  return
}

// -----

// Signed i4 as ui4.
func.func @i4_to_ui4() {
  %operand = stablehlo.constant dense<[-1, -8, 7]> : tensor<3xi4>
  %result = stablehlo.bitcast_convert %operand : (tensor<3xi4>) -> tensor<3xui4>
  check.expect_eq_const %result, dense<[15, 8, 7]> : tensor<3xui4>
  return
}

// -----

// complex<f64> as two complex<f32>.
func.func @complex_f64_to_complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f64>>
  %result = stablehlo.bitcast_convert %operand : (tensor<1xcomplex<f64>>) -> tensor<1x2xcomplex<f32>>
  check.expect_eq_const %result, dense<[[(0.0, 1.875), (0.0, 2.0)]]> : tensor<1x2xcomplex<f32>>
  return
}

// -----

// No conversion.
func.func @same_type() {
  %operand = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %result = stablehlo.bitcast_convert %operand : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_eq_const %result, dense<[1.0, 2.0]> : tensor<2xf32>
  return
}

// -----

// Rank 0.
func.func @rank_0() {
  %operand = stablehlo.constant dense<-2.0> : tensor<f32>
  %result = stablehlo.bitcast_convert %operand : (tensor<f32>) -> tensor<i32>
  check.expect_eq_const %result, dense<-1073741824> : tensor<i32>
  return
}

// -----

// Rank 0 to rank 1.
func.func @rank_0_narrower() {
  %operand = stablehlo.constant dense<513> : tensor<i16>
  %result = stablehlo.bitcast_convert %operand : (tensor<i16>) -> tensor<2xui8>
  check.expect_eq_const %result, dense<[1, 2]> : tensor<2xui8>
  return
}

// -----

// Rank 3 to rank 4.
func.func @rank_3() {
  %operand = stablehlo.constant dense<[[[513, 1027]], [[-1, 0]]]> : tensor<2x1x2xi16>
  %result = stablehlo.bitcast_convert %operand : (tensor<2x1x2xi16>) -> tensor<2x1x2x2xi8>
  check.expect_eq_const %result, dense<[[[[1, 2], [3, 4]]], [[[-1, -1], [0, 0]]]]> : tensor<2x1x2x2xi8>
  return
}

// -----

// A dimension of size 0.
func.func @empty() {
  %operand = stablehlo.constant dense<> : tensor<0x2xi32>
  %result = stablehlo.bitcast_convert %operand : (tensor<0x2xi32>) -> tensor<0x2x4xi8>
  check.expect_eq_const %result, dense<> : tensor<0x2x4xi8>
  return
}
