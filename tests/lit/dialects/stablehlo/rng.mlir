// RUN: xla-run %s --engine reference --split-input-file
// RUN: xla-run %s --engine native --split-input-file
// RUN: xla-run %s --engine native --split-input-file --pipeline xla-cpu-O0 --verify

// `rng`: the numbers are not specified; what holds of all of them is tested.

// Uniform numbers lie in [a, b), and their mean is near the middle.
func.func @uniform() {
  %a = stablehlo.constant dense<-1.0> : tensor<f32>
  %b = stablehlo.constant dense<3.0> : tensor<f32>
  %shape = stablehlo.constant dense<[50, 40]> : tensor<2xi64>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %count = stablehlo.constant dense<2000.0> : tensor<f32>
  %numbers = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<50x40xf32>
  %low = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<50x40xf32>
  %high = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<50x40xf32>
  %above = stablehlo.compare GE, %numbers, %low : (tensor<50x40xf32>, tensor<50x40xf32>) -> tensor<50x40xi1>
  %below = stablehlo.compare LT, %numbers, %high : (tensor<50x40xf32>, tensor<50x40xf32>) -> tensor<50x40xi1>
  %both = stablehlo.and %above, %below : tensor<50x40xi1>
  %inside = stablehlo.reduce(%both init: %yes) applies stablehlo.and across dimensions = [0, 1] : (tensor<50x40xi1>, tensor<i1>) -> tensor<i1>
  %sum = stablehlo.reduce(%numbers init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<50x40xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %count : tensor<f32>
  check.expect_eq_const %inside, dense<true> : tensor<i1>
  check.expect_almost_eq_const %mean, dense<1.0> : tensor<f32>, tolerance = 0.15
  return
}

// Normal numbers have the mean a and the deviation b.
func.func @normal() {
  %a = stablehlo.constant dense<10.0> : tensor<f64>
  %b = stablehlo.constant dense<2.0> : tensor<f64>
  %shape = stablehlo.constant dense<[4000]> : tensor<1xi64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %count = stablehlo.constant dense<4000.0> : tensor<f64>
  %numbers = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<4000xf64>
  %sum = stablehlo.reduce(%numbers init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4000xf64>, tensor<f64>) -> tensor<f64>
  %mean = stablehlo.divide %sum, %count : tensor<f64>
  %squares = stablehlo.multiply %numbers, %numbers : tensor<4000xf64>
  %square_sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4000xf64>, tensor<f64>) -> tensor<f64>
  %square_mean = stablehlo.divide %square_sum, %count : tensor<f64>
  %mean_square = stablehlo.multiply %mean, %mean : tensor<f64>
  %variance = stablehlo.subtract %square_mean, %mean_square : tensor<f64>
  %deviation = stablehlo.sqrt %variance : tensor<f64>
  check.expect_almost_eq_const %mean, dense<10.0> : tensor<f64>, tolerance = 0.15
  check.expect_almost_eq_const %deviation, dense<2.0> : tensor<f64>, tolerance = 0.15
  return
}

// Integers lie in [a, b): here only one can be had.
func.func @integers() {
  %a = stablehlo.constant dense<7> : tensor<i32>
  %b = stablehlo.constant dense<8> : tensor<i32>
  %shape = stablehlo.constant dense<[5]> : tensor<1xi64>
  %numbers = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<5xi32>
  check.expect_eq_const %numbers, dense<7> : tensor<5xi32>
  return
}

// Booleans between false and true are false.
func.func @booleans() {
  %a = stablehlo.constant dense<false> : tensor<i1>
  %b = stablehlo.constant dense<true> : tensor<i1>
  %shape = stablehlo.constant dense<[3]> : tensor<1xi64>
  %numbers = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i1>, tensor<i1>, tensor<1xi64>) -> tensor<3xi1>
  check.expect_eq_const %numbers, dense<false> : tensor<3xi1>
  return
}

// Two calls give different numbers.
func.func @different() {
  %a = stablehlo.constant dense<0.0> : tensor<f64>
  %b = stablehlo.constant dense<1.0> : tensor<f64>
  %shape = stablehlo.constant dense<> : tensor<0xi64>
  %first = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<0xi64>) -> tensor<f64>
  %second = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<0xi64>) -> tensor<f64>
  %differ = stablehlo.compare NE, %first, %second : (tensor<f64>, tensor<f64>) -> tensor<i1>
  check.expect_eq_const %differ, dense<true> : tensor<i1>
  return
}

// No number.
func.func @empty() {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<[0, 3]> : tensor<2xi64>
  %numbers = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<0x3xf32>
  check.expect_eq_const %numbers, dense<> : tensor<0x3xf32>
  return
}
