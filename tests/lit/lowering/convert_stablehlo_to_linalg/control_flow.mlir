// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// CHECK-LABEL: func.func @while
// CHECK: [[ZERO:%.+]] = arith.constant dense<0> : tensor<i32>
// CHECK: [[R:%.+]], {{%.+}} = scf.while ([[I:%.+]] = [[ZERO]], [[X:%.+]] = %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
// CHECK: [[P:%.+]] = linalg.generic {{.*}} ins([[I]] : tensor<i32>)
// CHECK: arith.cmpi slt,
// CHECK: [[CONDITION:%.+]] = tensor.extract {{%.+}}[] : tensor<i1>
// CHECK-NEXT: scf.condition([[CONDITION]]) [[I]], [[X]] : tensor<i32>, tensor<4xf32>
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb{{.*}}([[J:%.+]]: tensor<i32>, [[Y:%.+]]: tensor<4xf32>):
// CHECK: linalg.generic {{.*}} ins([[J]] : tensor<i32>)
// CHECK: linalg.generic {{.*}} ins([[Y]], %captured : tensor<4xf32>, tensor<4xf32>)
// CHECK: scf.yield {{%.+}}, {{%.+}} : tensor<i32>, tensor<4xf32>
func.func @while(%x: tensor<4xf32>, %captured: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<10> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
   cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.multiply %y, %captured : tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @if
// CHECK: [[P:%.+]] = tensor.extract %p[] : tensor<i1>
// CHECK-NEXT: scf.if [[P]] -> (tensor<4xi32>) {
// CHECK-NEXT: scf.yield %x : tensor<4xi32>
// CHECK-NEXT: } else {
// CHECK: linalg.generic
// CHECK: scf.yield
func.func @if(%p: tensor<i1>, %x: tensor<4xui32>) -> tensor<4xui32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<4xui32>
  }, {
    %1 = stablehlo.add %x, %x : tensor<4xui32>
    stablehlo.return %1 : tensor<4xui32>
  }) : (tensor<i1>) -> tensor<4xui32>
  return %0 : tensor<4xui32>
}

// The last branch is taken for every index out of range.
// CHECK-LABEL: func.func @case
// CHECK: [[I:%.+]] = tensor.extract %i[] : tensor<i32>
// CHECK-NEXT: [[INDEX:%.+]] = arith.index_cast [[I]] : i32 to index
// CHECK-NEXT: scf.index_switch [[INDEX]] -> tensor<4xf32>
// CHECK-NEXT: case 0 {
// CHECK-NEXT: scf.yield %x : tensor<4xf32>
// CHECK: case 1 {
// CHECK-NEXT: scf.yield %y : tensor<4xf32>
// CHECK: default {
// CHECK-NEXT: scf.yield %z : tensor<4xf32>
func.func @case(%i: tensor<i32>, %x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %x : tensor<4xf32>
  }, {
    stablehlo.return %y : tensor<4xf32>
  }, {
    stablehlo.return %z : tensor<4xf32>
  }) : (tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A call that was not inlined keeps its place.
// CHECK-LABEL: func.func @caller
// CHECK: func.call @callee(%x) : (tensor<4xi32>) -> tensor<4xi32>
// CHECK: func.func private @callee(%x: tensor<4xi32>) -> tensor<4xi32>
func.func @caller(%x: tensor<4xui32>) -> tensor<4xui32> {
  %0 = func.call @callee(%x) : (tensor<4xui32>) -> tensor<4xui32>
  return %0 : tensor<4xui32>
}
func.func private @callee(%x: tensor<4xui32>) -> tensor<4xui32> {
  return %x : tensor<4xui32>
}

// CHECK-LABEL: func.func @barrier
// CHECK-NEXT: func.return %x : tensor<4xf32>
func.func @barrier(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.optimization_barrier %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
