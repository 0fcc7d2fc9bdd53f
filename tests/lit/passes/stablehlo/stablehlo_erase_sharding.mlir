// RUN: xla-opt %s -p stablehlo-erase-sharding | filecheck %s
// RUN: xla-opt %s | xla-opt | filecheck %s --check-prefix ROUNDTRIP

// ROUNDTRIP: sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}
// CHECK-NOT: sdy.mesh
sdy.mesh @mesh = <["x"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}]}}

// CHECK-LABEL: func.func @constrained
// CHECK-SAME: ([[X:%.+]]: tensor<4x4xf32>
// CHECK-NEXT: [[Y:%.+]] = stablehlo.negate [[X]] : tensor<4x4xf32>
// CHECK-NEXT: func.return [[Y]]
// ROUNDTRIP: sdy.sharding_constraint {{%.+}} <@mesh, [{"x"}, {}]> : tensor<4x4xf32>
// ROUNDTRIP-NEXT: sdy.reshard {{%.+}} <@mesh, [{}, {"x"}]> : tensor<4x4xf32>
// ROUNDTRIP-NEXT: sdy.sharding_group {{%.+}} group_id=1 : tensor<4x4xf32>
func.func @constrained(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, {}]> : tensor<4x4xf32>
  %1 = sdy.reshard %0 <@mesh, [{}, {"x"}]> : tensor<4x4xf32>
  sdy.sharding_group %1 group_id=1 : tensor<4x4xf32>
  %2 = stablehlo.negate %1 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @regions
// CHECK-SAME: ([[X:%.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: [[C:%.+]] = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT: [[A:%.+]] = stablehlo.add [[X]], [[C]] : tensor<4xf32>
// CHECK-NEXT: [[B:%.+]] = stablehlo.negate [[A]] : tensor<4xf32>
// CHECK-NEXT: func.return [[B]]
func.func @regions(%x: tensor<4xf32>) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@one, [{"x"}]>}) {
  %c = sdy.constant dense<1.0> : tensor<4xf32>
  %0 = sdy.named_computation<"f">(%x, %c) (%a: tensor<4xf32>, %b: tensor<4xf32>) {
    %1 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = sdy.all_slice [{"x"}] %0 out_sharding=<@mesh, [{"x"}]> : tensor<4xf32>
  %3 = sdy.manual_computation(%2) in_shardings=[<mesh<["x"=1]>, [{"x"}]>] out_shardings=[<mesh<["x"=1]>, [{"x"}]>]
      manual_axes={"x"} (%a: tensor<4xf32>) {
    %4 = stablehlo.negate %a : tensor<4xf32>
    sdy.return %4 : tensor<4xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

sdy.mesh @one = <["x"=1]>
