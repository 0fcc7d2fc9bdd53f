// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `convert` between element types. To bool by != 0; to an integer rounded towards zero and saturating, NaN as 0;
// integers modulo 2^width; to a float rounded once to nearest, of two the even one; a complex number loses its imaginary part.

// f8E4M3FN to f32 is exact.
func.func @f8E4M3FN_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7F]> : tensor<6xf8E4M3FN>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FN>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E4M3FN to f16 is exact.
func.func @f8E4M3FN_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7F]> : tensor<6xf8E4M3FN>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FN>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E4M3FN to bf16 is exact.
func.func @f8E4M3FN_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7F]> : tensor<6xf8E4M3FN>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FN>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E5M2 to f32 is exact.
func.func @f8E5M2_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7E]> : tensor<6xf8E5M2>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E5M2 to f16 is exact.
func.func @f8E5M2_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7E]> : tensor<6xf8E5M2>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E5M2 to bf16 is exact.
func.func @f8E5M2_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7E]> : tensor<6xf8E5M2>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E4M3FNUZ to f32 is exact.
func.func @f8E4M3FNUZ_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E4M3FNUZ to f16 is exact.
func.func @f8E4M3FNUZ_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FNUZ>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E4M3FNUZ to bf16 is exact.
func.func @f8E4M3FNUZ_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3FNUZ>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E5M2FNUZ to f32 is exact.
func.func @f8E5M2FNUZ_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E5M2FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E5M2FNUZ to f16 is exact.
func.func @f8E5M2FNUZ_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E5M2FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2FNUZ>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E5M2FNUZ to bf16 is exact.
func.func @f8E5M2FNUZ_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E5M2FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E5M2FNUZ>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E4M3B11FNUZ to f32 is exact.
func.func @f8E4M3B11FNUZ_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3B11FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E4M3B11FNUZ to f16 is exact.
func.func @f8E4M3B11FNUZ_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3B11FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E4M3B11FNUZ to bf16 is exact.
func.func @f8E4M3B11FNUZ_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x80]> : tensor<6xf8E4M3B11FNUZ>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3B11FNUZ>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E3M4 to f32 is exact.
func.func @f8E3M4_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x78]> : tensor<6xf8E3M4>
  %result = stablehlo.convert %operand : (tensor<6xf8E3M4>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E3M4 to f16 is exact.
func.func @f8E3M4_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x78]> : tensor<6xf8E3M4>
  %result = stablehlo.convert %operand : (tensor<6xf8E3M4>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E3M4 to bf16 is exact.
func.func @f8E3M4_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x78]> : tensor<6xf8E3M4>
  %result = stablehlo.convert %operand : (tensor<6xf8E3M4>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.25, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// f8E4M3 to f32 is exact.
func.func @f8E4M3_to_f32() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7C]> : tensor<6xf8E4M3>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3>) -> tensor<6xf32>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7FC00000]> : tensor<6xf32>
  return
}

// -----

// f8E4M3 to f16 is exact.
func.func @f8E4M3_to_f16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7C]> : tensor<6xf8E4M3>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3>) -> tensor<6xf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.015625, 14.0, 0.0, 0x7E00]> : tensor<6xf16>
  return
}

// -----

// f8E4M3 to bf16 is exact.
func.func @f8E4M3_to_bf16() {
  %operand = stablehlo.constant dense<[1.0, -1.5, 0.016, 14.0, 0.0, 0x7C]> : tensor<6xf8E4M3>
  %result = stablehlo.convert %operand : (tensor<6xf8E4M3>) -> tensor<6xbf16>
  check.expect_eq_const %result, dense<[1.0, -1.5, 0.0156, 14.0, 0.0, 0x7FC0]> : tensor<6xbf16>
  return
}

// -----

// Between formats of 8 bits.
func.func @f8E4M3FN_to_f8E5M2() {
  %operand = stablehlo.constant dense<[1.0, 1.1, 450.0, 420.0, 0x7F]> : tensor<5xf8E4M3FN>
  %result = stablehlo.convert %operand : (tensor<5xf8E4M3FN>) -> tensor<5xf8E5M2>
  check.expect_eq_const %result, dense<[1.0, 1.0, 450.0, 400.0, 0x7E]> : tensor<5xf8E5M2>
  return
}

// -----

// f8E5M2 to i32.
func.func @f8E5M2_to_i32() {
  %operand = stablehlo.constant dense<[1.5, -3.5, 60000.0, 0x7C, 0x7E]> : tensor<5xf8E5M2>
  %result = stablehlo.convert %operand : (tensor<5xf8E5M2>) -> tensor<5xi32>
  check.expect_eq_const %result, dense<[1, -3, 57344, 2147483647, 0]> : tensor<5xi32>
  return
}

// -----

// f4E2M1FN to f32 is exact.
func.func @f4E2M1FN_to_f32() {
  %operand = stablehlo.constant dense<[0.5, -1.5, 6.0, 0.0]> : tensor<4xf4E2M1FN>
  %result = stablehlo.convert %operand : (tensor<4xf4E2M1FN>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.5, -1.5, 6.0, 0.0]> : tensor<4xf32>
  return
}

// -----

// f6E2M3FN to f32 is exact.
func.func @f6E2M3FN_to_f32() {
  %operand = stablehlo.constant dense<[0.1, -8.0, 1.1, 0.0]> : tensor<4xf6E2M3FN>
  %result = stablehlo.convert %operand : (tensor<4xf6E2M3FN>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.125, -7.5, 1.125, 0.0]> : tensor<4xf32>
  return
}

// -----

// f6E3M2FN to f32 is exact.
func.func @f6E3M2FN_to_f32() {
  %operand = stablehlo.constant dense<[0.06, -30.0, 1.2, 0.0]> : tensor<4xf6E3M2FN>
  %result = stablehlo.convert %operand : (tensor<4xf6E3M2FN>) -> tensor<4xf32>
  check.expect_eq_const %result, dense<[0.0625, -28.0, 1.25, 0.0]> : tensor<4xf32>
  return
}

// -----

// f8E8M0FNU to f32 is exact.
func.func @f8E8M0FNU_to_f32() {
  %operand = stablehlo.constant dense<[1.0, 0.5, 2.0e38, 5.877e-39, 0xFF]> : tensor<5xf8E8M0FNU>
  %result = stablehlo.convert %operand : (tensor<5xf8E8M0FNU>) -> tensor<5xf32>
  check.expect_eq_const %result, dense<[1.0, 0.5, 1.7014118e38, 5.877472e-39, 0x7FC00000]> : tensor<5xf32>
  return
}
