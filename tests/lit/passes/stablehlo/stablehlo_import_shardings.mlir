// RUN: xla-opt %s -p stablehlo-import-shardings --split-input-file --verify-diagnostics | filecheck %s

// CHECK: sdy.mesh @mesh = <["axis_0"=2, "axis_1"=2, "axis_2"=2]>
// CHECK-LABEL: func.func @annotated
// CHECK-SAME: ([[X:%.+]]: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"axis_0"}, {}]>},
// CHECK-SAME: [[Y:%.+]]: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"axis_1", "axis_2"}, {}]>})
// CHECK-SAME: -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
// CHECK-NEXT: [[C:%.+]] = sdy.sharding_constraint [[X]] <@mesh, [{"axis_0", "axis_1", ?}, {"axis_2"}]> : tensor<8x4xf32>
// CHECK-NEXT: [[A:%.+]] = stablehlo.add [[C]], [[Y]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"axis_1"}, {}]>]>}
// CHECK-NEXT: stablehlo.negate [[A]] {sdy.sharding = #sdy.sharding_per_value<[<mesh<["axis_0"=2, "axis_1"=4],
// CHECK-SAME: device_ids=[0, 1, 2, 3, 7, 6, 5, 4]>, [{"axis_0"}, {"axis_1"}]>]>}
func.func @annotated(
    %x: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"},
    %y: tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"})
    -> (tensor<8x4xf32> {mhlo.sharding = "{replicated}"}) {
  %0 = stablehlo.custom_call @Sharding(%x) {
    backend_config = "unspecified_dims=[0]", mhlo.sharding = "{devices=[4,2]<=[8]}"
  } : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.add %0, %y {mhlo.sharding = "{devices=[2,1,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}"}
      : tensor<8x4xf32>
  %2 = stablehlo.negate %1 {mhlo.sharding = "{devices=[2,4]0,1,2,3,7,6,5,4}"} : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// -----

// Two computations of parts, of which the second uses a constant that stands in front.

// CHECK: sdy.mesh @mesh = <["axis_0"=4]>
// CHECK-LABEL: func.func @manual
// CHECK-NEXT: [[C:%.+]] = stablehlo.constant
// CHECK-NEXT: [[A:%.+]] = sdy.manual_computation({{%.+}}) in_shardings=[<@mesh, [{"axis_0"}]>]
// CHECK-SAME: out_shardings=[<@mesh, [{"axis_0"}]>] manual_axes={"axis_0"} ([[P:%.+]]: tensor<2xf32>) {
// CHECK-NEXT: [[N:%.+]] = stablehlo.negate [[P]] : tensor<2xf32>
// CHECK-NEXT: sdy.return [[N]] : tensor<2xf32>
// CHECK: [[S:%.+]] = stablehlo.sine [[A]] : tensor<8xf32>
// CHECK-NEXT: sdy.manual_computation([[S]]) in_shardings=[<@mesh, [{"axis_0"}]>] out_shardings=[<@mesh, [{}]>]
// CHECK-NEXT: [[D:%.+]] = stablehlo.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-NEXT: stablehlo.add {{%.+}}, [[D]] : tensor<2xf32>
// CHECK-NOT: custom_call
func.func @manual(%x: tensor<8xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<1.0> : tensor<2xf32>
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<2xf32>
  %2 = stablehlo.negate %1 : tensor<2xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<2xf32>) -> tensor<8xf32>
  %5 = stablehlo.sine %4 : tensor<8xf32>
  %6 = stablehlo.custom_call @Sharding(%5) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %7 = stablehlo.custom_call @SPMDFullToShardShape(%6) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<2xf32>
  %8 = stablehlo.add %7, %c : tensor<2xf32>
  %9 = stablehlo.custom_call @Sharding(%8) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
  %10 = stablehlo.custom_call @SPMDShardToFullShape(%9) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
  return %10 : tensor<2xf32>
}

// -----

// What the module says of its entry.

// CHECK-NOT: mhlo.spmd
// CHECK-LABEL: func.func @main
// CHECK-SAME: ({{%.+}}: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"axis_0"}]>}, {{%.+}}: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>})
// CHECK-SAME: -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>})
module attributes {
  mhlo.num_partitions = 2 : i32,
  mhlo.spmd_parameters_shardings = ["{devices=[2]<=[2]}", "{replicated}"],
  mhlo.spmd_output_sharding = "{{replicated}, {replicated}}"
} {
  func.func @main(%x: tensor<4xf32>, %y: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
    return %x, %y : tensor<4xf32>, tensor<f32>
  }
}

// -----

// expected-error@+1 {{mhlo.sharding is not a sharding of HLO: '{devices=[3]<=[2]}'}}
func.func @wrong(%x: tensor<4xf32> {mhlo.sharding = "{devices=[3]<=[2]}"}) {
  return
}

// -----

// expected-error@+1 {{a sharding of 2 dimensions for a value of type tensor<4xf32>}}
func.func @rank(%x: tensor<4xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) {
  return
}

// -----

func.func @leaves(%x: tensor<8xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[4]<=[4]}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<2xf32>
  // expected-error@+1 {{a local value leaves a computation without @SPMDShardToFullShape}}
  return %1 : tensor<2xf32>
}

// -----

// expected-error @+1 {{'func.func' op: a sharding over 8 devices in a program for 4}}
func.func @main(%x: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> (tensor<8xf32> {mhlo.sharding = "{devices=[8]<=[8]}"}) {
  return %x : tensor<8xf32>
}

// -----

module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{'stablehlo.negate' op: a sharding over 2 devices in a program for 4}}
    %0 = stablehlo.negate %x {mhlo.sharding = "{devices=[2]<=[2]}"} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}
