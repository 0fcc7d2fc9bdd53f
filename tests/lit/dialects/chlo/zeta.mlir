// RUN: xla-run %s --engine reference --split-input-file

// `chlo.zeta`: the Hurwitz zeta function, the sum of 1 / (q + k)^x.

// Double precision.
func.func @f64() {
  %x = stablehlo.constant dense<[2.0, 1.5, 3.0, 4.0, 10.0]> : tensor<5xf64>
  %y = stablehlo.constant dense<[1.0, 2.0, 0.5, 3.0, 1.0]> : tensor<5xf64>
  %result = chlo.zeta %x, %y : tensor<5xf64>, tensor<5xf64> -> tensor<5xf64>
  check.expect_almost_eq_const %result, dense<[1.6449340668482266, 1.6123753486854886, 8.414398322117158, 0.019823233711138193, 1.0009945751278182]> : tensor<5xf64>, tolerance = 1.0e-08
  return
}

// Single precision.
func.func @f32() {
  %x = stablehlo.constant dense<[2.0, 1.5, 3.0, 4.0, 10.0]> : tensor<5xf32>
  %y = stablehlo.constant dense<[1.0, 2.0, 0.5, 3.0, 1.0]> : tensor<5xf32>
  %result = chlo.zeta %x, %y : tensor<5xf32>, tensor<5xf32> -> tensor<5xf32>
  check.expect_almost_eq_const %result, dense<[1.644934, 1.6123754, 8.414398, 0.019823235, 1.0009946]> : tensor<5xf32>
  return
}
