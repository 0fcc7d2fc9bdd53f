// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// Loops are the operand's dimensions; the accumulator is the left argument of the region.
// CHECK-LABEL: func.func @sum
// CHECK: [[Z:%.+]] = arith.constant 0.000000e+00 : f32
// CHECK: [[F:%.+]] = linalg.fill ins([[Z]] : f32) outs({{%.+}} : tensor<3xf32>)
// CHECK-NEXT: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%x : tensor<2x3x4xf32>) outs([[F]] : tensor<3xf32>)
// CHECK-NEXT: ^bb{{.*}}([[X:%.+]]: f32, [[ACC:%.+]]: f32):
// CHECK-NEXT: arith.addf [[ACC]], [[X]] fastmath<reassoc> : f32
func.func @sum(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0, 2] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// An init value that is not constant comes in through a generic.
// CHECK-LABEL: func.func @init
// CHECK: linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%i : tensor<i32>)
// CHECK: iterator_types = ["reduction"]
// CHECK: arith.maxui
func.func @init(%x: tensor<4xui32>, %i: tensor<ui32>) -> tensor<ui32> {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [0] : (tensor<4xui32>, tensor<ui32>) -> tensor<ui32>
  return %0 : tensor<ui32>
}

// Sums of 16-bit floats accumulate in f32, and maxima, which vectorise there.
// CHECK-LABEL: func.func @half
// CHECK: linalg.fill {{.*}} outs({{%.+}} : tensor<f32>)
// CHECK: [[X:%.+]] = arith.extf {{%.+}} : f16 to f32
// CHECK-NEXT: arith.addf {{%.+}}, [[X]] fastmath<reassoc> : f32
// CHECK: arith.truncf {{%.+}} : f32 to f16
// CHECK: arith.maximumf {{.*}} : f32
// CHECK: arith.truncf {{%.+}} : f32 to f16
func.func @half(%x: tensor<4xf16>) -> (tensor<f16>, tensor<f16>) {
  %z = stablehlo.constant dense<0.0> : tensor<f16>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4xf16>, tensor<f16>) -> tensor<f16>
  %1 = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf16>, tensor<f16>) -> tensor<f16>
  return %0, %1 : tensor<f16>, tensor<f16>
}

// Several operands reduce together; the region is inlined, and only what combines accumulator and element may be
// reassociated.
// CHECK-LABEL: func.func @variadic
// CHECK: [[R:%.+]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %y : tensor<4x5xf32>, tensor<4x5xi32>)
// CHECK-NEXT: ^bb{{.*}}([[X:%.+]]: f32, [[I:%.+]]: i32, [[A:%.+]]: f32, [[J:%.+]]: i32):
// CHECK-NEXT: [[GT:%.+]] = arith.cmpf ogt, [[A]], [[X]] : f32
// CHECK-NEXT: [[V:%.+]] = arith.select [[GT]], [[A]], [[X]] : f32
// CHECK-NEXT: [[K:%.+]] = arith.select [[GT]], [[J]], [[I]] : i32
// CHECK-NEXT: linalg.yield [[V]], [[K]] : f32, i32
func.func @variadic(%x: tensor<4x5xf32>, %y: tensor<4x5xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%x init: %low), (%y init: %zero) across dimensions = [1]
      : (tensor<4x5xf32>, tensor<4x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %1 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}

// A sum that is not the result itself stays strict.
// CHECK-LABEL: func.func @strict
// CHECK: arith.addf {{%.+}}, {{%.+}} : f32
// CHECK-NEXT: math.absf
func.func @strict(%x: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.abs %1 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @map
// CHECK: indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
// CHECK: arith.addf {{%.+}}, {{%.+}} : f32
// CHECK: arith.mulf {{%.+}}, {{%.+}} : f32
func.func @map(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    %2 = stablehlo.multiply %1, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// The bits of an element are looked at in the body.
// CHECK-LABEL: func.func @bits
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK: arith.bitcast %{{.+}} : f32 to i32
// CHECK-NEXT: arith.bitcast %{{.+}} : f32 to i32
// CHECK-NEXT: arith.ori
// CHECK-NEXT: arith.bitcast %{{.+}} : i32 to f32
// CHECK-NEXT: linalg.yield
func.func @bits(%x: tensor<4xf32>, %i: tensor<ui32>) -> tensor<ui32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = "stablehlo.reduce"(%x, %x, %z, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.bitcast_convert %a : (tensor<f32>) -> tensor<ui32>
    %2 = stablehlo.bitcast_convert %c : (tensor<f32>) -> tensor<ui32>
    %3 = stablehlo.or %1, %2 : tensor<ui32>
    %4 = stablehlo.bitcast_convert %3 : (tensor<ui32>) -> tensor<f32>
    stablehlo.return %4, %b : tensor<f32>, tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  %5 = stablehlo.bitcast_convert %0#0 : (tensor<f32>) -> tensor<ui32>
  return %5 : tensor<ui32>
}
