// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `concatenate` along one dimension.

// Vectors.
func.func @vectors() {
  %operand0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %operand1 = stablehlo.constant dense<[-1, -2, -3]> : tensor<3xi32>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xi32>, tensor<3xi32>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[1, 2, -1, -2, -3]> : tensor<5xi32>
  return
}

// -----

// Along the rows.
func.func @rows() {
  %operand0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %operand1 = stablehlo.constant dense<[[-1, -2]]> : tensor<1x2xi32>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %result, dense<[[1, 2], [3, 4], [-1, -2]]> : tensor<3x2xi32>
  return
}

// -----

// Along the columns.
func.func @columns() {
  %operand0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %operand1 = stablehlo.constant dense<[[-1], [-2]]> : tensor<2x1xi32>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 1 : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  check.expect_eq_const %result, dense<[[1, 2, -1], [3, 4, -2]]> : tensor<2x3xi32>
  return
}

// -----

// One operand.
func.func @one() {
  %operand0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result = stablehlo.concatenate %operand0, dim = 0 : (tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 2, 3]> : tensor<3xi32>
  return
}

// -----

// Three operands.
func.func @three() {
  %operand0 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %operand1 = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %operand2 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %result = stablehlo.concatenate %operand0, %operand1, %operand2, dim = 0 : (tensor<1xi32>, tensor<2xi32>, tensor<3xi32>) -> tensor<6xi32>
  check.expect_eq_const %result, dense<[1, -1, -2, 1, 2, 3]> : tensor<6xi32>
  return
}

// -----

// Five operands.
func.func @five() {
  %operand0 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %operand1 = stablehlo.constant dense<[-1]> : tensor<1xi32>
  %operand2 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %operand3 = stablehlo.constant dense<[-1, -2]> : tensor<2xi32>
  %operand4 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %result = stablehlo.concatenate %operand0, %operand1, %operand2, %operand3, %operand4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<1xi32>) -> tensor<7xi32>
  check.expect_eq_const %result, dense<[1, -1, 1, 2, -1, -2, 1]> : tensor<7xi32>
  return
}

// -----

// The middle dimension of rank 3.
func.func @middle() {
  %operand0 = stablehlo.constant dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi32>
  %operand1 = stablehlo.constant dense<[[[-1, -2], [-3, -4]], [[-5, -6], [-7, -8]]]> : tensor<2x2x2xi32>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 1 : (tensor<2x1x2xi32>, tensor<2x2x2xi32>) -> tensor<2x3x2xi32>
  check.expect_eq_const %result, dense<[[[1, 2], [-1, -2], [-3, -4]], [[3, 4], [-5, -6], [-7, -8]]]> : tensor<2x3x2xi32>
  return
}

// -----

// The last dimension of rank 4.
func.func @rank_4() {
  %operand0 = stablehlo.constant dense<[[[[1]], [[2]]]]> : tensor<1x2x1x1xi32>
  %operand1 = stablehlo.constant dense<[[[[-1, -2]], [[-3, -4]]]]> : tensor<1x2x1x2xi32>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 3 : (tensor<1x2x1x1xi32>, tensor<1x2x1x2xi32>) -> tensor<1x2x1x3xi32>
  check.expect_eq_const %result, dense<[[[[1, -1, -2]], [[2, -3, -4]]]]> : tensor<1x2x1x3xi32>
  return
}

// -----

// An operand of size 0 adds nothing.
func.func @empty_operand() {
  %operand0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %operand1 = stablehlo.constant dense<> : tensor<0xi32>
  %operand2 = stablehlo.constant dense<[-1]> : tensor<1xi32>
  %result = stablehlo.concatenate %operand0, %operand1, %operand2, dim = 0 : (tensor<2xi32>, tensor<0xi32>, tensor<1xi32>) -> tensor<3xi32>
  check.expect_eq_const %result, dense<[1, 2, -1]> : tensor<3xi32>
  return
}

// -----

// All operands of size 0.
func.func @empty() {
  %operand0 = stablehlo.constant dense<> : tensor<0xi32>
  %operand1 = stablehlo.constant dense<> : tensor<0xi32>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<0xi32>, tensor<0xi32>) -> tensor<0xi32>
  check.expect_eq_const %result, dense<> : tensor<0xi32>
  return
}

// -----

