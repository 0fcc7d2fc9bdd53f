// RUN: xla-opt %s -p "linalg-tile-contractions{vector_bits=512}" | filecheck %s

// A slice of leading columns is written `d mod n`; it is tiled like any other operand.
// CHECK-LABEL: func.func @prefix
// CHECK-NOT: linalg.generic
// CHECK: vector.fma
func.func @prefix(%a: memref<64x64xf32>, %b: memref<64x96xf32>, %c: memref<64x64xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n mod 64)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x64xf32>, memref<64x96xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}
