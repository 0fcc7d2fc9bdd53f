// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.mulhi`: the upper half of a product.

// 32 bits.
func.func @i32() {
  %x = stablehlo.constant dense<[1073741824, -1, 2147483647, -2147483648, 65536]> : tensor<5xi32>
  %y = stablehlo.constant dense<[8, 1, 2147483647, -2147483648, 65536]> : tensor<5xi32>
  %result = chlo.mulhi %x, %y : tensor<5xi32>, tensor<5xi32> -> tensor<5xi32>
  check.expect_eq_const %result, dense<[2, -1, 1073741823, 1073741824, 1]> : tensor<5xi32>
  return
}

// 32 bits without sign.
func.func @ui32() {
  %x = stablehlo.constant dense<[4294967295, 2147483648, 3]> : tensor<3xui32>
  %y = stablehlo.constant dense<[4294967295, 4, 5]> : tensor<3xui32>
  %result = chlo.mulhi %x, %y : tensor<3xui32>, tensor<3xui32> -> tensor<3xui32>
  check.expect_eq_const %result, dense<[4294967294, 2, 0]> : tensor<3xui32>
  return
}

// 64 bits.
func.func @i64() {
  %x = stablehlo.constant dense<[4611686018427387904, -1, -9223372036854775808]> : tensor<3xi64>
  %y = stablehlo.constant dense<[8, 5, -9223372036854775808]> : tensor<3xi64>
  %result = chlo.mulhi %x, %y : tensor<3xi64>, tensor<3xi64> -> tensor<3xi64>
  check.expect_eq_const %result, dense<[2, -1, 4611686018427387904]> : tensor<3xi64>
  return
}

// 64 bits without sign.
func.func @ui64() {
  %x = stablehlo.constant dense<[18446744073709551615, 9223372036854775808]> : tensor<2xui64>
  %y = stablehlo.constant dense<[18446744073709551615, 6]> : tensor<2xui64>
  %result = chlo.mulhi %x, %y : tensor<2xui64>, tensor<2xui64> -> tensor<2xui64>
  check.expect_eq_const %result, dense<[18446744073709551614, 3]> : tensor<2xui64>
  return
}

// Eight bits.
func.func @i8() {
  %x = stablehlo.constant dense<[127, -128, -1]> : tensor<3xi8>
  %y = stablehlo.constant dense<[127, -128, 1]> : tensor<3xi8>
  %result = chlo.mulhi %x, %y : tensor<3xi8>, tensor<3xi8> -> tensor<3xi8>
  check.expect_eq_const %result, dense<[63, 64, -1]> : tensor<3xi8>
  return
}

// 16 bits.
func.func @ui16() {
  %x = stablehlo.constant dense<[65535, 256]> : tensor<2xui16>
  %y = stablehlo.constant dense<[65535, 256]> : tensor<2xui16>
  %result = chlo.mulhi %x, %y : tensor<2xui16>, tensor<2xui16> -> tensor<2xui16>
  check.expect_eq_const %result, dense<[65534, 1]> : tensor<2xui16>
  return
}
