// RUN: xla-opt %s -p cse,dce,licm --split-input-file | filecheck %s

// What xDSL's other generic passes do with the effects and the speculatability of the operations.

// CHECK-LABEL: func.func @equal_computations
// CHECK-SAME:  ([[X:%.+]]: tensor<4xf32>, [[F:%.+]]: tensor<f32>)
// CHECK-NEXT:  [[T:%.+]] = stablehlo.tanh [[X]]
// CHECK-NEXT:  [[R:%.+]] = stablehlo.reduce([[X]] init: [[F]])
// CHECK-NEXT:  func.return [[T]], [[T]], [[R]], [[R]]
func.func @equal_computations(%x: tensor<4xf32>, %f: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  %1 = stablehlo.tanh %x : tensor<4xf32>
  %2 = stablehlo.reduce(%x init: %f) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.reduce(%x init: %f) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>
}

// -----

// Random numbers are not equal, and taking one away changes the others.
// CHECK-LABEL: func.func @random
// CHECK:       stablehlo.rng
// CHECK:       stablehlo.rng
func.func @random(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<1xi64>) -> tensor<4xf32> {
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  %1 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @invariant
// CHECK:       stablehlo.exponential
// CHECK-NEXT:  stablehlo.reduce
// CHECK-NEXT:  scf.for
// CHECK-NEXT:    stablehlo.add
// CHECK-NEXT:    stablehlo.custom_call
// CHECK-NEXT:    scf.yield
func.func @invariant(%x: tensor<4xf32>, %f: tensor<f32>, %n: index) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = scf.for %i = %zero to %n step %one iter_args(%sum = %f) -> (tensor<f32>) {
    %1 = stablehlo.exponential %x : tensor<4xf32>
    %2 = stablehlo.reduce(%1 init: %f) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.add %sum, %2 : tensor<f32>
    stablehlo.custom_call @effect(%2) {has_side_effect = true} : (tensor<f32>) -> ()
    scf.yield %3 : tensor<f32>
  }
  return %0 : tensor<f32>
}
