// RUN: xla-opt %s -p sdy-apply-constraints | filecheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func.func @applied
// CHECK: stablehlo.negate
// CHECK-SAME: sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>
// CHECK-NEXT: sdy.sharding_constraint
func.func @applied(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// Open dimensions, a sharding that is there, and two different wishes: nothing is applied.
// CHECK-LABEL: func.func @not_applied
// CHECK-SAME: (%a: tensor<8xf32>, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %c: tensor<8xf32>)
func.func @not_applied(
  %a: tensor<8xf32>, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %c: tensor<8xf32>
) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x", ?}]> : tensor<8xf32>
  %1 = sdy.sharding_constraint %b <@mesh, [{"x"}]> : tensor<8xf32>
  %2 = sdy.sharding_constraint %c <@mesh, [{"x"}]> : tensor<8xf32>
  %3 = sdy.sharding_constraint %c <@mesh, [{"y"}]> : tensor<8xf32>
  return %0, %1, %2, %3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// An argument that it does not split evenly keeps its own sharding, and all readers read the constraint.
// CHECK-LABEL: func.func @uneven
// CHECK-SAME: ([[A:%.+]]: tensor<13xf32>, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
// CHECK-NEXT: [[C:%.+]] = sdy.sharding_constraint [[A]] <@mesh, [{"x"}]>
// CHECK-NEXT: stablehlo.negate [[C]]
func.func @uneven(%a: tensor<13xf32>, %b: tensor<8xf32>) -> (tensor<13xf32>, tensor<13xf32>, tensor<8xf32>) {
  %0 = stablehlo.negate %a : tensor<13xf32>
  %1 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<13xf32>
  %2 = sdy.sharding_constraint %b <@mesh, [{"x"}]> : tensor<8xf32>
  return %0, %1, %2 : tensor<13xf32>, tensor<13xf32>, tensor<8xf32>
}

// What comes after the last constraint of several reads its result.
// CHECK-LABEL: func.func @chain
// CHECK: [[FIRST:%.+]] = sdy.sharding_constraint [[V:%.+]] <@mesh, [{"x"}]>
// CHECK-NEXT: [[LAST:%.+]] = sdy.sharding_constraint [[FIRST]] <@mesh, [{"y"}]>
// CHECK-NEXT: stablehlo.sine [[LAST]]
// CHECK-NEXT: func.return [[V]]
func.func @chain(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"y"}]> : tensor<8xf32>
  %3 = stablehlo.sine %0 : tensor<8xf32>
  return %0, %3 : tensor<8xf32>, tensor<8xf32>
}

// Behind a value that moves between regions.
// CHECK-LABEL: func.func @moved
// CHECK: [[B:%.+]] = stablehlo.optimization_barrier
// CHECK-NEXT: [[C:%.+]] = sdy.sharding_constraint [[B]] <@mesh, [{"x"}]>
// CHECK-NEXT: stablehlo.sine [[C]]
func.func @moved(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.optimization_barrier %a : tensor<8xf32>
  %1 = stablehlo.sine %0 : tensor<8xf32>
  %2 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// What a manual computation wants.
// CHECK-LABEL: func.func @manual
// CHECK: stablehlo.negate
// CHECK-SAME: sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>
// CHECK: [[B:%.+]] = stablehlo.optimization_barrier
// CHECK-NEXT: [[C:%.+]] = sdy.sharding_constraint [[B]] <@mesh, [{"x"}]>
// CHECK-NEXT: sdy.manual_computation({{%.+}}, [[C]])
func.func @manual(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = stablehlo.optimization_barrier %b : tensor<8xf32>
  %2 = sdy.manual_computation(%0, %1) in_shardings=[<@mesh, [{"x"}]>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
      manual_axes={"x", "y"} (%c: tensor<2xf32>, %d: tensor<2xf32>) {
    %3 = stablehlo.add %c, %d : tensor<2xf32>
    sdy.return %3 : tensor<2xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
