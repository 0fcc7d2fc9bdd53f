// RUN: xla-opt %s -p "affine-vectorize-copies{vector_bits=512}" | filecheck %s

// Three vectors, two of them as one, and one that overlaps the third.
// CHECK-LABEL: func.func private @short
// CHECK: affine.for %i
// CHECK-NOT: affine.for
// CHECK: [[A:%.+]] = affine.vector_load %x[%i * 50] : memref<400xf32>, vector<32xf32>
// CHECK-NEXT: affine.vector_store [[A]], %y[%i * 64 + 7] : memref<512xf32>, vector<32xf32>
// CHECK-NEXT: affine.vector_load %x[%i * 50 + 32] : memref<400xf32>, vector<16xf32>
// CHECK-NEXT: affine.vector_store %{{.+}}, %y[%i * 64 + 39]
// CHECK-NEXT: affine.vector_load %x[%i * 50 + 34]
// CHECK-NEXT: affine.vector_store %{{.+}}, %y[%i * 64 + 41]
// CHECK-NEXT: }
func.func private @short(%x: memref<400xf32>, %y: memref<512xf32>) attributes {xrt.kernel} {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 50 {
      %0 = affine.load %x[%i * 50 + %j] : memref<400xf32>
      affine.store %0, %y[%i * 64 + %j + 7] : memref<512xf32>
    }
  }
  func.return
}

// A loop of four vectors a step and what it leaves; a fill of a constant, and of a value.
// CHECK-LABEL: func.func private @long
// CHECK: [[WIDE:%.+]] = arith.constant dense<0.000000e+00> : vector<32xf64>
// CHECK-NEXT: affine.for [[K:%.+]] = 0 to 3 {
// CHECK-NEXT: affine.vector_store [[WIDE]], %y[%i, [[K]] * 32] : memref<8x100xf64>, vector<32xf64>
// CHECK-NEXT: }
// CHECK-NEXT: [[ZEROS:%.+]] = arith.constant dense<0.000000e+00> : vector<8xf64>
// CHECK-NEXT: affine.vector_store [[ZEROS]], %y[%i, 92]
// CHECK-NEXT: [[SAME:%.+]] = vector.broadcast %v : f64 to vector<4xf64>
// CHECK-NEXT: affine.vector_store [[SAME]], %z[%i, 0] : memref<8x5xf64>, vector<4xf64>
// CHECK-NEXT: affine.vector_store [[SAME]], %z[%i, 1]
func.func private @long(%y: memref<8x100xf64>, %z: memref<8x5xf64>, %v: f64) attributes {xrt.kernel} {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 100 {
      affine.store %zero, %y[%i, %j] : memref<8x100xf64>
    }
    affine.for %k = 0 to 5 {
      affine.store %v, %z[%i, %k] : memref<8x5xf64>
    }
  }
  func.return
}

// One loop that computes, and all are left to LLVM; so is what moves within a buffer, steps over elements, is of a type
// without vectors, or is longer than the first-level cache.
// CHECK-NOT: affine.vector_
func.func private @computes(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) attributes {xrt.kernel} {
  affine.for %j = 0 to 64 {
    %0 = affine.load %x[%j] : memref<64xf32>
    affine.store %0, %y[%j] : memref<64xf32>
  }
  affine.for %j = 0 to 64 {
    %0 = affine.load %x[%j] : memref<64xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %z[%j] : memref<64xf32>
  }
  func.return
}
func.func private @moves(%x: memref<65xf32>) attributes {xrt.kernel} {
  affine.for %j = 0 to 64 {
    %0 = affine.load %x[%j + 1] : memref<65xf32>
    affine.store %0, %x[%j] : memref<65xf32>
  }
  func.return
}
func.func private @strided(%x: memref<128xf32>, %y: memref<64xf32>) attributes {xrt.kernel} {
  affine.for %j = 0 to 64 {
    %0 = affine.load %x[%j * 2] : memref<128xf32>
    affine.store %0, %y[%j] : memref<64xf32>
  }
  func.return
}
func.func private @bits(%x: memref<64xi1>, %y: memref<64xi1>) attributes {xrt.kernel} {
  affine.for %j = 0 to 64 {
    %0 = affine.load %x[%j] : memref<64xi1>
    affine.store %0, %y[%j] : memref<64xi1>
  }
  func.return
}
func.func private @huge(%x: memref<1000000xf32>, %y: memref<1000000xf32>) attributes {xrt.kernel} {
  affine.for %j = 0 to 1000000 {
    %0 = affine.load %x[%j] : memref<1000000xf32>
    affine.store %0, %y[%j] : memref<1000000xf32>
  }
  func.return
}

// A row from a computed place, in a loop and what it leaves.
// CHECK-LABEL: func.func private @gather
// CHECK: affine.for [[K:%.+]] = 0 to 2 {
// CHECK-NEXT: [[J:%.+]] = affine.apply affine_map<(d0) -> ((d0 * 64))> ([[K]])
// CHECK-NEXT: [[A:%.+]] = vector.load %x[%row, [[J]]] : memref<100x150xf32>, vector<64xf32>
// CHECK-NEXT: affine.vector_store [[A]], %y[%i, [[K]] * 64] : memref<8x150xf32>, vector<64xf32>
// CHECK: }
// CHECK-NEXT: [[J:%.+]] = affine.apply affine_map<() -> (128)> ()
// CHECK-NEXT: vector.load %x[%row, [[J]]]
// CHECK-NEXT: affine.vector_store %{{.+}}, %y[%i, 128]
// CHECK-NEXT: [[J:%.+]] = affine.apply affine_map<() -> (134)> ()
// CHECK-NEXT: vector.load %x[%row, [[J]]]
// CHECK-NEXT: affine.vector_store %{{.+}}, %y[%i, 134]
func.func private @gather(%x: memref<100x150xf32>, %rows: memref<8xindex>, %y: memref<8x150xf32>)
    attributes {xrt.kernel} {
  affine.for %i = 0 to 8 {
    %row = affine.load %rows[%i] : memref<8xindex>
    affine.for %j = 0 to 150 {
      %0 = memref.load %x[%row, %j] : memref<100x150xf32>
      affine.store %0, %y[%i, %j] : memref<8x150xf32>
    }
  }
  func.return
}
