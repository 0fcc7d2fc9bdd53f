// RUN: xla-opt %s -p 'convert-linalg-to-affine{vector_bits=512}' --split-input-file | filecheck %s

// A sum of columns is cut into chains of 128 additions. Few partial sums are added up in chains of four.
// CHECK-LABEL: func.func @few
// CHECK: [[PARTIAL:%.+]] = memref.alloca() {{.*}}: memref<8x640xf32>
// CHECK: [[FIRST:%.+]] = affine.load [[PARTIAL]][0, [[COLUMN:%.+]]] : memref<8x640xf32>
// CHECK-NEXT: [[SECOND:%.+]] = affine.load [[PARTIAL]][1, [[COLUMN]]] : memref<8x640xf32>
// CHECK-NEXT: [[TWO:%.+]] = arith.addf [[FIRST]], [[SECOND]] : f32
// CHECK-NEXT: [[THIRD:%.+]] = affine.load [[PARTIAL]][2, [[COLUMN]]] : memref<8x640xf32>
// CHECK-NEXT: [[THREE:%.+]] = arith.addf [[TWO]], [[THIRD]] : f32
// CHECK: [[FOUR:%.+]] = arith.addf [[THREE]], {{%.+}} : f32
// CHECK: [[LAST:%.+]] = affine.load [[PARTIAL]][7, [[COLUMN]]] : memref<8x640xf32>
// CHECK-NEXT: [[OTHERS:%.+]] = arith.addf {{%.+}}, [[LAST]] : f32
// CHECK-NEXT: arith.addf [[FOUR]], [[OTHERS]] : f32
// CHECK-NEXT: [[SUM:%.+]] = arith.addf %zero, {{%.+}} fastmath<reassoc> : f32
// CHECK-NEXT: affine.store [[SUM]], %out[[[COLUMN]]] : memref<640xf32>
func.func @few(%x: memref<1024x640xf32>, %out: memref<640xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<640xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]} ins(%x : memref<1024x640xf32>) outs(%out : memref<640xf32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b fastmath<reassoc> : f32
    linalg.yield %sum : f32
  }
  return
}

// -----

// Many are added up with the errors of the additions.
// CHECK-LABEL: func.func @many
// CHECK: memref.alloc() {{.*}}: memref<32x640xf32>
// CHECK: affine.for {{%.+}} = 0 to 32 {
// CHECK: arith.subf
// CHECK: arith.cmpf one
func.func @many(%x: memref<4096x640xf32>, %out: memref<640xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<640xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
      iterator_types = ["reduction", "parallel"]} ins(%x : memref<4096x640xf32>) outs(%out : memref<640xf32>) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b fastmath<reassoc> : f32
    linalg.yield %sum : f32
  }
  return
}
