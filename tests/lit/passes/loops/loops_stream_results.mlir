// RUN: xla-opt %s -p loops-stream-results --split-input-file | filecheck %s

// A result that the schedule streams.
// CHECK-LABEL: func.func private @rows
// CHECK-NOT: xrt.streamed
// CHECK: vector.store {{.*}} {xrt.stream} : memref<4096x1024xf32>, vector<64xf32>
func.func private @rows(%x: memref<4096x1024xf32>, %out: memref<4096x1024xf32>) attributes {xrt.kernel, xrt.streamed = array<i64: 1>} {
  affine.for %i = 0 to 4096 {
    affine.for %j = 0 to 1024 step 64 {
      %a = affine.vector_load %x[%i, %j] : memref<4096x1024xf32>, vector<64xf32>
      affine.vector_store %a, %out[%i, %j] : memref<4096x1024xf32>, vector<64xf32>
    }
  }
  func.return
}

// -----

// Others stay in the cache.
// CHECK-LABEL: func.func private @rows
// CHECK-NOT: xrt.stream
func.func private @rows(%x: memref<4096x1024xf32>, %out: memref<4096x1024xf32>) attributes {xrt.kernel} {
  affine.for %i = 0 to 4096 {
    affine.for %j = 0 to 1024 step 64 {
      %a = affine.vector_load %x[%i, %j] : memref<4096x1024xf32>, vector<64xf32>
      affine.vector_store %a, %out[%i, %j] : memref<4096x1024xf32>, vector<64xf32>
    }
  }
  func.return
}

// -----

// Rows of 1023 elements begin anywhere, and eight elements are half a line: no streams. What is read back neither.
// CHECK-LABEL: func.func private @odd
// CHECK-NOT: xrt.stream
func.func private @odd(%x: memref<8192x1023xf32>, %out: memref<8192x1023xf32>) attributes {xrt.kernel, xrt.streamed = array<i64: 1>} {
  affine.for %i = 0 to 8192 {
    affine.for %j = 0 to 960 step 64 {
      %a = affine.vector_load %x[%i, %j] : memref<8192x1023xf32>, vector<64xf32>
      affine.vector_store %a, %out[%i, %j] : memref<8192x1023xf32>, vector<64xf32>
    }
  }
  func.return
}
func.func private @short(%x: memref<4096x1024xf32>, %out: memref<4096x1024xf32>) attributes {xrt.kernel, xrt.streamed = array<i64: 1>} {
  affine.for %i = 0 to 4096 {
    affine.for %j = 0 to 1024 step 8 {
      %a = affine.vector_load %x[%i, %j] : memref<4096x1024xf32>, vector<8xf32>
      affine.vector_store %a, %out[%i, %j] : memref<4096x1024xf32>, vector<8xf32>
    }
  }
  func.return
}
func.func private @sums(%x: memref<4096x1024xf32>, %out: memref<4096x1024xf32>) attributes {xrt.kernel, xrt.streamed = array<i64: 1>} {
  affine.for %i = 0 to 4096 {
    affine.for %j = 0 to 1024 step 64 {
      %a = affine.vector_load %x[%i, %j] : memref<4096x1024xf32>, vector<64xf32>
      %b = affine.vector_load %out[%i, %j] : memref<4096x1024xf32>, vector<64xf32>
      %c = arith.addf %a, %b : vector<64xf32>
      affine.vector_store %c, %out[%i, %j] : memref<4096x1024xf32>, vector<64xf32>
    }
  }
  func.return
}

// -----

// Tiles begin at multiples of their size.
// CHECK-LABEL: func.func private @tiles
// CHECK: xrt.stream
func.func private @tiles(%x: memref<4096x1024xf32>, %out: memref<4096x1024xf32>) attributes {xrt.kernel, xrt.streamed = array<i64: 1>} {
  affine.for %t = 0 to 1024 step 128 {
    affine.for %i = 0 to 4096 {
      affine.for %j = 0 to 128 step 64 {
        %a = affine.vector_load %x[%i, %t + %j] : memref<4096x1024xf32>, vector<64xf32>
        affine.vector_store %a, %out[%i, %t + %j] : memref<4096x1024xf32>, vector<64xf32>
      }
    }
  }
  func.return
}
