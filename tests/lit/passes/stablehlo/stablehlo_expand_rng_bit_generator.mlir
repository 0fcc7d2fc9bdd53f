// RUN: xla-opt %s -p stablehlo-expand-rng-bit-generator --split-input-file --verify-diagnostics | filecheck %s

// Five elements take two steps of four words; each round of Philox has two products of 64 bits.

// CHECK-LABEL: func.func @philox
// CHECK-SAME:    ([[S:%.+]]: tensor<2xui64>)
// CHECK-NEXT:    stablehlo.slice [[S]] [0:1] : (tensor<2xui64>) -> tensor<1xui64>
// CHECK-NEXT:    stablehlo.slice [[S]] [1:2] : (tensor<2xui64>) -> tensor<1xui64>
// CHECK:         stablehlo.iota dim = 0 : tensor<2xui64>
// CHECK-COUNT-20: stablehlo.multiply %{{.+}}, %{{.+}} : tensor<2xui64>
// CHECK-NOT:     stablehlo.multiply
// CHECK:         stablehlo.concatenate {{.*}} dim = 1 : (tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x4xui32>
// CHECK-NEXT:    stablehlo.reshape %{{.+}} : (tensor<2x4xui32>) -> tensor<8xui32>
// CHECK-NEXT:    stablehlo.slice %{{.+}} [0:5] : (tensor<8xui32>) -> tensor<5xui32>
func.func @philox(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<5xui32>
}

// The two words of a step of Threefry are neighbours along the dimension of even size; bits become floats as they are.

// CHECK-LABEL: func.func @threefry
// CHECK:         stablehlo.iota dim = 0 : tensor<6xui64>
// CHECK-COUNT-20: stablehlo.shift_left %{{.+}}, %{{.+}} : tensor<6xui32>
// CHECK-NOT:     stablehlo.shift_left
// CHECK:         stablehlo.concatenate {{.*}} dim = 2 : (tensor<3x2x1xui32>, tensor<3x2x1xui32>) -> tensor<3x2x2xui32>
// CHECK-NEXT:    stablehlo.reshape %{{.+}} : (tensor<3x2x2xui32>) -> tensor<3x4xui32>
// CHECK:         stablehlo.bitcast_convert %{{.+}} : (tensor<3x4xui32>) -> tensor<3x4xf32>
func.func @threefry(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xf32>) {
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xf32>)
  return %0#0, %0#1 : tensor<2xui64>, tensor<3x4xf32>
}

// -----

func.func @state_of_words(%s: tensor<2xui32>) -> (tensor<2xui32>, tensor<4xui32>) {
  // expected-error @+1 {{stablehlo.rng_bit_generator: PHILOX with a state of type tensor<2xui32>}}
  %0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui32>) -> (tensor<2xui32>, tensor<4xui32>)
  return %0#0, %0#1 : tensor<2xui32>, tensor<4xui32>
}
