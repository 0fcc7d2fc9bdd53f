// RUN: xla-opt %s -p 'loops-vectorize{vector_bits=512}' | filecheck %s

// Where rows of a large buffer begin between two cache lines, vectors fill one register; four where they do not, and in
// cache.

// CHECK-LABEL: func.func private @between_lines
// CHECK:         affine.vector_store {{.*}} : memref<2048x2047xf32>, vector<16xf32>
func.func private @between_lines(%a: memref<2048x2048xf32>, %b: memref<2048x2047xf32>) {
  affine.for %i = 0 to 2048 {
    affine.for %j = 0 to 2047 {
      %x = affine.load %a[%i, %j] : memref<2048x2048xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%i, %j] : memref<2048x2047xf32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func private @moved
// CHECK:         affine.vector_store {{.*}} : memref<2048x2048xf32>, vector<16xf32>
func.func private @moved(%a: memref<2048x2048xf32>, %b: memref<2048x2048xf32>) {
  affine.for %i = 0 to 2048 {
    affine.for %j = 0 to 1024 {
      %x = affine.load %a[%i, %j] : memref<2048x2048xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%i, %j + 8] : memref<2048x2048xf32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func private @at_lines
// CHECK:         affine.vector_store {{.*}} : memref<2048x2048xf32>, vector<64xf32>
func.func private @at_lines(%a: memref<2048x2048xf32>, %b: memref<2048x2048xf32>) {
  affine.for %i = 0 to 2048 {
    affine.for %j = 0 to 1024 {
      %x = affine.load %a[%i, %j + 3] : memref<2048x2048xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%i, %j + 16] : memref<2048x2048xf32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func private @in_cache
// CHECK:         affine.vector_store {{.*}} : memref<64x2047xf32>, vector<64xf32>
func.func private @in_cache(%a: memref<64x2048xf32>, %b: memref<64x2047xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 2047 {
      %x = affine.load %a[%i, %j] : memref<64x2048xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%i, %j] : memref<64x2047xf32>
    }
  }
  func.return
}
