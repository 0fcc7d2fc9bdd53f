// RUN: xla-opt %s -p "loops-vectorize{vector_bits=512}" | filecheck %s

// Loops that copy and fill rows. What is left of a row is a vector that overlaps the one before.
// CHECK-LABEL: func.func private @short
// CHECK-DAG:  [[REST:%.+]] = arith.constant 18 : index
// CHECK-DAG:  [[ZERO:%.+]] = arith.constant 0 : index
// CHECK:      affine.for %i
// CHECK-NOT:  affine.for
// CHECK:      [[A:%.+]] = affine.vector_load %x[%i * 50 + [[ZERO]]] : memref<400xf32>, vector<32xf32>
// CHECK-NEXT: affine.vector_store [[A]], %y[%i * 64 + [[ZERO]] + 7] : memref<512xf32>, vector<32xf32>
// CHECK-NEXT: [[B:%.+]] = affine.vector_load %x[%i * 50 + [[REST]]] : memref<400xf32>, vector<32xf32>
// CHECK-NEXT: affine.vector_store [[B]], %y[%i * 64 + [[REST]] + 7] : memref<512xf32>, vector<32xf32>
// CHECK-NEXT: }
func.func private @short(%x: memref<400xf32>, %y: memref<512xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 50 {
      %0 = affine.load %x[%i * 50 + %j] : memref<400xf32>
      affine.store %0, %y[%i * 64 + %j + 7] : memref<512xf32>
    }
  }
  func.return
}

// Fills with a constant, and with a value.
// CHECK-LABEL: func.func private @long
// CHECK-DAG:  [[WIDE:%.+]] = arith.constant dense<0.000000e+00> : vector<32xf64>
// CHECK-DAG:  [[REST:%.+]] = arith.constant dense<0.000000e+00> : vector<4xf64>
// CHECK:      affine.for [[K:%.+]] = 0 to 96 step 32 {
// CHECK-NEXT: affine.vector_store [[WIDE]], %y[%i, [[K]]] : memref<8x100xf64>, vector<32xf64>
// CHECK-NEXT: }
// CHECK-NEXT: affine.vector_store [[REST]], %y[%i, {{%.+}}] : memref<8x100xf64>, vector<4xf64>
// CHECK-NEXT: [[SAME:%.+]] = vector.broadcast %v : f64 to vector<4xf64>
// CHECK-NEXT: affine.vector_store [[SAME]], %z[%i, {{%.+}}] : memref<8x5xf64>, vector<4xf64>
func.func private @long(%y: memref<8x100xf64>, %z: memref<8x5xf64>, %v: f64) {
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

// A row from a computed place, in a loop and what it leaves.
// CHECK-LABEL: func.func private @gather
// CHECK:      affine.for [[K:%.+]] = 0 to 128 step 64 {
// CHECK-NEXT: [[A:%.+]] = vector.load %x[%row, [[K]]] : memref<100x150xf32>, vector<64xf32>
// CHECK-NEXT: affine.vector_store [[A]], %y[%i, [[K]]] : memref<8x150xf32>, vector<64xf32>
// CHECK:      }
// CHECK-NEXT: [[A:%.+]] = vector.load %x[%row, [[J:%.+]]] : memref<100x150xf32>, vector<32xf32>
// CHECK-NEXT: affine.vector_store [[A]], %y[%i, [[J]]] : memref<8x150xf32>, vector<32xf32>
func.func private @gather(%x: memref<100x150xf32>, %rows: memref<8xindex>, %y: memref<8x150xf32>) {
  affine.for %i = 0 to 8 {
    %row = affine.load %rows[%i] : memref<8xindex>
    affine.for %j = 0 to 150 {
      %0 = memref.load %x[%row, %j] : memref<100x150xf32>
      affine.store %0, %y[%i, %j] : memref<8x150xf32>
    }
  }
  func.return
}

// The edges of a buffer: stores of one value may come in any order.
// CHECK-LABEL: func.func private @edges
// CHECK:      affine.vector_store [[ZEROS:%.+]], %y[{{%.+}}] : memref<128xf32>, vector<16xf32>
// CHECK-NEXT: affine.vector_store [[ZEROS]], %y[{{%.+}} + 112] : memref<128xf32>, vector<16xf32>
func.func private @edges(%y: memref<128xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %j = 0 to 16 {
    affine.store %zero, %y[%j] : memref<128xf32>
    affine.store %zero, %y[%j + 112] : memref<128xf32>
  }
  func.return
}

// Stores of two values may not. What moves within a buffer stays, and what is longer than the second-level cache.
// CHECK-LABEL: func.func private @two_values
// CHECK-NOT: vector_
func.func private @two_values(%y: memref<128xf32>, %a: f32, %b: f32) {
  affine.for %j = 0 to 16 {
    affine.store %a, %y[%j] : memref<128xf32>
    affine.store %b, %y[%j + 1] : memref<128xf32>
  }
  func.return
}
func.func private @moves(%x: memref<65xf32>) {
  affine.for %j = 0 to 64 {
    %0 = affine.load %x[%j + 1] : memref<65xf32>
    affine.store %0, %x[%j] : memref<65xf32>
  }
  func.return
}
func.func private @huge(%x: memref<1000000xf32>, %y: memref<1000000xf32>) {
  affine.for %j = 0 to 1000000 {
    %0 = affine.load %x[%j] : memref<1000000xf32>
    affine.store %0, %y[%j] : memref<1000000xf32>
  }
  func.return
}

// A long row is copied by the C library, unless it is stored past the caches.
// CHECK-LABEL: func.func private @row
// CHECK:      affine.for %i
// CHECK-NEXT: [[AT:%.+]] = affine.apply affine_map<(d0) -> ((d0 * 200000))> (%i)
// CHECK-NEXT: [[X:%.+]] = "xrt.part"(%x, [[AT]]) : (memref<8x200000xf32>, index) -> memref<200000xf32>
// CHECK-NEXT: [[TO:%.+]] = affine.apply affine_map<(d0) -> ((d0 * 250000))> (%i)
// CHECK-NEXT: [[Y:%.+]] = "xrt.part"(%y, [[TO]]) : (memref<2000000xf32>, index) -> memref<200000xf32>
// CHECK-NEXT: "memref.copy"([[X]], [[Y]]) : (memref<200000xf32>, memref<200000xf32>) -> ()
func.func private @row(%x: memref<8x200000xf32>, %y: memref<2000000xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 200000 {
      %0 = affine.load %x[%i, %j] : memref<8x200000xf32>
      affine.store %0, %y[%i * 250000 + %j] : memref<2000000xf32>
    }
  }
  func.return
}
// CHECK-LABEL: func.func private @streamed
// CHECK-NOT: memref.copy
func.func private @streamed(%x: memref<200000xf32>, %y: memref<200000xf32>) attributes {xrt.streamed = array<i64: 1>} {
  affine.for %j = 0 to 200000 {
    %0 = affine.load %x[%j] : memref<200000xf32>
    affine.store %0, %y[%j] : memref<200000xf32>
  }
  func.return
}
