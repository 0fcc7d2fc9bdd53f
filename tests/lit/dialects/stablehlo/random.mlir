// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @random
// CHECK-NEXT: %uniform = stablehlo.rng %f, %f, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
// CHECK-NEXT: %normal = stablehlo.rng %f, %f, %shape, distribution = NORMAL {note} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
// CHECK-NEXT: %three_fry, %three_fry_1 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
// CHECK-NEXT: %philox, %philox_1 = stablehlo.rng_bit_generator %state_1, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x2xui8>)
// CHECK-NEXT: %default, %default_1 = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<f32>)
func.func @random(%f: tensor<f32>, %shape: tensor<2xi64>, %state: tensor<2xui64>, %state_3: tensor<3xui64>) {
  %uniform = stablehlo.rng %f, %f, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
  %normal = stablehlo.rng %f, %f, %shape, distribution = NORMAL {note} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
  %three_fry:2 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  %philox:2 = stablehlo.rng_bit_generator %state_3, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x2xui8>)
  %default:2 = stablehlo.rng_bit_generator %state, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<f32>)
  return
}
