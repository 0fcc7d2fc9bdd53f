// RUN: xla-opt %s -p stablehlo-partition-spmd | filecheck %s

sdy.mesh @mesh = <["x"=4]>

// Each device gives what it has of a slice, and zeros for the rest: bits, which nothing flushes.
// CHECK-LABEL: func.func @slice
// CHECK:       [[OWN:%.+]] = stablehlo.select
// CHECK-NEXT:  [[BITS:%.+]] = stablehlo.bitcast_convert [[OWN]] : (tensor<3xf32>) -> tensor<3xi32>
// CHECK-NEXT:  [[ALL:%.+]] = "stablehlo.all_reduce"([[BITS]])
// CHECK:         stablehlo.or
// CHECK:       stablehlo.bitcast_convert [[ALL]] : (tensor<3xi32>) -> tensor<3xf32>
func.func @slice(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %i: tensor<i32>) -> tensor<3xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<8xf32>, tensor<i32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// Integers are added; nothing is lost.
// CHECK-LABEL: func.func @integers
// CHECK-NOT:   bitcast
// CHECK:       "stablehlo.all_reduce"
// CHECK:         stablehlo.add
func.func @integers(%x: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %i: tensor<i32>) -> tensor<3xi32> {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<8xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// Real and imaginary parts by themselves, in the parts that are wanted.
// CHECK-LABEL: func.func @complex
// CHECK:       stablehlo.real
// CHECK:       stablehlo.imag
// CHECK:       "stablehlo.reduce_scatter"
// CHECK:         stablehlo.or
// CHECK:       "stablehlo.reduce_scatter"
// CHECK:       stablehlo.complex
func.func @complex(%x: tensor<8xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %i: tensor<i32>)
    -> (tensor<4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [4] : (tensor<8xcomplex<f32>>, tensor<i32>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
