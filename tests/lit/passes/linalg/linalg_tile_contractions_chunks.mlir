// RUN: xla-opt %s -p 'linalg-tile-contractions{vector_bits=512}' | filecheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// 512 steps of the reduction for all tiles of a block in turn, whose sums are in scratch memory; then their ends.
// CHECK-LABEL: @product
// CHECK: [[PANELS:%.+]] = memref.alloc() {alignment = 64 : i64} : memref<524288xf32>
// CHECK: [[SUMS:%.+]] = memref.alloc() {alignment = 64 : i64} : memref<175104xf32>
// CHECK: affine.for [[CHUNK:%.+]] = 0 to 4
// CHECK: affine.for %{{.+}} = 0 to 114
// CHECK: affine.for %{{.+}} = 0 to 4
// CHECK: affine.for %{{.+}} = 0 to 512 iter_args
// CHECK: affine.vector_load [[PANELS]]
// CHECK: vector.fma
// CHECK: affine.vector_load [[SUMS]]
// CHECK: affine.vector_store %{{.+}}, [[SUMS]]
// CHECK: affine.for %{{.+}} = 0 to 114
// CHECK: affine.vector_load [[SUMS]]
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
