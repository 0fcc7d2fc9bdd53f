// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `dynamic_update_slice` of tensors of each element type.

// i1.
func.func @i1() {
  %operand = stablehlo.constant dense<[true, false, true, false]> : tensor<4xi1>
  %update = stablehlo.constant dense<[false, true]> : tensor<2xi1>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xi1>, tensor<2xi1>, tensor<i64>) -> tensor<4xi1>
  check.expect_eq_const %result, dense<[true, false, true, false]> : tensor<4xi1>
  return
}

// -----

// i2.
func.func @i2() {
  %operand = stablehlo.constant dense<[1, -2, 1, 1]> : tensor<4xi2>
  %update = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xi2>, tensor<2xi2>, tensor<i64>) -> tensor<4xi2>
  check.expect_eq_const %result, dense<[1, -2, 1, 1]> : tensor<4xi2>
  return
}

// -----

// ui2.
func.func @ui2() {
  %operand = stablehlo.constant dense<[3, 0, 2, 3]> : tensor<4xui2>
  %update = stablehlo.constant dense<[0, 3]> : tensor<2xui2>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xui2>, tensor<2xui2>, tensor<i64>) -> tensor<4xui2>
  check.expect_eq_const %result, dense<[3, 0, 3, 3]> : tensor<4xui2>
  return
}

// -----

// i4.
func.func @i4() {
  %operand = stablehlo.constant dense<[7, -8, 0, 1]> : tensor<4xi4>
  %update = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xi4>, tensor<2xi4>, tensor<i64>) -> tensor<4xi4>
  check.expect_eq_const %result, dense<[7, -8, 7, 1]> : tensor<4xi4>
  return
}

// -----

// ui4.
func.func @ui4() {
  %operand = stablehlo.constant dense<[15, 0, 2, 3]> : tensor<4xui4>
  %update = stablehlo.constant dense<[0, 15]> : tensor<2xui4>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xui4>, tensor<2xui4>, tensor<i64>) -> tensor<4xui4>
  check.expect_eq_const %result, dense<[15, 0, 15, 3]> : tensor<4xui4>
  return
}

// -----

// i8.
func.func @i8() {
  %operand = stablehlo.constant dense<[127, -128, 2, -3]> : tensor<4xi8>
  %update = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xi8>, tensor<2xi8>, tensor<i64>) -> tensor<4xi8>
  check.expect_eq_const %result, dense<[127, -128, 127, -3]> : tensor<4xi8>
  return
}

// -----

// ui8.
func.func @ui8() {
  %operand = stablehlo.constant dense<[255, 0, 2, 3]> : tensor<4xui8>
  %update = stablehlo.constant dense<[0, 255]> : tensor<2xui8>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xui8>, tensor<2xui8>, tensor<i64>) -> tensor<4xui8>
  check.expect_eq_const %result, dense<[255, 0, 255, 3]> : tensor<4xui8>
  return
}

// -----

// i16.
func.func @i16() {
  %operand = stablehlo.constant dense<[32767, -32768, 2, -3]> : tensor<4xi16>
  %update = stablehlo.constant dense<[-32768, 32767]> : tensor<2xi16>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xi16>, tensor<2xi16>, tensor<i64>) -> tensor<4xi16>
  check.expect_eq_const %result, dense<[32767, -32768, 32767, -3]> : tensor<4xi16>
  return
}

// -----

// ui16.
func.func @ui16() {
  %operand = stablehlo.constant dense<[65535, 0, 2, 3]> : tensor<4xui16>
  %update = stablehlo.constant dense<[0, 65535]> : tensor<2xui16>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xui16>, tensor<2xui16>, tensor<i64>) -> tensor<4xui16>
  check.expect_eq_const %result, dense<[65535, 0, 65535, 3]> : tensor<4xui16>
  return
}

// -----

// i32.
func.func @i32() {
  %operand = stablehlo.constant dense<[2147483647, -2147483648, 2, -3]> : tensor<4xi32>
  %update = stablehlo.constant dense<[-2147483648, 2147483647]> : tensor<2xi32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xi32>, tensor<2xi32>, tensor<i64>) -> tensor<4xi32>
  check.expect_eq_const %result, dense<[2147483647, -2147483648, 2147483647, -3]> : tensor<4xi32>
  return
}

// -----

// ui32.
func.func @ui32() {
  %operand = stablehlo.constant dense<[4294967295, 0, 2, 3]> : tensor<4xui32>
  %update = stablehlo.constant dense<[0, 4294967295]> : tensor<2xui32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xui32>, tensor<2xui32>, tensor<i64>) -> tensor<4xui32>
  check.expect_eq_const %result, dense<[4294967295, 0, 4294967295, 3]> : tensor<4xui32>
  return
}

// -----

