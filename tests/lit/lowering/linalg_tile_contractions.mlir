// RUN: xla-opt %s -p 'linalg-tile-contractions{vector_bits=512 shared=false}' --split-input-file | filecheck %s

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A matrix product in place: 4 rows x 2 vectors per tile, which are one wide vector; accumulators start at the fill's value.
// CHECK-LABEL: @product
// CHECK-NOT: linalg
// CHECK-DAG: [[A:%.+]] = memref.collapse_shape %a {{.*}} into memref<2048xf32>
// CHECK-DAG: [[B:%.+]] = memref.collapse_shape %b {{.*}} into memref<2048xf32>
// CHECK-DAG: [[OUT:%.+]] = memref.collapse_shape %out {{.*}} into memref<4096xf32>
// CHECK: affine.for [[TILE:%.+]] = 0 to 16 {
// CHECK-NEXT: affine.for [[PANEL:%.+]] = 0 to 2 {
// CHECK-NEXT: [[O:%.+]] = affine.apply affine_map<(d0, d1) -> (((d0 * 32) + (d1 * 256)))> ([[PANEL]], [[TILE]])
// CHECK-NEXT: [[ZERO:%.+]] = arith.constant dense<0.000000e+00> : vector<32xf32>
// CHECK-NEXT: [[ROW:%.+]] = affine.apply affine_map<(d0) -> ((d0 * 128))> ([[TILE]])
// CHECK-NEXT: [[COLUMN:%.+]] = affine.apply affine_map<(d0) -> ((d0 * 32))> ([[PANEL]])
// CHECK-NEXT: affine.for [[K:%[0-9]+]] = 0 to 32 iter_args([[ACC:%[0-9]+]] = [[ZERO]]
// CHECK-NEXT: [[AK:%.+]] = affine.apply affine_map<(d0, d1) -> ((d0 + d1))> ([[ROW]], [[K]])
// CHECK-NEXT: [[BK:%.+]] = affine.apply affine_map<(d0, d1) -> ((d0 + (d1 * 64)))> ([[COLUMN]], [[K]])
// CHECK-NEXT: [[B0:%.+]] = affine.vector_load [[B]][[[BK]]] : memref<2048xf32>, vector<32xf32>
// CHECK-NEXT: [[A0:%.+]] = affine.load [[A]][[[AK]]] : memref<2048xf32>
// CHECK-NEXT: [[S0:%.+]] = vector.broadcast [[A0]] : f32 to vector<32xf32>
// CHECK-NEXT: vector.fma [[S0]], [[B0]], [[ACC]] : vector<32xf32>
// CHECK-NEXT: affine.load [[A]][[[AK]] + 32] : memref<2048xf32>
// CHECK: affine.yield
// CHECK-NEXT: }
// CHECK-NEXT: affine.vector_store {{%.+}}, [[OUT]][[[O]]] : memref<4096xf32>, vector<32xf32>
// CHECK-NEXT: affine.vector_store {{%.+}}, [[OUT]][[[O]] + 64] : memref<4096xf32>, vector<32xf32>
func.func private @product(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %out: memref<64x64xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%out : memref<64x64xf32>) {
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

// A transposed right operand is packed, in blocks of four columns times four steps.
// CHECK-LABEL: @transposed
// CHECK: [[PANELS:%.+]] = memref.alloc() {alignment = 64 : i64} : memref<2048xf32>
// CHECK: affine.for %{{.+}} = 0 to 2 {
// CHECK: affine.for %{{.+}} = 0 to 8 {
// CHECK: affine.for %{{.+}} = 0 to 4 {
// CHECK-COUNT-4: affine.vector_load {{.*}}, vector<4xf32>
// CHECK-COUNT-8: vector.shuffle
// CHECK-COUNT-4: affine.vector_store {{%.+}}, [[PANELS]]
// CHECK: affine.vector_load [[PANELS]]
// CHECK: vector.fma
func.func private @transposed(%a: memref<64x32xf32>, %b: memref<64x32xf32>, %out: memref<64x64xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x32xf32>, memref<64x32xf32>) outs(%out : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#x = affine_map<(n, h, w, co, kh, kw, ci) -> (n, h + kh, w * 2 + kw, ci)>
#k = affine_map<(n, h, w, co, kh, kw, ci) -> (kh, kw, ci, co)>
#y = affine_map<(n, h, w, co, kh, kw, ci) -> (n, h, w, co)>

// A convolution in place. The loops over kw and ci are one.
// CHECK-LABEL: @convolution
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg
// CHECK: affine.for {{%.+}} = 0 to 2 {
// CHECK: affine.for {{%.+}} = 0 to 8 {
// CHECK: affine.for {{%.+}} = 0 to 3 iter_args
// CHECK-NEXT: affine.for {{%.+}} = 0 to 24 iter_args
func.func private @convolution(%x: memref<2x10x17x8xf32>, %k: memref<3x3x8x32xf32>, %y: memref<2x8x8x32xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<2x8x8x32xf32>)
  linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %k : memref<2x10x17x8xf32>, memref<3x3x8x32xf32>) outs(%y : memref<2x8x8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The last tiles of 67 rows and 70 columns start earlier and overlap their neighbours. Elements of the left operand are
// extended by copying it.
// CHECK-LABEL: @edges
// CHECK: [[LEFT:%.+]] = memref.alloc() {{.*}} : memref<2144xi32>
// CHECK: arith.extsi {{%.+}} : i8 to i32
// CHECK: affine.store {{%.+}}, [[LEFT]]
// CHECK: affine.apply affine_map<{{.*}} floordiv
// CHECK: affine.apply affine_map<{{.*}} floordiv
// CHECK: affine.load [[LEFT]]
// CHECK: arith.muli
// CHECK-NEXT: arith.addi
func.func private @edges(%a: memref<67x32xi8>, %b: memref<32x70xi32>, %out: memref<67x70xi32>) attributes {xrt.kernel} {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%out : memref<67x70xi32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<67x32xi8>, memref<32x70xi32>) outs(%out : memref<67x70xi32>) {
  ^bb0(%x: i8, %y: i32, %acc: i32):
    %e = arith.extsi %x : i8 to i32
    %p = arith.muli %e, %y : i32
    %s = arith.addi %acc, %p : i32
    linalg.yield %s : i32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Without a fill, tiles start from what the output holds.
// CHECK-LABEL: @accumulate
// CHECK: [[OUT:%.+]] = memref.collapse_shape %out
// CHECK: [[C:%.+]] = affine.vector_load [[OUT]]
// CHECK: affine.for {{%.+}} = 0 to 32 iter_args({{%.+}} = [[C]]
func.func private @accumulate(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %out: memref<64x64xf32>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%out : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Too small to gain, and a sum whose order is fixed.
// CHECK-LABEL: @left
// CHECK: linalg.generic
// CHECK: linalg.generic
func.func private @left(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf32>, %small: memref<4x4xf32>, %strict: memref<64x64xf32>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%small : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%c, %d : memref<64x64xf32>, memref<64x64xf32>) outs(%strict : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// Products of bytes are added up in f32, 256 at a time, from 1.5 * 2^23 on; the last bits of such a sum are added in i32.
// CHECK-LABEL: @bytes
// CHECK: affine.for {{%.+}} = 0 to 2 iter_args
// CHECK: [[START:%.+]] = arith.constant dense<{{.+}}> : vector<64xf32>
// CHECK: affine.for {{%.+}} = 0 to 256 iter_args({{%.+}} = [[START]]
// CHECK: vector.fma
// CHECK: vector.bitcast {{%.+}} : vector<64xf32> to vector<64xi32>
// CHECK: arith.subi
// CHECK: arith.addi
func.func private @bytes(%a: memref<64x512xi8>, %b: memref<512x64xi8>, %out: memref<64x64xi32>) attributes {xrt.kernel} {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%out : memref<64x64xi32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x512xi8>, memref<512x64xi8>) outs(%out : memref<64x64xi32>) {
  ^bb0(%x: i8, %y: i8, %acc: i32):
    %e = arith.extsi %x : i8 to i32
    %f = arith.extsi %y : i8 to i32
    %p = arith.muli %e, %f : i32
    %s = arith.addi %acc, %p : i32
    linalg.yield %s : i32
  }
  return
}

// -----

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A transposed left operand with distant steps is copied into panels of the rows of a tile, and the right one, whose rows
// are distant too, into panels of its columns. Each of two panels fetches half of the next tile's rows. Of 1280 steps, five
// chains of 256 are added.
// CHECK-LABEL: @transposed_left
// CHECK: [[LEFT:%.+]] = memref.alloc()
// CHECK: affine.vector_load %{{.+}} : memref<163840xf32>, vector<6xf32>
// CHECK: affine.vector_store {{%.+}}, [[LEFT]]
// CHECK: [[RIGHT:%.+]] = memref.alloc()
// CHECK: affine.vector_store {{%.+}}, [[RIGHT]]
// CHECK: affine.for {{%.+}} = 0 to 5 iter_args
// CHECK: affine.for {{%.+}} = 0 to 256 iter_args
// CHECK: affine_map<(d0) -> ((d0 + 7680))>
// CHECK: "xrt.prefetch"([[LEFT]]
// CHECK: affine.vector_load [[RIGHT]]
// CHECK: affine.load [[LEFT]]
// CHECK: affine.load [[LEFT]][%{{.+}} + 1]
// CHECK: affine.yield
// CHECK: arith.addf
func.func private @transposed_left(%a: memref<1280x128xf32>, %b: memref<1280x128xf32>, %out: memref<128x128xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<128x128xf32>)
  linalg.generic {indexing_maps = [#km, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<1280x128xf32>, memref<1280x128xf32>) outs(%out : memref<128x128xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The output may be a part of a buffer: every other row, from its column 64 on.
// CHECK-LABEL: @part_of_output
// CHECK-NOT: linalg
// CHECK-NOT: memref.subview
// CHECK: [[OUT:%.+]] = memref.collapse_shape %out {{.*}} into memref<16384xf32>
// CHECK: affine.apply {{.*}} * 1024
// CHECK: affine.vector_store {{%.+}}, [[OUT]][{{%.+}} + 64]
// CHECK: affine.vector_store {{%.+}}, [[OUT]][{{%.+}} + 320]
func.func private @part_of_output(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %out: memref<128x128xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  %part = memref.subview %out[0, 64] [64, 64] [2, 1] : memref<128x128xf32> to memref<64x64xf32, strided<[256, 1], offset: 64>>
  linalg.fill ins(%zero : f32) outs(%part : memref<64x64xf32, strided<[256, 1], offset: 64>>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%part : memref<64x64xf32, strided<[256, 1], offset: 64>>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// An elementwise op on the sums alone is applied to the accumulators; a bias is read once for all rows of a tile.
// CHECK-LABEL: @bias
// CHECK-NOT: memref.alloc
// CHECK-NOT: linalg
// CHECK: [[BIAS:%.+]] = affine.vector_load %bias
// CHECK-NEXT: [[SUM:%.+]] = arith.addf {{%.+}}, [[BIAS]] : vector<32xf32>
// CHECK-NEXT: affine.vector_store [[SUM]]
// CHECK: arith.addf {{%.+}}, [[BIAS]] : vector<32xf32>
func.func private @bias(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %bias: memref<64xf32>, %out: memref<64x64xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%sums : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%sums, %bias : memref<64x64xf32>, memref<64xf32>) outs(%out : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// A costly one goes through the tile row by row, from scratch; what it stores may be of another type.
// CHECK-LABEL: @tanh
// CHECK: [[TILE:%.+]] = memref.alloc() {{.*}} : memref<128xf32>
// CHECK-NOT: linalg
// CHECK: affine.vector_store {{%.+}}, [[TILE]]
// CHECK: affine.for {{%.+}} = 0 to 4 {
// CHECK: [[SUMS:%.+]] = affine.vector_load [[TILE]]
// CHECK-NEXT: [[TANH:%.+]] = math.tanh [[SUMS]] : vector<32xf32>
// CHECK-NEXT: [[EXP:%.+]] = math.exp [[TANH]] : vector<32xf32>
// CHECK-NEXT: [[ERF:%.+]] = math.erf [[EXP]] : vector<32xf32>
// CHECK-NEXT: [[ROUNDED:%.+]] = arith.truncf [[ERF]] : vector<32xf32> to vector<32xf16>
// CHECK: affine.vector_store [[ROUNDED]]
func.func private @tanh(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %out: memref<64x64xf16>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%sums : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<64x64xf32>) outs(%out : memref<64x64xf16>) {
  ^bb0(%x: f32, %old: f16):
    %t = math.tanh %x : f32
    %e = math.exp %t : f32
    %f = math.erf %e : f32
    %r = arith.truncf %f : f32 to f16
    linalg.yield %r : f16
  }
  return
}

// -----

// The rows of a large right operand are fetched while those eight steps before are copied.
// CHECK-LABEL: @fetched_ahead
func.func private @fetched_ahead(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %out: memref<1024x1024xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<1024x1024xf32>)
  // CHECK: affine.vector_load %{{.+}}[[[AT:%.+]]] : memref<1048576xf32>, vector<{{.+}}xf32>
  // CHECK: [[LATER:%.+]] = affine.apply affine_map<(d0) -> ((d0 + 8192))> ([[AT]])
  // CHECK: "xrt.prefetch"(%{{.+}}, [[LATER]]) <{lines = 4 : i64
  linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%out : memref<1024x1024xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 fastmath<reassoc> : f32
    linalg.yield %1 : f32
  }
  func.return
}

// -----

// Rows without gaps: a tile of 8 x 256 elements fetches the next one in order.
// CHECK-LABEL: @streamed
// CHECK: affine.for [[K:%[0-9]+]] = 0 to 256 iter_args
// CHECK-NEXT: [[LATER:%.+]] = affine.apply affine_map<(d0, d1) -> ((d0 + (d1 * 8)))> ([[START:%.+]], [[K]])
// CHECK-NEXT: [[NEXT:%.+]] = affine.apply affine_map<(d0) -> ((d0 + 2048))> ([[LATER]])
// CHECK-NEXT: "xrt.prefetch"([[A:%.+]], [[NEXT]])
// CHECK: affine.load [[A]]
func.func private @streamed(%a: memref<16384x256xf32>, %b: memref<256x32xf32>, %out: memref<16384x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<16384x32xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : memref<16384x256xf32>, memref<256x32xf32>) outs(%out : memref<16384x32xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.addf %acc, %0 fastmath<reassoc> : f32
    linalg.yield %1 : f32
  }
  func.return
}
