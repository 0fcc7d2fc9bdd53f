// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%f: tensor<f32>, %h: tensor<f64>, %i: tensor<i32>, %shape: tensor<2xi64>, %state: tensor<2xui64>, %long: tensor<3xui64>) {
  // expected-error @below {{stablehlo.rng' op: stablehlo.rng (C1): expected one element type, got (tensor<f32>, tensor<f64>) -> tensor<3x4xf32>}}
  %0 = stablehlo.rng %f, %h, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @invalid(%f: tensor<f32>, %h: tensor<f64>, %i: tensor<i32>, %shape: tensor<2xi64>, %state: tensor<2xui64>, %long: tensor<3xui64>) {
  // expected-error @below {{stablehlo.rng' op: stablehlo.rng (C2): a normal distribution of i32}}
  %0 = stablehlo.rng %i, %i, %shape, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<3x4xi32>
  return
}

// -----

func.func @invalid(%f: tensor<f32>, %h: tensor<f64>, %i: tensor<i32>, %shape: tensor<2xi64>, %state: tensor<2xui64>, %long: tensor<3xui64>) {
  // expected-error @below {{stablehlo.rng' op: stablehlo.rng (C3): shape has 2 entries, the result is tensor<3xf32>}}
  %0 = stablehlo.rng %f, %f, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @invalid(%f: tensor<f32>, %h: tensor<f64>, %i: tensor<i32>, %shape: tensor<2xi64>, %state: tensor<2xui64>, %long: tensor<3xui64>) {
  // expected-error @below {{stablehlo.rng_bit_generator' op: stablehlo.rng_bit_generator (C1): expected output_state of type tensor<2xui64>, got tensor<3xui64>}}
  %0:2 = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @invalid(%f: tensor<f32>, %h: tensor<f64>, %i: tensor<i32>, %shape: tensor<2xi64>, %state: tensor<2xui64>, %long: tensor<3xui64>) {
  // expected-error @below {{stablehlo.rng_bit_generator' op: stablehlo.rng_bit_generator (C2): a state of type tensor<3xui64> for THREE_FRY}}
  %0:2 = stablehlo.rng_bit_generator %long, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

func.func @invalid(%a: tensor<f32>) {
  %shape = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error @below {{stablehlo.rng' op: stablehlo.rng (C3): expected result shape [2, 3], got tensor<2x4xf32>}}
  %0 = stablehlo.rng %a, %a, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}
