// RUN: xla-opt %s -p convert-stablehlo-to-linalg | filecheck %s

// Loops of a matrix product: m, n, k. Only here floats may be reassociated.
// CHECK-LABEL: func.func @matmul
// CHECK: [[F:%.+]] = linalg.fill
// CHECK-NEXT: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<4x8xf32>, tensor<8x6xf32>) outs([[F]] : tensor<4x6xf32>)
// CHECK-NEXT: ^bb{{.*}}([[A:%.+]]: f32, [[B:%.+]]: f32, [[C:%.+]]: f32):
// CHECK-NEXT: [[P:%.+]] = arith.mulf [[A]], [[B]] fastmath<reassoc> : f32
// CHECK-NEXT: [[S:%.+]] = arith.addf [[C]], [[P]] fastmath<reassoc> : f32
// CHECK-NEXT: linalg.yield [[S]] : f32
func.func @matmul(%x: tensor<4x8xf32>, %y: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// Any number of dimensions of each kind, in any order: batch, left free, right free, contracted.
// CHECK-LABEL: func.func @many_dimensions
// CHECK: indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d0, d1, d5, d2)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d3, d4)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]
func.func @many_dimensions(%x: tensor<2x3x4x5x6xf32>, %y: tensor<3x5x7x2xf32>) -> tensor<3x4x6x7xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [1] x [0], contracting_dims = [0, 3] x [3, 1]
      : (tensor<2x3x4x5x6xf32>, tensor<3x5x7x2xf32>) -> tensor<3x4x6x7xf32>
  return %0 : tensor<3x4x6x7xf32>
}

// 16-bit floats accumulate in f32 and are rounded once, afterwards.
// CHECK-LABEL: func.func @half
// CHECK: linalg.fill ins({{%.+}} : f32) outs({{%.+}} : tensor<4x6xf32>)
// CHECK: arith.extf {{%.+}} : bf16 to f32
// CHECK-NEXT: arith.extf {{%.+}} : bf16 to f32
// CHECK-NEXT: arith.mulf {{.*}} : f32
// CHECK-NEXT: arith.addf {{.*}} : f32
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: arith.truncf {{%.+}} : f32 to bf16
func.func @half(%x: tensor<4x8xbf16>, %y: tensor<8x6xbf16>) -> tensor<4x6xbf16> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x8xbf16>, tensor<8x6xbf16>) -> tensor<4x6xbf16>
  return %0 : tensor<4x6xbf16>
}

// Operands are extended to the result's type with their own sign.
// CHECK-LABEL: func.func @integers
// CHECK: arith.extui {{%.+}} : i8 to i32
// CHECK-NEXT: arith.extui {{%.+}} : i8 to i32
// CHECK-NEXT: arith.muli
// CHECK-NEXT: arith.addi
func.func @integers(%x: tensor<4x8xui8>, %y: tensor<8x6xui8>) -> tensor<4x6xui32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x8xui8>, tensor<8x6xui8>) -> tensor<4x6xui32>
  return %0 : tensor<4x6xui32>
}

// CHECK-LABEL: func.func @booleans
// CHECK: arith.andi {{.*}} : i1
// CHECK-NEXT: arith.ori {{.*}} : i1
func.func @booleans(%x: tensor<4x8xi1>, %y: tensor<8x6xi1>) -> tensor<4x6xi1> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x8xi1>, tensor<8x6xi1>) -> tensor<4x6xi1>
  return %0 : tensor<4x6xi1>
}

// Without contracted dimensions it is a product only.
// CHECK-LABEL: func.func @outer_product
// CHECK-NOT: linalg.fill
// CHECK: indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]
// CHECK-NOT: arith.addf
func.func @outer_product(%x: tensor<4xf32>, %y: tensor<6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [] x [] : (tensor<4xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
