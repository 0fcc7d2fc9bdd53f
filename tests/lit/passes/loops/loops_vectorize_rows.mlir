// RUN: xla-opt %s -p 'loops-vectorize{vector_bits=512}' | filecheck %s

// Rows of one buffer that the loop is not about are apart, also those that it reads.
// CHECK-LABEL: func.func private @two_rows
// CHECK:         affine.for [[I:%.+]] = 0 to 128 step 64 {
// CHECK:           affine.vector_store {{%.+}}, %b[%k * 2, [[I]]] : memref<9x128xf32>, vector<64xf32>
// CHECK:           affine.vector_store {{%.+}}, %b[%k * 2 + 1, [[I]]] : memref<9x128xf32>, vector<64xf32>
func.func private @two_rows(%a: memref<128xf32>, %b: memref<9x128xf32>, %k: index) {
  affine.for %i = 0 to 128 {
    %x = affine.load %a[%i] : memref<128xf32>
    %y = affine.load %b[%k * 2 + 2, %i] : memref<9x128xf32>
    %z = arith.addf %x, %y : f32
    affine.store %x, %b[%k * 2, %i] : memref<9x128xf32>
    affine.store %z, %b[%k * 2 + 1, %i] : memref<9x128xf32>
  }
  func.return
}

// Neighbours along the loop are not, nor what is a row for one index and another one for the next.
// CHECK-LABEL: func.func private @neighbours
// CHECK-NOT:   vector
// CHECK-LABEL: func.func private @rows_of_two_indices
// CHECK-NOT:   vector
// CHECK-LABEL: func.func private @loaded_again
func.func private @neighbours(%a: memref<128xf32>, %b: memref<130xf32>) {
  affine.for %i = 0 to 128 {
    %x = affine.load %a[%i] : memref<128xf32>
    %y = arith.addf %x, %x : f32
    affine.store %x, %b[%i] : memref<130xf32>
    affine.store %y, %b[%i + 1] : memref<130xf32>
  }
  func.return
}
func.func private @rows_of_two_indices(%a: memref<128xf32>, %b: memref<9x128xf32>, %k: index, %l: index) {
  affine.for %i = 0 to 128 {
    %x = affine.load %a[%i] : memref<128xf32>
    %y = arith.addf %x, %x : f32
    affine.store %x, %b[%k, %i] : memref<9x128xf32>
    affine.store %y, %b[%l + 1, %i] : memref<9x128xf32>
  }
  func.return
}

// What is loaded again stays in its register: here 9 are needed at once, so vectors fill two.
// CHECK:       affine.for {{%.+}} = 0 to 128 step 32
func.func private @loaded_again(%a: memref<9x128xf32>, %b: memref<128xf32>) {
  affine.for %i = 0 to 128 {
    %0 = affine.load %a[0, %i] : memref<9x128xf32>
    %1 = affine.load %a[1, %i] : memref<9x128xf32>
    %2 = affine.load %a[2, %i] : memref<9x128xf32>
    %3 = affine.load %a[3, %i] : memref<9x128xf32>
    %4 = affine.load %a[4, %i] : memref<9x128xf32>
    %5 = affine.load %a[5, %i] : memref<9x128xf32>
    %6 = affine.load %a[6, %i] : memref<9x128xf32>
    %7 = affine.load %a[7, %i] : memref<9x128xf32>
    %8 = arith.addf %0, %1 : f32
    %9 = arith.mulf %8, %2 : f32
    %10 = arith.addf %9, %3 : f32
    %11 = arith.mulf %10, %4 : f32
    %12 = arith.addf %11, %5 : f32
    %13 = arith.mulf %12, %6 : f32
    %14 = arith.addf %13, %7 : f32
    %15 = affine.load %a[0, %i] : memref<9x128xf32>
    %16 = arith.mulf %14, %15 : f32
    affine.store %16, %b[%i] : memref<128xf32>
  }
  func.return
}