// i64.
func.func @i64() {
  %operand = stablehlo.constant dense<[9223372036854775807, -9223372036854775808, 2, -3]> : tensor<4xi64>
  %update = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xi64>, tensor<2xi64>, tensor<i64>) -> tensor<4xi64>
  check.expect_eq_const %result, dense<[9223372036854775807, -9223372036854775808, 9223372036854775807, -3]> : tensor<4xi64>
  return
}

// -----

// ui64.
func.func @ui64() {
  %operand = stablehlo.constant dense<[18446744073709551615, 0, 2, 3]> : tensor<4xui64>
  %update = stablehlo.constant dense<[0, 18446744073709551615]> : tensor<2xui64>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xui64>, tensor<2xui64>, tensor<i64>) -> tensor<4xui64>
  check.expect_eq_const %result, dense<[18446744073709551615, 0, 18446744073709551615, 3]> : tensor<4xui64>
  return
}

// -----

// f16.
func.func @f16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf16>
  %update = stablehlo.constant dense<[-0.75, 0.5]> : tensor<2xf16>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf16>, tensor<2xf16>, tensor<i64>) -> tensor<4xf16>
  check.expect_eq_const %result, dense<[0.5, -0.75, 0.5, -1.25]> : tensor<4xf16>
  return
}

// -----

// bf16.
func.func @bf16() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xbf16>
  %update = stablehlo.constant dense<[-0.75, 0.5]> : tensor<2xbf16>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xbf16>, tensor<2xbf16>, tensor<i64>) -> tensor<4xbf16>
  check.expect_eq_const %result, dense<[0.5, -0.75, 0.5, -1.25]> : tensor<4xbf16>
  return
}

// -----

// f32.
func.func @f32() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf32>
  %update = stablehlo.constant dense<[-0.75, 0.5]> : tensor<2xf32>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf32>, tensor<2xf32>, tensor<i64>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.5, -0.75, 0.5, -1.25]> : tensor<4xf32>
  return
}

// -----

// f64.
func.func @f64() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf64>
  %update = stablehlo.constant dense<[-0.75, 0.5]> : tensor<2xf64>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf64>, tensor<2xf64>, tensor<i64>) -> tensor<4xf64>
  check.expect_eq_const %result, dense<[0.5, -0.75, 0.5, -1.25]> : tensor<4xf64>
  return
}

// -----

// f8E4M3FN.
func.func @f8E4M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3FN>
  %update = stablehlo.constant dense<[-0.75, 0.5]> : tensor<2xf8E4M3FN>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf8E4M3FN>, tensor<2xf8E4M3FN>, tensor<i64>) -> tensor<4xf8E4M3FN>
  check.expect_eq_const %result, dense<[0.5, -0.75, 0.5, -1.2]> : tensor<4xf8E4M3FN>
  return
}

// -----

// f8E5M2.
func.func @f8E5M2() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf8E5M2>
  %update = stablehlo.constant dense<[-0.8, 0.5]> : tensor<2xf8E5M2>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf8E5M2>, tensor<2xf8E5M2>, tensor<i64>) -> tensor<4xf8E5M2>
  check.expect_eq_const %result, dense<[0.5, -0.8, 0.5, -1.2]> : tensor<4xf8E5M2>
  return
}

// -----

// f8E4M3FNUZ.
func.func @f8E4M3FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3FNUZ>
  %update = stablehlo.constant dense<[-0.75, 0.5]> : tensor<2xf8E4M3FNUZ>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ>, tensor<i64>) -> tensor<4xf8E4M3FNUZ>
  check.expect_eq_const %result, dense<[0.5, -0.75, 0.5, -1.2]> : tensor<4xf8E4M3FNUZ>
  return
}

// -----

// f8E5M2FNUZ.
func.func @f8E5M2FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf8E5M2FNUZ>
  %update = stablehlo.constant dense<[-0.8, 0.5]> : tensor<2xf8E5M2FNUZ>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf8E5M2FNUZ>, tensor<2xf8E5M2FNUZ>, tensor<i64>) -> tensor<4xf8E5M2FNUZ>
  check.expect_eq_const %result, dense<[0.5, -0.8, 0.5, -1.2]> : tensor<4xf8E5M2FNUZ>
  return
}

// -----

// f8E4M3B11FNUZ.
func.func @f8E4M3B11FNUZ() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3B11FNUZ>
  %update = stablehlo.constant dense<[-0.75, 0.5]> : tensor<2xf8E4M3B11FNUZ>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf8E4M3B11FNUZ>, tensor<2xf8E4M3B11FNUZ>, tensor<i64>) -> tensor<4xf8E4M3B11FNUZ>
  check.expect_eq_const %result, dense<[0.5, -0.75, 0.5, -1.2]> : tensor<4xf8E4M3B11FNUZ>
  return
}

