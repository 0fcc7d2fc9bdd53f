// RUN: xla-opt %s --split-input-file --verify-diagnostics

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{call of @stablehlo.dynamic_top_k, operands: expected 2, got 1}}
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x) : (tensor<4xf32>) -> (tensor<?xf32>, tensor<?xi32>)
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{call of @stablehlo.dynamic_top_k, operand 1: expected an integer, a tensor of rank 0, got tensor<4xf32>}}
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<?xf32>, tensor<?xi32>)
  return
}

// -----

func.func @invalid(%x: tensor<2xui64>) {
  // expected-error @below {{call of @stablehlo.dynamic_rng_bit_generator, operands: expected 2, got 1}}
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%x) : (tensor<2xui64>) -> (tensor<2xui64>, tensor<?xui32>)
  return
}

// -----

func.func @invalid(%x: tensor<2xui64>, %s: tensor<1xi32>) {
  // expected-error @below {{call of @stablehlo.dynamic_rng_bit_generator, attribute rng_algorithm: expected an algorithm, got None}}
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%x, %s) : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  return
}

// -----

func.func @invalid(%x: tensor<2xui64>, %s: tensor<f32>) {
  // expected-error @below {{call of @stablehlo.dynamic_rng_bit_generator, operand 1: expected integers, got tensor<f32>}}
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%x, %s) : (tensor<2xui64>, tensor<f32>) -> (tensor<2xui64>, tensor<?xui32>)
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{expected tensors, as many initial values, and 5 operands for the window, got 1 operands}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x) : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>, %n: tensor<2xi32>, %p: tensor<1x2xi32>) {
  // expected-error @below {{operand 2: expected 1 integers, got tensor<2xi32>}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %n, %n, %n, %n, %p) : (tensor<4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>, %n: tensor<1xi32>, %p: tensor<1x2xi32>) {
  // expected-error @below {{operand 6: expected 1 pairs of integers, got tensor<1xi32>}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %n, %n, %n, %n, %n) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>, %n: tensor<1xi32>, %p: tensor<1x2xi32>) {
  // expected-error @below {{called_computations: expected one function, got 0}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %n, %n, %n, %n, %p) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @below {{operands: expected 3, got 2}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %z) : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{operands: expected a tensor and its shape, got none}}
  %0 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper() : () -> tensor<?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{result 0: expected a tensor of 1 dimensions of f32, got tensor<?x?xf32>}}
  %0 = stablehlo.custom_call @stablehlo.shape_refinement_operand_wrapper(%x) : (tensor<4xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{operand 0: expected a condition, i1, got tensor<4xf32>}}
  stablehlo.custom_call @shape_assertion(%x) {has_side_effect = true} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @invalid(%x: tensor<4xf32>) {
  // expected-error @below {{operands: expected a condition, got none}}
  stablehlo.custom_call @shape_assertion() {has_side_effect = true} : () -> ()
  return
}
