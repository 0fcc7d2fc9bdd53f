// RUN: xla-opt %s -p convert-stablehlo-to-linalg --split-input-file | filecheck %s

// Control flow on scalars inside the body of a generic; the branches read what is outside at their place.
// CHECK-LABEL: func.func @branch
// CHECK: linalg.generic
// CHECK: ^bb{{.*}}([[A:%.+]]: i32, {{%.+}}: i32):
// CHECK: [[LESS:%.+]] = arith.cmpi slt, [[A]]
// CHECK-NEXT: [[R:%.+]] = scf.if [[LESS]] -> (i32) {
// CHECK-NEXT: [[BIAS:%.+]] = tensor.extract
// CHECK-NEXT: scf.yield [[BIAS]] : i32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield [[A]] : i32
// CHECK: linalg.yield [[R]] : i32
func.func @branch(%x: tensor<4xi32>, %bias: tensor<i32>) -> tensor<4xi32> {
  %r = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>):
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %less = stablehlo.compare LT, %a, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c = "stablehlo.if"(%less) ({
      stablehlo.return %bias : tensor<i32>
    }, {
      stablehlo.return %a : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

// CHECK-LABEL: func.func @loop
// CHECK: [[R:%.+]] = scf.while ([[V:%.+]] = %{{.*}}) : (i32) -> i32 {
// CHECK: scf.condition(%{{.*}}) [[V]] : i32
// CHECK: } do {
// CHECK: scf.yield %{{.*}} : i32
// CHECK: linalg.yield [[R]] : i32
func.func @loop(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>):
    %w = stablehlo.while(%v = %a) : tensor<i32>
      cond {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %more = stablehlo.compare GT, %v, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %half = stablehlo.divide %v, %v : tensor<i32>
        stablehlo.return %half : tensor<i32>
      }
    stablehlo.return %w : tensor<i32>
  }) : (tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

// One element of what is outside, at an index from inside.
// CHECK-LABEL: func.func @element
// CHECK: ^bb{{.*}}([[A:%.+]]: i32, {{%.+}}: f32):
// CHECK: [[LOW:%.+]] = arith.maxsi [[A]]
// CHECK: [[HIGH:%.+]] = arith.minsi [[LOW]]
// CHECK: [[IN:%.+]] = arith.index_cast [[HIGH]]
// CHECK: [[R:%.+]] = tensor.extract %{{.*}}[[[IN]]] : tensor<5xf32>
// CHECK-NEXT: linalg.yield [[R]] : f32
func.func @element(%x: tensor<4xi32>, %table: tensor<5xf32>) -> tensor<4xf32> {
  %r = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<i32>):
    %e = stablehlo.dynamic_slice %table, %a, sizes = [1] : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
    %f = stablehlo.reshape %e : (tensor<1xf32>) -> tensor<f32>
    stablehlo.return %f : tensor<f32>
  }) : (tensor<4xi32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