// Size 0 in another dimension.
func.func @empty_rows() {
  %operand0 = stablehlo.constant dense<> : tensor<0x2xi32>
  %operand1 = stablehlo.constant dense<> : tensor<0x3xi32>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 1 : (tensor<0x2xi32>, tensor<0x3xi32>) -> tensor<0x5xi32>
  check.expect_eq_const %result, dense<> : tensor<0x5xi32>
  return
}

// -----

// i1.
func.func @i1() {
  %operand0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %operand1 = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xi1>, tensor<2xi1>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, false, false, true]> : tensor<4xi1>
  return
}

// -----

// i2.
func.func @i2() {
  %operand0 = stablehlo.constant dense<[1, -2]> : tensor<2xi2>
  %operand1 = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xi2>, tensor<2xi2>) -> tensor<4xi2>
  check.expect_eq_const %result, dense<[1, -2, -2, 1]> : tensor<4xi2>
  return
}

// -----

// ui2.
func.func @ui2() {
  %operand0 = stablehlo.constant dense<[3, 0]> : tensor<2xui2>
  %operand1 = stablehlo.constant dense<[0, 2]> : tensor<2xui2>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xui2>, tensor<2xui2>) -> tensor<4xui2>
  check.expect_eq_const %result, dense<[3, 0, 0, 2]> : tensor<4xui2>
  return
}

// -----

// i4.
func.func @i4() {
  %operand0 = stablehlo.constant dense<[7, -8]> : tensor<2xi4>
  %operand1 = stablehlo.constant dense<[-8, 0]> : tensor<2xi4>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xi4>, tensor<2xi4>) -> tensor<4xi4>
  check.expect_eq_const %result, dense<[7, -8, -8, 0]> : tensor<4xi4>
  return
}

// -----

// ui4.
func.func @ui4() {
  %operand0 = stablehlo.constant dense<[15, 0]> : tensor<2xui4>
  %operand1 = stablehlo.constant dense<[0, 2]> : tensor<2xui4>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xui4>, tensor<2xui4>) -> tensor<4xui4>
  check.expect_eq_const %result, dense<[15, 0, 0, 2]> : tensor<4xui4>
  return
}

// -----

// i8.
func.func @i8() {
  %operand0 = stablehlo.constant dense<[127, -128]> : tensor<2xi8>
  %operand1 = stablehlo.constant dense<[-128, 2]> : tensor<2xi8>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xi8>, tensor<2xi8>) -> tensor<4xi8>
  check.expect_eq_const %result, dense<[127, -128, -128, 2]> : tensor<4xi8>
  return
}

// -----

// ui8.
func.func @ui8() {
  %operand0 = stablehlo.constant dense<[255, 0]> : tensor<2xui8>
  %operand1 = stablehlo.constant dense<[0, 2]> : tensor<2xui8>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xui8>, tensor<2xui8>) -> tensor<4xui8>
  check.expect_eq_const %result, dense<[255, 0, 0, 2]> : tensor<4xui8>
  return
}

// -----

// i16.
func.func @i16() {
  %operand0 = stablehlo.constant dense<[32767, -32768]> : tensor<2xi16>
  %operand1 = stablehlo.constant dense<[-32768, 2]> : tensor<2xi16>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xi16>, tensor<2xi16>) -> tensor<4xi16>
  check.expect_eq_const %result, dense<[32767, -32768, -32768, 2]> : tensor<4xi16>
  return
}

// -----

// ui16.
func.func @ui16() {
  %operand0 = stablehlo.constant dense<[65535, 0]> : tensor<2xui16>
  %operand1 = stablehlo.constant dense<[0, 2]> : tensor<2xui16>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xui16>, tensor<2xui16>) -> tensor<4xui16>
  check.expect_eq_const %result, dense<[65535, 0, 0, 2]> : tensor<4xui16>
  return
}

// -----

// i32.
func.func @i32() {
  %operand0 = stablehlo.constant dense<[2147483647, -2147483648]> : tensor<2xi32>
  %operand1 = stablehlo.constant dense<[-2147483648, 2]> : tensor<2xi32>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[2147483647, -2147483648, -2147483648, 2]> : tensor<4xi32>
  return
}

// -----

// ui32.
func.func @ui32() {
  %operand0 = stablehlo.constant dense<[4294967295, 0]> : tensor<2xui32>
  %operand1 = stablehlo.constant dense<[0, 2]> : tensor<2xui32>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xui32>, tensor<2xui32>) -> tensor<4xui32>
  check.expect_eq_const %result, dense<[4294967295, 0, 0, 2]> : tensor<4xui32>
  return
}

// -----

