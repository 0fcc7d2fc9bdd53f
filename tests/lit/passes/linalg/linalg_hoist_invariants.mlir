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

// Of a small result the work counts: it goes in front of both loops, and what is a few additions stays.

// CHECK-LABEL: func.func public @inner
// CHECK-NEXT:    [[E:%.+]] = tensor.empty() : tensor<f32>
// CHECK-NEXT:    [[S:%.+]] = func.call @total(%m, [[E]])
// CHECK-NEXT:    scf.while
// CHECK:         scf.while
// CHECK-NOT:     @total
// CHECK:         func.call @few
// CHECK:         func.call @last([[S]],
func.func public @inner(%m: tensor<32x32xf32>, %v: tensor<4xf32>, %x: tensor<f32>, %c: i1) -> tensor<f32>
    attributes {xrt.entry} {
  %0 = scf.while (%y = %x) : (tensor<f32>) -> tensor<f32> {
    scf.condition(%c) %y : tensor<f32>
  } do {
  ^bb0(%y: tensor<f32>):
    %1 = scf.while (%z = %y) : (tensor<f32>) -> tensor<f32> {
      scf.condition(%c) %z : tensor<f32>
    } do {
    ^bb0(%z: tensor<f32>):
      %2 = tensor.empty() : tensor<f32>
      %3 = func.call @total(%m, %2) : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
      %4 = tensor.empty() : tensor<f32>
      %5 = func.call @few(%v, %4) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      %6 = tensor.empty() : tensor<f32>
      %7 = func.call @last(%3, %5, %z, %6) : (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
      scf.yield %7 : tensor<f32>
    }
    scf.yield %1 : tensor<f32>
  }
  func.return %0 : tensor<f32>
}
func.func private @total(%m: tensor<32x32xf32>, %d: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%m : tensor<32x32xf32>) outs(%d : tensor<f32>) {
  ^bb0(%1: f32, %2: f32):
    %3 = arith.addf %1, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  func.return %0 : tensor<f32>
}
func.func private @few(%v: tensor<4xf32>, %d: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%v : tensor<4xf32>) outs(%d : tensor<f32>) {
  ^bb0(%1: f32, %2: f32):
    %3 = arith.addf %1, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  func.return %0 : tensor<f32>
}
func.func private @last(tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
