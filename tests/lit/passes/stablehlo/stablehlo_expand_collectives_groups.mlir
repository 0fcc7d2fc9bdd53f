// RUN: xla-opt %s -p "stablehlo-expand-collectives{replicas=3}" --split-input-file | filecheck %s
// RUN: not xla-opt %s -p stablehlo-expand-collectives --split-input-file 2>&1 | filecheck %s --check-prefix OUTSIDE

// Groups of two and one: the number of members says which reduction it is.

// OUTSIDE: error: 'stablehlo.all_reduce' op: the groups {{.*}} name replica 2, of 1

// CHECK-LABEL: func.func @unequal_groups
// CHECK: [[V:%.+]], [[COUNT:%.+]], [[PLACE:%.+]] = stablehlo.custom_call @xrt.members
// CHECK: [[INDEX:%.+]] = stablehlo.subtract [[COUNT]], {{%.+}} : tensor<i32>
// CHECK: [[R:%.+]] = "stablehlo.case"([[INDEX]])
// CHECK-NOT: stablehlo.add
// CHECK: stablehlo.return
// CHECK: stablehlo.map
// CHECK: stablehlo.add
func.func @unequal_groups(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// The own part of the sum.

// CHECK-LABEL: func.func @reduce_scatter
// CHECK: {{%.+}}, {{%.+}}, [[PLACE:%.+]] = stablehlo.custom_call @xrt.members
// CHECK: [[START:%.+]] = stablehlo.multiply [[PLACE]], {{%.+}} : tensor<i32>
// CHECK: stablehlo.dynamic_slice {{.*}}, sizes = [2] : {{.*}} -> tensor<2xi32>
func.func @reduce_scatter(%x: tensor<6xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[2, 1, 0]]> : tensor<1x3xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<6xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
