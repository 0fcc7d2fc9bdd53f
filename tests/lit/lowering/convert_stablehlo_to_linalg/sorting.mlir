// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// How lines are sorted is decided later. Floats are compared as they stand.
// CHECK-LABEL: func.func @argsort
// CHECK: "linalg_ext.sort"(%x, %i, {{%.+}}, {{%.+}}) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 2, 2>}> ({
// CHECK-NEXT: ^{{.+}}([[A:%.+]]: f32, [[B:%.+]]: f32, {{%.+}}: i32, {{%.+}}: i32):
// CHECK-NEXT: [[LESS:%.+]] = arith.cmpf olt, [[A]], [[B]] : f32
// CHECK-NEXT: "linalg_ext.yield"([[LESS]]) : (i1) -> ()
// CHECK-NEXT: }) : (tensor<3x8xf32>, tensor<3x8xi32>, tensor<3x8xf32>, tensor<3x8xi32>) -> (tensor<3x8xf32>, tensor<3x8xi32>)
func.func @argsort(%x: tensor<3x8xf32>, %i: tensor<3x8xi32>) -> tensor<3x8xi32> {
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3x8xf32>, tensor<3x8xi32>) -> (tensor<3x8xf32>, tensor<3x8xi32>)
  return %0#1 : tensor<3x8xi32>
}

// Nothing to sort along a dimension of one element.
// CHECK-LABEL: func.func @one
// CHECK-NEXT: func.return %x : tensor<5x1xf32>
func.func @one(%x: tensor<5x1xf32>) -> tensor<5x1xf32> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x1xf32>) -> tensor<5x1xf32>
  return %0 : tensor<5x1xf32>
}

// CHECK-LABEL: func.func @vector
// CHECK: "linalg_ext.sort"(%x, {{%.+}}) <{dimension = 0 : i64
// CHECK: arith.cmpi sgt
func.func @vector(%x: tensor<3xi8>) -> tensor<3xi8> {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    %1 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<3xi8>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

// CHECK-LABEL: func.func @by_key
// CHECK: "linalg_ext.sort"(%x, %y, {{%.+}}, {{%.+}}) <{dimension = 0 : i64
func.func @by_key(%x: tensor<4096xi16>, %y: tensor<4096xf32>) -> tensor<4096xf32> {
  %0:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%a: tensor<i16>, %b: tensor<i16>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4096xi16>, tensor<4096xf32>) -> (tensor<4096xi16>, tensor<4096xf32>)
  return %0#1 : tensor<4096xf32>
}

// The first 2 of 64 elements are wanted.
// CHECK-LABEL: func.func @first
// CHECK: [[OUT:%.+]] = tensor.empty() : tensor<3x2xi32>
// CHECK: "linalg_ext.sort"(%x, [[OUT]]) <{dimension = 1 : i64
// CHECK: }) : (tensor<3x64xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
func.func @first(%x: tensor<3x64xi32>) -> tensor<3x2xi32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %2 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<3x64xi32>) -> tensor<3x64xi32>
  %1 = stablehlo.slice %0 [0:3, 0:2] : (tensor<3x64xi32>) -> tensor<3x2xi32>
  return %1 : tensor<3x2xi32>
}

// Their places are known.
// CHECK-LABEL: func.func @places
// CHECK: "linalg_ext.sort"(%x, {{%.+}}, {{%.+}}) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 2>, counts = array<i64: 1>}> ({
// CHECK: }) : (tensor<9000xi32>, tensor<300xi32>, tensor<300xi32>)
func.func @places(%x: tensor<9000xi32>) -> tensor<300xi32> {
  %i = stablehlo.iota dim = 0 : tensor<9000xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %2 = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<9000xi32>, tensor<9000xi32>) -> (tensor<9000xi32>, tensor<9000xi32>)
  %1 = stablehlo.slice %0#1 [0:300] : (tensor<9000xi32>) -> tensor<300xi32>
  return %1 : tensor<300xi32>
}

// Large columns are transposed to be sorted.
// CHECK-LABEL: func.func @columns
// CHECK: [[ROWS:%.+]] = linalg.generic {{.*}} ins(%x : tensor<512x512xf32>)
// CHECK: "linalg_ext.sort"([[ROWS]], {{%.+}}) <{dimension = 1 : i64
// CHECK: linalg.generic
func.func @columns(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}
