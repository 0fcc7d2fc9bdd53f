// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0

// `iota`: each element is its index along one dimension.

// Rank 1.
func.func @vector() {
  %result = stablehlo.iota dim = 0 : tensor<5xi32>
  check.expect_eq_const %result, dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
  return
}

// -----

// Along the rows.
func.func @rows() {
  %result = stablehlo.iota dim = 0 : tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[0, 0], [1, 1], [2, 2]]> : tensor<3x2xi32>
  return
}

// -----

// Along the columns.
func.func @columns() {
  %result = stablehlo.iota dim = 1 : tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>
  return
}

// -----

// The middle dimension of rank 3.
func.func @middle() {
  %result = stablehlo.iota dim = 1 : tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[0, 0], [1, 1], [2, 2]], [[0, 0], [1, 1], [2, 2]]]> : tensor<2x3x2xi32>
  return
}

// -----

// A dimension of size 1.
func.func @size_1() {
  %result = stablehlo.iota dim = 0 : tensor<1x3xi32>
  check.expect_eq_const %result, dense<0> : tensor<1x3xi32>
  return
}

// -----

// Size 0.
func.func @empty() {
  %result = stablehlo.iota dim = 0 : tensor<0xi32>
  check.expect_eq_const %result, dense<> : tensor<0xi32>
  return
}

// -----

// Size 0 in another dimension.
func.func @empty_rows() {
  %result = stablehlo.iota dim = 1 : tensor<0x3xi32>
  check.expect_eq_const %result, dense<> : tensor<0x3xi32>
  return
}

// -----

// i2.
func.func @i2() {
  %result = stablehlo.iota dim = 0 : tensor<2xi2>
  check.expect_eq_const %result, dense<[0, 1]> : tensor<2xi2>
  return
}

// -----

// ui2.
func.func @ui2() {
  %result = stablehlo.iota dim = 0 : tensor<4xui2>
  check.expect_eq_const %result, dense<[0, 1, 2, 3]> : tensor<4xui2>
  return
}

// -----

// i4.
func.func @i4() {
  %result = stablehlo.iota dim = 0 : tensor<4xi4>
  check.expect_eq_const %result, dense<[0, 1, 2, 3]> : tensor<4xi4>
  return
}

// -----

// ui4.
func.func @ui4() {
  %result = stablehlo.iota dim = 0 : tensor<4xui4>
  check.expect_eq_const %result, dense<[0, 1, 2, 3]> : tensor<4xui4>
  return
}

// -----

// i8.
func.func @i8() {
  %result = stablehlo.iota dim = 0 : tensor<4xi8>
  check.expect_eq_const %result, dense<[0, 1, 2, 3]> : tensor<4xi8>
  return
}

// -----

// ui8.
func.func @ui8() {
  %result = stablehlo.iota dim = 0 : tensor<4xui8>
  check.expect_eq_const %result, dense<[0, 1, 2, 3]> : tensor<4xui8>
  return
}

// -----

// i16.
func.func @i16() {
  %result = stablehlo.iota dim = 0 : tensor<4xi16>
  check.expect_eq_const %result, dense<[0, 1, 2, 3]> : tensor<4xi16>
  return
}

// -----

// ui16.
func.func @ui16() {
  %result = stablehlo.iota dim = 0 : tensor<4xui16>
  check.expect_eq_const %result, dense<[0, 1, 2, 3]> : tensor<4xui16>
  return
}

// -----

// i32.
func.func @i32() {
  %result = stablehlo.iota dim = 0 : tensor<4xi32>
  check.expect_eq_const %result, dense<[0, 1, 2, 3]> : tensor<4xi32>
  return
}

// -----

// ui32.
func.func @ui32() {
  %result = stablehlo.iota dim = 0 : tensor<4xui32>
  check.expect_eq_const %result, dense<[0, 1, 2, 3]> : tensor<4xui32>
  return
}

// -----

// i64.
func.func @i64() {
  %result = stablehlo.iota dim = 0 : tensor<4xi64>
  check.expect_eq_const %result, dense<[0, 1, 2, 3]> : tensor<4xi64>
  return
}

// -----

