// RUN: xla-opt %s -p stablehlo-expand-computations --split-input-file | filecheck %s

// The computation runs on one element at a time, as it stands.
// CHECK-LABEL: func.func @map
// CHECK: [[BLANK:%.+]] = stablehlo.constant dense<0.000000e+00> : tensor<6xf32>
// CHECK: %{{.+}}, [[R:%.+]] = stablehlo.while([[I:%.+]] = %{{.+}}, [[S:%.+]] = [[BLANK]]) : tensor<i32>, tensor<6xf32>
// CHECK: stablehlo.compare LT, [[I]]
// CHECK: } do {
// CHECK: [[E:%.+]] = stablehlo.dynamic_slice %{{.+}}, [[I]], sizes = [1]
// CHECK: [[A:%.+]] = stablehlo.reshape [[E]] : (tensor<1xf32>) -> tensor<f32>
// CHECK: stablehlo.broadcast_in_dim [[A]], dims = [] : (tensor<f32>) -> tensor<4xf32>
// CHECK: [[D:%.+]] = stablehlo.dot_general
// CHECK: [[U:%.+]] = stablehlo.reshape [[D]] : (tensor<f32>) -> tensor<1xf32>
// CHECK: [[N:%.+]] = stablehlo.dynamic_update_slice [[S]], [[U]], [[I]]
// CHECK: stablehlo.return %{{.+}}, [[N]]
// CHECK: stablehlo.reshape [[R]] : (tensor<6xf32>) -> tensor<2x3xf32>
func.func @map(%x: tensor<2x3xf32>, %w: tensor<4xf32>) -> tensor<2x3xf32> {
  %r = "stablehlo.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>):
    %v = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %d = stablehlo.dot_general %v, %w, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    stablehlo.return %d : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// -----

// A loop over results around one over the elements combined: starts 0, 1, 2 and offsets 0, 3.
// CHECK-LABEL: func.func @reduce
// CHECK: stablehlo.constant dense<[0, 1, 2]> : tensor<3xi64>
// CHECK: stablehlo.constant dense<[0, 3]> : tensor<2xi64>
// CHECK: stablehlo.while
// CHECK: stablehlo.while
// CHECK: stablehlo.concatenate
// CHECK-NOT: stablehlo.reduce
func.func @reduce(%x: tensor<2x3xf32>, %init: tensor<f32>) -> tensor<3xf32> {
  %r = "stablehlo.reduce"(%x, %init) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>
    %d = stablehlo.reshape %b : (tensor<f32>) -> tensor<1xf32>
    %e = stablehlo.concatenate %c, %d, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %f = stablehlo.slice %e [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %g = stablehlo.reshape %f : (tensor<1xf32>) -> tensor<f32>
    stablehlo.return %g : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

// Scalars, control flow on them, and elements of what is outside stay.
// CHECK-LABEL: func.func @scalars
// CHECK: "stablehlo.map"
// CHECK: stablehlo.dynamic_slice %w
// CHECK: "stablehlo.if"
func.func @scalars(%x: tensor<3xi32>, %w: tensor<4xi32>) -> tensor<3xi32> {
  %r = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>):
    %e = stablehlo.dynamic_slice %w, %a, sizes = [1] : (tensor<4xi32>, tensor<i32>) -> tensor<1xi32>
    %f = stablehlo.reshape %e : (tensor<1xi32>) -> tensor<i32>
    %less = stablehlo.compare LT, %a, %f : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c = "stablehlo.if"(%less) ({
      stablehlo.return %f : tensor<i32>
    }, {
      stablehlo.return %a : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
