// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file

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

// Poles and limits: infinite at x = 1 and where x is even, NaN where it is odd, and below 1.
func.func @special_values() {
  %x = stablehlo.constant dense<[1.0, 0.5, 2.0, 3.0, 2.0, 2.5, 0x7F800000, 0x7F800000, 0x7FC00000]> : tensor<9xf32>
  %q = stablehlo.constant dense<[2.0, 2.0, -1.0, -1.0, 0x7F800000, -0.5, 0.5, 2.0, 1.0]> : tensor<9xf32>
  %result = chlo.zeta %x, %q : tensor<9xf32>, tensor<9xf32> -> tensor<9xf32>
  check.expect_eq_const %result, dense<[0x7F800000, 0x7FC00000, 0x7F800000, 0x7FC00000, 0.0, 0x7FC00000, 0x7F800000, 0.0, 0x7FC00000]> : tensor<9xf32>
  return
}

// Negative q: the sum passes through zero.
func.func @negative() {
  %x = stablehlo.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf64>
  %q = stablehlo.constant dense<[-0.5, -2.25, -1000.75]> : tensor<3xf64>
  %result = chlo.zeta %x, %q : tensor<3xf64>, tensor<3xf64> -> tensor<3xf64>
  check.expect_almost_eq_const %result, dense<[8.934802200544679, -61.94847488703008, 259.7575760903411]> : tensor<3xf64>, tolerance = 1.0e-12
  return
}

// A large q, where powers alone would vanish.
func.func @no_underflow() {
  %x = stablehlo.constant dense<2.0> : tensor<f32>
  %q = stablehlo.constant dense<1.0e+30> : tensor<f32>
  %scale = stablehlo.constant dense<1.0e+30> : tensor<f32>
  %zeta = chlo.zeta %x, %q : tensor<f32>, tensor<f32> -> tensor<f32>
  %result = stablehlo.multiply %zeta, %scale : tensor<f32>
  check.expect_almost_eq_const %result, dense<1.0> : tensor<f32>, tolerance = 1.0e-06
  return
}

// In a computation on scalars.
func.func @in_a_map() {
  %x = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %result = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%element: tensor<f32>):
    %one = stablehlo.constant dense<1.0> : tensor<f32>
    %zeta = chlo.zeta %element, %one : tensor<f32>, tensor<f32> -> tensor<f32>
    stablehlo.return %zeta : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %result, dense<[1.6449341, 1.0823232]> : tensor<2xf32>, tolerance = 1.0e-06
  return
}
