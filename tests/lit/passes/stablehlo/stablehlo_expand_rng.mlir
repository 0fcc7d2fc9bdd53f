// RUN: xla-opt %s -p stablehlo-expand-rng --split-input-file | filecheck %s

// Six words of 32 bits are two steps of Philox. A shape that is a value is checked when the program runs.

// CHECK-LABEL: func.func @uniform
// CHECK-SAME: ([[A:%.+]]: tensor<f32>, [[B:%.+]]: tensor<f32>, [[SHAPE:%.+]]: tensor<1xi64>)
// CHECK-NEXT: [[SIZE:%.+]] = stablehlo.reshape [[SHAPE]]
// CHECK: stablehlo.custom_call @shape_violation({{%.+}}) {{.*}}rule = "shape {0} is negative"
// CHECK: [[SIX:%.+]] = stablehlo.constant dense<6> : tensor<i64>
// CHECK-NEXT: stablehlo.compare EQ, [[SIZE]], [[SIX]], SIGNED
// CHECK: stablehlo.custom_call @shape_violation({{%.+}}) {{.*}}rule = "result 0 has shape {0:x}, its type is tensor<6xf32>"
// CHECK: [[LOW:%.+]] = stablehlo.broadcast_in_dim [[A]], dims = [] : (tensor<f32>) -> tensor<6xf32>
// CHECK-NEXT: [[HIGH:%.+]] = stablehlo.broadcast_in_dim [[B]], dims = [] : (tensor<f32>) -> tensor<6xf32>
// CHECK-NEXT: [[STATE:%.+]] = stablehlo.custom_call @xrt.random_state() {has_side_effect = true, steps = 2 : i64} : () -> tensor<3xui64>
// CHECK-NEXT: {{%.+}}, [[WORDS:%.+]] = stablehlo.rng_bit_generator [[STATE]], algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<6xui32>)
// CHECK: [[SHIFTED:%.+]] = stablehlo.shift_right_logical [[WORDS]], {{%.+}} : tensor<6xui32>
// CHECK: [[BITS:%.+]] = stablehlo.convert [[SHIFTED]] : (tensor<6xui32>) -> tensor<6xf32>
// CHECK: [[UNIT:%.+]] = stablehlo.multiply [[BITS]], {{%.+}} : tensor<6xf32>
// CHECK: [[REST:%.+]] = stablehlo.subtract {{%.+}}, [[UNIT]] : tensor<6xf32>
// CHECK: stablehlo.multiply [[LOW]], [[REST]]
// CHECK: stablehlo.multiply [[HIGH]], [[UNIT]]
// CHECK: [[INSIDE:%.+]] = stablehlo.compare LT, [[VALUE:%.+]], [[HIGH]], FLOAT
// CHECK-NEXT: [[R:%.+]] = stablehlo.select [[INSIDE]], [[VALUE]], [[LOW]]
// CHECK-NEXT: func.return [[R]]
func.func @uniform(%a: tensor<f32>, %b: tensor<f32>, %shape: tensor<1xi64>) -> tensor<6xf32> {
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

// Small floats are computed in f32 and rounded once.

// CHECK-LABEL: func.func @half
// CHECK: steps = 2 : i64
// CHECK: [[R:%.+]] = stablehlo.convert {{%.+}} : (tensor<5xf32>) -> tensor<5xf16>
// CHECK-NEXT: func.return [[R]]
func.func @half(%a: tensor<f16>, %b: tensor<f16>, %shape: tensor<1xi64>) -> tensor<5xf16> {
  %0 = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f16>, tensor<f16>, tensor<1xi64>) -> tensor<5xf16>
  return %0 : tensor<5xf16>
}

// -----

// Integers of 64 bits take two words of 64 bits each.

// CHECK-LABEL: func.func @integers
// CHECK: steps = 3 : i64
// CHECK: stablehlo.rng_bit_generator {{.*}} -> (tensor<3xui64>, tensor<2x3xui64>)
// CHECK-NOT: stablehlo.rng
// CHECK: -> tensor<3xi64>
func.func @integers(%a: tensor<i64>, %b: tensor<i64>, %shape: tensor<1xi64>) -> tensor<3xi64> {
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i64>, tensor<i64>, tensor<1xi64>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}
