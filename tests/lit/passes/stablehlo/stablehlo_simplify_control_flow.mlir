// RUN: xla-opt %s -p stablehlo-simplify | filecheck %s

// %x does not change, %dead is not read: only the counter and the sum are carried.

// CHECK-LABEL: func.func @carry_less
// CHECK-SAME:  ([[X:%.+]]: tensor<f32>, [[N:%.+]]: tensor<i32>)
// CHECK:         {{%.+}}, [[W:%.+]] = stablehlo.while([[I:%.+]] = {{%.+}}, [[S:%.+]] = {{%.+}}) : tensor<i32>, tensor<f32>
// CHECK-NEXT:    cond {
// CHECK-NEXT:      [[P:%.+]] = stablehlo.compare LT, [[I]], [[N]]
// CHECK-NEXT:      stablehlo.return [[P]]
// CHECK-NEXT:    } do {
// CHECK:           [[T:%.+]] = stablehlo.add [[S]], [[X]]
// CHECK-NEXT:      stablehlo.return {{%.+}}, [[T]] : tensor<i32>, tensor<f32>
// CHECK:         func.return [[W]], [[X]]
func.func @carry_less(%x: tensor<f32>, %n: tensor<i32>) -> (tensor<f32>, tensor<f32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.constant dense<0.0> : tensor<f32>
  %0:5 = stablehlo.while(%a = %i, %b = %n, %c = %x, %d = %s, %dead = %s) : tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  cond {
    %1 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %a, %one : tensor<i32>
    %2 = stablehlo.add %d, %c : tensor<f32>
    %3 = stablehlo.multiply %dead, %2 : tensor<f32>
    stablehlo.return %1, %b, %c, %2, %3 : tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  func.return %0#3, %0#2 : tensor<f32>, tensor<f32>
}

// Swapped values change.

// CHECK-LABEL: func.func @swap
// CHECK:         stablehlo.while({{%.+}} = {{%.+}}, {{%.+}} = {{%.+}}) : tensor<i1>, tensor<i1>
func.func @swap(%x: tensor<i1>, %y: tensor<i1>) -> tensor<i1> {
  %0:2 = stablehlo.while(%a = %x, %b = %y) : tensor<i1>, tensor<i1>
  cond {
    stablehlo.return %a : tensor<i1>
  } do {
    stablehlo.return %b, %a : tensor<i1>, tensor<i1>
  }
  func.return %0#1 : tensor<i1>
}

// A loop of which nothing is used has no effect.

// CHECK-LABEL: func.func @unused
// CHECK-NEXT:    func.return
func.func @unused(%x: tensor<i1>) {
  %0 = stablehlo.while(%a = %x) : tensor<i1>
  cond {
    stablehlo.return %a : tensor<i1>
  } do {
    %1 = stablehlo.not %a : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }
  func.return
}

// CHECK-LABEL: func.func @branches
// CHECK-SAME:  ([[X:%.+]]: tensor<f32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.negate [[X]]
// CHECK-NEXT:    [[B:%.+]] = stablehlo.abs [[X]]
// CHECK-NEXT:    func.return [[A]], [[B]]
func.func @branches(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.if"(%true) ({
    %2 = stablehlo.negate %x : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %1 = "stablehlo.case"(%seven) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %2 = stablehlo.abs %x : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  func.return %0, %1 : tensor<f32>, tensor<f32>
}

// Equal computations are merged, in regions too; barriers keep them apart.

// CHECK-LABEL: func.func @common_subexpressions
// CHECK-SAME:  ([[P:%.+]]: tensor<i1>, [[X:%.+]]: tensor<f32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.exponential [[X]]
// CHECK-NEXT:    [[B:%.+]] = stablehlo.optimization_barrier [[X]]
// CHECK-NEXT:    [[C:%.+]] = stablehlo.optimization_barrier [[X]]
// CHECK-NEXT:    [[D:%.+]] = stablehlo.add [[B]], [[C]]
// CHECK:         "stablehlo.if"([[P]])
// CHECK-NEXT:      stablehlo.return [[A]]
// CHECK:         func.return [[A]], [[A]], [[D]]
func.func @common_subexpressions(%p: tensor<i1>, %x: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = stablehlo.exponential %x : tensor<f32>
  %1 = stablehlo.exponential %x : tensor<f32>
  %2 = stablehlo.optimization_barrier %x : tensor<f32>
  %3 = stablehlo.optimization_barrier %x : tensor<f32>
  %4 = stablehlo.add %2, %3 : tensor<f32>
  %5 = "stablehlo.if"(%p) ({
    %6 = stablehlo.exponential %x : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  func.return %0, %1, %4, %5 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// Regions are compared up to names.

// CHECK-LABEL: func.func @equal_regions
// CHECK:         [[A:%.+]] = stablehlo.reduce
// CHECK-NEXT:    [[B:%.+]] = stablehlo.reduce
// CHECK-NEXT:    func.return [[A]], [[A]], [[B]]
func.func @equal_regions(%x: tensor<4xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %3 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }
  %2 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  func.return %0, %1, %2 : tensor<f32>, tensor<f32>, tensor<f32>
}