// -----

// f8E3M4.
func.func @f8E3M4() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.25]> : tensor<4xf8E3M4>
  %update = stablehlo.constant dense<[-0.75, 0.5]> : tensor<2xf8E3M4>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf8E3M4>, tensor<2xf8E3M4>, tensor<i64>) -> tensor<4xf8E3M4>
  check.expect_eq_const %result, dense<[0.5, -0.75, 0.5, -1.25]> : tensor<4xf8E3M4>
  return
}

// -----

// f8E4M3.
func.func @f8E4M3() {
  %operand = stablehlo.constant dense<[0.5, -0.75, 1.0, -1.2]> : tensor<4xf8E4M3>
  %update = stablehlo.constant dense<[-0.75, 0.5]> : tensor<2xf8E4M3>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf8E4M3>, tensor<2xf8E4M3>, tensor<i64>) -> tensor<4xf8E4M3>
  check.expect_eq_const %result, dense<[0.5, -0.75, 0.5, -1.2]> : tensor<4xf8E4M3>
  return
}

// -----

// f8E8M0FNU.
func.func @f8E8M0FNU() {
  %operand = stablehlo.constant dense<[0.5, 1.0, 2.0, 4.0]> : tensor<4xf8E8M0FNU>
  %update = stablehlo.constant dense<[1.0, 0.5]> : tensor<2xf8E8M0FNU>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf8E8M0FNU>, tensor<2xf8E8M0FNU>, tensor<i64>) -> tensor<4xf8E8M0FNU>
  check.expect_eq_const %result, dense<[0.5, 1.0, 0.5, 4.0]> : tensor<4xf8E8M0FNU>
  return
}

// -----

// f6E2M3FN.
func.func @f6E2M3FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf6E2M3FN>
  %update = stablehlo.constant dense<[-0.8, 0.5]> : tensor<2xf6E2M3FN>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf6E2M3FN>, tensor<2xf6E2M3FN>, tensor<i64>) -> tensor<4xf6E2M3FN>
  check.expect_eq_const %result, dense<[0.5, -0.8, 0.5, -1.2]> : tensor<4xf6E2M3FN>
  return
}

// -----

// f6E3M2FN.
func.func @f6E3M2FN() {
  %operand = stablehlo.constant dense<[0.5, -0.8, 1.0, -1.2]> : tensor<4xf6E3M2FN>
  %update = stablehlo.constant dense<[-0.8, 0.5]> : tensor<2xf6E3M2FN>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf6E3M2FN>, tensor<2xf6E3M2FN>, tensor<i64>) -> tensor<4xf6E3M2FN>
  check.expect_eq_const %result, dense<[0.5, -0.8, 0.5, -1.2]> : tensor<4xf6E3M2FN>
  return
}

// -----

// f4E2M1FN.
func.func @f4E2M1FN() {
  %operand = stablehlo.constant dense<[0.5, -1.0, 1.0, -1.0]> : tensor<4xf4E2M1FN>
  %update = stablehlo.constant dense<[-1.0, 0.5]> : tensor<2xf4E2M1FN>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xf4E2M1FN>, tensor<2xf4E2M1FN>, tensor<i64>) -> tensor<4xf4E2M1FN>
  check.expect_eq_const %result, dense<[0.5, -1.0, 0.5, -1.0]> : tensor<4xf4E2M1FN>
  return
}

// -----

// complex<f32>.
func.func @complex_f32() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5), (4.0, -3.5)]> : tensor<4xcomplex<f32>>
  %update = stablehlo.constant dense<[(2.0, -1.5), (1.0, -0.5)]> : tensor<2xcomplex<f32>>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i64>) -> tensor<4xcomplex<f32>>
  check.expect_eq_const %result, dense<[(1.0, -0.5), (2.0, -1.5), (1.0, -0.5), (4.0, -3.5)]> : tensor<4xcomplex<f32>>
  return
}

// -----

// complex<f64>.
func.func @complex_f64() {
  %operand = stablehlo.constant dense<[(1.0, -0.5), (2.0, -1.5), (3.0, -2.5), (4.0, -3.5)]> : tensor<4xcomplex<f64>>
  %update = stablehlo.constant dense<[(2.0, -1.5), (1.0, -0.5)]> : tensor<2xcomplex<f64>>
  %start0 = stablehlo.constant dense<1> : tensor<i64>
  %result = stablehlo.dynamic_update_slice %operand, %update, %start0 : (tensor<4xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<i64>) -> tensor<4xcomplex<f64>>
  check.expect_eq_const %result, dense<[(1.0, -0.5), (2.0, -1.5), (1.0, -0.5), (4.0, -3.5)]> : tensor<4xcomplex<f64>>
  return
}
