// RUN: xla-opt %s -p convert-linalg-to-affine | filecheck %s

// A copy into the middle of a large buffer: what is around it is filled, the first and the last row by one loop.

// CHECK-LABEL: func.func @pad
// CHECK-SAME:    ([[X:%.+]]: memref<128x256xf32>, [[OUT:%.+]]: memref<130x257xf32>)
// CHECK-NOT:     affine.for {{%.+}} = 0 to 130
// CHECK:         affine.for [[J:%.+]] = 0 to 257
// CHECK-NEXT:      affine.store {{%.+}}, [[OUT]][0, [[J]]]
// CHECK-NEXT:      affine.store {{%.+}}, [[OUT]][129, [[J]]]
// CHECK-NOT:     affine.for {{%.+}} = 0 to 257
// CHECK:         affine.for {{%.+}} = 0 to 128
// CHECK-NEXT:      affine.store
// CHECK:         affine.for {{%.+}} = 0 to 128
// CHECK:           affine.for {{%.+}} = 0 to 256
// CHECK:             affine.load
// CHECK:             affine.store
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
