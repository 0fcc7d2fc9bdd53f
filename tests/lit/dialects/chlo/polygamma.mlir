// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

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

// Orders that are none, and poles.
func.func @special_values() {
  %n = stablehlo.constant dense<[-1.0, 0.5, 1.0, 2.0, 0.0, 1.0, 0x7FC00000]> : tensor<7xf32>
  %x = stablehlo.constant dense<[1.0, 1.0, -2.0, -2.0, 0.0, 0x7F800000, 1.0]> : tensor<7xf32>
  %result = chlo.polygamma %n, %x : tensor<7xf32>, tensor<7xf32> -> tensor<7xf32>
  check.expect_eq_const %result, dense<[0x7FC00000, 0x7FC00000, 0x7F800000, 0x7FC00000, 0x7FC00000, 0.0, 0x7FC00000]> : tensor<7xf32>
  return
}

// The factorial of 60 is out of range here, the result is not.
func.func @no_overflow() {
  %n = stablehlo.constant dense<60.0> : tensor<f32>
  %x = stablehlo.constant dense<25.0> : tensor<f32>
  %result = chlo.polygamma %n, %x : tensor<f32>, tensor<f32> -> tensor<f32>
  check.expect_almost_eq_const %result, dense<-0.0004874036239925772> : tensor<f32>, tolerance = 4.874036239925772e-10
  return
}
