// RUN: xla-opt %s -p stablehlo-partition-spmd | filecheck %s

// What depends on the partition that runs it is the program of one device already: nothing is changed.
// CHECK-NOT: num_partitions
sdy.mesh @mesh = <["x"=4]>
// CHECK-LABEL: func.func @main
// CHECK-NOT:   stablehlo.if
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> (tensor<8xf32>, tensor<ui32>) {
  %shape = stablehlo.constant dense<8> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  %1 = stablehlo.partition_id : tensor<ui32>
  return %0, %1 : tensor<8xf32>, tensor<ui32>
}