// ui64.
func.func @ui64() {
  %result = stablehlo.iota dim = 0 : tensor<4xui64>
  check.expect_eq_const %result, dense<[0, 1, 2, 3]> : tensor<4xui64>
  return
}

// -----

// f16.
func.func @f16() {
  %result = stablehlo.iota dim = 0 : tensor<4xf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf16>
  return
}

// -----

// bf16.
func.func @bf16() {
  %result = stablehlo.iota dim = 0 : tensor<4xbf16>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xbf16>
  return
}

// -----

// f32.
func.func @f32() {
  %result = stablehlo.iota dim = 0 : tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  return
}

// -----

// f64.
func.func @f64() {
  %result = stablehlo.iota dim = 0 : tensor<4xf64>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf64>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %result = stablehlo.iota dim = 0 : tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %result = stablehlo.iota dim = 0 : tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf8E5M2>
  return
}

// -----

// f8E4M3FNUZ.
func.func @f8E4M3FNUZ() {
  %result = stablehlo.iota dim = 0 : tensor<4xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf8E4M3FNUZ>
  return
}

// -----

// f8E5M2FNUZ.
func.func @f8E5M2FNUZ() {
  %result = stablehlo.iota dim = 0 : tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf8E5M2FNUZ>
  return
}

// -----

// f8E4M3B11FNUZ.
func.func @f8E4M3B11FNUZ() {
  %result = stablehlo.iota dim = 0 : tensor<4xf8E4M3B11FNUZ>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf8E4M3B11FNUZ>
  return
}

// -----

// f8E3M4.
func.func @f8E3M4() {
  %result = stablehlo.iota dim = 0 : tensor<4xf8E3M4>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf8E3M4>
  return
}

// -----

// f8E4M3.
func.func @f8E4M3() {
  %result = stablehlo.iota dim = 0 : tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf8E4M3>
  return
}

// -----

// f6E2M3FN.
func.func @f6E2M3FN() {
  %result = stablehlo.iota dim = 0 : tensor<4xf6E2M3FN>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf6E2M3FN>
  return
}

// -----

// f6E3M2FN.
func.func @f6E3M2FN() {
  %result = stablehlo.iota dim = 0 : tensor<4xf6E3M2FN>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf6E3M2FN>
  return
}

// -----

// f4E2M1FN.
func.func @f4E2M1FN() {
  %result = stablehlo.iota dim = 0 : tensor<4xf4E2M1FN>
  check.expect_eq_const %result, dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf4E2M1FN>
  return
}

// -----

// complex<f32>.
func.func @complex_f32() {
  %result = stablehlo.iota dim = 0 : tensor<4xcomplex<f32>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]> : tensor<4xcomplex<f32>>
  return
}

// -----

// complex<f64>.
func.func @complex_f64() {
  %result = stablehlo.iota dim = 0 : tensor<4xcomplex<f64>>
  check.expect_eq_const %result, dense<[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]> : tensor<4xcomplex<f64>>
  return
}

// -----

// Indices past the greatest i8 wrap around.
func.func @i8_wraps() {
  %iota = stablehlo.iota dim = 0 : tensor<130xi8>
  %result = stablehlo.slice %iota [126:130] : (tensor<130xi8>) -> tensor<4xi8>
  check.expect_eq_const %result, dense<[126, 127, -128, -127]> : tensor<4xi8>
  return
}

// -----

// Indices past the greatest ui4 wrap around.
func.func @ui4_wraps() {
  %iota = stablehlo.iota dim = 0 : tensor<18xui4>
  %result = stablehlo.slice %iota [14:18] : (tensor<18xui4>) -> tensor<4xui4>
  check.expect_eq_const %result, dense<[14, 15, 0, 1]> : tensor<4xui4>
  return
}

// -----

// Indices that bf16 does not hold are rounded to nearest even.
func.func @bf16_rounds() {
  %iota = stablehlo.iota dim = 0 : tensor<262xbf16>
  %result = stablehlo.slice %iota [256:262] : (tensor<262xbf16>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[256.0, 256.0, 258.0, 260.0, 260.0, 260.0]> : tensor<6xbf16>
  return
}
