// RUN: xla-opt %s -p sdy-inline-manual-computations --split-input-file --verify-diagnostics | filecheck %s

// Two computations, one after the other, with what is whole in between.

// CHECK: mhlo.num_partitions = 4 : i32
sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: ([[X:%.+]]: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, [[S:%.+]]: tensor<f32>)
// CHECK-SAME: -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
// CHECK-NEXT: [[N:%.+]] = stablehlo.negate [[S]] : tensor<f32>
// CHECK-NEXT: [[B:%.+]] = stablehlo.broadcast_in_dim [[N]], dims = [] : (tensor<f32>) -> tensor<4x8xf32>
// CHECK-NEXT: [[A:%.+]] = stablehlo.add [[X]], [[B]] : tensor<4x8xf32>
// CHECK-NEXT: [[P:%.+]] = stablehlo.slice [[A]] [0:4, 0:4] : (tensor<4x8xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: func.return [[P]] : tensor<4x4xf32>
func.func @main(%x: tensor<8x8xf32>, %s: tensor<f32>) -> tensor<8x8xf32> {
  %n = stablehlo.negate %s : tensor<f32>
  %0 = sdy.manual_computation(%x, %n) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, []>]
      out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%a: tensor<4x8xf32>, %b: tensor<f32>) {
    %1 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.add %a, %1 : tensor<4x8xf32>
    sdy.return %2 : tensor<4x8xf32>
  } : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  %3 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
  %4 = sdy.manual_computation(%3) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>]
      manual_axes={"x", "y"} (%a: tensor<4x8xf32>) {
    %5 = stablehlo.slice %a [0:4, 0:4] : (tensor<4x8xf32>) -> tensor<4x4xf32>
    sdy.return %5 : tensor<4x4xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}

// -----

// One in another, and an axis that neither uses.

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>

// CHECK-LABEL: func.func @nested
// CHECK-SAME: ([[X:%.+]]: tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>})
// CHECK-NEXT: [[N:%.+]] = stablehlo.negate [[X]] : tensor<2xf32>
// CHECK-NEXT: func.return [[N]] : tensor<2xf32>
func.func @nested(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>]
      manual_axes={"x"} (%a: tensor<4xf32>) {
    %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y"}]>] out_shardings=[<@mesh, [{"y"}]>]
        manual_axes={"y"} (%b: tensor<2xf32>) {
      %2 = stablehlo.negate %b : tensor<2xf32>
      sdy.return %2 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>

func.func @global(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
      manual_axes={"x"} (%a: tensor<4xf32>) {
    sdy.return %a : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  // expected-error@+1 {{is outside of the manual computations and has a split tensor of type (tensor<8xf32>)}}
  %1 = stablehlo.negate %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>

func.func @moved(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>]
      manual_axes={"x"} (%a: tensor<4x8xf32>) {
    sdy.return %a : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-error@+1 {{split in one way where it comes from and in another here}}
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
