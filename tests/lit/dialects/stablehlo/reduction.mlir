// RUN: xla-opt %s | filecheck %s
// RUN: xla-opt %s --print-op-generic | xla-opt | filecheck %s

// CHECK-LABEL: func.func @reduce
// CHECK-NEXT: %add = stablehlo.reduce(%a init: %f) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %xor = stablehlo.reduce(%h init: %i) applies stablehlo.xor across dimensions = [] {note} : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
// CHECK-NEXT: %two, %two_1 = stablehlo.reduce(%a init: %f), (%h init: %i) across dimensions = [1] {note} : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
// CHECK-NEXT: reducer(%s: tensor<f32>, %x: tensor<f32>) (%t: tensor<i32>, %y: tensor<i32>)  {
// CHECK-NEXT: stablehlo.return %x, %t : tensor<f32>, tensor<i32>
// CHECK-NEXT: }
// CHECK-NEXT: %swapped = stablehlo.reduce(%a init: %f) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: reducer(%s_1: tensor<f32>, %x_1: tensor<f32>)  {
// CHECK-NEXT: %sum = stablehlo.add %x_1, %s_1 : tensor<f32>
// CHECK-NEXT: stablehlo.return %sum : tensor<f32>
// CHECK-NEXT: }
// CHECK-NEXT: %subtract = stablehlo.reduce(%a init: %f) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: reducer(%s_2: tensor<f32>, %x_2: tensor<f32>)  {
// CHECK-NEXT: %difference = stablehlo.subtract %s_2, %x_2 : tensor<f32>
// CHECK-NEXT: stablehlo.return %difference : tensor<f32>
// CHECK-NEXT: }
func.func @reduce(%a: tensor<4x6xf32>, %f: tensor<f32>, %h: tensor<4x6xi32>, %i: tensor<i32>) {
  %add = stablehlo.reduce(%a init: %f) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
  %xor = stablehlo.reduce(%h init: %i) applies stablehlo.xor across dimensions = [] {note} : (tensor<4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
  %two:2 = stablehlo.reduce(%a init: %f), (%h init: %i) across dimensions = [1] {note} : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%s: tensor<f32>, %x: tensor<f32>) (%t: tensor<i32>, %y: tensor<i32>) {
    stablehlo.return %x, %t : tensor<f32>, tensor<i32>
  }
  %swapped = stablehlo.reduce(%a init: %f) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
   reducer(%s: tensor<f32>, %x: tensor<f32>) {
    %sum = stablehlo.add %x, %s : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }
  %subtract = stablehlo.reduce(%a init: %f) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
   reducer(%s: tensor<f32>, %x: tensor<f32>) {
    %difference = stablehlo.subtract %s, %x : tensor<f32>
    stablehlo.return %difference : tensor<f32>
  }
  return
}

// CHECK-LABEL: func.func @windows
// CHECK-NEXT: %window = "stablehlo.reduce_window"(%a, %f) <{base_dilations = array<i64: 1, 2>, padding = dense<{{\[\[}}0, 1], [2, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
// CHECK-NEXT: ^bb0(%x: tensor<f32>, %y: tensor<f32>):
// CHECK-NEXT: %max = stablehlo.maximum %x, %y : tensor<f32>
// CHECK-NEXT: stablehlo.return %max : tensor<f32>
// CHECK-NEXT: }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
// CHECK-NEXT: %scatter = "stablehlo.select_and_scatter"(%a, %s, %f) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
// CHECK-NEXT: ^bb0(%x_1: tensor<f32>, %y_1: tensor<f32>):
// CHECK-NEXT: %ge = stablehlo.compare GE, %x_1, %y_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return %ge : tensor<i1>
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0(%x_2: tensor<f32>, %y_2: tensor<f32>):
// CHECK-NEXT: %sum = stablehlo.add %x_2, %y_2 : tensor<f32>
// CHECK-NEXT: stablehlo.return %sum : tensor<f32>
// CHECK-NEXT: }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
func.func @windows(%a: tensor<4x6xf32>, %f: tensor<f32>, %s: tensor<2x3xf32>) {
  %window = "stablehlo.reduce_window"(%a, %f) <{base_dilations = array<i64: 1, 2>, padding = dense<[[0, 1], [2, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %max = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %max : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x6xf32>
  %scatter = "stablehlo.select_and_scatter"(%a, %s, %f) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %ge = stablehlo.compare GE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %ge : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// CHECK-LABEL: func.func @map_sort
// CHECK-NEXT: %map = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
// CHECK-NEXT: ^bb0(%x: tensor<f32>, %y: tensor<f32>):
// CHECK-NEXT: %product = stablehlo.multiply %x, %y : tensor<f32>
// CHECK-NEXT: stablehlo.return %product : tensor<f32>
// CHECK-NEXT: }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %sort, %sort_1 = "stablehlo.sort"(%a, %h) <{dimension = 1 : i64, is_stable = true}> ({
// CHECK-NEXT: ^bb0(%x_1: tensor<f32>, %y_1: tensor<f32>, %s: tensor<i32>, %t: tensor<i32>):
// CHECK-NEXT: %lt = stablehlo.compare LT, %x_1, %y_1, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return %lt : tensor<i1>
// CHECK-NEXT: }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
func.func @map_sort(%a: tensor<4x6xf32>, %h: tensor<4x6xi32>) {
  %map = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %product = stablehlo.multiply %x, %y : tensor<f32>
    stablehlo.return %product : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %sort:2 = "stablehlo.sort"(%a, %h) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %s: tensor<i32>, %t: tensor<i32>):
    %lt = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
  return
}
