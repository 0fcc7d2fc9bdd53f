// RUN: xla-opt %s -p 'linalg-tile-contractions{vector_bits=512}' | filecheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// 512 steps of the reduction for all tiles in turn, whose sums are in scratch memory until the last 512. Each chunk of
// the right operand is packed when its turn comes. Tiles fetch their sums, and one panel after the other two rows of the
// next tile.
// CHECK-LABEL: @product
// CHECK: [[LEFT:%.+]] = memref.collapse_shape %a
// CHECK: [[OUT:%.+]] = memref.collapse_shape %out
// CHECK: affine.for %{{.+}} = 0 to 8
// CHECK: [[SUMS:%.+]] = memref.alloc() {alignment = 64 : i64} : memref<525312xf32>
// CHECK: affine.for [[CHUNK:%.+]] = 0 to 4
// CHECK: [[PANELS:%.+]] = memref.alloc() {alignment = 64 : i64} : memref<131072xf32>
// CHECK: affine.vector_store %{{.+}}, [[PANELS]]
// CHECK: affine.for %{{.+}} = 0 to 342
// CHECK: affine.for %{{.+}} = 0 to 4
// CHECK: "xrt.prefetch"([[SUMS]]
// CHECK: affine.for %{{.+}} = 0 to 2 iter_args
// CHECK: affine.for %{{.+}} = 0 to 256 iter_args
// CHECK: affine_map<(d0) -> ((d0 + 12288))>
// CHECK: "xrt.prefetch"([[LEFT]]
// CHECK: affine.vector_load [[PANELS]]
// CHECK: vector.fma
// CHECK: "affine.if"([[CHUNK]]) <{condition = affine_set<(d0) : (d0 <= 0)>}>
// CHECK-NOT: affine.vector_load
// CHECK: affine.vector_store %{{.+}}, [[SUMS]]
// CHECK: "affine.if"([[CHUNK]]) <{condition = affine_set<(d0) : ((d0 + -1) >= 0, (d0 + -2) <= 0)>}>
// CHECK: affine.vector_load [[SUMS]]
// CHECK: affine.vector_store %{{.+}}, [[SUMS]]
// CHECK: "affine.if"([[CHUNK]]) <{condition = affine_set<(d0) : ((d0 + -3) >= 0)>}>
// CHECK: affine.vector_load [[SUMS]]
// CHECK: affine.vector_store %{{.+}}, [[OUT]]
func.func private @product(%a: memref<2048x2048xf32>, %b: memref<2048x2048xf32>, %out: memref<2048x2048xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<2048x2048xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<2048x2048xf32>, memref<2048x2048xf32>) outs(%out : memref<2048x2048xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}
