// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

// `chlo.next_after`: the next float after x towards y.

// Steps up and down, from zeros to the least numbers, none where both are equal, NaN; type f32.
func.func @f32() {
  %x = stablehlo.constant dense<[1.0, 1.0, 0.0, -0.0, 0.0, 1.0, 0x7FC00000, 1.0, 0x7F800000, -1.0]> : tensor<10xf32>
  %y = stablehlo.constant dense<[2.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 0x7FC00000, 0.0, 0.0]> : tensor<10xf32>
  %result = chlo.next_after %x, %y : tensor<10xf32>, tensor<10xf32> -> tensor<10xf32>
  check.expect_eq_const %result, dense<[1.0000001, 0.99999994, 1.0e-45, -1.0e-45, 0.0, 1.0, 0x7FC00000, 0x7FC00000, 3.4028235e+38, -0.99999994]> : tensor<10xf32>
  return
}

// Steps up and down, from zeros to the least numbers, none where both are equal, NaN; type f64.
func.func @f64() {
  %x = stablehlo.constant dense<[1.0, 1.0, 0.0, -0.0, 0.0, 1.0, 0x7FF8000000000000, 1.0, 0x7FF0000000000000, -1.0]> : tensor<10xf64>
  %y = stablehlo.constant dense<[2.0, 0.0, 1.0, -1.0, 0.0, 1.0, 1.0, 0x7FF8000000000000, 0.0, 0.0]> : tensor<10xf64>
  %result = chlo.next_after %x, %y : tensor<10xf64>, tensor<10xf64> -> tensor<10xf64>
  check.expect_eq_const %result, dense<[1.0000000000000002, 0.9999999999999999, 5.0e-324, -5.0e-324, 0.0, 1.0, 0x7FF8000000000000, 0x7FF8000000000000, 1.7976931348623157e+308, -0.9999999999999999]> : tensor<10xf64>
  return
}
