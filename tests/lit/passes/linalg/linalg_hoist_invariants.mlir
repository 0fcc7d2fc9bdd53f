// RUN: xla-opt %s -p linalg-hoist-invariants | filecheck %s

// What depends on values outside the loop alone goes in front of it, with the views it reads; a result that is larger
// than its operands stays, and so does what is under a condition or depends on the loop.

// CHECK-LABEL: func.func public @main
// CHECK:         [[V:%.+]] = tensor.collapse_shape
// CHECK-NEXT:    [[E:%.+]] = tensor.empty() : tensor<1024xf32>
// CHECK-NEXT:    [[S:%.+]] = func.call @scaled([[V]], [[E]])
// CHECK-NEXT:    scf.for
// CHECK-NOT:     @scaled
// CHECK:         func.call @repeated
// CHECK:         scf.if
// CHECK:         func.call @scaled
// CHECK:         func.call @sum([[S]],
func.func public @main(%m: tensor<32x32xf32>, %r: tensor<32xf32>, %x: tensor<1024xf32>, %c: i1) -> tensor<1024xf32>
    attributes {xrt.entry} {
  %lower = arith.constant 0 : index
  %upper = arith.constant 9 : index
  %step = arith.constant 1 : index
  %0 = scf.for %i = %lower to %upper step %step iter_args(%y = %x) -> (tensor<1024xf32>) {
    %1 = tensor.collapse_shape %m [[0, 1]] : tensor<32x32xf32> into tensor<1024xf32>
    %2 = tensor.empty() : tensor<1024xf32>
    %3 = func.call @scaled(%1, %2) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %4 = tensor.empty() : tensor<1024xf32>
    %5 = func.call @repeated(%r, %4) : (tensor<32xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    %6 = scf.if %c -> (tensor<1024xf32>) {
      %7 = tensor.empty() : tensor<1024xf32>
      %8 = func.call @scaled(%x, %7) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
      scf.yield %8 : tensor<1024xf32>
    } else {
      scf.yield %5 : tensor<1024xf32>
    }
    %9 = tensor.empty() : tensor<1024xf32>
    %10 = func.call @sum(%3, %6, %y, %9) : (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
    scf.yield %10 : tensor<1024xf32>
  }
  func.return %0 : tensor<1024xf32>
}
func.func private @scaled(tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
func.func private @repeated(tensor<32xf32>, tensor<1024xf32>) -> tensor<1024xf32>
func.func private @sum(tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