// i64.
func.func @i64() {
  %operand0 = stablehlo.constant dense<[9223372036854775807, -9223372036854775808]> : tensor<2xi64>
  %operand1 = stablehlo.constant dense<[-9223372036854775808, 2]> : tensor<2xi64>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
  check.expect_eq_const %result, dense<[9223372036854775807, -9223372036854775808, -9223372036854775808, 2]> : tensor<4xi64>
  return
}

// -----

// ui64.
func.func @ui64() {
  %operand0 = stablehlo.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  %operand1 = stablehlo.constant dense<[0, 2]> : tensor<2xui64>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xui64>, tensor<2xui64>) -> tensor<4xui64>
  check.expect_eq_const %result, dense<[18446744073709551615, 0, 0, 2]> : tensor<4xui64>
  return
}

// -----

// f16.
func.func @f16() {
  %operand0 = stablehlo.constant dense<[0.5, -0.75]> : tensor<2xf16>
  %operand1 = stablehlo.constant dense<[-0.75, 1.0]> : tensor<2xf16>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf16>, tensor<2xf16>) -> tensor<4xf16>
  check.expect_eq_const %result, dense<[0.5, -0.75, -0.75, 1.0]> : tensor<4xf16>
  return
}

// -----

// bf16.
func.func @bf16() {
  %operand0 = stablehlo.constant dense<[0.5, -0.75]> : tensor<2xbf16>
  %operand1 = stablehlo.constant dense<[-0.75, 1.0]> : tensor<2xbf16>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<4xbf16>
  check.expect_eq_const %result, dense<[0.5, -0.75, -0.75, 1.0]> : tensor<4xbf16>
  return
}

// -----

// f32.
func.func @f32() {
  %operand0 = stablehlo.constant dense<[0.5, -0.75]> : tensor<2xf32>
  %operand1 = stablehlo.constant dense<[-0.75, 1.0]> : tensor<2xf32>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.5, -0.75, -0.75, 1.0]> : tensor<4xf32>
  return
}

// -----

// f64.
func.func @f64() {
  %operand0 = stablehlo.constant dense<[0.5, -0.75]> : tensor<2xf64>
  %operand1 = stablehlo.constant dense<[-0.75, 1.0]> : tensor<2xf64>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf64>, tensor<2xf64>) -> tensor<4xf64>
  check.expect_eq_const %result, dense<[0.5, -0.75, -0.75, 1.0]> : tensor<4xf64>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand0 = stablehlo.constant dense<[0.5, -0.75]> : tensor<2xf8E4M3FN>
  %operand1 = stablehlo.constant dense<[-0.75, 1.0]> : tensor<2xf8E4M3FN>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>) -> tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.5, -0.75, -0.75, 1.0]> : tensor<4xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %operand0 = stablehlo.constant dense<[0.5, -0.8]> : tensor<2xf8E5M2>
  %operand1 = stablehlo.constant dense<[-0.8, 1.0]> : tensor<2xf8E5M2>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf8E5M2>, tensor<2xf8E5M2>) -> tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[0.5, -0.8, -0.8, 1.0]> : tensor<4xf8E5M2>
  return
}

// -----

// f8E4M3FNUZ.
func.func @f8E4M3FNUZ() {
  %operand0 = stablehlo.constant dense<[0.5, -0.75]> : tensor<2xf8E4M3FNUZ>
  %operand1 = stablehlo.constant dense<[-0.75, 1.0]> : tensor<2xf8E4M3FNUZ>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>) -> tensor<4xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[0.5, -0.75, -0.75, 1.0]> : tensor<4xf8E4M3FNUZ>
  return
}

// -----

// f8E5M2FNUZ.
func.func @f8E5M2FNUZ() {
  %operand0 = stablehlo.constant dense<[0.5, -0.8]> : tensor<2xf8E5M2FNUZ>
  %operand1 = stablehlo.constant dense<[-0.8, 1.0]> : tensor<2xf8E5M2FNUZ>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>) -> tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[0.5, -0.8, -0.8, 1.0]> : tensor<4xf8E5M2FNUZ>
  return
}

// -----

// f8E4M3B11FNUZ.
func.func @f8E4M3B11FNUZ() {
  %operand0 = stablehlo.constant dense<[0.5, -0.75]> : tensor<2xf8E4M3B11FNUZ>
  %operand1 = stablehlo.constant dense<[-0.75, 1.0]> : tensor<2xf8E4M3B11FNUZ>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf8E4M3B11FNUZ>, tensor<2xf8E4M3B11FNUZ>) -> tensor<4xf8E4M3B11FNUZ>
  check.expect_eq_const %result, dense<[0.5, -0.75, -0.75, 1.0]> : tensor<4xf8E4M3B11FNUZ>
  return
}

