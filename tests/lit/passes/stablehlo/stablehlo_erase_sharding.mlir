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
