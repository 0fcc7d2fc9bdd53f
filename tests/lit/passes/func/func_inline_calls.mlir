// RUN: xla-opt %s -p func-inline-calls --split-input-file | filecheck %s

// CHECK-LABEL: func.func public @nested_calls
// CHECK-SAME:  ([[X:%.+]]: tensor<4xf32>)
// CHECK-NEXT:    [[A:%.+]] = stablehlo.negate [[X]]
// CHECK-NEXT:    [[B:%.+]] = stablehlo.add [[A]], [[X]]
// CHECK-NEXT:    [[C:%.+]] = stablehlo.negate [[B]]
// CHECK-NEXT:    [[D:%.+]] = stablehlo.add [[C]], [[B]]
// CHECK-NEXT:    func.return [[D]], [[B]]
// CHECK-NOT:   func.func
func.func public @nested_calls(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f(%0) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %1, %0 : tensor<4xf32>, tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = func.call @g(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = stablehlo.add %0#1, %0#0 : tensor<4xf32>
  func.return %1 : tensor<4xf32>
}
func.func private @g(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.negate %x : tensor<4xf32>
  func.return %x, %0 : tensor<4xf32>, tensor<4xf32>
}
func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @call_in_region
// CHECK:         stablehlo.while
// CHECK:         } do {
// CHECK-NEXT:      [[N:%.+]] = stablehlo.negate
// CHECK-NEXT:      stablehlo.return [[N]]
// CHECK-NOT:   func.call
func.func @call_in_region(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%arg = %x) : tensor<f32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = func.call @closed_call(%arg) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }
  func.return %0 : tensor<f32>
}
func.func private @closed_call(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  func.return %0 : tensor<f32>
}

// -----

// A public callee keeps its body; an unreferenced private function goes.

// CHECK-LABEL: func.func @caller
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    func.return
// CHECK-LABEL: func.func public @callee
// CHECK-NEXT:    stablehlo.negate
// CHECK-NEXT:    func.return
// CHECK-NOT:   func.func
func.func @caller(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @callee(%x) : (tensor<f32>) -> tensor<f32>
  func.return %0 : tensor<f32>
}
func.func public @callee(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  func.return %0 : tensor<f32>
}
func.func private @unreferenced(%x: tensor<f32>) -> tensor<f32> {
  func.return %x : tensor<f32>
}

// -----

// A module in the module is deleted: no call can name its functions.

// CHECK-LABEL: builtin.module @outer
// CHECK-NEXT:  func.func @main
// CHECK-NOT:   module
module @outer {
  module @inner {
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      return %x : tensor<2xf32>
    }
  }
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %x, %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