// -----

// f8E3M4.
func.func @f8E3M4() {
  %operand0 = stablehlo.constant dense<[0.5, -0.75]> : tensor<2xf8E3M4>
  %operand1 = stablehlo.constant dense<[-0.75, 1.0]> : tensor<2xf8E3M4>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf8E3M4>, tensor<2xf8E3M4>) -> tensor<4xf8E3M4>
  check.expect_eq_const %result, dense<[0.5, -0.75, -0.75, 1.0]> : tensor<4xf8E3M4>
  return
}

// -----

// f8E4M3.
func.func @f8E4M3() {
  %operand0 = stablehlo.constant dense<[0.5, -0.75]> : tensor<2xf8E4M3>
  %operand1 = stablehlo.constant dense<[-0.75, 1.0]> : tensor<2xf8E4M3>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf8E4M3>, tensor<2xf8E4M3>) -> tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[0.5, -0.75, -0.75, 1.0]> : tensor<4xf8E4M3>
  return
}

// -----

// f8E8M0FNU.
func.func @f8E8M0FNU() {
  %operand0 = stablehlo.constant dense<[0.5, 1.0]> : tensor<2xf8E8M0FNU>
  %operand1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf8E8M0FNU>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf8E8M0FNU>, tensor<2xf8E8M0FNU>) -> tensor<4xf8E8M0FNU>
  check.expect_eq_const %result, dense<[0.5, 1.0, 1.0, 2.0]> : tensor<4xf8E8M0FNU>
  return
}

// -----

// f6E2M3FN.
func.func @f6E2M3FN() {
  %operand0 = stablehlo.constant dense<[0.5, -0.8]> : tensor<2xf6E2M3FN>
  %operand1 = stablehlo.constant dense<[-0.8, 1.0]> : tensor<2xf6E2M3FN>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf6E2M3FN>, tensor<2xf6E2M3FN>) -> tensor<4xf6E2M3FN>
  check.expect_eq_const %result, dense<[0.5, -0.8, -0.8, 1.0]> : tensor<4xf6E2M3FN>
  return
}

// -----

// f6E3M2FN.
func.func @f6E3M2FN() {
  %operand0 = stablehlo.constant dense<[0.5, -0.8]> : tensor<2xf6E3M2FN>
  %operand1 = stablehlo.constant dense<[-0.8, 1.0]> : tensor<2xf6E3M2FN>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf6E3M2FN>, tensor<2xf6E3M2FN>) -> tensor<4xf6E3M2FN>
  check.expect_eq_const %result, dense<[0.5, -0.8, -0.8, 1.0]> : tensor<4xf6E3M2FN>
  return
}

// -----

// f4E2M1FN.
func.func @f4E2M1FN() {
  %operand0 = stablehlo.constant dense<[0.5, -1.0]> : tensor<2xf4E2M1FN>
  %operand1 = stablehlo.constant dense<[-1.0, 1.0]> : tensor<2xf4E2M1FN>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xf4E2M1FN>, tensor<2xf4E2M1FN>) -> tensor<4xf4E2M1FN>
  check.expect_eq_const %result, dense<[0.5, -1.0, -1.0, 1.0]> : tensor<4xf4E2M1FN>
  return
}

// -----

// complex<f32>.
func.func @complex_f32() {
  %operand0 = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5)]> : tensor<2xcomplex<f32>>
  %operand1 = stablehlo.constant dense<[(2.0, -1.5), (3.0, -2.5)]> : tensor<2xcomplex<f32>>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, -0.5), (2.0, -1.5), (2.0, -1.5), (3.0, -2.5)]> : tensor<4xcomplex<f32>>
  return
}

// -----

// complex<f64>.
func.func @complex_f64() {
  %operand0 = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5)]> : tensor<2xcomplex<f64>>
  %operand1 = stablehlo.constant dense<[(2.0, -1.5), (3.0, -2.5)]> : tensor<2xcomplex<f64>>
  %result = stablehlo.concatenate %operand0, %operand1, dim = 0 : (tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, -0.5), (2.0, -1.5), (2.0, -1.5), (3.0, -2.5)]> : tensor<4xcomplex<f64>>
  return
}
