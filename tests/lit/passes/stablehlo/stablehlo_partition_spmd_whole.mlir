// RUN: xla-opt %s -p stablehlo-partition-spmd | filecheck %s

// A mesh is enough for effects to happen once.
// CHECK: builtin.module attributes {mhlo.num_partitions = 4 : i32}
sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @main
// CHECK:       stablehlo.partition_id
// CHECK:       [[DRAWN:%.*]] = "stablehlo.if"
// CHECK:         stablehlo.rng
// CHECK:       "stablehlo.collective_broadcast"([[DRAWN]])
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<8xf32> {
  %shape = stablehlo.constant dense<8> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
