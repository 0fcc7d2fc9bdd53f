// RUN: xla-opt %s -p convert-linalg-to-affine | filecheck %s

// A copy into the middle of a large buffer: what is around it is filled, the first and the last row by one loop,
// the last column in the loop over rows.

// CHECK-LABEL: func.func @pad
// CHECK-SAME:    ([[X:%.+]]: memref<128x256xf32>, [[OUT:%.+]]: memref<130x257xf32>)
// CHECK-NOT:     affine.for {{%.+}} = 0 to 130
// CHECK:         affine.for [[J:%.+]] = 0 to 257
// CHECK-NEXT:      affine.store {{%.+}}, [[OUT]][0, [[J]]]
// CHECK-NEXT:      affine.store {{%.+}}, [[OUT]][129, [[J]]]
// CHECK-NOT:     affine.for {{%.+}} = 0 to 257
// CHECK:         affine.for [[I:%.+]] = 0 to 128
// CHECK-NEXT:      affine.store {{%.+}}, [[OUT]][[[I]] + 1, 256]
// CHECK-NEXT:      affine.for {{%.+}} = 0 to 256
// CHECK-NEXT:        affine.load
// CHECK-NEXT:        affine.store
// CHECK-NOT:     affine.for
func.func @pad(%x: memref<128x256xf32>, %out: memref<130x257xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<130x257xf32>)
  %middle = memref.subview %out[1, 0] [128, 256] [1, 1] : memref<130x257xf32> to memref<128x256xf32, strided<[257, 1], offset: 257>>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x : memref<128x256xf32>) outs(%middle : memref<128x256xf32, strided<[257, 1], offset: 257>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  func.return
}

// A batch of images: every edge in the loops over what stands ahead of it, batch and channels being one.

// CHECK-LABEL: func.func @images
// CHECK:         affine.for [[N:%.+]] = 0 to 15
// CHECK-NEXT:      affine.for [[J:%.+]] = 0 to 42
// CHECK-NEXT:        affine.store {{%.+}}, {{%.+}}[[[J]] + [[N]] * 1302]
// CHECK-NEXT:        affine.store {{%.+}}, {{%.+}}[[[J]] + [[N]] * 1302 + 1260]
// CHECK-NEXT:      }
// CHECK-NEXT:      affine.for [[Y:%.+]] = 0 to 29
// CHECK-NEXT:        affine.for
// CHECK-NEXT:          affine.store
// CHECK-NEXT:          affine.store
// CHECK-NEXT:        }
// CHECK-NEXT:        affine.for
// CHECK-NEXT:          affine.load
// CHECK-NEXT:          affine.store
// CHECK-NOT:     affine.for
func.func @images(%x: memref<3x5x29x32xf32>, %out: memref<3x5x31x42xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<3x5x31x42xf32>)
  %middle = memref.subview %out[0, 0, 1, 5] [3, 5, 29, 32] [1, 1, 1, 1] : memref<3x5x31x42xf32> to memref<3x5x29x32xf32, strided<[6510, 1302, 42, 1], offset: 47>>
  linalg.generic {indexing_maps = [affine_map<(n, c, i, j) -> (n, c, i, j)>, affine_map<(n, c, i, j) -> (n, c, i, j)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x : memref<3x5x29x32xf32>) outs(%middle : memref<3x5x29x32xf32, strided<[6510, 1302, 42, 1], offset: 47>>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  func.return
}
