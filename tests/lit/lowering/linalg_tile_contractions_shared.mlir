// RUN: xla-opt %s -p 'linalg-tile-contractions{vector_bits=512}' | filecheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The loops of a tile that does much are in a function that all programs share: four chains of 256 additions.
// CHECK-LABEL: @product
// CHECK: affine.for
// CHECK-NOT: vector.fma
// CHECK: [[LEFT:%.+]] = affine.apply
// CHECK: "xrt.tile"({{%.+}}, {{%.+}}, {{%.+}}, {{%.+}}, {{%.+}}, {{%.+}}) <{trips = array<i64: 4, 256>, lhs_steps = array<i64: 256, 1>
// CHECK-SAME: rows = 6 : i64, lhs_row = 1024 : i64, out_row = 64 : i64, columns = array<i64: 0, 16, 32, 48>, at = array<i64: 0, 16, 32, 48>, lanes = 16 : i64, chains = array<i64: 1>, fma
func.func private @product(%a: memref<96x1024xf32>, %b: memref<1024x64xf32>, %out: memref<96x64xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<96x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<96x1024xf32>, memref<1024x64xf32>) outs(%out : memref<96x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// One that starts from another number stays.
// CHECK-LABEL: @from_one
// CHECK-NOT: xrt.tile
// CHECK: vector.fma
func.func private @from_one(%a: memref<96x1024xf32>, %b: memref<1024x64xf32>, %out: memref<96x64xf32>) attributes {xrt.kernel} {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%out : memref<96x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<96x1024xf32>, memref<1024x64xf32>) outs(%out : memref<96x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// Few steps are not worth a call.
// CHECK-LABEL: @short
// CHECK-NOT: xrt.tile
// CHECK: vector.fma
func.func private @short(%a: memref<96x32xf32>, %b: memref<32x64xf32>, %out: memref<96x64xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<96x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<96x32xf32>, memref<32x64xf32>) outs(%out : memref<96x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}
