// RUN: xla-run %s --engine reference --split-input-file

// `chlo.polygamma`: the n-th derivative of digamma.

// Orders 0 to 4.
func.func @f64() {
  %x = stablehlo.constant dense<[0.0, 1.0, 1.0, 2.0, 3.0, 4.0]> : tensor<6xf64>
  %y = stablehlo.constant dense<[2.5, 0.5, 3.0, 1.5, 2.0, 0.75]> : tensor<6xf64>
  %result = chlo.polygamma %x, %y : tensor<6xf64>, tensor<6xf64> -> tensor<6xf64>
  check.expect_almost_eq_const %result, dense<[0.7031566406452432, 4.93480220054468, 0.39493406684822646, -0.8287966442343201, 0.4939394022668293, -102.80060581541744]> : tensor<6xf64>, tolerance = 1.0e-07
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[0.0, 1.0, 1.0, 2.0, 3.0, 4.0]> : tensor<6xf32>
  %y = stablehlo.constant dense<[2.5, 0.5, 3.0, 1.5, 2.0, 0.75]> : tensor<6xf32>
  %result = chlo.polygamma %x, %y : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
  check.expect_almost_eq_const %result, dense<[0.70315665, 4.934802, 0.39493406, -0.8287966, 0.4939394, -102.800606]> : tensor<6xf32>, tolerance = 0.0005
  return
}
