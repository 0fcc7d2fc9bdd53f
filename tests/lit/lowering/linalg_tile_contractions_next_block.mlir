// RUN: xla-opt %s -p 'linalg-tile-contractions{vector_bits=512}' | filecheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// For each panel of a block, a tile fetches 24 of the lines that are packed for the next one, which is 64 columns further:
// 8 lines in each of 1024 rows, shared by 171 tiles and 2 panels.
// CHECK-LABEL: @product
// CHECK: affine.for [[BLOCK:%.+]] = 0 to 16
// CHECK: memref.alloc()
// CHECK: affine.for [[ROWS:%.+]] = 0 to 57
// CHECK: affine.for [[TILE:%.+]] = 0 to 3
// CHECK-NEXT: affine.for [[PANEL:%.+]] = 0 to 2
// CHECK-NEXT: [[RIGHT:%.+]] = memref.collapse_shape %b
// CHECK-NEXT: [[START:%.+]] = affine.apply affine_map<(d0, d1, d2, d3) -> (((((d0 * 64) + (d1 * 18432)) + (d2 * 6144)) + (d3 * 3072)))> ([[BLOCK]], [[ROWS]], [[TILE]], [[PANEL]])
// CHECK-NEXT: [[AHEAD:%.+]] = affine.apply affine_map<(d0) -> ((d0 + 64))> ([[START]])
// CHECK-NEXT: "xrt.prefetch"([[RIGHT]], [[AHEAD]]) <{lines = 8 : i64, rows = 3 : i64, apart = 1024 : i64
func.func private @product(%a: memref<1024x1024xf64>, %b: memref<1024x1024xf64>, %out: memref<1024x1024xf64>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%out : memref<1024x1024xf64>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<1024x1024xf64>, memref<1024x1024xf64>) outs(%out : memref<1024x1024xf64>) {
  ^bb0(%x: f64, %y: f64, %acc: f64):
    %p = arith.mulf %x, %y fastmath<reassoc> : f64
    %s = arith.addf %acc, %p fastmath<reassoc> : f64
    linalg.yield %s : f64
  }
  return
}

// The columns of a transposed operand are its rows: 64 of them, 128 lines each, in five pieces.
// CHECK-LABEL: @transposed
// CHECK: [[PLACE:%.+]] = affine.apply affine_map<(d0, d1, d2) -> (((((((d0 * 6) + (d1 * 2)) + d2) floordiv 5) * 1024) + (((((d0 * 6) + (d1 * 2)) + d2) mod 5) * 208)))>
// CHECK-NEXT: affine.apply affine_map<(d0, d1) -> (((d0 * 65536) + d1))> (%{{.+}}, [[PLACE]])
// CHECK-NEXT: affine.apply affine_map<(d0) -> ((d0 + 65536))>
// CHECK-NEXT: "xrt.prefetch"({{.+}}) <{lines = 26 : i64
func.func private @transposed(%a: memref<1024x1024xf64>, %b: memref<1024x1024xf64>, %out: memref<1024x1024xf64>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%out : memref<1024x1024xf64>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<1024x1024xf64>, memref<1024x1024xf64>) outs(%out : memref<1024x1024xf64>) {
  ^bb0(%x: f64, %y: f64, %acc: f64):
    %p = arith.mulf %x, %y fastmath<reassoc> : f64
    %s = arith.addf %acc, %p fastmath<reassoc> : f64
    linalg.yield %s : f64
  }
  return
}

// The next chunk of a reduction, 512 rows further; after the last one, the first chunk of the next block.
// CHECK-LABEL: @chunks
// CHECK: affine.for [[BLOCK:%.+]] = 0 to 8
// CHECK: affine.for [[CHUNK:%.+]] = 0 to 4
// CHECK: affine.for [[TILE:%.+]] = 0 to 342
// CHECK: affine.for [[PANEL:%.+]] = 0 to 4
// CHECK-NEXT: [[LAST:%.+]] = affine.apply affine_map<(d0) -> (((d0 + 1) floordiv 4))> ([[CHUNK]])
// CHECK-NEXT: memref.collapse_shape %b
// CHECK-NEXT: [[PLACE:%.+]] = affine.apply affine_map<(d0, d1) -> ((((((d0 * 4) + d1) floordiv 2) * 2048) + ((((d0 * 4) + d1) mod 2) * 128)))> ([[TILE]], [[PANEL]])
// CHECK-NEXT: affine.apply affine_map<(d0, d1, d2, d3) -> (((((d0 * 1048576) + (d1 * 256)) + (d2 * -4194048)) + d3))> ([[CHUNK]], [[BLOCK]], [[LAST]], [[PLACE]])
// CHECK-NEXT: affine.apply affine_map<(d0) -> ((d0 + 1048576))>
// CHECK-NEXT: "xrt.prefetch"({{.+}}) <{lines = 8 : i64
func.func private @chunks(%a: memref<2048x2048xf32>, %b: memref<2048x2048xf32>, %out: memref<2048x2048xf32>) attributes {xrt.kernel} {
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
