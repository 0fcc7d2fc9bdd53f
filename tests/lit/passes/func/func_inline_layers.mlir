// RUN: xla-opt %s -p func-inline-layers | filecheck %s

// Calls of layers become their kernel calls, also in loops; a constant of theirs is made once, in front of all.

// CHECK-LABEL: func.func public @main
// CHECK-SAME:    ([[X:%.+]]: tensor<8xf32>, [[A:%.+]]: tensor<8xf32>, [[B:%.+]]: tensor<8xf32>, [[N:%.+]]: index)
// CHECK-NEXT:    [[C:%.+]] = arith.constant dense<5.000000e-01> : tensor<f32>
// CHECK-NEXT:    [[E:%.+]] = tensor.empty() : tensor<8xf32>
// CHECK-NEXT:    [[Y:%.+]] = func.call @kernel([[X]], [[A]], [[C]], [[E]])
// CHECK:         scf.for {{.+}} iter_args([[Z:%.+]] = [[Y]])
// CHECK-NEXT:      [[F:%.+]] = tensor.empty() : tensor<8xf32>
// CHECK-NEXT:      [[R:%.+]] = func.call @kernel([[Z]], [[B]], [[C]], [[F]])
// CHECK-NEXT:      scf.yield [[R]]
// CHECK-NOT:   @layer_0
// CHECK:       func.func private @kernel
// CHECK-NOT:   @layer_0
func.func public @main(%x: tensor<8xf32>, %a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) -> tensor<8xf32>
    attributes {xrt.entry} {
  %0 = func.call @layer_0(%x, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %1 = scf.for %i = %zero to %n step %one iter_args(%y = %0) -> (tensor<8xf32>) {
    %2 = func.call @layer_0(%y, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %2 : tensor<8xf32>
  }
  func.return %1 : tensor<8xf32>
}
func.func private @layer_0(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<8xf32> attributes {xrt.layer, xrt.entry} {
  %c = arith.constant dense<5.0e-01> : tensor<f32>
  %empty = tensor.empty() : tensor<8xf32>
  %0 = func.call @kernel(%x, %w, %c, %empty) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}
func.func private @kernel(%x: tensor<8xf32>, %w: tensor<8xf32>, %c: tensor<f32>, %out: tensor<8xf32>) -> tensor<8xf32>
    attributes {xrt.kernel} {
  func.return %out : tensor<8xf32>
}
