// RUN: xla-opt %s -p stablehlo-lay-out-interface --split-input-file --verify-diagnostics | filecheck %s

// CHECK-LABEL: func.func @argument(%x: tensor<3x2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    stablehlo.negate [[T]] : tensor<2x3xf32>
func.func @argument(%x: tensor<2x3xf32> {mhlo.layout_mode = "{0,1}"}) -> tensor<2x3xf32> {
  %0 = stablehlo.negate %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// What JAX says of elements that take less than a byte is their size.

// CHECK-LABEL: func.func @small(%x: tensor<3x2xi4>, %y: tensor<2x3xi4>)
func.func @small(
    %x: tensor<2x3xi4> {mhlo.layout_mode = "{0,1:E(4)}"}, %y: tensor<2x3xi4> {mhlo.layout_mode = "{1,0:E(4)}"}) {
  return
}

// Three dimensions: 1 is major, 0 is minor.

// CHECK-LABEL: func.func @three(%x: tensor<3x4x2xf32>) -> (tensor<3x4x2xf32>)
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:    [[N:%.+]] = stablehlo.negate [[T]]
// CHECK-NEXT:    [[R:%.+]] = stablehlo.transpose [[N]], dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @three(%x: tensor<2x3x4xf32> {mhlo.layout_mode = "{0,2,1}"})
    -> (tensor<2x3x4xf32> {mhlo.layout_mode = "{0,2,1}"}) {
  %0 = stablehlo.negate %x : tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// What is row-major stays; a result that is a transpose lies in memory as its operand.

// CHECK-LABEL: func.func @auto(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
// CHECK-NEXT:    [[T:%.+]] = stablehlo.transpose %x
// CHECK-NEXT:    [[N:%.+]] = stablehlo.negate %y
// CHECK-NEXT:    [[R:%.+]] = stablehlo.transpose [[T]], dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:    func.return [[R]], [[N]]
func.func @auto(%x: tensor<2x3xf32> {mhlo.layout_mode = "auto"}, %y: tensor<2x3xf32> {mhlo.layout_mode = "{1,0}"})
    -> (tensor<3x2xf32> {mhlo.layout_mode = "auto"}, tensor<2x3xf32> {mhlo.layout_mode = "default"}) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.negate %y: tensor<2x3xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<2x3xf32>
}

// Shardings go with the dimensions; memory is shared with a result of the same order, or with any.

// CHECK-LABEL: func.func @attributes
// CHECK-SAME:    %x: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>, tf.aliasing_output = 0 : i32}
// CHECK-SAME:    %y: tensor<6x4xf32> {jax.buffer_donor = true}
// CHECK-SAME:    -> (tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<4x6xf32>)
sdy.mesh @mesh = <["x"=2, "y"=3]>
func.func @attributes(
    %x: tensor<4x6xf32>
      {mhlo.layout_mode = "{0,1}", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, tf.aliasing_output = 0 : i32},
    %y: tensor<4x6xf32> {mhlo.layout_mode = "{0,1}", tf.aliasing_output = 1 : i32})
    -> (tensor<4x6xf32> {mhlo.layout_mode = "{0,1}", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<4x6xf32>) {
  return %x, %y: tensor<4x6xf32>, tensor<4x6xf32>
}

// -----

// expected-error@+1 {{mhlo.layout_mode = '{0,2}': not an order of 2 dimensions}}
func.func @no_order(%x: tensor<2x3xf32> {mhlo.layout_mode = "{0,2}"}) {
  return
}

// -----

// expected-error@+1 {{mhlo.layout_mode = 'best': an order is like {1,0}}}
func.func @no_mode(%x: tensor<2x3xf32> {mhlo.layout_mode = "best"}) {
  return
}

// -----

// expected-error@+1 {{tiles and other properties of memory}}
func.func @tiles(%x: tensor<2x3xf32> {mhlo.layout_mode = "{1,0:T(8,128)}"}) {
  return
}

// -----

// expected-error@+1 {{tiles and other properties of memory}}
func.func @padded_elements(%x: tensor<2x3xi4> {mhlo.layout_mode = "{1,0:E(8)}"}) {
  return
}
