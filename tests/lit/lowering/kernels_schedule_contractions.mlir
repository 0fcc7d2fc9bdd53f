// RUN: xla-opt %s -p 'kernels-schedule{vector_bits=512}' --split-input-file | filecheck %s
// RUN: xla-opt %s -p 'kernels-schedule{vector_bits=512},linalg-tile-contractions{vector_bits=512 shared=false}' --split-input-file | filecheck %s --check-prefix=LOOPS
// RUN: xla-opt %s -p 'kernels-schedule{vector_bits=512}' --split-input-file -o %t
// RUN: xla-opt %t -p 'kernels-schedule{vector_bits=512},linalg-tile-contractions{vector_bits=512 shared=false}' --split-input-file | filecheck %s --check-prefix=LOOPS

// Sums of a tile are in registers while loops of the reduction run around it; tiles at the end overlap.
// CHECK-LABEL: @product
// CHECK:           start addf from fill
// CHECK-NEXT:      pack addf.in1 in panels
// CHECK-NEXT:      for i = 0 to 100 by 6 overlapping {
// CHECK-NEXT:        for j = 0 to 256 by 64 {
// CHECK-NEXT:          for k = 0 to 512 by 256 {
// CHECK-NEXT:            chain k1 = 0 to 256 {
// CHECK-NEXT:              tile i1 = 0 to 6, j1 = 0 to 64 by 16 {
// CHECK-NEXT:                compute addf at (i + i1, j + j1, k + k1)
// LOOPS-LABEL: @product
// LOOPS-NOT:   xrt.schedule
// LOOPS:       memref.alloc() {alignment = 64 : i64} : memref<131072xf32>
// LOOPS:       affine.for {{%.+}} = 0 to 17 {
// LOOPS:         affine.for {{%.+}} = 0 to 4 {
// LOOPS:           affine.for {{%.+}} = 0 to 2 iter_args
// LOOPS:             affine.for {{%.+}} = 0 to 256 iter_args
// LOOPS-COUNT-6:       vector.fma
// LOOPS-NOT:   linalg.
func.func private @product(%x: memref<100x512xf32>, %y: memref<512x256xf32>, %z: memref<100x256xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%z : memref<100x256xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : memref<100x512xf32>, memref<512x256xf32>) outs(%z : memref<100x256xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b fastmath<reassoc> : f32
    %s = arith.addf %c, %m fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}

// -----

#image = affine_map<(n, h, w, o, y, x, c) -> (n, h + y, w + x, c)>
#kernel = affine_map<(n, h, w, o, y, x, c) -> (y, x, c, o)>
#result = affine_map<(n, h, w, o, y, x, c) -> (n, h, w, o)>
#id = affine_map<(n, h, w, o) -> (n, h, w, o)>
#channel = affine_map<(n, h, w, o) -> (o)>

// A convolution, and what is applied to its tiles: nothing else is stored.
// CHECK-LABEL: @convolution
// CHECK:           start addf from fill
// CHECK:           keep addf
// CHECK:           tile {{.*}} = 0 to 64 by 16 {
// CHECK-NEXT:        compute addf at ({{.*}} floordiv 16, {{.*}} mod 16)
// CHECK:           tile {{.*}} = 0 to 64 by 16 {
// CHECK-NEXT:        compute addf_1 at
// LOOPS-LABEL: @convolution
// LOOPS-NOT:   memref.alloc
// LOOPS:       vector.fma
// LOOPS:       arith.addf
// LOOPS-NOT:   linalg.
func.func private @convolution(%x: memref<4x18x18x16xf32>, %k: memref<3x3x16x64xf32>, %b: memref<64xf32>, %y: memref<4x16x16x64xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<4x16x16x64xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<4x16x16x64xf32>)
  linalg.generic {indexing_maps = [#image, #kernel, #result], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %k : memref<4x18x18x16xf32>, memref<3x3x16x64xf32>) outs(%sums : memref<4x16x16x64xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %m = arith.mulf %p, %q fastmath<reassoc> : f32
    %s = arith.addf %acc, %m fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%sums, %b : memref<4x16x16x64xf32>, memref<64xf32>) outs(%y : memref<4x16x16x64xf32>) {
  ^bb0(%s: f32, %c: f32, %o: f32):
    %r = arith.addf %s, %c : f32
    linalg.yield %r : f32
  }
  return
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>

// What no trip of a loop of the program changes is packed in front of it.
// CHECK-LABEL: func.func private @product
// CHECK:           pack addf.in1 in panels hoisted
// LOOPS-LABEL: @main
// LOOPS:       func.call @product_panels_0
// LOOPS:       scf.while
func.func @main(%weights: memref<256x256xf32>, %x: memref<64x256xf32>, %y: memref<64x256xf32>, %go: memref<i1>) attributes {xrt.entry, xrt.num_inputs = 4 : i64, xrt.num_outputs = 0 : i64} {
  %a, %b = scf.while (%c = %x, %d = %y) : (memref<64x256xf32>, memref<64x256xf32>) -> (memref<64x256xf32>, memref<64x256xf32>) {
    %again = memref.load %go[] : memref<i1>
    scf.condition(%again) %c, %d : memref<64x256xf32>, memref<64x256xf32>
  } do {
  ^bb0(%e: memref<64x256xf32>, %f: memref<64x256xf32>):
    func.call @product(%e, %weights, %f) : (memref<64x256xf32>, memref<256x256xf32>, memref<64x256xf32>) -> ()
    scf.yield %f, %e : memref<64x256xf32>, memref<64x256xf32>
  }
  func.return
}
func.func private @product(%a: memref<64x256xf32>, %b: memref<256x256xf32>, %out: memref<64x256xf32>) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<64x256xf32>)
  linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<64x256xf32>, memref<256x256xf32>) outs(%out : memref<64x256xf32>) {
  ^bb0(%x: f32, %y: f32, %acc: f32):
    %p = arith.mulf %x, %y fastmath<reassoc> : f32
    %s = arith.addf %acc, %p fastmath<reassoc> : f32
    linalg.yield %s : f32
  }
  return
}
