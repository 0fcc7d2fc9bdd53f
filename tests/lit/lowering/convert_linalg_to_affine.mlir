// RUN: xla-opt %s -p 'convert-linalg-to-affine{vector_bits=512}' --split-input-file | filecheck %s

// Loops that all operands run through as one are merged; constants go to the top.

func.func @elementwise(%x: memref<16x32xf32>, %out: memref<16x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<16x32xf32>) outs(%out : memref<16x32xf32>) {
  ^bb0(%a: f32, %b: f32):
    %half = arith.constant 0.5 : f32
    %0 = arith.mulf %a, %half : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @elementwise
// CHECK-DAG:     [[HALF:%.+]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG:     [[X:%.+]] = memref.collapse_shape %x
// CHECK-DAG:     [[OUT:%.+]] = memref.collapse_shape %out
// CHECK:         affine.for [[I:%.+]] = 0 to 512 {
// CHECK-NEXT:      [[A:%.+]] = affine.load [[X]][[[I]]] : memref<512xf32>
// CHECK-NEXT:      [[R:%.+]] = arith.mulf [[A]], [[HALF]] : f32
// CHECK-NEXT:      affine.store [[R]], [[OUT]][[[I]]] : memref<512xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// -----

// Offsets of slices and subviews become part of the maps; the loops stay apart.

func.func @stencil(%x: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %inside = memref.subview %out[1, 1] [6, 6] [1, 1]
      : memref<8x8xf32> to memref<6x6xf32, strided<[8, 1], offset: 9>>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 mod 8, d1 + 1)>, affine_map<(d0, d1) -> (d0 + 2, d1 + 1)>,
                                   affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : memref<8x8xf32>, memref<8x8xf32>) outs(%inside : memref<6x6xf32, strided<[8, 1], offset: 9>>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @stencil
// CHECK-NEXT:    affine.for [[I:%.+]] = 0 to 6 {
// CHECK-NEXT:      affine.for [[J:%.+]] = 0 to 6 {
// CHECK-NEXT:        affine.load %x[[[I]], [[J]] + 1]
// CHECK-NEXT:        affine.load %x[[[I]] + 2, [[J]] + 1]
// CHECK-NEXT:        arith.addf
// CHECK-NEXT:        affine.store {{.*}}, %out[[[I]] + 1, [[J]] + 1]

// -----

// A reduction over the contiguous dimension: a loop-carried scalar that starts from the fill.

func.func @row_sums(%x: memref<8x128xf32>, %out: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x128xf32>) outs(%out : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @row_sums
// CHECK-NEXT:    %zero = arith.constant
// CHECK-NEXT:    affine.for [[I:%.+]] = 0 to 8 {
// CHECK-NEXT:      [[SUM:%.+]] = affine.for [[J:%.+]] = 0 to 128 iter_args([[ACC:%.+]] = %zero) -> (f32) {
// CHECK-NEXT:        [[A:%.+]] = affine.load %x[[[I]], [[J]]]
// CHECK-NEXT:        [[NEXT:%.+]] = arith.addf [[ACC]], [[A]] fastmath<reassoc> : f32
// CHECK-NEXT:        affine.yield [[NEXT]] : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      affine.store [[SUM]], %out[[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// -----

// A reduction over the other dimension: a row of accumulators, sixteen rows per trip, which are added by
// pairs first. Only the last addition may be reordered.

func.func @column_sums(%x: memref<64x128xf32>, %out: memref<128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>],
                  iterator_types = ["reduction", "parallel"]}
      ins(%x : memref<64x128xf32>) outs(%out : memref<128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @column_sums
// CHECK-NEXT:    affine.for [[R:%.+]] = 0 to 4 {
// CHECK-NEXT:      affine.for [[C:%.+]] = 0 to 128 {
// CHECK-NEXT:        [[ACC:%.+]] = affine.load %out[[[C]]]
// CHECK-NEXT:        [[A:%.+]] = affine.load %x[[[R]] * 16, [[C]]]
// CHECK-NEXT:        [[B:%.+]] = affine.load %x[[[R]] * 16 + 1, [[C]]]
// CHECK-NEXT:        [[AB:%.+]] = arith.addf [[A]], [[B]] : f32
// CHECK-NEXT:        [[D:%.+]] = affine.load %x[[[R]] * 16 + 2, [[C]]]
// CHECK-NEXT:        [[ABD:%.+]] = arith.addf [[AB]], [[D]] : f32
// CHECK-NEXT:        [[E:%.+]] = affine.load %x[[[R]] * 16 + 3, [[C]]]
// CHECK-NEXT:        [[ABDE:%.+]] = arith.addf [[ABD]], [[E]] : f32
// CHECK-NEXT:        [[F:%.+]] = affine.load %x[[[R]] * 16 + 4, [[C]]]
// CHECK-NEXT:        [[G:%.+]] = affine.load %x[[[R]] * 16 + 5, [[C]]]
// CHECK-NEXT:        arith.addf [[F]], [[G]] : f32
// CHECK:             arith.addf [[ABDE]], {{%.+}} : f32
// CHECK:             affine.load %x[[[R]] * 16 + 15, [[C]]]
// CHECK:             [[LAST:%.+]] = arith.addf [[ACC]], {{%.+}} fastmath<reassoc> : f32
// CHECK-NEXT:        affine.store [[LAST]], %out[[[C]]]

// -----

// A pooling window is unrolled into the contiguous loop.

func.func @pool(%x: memref<4x4x16xf32>, %window: memref<2x2xf32>, %out: memref<2x2x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<2x2x16xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0 * 2 + d3, d1 * 2 + d4, d2)>,
                                   affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>,
                                   affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %window : memref<4x4x16xf32>, memref<2x2xf32>) outs(%out : memref<2x2x16xf32>) {
  ^bb0(%a: f32, %w: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @pool
// CHECK:         affine.for [[I:%.+]] = 0 to 2 {
// CHECK-NEXT:      affine.for [[J:%.+]] = 0 to 2 {
// CHECK-NEXT:        affine.for [[C:%.+]] = 0 to 16 {
// CHECK-NEXT:          [[A0:%.+]] = affine.load %x[[[I]] * 2, [[J]] * 2, [[C]]]
// CHECK-NEXT:          [[M0:%.+]] = arith.maximumf %zero, [[A0]]
// CHECK-NEXT:          [[A1:%.+]] = affine.load %x[[[I]] * 2, [[J]] * 2 + 1, [[C]]]
// CHECK-NEXT:          [[M1:%.+]] = arith.maximumf [[M0]], [[A1]]
// CHECK-NEXT:          affine.load
// CHECK-NEXT:          arith.maximumf
// CHECK-NEXT:          affine.load
// CHECK-NEXT:          [[M3:%.+]] = arith.maximumf
// CHECK-NEXT:          affine.store [[M3]], %out[[[I]], [[J]], [[C]]]

// -----

// A transpose goes through tiles in blocks of vectors, which are transposed in registers.

func.func @transpose(%x: memref<128x256xf32>, %out: memref<256x128xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<128x256xf32>) outs(%out : memref<256x128xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: func.func @transpose
// CHECK-NEXT:    affine.for [[I:%.+]] = 0 to 4 {
// CHECK-NEXT:      affine.for [[J:%.+]] = 0 to 2 {
// CHECK-NEXT:        affine.for [[II:%.+]] = 0 to 8 {
// CHECK-NEXT:          affine.for [[JJ:%.+]] = 0 to 8 {
// CHECK-NEXT:            [[A:%.+]] = affine.vector_load %x[[[J]] * 64 + [[JJ]] * 8, [[I]] * 64 + [[II]] * 8]
// CHECK-SAME:              vector<8xf32>
// CHECK-NEXT:            [[B:%.+]] = affine.vector_load %x[[[J]] * 64 + [[JJ]] * 8 + 1, [[I]] * 64 + [[II]] * 8]
// CHECK:                 vector.shuffle [[A]], [[B]] [0, 8, 2, 10, 4, 12, 6, 14]
// CHECK-NEXT:            vector.shuffle [[A]], [[B]] [1, 9, 3, 11, 5, 13, 7, 15]
// CHECK-COUNT-22:        vector.shuffle
// CHECK:                 affine.vector_store {{%.+}}, %out[[[I]] * 64 + [[II]] * 8, [[J]] * 64 + [[JJ]] * 8]
// CHECK:                 affine.vector_store {{%.+}}, %out[[[I]] * 64 + [[II]] * 8 + 7, [[J]] * 64 + [[JJ]] * 8]

// Vectors of 128 bits are interleaved.

func.func @transpose_bytes(%x: memref<128x256xi8>, %out: memref<256x128xi8>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<128x256xi8>) outs(%out : memref<256x128xi8>) {
  ^bb0(%a: i8, %b: i8):
    linalg.yield %a : i8
  }
  return
}

// CHECK-LABEL: func.func @transpose_bytes
// CHECK:         vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23] : vector<16xi8>, vector<16xi8>

// -----

// A loop is split where its index is divided, so that what remains is linear.

func.func @reshaped_transpose(%x: memref<14x10xf32>, %out: memref<140xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 mod 14, d0 floordiv 14)>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%x : memref<14x10xf32>) outs(%out : memref<140xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: func.func @reshaped_transpose
// CHECK:         affine.for [[I:%.+]] = 0 to 10 {
// CHECK-NEXT:      affine.for [[J:%.+]] = 0 to 14 {
// CHECK-NEXT:        affine.load %x[[[J]], [[I]]]
// CHECK-NEXT:        affine.store {{.*}}, %out[[[I]] * 14 + [[J]]]

// -----

// A short dimension in which stores are adjacent is unrolled: its stores become whole vectors.

func.func @interleave(%x: memref<100xf32>, %out: memref<100x3xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<100xf32>) outs(%out : memref<100x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// CHECK-LABEL: func.func @interleave
// CHECK:         affine.for [[I:%.+]] = 0 to 100 {
// CHECK-NEXT:      [[A:%.+]] = affine.load %x[[[I]]]
// CHECK-NEXT:      affine.store [[A]], %out[[[I]], 0]
// CHECK-NEXT:      affine.store [[A]], %out[[[I]], 1]
// CHECK-NEXT:      affine.store [[A]], %out[[[I]], 2]

// -----

// One nest over rows: temporaries shrink to a row, or to a value; neighbours over the same points are fused.

func.func private @softmax(%x: memref<8x128xf32>, %out: memref<8x128xf32>) attributes {xrt.kernel, xrt.row_dims = 1 : i64} {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = memref.alloc() : memref<8xf32>
  linalg.fill ins(%lowest : f32) outs(%max : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<8x128xf32>) outs(%max : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    linalg.yield %0 : f32
  }
  %exp = memref.alloc() : memref<8x128xf32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                                   affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : memref<8x128xf32>, memref<8xf32>) outs(%exp : memref<8x128xf32>) {
  ^bb0(%a: f32, %m: f32, %b: f32):
    %0 = arith.subf %a, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  %sum = memref.alloc() : memref<8xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%exp : memref<8x128xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a fastmath<reassoc> : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
                                   affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : memref<8x128xf32>, memref<8xf32>) outs(%out : memref<8x128xf32>) {
  ^bb0(%a: f32, %s: f32, %b: f32):
    %0 = arith.divf %a, %s : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func private @softmax
// CHECK:         [[ROW:%.+]] = memref.alloca() {{.*}} : memref<128xf32>
// CHECK-NOT:     memref.alloc()
// CHECK:         affine.for [[I:%.+]] = 0 to 8 {
// CHECK-NEXT:      [[MAX:%.+]] = affine.for [[J:%.+]] = 0 to 128 iter_args({{.*}} = %lowest) -> (f32) {
// CHECK-NEXT:        affine.load %x[[[I]], [[J]]]
// CHECK-NEXT:        arith.maximumf
// CHECK-NEXT:        affine.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      [[SUM:%.+]] = affine.for [[J:%.+]] = 0 to 128 iter_args([[ACC:%.+]] = %zero) -> (f32) {
// CHECK-NEXT:        [[A:%.+]] = affine.load %x[[[I]], [[J]]]
// CHECK-NEXT:        [[D:%.+]] = arith.subf [[A]], [[MAX]]
// CHECK-NEXT:        [[E:%.+]] = math.exp [[D]]
// CHECK-NEXT:        [[S:%.+]] = arith.addf [[ACC]], [[E]] fastmath<reassoc>
// CHECK-NEXT:        affine.store [[E]], [[ROW]][[[J]]]
// CHECK-NEXT:        affine.yield [[S]]
// CHECK-NEXT:      }
// CHECK-NEXT:      affine.for [[J:%.+]] = 0 to 128 {
// CHECK-NEXT:        [[E:%.+]] = affine.load [[ROW]][[[J]]]
// CHECK-NEXT:        [[R:%.+]] = arith.divf [[E]], [[SUM]]
// CHECK-NEXT:        affine.store [[R]], %out[[[I]], [[J]]]

// -----

// Extents of zero leave nothing; a reduction over nothing leaves its start.

func.func @empty(%x: memref<4x0xf32>, %y: memref<0xf32>, %out: memref<4xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%y : memref<0xf32>)
  linalg.fill ins(%one : f32) outs(%out : memref<4xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x0xf32>) outs(%out : memref<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @empty
// CHECK-NEXT:    %one = arith.constant
// CHECK-NEXT:    affine.for [[I:%.+]] = 0 to 4 {
// CHECK-NEXT:      affine.store %one, %out[[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return

// -----

// Rows of half a kilobyte from computed places are copied by loops of vectors, not by calls.

func.func private @gather(%x: memref<100x128xf32>, %i: memref<5xi32>, %out: memref<5x128xf32>) attributes {xrt.kernel} {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%i : memref<5xi32>) outs(%out : memref<5x128xf32>) {
  ^bb0(%a: i32, %b: f32):
    %row = arith.index_cast %a : i32 to index
    %column = linalg.index 1 : index
    %0 = memref.load %x[%row, %column] : memref<100x128xf32>
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func private @gather
// CHECK-SAME:    attributes {xrt.kernel, xrt.inline_copies}

// -----

// A maximum over the first and the last dimension keeps a maximum for each place in a row; lanes are combined once.

func.func private @outer_and_inner(%x: memref<8x10x32xf32>, %out: memref<10xf32>) attributes {xrt.kernel} {
  %lowest = arith.constant 0xff800000 : f32
  linalg.fill ins(%lowest : f32) outs(%out : memref<10xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>],
                  iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : memref<8x10x32xf32>) outs(%out : memref<10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func private @outer_and_inner
// CHECK:         [[ROWS:%.+]] = memref.alloca() {{.*}} : memref<10x32xf32>
// CHECK:         affine.for {{%.+}} = 0 to 320 {
// CHECK-COUNT-8:   arith.maximumf
// CHECK:         affine.for [[C:%.+]] = 0 to 10 {
// CHECK-NEXT:      [[M:%.+]] = affine.for [[L:%.+]] = 0 to 32 iter_args
// CHECK-NEXT:        affine.load [[ROWS]][[[C]], [[L]]]
