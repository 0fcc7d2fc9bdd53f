// RUN: xla-opt %s -p 'linalg-tile-contractions{vector_bits=512 threads=2 shared=false}' --split-input-file | filecheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Blocks of columns in parallel; each thread packs its own.
// CHECK-LABEL: @product
// CHECK: "affine.parallel"() <{{{.*}}upperBoundsMap = affine_map<() -> (8)>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<131072xf32>
// CHECK: vector.fma
// CHECK-NOT: affine.parallel
func.func private @product(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %out: memref<1024x1024xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<1024x1024xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%out : memref<1024x1024xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// One panel only: all threads share it, packed before blocks of rows run in parallel.
// CHECK-LABEL: @few_columns
// CHECK: [[PANELS:%.+]] = memref.alloc()
// CHECK: "affine.parallel"
// CHECK-NOT: memref.alloc
// CHECK: affine.vector_load [[PANELS]]
func.func private @few_columns(%a: memref<4096x256xf32>, %b: memref<16x256xf32>, %out: memref<4096x16xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<4096x16xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<4096x256xf32>, memref<16x256xf32>) outs(%out : memref<4096x16xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#bmk = affine_map<(b, m, n, k) -> (b, m, k)>
#bkn = affine_map<(b, m, n, k) -> (b, k, n)>
#bmn = affine_map<(b, m, n, k) -> (b, m, n)>

// CHECK-LABEL: @batched
// CHECK: "affine.parallel"() <{{{.*}}upperBoundsMap = affine_map<() -> (16)>
func.func private @batched(%a: memref<16x128x64xf32>, %b: memref<16x64x128xf32>, %out: memref<16x128x128xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<16x128x128xf32>)
  linalg.generic {indexing_maps = [#bmk, #bkn, #bmn], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<16x128x64xf32>, memref<16x64x128xf32>) outs(%out : memref<16x128x128xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}
