// RUN: xla-opt %s -p stablehlo-partition-spmd | filecheck %s

sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @backwards = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>

// What lies by a mesh with devices in an order that does not go with the other's changes places when it comes.
// CHECK-LABEL: func.func @moved
// CHECK-SAME: ([[X:%.+]]: tensor<4xf32> {sdy.sharding = #sdy.sharding<@backwards, [{"x"}]>}
// CHECK-NEXT: [[THERE:%.+]] = "stablehlo.collective_permute"([[X]])
// CHECK-SAME: source_target_pairs = dense<[[3, 0], [2, 1], [1, 2], [0, 3]]>
// CHECK-NEXT: stablehlo.add [[THERE]], {{%.+}} : tensor<4xf32>
func.func @moved(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@backwards, [{"x"}]>},
                 %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.add %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  return %0 : tensor<8xf32>
}
