// RUN: xla-opt %s -p 'linalg-tile-contractions{vector_bits=512}' | filecheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Few rows: 16 steps of the reduction for all columns in turn, with the sums in scratch memory until the last.
// CHECK-LABEL: @product
// CHECK: [[SUMS:%.+]] = memref.alloc() {alignment = 64 : i64} : memref<33024xf32>
// CHECK: affine.for [[CHUNK:%.+]] = 0 to 64
// CHECK: affine.for %{{.+}} = 0 to 86
// CHECK-NOT: xrt.prefetch [[SUMS]]
// CHECK: affine.for %{{.+}} = 0 to 16 iter_args
// CHECK: xrt.prefetch
// CHECK: vector.fma
// CHECK: "affine.if"([[CHUNK]]) <{condition = affine_set<(d0) : (d0 <= 0)>}>
// CHECK-NOT: affine.vector_load
// CHECK: affine.vector_store %{{.+}}, [[SUMS]]
// CHECK: "affine.if"([[CHUNK]]) <{condition = affine_set<(d0) : ((d0 + -1) >= 0, (d0 + -62) <= 0)>}>
// CHECK: affine.vector_load [[SUMS]]
// CHECK: affine.vector_store %{{.+}}, [[SUMS]]
// CHECK: "affine.if"([[CHUNK]]) <{condition = affine_set<(d0) : ((d0 + -63) >= 0)>}>
// CHECK: affine.vector_load [[SUMS]]
// CHECK-NOT: affine.vector_store %{{.+}}, [[SUMS]]
func.func private @product(%a: memref<8x1024xf32>, %b: memref<1024x4096xf32>, %out: memref<8x4096xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<8x4096xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<8x1024xf32>, memref<1024x4096xf32>) outs(%out : memref<8x4096xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}
